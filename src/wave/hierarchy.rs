//! The names of an FST file: scopes, signals, and the names of enumerations' values.
//!
//! The crate that writes the values writes no enumeration tables, and lets every file begin at time
//! 0. So the hierarchy is kept here a second time, with them, and takes the place of the crate's in the
//! finished file; and so does the time of the first values.

use crate::error::{Error, Result};
use fst_writer::{
    FstBodyWriter, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};
use std::io::Cursor;

/// Tags of the format's hierarchy.
const ATTRIBUTE: u8 = 252;
const SCOPE: u8 = 254;
const UP: u8 = 255;
/// A miscellaneous attribute and two kinds of it.
const MISC: u8 = 0;
const COMMENT: u8 = 0;
const ENUM_TABLE: u8 = 7;
/// Block of a compressed hierarchy.
const HIERARCHY: u8 = 6;
/// Block of values.
const VALUES: u8 = 8;

/// The longest name that readers have room for.
const NAME_MAX: usize = 400;

type Header = FstHeaderWriter<Cursor<Vec<u8>>>;

/// The names, as they are declared.
pub(super) struct Hierarchy {
    header: Header,
    bytes: Vec<u8>,
    /// Enumerations that were declared, by position.
    tables: Vec<&'static [&'static str]>,
}

impl Hierarchy {
    pub(super) fn new(info: &FstInfo) -> Result<Self> {
        let header = Header::new(Cursor::new(vec![]), info).map_err(refused)?;
        Ok(Self { header, bytes: vec![], tables: vec![] })
    }

    /// A line that viewers show with the file.
    pub(super) fn comment(&mut self, text: &str) {
        self.attribute(COMMENT, text, 0);
    }

    /// Opens a scope: what is declared next stands inside.
    pub(super) fn open(&mut self, name: &str) -> Result<()> {
        let name = fitting(name);
        self.bytes.extend([SCOPE, FstScopeType::Module as u8]);
        self.text(&name);
        self.text("");
        self.header.scope(&name, "", FstScopeType::Module).map_err(refused)
    }

    /// Closes the scope that was opened last.
    pub(super) fn close(&mut self) -> Result<()> {
        self.bytes.push(UP);
        self.header.up_scope().map_err(refused)
    }

    /// Declares a signal. `names` are those of its values 0, 1, 2, ..
    pub(super) fn signal(
        &mut self,
        name: &str,
        width: u32,
        names: Option<&'static [&'static str]>,
    ) -> Result<FstSignalId> {
        if let Some(names) = names {
            self.names(names, width);
        }
        let index = if width == 1 { String::new() } else { format!(" [{}:0]", width - 1) };
        self.bits(name, &index, width)
    }

    /// Declares a signal with an index of its own behind its name: ` [7:0]`.
    pub(super) fn bits(&mut self, name: &str, index: &str, width: u32) -> Result<FstSignalId> {
        let name = format!("{}{index}", fitting(name));
        self.var(&name, FstSignalType::bit_vec(width), width, FstVarType::Logic)
    }

    /// Declares a number of 64 bits with a point.
    pub(super) fn real(&mut self, name: &str) -> Result<FstSignalId> {
        self.var(&fitting(name), FstSignalType::real(), 8, FstVarType::Real)
    }

    fn var(
        &mut self,
        name: &str,
        of: FstSignalType,
        length: u32,
        kind: FstVarType,
    ) -> Result<FstSignalId> {
        let dir = FstVarDirection::Implicit;
        let id = self.header.var(name, of, kind, dir, None).map_err(refused)?;
        self.bytes.extend([kind as u8, dir as u8]);
        self.text(name);
        self.number(length.into());
        self.number(0);
        Ok(id)
    }

    /// Declares the names of the values of the next signal.
    pub(super) fn names(&mut self, names: &'static [&'static str], width: u32) {
        let known = self.tables.iter().position(|table| *table == names);
        let handle = known.unwrap_or(self.tables.len()) as u64 + 1;
        if known.is_none() {
            self.tables.push(names);
            let width = width as usize;
            let values = (0..names.len()).map(|n| format!(" {n:0width$b}"));
            let words = names.iter().map(|name| format!(" {name}")).chain(values);
            let table = format!("names_{handle} {}{}", names.len(), words.collect::<String>());
            self.attribute(ENUM_TABLE, &table, handle);
        }
        self.attribute(ENUM_TABLE, "", handle);
    }

    fn attribute(&mut self, kind: u8, text: &str, argument: u64) {
        self.bytes.extend([ATTRIBUTE, MISC, kind]);
        self.text(text);
        self.number(argument);
    }

    fn text(&mut self, text: &str) {
        self.bytes.extend(text.bytes().filter(|byte| *byte != 0));
        self.bytes.push(0);
    }

    /// Seven bits a byte, lowest first.
    fn number(&mut self, mut number: u64) {
        while number > 0x7f {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// All names are declared: values follow.
    pub(super) fn finish(self) -> Result<(FstBodyWriter<Cursor<Vec<u8>>>, Names)> {
        Ok((self.header.finish().map_err(refused)?, Names(self.bytes)))
    }
}

/// The declared names, for the finished file.
pub(super) struct Names(Vec<u8>);

impl Names {
    /// Puts them in the place of those in the file, which begins at this time and not at 0.
    pub(super) fn into_file(self, file: &[u8], begin: u64) -> Result<Vec<u8>> {
        let mut out = vec![];
        let (mut at, mut named, mut begun) = (0, false, false);
        while at + 9 <= file.len() {
            // A block: its kind, then its length, which counts itself.
            let mut length = [0; 8];
            length.copy_from_slice(&file[at + 1..at + 9]);
            let end = file.len().min(at + 1 + u64::from_be_bytes(length) as usize);
            if file[at] == HIERARCHY && !named {
                let packed = lz4_flex::compress(&self.0);
                out.push(HIERARCHY);
                out.extend((16 + packed.len() as u64).to_be_bytes());
                out.extend((self.0.len() as u64).to_be_bytes());
                out.extend(packed);
                named = true;
            } else if at == 0 || file[at] == VALUES && !begun {
                // Of the header and of values the first time follows the length.
                out.extend(&file[at..at + 9]);
                out.extend(begin.to_be_bytes());
                out.extend(file.get(at + 17..end).unwrap_or_default());
                begun = at > 0;
            } else {
                out.extend(&file[at..end]);
            }
            at = end;
        }
        match named && begun {
            true => Ok(out),
            false => Err(Error::plain("a waveform without names or values")),
        }
    }
}

/// What the crate refuses: nothing that a user could put right.
pub(super) fn refused(error: FstWriteError) -> Error {
    Error::plain(format!("the waveform cannot be written: {error}"))
}

fn fitting(name: &str) -> String {
    name.chars().take(NAME_MAX / 4).collect()
}
