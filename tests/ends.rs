//! Every way in which RTL can end: a verdict with its cycle, after all rows before it were compared.

#[path = "toy/mod.rs"]
mod block;

use block::{TOY, Toy, layout};
use congruent::compare::Rules;
use congruent::dut::{Child, ChildOptions, During, Dut, DutEnd, End, Start};
use congruent::engine::{self, Engine};
use congruent::error::Exit;
use congruent::lockstep::{Lockstep, Outcome, Played};
use congruent::tally::Tally;
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::Unit;
use congruent_ports::ParamSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// Values of `+how` in tests/ends/.
mod how {
    pub const FATAL_IN_INITIAL: u32 = 1;
    pub const CRASH_IN_INITIAL: u32 = 2;
    pub const FINISH_IN_RESET: u32 = 3;
    pub const FINISH: u32 = 4;
    pub const STOP: u32 = 5;
    pub const FATAL: u32 = 6;
    pub const UNSETTLED: u32 = 7;
    pub const LOOP: u32 = 8;
    pub const ASSERT: u32 = 9;
    pub const STACK: u32 = 10;
    pub const NULL: u32 = 11;
    pub const ABORT: u32 = 12;
    pub const DIVISION: u32 = 13;
    pub const EXIT: u32 = 14;
    pub const LEAVE: u32 = 15;
    pub const THROW: u32 = 16;
    pub const MEMORY: u32 = 17;
    pub const KILL: u32 = 18;
    pub const FORGOTTEN: u32 = 20;
}

/// The cycle in which the RTL ends: not in the first batch of rows, nor at the edge of one.
const AT: u64 = 1_500;

const PATIENCE: Duration = Duration::from_secs(1);

/// The RTL as a program, once for all tests; none where there is no Verilator. It can be traced, and
/// is in one test only.
fn program() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let ends = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ends");
    let built = BUILT.get_or_init(|| {
        block::program::built(|build| {
            build.sources.top = "ends".into();
            build.sources.files.extend([ends.join("ends.sv"), ends.join("ends.cpp")]);
            build.trace = true;
        })
    });
    built.as_deref()
}

fn child(plusargs: &[String], start: Start) -> Result<Child, DutEnd> {
    let program = program().expect("only asked for where there is one");
    let options =
        ChildOptions { timeout: PATIENCE, plusargs: plusargs.to_vec(), ..Default::default() };
    Child::start(program, layout(), start, &options)
}

fn run(plusargs: &[String], start: Start) -> (Tally, Outcome) {
    let layout = layout();
    let make = || -> congruent::Result<Box<dyn Dut>> { Ok(Box::new(child(plusargs, start)?)) };
    let rules = Rules::default();
    let lockstep = Lockstep {
        unit: &Toy,
        layout: &layout,
        rules: &rules,
        make: &make,
        latency: 0,
        progress: &|_| (),
    };
    let leg = Toy.leg(1, 0, 4_000, &ParamSet::defaults(&TOY));
    let mut legs = vec![Played::Leg { leg, cut: false }];
    lockstep.run(&mut |_| legs.pop()).unwrap_or_else(|e| panic!("{e}"))
}

fn ended(how: u32) -> (u64, u64, DutEnd) {
    let plusargs = [format!("+how={how}"), format!("+at={AT}")];
    match run(&plusargs, Start::Random(1)) {
        (tally, Outcome::Ended { leg: 0, cycle, end }) => (tally.cycles, cycle, end),
        (_, other) => panic!("{how}: {other:?}"),
    }
}

#[test]
fn an_end_at_the_edge_has_the_outputs_of_its_cycle() {
    if program().is_none() {
        return;
    }
    let cases = [
        (how::FINISH, End::Finish, "ends.sv:"),
        (how::STOP, End::Stop, "ends.sv:"),
        (how::ASSERT, End::Stop, "9 is nine"),
        (how::FATAL, End::Fatal, "cycle 1500 is the last"),
    ];
    for (how, expected, text) in cases {
        let (compared, cycle, end) = ended(how);
        // Verilator 5.006 makes a $stop of $fatal.
        let same = end.end == expected || how == how::FATAL && end.end == End::Stop;
        assert!(same, "{how}: {end}");
        assert_eq!((compared, cycle, end.during), (AT + 1, AT, During::Run), "{how}: {end}");
        assert!(end.text.contains(text), "{how}: {end}");
    }
}

