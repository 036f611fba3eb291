//! Waveforms: what stands in the files is what the pins carried, in a re-run that is told apart from
//! none, around the divergence and up to an end. On the toy block and its planted faults.

#[path = "toy/mod.rs"]
mod block;

use block::program::program;
use block::{HEAD, TOY, Toy, layout};
use congruent::check::{Compare, DutSource, Job, Source};
use congruent::compare::{Comparer, Rules};
use congruent::divergence::{Divergence, Scene};
use congruent::dut::{Child, ChildOptions, Dut, DutEnd, Start};
use congruent::failure::{self, Failure, Told};
use congruent::foreign::Foreign;
use congruent::play::{Player, peeks_of};
use congruent::row::idle_inputs;
use congruent::vectors::{self, About};
use congruent::wave::{Recording, Span, Wish};
use congruent_hw::Golden;
use congruent_hw::attributes::AttributeSet;
use congruent_hw::scenario::Leg;
use congruent_hw::stimulus::Stimulus;
use congruent_hw::unit::{DutTiming, Unit};
use congruent_ports::{Layout, ParamSet};
use congruent_verilate::{Build, Kind, PortMap, Profile};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use wellen::simple::Waveform;

/// Nanoseconds of a cycle.
const CYCLE: u64 = 10;

/// A packet of key 9 (which loses a byte under `+bug=5`), one without bytes (an error), one of key 5
/// (the last one under `+end=N`), and go low for a while.
fn leg() -> Leg {
    let mut stimulus = Stimulus::new(&TOY);
    stimulus.control(0, 0, 0);
    for (cycle, head) in [(1, [0, 9, 80]), (2, [1, 4, 0]), (3, [2, 9, 60]), (30, [1, 5, 7])] {
        stimulus.push(HEAD, cycle, &head);
    }
    stimulus.control(0, 8, 1);
    stimulus.cycles = 60;
    Leg { attributes: AttributeSet::defaults(&TOY), stimulus }
}

fn foreign(program: &Path, plusargs: &[&str]) -> Foreign {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let plusargs = plusargs.iter().map(ToString::to_string).collect();
    Foreign {
        program: program.to_path_buf(),
        options: ChildOptions { plusargs, ..Default::default() },
        layout: layout(),
        timing: DutTiming::of(&TOY),
        sources: Build::of_block(&layout(), &project.join("tests/toy"), Kind::Executable).sources,
        map: PortMap::default(),
        drives: Default::default(),
        settle: 0,
        names: [("sent_bytes".to_string(), "bytes_o[8:1]".to_string())].into(),
        profile: Profile::Quick,
        steps: Default::default(),
        tools: String::new(),
        flags: " --rtl toy.sv".to_string(),
    }
}

/// The leg as a recorded case on this RTL.
fn job(program: &Path, plusargs: &[&str], compare: Compare) -> Job {
    let params = ParamSet::defaults(&TOY);
    let case = vectors::record(&Toy, About::new("a leg", ""), &leg(), &params).expect("records");
    Job {
        unit: &Toy,
        name: "toy".to_string(),
        params,
        dut: DutSource::Foreign(Arc::new(foreign(program, plusargs))),
        source: Source::Cases(vec![Arc::new(case)]),
        fixed: vec![],
        load: Stimulus::new(&TOY),
        compare,
        rules: Rules::none(),
        options: String::new(),
        mid_reset: None,
        start: Start::Random(1),
        built: Duration::ZERO,
        command: "congruent replay a_leg".to_string(),
        cases: None,
    }
}

/// Runs a job and writes its waveform: what it found, and the files that are named there.
fn waves(job: &Job, span: Span, internals: bool) -> (TempDir, Vec<Failure>, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let wish = Wish::new(&[folder.path().join("out.fst")], span, internals);
    let wish = wish.unwrap_or_else(|e| panic!("{e}"));
    let done = job.run(&|_| ()).unwrap_or_else(|e| panic!("{e}"));
    let jobs = std::slice::from_ref(job);
    let failures = failure::of(jobs, &[done], folder.path());
    let mut failures = failures.unwrap_or_else(|e| panic!("{e}"));
    wish.write(jobs, &mut failures).unwrap_or_else(|e| panic!("{e}"));
    let files = failures.iter().flat_map(|failure| match &failure.told {
        Told::Diverged(divergence) => divergence.files.clone(),
        Told::Ended(ended) => ended.files.clone(),
    });
    let files = files.collect();
    (folder, failures, files)
}

