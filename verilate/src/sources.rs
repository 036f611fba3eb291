//! What Verilator is given of a design: files, where it looks for others, macros, parameters.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A top module and all that it is elaborated from. Paths may be relative to the working folder.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Top module.
    pub top: String,
    /// SystemVerilog files in compilation order; files of lint waivers (`.vlt`) may be among them.
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
        let mut all: Vec<OsString> = vec!["--top-module".into(), self.top.clone().into()];
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
        all.extend(self.files.iter().map(|file| absolute(file).into()));
        all
    }

    /// Files that are named: sources, library files, flags that are paths.
    pub(crate) fn named(&self) -> Vec<PathBuf> {
        let flags = self.flags.iter().map(PathBuf::from).filter(|path| path.is_file());
        self.files.iter().chain(&self.library_files).cloned().chain(flags).collect()
    }
}

pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
