//! Verilates the RTL below `rtl/` through congruent-verilate and compiles the bridge to it.
//! An edit of a golden model changes nothing that this depends on.

fn main() {
    #[cfg(feature = "rtl")]
    if let Err(error) = rtl() {
        eprintln!("{error}");
        eprintln!("(to build without RTL: cargo build --no-default-features)");
        std::process::exit(1);
    }
}

#[cfg(feature = "rtl")]
fn rtl() -> Result<(), Box<dyn std::error::Error>> {
    for path in ["rtl", "build.rs", "src/dut/bridge.rs", "src/dut/shim.h"] {
        println!("cargo:rerun-if-changed={path}");
    }
    for variable in ["VERILATOR", "VERILATOR_ROOT", "CXX", "AR", "CONGRUENT_CACHE"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    let project = std::path::PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let tools = congruent_verilate::Tools::find(&project)?;
    println!("cargo:rerun-if-changed={}", tools.verilator.bin.display());
    let rtl = congruent_verilate::in_tree(&project, &tools)?;
    let registry = std::path::PathBuf::from(std::env::var("OUT_DIR")?).join("registry.cpp");
    std::fs::write(&registry, rtl.registry)?;
    let mut bridge = cxx_build::bridge("src/dut/bridge.rs");
    // A CXX of several words is read as we read it.
    if tools.compiler.arguments.is_empty() {
        bridge.compiler(&tools.compiler.path);
    }
    bridge
        .include(rtl.include)
        .file(registry)
        .std("c++17")
        .opt_level(2)
        .try_compile("congruent_bridge")?;
    // After the bridge: the linker takes from a library what those before it need.
    for (folder, name) in rtl.libraries {
        println!("cargo:rustc-link-search=native={}", folder.display());
        println!("cargo:rustc-link-lib=static={name}");
    }
    println!("cargo:rustc-env=CONGRUENT_LINKED={}", rtl.names.join(","));
    println!("cargo:rustc-env=CONGRUENT_TOOLS={}", tools.versions());
    Ok(())
}