/// The one divergence that was found.
fn divergence(failures: &[Failure]) -> &Divergence {
    match failures {
        [Failure { told: Told::Diverged(divergence), .. }] => divergence,
        other => panic!("{other:?}"),
    }
}

/// A file as a reader that was not written here sees it: the changes of each signal by its full name.
struct Read {
    changes: BTreeMap<String, Vec<(u64, String)>>,
    names: BTreeMap<String, Vec<(String, String)>>,
    times: Vec<u64>,
}

impl Read {
    fn new(place: &Path) -> Self {
        Self::of(wellen::simple::read(place).unwrap_or_else(|e| panic!("{e}")))
    }

    fn of(mut wave: Waveform) -> Self {
        let all: Vec<_> = wave.hierarchy().all_vars().collect();
        let (mut signals, mut names) = (vec![], BTreeMap::new());
        for var in all {
            let hierarchy = wave.hierarchy();
            let var = &hierarchy[var];
            let name = var.full_name(hierarchy);
            if let Some((_, values)) = var.enum_type(hierarchy) {
                let values = values.into_iter().map(|(a, b)| (a.to_string(), b.to_string()));
                names.insert(name.clone(), values.collect());
            }
            signals.push((name, var.signal_ref()));
        }
        let refs: Vec<_> = signals.iter().map(|(_, signal)| *signal).collect();
        wave.load_signals(&refs);
        let times = wave.time_table().to_vec();
        let changes = signals.into_iter().map(|(name, signal)| {
            let signal = wave.get_signal(signal).expect("loaded");
            let changes = signal.iter_changes();
            let changes = changes
                .map(|(at, value)| (times[at as usize], value.to_bit_string().expect("bits")));
            (name, changes.collect())
        });
        Self { changes: changes.collect(), names, times: times.clone() }
    }

    /// The bits of a signal at a time.
    fn bits(&self, name: &str, time: u64) -> &str {
        let changes = self.changes.get(name).unwrap_or_else(|| {
            panic!("no signal {name}; there are {:?}", self.changes.keys().collect::<Vec<_>>())
        });
        let before = changes.partition_point(|(at, _)| *at <= time);
        before.checked_sub(1).map_or("before the file", |at| &changes[at].1)
    }

    /// The value of a signal in a cycle; none where it is not known.
    fn value(&self, name: &str, cycle: u64) -> Option<u64> {
        u64::from_str_radix(self.bits(name, cycle * CYCLE), 2).ok()
    }
}

/// The rows of the leg, by hand: inputs, what the model shows, what the DUT shows.
fn rows(program: &Path, bug: u32, count: usize) -> Vec<[Vec<u64>; 3]> {
    let (params, layout, leg) = (ParamSet::defaults(&TOY), layout(), leg());
    let mut golden = Toy.golden(&leg.attributes, &params).expect("legal");
    let options = ChildOptions { plusargs: vec![format!("+bug={bug}")], ..Default::default() };
    let child = Child::start(program, layout.clone(), Start::Random(1), &options);
    let mut dut = child.unwrap_or_else(|e| panic!("{e}"));
    dut.configure(&[0]).and_then(|()| dut.reset()).unwrap_or_else(|e| panic!("{e}"));
    let peeks = peeks_of(&layout, 0..3);
    let mut player = Player::new(&leg.stimulus, &peeks, &layout);
    let mut inputs = idle_inputs(&layout);
    let mut model = vec![0; layout.outputs.len()];
    let mut rows = vec![];
    while rows.len() < count
        && player.step(golden.as_mut(), &mut inputs, &mut model).expect("drains")
    {
        let mut got = vec![0; layout.outputs.len()];
        dut.step(&inputs, &mut got).unwrap_or_else(|e| panic!("{e}"));
        rows.push([inputs.clone(), model.clone(), got]);
    }
    rows
}