#[test]
fn an_end_in_the_middle_of_a_cycle_has_all_cycles_before_it() {
    if program().is_none() {
        return;
    }
    let (limit, crashed) = (PATIENCE, |signal| End::Crashed { signal });
    let cases = [
        (how::LOOP, End::Hung { limit }, ""),
        (how::STACK, crashed(11), "C++ is asked for 10"),
        (how::NULL, crashed(11), "C++ is asked for 11"),
        (how::ABORT, crashed(6), "C++ is asked for 12"),
        (how::DIVISION, crashed(8), ""),
        (how::EXIT, End::Exited { status: 3 }, "C++ is asked for 14"),
        (how::LEAVE, End::Exited { status: 4 }, ""),
        (how::THROW, End::Exception, "nobody catches this"),
        (how::MEMORY, End::Memory, "out of memory"),
        (how::KILL, crashed(9), ""),
    ];
    for (how, expected, text) in cases {
        let (compared, cycle, end) = ended(how);
        assert_eq!(end.end, expected, "{how}: {end}");
        assert_eq!((compared, cycle, end.during), (AT, AT, During::Run), "{how}: {end}");
        assert!(end.text.contains(text), "{how}: {end}");
    }
    // The loop closes with the edge that ends the cycle before.
    let (compared, cycle, end) = ended(how::UNSETTLED);
    assert_eq!((&end.end, compared, cycle), (&End::Unsettled, AT, AT - 1), "{end}");
    assert!(end.text.contains("ends.sv:") && end.text.contains("converge"), "{end}");
}

#[test]
fn an_end_before_cycle_0_says_where() {
    if program().is_none() {
        return;
    }
    let cases = [
        (how::FATAL_IN_INITIAL, "nothing can be read", 0),
        (how::CRASH_IN_INITIAL, "C++ is asked for 11", 0),
        (how::FINISH_IN_RESET, "ends.sv:", 0),
    ];
    for (how, text, at) in cases {
        let (compared, cycle, end) = ended(how);
        assert_eq!((compared, cycle), (0, 0), "{how}: {end}");
        assert_eq!(end.during, During::Reset(Some(at)), "{how}: {end}");
        assert!(end.text.contains(text), "{how}: {end}");
    }
}

/// What differs before the end is what is told; the end would hide it.
#[test]
fn a_difference_before_the_end_wins() {
    if program().is_none() {
        return;
    }
    for how in [how::FINISH, how::NULL, how::EXIT, how::LOOP] {
        // Bug 2 of the toy shows in the first cycles.
        let plusargs = [format!("+how={how}"), format!("+at={AT}"), "+bug=2".to_string()];
        let (_, outcome) = run(&plusargs, Start::Random(1));
        let Outcome::Diverged(found) = outcome else { panic!("{how}: {outcome:?}") };
        assert_eq!(layout().outputs[found.mismatch.port].name, "sent_valid");
        assert!(found.cycle < AT);
    }
}

struct Rtl(Child);

