//! RTL that is not linked in: a program that congruent-verilate built, how it is started, and what
//! is known of it. The project's own RTL under other parameters is one; a user's RTL is another.

use crate::cli::rtl::RtlArgs;
use crate::dut::{Child, ChildOptions, Dut, Start};
use crate::error::Result;
use crate::project;
use congruent_hw::unit::{DutTiming, Unit};
use congruent_ports::{Layout, ParamSet};
use congruent_verilate::{Build, Built, Cache, Kind, PortMap, Profile, Sources, Tools};
use std::path::PathBuf;
use std::time::Duration;

/// RTL in a process of its own.
#[derive(Debug, Clone)]
pub struct Foreign {
    /// The program.
    pub program: PathBuf,
    /// How it is started.
    pub options: ChildOptions,
    /// Its ports, by the table's names: the table's own, and what the map adds to them.
    pub layout: Layout,
    /// Its documented cycle counts.
    pub timing: DutTiming,
    /// What it was built from.
    pub sources: Sources,
    /// How its ports are called.
    pub map: PortMap,
    /// How its C++ is compiled.
    pub profile: Profile,
    /// Options of the command that name it, each with a blank before it; none for the project's own.
    pub flags: String,
}

impl Foreign {
    /// The project's own RTL under these parameters, and how long it took to build.
    ///
    /// # Errors
    /// A tool that is missing, RTL that does not elaborate.
    pub fn own(unit: &dyn Unit, params: &ParamSet) -> Result<(Self, Duration)> {
        Self::of_project(unit, params).built()
    }

    /// The project's own RTL under these parameters, built with tracing.
    ///
    /// # Errors
    /// As for [`Foreign::own`].
    pub fn own_traced(unit: &dyn Unit, params: &ParamSet) -> Result<Self> {
        Self::of_project(unit, params).traced()
    }

    fn of_project(unit: &dyn Unit, params: &ParamSet) -> Self {
        let layout = Layout::new(unit.block(), params);
        let build = Build::of_block(&layout, &project::folder().join("rtl"), Kind::Executable);
        let (sources, map, profile) = (build.sources.clone(), build.map.clone(), build.profile);
        Self {
            program: PathBuf::new(),
            options: ChildOptions::default(),
            timing: DutTiming::of(unit.block()),
            sources,
            map,
            profile,
            flags: String::new(),
            layout,
        }
    }

    /// A user's RTL as an RTL of a block under these parameters, and how long it took to build.
    ///
    /// # Errors
    /// Options or a map that do not fit, a tool that is missing, RTL that does not elaborate.
    pub fn of_user(unit: &dyn Unit, params: &ParamSet, args: &RtlArgs) -> Result<(Self, Duration)> {
        unit.check_params(params)?;
        let layout = Layout::new(unit.block(), params);
        let tools = Tools::find(&project::folder())?;
        let mut sources = args.design.sources(&tools.verilator)?;
        for (name, value) in params.iter() {
            if sources.params.iter().all(|(own, _)| own != name) {
                sources.params.push((name.to_string(), value.to_string()));
            }
        }
        Self {
            program: PathBuf::new(),
            options: args.options(),
            timing: DutTiming::of(unit.block()),
            sources,
            map: PortMap::default(),
            profile: args.profile(),
            flags: args.flags(),
            layout,
        }
        .built()
    }

    /// The same with its program built, or taken from the cache.
    fn built(mut self) -> Result<(Self, Duration)> {
        let built = self.build()?;
        self.program = built.artefact;
        Ok((self, built.took))
    }

    /// The same with a program that can trace its inside.
    ///
    /// # Errors
    /// A tool that is missing, RTL that does not elaborate.
    pub fn traced(&self) -> Result<Self> {
        let program = self.build_as(true)?.artefact;
        Ok(Self { program, ..self.clone() })
    }

    /// Builds it.
    ///
    /// # Errors
    /// A tool that is missing, RTL that does not elaborate.
    pub fn build(&self) -> Result<Built> {
        self.build_as(false)
    }

    fn build_as(&self, trace: bool) -> Result<Built> {
        let project = project::folder();
        let tools = Tools::find(&project)?;
        let build = Build {
            layout: &self.layout,
            sources: self.sources.clone(),
            map: self.map.clone(),
            profile: self.profile,
            kind: Kind::Executable,
            trace,
        };
        Ok(build.run(&tools, &Cache::of(&project))?)
    }

    /// Starts it.
    ///
    /// # Errors
    /// It cannot be started, or dies at once.
    pub fn start(&self, start: Start) -> Result<Box<dyn Dut>> {
        let child = Child::start(&self.program, self.layout.clone(), start, &self.options)?;
        Ok(Box::new(child))
    }

    /// Whether it is a user's RTL, not the project's own.
    pub fn is_users(&self) -> bool {
        !self.flags.is_empty()
    }
}
