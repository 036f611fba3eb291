//! RTL that is not linked in: a program that congruent-verilate built, how it is started, and what
//! is known of it. The project's own RTL under other parameters is one; a user's RTL is another.

use crate::cli::rtl::RtlArgs;
use crate::dut::{Anew, Child, ChildOptions, Dut, Mapped, Start};
use crate::error::Result;
use crate::map::{self, Drive};
use crate::project;
use congruent_hw::unit::{DutTiming, Unit};
use congruent_ports::{Layout, ParamSet};
use congruent_verilate::{
    Build, Built, Cache, Kind, Module, PortMap, Profile, Sources, Steps, Tools, Verilator, Wire,
    elaborate,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// RTL in a process of its own.
#[derive(Debug, Clone)]
pub struct Foreign {
    /// The program.
    pub program: PathBuf,
    /// How it is started.
    pub options: ChildOptions,
    /// Its ports, by the table's names: the table's own, and what the map adds to them.
    pub layout: Layout,
    /// Its documented cycle counts, and what may differ between its words and ours.
    pub timing: DutTiming,
    /// Words that are changed before they are driven.
    pub drives: Vec<Drive>,
    /// Idle cycles between reset and the first event.
    pub settle: u64,
    /// What each port of the table is called in the module, where that is another name.
    pub names: BTreeMap<String, String>,
    /// What it was built from.
    pub sources: Sources,
    /// How its ports are called.
    pub map: PortMap,
    /// How its C++ is compiled.
    pub profile: Profile,
    /// Where the time of its build went; nothing where it was in the cache.
    pub steps: Steps,
    /// Which Verilator and compiler made it.
    pub tools: String,
    /// Options of the command that name it, each with a blank before it; none for the project's own.
    pub flags: String,
}

impl Foreign {
    /// The project's own RTL under these parameters, and how long it took to build.
    ///
    /// # Errors
    /// A tool that is missing, RTL that does not elaborate.
    pub fn own(unit: &dyn Unit, params: &ParamSet) -> Result<(Self, Duration)> {
        Self::of_project(unit, params).built(&Cache::of(&project::folder()))
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
            drives: vec![],
            settle: 0,
            names: BTreeMap::new(),
            sources,
            map,
            profile,
            steps: Steps::default(),
            tools: String::new(),
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
        let clock = Instant::now();
        let project = project::folder();
        let cache = Cache::of(&project);
        let tools = Tools::find(&project)?;
        let mut sources = args.design.sources(&tools.verilator)?;
        let module = elaborated(&tools.verilator, &mut sources, params)?;
        let table = Layout::new(unit.block(), params);
        let fit = map::fit(args.map.as_deref(), &module, &table)?;
        let elaboration = clock.elapsed();
        let options = ChildOptions { reset_cycles: fit.reset_cycles, ..args.options() };
        let (mut foreign, took) = Self {
            program: PathBuf::new(),
            options,
            layout: fit.layout,
            timing: fit.timing,
            drives: fit.drives,
            settle: fit.settle,
            names: fit.names,
            sources,
            map: fit.wires,
            profile: args.profile(),
            steps: Steps::default(),
            tools: String::new(),
            flags: args.flags(),
        }
        .built(&if args.clean { cache.anew() } else { cache })?;
        if foreign.steps != Steps::default() {
            foreign.steps.elaboration = elaboration;
        }
        Ok((foreign, elaboration + took))
    }

    /// The same with its program built, or taken from the cache.
    fn built(mut self, cache: &Cache) -> Result<(Self, Duration)> {
        let built = self.build(false, cache)?;
        self.program = built.artefact;
        self.steps = built.steps;
        self.tools = built.tools;
        Ok((self, built.took))
    }

    /// The same with a program that can trace its inside.
    ///
    /// # Errors
    /// A tool that is missing, RTL that does not elaborate.
    pub fn traced(&self) -> Result<Self> {
        let program = self.build(true, &Cache::of(&project::folder()))?.artefact;
        Ok(Self { program, ..self.clone() })
    }

    fn build(&self, trace: bool, cache: &Cache) -> Result<Built> {
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
        Ok(build.run(&tools, cache)?)
    }

    /// Starts it.
    ///
    /// # Errors
    /// It cannot be started, or dies at once.
    pub fn start(&self, start: Start) -> Result<Box<dyn Dut>> {
        let (program, layout, options) =
            (self.program.clone(), self.layout.clone(), self.options.clone());
        let make = move || Child::start(&program, layout.clone(), start, &options);
        let child = make()?;
        let when = match self.map.reset {
            Some(_) => Anew::EveryOtherRun,
            None => Anew::EachReset,
        };
        Ok(Box::new(Mapped::new(child, self.drives.clone(), self.settle).anew(when, make)))
    }

    /// What each word of the inputs is called in the module, as the map writes it.
    pub fn input_names(&self) -> Vec<String> {
        self.layout.inputs.iter().map(|port| self.name_of(&port.name)).collect()
    }

    /// What each word of the outputs is called in the module, as the map writes it.
    pub fn output_names(&self) -> Vec<String> {
        self.layout.outputs.iter().map(|port| self.name_of(&port.name)).collect()
    }

    fn name_of(&self, port: &str) -> String {
        self.names.get(port).cloned().unwrap_or_else(|| port.to_string())
    }

    /// Channels of the table that the map ignores: nothing of them is driven, or looked at.
    pub fn ignored(&self) -> Vec<&'static str> {
        let inputs =
            self.layout.channels_in.iter().filter(|c| {
                self.map.wire(&self.layout.inputs[c.valid].name) == Wire::Pieces(vec![])
            });
        let rules = self.timing.rules();
        let outputs = self.layout.channels_out.iter().filter(|c| rules.ignores(c.valid));
        inputs.chain(outputs).map(|c| c.channel.name).collect()
    }

    /// Whether it is a user's RTL, not the project's own.
    pub fn is_users(&self) -> bool {
        !self.flags.is_empty()
    }
}

/// The top of a design as it is elaborated under parameters of the table: those that it has by the
/// same name are added to its own, unless they are given already.
fn elaborated(verilator: &Verilator, sources: &mut Sources, params: &ParamSet) -> Result<Module> {
    let module = elaborate(verilator, sources)?;
    let own: Vec<_> = params
        .iter()
        .filter(|(name, _)| sources.params.iter().all(|(given, _)| given != name))
        .filter_map(|(name, value)| Some((module.params.iter().find(|p| p.name == name)?, value)))
        .map(|(param, value)| (param.name.clone(), value.to_string(), param.value.clone()))
        .collect();
    let as_it_is = own.iter().all(|(_, wanted, found)| wanted == found);
    sources.params.extend(own.into_iter().map(|(name, wanted, _)| (name, wanted)));
    if as_it_is { Ok(module) } else { Ok(elaborate(verilator, sources)?) }
}
