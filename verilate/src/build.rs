//! One build: Verilator on the sources, the driver, the compiler, the cache.

use crate::cache::Cache;
use crate::compile::{self, Job, Unit};
use crate::driver::Driver;
use crate::error::Error;
use crate::find::{Tools, Verilator};
use crate::headers;
use crate::key::{self, Key};
use crate::map::PortMap;
use crate::runtime::{self, Runtime};
use crate::sources::{Sources, absolute};
use congruent_ports::Layout;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How hard the C++ compiler tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// The model runs fast (-O2).
    #[default]
    Fast,
    /// The build is over soon (-O1): for short runs of many variants, such as planted bugs.
    Quick,
}

impl Profile {
    fn flag(self) -> &'static str {
        match self {
            Self::Fast => "-O2",
            Self::Quick => "-O1",
        }
    }
}

/// What is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A static library with a function `congruent::make_<class>`, for `build.rs`.
    Library {
        /// Name of the class: letters, digits and `_`.
        class: String,
    },
    /// A program that is driven over its stdin and stdout.
    Executable,
}

/// Everything that a build is made of.
#[derive(Debug, Clone)]
pub struct Build<'a> {
    /// Ports of the block under its parameters.
    pub layout: &'a Layout,
    /// The design.
    pub sources: Sources,
    /// Names of the module's ports.
    pub map: PortMap,
    /// How hard the C++ compiler tries.
    pub profile: Profile,
    /// What is made.
    pub kind: Kind,
    /// Whether the model can write a VCD of what happens inside of it. It runs slower even while it
    /// writes none.
    pub trace: bool,
}

/// A finished build.
#[derive(Debug, Clone)]
pub struct Built {
    /// The library or program.
    pub artefact: PathBuf,
    /// The folder in the cache that holds it, the driver and Verilator's header.
    pub folder: PathBuf,
    /// The static library of the runtime, to be linked after the models.
    pub runtime: PathBuf,
    /// The folder with `dut.h`.
    pub include: PathBuf,
    /// Whether it was in the cache.
    pub hit: bool,
    /// How long it took.
    pub took: Duration,
    /// Where that time went; nothing where it was in the cache.
    pub steps: Steps,
    /// Which Verilator and compiler made it.
    pub tools: String,
}

/// Where the time of a build went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Steps {
    /// Reading the ports of a user's module, before it is known what to build.
    pub elaboration: Duration,
    /// What is the same for all builds, made by the first one: Verilator's runtime and headers.
    pub runtime: Duration,
    /// Verilator.
    pub verilator: Duration,
    /// The C++ compiler.
    pub compiler: Duration,
    /// The linker, or the archiver.
    pub linker: Duration,
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |d: Duration| format!("{:.1}", d.as_secs_f64());
        if !self.elaboration.is_zero() {
            write!(f, "ports {}, ", seconds(self.elaboration))?;
        }
        write!(f, "Verilator {}, C++ ", seconds(self.verilator))?;
        write!(f, "{}, link {}", seconds(self.compiler), seconds(self.linker))?;
        if self.runtime > Duration::from_millis(500) {
            write!(f, ", runtime for all builds {}", seconds(self.runtime))?;
        }
        Ok(())
    }
}

// Files of an entry besides the artefact.
const GLOBALS: &str = "globals.txt";
const EXTRAS: &str = "extras.txt";

// In place of a hash: a file that must not be there.
const ABSENT: &str = "absent";

// End of the name of a list of headers that the compiler wrote.
const DEPENDENCIES: &str = ".deps";

impl<'a> Build<'a> {
    /// A build of one of this project's own blocks from the files of its table below `rtl`, with
    /// assertions.
    pub fn of_block(layout: &'a Layout, rtl: &Path, kind: Kind) -> Self {
        Self {
            layout,
            sources: Sources {
                top: layout.block.name.to_string(),
                files: layout.block.rtl.iter().map(|file| rtl.join(file)).collect(),
                include_dirs: vec![rtl.to_path_buf()],
                defines: vec![("CONGRUENT_ASSERT".into(), None)],
                params: layout.params.iter().map(|(n, v)| (n.into(), v.to_string())).collect(),
                ..Sources::default()
            },
            map: PortMap::default(),
            profile: Profile::default(),
            kind,
            trace: false,
        }
    }

