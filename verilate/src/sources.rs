//! What Verilator is given of a design: files, where it looks for others, macros, parameters.

use crate::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A top module and all that it is elaborated from. Paths may be relative to the working folder.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Top module; empty for the one that no other instantiates.
    pub top: String,
    /// SystemVerilog files in compilation order; files of lint waivers (`.vlt`) may be among them,
    /// and C++ (`.cpp`, `.cc`, `.cxx`, `.c`) that the RTL calls through DPI.
    pub files: Vec<PathBuf>,
    /// Folders in which included files are looked for.
    pub include_dirs: Vec<PathBuf>,
    /// Folders in which a module that no file defines is looked for, as `<module>.sv` or `.v`.
    pub library_dirs: Vec<PathBuf>,
    /// Files of which only the modules that are missing elsewhere count.
    pub library_files: Vec<PathBuf>,
    /// Macros: name, and a value if there is one.
    pub defines: Vec<(String, Option<String>)>,
    /// Elaboration parameters of the top module, each value as SystemVerilog writes it.
    pub params: Vec<(String, String)>,
    /// Further flags for Verilator. A flag that is a path counts with its content; files behind
    /// other flags are not followed, so name sources as `files`.
    pub flags: Vec<String>,
}

impl Sources {
    /// As arguments of Verilator, which runs in another folder: every path is absolute.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut all: Vec<OsString> = Vec::new();
        if !self.top.is_empty() {
            all.extend(["--top-module".into(), self.top.clone().into()]);
        }
        let path = |flag: &str, path: &Path| {
            let mut argument = OsString::from(flag);
            argument.push(absolute(path));
            argument
        };
        all.extend(self.include_dirs.iter().map(|dir| path("-I", dir)));
        for (flag, paths) in [("-y", &self.library_dirs), ("-v", &self.library_files)] {
            all.extend(paths.iter().flat_map(|p| [flag.into(), absolute(p).into()]));
        }
        all.extend(self.defines.iter().map(|(name, value)| match value {
            Some(value) => format!("-D{name}={value}").into(),
            None => format!("-D{name}").into(),
        }));
        all.extend(self.params.iter().map(|(name, value)| format!("-G{name}={value}").into()));
        all.extend(self.flags.iter().map(Into::into));
        let verilog = self.files.iter().filter(|file| !is_cpp(file));
        all.extend(verilog.map(|file| absolute(file).into()));
        all
    }

    /// C++ among the files, for DPI: compiled beside the model, not read by Verilator.
    pub(crate) fn cpp(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path).filter(|file| is_cpp(file))
    }

    /// Folders in which Verilator looks for a file that nobody names, those of the flags included.
    pub(crate) fn search_path(&self) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> =
            self.include_dirs.iter().chain(&self.library_dirs).cloned().collect();
        let mut flags = self.flags.iter();
        while let Some(flag) = flags.next() {
            if flag == "-y" {
                folders.extend(flags.next().map(PathBuf::from));
            } else if let Some(list) = flag.strip_prefix("+incdir+") {
                folders.extend(list.split('+').map(PathBuf::from));
            } else if let Some(folder) = flag.strip_prefix("-I").or(flag.strip_prefix("-y")) {
                folders.push(folder.into());
            }
        }
        folders
    }

    /// Whether what is named is there and can be SystemVerilog.
    ///
    /// # Errors
    /// The first thing that is not.
    pub fn check(&self) -> Result<(), Error> {
        let refused = |message: String, help: &str| Error::Refused { message, help: help.into() };
        if self.files.is_empty() {
            return Err(refused(
                "no source is named".into(),
                "name SystemVerilog files after --rtl",
            ));
        }
        for file in self.files.iter().chain(&self.library_files) {
            let name = file.display();
            if file.is_dir() {
                return Err(refused(
                    format!("{name}: this is a folder, not a file"),
                    "name the files in it; a folder to look for modules in is given as --library, one \
                     to look for included files in as --include",
                ));
            }
            let extension = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
            if ["vhd", "vhdl"].iter().any(|e| extension.eq_ignore_ascii_case(e)) {
                return Err(refused(
                    format!("{name}:1: this is VHDL, which Verilator does not read"),
                    "name SystemVerilog or Verilog files; a converter (GHDL's `--synth --out=verilog`) \
                     makes Verilog of VHDL",
                ));
            }
            let bytes = std::fs::read(file).map_err(|why| {
                refused(
                    match why.kind() {
                        std::io::ErrorKind::NotFound => format!("{name}: there is no such file"),
                        _ => format!("{name}: the file cannot be read: {why}"),
                    },
                    &match similar(file) {
                        Some(other) => format!("did you mean {}?", other.display()),
                        None => "correct the path; it is relative to the working folder".into(),
                    },
                )
            })?;
            if let Some(at) = bytes.iter().position(|b| *b == 0) {
                let line = bytes[..at].iter().filter(|b| **b == b'\n').count() + 1;
                return Err(refused(
                    format!("{name}:{line}: this is a binary file: it holds a byte 0"),
                    "name text files; UTF-16 must be saved as UTF-8",
                ));
            }
        }
        let folders = self.include_dirs.iter().map(|d| ("--include", d));
        for (option, folder) in folders.chain(self.library_dirs.iter().map(|d| ("--library", d))) {
            if !folder.is_dir() {
                let name = folder.display();
                let message = match folder.exists() {
                    true => format!("{option} {name}: this is a file, not a folder"),
                    false => format!("{option} {name}: there is no such folder"),
                };
                return Err(refused(
                    message,
                    "correct the path; it is relative to the working folder",
                ));
            }
        }
        Ok(())
    }

    /// Files that are named: sources, library files, flags that are paths.
    pub(crate) fn named(&self) -> Vec<PathBuf> {
        let flags = self.flags.iter().map(PathBuf::from).filter(|path| path.is_file());
        self.files.iter().chain(&self.library_files).cloned().chain(flags).collect()
    }
}

fn is_cpp(file: &Path) -> bool {
    file.extension().is_some_and(|e| ["cpp", "cc", "cxx", "c"].iter().any(|known| e == *known))
}

pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// A file of the same folder whose name is nearly that of one that is missing.
fn similar(file: &Path) -> Option<PathBuf> {
    let folder = file.parent()?;
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = here.read_dir().ok()?.flatten();
    let names: Vec<String> =
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let found = nearest(file.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(folder.join(found))
}

/// The name that one was meant for, if one is near enough: a slip of the keyboard apart, or only
/// in upper and lower case.
pub fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let name = name.to_lowercase();
    let far = |other: &str| strsim::damerau_levenshtein(&name, &other.to_lowercase());
    let most = (name.chars().count() / 4).clamp(1, 3);
    names.map(|other| (far(other), other)).filter(|(n, _)| *n <= most).min().map(|(_, other)| other)
}
