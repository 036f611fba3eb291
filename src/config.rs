//! Parameters and attributes of a run: `--config`, `--param`, `--set`.
//!
//! Later ones win: the table's defaults, then the file, then the command line. The file is TOML:
//!
//! ```toml
//! [params]
//! QPS = 64
//!
//! [attributes]
//! data_rate = 100 # Gbps
//! enable_ecn = true
//! ```
//!
//! Where a block has variants, `variant` among the attributes is another way to say the parameter
//! that chooses one: `--set variant=dcqcn` is `--param DCQCN=1`.

use crate::error::{Error, Result};
use crate::files;
use congruent_hw::attributes::{AttributeSet, Value};
use congruent_hw::unit::{self, Unit};
use congruent_ports::{BLOCKS, Block, ParamSet, Variant};
use std::path::{Path, PathBuf};
use toml::Value as Toml;

/// The name that stands among the attributes for the parameter of a variant.
const VARIANT: &str = "variant";

/// The options, to be flattened into those of a subcommand.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct Config {
    /// Attribute in the source's name and natural unit, as `data_rate=100`; may be repeated
    #[arg(long = "set", value_name = "ATTRIBUTE=VALUE")]
    pub set: Vec<String>,
    /// Elaboration parameter, as `QPS=64`; may be repeated
    #[arg(long = "param", value_name = "PARAMETER=VALUE")]
    pub param: Vec<String>,
    /// TOML file with the tables `params` and `attributes`; --param and --set win over it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

impl Config {
    /// The full sets for a block, each value in its own range. Whether they fit together is for
    /// the block to say: [`Unit::pins`].
    ///
    /// # Errors
    /// A file that cannot be read or holds something else; an unknown name; a value that is none,
    /// or out of range.
    pub fn resolve(&self, block: &'static Block) -> Result<(AttributeSet, ParamSet)> {
        let file = match &self.config {
            Some(path) => File::read(path)?,
            None => File::default(),
        };
        let mut params = file.params.clone();
        if let Some(name) = file.variant(block)? {
            params.extend(chosen(block, &name).map_err(|e| file.error(e))?);
        }
        ParamSet::with(block, pairs(&params)).map_err(|e| file.error(e))?;
        for assignment in &self.param {
            let (name, value) = split("--param", "QPS=64", assignment)?;
            params.push((name.to_string(), whole(block, name, value)?));
        }
        if let Some(name) = self.variant(block)? {
            params.extend(chosen(block, name)?);
        }
        let params = ParamSet::with(block, pairs(&params))?;
        // A variant that the parameters choose has defaults of its own.
        let mut attributes = AttributeSet::defaults_under(block, &params);
        for (name, value) in file.attributes(block) {
            set_toml(&mut attributes, name, value).map_err(|e| file.error(e))?;
        }
        for (name, value) in self.sets(block)? {
            attributes.set_text(name, value)?;
        }
        Ok((attributes, params))
    }

    /// Names and values of `--set`.
    fn assignments(&self) -> Result<Vec<(&str, &str)>> {
        self.set.iter().map(|text| split("--set", "data_rate=100", text)).collect()
    }

    /// Names and values of `--set`, a variant left out.
    fn sets(&self, block: &Block) -> Result<Vec<(&str, &str)>> {
        let mut all = self.assignments()?;
        all.retain(|(name, _)| !is_variant(block, name));
        Ok(all)
    }

    /// The variant that `--set` names last, if the block has any.
    fn variant(&self, block: &Block) -> Result<Option<&str>> {
        let named = self.assignments()?.into_iter().rfind(|(name, _)| is_variant(block, name));
        Ok(named.map(|(_, value)| value))
    }
}

impl Config {
    /// The attributes that the user names, by name and text: what a random run must not draw.
    ///
    /// # Errors
    /// As for [`Config::resolve`].
    pub fn fixed(&self, block: &'static Block) -> Result<Vec<(String, String)>> {
        self.resolve(block)?;
        let mut fixed = vec![];
        if let Some(path) = &self.config {
            let file = File::read(path)?;
            fixed.extend(file.attributes(block).map(|(n, v)| (n.clone(), text_of(v))));
        }
        let sets = self.sets(block)?;
        fixed.extend(sets.into_iter().map(|(name, value)| (name.to_string(), value.to_string())));
        Ok(fixed)
    }

