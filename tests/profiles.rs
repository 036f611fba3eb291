//! The published profiles under `profiles/` are read by `--config` and say what their sources say.

use congruent::config::Config;
use congruent_hw::unit;
use std::path::PathBuf;

fn profiles() -> Vec<(String, PathBuf)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("profiles");
    let folders = std::fs::read_dir(root).expect("profiles").map(|e| e.expect("entry").path());
    let mut all = vec![];
    for folder in folders {
        let block = folder.file_name().expect("name").to_string_lossy().into_owned();
        for entry in std::fs::read_dir(&folder).expect("a folder a block") {
            let path = entry.expect("entry").path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                all.push((block.clone(), path));
            }
        }
    }
    all
}

fn pins(block: &str, path: PathBuf) -> impl Fn(&str) -> u64 {
    let unit = unit::unit(block).unwrap_or_else(|| panic!("profiles of no block: {block}"));
    let config = Config { config: Some(path.clone()), ..Config::default() };
    let (attributes, params) = config.resolve(unit.block()).expect("read");
    let pins = unit.pins(&attributes, &params).unwrap_or_else(|e| panic!("{path:?}: {e}"));
    move |name| {
        let at = unit.block().cfg.iter().position(|field| field.name == name);
        pins[at.unwrap_or_else(|| panic!("no pin {name}"))]
    }
}

#[test]
fn every_profile_is_read_and_fits() {
    let profiles = profiles();
    assert!(profiles.len() >= 6, "{profiles:?}");
    for (block, path) in profiles {
        let _ = pins(&block, path);
    }
}

/// Page of ecn_marker: DCQCN paper 5 KB to 200 KB, 1 %, w = 1; HPCC's DCQCN 100 KB and 400 KB times
/// rate / 25 Gbps, 20 %.
#[test]
fn ecn_marker_profiles_say_what_the_page_says() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("profiles/ecn_marker");
    for (name, kmin, kmax, percent) in [
        ("dcqcn_paper", 5_000, 200_000, 1),
        ("hpcc_dcqcn_25g", 100_000, 400_000, 20),
        ("hpcc_dcqcn_100g", 400_000, 1_600_000, 20),
        ("hpcc_dcqcn_200g", 800_000, 3_200_000, 20),
        ("hpcc_dcqcn_400g", 1_600_000, 6_400_000, 20),
    ] {
        let pin = pins("ecn_marker", folder.join(format!("{name}.toml")));
        assert_eq!((pin("cfg_lower"), pin("cfg_upper")), (kmin, kmax), "{name}");
        assert_eq!((pin("cfg_weight"), pin("cfg_weight_shift")), (1 << 17, 0), "{name}: w = 1");
        // The slope carries the percentage: slope x band = percent x 2^(22 + shift) / 100, to an LSB.
        let exact = percent << (22 + pin("cfg_band_shift"));
        let band = kmax - kmin;
        let slope = pin("cfg_slope");
        assert!(slope * band * 100 <= exact && exact < (slope + 1) * band * 100, "{name}: {slope}");
    }
}

/// Page of pacing_table: the fabric manager's increase, timer and limit, and its table beside it, as the
/// library makes it.
#[test]
fn the_fabric_managers_profile_says_what_the_page_says() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("profiles/pacing_table");
    let pin = pins("pacing_table", folder.join("fabric_manager.toml"));
    let read = (pin("cfg_increase"), pin("cfg_limit"), pin("cfg_period"));
    assert_eq!(read, (5, 127, 5_120), "10.24 us at 500 MHz");
    let text = std::fs::read_to_string(folder.join("fabric_manager_cct.csv")).expect("beside it");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("index,shift,multiplier"));
    let rows = congruent_hw::pacing_table::cct::fabric_manager(4096, 100.0, 8300.0, 127);
    for (index, row) in rows.iter().enumerate() {
        let expected = format!("{index},{},{}", row.shift, row.multiplier);
        assert_eq!(lines.next(), Some(expected.as_str()));
    }
    assert_eq!(lines.next(), None);
}

