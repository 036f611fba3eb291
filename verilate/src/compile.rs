//! Runs the C++ compiler, the archiver and the linker; there is no make, so that paths may hold
//! spaces and every flag is in sight.

use crate::cache::Cache;
use crate::error::Error;
use crate::find::{Compiler, Tools};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Flags of every unit. Position independent and hidden, so that a model may end in a library that
/// is loaded, and may still be inlined within its unit.
pub(crate) const FLAGS: &[&str] = &[
    "-std=gnu++17",
    "-fPIC",
    "-fvisibility=hidden",
    "-w",
    "-DVERILATOR=1",
    "-DVM_COVERAGE=0",
    "-DVM_SC=0",
    "-DVM_TIMING=0",
];

/// What Verilator's headers ask: whether the model writes a VCD, and no other kind of trace.
pub(crate) fn trace_flags(trace: bool) -> [&'static str; 4] {
    match trace {
        true => ["-DVM_TRACE=1", "-DVM_TRACE_VCD=1", "-DVM_TRACE_FST=0", "-DVM_TRACE_SAIF=0"],
        false => ["-DVM_TRACE=0", "-DVM_TRACE_VCD=0", "-DVM_TRACE_FST=0", "-DVM_TRACE_SAIF=0"],
    }
}

/// One file to compile.
pub(crate) struct Unit {
    pub(crate) source: PathBuf,
    /// Name of the object in the folder.
    pub(crate) object: String,
    pub(crate) optimise: &'static str,
    pub(crate) extra: Vec<OsString>,
}

/// What all units of a build have in common.
pub(crate) struct Job<'a> {
    pub(crate) tools: &'a Tools,
    /// Where it happens.
    pub(crate) folder: &'a Path,
    /// Where headers are looked for, besides the folder and Verilator's own.
    pub(crate) include_dirs: &'a [&'a Path],
    /// Whether the model writes a VCD.
    pub(crate) trace: bool,
    /// Where the output of a failure is kept, and under what name.
    pub(crate) log: (&'a Cache, &'a str),
}

impl Job<'_> {
    /// The compiler with the flags of every unit.
    pub(crate) fn command(&self) -> Command {
        let Self { tools, include_dirs, .. } = self;
        let mut command = tools.compiler.command();
        command.args(FLAGS).args(trace_flags(self.trace)).current_dir(self.folder);
        command.arg("-I.").args(include_dirs.iter().flat_map(|d| [Path::new("-I"), d]));
        for part in ["include", "include/vltstd"] {
            command.arg("-I").arg(tools.verilator.root.join(part));
        }
        command
    }

    fn compile(&self, unit: &Unit) -> Result<(), Error> {
        let mut command = self.command();
        command.arg(unit.optimise).args(&unit.extra);
        command.arg("-c").arg(&unit.source).arg("-o").arg(&unit.object);
        run(command, self.folder, &unit.source.display().to_string(), self.log)
    }
}

/// Compiles units in a folder, as many at a time as there are cores, and returns their objects.
pub(crate) fn objects(job: &Job<'_>, units: &[Unit]) -> Result<Vec<PathBuf>, Error> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from).min(units.len());
    let next = Mutex::new(units.iter());
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let Some(unit) = lock(&next).next() else { return };
                    if lock(&failure).is_some() {
                        return;
                    }
                    if let Err(error) = job.compile(unit) {
                        lock(&failure).get_or_insert(error);
                    }
                }
            });
        }
    });
    match lock(&failure).take() {
        Some(error) => Err(error),
        None => Ok(units.iter().map(|u| job.folder.join(&u.object)).collect()),
    }
}

// A thread that panicked holds nothing here that another could find half done.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Packs objects into a static library.
pub(crate) fn archive(
    compiler: &Compiler,
    folder: &Path,
    name: &str,
    objects: &[PathBuf],
    log: (&Cache, &str),
) -> Result<(), Error> {
    let mut command = Command::new(&compiler.ar);
    command.arg("crs").arg(name).args(objects);
    run(command, folder, name, log)
}

/// Links objects and libraries into a program.
pub(crate) fn link(
    compiler: &Compiler,
    folder: &Path,
    name: &str,
    inputs: &[PathBuf],
    flags: &[String],
    log: (&Cache, &str),
) -> Result<(), Error> {
    let mut command = compiler.command();
    command.arg("-o").arg(name).args(inputs).args(flags).arg("-pthread");
    run(command, folder, name, log)
}

fn run(mut command: Command, folder: &Path, what: &str, log: (&Cache, &str)) -> Result<(), Error> {
    let program = PathBuf::from(command.get_program());
    let output = command.current_dir(folder).output().map_err(Error::io("run", &program))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let is_error = |line: &str| line.contains("error") || line.contains("undefined reference");
    let errors = text.lines().filter(|l| is_error(l)).count();
    let first = text.lines().find(|l| is_error(l)).or_else(|| text.lines().next());
    Err(Error::Compile {
        what: what.to_string(),
        first: first.unwrap_or("it ends with a failure and says nothing").to_string(),
        more: errors.saturating_sub(1),
        log: log.0.keep_log(log.1, &text),
    })
}