/// Every signal of every cycle of the window, against rows that were recorded without any of this.
#[test]
fn the_window_shows_what_the_pins_carried() {
    let Some(program) = program() else { return };
    let job = job(program, &["+bug=5"], Compare::Exact);
    let (_folder, done, files) = waves(&job, Span::Around { before: 6, after: 4 }, false);
    let divergence = divergence(&done);
    assert_eq!((divergence.port.as_str(), divergence.cycle), ("sent_bytes", 9));
    let [file] = &files[..] else { panic!("{files:?}") };
    let read = Read::new(Path::new(file));
    // From 3 to 13, both included, and the end of the last one.
    assert_eq!((read.times[0], *read.times.last().expect("times")), (30, 140));
    let layout = layout();
    let rows = rows(program, 5, 14);
    for (cycle, [inputs, model, dut]) in (0..).zip(&rows).skip(3) {
        let is = |name: String, value: u64| {
            assert_eq!(read.value(&name, cycle), Some(value), "{name}, cycle {cycle}");
        };
        is("stimulus.cycle".into(), cycle);
        is("stimulus.begin".into(), 0);
        is("stimulus.cfg.cfg_order".into(), 0);
        is("stimulus.go".into(), inputs[layout.controls]);
        for channel in &layout.channels_in {
            let name = channel.channel.name;
            is(format!("stimulus.{name}.valid"), inputs[channel.valid]);
            for (n, field) in channel.channel.fields.iter().enumerate() {
                is(format!("stimulus.{name}.{}", field.name), inputs[channel.fields + n]);
            }
        }
        for channel in &layout.channels_out {
            let name = channel.channel.name;
            is(format!("model.{name}.valid"), model[channel.valid]);
            for (n, field) in channel.channel.fields.iter().enumerate() {
                is(format!("model.{name}.{}", field.name), model[channel.fields + n]);
            }
        }
        let ready = layout.input("head").ready.expect("has one");
        is("model.head.ready".into(), model[ready]);
        is("model.init_done".into(), model[layout.levels]);
        for (port, value) in layout.outputs.iter().zip(dut) {
            // As the map calls it.
            let name = if port.name == "sent_bytes" { "bytes_o" } else { &port.name };
            is(format!("rtl.{name}"), *value);
        }
        // Key 9 is sent first, then what has no bytes, then key 9 again.
        let wrong = cycle == 9 || cycle == 11;
        is("mismatch.any".into(), wrong.into());
        is("mismatch.sent_bytes".into(), wrong.into());
        is("mismatch.sent_key".into(), 0);
        assert_eq!(Comparer::new(&layout, &Rules::none()).row(model, dut).is_some(), wrong);
        // The edge that samples a row is in the middle of it.
        assert_eq!(read.bits("stimulus.clk", cycle * CYCLE + 4), "0");
        assert_eq!(read.bits("stimulus.clk", cycle * CYCLE + 5), "1");
    }
    assert_eq!(read.value("model.sent.bytes", 9), Some(80));
    assert_eq!(read.value("rtl.bytes_o", 9), Some(79));
    let names = &read.names["rtl.sent_error"];
    assert_eq!(names[3], ("011".to_string(), "zero_length".to_string()), "{names:?}");
    assert_eq!(read.value("rtl.sent_error", 10), Some(3));
}

/// The window of a divergence near the beginning starts with cycle 0, which is marked.
#[test]
fn a_window_begins_with_the_leg() {
    let Some(program) = program() else { return };
    let job = job(program, &["+bug=5"], Compare::Exact);
    let (_folder, _, files) = waves(&job, Span::Usual, false);
    let read = Read::new(Path::new(&files[0]));
    assert_eq!(read.times[0], 0);
    assert_eq!(read.value("stimulus.begin", 0), Some(1));
    assert_eq!(read.value("stimulus.begin", 1), Some(0));
}

/// However the DUT ends, the file goes up to there: the last cycle in which it showed something, and
/// one more in which it shows nothing.
#[test]
fn a_waveform_is_complete_up_to_an_end() {
    let Some(program) = program() else { return };
    for end in ["+end=1", "+end=2"] {
        let job = job(program, &[end], Compare::Exact);
        let (_folder, done, files) = waves(&job, Span::Usual, false);
        let [Failure { finding, told: Told::Ended(_), .. }] = &done[..] else { panic!("{done:?}") };
        let read = Read::new(Path::new(&files[0]));
        let last = *read.times.last().expect("times") / CYCLE - 1;
        assert!(
            last == finding.cycle || last == finding.cycle + 1,
            "{end}: {last}, {}",
            finding.cycle
        );
        // The packet of key 5 comes in cycle 30, and the edge behind it is the last one.
        let shown = (0..=last).filter(|cycle| read.value("rtl.ended", *cycle) == Some(0));
        assert_eq!(shown.max(), Some(30), "{end}");
        assert_eq!(read.value("stimulus.head.key", 30), Some(5), "{end}");
        for cycle in 0..=30 {
            let [model, dut] = ["model.head.ready", "rtl.head_ready"].map(|n| read.value(n, cycle));
            assert!(dut.is_some() && model == dut, "{end}, cycle {cycle}: {model:?}, {dut:?}");
        }
        assert_eq!(read.value("rtl.head_ready", last), None, "{end}: it has ended");
        assert!(read.changes["mismatch.any"].iter().all(|(_, bits)| bits == "0"), "{end}");
    }
}