    /// Whether the user says nothing.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.param.is_empty() && self.config.is_none()
    }

    /// Whether the user names parameters; a variant alone does not count.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn names_params(&self) -> Result<bool> {
        let of_file = match &self.config {
            Some(path) => !File::read(path)?.params.is_empty(),
            None => false,
        };
        Ok(of_file || !self.param.is_empty())
    }

    /// Whether the user names a variant of the block.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn names_variant(&self, block: &Block) -> Result<bool> {
        let of_file = match &self.config {
            Some(path) => File::read(path)?.variant(block)?.is_some(),
            None => false,
        };
        Ok(of_file || self.variant(block)?.is_some())
    }

    /// The options as they were written, each with a blank before it.
    pub fn flags(&self) -> String {
        let mut flags = String::new();
        for param in &self.param {
            flags += &format!(" --param {param}");
        }
        for set in &self.set {
            flags += &format!(" --set {set}");
        }
        if let Some(path) = &self.config {
            flags += &format!(" --config {}", crate::check::quoted(path));
        }
        flags
    }
}

/// A block by name.
///
/// # Errors
/// There is none; those that there are, are named.
pub fn find_unit(name: &str) -> Result<&'static dyn Unit> {
    unit::unit(name).ok_or_else(|| {
        let known: Vec<_> = BLOCKS.iter().map(|b| b.name).collect();
        Error::input(
            format!("there is no block `{name}`"),
            format!("blocks are: {} (see `congruent list`)", known.join(", ")),
        )
    })
}

/// Whether a name among the attributes stands for the block's variant.
fn is_variant(block: &Block, name: &str) -> bool {
    name == VARIANT && !block.variants.is_empty()
}

/// The parameters that choose a variant.
///
/// # Errors
/// The block has none of that name.
fn chosen(block: &Block, name: &str) -> Result<Vec<(String, i64)>> {
    let variant = block.variants.iter().find(|variant| variant.name == name);
    let params = |v: &Variant| v.params.iter().map(|(n, value)| (n.to_string(), *value)).collect();
    variant.map(params).ok_or_else(|| {
        let known: Vec<_> = block.variants.iter().map(|v| v.name).collect();
        Error::plain(format!(
            "variant = {name}: {} has none of that name; accepted is {}",
            block.name,
            known.join(" or ")
        ))
    })
}

fn pairs(params: &[(String, i64)]) -> impl Iterator<Item = (&str, i64)> {
    params.iter().map(|(name, value)| (name.as_str(), *value))
}

fn split<'a>(option: &str, example: &str, text: &'a str) -> Result<(&'a str, &'a str)> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.trim(), value.trim())),
        None => Err(Error::input(
            format!("{option} {text}: there is no `=` in it"),
            format!("accepted is a name and a value, as {option} {example}"),
        )),
    }
}

fn whole(block: &'static Block, name: &str, text: &str) -> Result<i64> {
    match (text.parse(), block.params.iter().find(|p| p.name == name)) {
        (Ok(value), _) => Ok(value),
        (Err(_), Some(param)) => Err(Error::plain(format!(
            "parameter {name} = {text}: accepted is a whole number from {} to {}",
            param.min, param.max
        ))),
        // An unknown name, whatever its value; the set refuses it.
        (Err(_), None) => Ok(0),
    }
}

/// What a file of `--config` holds.
#[derive(Debug, Default)]
struct File {
    path: PathBuf,
    params: Vec<(String, i64)>,
    attributes: Vec<(String, Toml)>,
}

impl File {
    fn read(path: &Path) -> Result<Self> {
        let text = files::read(path)?;
        let table: toml::Table =
            text.parse().map_err(|e| toml_error(path, &text, &e, "TOML, as in `QPS = 64`"))?;
        let mut file = Self { path: path.to_path_buf(), ..Self::default() };
        for (name, value) in table {
            let Toml::Table(entries) = value else {
                return Err(file.misplaced(&name));
            };
            match name.as_str() {
                "params" => {
                    file.params =
                        entries.into_iter().map(|e| file.param(e)).collect::<Result<_>>()?
                }
                "attributes" => {
                    file.attributes = entries.into_iter().collect();
                }
                _ => return Err(file.misplaced(&format!("[{name}]"))),
            }
        }
        Ok(file)
    }

    /// The attributes, a variant left out.
    fn attributes(&self, block: &Block) -> impl Iterator<Item = &(String, Toml)> {
        self.attributes.iter().filter(|(name, _)| !is_variant(block, name))
    }

