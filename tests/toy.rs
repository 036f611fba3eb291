//! What a table can say and no registered block may need at the moment, on a toy block: a ready for
//! each queue, a control, keys, names as attributes, variants. Faults planted in its RTL are found.

#[path = "toy/mod.rs"]
mod block;

use block::program::program;
use block::{HEAD, TOY, Toy, layout};
use congruent::compare::Rules;
use congruent::config::Config;
use congruent::csv;
use congruent::divergence::{Divergence, Scene};
use congruent::dut::{Child, ChildOptions, Dut, DutEnd, Start};
use congruent::engine::{self, Engine, Model};
use congruent::load::Load;
use congruent::lockstep::{Lockstep, Outcome, Played};
use congruent::steer::{SteeredOutcome, SteeredRun};
use congruent::units::Units;
use congruent::vectors::{self, About};
use congruent_hw::attributes::AttributeSet;
use congruent_hw::scenario::Leg;
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::{DutTiming, Unit};
use congruent_ports::ParamSet;

fn params() -> ParamSet {
    ParamSet::defaults(&TOY)
}

fn dut(bug: u32) -> congruent::Result<Box<dyn Dut>> {
    let program = program().expect("only asked for where there is one");
    let options = ChildOptions { plusargs: vec![format!("+bug={bug}")], ..Default::default() };
    Ok(Box::new(Child::start(program, layout(), Start::Random(1), &options)?))
}

fn legs() -> Vec<Leg> {
    (0..8).map(|n| Toy.leg(1, n, 4_000, &params())).collect()
}

fn lockstep(bug: u32) -> Outcome {
    let (layout, make) = (layout(), || dut(bug));
    let lockstep = Lockstep {
        unit: &Toy,
        layout: &layout,
        make: &make,
        latency: 0,
        rules: &Rules::none(),
        progress: &|_| (),
    };
    let mut legs = legs().into_iter().enumerate();
    let mut next = |_| legs.next().map(|(n, leg)| Played::Leg { leg, cut: n % 4 == 3 });
    lockstep.run(&mut next).unwrap_or_else(|e| panic!("{e}")).1
}

fn steered(bug: u32) -> SteeredOutcome {
    let (layout, make, timing) = (layout(), || dut(bug), DutTiming::of(&TOY));
    let (unit, layout, timing, make) = (&Toy, &layout, &timing, &make);
    let run = SteeredRun { unit, layout, timing, make, progress: &|_| () };
    let mut legs = legs().into_iter();
    run.run(&mut |_| legs.next()).unwrap_or_else(|e| panic!("{e}")).1
}

#[test]
fn the_rtl_is_congruent() {
    if program().is_none() {
        return;
    }
    let outcome = lockstep(0);
    assert!(matches!(outcome, Outcome::Congruent), "{outcome:?}");
    let outcome = steered(0);
    assert!(matches!(outcome, SteeredOutcome::Congruent), "{outcome:?}");
}

/// Each fault of `toy.sv` shows at its port, in both kinds of comparison.
#[test]
fn planted_faults_are_found() {
    if program().is_none() {
        return;
    }
    let expected: &[(u32, &[&str])] = &[
        (1, &["head_ready"]),
        (2, &["sent_valid"]),
        (3, &["sent_valid"]),
        (4, &["sent_key"]),
        (5, &["sent_bytes", "peeked_bytes"]),
    ];
    for (bug, ports) in expected {
        let Outcome::Diverged(found) = lockstep(*bug) else { panic!("bug {bug} is not found") };
        let port = layout().outputs[found.mismatch.port].name.clone();
        assert!(ports.contains(&port.as_str()), "bug {bug} shows at {port}");
        let SteeredOutcome::Faulted { fault, .. } = steered(*bug) else {
            panic!("bug {bug} is not found by its events")
        };
        assert!(ports.contains(&fault.message.as_str()), "bug {bug}: {}", fault.message);
    }
}