    /// Builds, or takes what is in the cache if nothing of it has changed.
    ///
    /// # Errors
    /// Sources that cannot be read or that Verilator refuses, a
    /// compiler that fails, a cache that cannot be written.
    pub fn run(&self, tools: &Tools, cache: &Cache) -> Result<Built, Error> {
        let start = Instant::now();
        let name = self.class();
        let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic());
        if !starts_well || name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
            return Err(Error::Class { name: name.to_string() });
        }
        let log_name = format!("{}-{name}", self.sources.top);
        let log = (cache, log_name.as_str());
        let key = self.key(tools)?;
        let id = match &self.kind {
            Kind::Library { class } => class.clone(),
            Kind::Executable => self.layout.block.name.to_string(),
        };
        let mut steps = Steps::default();
        let entry = cache.entry(&id, &key, extras_unchanged, |folder| {
            self.make(tools, folder, log, &mut steps)
        })?;
        let globals = entry.folder.join(GLOBALS);
        let globals = fs::read_to_string(&globals).map_err(Error::io("read", &globals))?;
        let runtime = self.runtime(tools, &cache.as_it_is(), &globals)?;
        Ok(Built {
            artefact: entry.folder.join(self.artefact()),
            folder: entry.folder,
            runtime: runtime.library(),
            include: runtime.folder,
            hit: entry.hit,
            took: start.elapsed(),
            steps,
            tools: tools.versions(),
        })
    }

    /// Hash of everything that the result depends on.
    ///
    /// # Errors
    /// A source that cannot be read.
    pub fn key(&self, tools: &Tools) -> Result<String, Error> {
        let mut key = Key::new("build");
        runtime::add_all(&mut key, tools);
        // The driver's text holds the port list, the map and the parameters of the table.
        key.add("driver", self.driver(&self.prefix()).text());
        key.add("profile", self.profile.flag());
        key.add("kind", self.artefact());
        for argument in self.sources.arguments() {
            key.add("argument", argument.as_encoded_bytes());
        }
        let files = self.sources.named();
        for file in files.iter().chain(&key::includes(&files, &self.sources.include_dirs)) {
            key.add_file(&absolute(file)).map_err(Error::io("read", file))?;
        }
        Ok(key.finish())
    }

    /// Runs Verilator in `folder`.
    pub(crate) fn verilate(
        &self,
        verilator: &Verilator,
        folder: &Path,
        log: Option<(&Cache, &str)>,
    ) -> Result<(), Error> {
        let mut command = verilator.command();
        command.args(["--cc", "-O3", "--no-timing", "--assert", "-Wno-fatal"]);
        command.args(["--x-assign", "unique", "--x-initial", "unique"]);
        if self.trace {
            command.args(["--trace", "--trace-structs"]);
        }
        // A folder with a space in its name cannot be given to --Mdir; being there can.
        command.args(["--Mdir", ".", "--prefix", &self.prefix()]).args(self.sources.arguments());
        self.run_verilator(command, verilator, folder, log)
    }

    pub(crate) fn run_verilator(
        &self,
        mut command: std::process::Command,
        verilator: &Verilator,
        folder: &Path,
        log: Option<(&Cache, &str)>,
    ) -> Result<(), Error> {
        for source in &self.sources.files {
            fs::metadata(source).map_err(Error::io("read", source))?;
        }
        let output =
            command.current_dir(folder).output().map_err(Error::io("run", &verilator.bin))?;
        if output.status.success() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&output.stderr);
        let (first, more) = first_message(&text);
        let log = log.and_then(|(cache, name)| cache.keep_log(name, &text));
        Err(Error::Verilator { top: self.sources.top.clone(), first, more, log })
    }

    fn class(&self) -> &str {
        match &self.kind {
            Kind::Library { class } => class,
            Kind::Executable => "dut",
        }
    }

    /// Name of Verilator's class.
    pub(crate) fn prefix(&self) -> String {
        format!("V{}", self.class())
    }

    fn artefact(&self) -> String {
        match &self.kind {
            Kind::Library { class } => format!("lib{class}.a"),
            Kind::Executable => "dut".into(),
        }
    }

    fn driver<'b>(&'b self, prefix: &'b str) -> Driver<'b> {
        Driver {
            layout: self.layout,
            map: &self.map,
            prefix,
            name: self.class(),
            trace: self.trace,
        }
    }

    fn make(
        &self,
        tools: &Tools,
        folder: &Path,
        log: (&Cache, &str),
        steps: &mut Steps,
    ) -> Result<(), Error> {
        let _said = Said::new(&format!("building {} ..", self.sources.top));
        let prefix = self.prefix();
        let driver = self.driver(&prefix);
        let mut clock = Instant::now();
        let mut lap = || std::mem::replace(&mut clock, Instant::now()).elapsed();
        self.verilate(&tools.verilator, folder, Some(log))?;
        steps.verilator = lap();
        let classes = MakeLists::read(&folder.join(format!("{prefix}_classes.mk")))?;
        let globals = classes.lines(&["VM_GLOBAL_FAST", "VM_GLOBAL_SLOW"]);
        write(&folder.join(GLOBALS), &globals)?;
        write(&folder.join("driver.cpp"), &driver.text())?;
        let runtime = self.runtime(tools, log.0, &globals)?;
        let flags = MakeLists::read(&folder.join(format!("{prefix}.mk")))?;
        let user_flags = flags.words("VM_USER_CFLAGS");
        // Precompiled headers serve only under the flags that they were compiled with.
        let quick = self.kind == Kind::Executable && self.profile == Profile::Quick;
        let headers = match quick && user_flags.is_empty() {
            true => headers::build(tools, &log.0.as_it_is(), self.trace, self.profile.flag())?,
            false => None,
        };
        steps.runtime = lap();
        let units = self.units(folder, headers.as_deref(), &user_flags)?;
        let include_dirs: &[&Path] = &[&runtime.folder];
        let job = Job { tools, folder, include_dirs, trace: self.trace, log };
        let mut objects = compile::objects(&job, &units)?;
        steps.compiler = lap();
        let compiler = &tools.compiler;
        match self.kind {
            Kind::Library { .. } => {
                compile::archive(compiler, folder, &self.artefact(), &objects, log)?;
            }
            Kind::Executable => {
                objects.extend([runtime.child(), runtime.library()]);
                let libraries = flags.words("VM_USER_LDLIBS");
                compile::link(compiler, folder, &self.artefact(), &objects, &libraries, log)?;
            }
        }
        steps.linker = lap();
        write(&folder.join(EXTRAS), &self.extras(&tools.verilator, folder, &prefix))?;
        let keep = [self.artefact(), format!("{prefix}.h"), "driver.cpp".into()];
        tidy(folder, &keep)
    }

    fn runtime(&self, tools: &Tools, cache: &Cache, globals: &str) -> Result<Runtime, Error> {
        let globals: Vec<String> = globals.split_whitespace().map(str::to_string).collect();
        runtime::build(tools, cache, &globals)
    }

    /// Few large units compile sooner than many small ones, each of which reads Verilator's
    /// headers again. What runs once (`__Slow`, `__Syms`) is kept apart and optimised less.
    fn units(
        &self,
        folder: &Path,
        headers: Option<&Path>,
        user_flags: &[String],
    ) -> Result<Vec<Unit>, Error> {
        const BYTES_A_UNIT: u64 = 1 << 20;
        let prefix = self.prefix();
        let mut groups: Vec<(bool, u64, Vec<String>)> = Vec::new();
        for (name, size) in files(folder)? {
            if !name.ends_with(".cpp") || !name.starts_with(&prefix) {
                continue;
            }
            let slow = name.contains("__Slow") || name.contains("__Syms");
            match groups.iter_mut().find(|g| g.0 == slow && g.1 + size <= BYTES_A_UNIT) {
                Some(group) => {
                    group.1 += size;
                    group.2.push(name);
                }
                None => groups.push((slow, size, vec![name])),
            }
        }
        // In one unit with the model's eval, so that it can be inlined into the step.
        match groups.iter_mut().find(|g| !g.0) {
            Some(group) => group.2.push("driver.cpp".into()),
            None => groups.push((false, 0, vec!["driver.cpp".into()])),
        }
        let mut units = Vec::new();
        for (i, (slow, _, names)) in groups.into_iter().enumerate() {
            let source = PathBuf::from(format!("unit{i}.cpp"));
            let text: String = names.iter().map(|n| format!("#include \"{n}\"\n")).collect();
            write(&folder.join(&source), &text)?;
            let optimise = if slow { "-O1" } else { self.profile.flag() };
            let mut extra: Vec<OsString> = user_flags.iter().map(Into::into).collect();
            extra.extend(headers.iter().flat_map(|header| ["-include".into(), (*header).into()]));
            units.push(Unit { source, object: format!("unit{i}.o"), optimise, extra });
        }
        for (i, source) in self.sources.cpp().enumerate() {
            // Which headers it reads, for the list of files that the build depends on.
            let list = format!("user{i}{DEPENDENCIES}");
            let mut extra: Vec<OsString> = vec!["-MMD".into(), "-MF".into(), list.into()];
            extra.extend(user_flags.iter().map(Into::into));
            let (source, object) = (absolute(source), format!("user{i}.o"));
            units.push(Unit { source, object, optimise: self.profile.flag(), extra });
        }
        Ok(units)
    }

    /// Files that were read although they are not in the key (found through a library folder, say),
    /// with their hashes, and files that would be read in their place if they were there: the entry
    /// serves only while all that stays as it is.
    fn extras(&self, verilator: &Verilator, folder: &Path, prefix: &str) -> String {
        let named = self.sources.named();
        let sources: Vec<PathBuf> = named.iter().map(|s| absolute(s)).collect();
        let known = key::includes(&named, &self.sources.include_dirs);
        let known: Vec<PathBuf> = known.iter().map(|s| absolute(s)).collect();
        let list = fs::read_to_string(folder.join(format!("{prefix}__verFiles.dat")));
        // The name is the last thing in quotes; a hash in quotes may come before it.
        let verilog = list.unwrap_or_default();
        let verilog: BTreeSet<PathBuf> = verilog
            .lines()
            .filter(|line| line.starts_with("S "))
            .filter_map(|line| line.trim_end_matches('"').rsplit('"').next())
            .map(|name| absolute(&folder.join(name)))
            .collect();
        let search_path = self.sources.search_path();
        let mut missing = BTreeSet::new();
        let mut lines = String::new();
        for path in verilog.iter().chain(&dependencies(folder)) {
            let tools = path.starts_with(&verilator.root) || *path == verilator.bin;
            if tools || path.starts_with(folder) || sources.contains(path) || known.contains(path) {
                continue;
            }
            if verilog.contains(path) {
                missing.extend(key::missing(path, &search_path));
            }
            if let Ok(hash) = key::hash_file(path) {
                lines += &format!("{hash} {}\n", path.display());
            }
        }
        for path in missing {
            lines += &format!("{ABSENT} {}\n", path.display());
        }
        lines
    }
}