/// Page of nscc_window: on the default link UET's constants give alpha 2.7307 B/ns, fi 40 960 B, eta
/// 1228.8 B and a fast increase of half of the bytes.
#[test]
fn the_uet_profile_has_the_gains_of_the_page() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("profiles/nscc_window");
    let pin = pins("nscc_window", folder.join("uet_1_0.toml"));
    // UQ16.24 bytes in a cycle of 2 ns, UQ32.8, UQ24.8, UQ12.20.
    assert_eq!(pin("cfg_alpha"), 91_625_969);
    assert_eq!(pin("cfg_fair"), 40_960 << 8);
    assert_eq!(pin("cfg_eta"), 314_573);
    assert_eq!(pin("cfg_fast"), 1 << 19);
    assert_eq!(pin("cfg_packet"), 4184);
}

/// Page of the reaction point's parameters: min_time_between_cnps 50 us in the paper, 4 us in the
/// adapter.
#[test]
fn notification_point_profiles_have_the_gaps_of_the_page() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("profiles/notification_point");
    for (name, cycles) in [("paper", 25_000), ("connectx", 2_000)] {
        let pin = pins("notification_point", folder.join(format!("{name}.toml")));
        assert_eq!(pin("cfg_gap"), cycles, "{name}");
    }
}

/// Page of hpcc_window: 162 500 B in 13 us at 100 Gbps, Eta 0.95, five stages, 80 B; on the test-bed
/// 25 Gbps x 9000 ns / 8 = 28 125 B; with exact pacing no stages and 0.99.
#[test]
fn hpcc_window_profiles_have_the_windows_of_the_page() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("profiles/hpcc_window");
    for (name, window, eta, stages) in [
        ("paper_simulation", 162_500, 0.95, 5),
        ("paper_testbed", 28_125, 0.95, 5),
        ("exact_pacing", 162_500, 0.99, 0),
    ] {
        let pin = pins("hpcc_window", folder.join(format!("{name}.toml")));
        // UQ28.8 bytes, UQ1.24.
        assert_eq!((pin("cfg_first_window"), pin("cfg_wai")), (window << 8, 80 << 8), "{name}");
        assert_eq!(pin("cfg_max_stage"), stages, "{name}");
        assert!((pin("cfg_eta") as f64 / f64::from(1 << 24) - eta).abs() < 1e-7, "{name}");
    }
}

/// Page of rate_limiter, its last table: both columns at 500 MHz, rates as shares of 40 and 400 Gbps.
#[test]
fn rate_limiter_profiles_have_the_columns_of_the_page() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("profiles/rate_limiter");
    let columns = [
        // Timer, bytes, F, ai, hai, min rate (Mbps), line (Mbps), G, alpha period, monitor, clamp.
        ("paper", 27_500, 10_000_000, 5, 40.0, 400.0, 10.0, 40_000.0, 1020, 27_500, 0, 1),
        ("connectx", 150_000, 32_767, 1, 5.0, 50.0, 1.0, 400_000.0, 1019, 500, 2_000, 0),
    ];
    for (name, timer, bytes, f, ai, hai, least, line, g, alpha, monitor, clamp) in columns {
        let pin = pins("rate_limiter", folder.join(format!("{name}.toml")));
        let share = |mbps: f64| (mbps / line * f64::from(1 << 24) + 0.5).floor() as u64;
        assert_eq!((pin("cfg_increase_period"), pin("cfg_byte_reset")), (timer, bytes), "{name}");
        assert_eq!((pin("cfg_threshold"), pin("cfg_alpha_gain")), (f, g), "{name}");
        assert_eq!((pin("cfg_ai_rate"), pin("cfg_hai_rate")), (share(ai), share(hai)), "{name}");
        assert_eq!((pin("cfg_min_rate"), pin("cfg_alpha_period")), (share(least), alpha), "{name}");
        assert_eq!(
            (pin("cfg_monitor_period"), pin("cfg_clamp_target")),
            (monitor, clamp),
            "{name}"
        );
        // rpg_gd 11, rpg_min_dec_fac 50 %, initial_alpha_value 1023, no rate for the first CNP.
        assert_eq!((pin("cfg_cut_by_alpha"), pin("cfg_min_dec_fac")), (0, 1 << 15), "{name}");
        let whole = (pin("cfg_initial_alpha"), pin("cfg_first_cnp_rate"));
        assert_eq!(whole, (1 << 24, 1 << 24), "{name}");
    }
}
