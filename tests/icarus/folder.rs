//! What a testbench needs of a folder of vector files, from its manifest: the way a hardware team
//! reads it, without the harness.

use congruent_ports::{Block, ParamSet};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// A folder of vector files.
pub struct Folder {
    /// Name of the scenario.
    pub name: String,
    /// The built-in parameter set that it runs on.
    pub build: String,
    /// Elaboration parameters.
    pub params: ParamSet,
    /// Cycles of the run.
    pub cycles: u64,
    /// Raw value of each `cfg_*` pin.
    pub cfg: Vec<(String, u64)>,
    /// The inputs.
    pub stimulus: Words,
    /// The outputs of the golden model.
    pub expected: Words,
}

/// A hex file: where it is, and where each field lies in a word.
pub struct Words {
    /// The file.
    pub path: PathBuf,
    /// Number of words.
    pub words: u64,
    /// Bits of a word.
    pub bits: u64,
    fields: Table,
}

impl Words {
    fn new(folder: &Path, table: &Value) -> Self {
        let file = table["file"].as_str().expect("a file name");
        Self {
            path: folder.join(file),
            words: number(&table["words"]),
            bits: number(&table["word_bits"]),
            fields: table["fields"].as_table().expect("fields").clone(),
        }
    }

    /// The bits of a port, or of the gap, as a range of SystemVerilog.
    pub fn range(&self, field: &str) -> String {
        let place = self.fields.get(field).unwrap_or_else(|| panic!("no field {field}"));
        let (lowest, bits) = (number(&place[0]), number(&place[1]));
        format!("{}:{lowest}", lowest + bits - 1)
    }
}

/// The built-in parameter set that a scenario of a block runs on.
pub fn build_of(block: &'static Block, scenario: &str) -> String {
    read(block, &folder_of(block).join(scenario)).build
}

/// The built-in parameter sets that committed folders of a block run on.
pub fn builds_of(block: &'static Block) -> Vec<String> {
    let mut builds: Vec<_> = all(block).into_iter().map(|folder| folder.build).collect();
    builds.sort();
    builds.dedup();
    builds
}

fn folder_of(block: &Block) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(block.name)
}

/// Every committed folder of a block that runs on one of its built-in parameter sets.
pub fn of_build(block: &'static Block, build: &str) -> Vec<Folder> {
    let folders: Vec<_> = all(block).into_iter().filter(|folder| folder.build == build).collect();
    let first = folders.first().unwrap_or_else(|| panic!("no folder of build {build}"));
    for folder in &folders {
        // One testbench reads them all.
        assert_eq!(folder.params, first.params, "{}", folder.name);
        assert_eq!(folder.stimulus.fields, first.stimulus.fields, "{}", folder.name);
        assert_eq!(folder.expected.fields, first.expected.fields, "{}", folder.name);
    }
    folders
}

/// Every committed folder of a block, by name.
fn all(block: &'static Block) -> Vec<Folder> {
    let root = folder_of(block);
    let entries = std::fs::read_dir(&root).unwrap_or_else(|e| panic!("{}: {e}", root.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| read(block, path)).collect()
}

fn read(block: &'static Block, folder: &Path) -> Folder {
    let path = folder.join("manifest.toml");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let manifest: Table = text.parse().unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let table = |name: &str| manifest[name].as_table().expect("a table");
    let string = |name: &str| manifest[name].as_str().expect("a string").to_string();
    let params = table("params").iter();
    let params = params.map(|(name, value)| (name.as_str(), value.as_integer().expect("a number")));
    Folder {
        name: string("scenario"),
        build: string("build"),
        params: ParamSet::with(block, params).expect("legal parameters"),
        cycles: number(&manifest["cycles"]),
        cfg: table("cfg").iter().map(|(name, value)| (name.clone(), number(value))).collect(),
        stimulus: Words::new(folder, &manifest["stimulus"]),
        expected: Words::new(folder, &manifest["expected"]),
    }
}

/// A number of a manifest; beyond 63 bits it is written as `"0x…"`.
fn number(value: &Value) -> u64 {
    let number = match value {
        Value::String(text) => {
            text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok())
        }
        value => value.as_integer().and_then(|number| u64::try_from(number).ok()),
    };
    number.unwrap_or_else(|| panic!("{value} is no number"))
}
