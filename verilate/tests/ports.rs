//! The ports of small modules as they are read from Verilator's tree, against a table written by
//! hand (`ports.toml`), with every Verilator that is here.

mod older;

use congruent_ports::PortDir;
use congruent_verilate::{
    Edge, Module, Place, Relative, Search, Shape, Sources, Type, Verilator, elaborate,
};
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Table {
    module: Vec<Expected>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    name: String,
    ports: Vec<String>,
    #[serde(default)]
    params: Vec<String>,
    #[serde(default)]
    edges: Vec<String>,
    #[serde(default)]
    set: Vec<String>,
    #[serde(default)]
    define: Vec<String>,
    #[serde(default)]
    include: Vec<String>,
    #[serde(default)]
    library: Vec<String>,
    list: Option<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ports")
}

fn verilator() -> Verilator {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    Verilator::find(&Search::new(&project)).unwrap_or_else(|e| panic!("{e}"))
}

fn table() -> Vec<Expected> {
    let text = include_str!("ports.toml");
    toml::from_str::<Table>(text).unwrap_or_else(|e| panic!("{e}")).module
}

fn sources(expected: &Expected) -> Sources {
    let pair = |text: &String| match text.split_once('=') {
        Some((name, value)) => (name.to_string(), Some(value.to_string())),
        None => (text.clone(), None),
    };
    let folders = |names: &[String]| names.iter().map(|n| folder().join(n)).collect();
    let mut sources = Sources {
        top: expected.name.clone(),
        include_dirs: folders(&expected.include),
        library_dirs: folders(&expected.library),
        defines: expected.define.iter().map(pair).collect(),
        params: expected.set.iter().map(pair).map(|(n, v)| (n, v.unwrap_or_default())).collect(),
        ..Sources::default()
    };
    match &expected.list {
        Some(list) => sources
            .read_list(&folder().join(list), Relative::List)
            .unwrap_or_else(|e| panic!("{e}")),
        None => sources.files.push(folder().join(format!("{}.sv", expected.name))),
    }
    sources
}

/// `@LINE` of the module's own file, `@FILE:LINE` of another.
fn at(place: &Place, own: &Path) -> String {
    let file = std::path::absolute(&place.file).expect("a path");
    // A library folder is searched by a path of its own.
    let file = file.canonicalize().unwrap_or(file);
    match file.strip_prefix(folder()) {
        Ok(file) if file != own => format!("@{}:{}", file.display(), place.line),
        _ => format!("@{}", place.line),
    }
}

fn shape(ty: &Type) -> String {
    let signed = if ty.signed { " signed" } else { "" };
    let name = |word: &str, name: &str| {
        if name.is_empty() { format!(" {word}") } else { format!(" {word} {name}") }
    };
    let what = match &ty.shape {
        Shape::Bits(None) => String::new(),
        Shape::Bits(Some(range)) => format!(" {range}"),
        Shape::Packed { range, element } => format!(" {range} x {}", shape(element)),
        Shape::Struct { name: n, .. } => name("struct", n),
        Shape::Union { name: n, .. } => name("union", n),
        Shape::Enum { name: n, names, base } => {
            assert_eq!((base.width, base.signed), (ty.width, ty.signed));
            let names: String = names.iter().map(|(n, v)| format!(" {n}={v}")).collect();
            name("enum", n) + &names
        }
    };
    format!("{}{signed}{what}", ty.width)
}

fn members(path: &str, lsb: u32, ty: &Type, lines: &mut Vec<String>) {
    match &ty.shape {
        Shape::Packed { element, .. } => members(&format!("{path}[]"), 0, element, lines),
        Shape::Struct { members: list, .. } | Shape::Union { members: list, .. } => {
            for member in list {
                let path = format!("{path}.{}", member.name);
                let lsb = lsb + member.lsb;
                let msb = lsb + member.ty.width - 1;
                lines.push(format!("  {path} @{msb}:{lsb}: {}", shape(&member.ty)));
                members(&path, lsb, &member.ty, lines);
            }
        }
        _ => {}
    }
}

fn ports(module: &Module, own: &Path) -> Vec<String> {
    let mut lines = Vec::new();
    for port in &module.ports {
        let dir = if port.dir == PortDir::In { "in" } else { "out" };
        let unpacked: String = port.ty.unpacked.iter().map(|r| r.to_string()).collect();
        let (name, at) = (&port.name, at(&port.place, own));
        lines.push(format!("{dir} {name}{unpacked}: {} {at}", shape(&port.ty)));
        members(name, 0, &port.ty, &mut lines);
    }
    lines
}

fn edge(edge: &Edge, own: &Path) -> String {
    let which = if edge.rising { "rising" } else { "falling" };
    let reset = if edge.reset { " reset" } else { "" };
    let logic = if edge.direct { "" } else { " logic" };
    format!("{which} {}{reset}{logic} {}", edge.ports.join("+"), at(&edge.place, own))
}

/// What a Verilator makes of every module of the table.
fn hold(verilator: &Verilator) {
    let table = table();
    assert!(table.len() >= 30);
    let mut wrong = Vec::new();
    for expected in &table {
        let module = match elaborate(verilator, &sources(expected)) {
            Ok(module) => module,
            Err(error) => {
                wrong.push(format!("{}: {error}", expected.name));
                continue;
            }
        };
        let own = PathBuf::from(format!("{}.sv", expected.name));
        let params: Vec<_> =
            module.params.iter().map(|p| format!("{} = {}", p.name, p.value)).collect();
        let mut edges: Vec<_> = module.edges.iter().map(|e| edge(e, &own)).collect();
        // The two versions list the items of an `always` in different orders.
        let mut wanted = expected.edges.clone();
        edges.sort();
        wanted.sort();
        let found = (&module.name, ports(&module, &own), params, edges);
        let wanted = (&expected.name, expected.ports.clone(), expected.params.clone(), wanted);
        if found != wanted {
            wrong.push(format!("{}:\n found {found:#?}\nwanted {wanted:#?}", expected.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_ports_are_those_of_the_hand_written_table() {
    hold(&verilator());
}

#[test]
fn an_older_verilator_reports_the_same() {
    match older::verilator() {
        Some(old) => hold(&old),
        None => println!("{}", older::SKIPPED),
    }
}
