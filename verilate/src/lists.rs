//! Lists of files and options, as simulators read them with `-f` and `-F`.

use crate::error::Error;
use crate::sources::Sources;
use std::path::{Path, PathBuf};

/// What relative paths of a list are relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relative {
    /// The working folder: `-f`.
    Working,
    /// The folder that the list is in: `-F`.
    List,
}

impl Sources {
    /// Adds what a list names: files, other lists (`-f`, `-F`), `+incdir+`, `+define+`, `+libext+`,
    /// `-y`, `-v`, `-I`, `-D`, `-G`, `--top-module`, and flags of Verilator. Comments are left out,
    /// variables of the environment put in.
    ///
    /// # Errors
    /// A list or something that it names that is not there, a variable that is not set, an option
    /// that means nothing here; with file and line.
    pub fn read_list(&mut self, list: &Path, relative: Relative) -> Result<(), Error> {
        self.list(list, relative, &mut Vec::new())
    }

    fn list(
        &mut self,
        list: &Path,
        relative: Relative,
        above: &mut Vec<PathBuf>,
    ) -> Result<(), Error> {
        let text = match std::fs::read(list) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(why) => {
                return Err(Error::Refused {
                    message: format!("the file list `{}` cannot be read: {why}", list.display()),
                    help: "a list holds a path or an option a line".into(),
                });
            }
        };
        let folder = match relative {
            Relative::Working => PathBuf::new(),
            Relative::List => list.parent().map(Path::to_path_buf).unwrap_or_default(),
        };
        let mut reader = List { list, folder, words: words(list, &text)?, at: 0 };
        let same = std::fs::canonicalize(list).unwrap_or_else(|_| list.to_path_buf());
        if above.contains(&same) {
            return Err(Error::Refused {
                message: format!("the file list `{}` includes itself", list.display()),
                help: "take the -f or -F that leads back to it out".into(),
            });
        }
        above.push(same);
        while let Some(word) = reader.next() {
            self.take(&mut reader, &word, above)?;
        }
        above.pop();
        Ok(())
    }

    fn take(
        &mut self,
        list: &mut List<'_>,
        word: &str,
        above: &mut Vec<PathBuf>,
    ) -> Result<(), Error> {
        if let Some(rest) = word.strip_prefix("+incdir+") {
            for folder in rest.split('+').filter(|f| !f.is_empty()) {
                self.include_dirs.push(list.folder(folder)?);
            }
        } else if let Some(rest) = word.strip_prefix("+define+") {
            self.defines.extend(rest.split('+').filter(|d| !d.is_empty()).map(define));
        } else if word.starts_with("+libext+") || word.contains("ext+") && word.starts_with('+') {
            self.flags.push(word.into());
        } else if let Some(rest) = word.strip_prefix("-pvalue+") {
            self.params.push(list.param(rest)?);
        } else if let Some((flag, joined)) = short(word) {
            let value = match joined {
                "" => list.value(word)?,
                value => value.to_string(),
            };
            match flag {
                "-I" => self.include_dirs.push(list.folder(&value)?),
                "-D" => self.defines.push(define(&value)),
                _ => self.params.push(list.param(&value)?),
            }
        } else {
            match word {
                "-f" | "-F" => {
                    let value = list.value(word)?;
                    let relative = if word == "-f" { Relative::Working } else { Relative::List };
                    let path = list.file(&value)?;
                    self.list(&path, relative, above)?;
                }
                "-y" => {
                    let value = list.value(word)?;
                    self.library_dirs.push(list.folder(&value)?);
                }
                "-v" => {
                    let value = list.value(word)?;
                    self.library_files.push(list.file(&value)?);
                }
                "--top-module" | "-top-module" | "--top" | "-top" => {
                    let value = list.value(word)?;
                    if self.top.is_empty() {
                        self.top = value;
                    }
                }
                // Every file is SystemVerilog here, and every machine has 64 bits.
                "-sv" | "-sverilog" | "-sysv" | "-full64" | "-64bit" | "-64" => {}
                _ if is_verilators(word) => self.flags.push(word.into()),
                _ if word.starts_with(['-', '+']) => {
                    return Err(list.error(
                        format!("the option `{word}` means nothing here"),
                        "accepted are files, -f, -F, -y, -v, -I, -D, -G, +incdir+, +define+, +libext+ \
                         and Verilator's -W…; take it out, or give it as --verilator-flag if it is one",
                    ));
                }
                _ => self.files.push(list.file(word)?),
            }
        }
        Ok(())
    }
}

/// `NAME` or `NAME=VALUE`.
fn define(text: &str) -> (String, Option<String>) {
    match text.split_once('=') {
        Some((name, value)) => (name.into(), Some(value.into())),
        None => (text.into(), None),
    }
}