/// Where the DUT's own events say when, its fault is marked, and what the core says stands there.
#[test]
fn a_steered_fault_is_marked() {
    let Some(program) = program() else { return };
    let job = job(program, &["+bug=5"], Compare::Steered(DutTiming::of(&TOY)));
    let (_folder, done, files) = waves(&job, Span::Around { before: 9, after: 9 }, false);
    let divergence = divergence(&done);
    let read = Read::new(Path::new(&files[0]));
    let marked: Vec<_> = (0..19).filter(|c| read.value("mismatch.any", *c) == Some(1)).collect();
    assert_eq!(marked, [divergence.cycle]);
    assert_eq!(read.value("stimulus.cycle", divergence.cycle), Some(divergence.cycle));
    assert_eq!(read.value("rtl.bytes_o", 9), Some(79));
    // Only what was compared is known of the core.
    assert_eq!(read.value("model.sent.bytes", 8), None);
    assert!(!read.changes.contains_key("model.peeked.bytes"));
}

/// A DUT that is two cycles late: the model's rows stand beside those that they are compared with.
#[test]
fn a_late_dut_stands_below_what_it_is_compared_with() {
    let layout = layout();
    let leg = leg();
    let make = || {
        let params = ParamSet::defaults(&TOY);
        let golden = Toy.golden(&leg.attributes, &params)?;
        let dut: Box<dyn Dut> = Box::new(Late { layout: block::layout(), golden, rows: vec![] });
        Ok(dut)
    };
    let scene = Scene {
        unit: &Toy,
        layout: &layout,
        make: &make,
        latency: 2,
        rules: &Rules::none(),
        remark: None,
        leg: &leg,
        run: String::new(),
        command: String::new(),
        versions: vec![],
    };
    let recording = Recording::new(&scene, false, (0, 20), None).unwrap_or_else(|e| panic!("{e}"));
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("late.fst");
    std::fs::write(&place, recording.fst().expect("writes")).expect("writes");
    let read = Read::new(&place);
    let sent = |name: &str| -> Vec<u64> {
        (0..=20).filter(|cycle| read.value(name, *cycle) == Some(1)).collect()
    };
    assert_eq!(sent("model.sent.valid"), [11, 12, 13]);
    assert_eq!(sent("rtl.sent_valid"), [11, 12, 13]);
    assert!(sent("mismatch.any").is_empty());
    assert_eq!(read.value("model.cycle", 11), Some(9));
    assert_eq!(read.value("model.sent.valid", 1), None, "nothing is due yet");
}

/// The golden model itself, two cycles late and with its level in time.
struct Late {
    layout: Layout,
    golden: Box<dyn Golden>,
    rows: Vec<Vec<u64>>,
}

impl Dut for Late {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn configure(&mut self, _: &[u64]) -> Result<(), DutEnd> {
        Ok(())
    }

    fn reset_longer(&mut self, _: u32) -> Result<(), DutEnd> {
        Ok(())
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]) -> Result<(), DutEnd> {
        self.golden.step(inputs, outputs);
        self.rows.push(outputs.to_vec());
        match self.rows.len().checked_sub(3) {
            Some(row) => outputs.copy_from_slice(&self.rows[row]),
            None => outputs.fill(0),
        }
        Ok(())
    }

    fn steps(&mut self, inputs: &[u64], outputs: &mut [u64], _: bool) -> Result<usize, DutEnd> {
        let (width_in, width_out) = (self.layout.inputs.len(), self.layout.outputs.len());
        let rows = inputs.chunks(width_in).zip(outputs.chunks_mut(width_out));
        let mut count = 0;
        for (inputs, outputs) in rows {
            self.step(inputs, outputs)?;
            count += 1;
        }
        Ok(count)
    }

    fn take_text(&mut self) -> String {
        String::new()
    }

    fn finish(&mut self) -> Result<(), DutEnd> {
        Ok(())
    }
}