/// A beat that is refused by the bit of its own queue ends a batch; one that finds it set, or that is
/// for a queue beyond the bits, does not.
#[test]
fn a_batch_ends_at_the_bit_that_refuses() {
    if program().is_none() {
        return;
    }
    let layout = layout();
    let head = layout.input("head");
    let row = |queue: Option<u64>| {
        let mut row = vec![0; layout.inputs.len()];
        if let Some(queue) = queue {
            row[head.valid] = 1;
            row[head.fields] = queue;
        }
        row
    };
    // go stays low. Queue 1 is filled; 0 and 7 are taken beside it; then 1 is refused.
    let rows = [Some(1), None, Some(0), Some(7), Some(1), None].map(row).concat();
    let mut outputs = vec![0; 6 * layout.outputs.len()];
    let mut dut = dut(0).unwrap_or_else(|e| panic!("{e}"));
    dut.configure(&[0]).and_then(|()| dut.reset()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(dut.steps(&rows, &mut outputs, true), Ok(5));
}

/// A packet is known by its key: its transactions are those of the key, its state is that of the queue
/// in which it waits.
#[test]
fn a_divergence_of_a_key_is_explained() {
    if program().is_none() {
        return;
    }
    // Bug 5: a packet of key 9 loses a byte. One of key 4 is in its way, go is low for a while, and a
    // second packet of key 9 still waits when the first one is sent.
    let mut stimulus = Stimulus::new(&TOY);
    stimulus.control(0, 0, 0);
    for (cycle, head) in [(1, [0, 9, 80]), (2, [1, 4, 80]), (3, [2, 9, 60])] {
        stimulus.push(HEAD, cycle, &head);
    }
    stimulus.control(0, 8, 1);
    stimulus.control(0, 9, 0);
    stimulus.cycles = 40;
    let leg = Leg { attributes: AttributeSet::defaults(&TOY), stimulus };
    let (layout, make) = (layout(), || dut(5));
    let lockstep = Lockstep {
        unit: &Toy,
        layout: &layout,
        make: &make,
        latency: 0,
        rules: &Rules::none(),
        progress: &|_| (),
    };
    let mut legs = vec![Played::Leg { leg: leg.clone(), cut: false }];
    let Outcome::Diverged(found) = lockstep.run(&mut |_| legs.pop()).expect("runs").1 else {
        panic!("not found")
    };
    assert_eq!(found.cycle, 9);
    let scene = Scene {
        unit: &Toy,
        layout: &layout,
        make: &make,
        latency: 0,
        rules: &Rules::none(),
        remark: None,
        leg: &leg,
        run: "a key".to_string(),
        command: "congruent".to_string(),
        versions: vec![],
    };
    let told: Divergence = scene.explain(found).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((told.port.as_str(), told.context, told.key), ("sent_bytes", Some(2), Some(9)));
    assert_eq!(
        told.transactions,
        [
            "       1 > head queue=0 key=9 bytes=80",
            "       3 > head queue=2 key=9 bytes=60",
            "       9 < sent (model) queue=0 key=9 bytes=80 error=none",
            "       9 < sent (DUT) queue=0 key=9 bytes=79 error=none",
        ]
    );
    let state: Vec<_> = told.state.iter().map(|l| [&*l.field, &*l.model, &*l.dut]).collect();
    let expected =
        [["queue", "2", "2"], ["waiting", "1", "1"], ["key", "9", "9"], ["bytes", "60", "59"]];
    assert_eq!(state, expected);
}

/// Vector words hold a control over gaps, and tell an idle one from one that is 0.
#[test]
fn controls_are_in_the_vectors() {
    let mut stimulus = Stimulus::new(&TOY);
    stimulus.push(HEAD, 2, &[0, 5, 9]);
    stimulus.control(0, 3, 0);
    stimulus.push(HEAD, 700, &[1, 6, 9]);
    stimulus.control(0, 900, 1);
    let leg = Leg { attributes: AttributeSet::defaults(&TOY), stimulus };
    let case = vectors::record(&Toy, About::new("controls", ""), &leg, &params()).expect("records");
    let go = layout().controls;
    let values: Vec<u64> =
        [0, 2, 3, 699, 700, 899, 900, 905].map(|n| case.rows.input(n)[go]).into();
    assert_eq!(values, [1, 1, 0, 0, 0, 0, 1, 1]);
    let texts = vectors::encode(&case).expect("encodes");
    // Cycle 0, where go rises; the heads; both changes; the final peeks.
    let words = texts.stimulus.lines().count();
    assert_eq!(words, 5 + 3, "{}", texts.stimulus);
    assert!(texts.manifest.contains("controls = [\"go\"]"), "{}", texts.manifest);
    assert!(texts.manifest.contains("order = \"lowest\""), "{}", texts.manifest);
    assert!(texts.manifest.contains("key = \"sent_key\""), "{}", texts.manifest);
}

struct Rtl(Child);

impl Engine for Rtl {
    fn steps(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DutEnd> {
        self.0.steps(inputs, outputs, false).map(drop)
    }
}

/// A column of a control's name: empty keeps the value, and the end of the run lets it go idle.
#[test]
fn a_table_of_stimulus_has_a_column_for_a_control() {
    let folder = tempfile::tempdir().expect("a folder");
    let (place, out) = (folder.path().join("in.csv"), folder.path().join("out.csv"));
    let table =
        "cycle,go,head_queue,head_key,head_bytes\n0,0,2,7,100\n5,,1,8,0\n9,1,,,\n20,0,0,9,3\n";
    std::fs::write(&place, table).expect("writes");
    let (params, layout) = (params(), layout());
    let units = Units::raw(&params);
    let stimulus = csv::read(&place, &layout, &units).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(stimulus.controls, [[(0, 0), (9, 1), (20, 0)]]);
    // Queue 1 goes first, without its length; the packet of cycle 20 goes when the run is over.
    let expected = "cycle,sent_queue,sent_key,sent_bytes,sent_error,peeked_queue,peeked_waiting,\
                    peeked_key,peeked_bytes\n10,,8,,3,,,,\n11,2,7,100,0,,,,\n22,0,9,3,0,,,,\n";
    let mut engines: Vec<Box<dyn Engine>> = vec![];
    let golden = Toy.golden(&AttributeSet::defaults(&TOY), &params).expect("legal");
    engines.push(Box::new(Model::new(golden, &layout)));
    if let Some(program) = program() {
        let options = ChildOptions::default();
        let child = Child::start(program, layout.clone(), Start::Zeros, &options);
        let mut child = child.unwrap_or_else(|e| panic!("{e}"));
        child.configure(&[0]).and_then(|()| child.reset()).unwrap_or_else(|e| panic!("{e}"));
        engines.push(Box::new(Rtl(child)));
    }
    for mut engine in engines {
        let mut writer = csv::Writer::new(&out, &layout, units).expect("a place");
        let show = |cycle, _: &[u64], outputs: &[u64]| writer.outputs(cycle, outputs);
        engine::play(engine.as_mut(), &stimulus, &layout, show).unwrap_or_else(|e| panic!("{e}"));
        writer.finish().expect("writes");
        assert_eq!(std::fs::read_to_string(&out).expect("reads"), expected);
    }
    std::fs::write(&place, "cycle,go\n0,2\n").expect("writes");
    let refused = csv::read(&place, &layout, &units).expect_err("go has one bit");
    assert!(refused.to_string().contains("line 2, column go: `2` does not fit"), "{refused}");
}

/// Beats from CSV and TOML come first, one a cycle, and the stimulus behind them.
#[test]
fn loads_come_before_the_stimulus() {
    #[derive(clap::Parser)]
    struct Options {
        #[command(flatten)]
        load: Load,
    }
    let folder = tempfile::tempdir().expect("a folder");
    let load = |name: &str, text: &str| {
        let place = folder.path().join(name);
        std::fs::write(&place, text).expect("writes");
        let option = format!("head={}", place.display());
        let options = <Options as clap::Parser>::parse_from(["x", "--load", &option]);
        let params = params();
        options.load.resolve(&layout(), &Units::raw(&params))
    };
    let csv =
        load("a.csv", "key,queue,bytes\n7,2,100\n8,1,0x10\n").unwrap_or_else(|e| panic!("{e}"));
    let toml =
        "[[head]]\nqueue = 2\nkey = 7\nbytes = 100\n[[head]]\nqueue = 1\nkey = 8\nbytes = 16\n";
    let toml = load("b.toml", toml).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(csv, toml);
    let mut stimulus = Stimulus::new(&TOY);
    stimulus.push(HEAD, 3, &[0, 1, 2]);
    stimulus.control(0, 4, 0);
    let both = csv.then(&stimulus);
    let head = &both.streams[HEAD];
    let cycles: Vec<_> = (0..3).filter_map(|n| head.not_before(n)).collect();
    assert_eq!(
        (cycles, head.payload(1), head.payload(2)),
        (vec![0, 1, 5], &[1, 8, 16][..], &[0, 1, 2][..])
    );
    assert_eq!((&both.controls[0][..], both.cycles), (&[(6, 0)][..], 7));
    for (name, text, why) in [
        ("c.csv", "queue,key\n1,2\n", "line 1: column `bytes` is missing"),
        ("d.csv", "queue,key,bytes,size\n", "line 1, column 4: there is no field `size`"),
        (
            "e.csv",
            "queue,key,bytes\n1,2,256\n",
            "line 2, column bytes: `256` does not fit the field",
        ),
        ("f.toml", "[[tail]]\n", "`tail` has no place here"),
        ("g.toml", "[[head]]\nqueue = 1\nkey = 2\n", "[[head]] number 0: bytes is missing"),
        ("h.toml", "[[head]]\nqueue = 9\nkey = 2\nbytes = 1\n", "queue = 9 does not fit the field"),
    ] {
        let refused = load(name, text).expect_err(name);
        assert!(refused.to_string().contains(why), "{refused}");
        assert!(refused.help().is_some(), "{refused}");
    }
}

/// An attribute that is a name comes from the command line, from a file, and from a variant.
#[test]
fn names_and_variants_resolve() {
    let text = |list: &[&str]| list.iter().map(|s| s.to_string()).collect::<Vec<_>>();
    let resolve = |set: &[&str], param: &[&str], file: Option<&str>| {
        let folder = tempfile::tempdir().expect("a folder");
        let config = file.map(|file| {
            let place = folder.path().join("toy.toml");
            std::fs::write(&place, file).expect("writes");
            place
        });
        let config = Config { set: text(set), param: text(param), config };
        config.resolve(&TOY).map(|(attributes, _)| attributes.name("order"))
    };
    let is = |found: congruent::Result<&'static str>| found.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(is(resolve(&[], &[], None)), "lowest");
    assert_eq!(is(resolve(&["order=highest"], &[], None)), "highest");
    assert_eq!(is(resolve(&[], &["QUEUES=1"], None)), "highest");
    assert_eq!(is(resolve(&["order=lowest"], &["QUEUES=1"], None)), "lowest");
    let file = Some("[params]\nQUEUES = 1\n[attributes]\norder = \"lowest\"\n");
    assert_eq!(is(resolve(&[], &[], file)), "lowest");
    let wrong = resolve(&["order=middle"], &[], None).expect_err("no such name").to_string();
    assert_eq!(wrong, "attribute order = middle: accepted is lowest or highest");
    let wrong = resolve(&[], &[], Some("[attributes]\norder = 3\n")).expect_err("no name");
    assert!(wrong.to_string().contains("accepted is lowest or highest"), "{wrong}");
}