/// An option of one letter, and what is written against it.
fn short(word: &str) -> Option<(&str, &str)> {
    let flags = ["-I", "-D", "-G"];
    flags.iter().find_map(|flag| Some((*flag, word.strip_prefix(flag)?)))
}

/// Flags of Verilator that stand alone and change how sources are read, not what is made of them.
fn is_verilators(word: &str) -> bool {
    let exact = ["--assert", "--no-assert", "--relative-includes", "--bbox-sys", "--bbox-unsup"];
    let starts = ["-Wno-", "-Wwarn-", "-Werror-", "--timescale", "--x-", "--default-language="];
    exact.contains(&word) || starts.iter().any(|s| word.starts_with(s))
}

/// A list that is being read.
struct List<'a> {
    list: &'a Path,
    /// What paths are relative to.
    folder: PathBuf,
    /// Words and their lines.
    words: Vec<(String, usize)>,
    at: usize,
}

impl List<'_> {
    fn next(&mut self) -> Option<String> {
        let word = self.words.get(self.at)?.0.clone();
        self.at += 1;
        Some(word)
    }

    /// The word after an option.
    fn value(&mut self, option: &str) -> Result<String, Error> {
        self.next().ok_or_else(|| {
            self.error(format!("nothing follows `{option}`"), "write its value after it")
        })
    }

    fn param(&self, text: &str) -> Result<(String, String), Error> {
        let pair = text.split_once('=').map(|(name, value)| (name.into(), value.into()));
        pair.ok_or_else(|| {
            self.error(format!("the parameter `{text}` has no value"), "write it as -GNAME=VALUE")
        })
    }

    fn file(&self, name: &str) -> Result<PathBuf, Error> {
        let path = self.folder.join(name);
        if path.exists() { Ok(path) } else { Err(self.missing("file", name)) }
    }

    fn folder(&self, name: &str) -> Result<PathBuf, Error> {
        let path = self.folder.join(name);
        if path.is_dir() { Ok(path) } else { Err(self.missing("folder", name)) }
    }

    fn missing(&self, what: &str, name: &str) -> Error {
        let beside = self.list.parent().map(|folder| folder.join(name)).filter(|p| p.exists());
        let here = Path::new(name).exists();
        let help = if beside.is_some() && self.folder.as_os_str().is_empty() {
            "it is there relative to the list's folder: give the list as one of those (-F)"
        } else if here && !self.folder.as_os_str().is_empty() {
            "it is there relative to the working folder: give the list as one of those (-f)"
        } else {
            "correct the path; with -f it is relative to the working folder, with -F to the list's"
        };
        self.error(format!("there is no {what} `{}`", self.folder.join(name).display()), help)
    }

    /// An error at the word that was read last.
    fn error(&self, what: String, help: &str) -> Error {
        let line = self.at.checked_sub(1).and_then(|at| self.words.get(at)).map_or(1, |w| w.1);
        Error::Refused {
            message: format!("{}:{line}: {what}", self.list.display()),
            help: help.into(),
        }
    }
}

/// Words with their lines: comments left out, quotes taken off, variables put in.
fn words(list: &Path, text: &str) -> Result<Vec<(String, usize)>, Error> {
    let mut words = Vec::new();
    let mut in_comment = false;
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let number = number + 1;
        let mut rest = line;
        loop {
            if in_comment {
                match rest.split_once("*/") {
                    Some((_, after)) => rest = after,
                    None => break,
                }
                in_comment = false;
            }
            rest = rest.trim_start();
            if rest.is_empty() || rest.starts_with("//") || rest.starts_with('#') {
                break;
            }
            if let Some(after) = rest.strip_prefix("/*") {
                in_comment = true;
                rest = after;
                continue;
            }
            let (word, after) = match rest.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len())),
            };
            words.push((
                expanded(word).map_err(|variable| Error::Refused {
                    message: format!(
                        "{}:{number}: the variable {variable} is not set in the environment",
                        list.display()
                    ),
                    help: format!("set it (`export {variable}=…`), or write the path out"),
                })?,
                number,
            ));
            rest = after;
        }
    }
    Ok(words)
}

/// Puts variables in; the name of one that is not set if there is one.
fn expanded(word: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('$') {
        out += before;
        let close = match after.chars().next() {
            Some('{') => Some('}'),
            Some('(') => Some(')'),
            _ => None,
        };
        let (name, left) = match close {
            Some(close) => after[1..].split_once(close).unwrap_or((&after[1..], "")),
            None => {
                let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                after.split_at(end.unwrap_or(after.len()))
            }
        };
        if name.is_empty() {
            out.push('$');
        } else {
            let value = std::env::var(name).map_err(|_| name.to_string())?;
            out += &value;
        }
        rest = left;
    }
    Ok(out + rest)
}