impl Engine for Rtl {
    fn steps(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DutEnd> {
        self.0.steps(inputs, outputs, false).map(drop)
    }
}

/// `congruent run` shows what came before, and ends with the cycle and a status of its own.
#[test]
fn an_end_in_a_played_stimulus_is_an_error_with_its_cycle() {
    if program().is_none() {
        return;
    }
    for (how, shown, says) in [
        (how::FINISH, 21, "cycle 20: the RTL called $finish"),
        (how::NULL, 20, "cycle 20: the RTL crashed"),
    ] {
        let plusargs = [format!("+how={how}"), "+at=20".to_string()];
        let mut dut = child(&plusargs, Start::Zeros).unwrap_or_else(|e| panic!("{e}"));
        dut.configure(&[0]).and_then(|()| dut.reset()).unwrap_or_else(|e| panic!("{e}"));
        let mut stimulus = Stimulus::new(&TOY);
        stimulus.cycles = 100;
        let mut cycles = vec![];
        let mut show = |cycle, _: &[u64], _: &[u64]| {
            cycles.push(cycle);
            Ok(())
        };
        let error = engine::play(&mut Rtl(dut), &stimulus, &layout(), &mut show);
        let error = error.expect_err("an end");
        assert_eq!(error.exit(), Exit::Diverged);
        assert!(error.to_string().starts_with(says), "{error}");
        assert_eq!(cycles, (0..shown).collect::<Vec<u64>>());
    }
}

/// A register without a reset: right as long as it starts at 0.
#[test]
fn start_values_show_what_is_not_reset() {
    if program().is_none() {
        return;
    }
    let plusargs = [format!("+how={}", how::FORGOTTEN)];
    let (_, outcome) = run(&plusargs, Start::Zeros);
    assert!(matches!(outcome, Outcome::Congruent), "{outcome:?}");
    for start in [Start::Ones, Start::Random(1)] {
        let (_, outcome) = run(&plusargs, start);
        let Outcome::Diverged(found) = outcome else { panic!("{start:?}: {outcome:?}") };
        assert_eq!(layout().outputs[found.mismatch.port].name, "peeked_queue");
    }
}

/// A trace changes nothing, begins and ends where it is told to, and is complete up to a crash.
#[test]
fn a_trace_shows_the_inside_up_to_the_crash() {
    if program().is_none() {
        return;
    }
    let layout = layout();
    let folder = tempfile::tempdir().expect("a folder");
    let places = ["first.vcd", "second.vcd"].map(|name| folder.path().join(name));
    let plusargs = [format!("+how={}", how::NULL), "+at=20".to_string()];
    let rows = |count: usize| vec![0; count * layout.inputs.len()];
    let play = |traced: bool| {
        let mut dut = child(&plusargs, Start::Random(1)).unwrap_or_else(|e| panic!("{e}"));
        dut.configure(&[0]).and_then(|()| dut.reset()).unwrap_or_else(|e| panic!("{e}"));
        let mut all = vec![];
        for (place, count) in [(None, 3), (Some(&places[0]), 4), (None, 5), (Some(&places[1]), 100)]
        {
            if traced {
                dut.trace(place.map(PathBuf::as_path)).unwrap_or_else(|e| panic!("{e}"));
            }
            let mut outputs = vec![0; count * layout.outputs.len()];
            let stepped = dut.steps(&rows(count), &mut outputs, false);
            let good = stepped.unwrap_or_else(|end| end.rows);
            all.extend_from_slice(&outputs[..good * layout.outputs.len()]);
        }
        all
    };
    let plain = play(false);
    assert_eq!(plain.len(), 20 * layout.outputs.len());
    assert!(plain == play(true));
    // Cycles 3 to 6, and 12 to 19: 20 does not end.
    for (place, first, last) in [(&places[0], 3, 6), (&places[1], 12, 19)] {
        let mut wave = wellen::simple::read(place).expect("a VCD");
        let cycle = wave.hierarchy().lookup_var(&["ends"], "cycle");
        let cycle = cycle.or_else(|| wave.hierarchy().lookup_var(&["TOP", "ends"], "cycle"));
        let signal = wave.hierarchy()[cycle.expect("the counter")].signal_ref();
        wave.load_signals(&[signal]);
        let times = wave.time_table().to_vec();
        let seen = wave.get_signal(signal).expect("the counter");
        let value = |time: u64| {
            let at = times.iter().rposition(|t| *t <= time).expect("a time") as u32;
            let offset = seen.get_offset(at).expect("a value");
            seen.get_value_at(&offset, 0).to_bit_string().expect("bits")
        };
        let bits = |cycle: u64| format!("{cycle:032b}");
        assert_eq!(times.last(), Some(&(10 * (last - first) + 5)));
        for cycle in first..=last {
            assert_eq!(value(10 * (cycle - first)), bits(cycle));
            assert_eq!(value(10 * (cycle - first) + 5), bits(cycle + 1));
        }
    }
    let mut dut = child(&plusargs, Start::Zeros).unwrap_or_else(|e| panic!("{e}"));
    let nowhere = dut.trace(Some(&folder.path().join("none/x.vcd"))).expect_err("no folder");
    assert_eq!(nowhere.end.verdict(), "no_trace");
    dut.configure(&[0]).unwrap_or_else(|e| panic!("it goes on: {e}"));
}