/// Headers that C++ of the user reads, from the lists that the compiler wrote; none of the system's,
/// which go with the compiler.
fn dependencies(folder: &Path) -> BTreeSet<PathBuf> {
    let lists = files(folder).unwrap_or_default();
    let lists = lists.into_iter().filter(|(name, _)| name.ends_with(DEPENDENCIES));
    let texts = lists.filter_map(|(name, _)| fs::read_to_string(folder.join(name)).ok());
    let mut all = BTreeSet::new();
    for text in texts {
        // A rule of make: a blank within a name has a backslash before it.
        let text = text.replace("\\\n", " ").replace("\\ ", "\0");
        let names = text.split_whitespace().skip(1).map(|name| name.replace('\0', " "));
        all.extend(names.map(|name| absolute(&folder.join(name))));
    }
    all
}

/// A line on a terminal while something is under way; gone when it is over.
struct Said(bool);

impl Said {
    fn new(text: &str) -> Self {
        let mut out = std::io::stderr();
        let shown = out.is_terminal() && write!(out, "{text}").and_then(|()| out.flush()).is_ok();
        Self(shown)
    }
}

impl Drop for Said {
    fn drop(&mut self) {
        if self.0 {
            // Back to the first column, and clear the line. A terminal that is gone shows nothing.
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Whether the files of `extras` are still what they were.
fn extras_unchanged(folder: &Path) -> bool {
    let Ok(text) = fs::read_to_string(folder.join(EXTRAS)) else { return false };
    text.lines().all(|line| match line.split_once(' ') {
        Some((ABSENT, path)) => !Path::new(path).exists(),
        Some((hash, path)) => key::hash_file(Path::new(path)).is_ok_and(|now| now == hash),
        None => false,
    })
}

/// The lists that Verilator writes for make.
struct MakeLists(Vec<(String, String)>);

impl MakeLists {
    fn read(path: &Path) -> Result<Self, Error> {
        let text = fs::read_to_string(path).map_err(Error::io("read", path))?;
        let mut lists: Vec<(String, String)> = Vec::new();
        let mut inside = false;
        for line in text.lines() {
            let item = line.trim().trim_end_matches('\\').trim();
            match line.split_once(['=', '+']) {
                Some((name, _)) if line.starts_with("VM_") => {
                    lists.push((name.trim().to_string(), String::new()));
                }
                _ if inside && !item.is_empty() => {
                    if let Some((_, items)) = lists.last_mut() {
                        *items += &format!("{item}\n");
                    }
                }
                _ => {}
            }
            inside = line.trim_end().ends_with('\\');
        }
        Ok(Self(lists))
    }

    /// The items of these lists, one a line.
    fn lines(&self, names: &[&str]) -> String {
        let wanted = self.0.iter().filter(|(name, _)| names.contains(&name.as_str()));
        wanted.map(|(_, items)| items.as_str()).collect()
    }

    /// The words of one list.
    fn words(&self, name: &str) -> Vec<String> {
        self.lines(&[name]).split_whitespace().map(str::to_string).collect()
    }
}

/// The first error with the lines that belong to it, and how many follow.
pub(crate) fn first_message(text: &str) -> (String, usize) {
    let is_error = |line: &str| line.starts_with("%Error") && !line.contains("Exiting due to");
    let mut lines = text.lines().skip_while(|l| !is_error(l));
    let mut first: Vec<&str> = lines.next().into_iter().collect();
    let errors = text.lines().filter(|l| is_error(l)).count();
    // Not where its manual is, nor the many places in which it looked.
    let ours = |l: &&str| !l.starts_with('%') && !l.trim_start().starts_with("...");
    first.extend(lines.take_while(ours).take(4));
    if first.is_empty() {
        // Lint alone fails on warnings.
        first.extend(text.lines().find(|l| l.starts_with("%Warning")));
        first.extend(
            text.lines()
                .skip_while(|l| !l.starts_with("%Warning"))
                .skip(1)
                .take_while(|l| !l.starts_with('%') && !l.contains("For warning description")),
        );
        let warnings = text.lines().filter(|l| l.starts_with("%Warning")).count();
        if first.is_empty() {
            first.extend(text.lines().next());
        }
        return (first.join("\n"), warnings.saturating_sub(1));
    }
    (first.join("\n"), errors.saturating_sub(1))
}

/// Files of a folder with their sizes, by name: the order of a folder is not the same everywhere.
fn files(folder: &Path) -> Result<Vec<(String, u64)>, Error> {
    let entries = folder.read_dir().map_err(Error::io("read", folder))?;
    let mut files: Vec<(String, u64)> = entries
        .flatten()
        .filter_map(|e| Some((e.file_name().into_string().ok()?, e.metadata().ok()?.len())))
        .collect();
    files.sort();
    Ok(files)
}

/// Leaves what is of use later: the artefact, the driver, the header, the lists.
fn tidy(folder: &Path, keep: &[String]) -> Result<(), Error> {
    for (name, _) in files(folder)? {
        if !keep.contains(&name) && name != GLOBALS && name != EXTRAS {
            let path = folder.join(&name);
            fs::remove_file(&path).map_err(Error::io("remove", &path))?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(Error::io("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_lists_for_make() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("V.mk");
        let text = "# list\nVM_GLOBAL_FAST += \\\n\tverilated \\\n\tverilated_dpi \\\n\n\
                    VM_USER_CFLAGS = \\\n\t-DA=1 \\\n\t-I/b \\\n\nVM_USER_LDLIBS = \\\n\ndefault: V\n";
        fs::write(&file, text).expect("a file");
        let lists = MakeLists::read(&file).expect("lists");
        assert_eq!(lists.lines(&["VM_GLOBAL_FAST"]), "verilated\nverilated_dpi\n");
        assert_eq!(lists.words("VM_USER_CFLAGS"), ["-DA=1", "-I/b"]);
        assert!(lists.words("VM_USER_LDLIBS").is_empty() && lists.words("VM_OTHER").is_empty());
    }

    #[test]
    fn reads_the_headers_that_cpp_depends_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let list = folder.path().join(format!("user0{DEPENDENCIES}"));
        fs::write(&list, "user0.o: /a\\ b/x.cpp /c.h \\\n /d.h\n").expect("a file");
        let read = dependencies(folder.path());
        assert_eq!(read, ["/a b/x.cpp", "/c.h", "/d.h"].map(PathBuf::from).into());
    }
}