/// Where nothing diverged nothing is written, unless the whole leg is asked for.
#[test]
fn a_congruent_run_is_shown_only_as_a_whole() {
    let Some(program) = program() else { return };
    let job = job(program, &[], Compare::Exact);
    let (folder, _, _) = waves(&job, Span::Usual, false);
    assert_eq!(std::fs::read_dir(folder.path()).expect("reads").count(), 0);
    let (folder, _, _) = waves(&job, Span::All, false);
    let read = Read::new(&folder.path().join("out.fst"));
    let Source::Cases(cases) = &job.source else { panic!("cases") };
    let whole = cases[0].rows.len() as u64;
    assert!(read.times.last().expect("times") / CYCLE >= whole);
    assert!(read.changes["mismatch.any"].iter().all(|(_, bits)| bits == "0"));
}

#[test]
fn a_name_tells_the_kind_of_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |name: &str| {
        let refused =
            Wish::new(&[folder.path().join(name)], Span::Usual, false).expect_err("refused");
        assert!(refused.help().is_some(), "{refused}");
        refused.to_string()
    };
    assert!(refused("out.vcd").contains("the kind of file is told from its name"));
    assert!(refused("nowhere/out.fst").contains("nowhere/out.fst"));
}

/// What goes on inside stands beside the pins, in the same cycles: a register shows in the cycle
/// behind the edge that set it. Asking for it changes nothing else.
#[test]
fn internals_stand_beside_the_pins() {
    let Some(program) = program() else { return };
    let job = job(program, &["+bug=5"], Compare::Exact);
    let span = Span::Around { before: 6, after: 4 };
    let (_folder, _, files) = waves(&job, span, true);
    let (with, (_other, _, files)) = (Read::new(Path::new(&files[0])), waves(&job, span, false));
    let without = Read::new(Path::new(&files[0]));
    for (name, changes) in &without.changes {
        assert_eq!(with.changes.get(name), Some(changes), "{name}");
    }
    for cycle in 3..14 {
        // The module's own pins, and a register that the ready bits are made of.
        for pin in ["sent_valid", "sent_bytes", "head_ready"] {
            let inside = with.value(&format!("rtl.internals.toy.{pin}"), cycle);
            let pin = if pin == "sent_bytes" { "bytes_o" } else { pin };
            assert_eq!(inside, with.value(&format!("rtl.{pin}"), cycle), "{pin}, cycle {cycle}");
        }
        let full = with.value("rtl.internals.toy.full", cycle).expect("known");
        assert_eq!(with.value("rtl.head_ready", cycle), Some(!full & 7), "cycle {cycle}");
        assert_eq!(with.bits("rtl.internals.toy.clk", cycle * CYCLE + 4), "0");
        assert_eq!(with.bits("rtl.internals.toy.clk", cycle * CYCLE + 5), "1");
    }
    // The elements of an array stand under its name: queue 0 holds the packet of 80 bytes, less one.
    assert_eq!(with.value("rtl.internals.toy.bytes.[0]", 5), Some(79));
    // It sends in cycle 8, and the beat shows behind the edge.
    let behind = |time| with.bits("rtl.internals.toy.sent_valid", time);
    assert_eq!((behind(8 * CYCLE + 4), behind(8 * CYCLE + 5)), ("0", "1"));
}

/// The texts of a picture, each with the colour it is in, in the order of the file.
fn texts(svg: &str) -> Vec<(String, String)> {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|e| panic!("{e}"));
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts
        .map(|text| {
            let ink = text.attribute("fill").expect("has a colour").to_string();
            (text.text().unwrap_or_default().trim().to_string(), ink)
        })
        .collect()
}