    /// The variant that is named, if the block has any.
    fn variant(&self, block: &Block) -> Result<Option<String>> {
        match self.attributes.iter().find(|(name, _)| is_variant(block, name)) {
            None => Ok(None),
            Some((_, Toml::String(name))) => Ok(Some(name.clone())),
            Some((_, other)) => {
                Err(self.error(format!("variant = {other}: accepted is a name in quotes")))
            }
        }
    }

    fn misplaced(&self, name: &str) -> Error {
        Error::input(
            format!("{}: {name} has no place here", self.path.display()),
            "accepted are the tables [params] and [attributes], and names in them",
        )
    }

    fn param(&self, (name, value): (String, Toml)) -> Result<(String, i64)> {
        match value {
            Toml::Integer(number) => Ok((name, number)),
            other => {
                Err(self.error(format!("parameter {name} = {other}: accepted is a whole number")))
            }
        }
    }

    fn error(&self, what: impl ToString) -> Error {
        Error::plain(format!("{}: {}", self.path.display(), what.to_string()))
    }
}

/// Sets an attribute to a value of TOML.
///
/// # Errors
/// As for [`AttributeSet::set`], and a value that is none of an attribute.
pub(crate) fn set_toml(
    attributes: &mut AttributeSet,
    name: &str,
    value: &Toml,
) -> Result<(), String> {
    let set = match value {
        Toml::Boolean(v) => attributes.set(name, Value::Bool(*v)),
        Toml::Integer(v) if *v >= 0 => attributes.set(name, Value::Integer(v.unsigned_abs())),
        Toml::Float(v) => attributes.set(name, Value::Real(*v)),
        Toml::String(text) if attributes.is_name(name) => attributes.set_text(name, text),
        other => {
            return Err(format!(
                "attribute {name} = {other}: accepted is a number of 0 or more, true, false, or a name"
            ));
        }
    };
    set.map_err(|e| e.to_string())
}

/// A value as after `--set name=`.
fn text_of(value: &Toml) -> String {
    match value {
        Toml::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A mistake in a TOML file, with its line.
pub(crate) fn toml_error(path: &Path, text: &str, error: &toml::de::Error, help: &str) -> Error {
    let place = match error.span() {
        Some(span) => {
            let before = text.get(..span.start).unwrap_or(text);
            format!("{}, line {}", path.display(), 1 + before.matches('\n').count())
        }
        None => path.display().to_string(),
    };
    Error::input(format!("{place}: {}", error.message()), format!("accepted is {help}"))
}

#[cfg(test)]
mod tests {
    use super::Config;
    use congruent_ports::nscc_window::BLOCK;
    use std::io::Write as _;

    fn resolve(set: &[&str], param: &[&str], file: &str) -> Result<(bool, i64), String> {
        let mut path = tempfile::NamedTempFile::new().expect("a file");
        path.write_all(file.as_bytes()).expect("writes");
        let config = Config {
            set: set.iter().map(ToString::to_string).collect(),
            param: param.iter().map(ToString::to_string).collect(),
            config: (!file.is_empty()).then(|| path.path().to_path_buf()),
        };
        let (attributes, params) = config.resolve(&BLOCK).map_err(|e| e.to_string())?;
        let fixed = config.fixed(&BLOCK).map_err(|e| e.to_string())?;
        assert!(fixed.iter().all(|(name, _)| name != "variant"), "{fixed:?}");
        Ok((attributes.integer("trimming_enabled") != 0, params.get("UET")))
    }

    #[test]
    fn a_variant_is_another_name_for_its_parameter() {
        assert_eq!(resolve(&[], &[], ""), Ok((true, 0)));
        assert_eq!(resolve(&["variant=uet"], &[], ""), Ok((false, 1)));
        assert_eq!(resolve(&[], &["UET=1"], ""), Ok((false, 1)));
        let file = "[attributes]\nvariant = \"uet\"\ntrimming_enabled = true\n";
        assert_eq!(resolve(&[], &[], file), Ok((true, 1)));
        // The command line wins.
        assert_eq!(resolve(&["variant=mrc"], &[], file), Ok((true, 0)));
    }

    #[test]
    fn a_variant_that_there_is_not_is_refused() {
        let error = resolve(&["variant=uec"], &[], "").unwrap_err();
        assert!(error.contains("variant = uec") && error.contains("mrc or uet"), "{error}");
        let error = resolve(&[], &[], "[attributes]\nvariant = 1\n").unwrap_err();
        assert!(error.contains("variant = 1: accepted is a name in quotes"), "{error}");
    }
}