/// A picture has the clock, what was offered, and the diverging channel of both sides below each other,
/// with what is wrong in red.
#[test]
fn a_picture_shows_what_was_expected_and_what_came() {
    let Some(program) = program() else { return };
    let job = job(program, &["+bug=5"], Compare::Exact);
    let folder = tempfile::tempdir().expect("a folder");
    let places = ["a.svg", "b.svg"].map(|name| folder.path().join(name));
    let wish = Wish::new(&places, Span::Usual, false).unwrap_or_else(|e| panic!("{e}"));
    let done = job.run(&|_| ()).unwrap_or_else(|e| panic!("{e}"));
    let jobs = std::slice::from_ref(&job);
    let mut failures = failure::of(jobs, &[done], folder.path()).unwrap_or_else(|e| panic!("{e}"));
    wish.write(jobs, &mut failures).unwrap_or_else(|e| panic!("{e}"));
    let svg = places.map(|place| std::fs::read_to_string(place).expect("was written"));
    assert_eq!(svg[0], svg[1], "the same run gives the same picture");
    let texts = texts(&svg[0]);
    let place = |wanted: &str| {
        let found = texts.iter().position(|(text, _)| text == wanted);
        found.unwrap_or_else(|| panic!("no {wanted} in {texts:?}"))
    };
    let order = ["clk", "head_valid", "head_key", "go", "model.sent_valid", "rtl.sent_valid"]
        .into_iter()
        .chain(["model.sent_bytes", "rtl.bytes_o[8:1]", "model.sent_error"])
        .map(place);
    assert!(order.is_sorted(), "{texts:?}");
    assert!(texts.iter().all(|(text, _)| !text.starts_with("peek")), "nothing happens there");
    let caption = &texts[place("cycle 9, sent_bytes: expected 80 (0x50), got 79 (0x4f)")];
    for name in ["model.sent_bytes", "rtl.bytes_o[8:1]", "9"] {
        assert_eq!(texts[place(name)].1, caption.1, "{name} is in red");
    }
    assert_ne!(texts[place("model.sent_valid")].1, caption.1);
    // Model, then RTL, from their labels on; cycle 10 has no bytes to compare, but an error.
    let (model, rtl) = (place("model.sent_bytes"), place("rtl.bytes_o[8:1]"));
    let values = |from: usize| [&*texts[from + 1].0, &*texts[from + 2].0];
    assert_eq!((values(model), values(rtl)), (["80", "60"], ["79", "59"]));
}

/// GTKWave's own reader finds the same in a file: where it is installed, it turns it into text.
#[test]
fn gtkwave_reads_what_was_written() {
    let Some(program) = program() else { return };
    let job = job(program, &["+bug=5"], Compare::Exact);
    let (_folder, _, files) = waves(&job, Span::Around { before: 6, after: 4 }, false);
    let Ok(ran) = Command::new("fst2vcd").arg(&files[0]).output() else {
        println!("skipped: fst2vcd is not installed");
        return;
    };
    let text = String::from_utf8_lossy(&ran.stdout).to_string();
    let vcd = wellen::simple::read_from_reader(std::io::Cursor::new(text.into_bytes()));
    let (vcd, fst) = (Read::of(vcd.expect("is sound")), Read::new(Path::new(&files[0])));
    assert_eq!(vcd.times, fst.times);
    assert_eq!(vcd.changes.keys().collect::<Vec<_>>(), fst.changes.keys().collect::<Vec<_>>());
    for name in fst.changes.keys() {
        for time in &fst.times {
            assert_eq!(vcd.bits(name, *time), fst.bits(name, *time), "{name} at {time} ns");
        }
    }
}

/// What cannot be is refused before anything is built or run.
#[test]
fn the_command_refuses_what_cannot_be_written() {
    let refused = |arguments: &[&str], why: &str| {
        let mut command = assert_cmd::Command::cargo_bin("congruent").expect("is built");
        let ran = command.args(["check", "ecn_marker", "--random", "1"]).args(arguments).assert();
        let text = String::from_utf8_lossy(&ran.code(2).get_output().stderr).to_string();
        assert!(text.contains(why), "{arguments:?}: {text}");
    };
    refused(&["--wave", "out.vcd"], "--wave out.vcd: the kind of file is told from its name");
    refused(&["--wave", "no/out.fst"], "no/out.fst");
    refused(&["--wave", "out.svg", "--wave-all"], "no room for so many cycles");
    refused(&["--wave", "out.fst", "--wave-window", "5"], "BEFORE,AFTER");
    refused(&["--wave-internals"], "--wave <OUT>");
}

#[test]
fn a_picture_has_room_for_some_cycles_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("out.svg");
    let around = |before, after| Span::Around { before, after };
    for (span, fits) in [(around(40, 39), true), (around(40, 40), false), (Span::All, false)] {
        let wish = Wish::new(std::slice::from_ref(&place), span, false);
        assert_eq!(wish.is_ok(), fits, "{span:?}");
    }
}
