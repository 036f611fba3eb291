//! A child process through every way of ending, and the linked models.

use super::*;
use congruent_verilate::{Build, Built, Cache, Kind, Profile, Tools};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

#[path = "../../verilate/tests/probe/mod.rs"]
mod probe;
use probe::kind;

/// Built once for all tests; from the cache in the next run.
fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| {
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        let tools = Tools::find(project).unwrap_or_else(|e| panic!("{e}"));
        let layout = probe::layout();
        let mut build = Build::of_block(&layout, &probe::rtl(), Kind::Executable);
        build.profile = Profile::Quick;
        build.run(&tools, &Cache::of(project)).unwrap_or_else(|e| panic!("{e}"))
    })
}

fn child(start: Start) -> Child {
    let options = ChildOptions { timeout: Duration::from_secs(2), ..Default::default() };
    let mut child = Child::start(&built().artefact, probe::layout(), start, &options)
        .unwrap_or_else(|e| panic!("{e}"));
    child.configure(&[10]).expect("configured");
    child.reset().expect("reset");
    child
}

// Words of a row: inputs op_valid, op_kind, op_value; outputs sum_valid, sum_total, sum__odd,
// op_ready, init_done, start.
const OUT: usize = 6;

fn beat(kind: u64, value: u64) -> [u64; 3] {
    [1, kind, value]
}
const IDLE: [u64; 3] = [0; 3];

#[test]
fn adds_with_one_row_of_latency() {
    let mut child = child(Start::Zeros);
    let mut out = [0; OUT];
    // Bits above the width of a field are not driven.
    child.step(&[0xff, 0xf0, 0xe05], &mut out).expect("a step");
    assert_eq!(&out[..1], &[0]);
    assert_eq!(&out[3..5], &[1, 1]);
    child.step(&beat(kind::ADD, 1), &mut out).expect("a step");
    // 40 bits of -3, + 5 + bias 10; the second beat is refused.
    assert_eq!(&out[..4], &[1, 12, 1, 0]);
    child.step(&IDLE, &mut out).expect("a step");
    assert_eq!(&out[..4], &[0, 12, 1, 1]);
    child.finish().expect("a good end");
    assert_eq!(child.step(&IDLE, &mut out).map_err(|e| e.end), Err(End::Finish));
}

#[test]
fn a_refusal_stops_a_batch() {
    let mut child = child(Start::Zeros);
    let rows: Vec<u64> = [IDLE, beat(0, 1), beat(0, 2), beat(0, 3), IDLE].concat();
    let mut out = vec![0; 5 * OUT];
    assert_eq!(child.steps(&rows, &mut out, true), Ok(3));
    assert_eq!(out[2 * OUT + 3], 0, "the third row is the refused one");
    // Held and offered again.
    assert_eq!(child.steps(&rows[6..], &mut out[..3 * OUT], true), Ok(2));
    assert_eq!(&out[OUT..OUT + 2], &[1, 20]);
    // Without the flag a batch goes through, in as many frames as it needs.
    let many = 10_000;
    let rows = vec![0; many * 3];
    let mut out = vec![7; many * OUT];
    assert_eq!(child.steps(&rows, &mut out, false), Ok(many));
    assert!(out.chunks(OUT).skip(1).all(|row| row[..2] == [0, 20] && row[4] == 1));
}

#[test]
fn reset_in_mid_run_starts_anew() {
    let mut child = child(Start::Ones);
    let mut out = [0; OUT];
    child.step(&beat(kind::ADD, 7), &mut out).expect("a step");
    child.reset().expect("a reset");
    child.step(&IDLE, &mut out).expect("a step");
    assert_eq!(out[1], (1 << 40) - 3);
}

#[test]
fn start_values_are_as_asked() {
    let start = |start| {
        let mut child = child(start);
        let mut out = [0; OUT];
        child.step(&IDLE, &mut out).expect("a step");
        out[5]
    };
    assert_eq!(start(Start::Zeros), 0);
    assert_eq!(start(Start::Ones), 0xff);
    let random: Vec<u64> = (0..4).map(|seed| start(Start::Random(seed))).collect();
    assert!(random.iter().any(|v| *v != random[0]), "{random:?}");
    assert_eq!(start(Start::Random(2)), random[2]);
}

/// Two idle rows, a beat that ends the model, a row that is never stepped.
fn end_by(kind: u64) -> DutEnd {
    let mut child = child(Start::Zeros);
    let rows: Vec<u64> = [IDLE, IDLE, beat(kind, 9), IDLE].concat();
    let mut out = vec![7; 4 * OUT];
    let end = child.steps(&rows, &mut out, false).expect_err("an end");
    // It stays ended, and nothing more is good.
    let again = child.steps(&rows, &mut out, false).expect_err("an end");
    assert_eq!((again.end, again.rows), (end.end.clone(), 0));
    end
}

#[test]
fn every_end_has_its_verdict_and_message() {
    let end = end_by(kind::FINISH);
    assert_eq!((end.end, end.rows, end.row), (End::Finish, 3, 2));
    assert!(end.text.contains("probe.sv:"), "{}", end.text);
    let end = end_by(kind::STOP);
    assert_eq!((end.end, end.rows), (End::Stop, 3));
    let end = end_by(kind::FATAL);
    // Old versions of Verilator make a $stop of it.
    assert!(matches!(end.end, End::Fatal | End::Stop), "{end}");
    assert_eq!(end.rows, 3);
    assert!(end.text.contains("fatal at 1099511627773"), "{}", end.text);
    let end = end_by(kind::ASSERT);
    assert_eq!((end.end, end.rows), (End::Stop, 3));
    assert!(end.text.contains("kind four with 9"), "{}", end.text);
    // In the evaluation before the edge: the row has no outputs.
    let end = end_by(kind::UNSETTLED);
    assert_eq!((&end.end, end.rows, end.row), (&End::Unsettled, 2, 2), "{end}");
    assert!(end.text.contains("converge"), "{}", end.text);
}

#[test]
fn a_process_that_dies_or_hangs_is_reported() {
    let end = end_by(kind::SIGNAL);
    assert_eq!((&end.end, end.rows, end.row), (&End::Crashed { signal: 11 }, 2, 2));
    assert!(end.to_string().contains("signal 11 (segmentation fault"), "{end}");
    let end = end_by(kind::LOOP);
    let limit = Duration::from_secs(2);
    assert_eq!((&end.end, end.rows, end.row), (&End::Hung { limit }, 2, 2));
}

#[test]
fn prints_are_kept_and_no_end() {
    let mut child = child(Start::Zeros);
    let mut out = [0; OUT];
    child.step(&beat(kind::DISPLAY, 1), &mut out).expect("a step");
    assert_eq!(child.take_text(), "total was 1099511627773\n");
    assert_eq!(child.take_text(), "");
}

#[test]
fn batches_overlap() {
    let mut child = child(Start::Zeros);
    for _ in 0..IN_FLIGHT {
        child.submit(&[0; 300], false).expect("submitted");
    }
    let full = child.submit(&[0; 300], false).expect_err("too many");
    assert_eq!(full.end.verdict(), "shape");
    for _ in 0..IN_FLIGHT {
        assert_eq!(child.collect().map(|b| (b.rows, b.outputs.len())), Ok((100, 600)));
    }
    assert_eq!(child.collect().expect_err("nothing").end.verdict(), "shape");
    assert_eq!(child.submit(&[0; 4], false).expect_err("odd").end.verdict(), "shape");
}

#[test]
fn programs_that_are_no_model_are_refused() {
    let start = |program: &str, layout| {
        let options = ChildOptions { timeout: Duration::from_secs(2), ..Default::default() };
        match Child::start(Path::new(program), layout, Start::Zeros, &options) {
            Ok(_) => panic!("{program} starts"),
            Err(end) => end,
        }
    };
    assert_eq!(start("/no such program", probe::layout()).end.verdict(), "not_started");
    assert_eq!(start("/bin/false", probe::layout()).end, End::Exited { status: 1 });
    let block = congruent_ports::BLOCKS[0];
    let other = Layout::new(block, &congruent_ports::ParamSet::defaults(block));
    let end = start(&built().artefact.display().to_string(), other);
    assert!(end.to_string().contains("[1, 3, 6]"), "{end}");
}

#[cfg(feature = "rtl")]
mod linked {
    use super::*;
    use congruent_hw::attributes::AttributeSet;
    use congruent_hw::rate_limiter::cfg;
    use congruent_ports::{BLOCKS, rate_limiter::BLOCK};

    fn dut(set: &str, start: Start) -> InTree {
        let set = BLOCK.build(set).expect("a parameter set");
        let mut dut = InTree::new(&BLOCK, set, start).unwrap_or_else(|e| panic!("{e}"));
        let mut attributes = AttributeSet::defaults(&BLOCK);
        // Short enough for the narrow time of the set `short`: half of it is 250 cycles.
        attributes.set_text("control_interval_duration_ns", "1000").expect("in range");
        let pins = cfg::configure(&attributes, &dut.layout().params).expect("cfg").pins();
        dut.configure(&pins).expect("configured");
        dut.reset().unwrap_or_else(|e| panic!("{e}"));
        dut
    }

    #[test]
    fn every_set_of_every_block_is_there() {
        let wanted = BLOCKS.iter().flat_map(|b| b.builds.iter().map(move |s| (*b, s)));
        let wanted: Vec<_> = wanted.map(|(b, s)| congruent_verilate::name_of(b, s)).collect();
        assert_eq!(InTree::linked().collect::<Vec<_>>(), wanted);
        let other = congruent_ports::BuildSet { name: "other", params: &[], doc: "" };
        let missing = InTree::new(&BLOCK, &other, Start::Zeros).map(|_| ()).expect_err("missing");
        assert!(missing.to_string().contains("rate_limiter/default"), "{missing}");
    }

    #[test]
    fn a_request_is_answered_in_its_time() {
        let mut dut = dut("short", Start::Random(1));
        let layout = dut.layout().clone();
        let (req, rsp) = (layout.input("req"), layout.output("rsp"));
        let mut inputs = vec![0; layout.inputs.len()];
        let mut outputs = vec![0; layout.outputs.len()];
        inputs[req.valid] = 1;
        inputs[req.fields] = 7;
        inputs[req.fields + 1] = 4154;
        let latency = BLOCK.cycles("rsp_latency");
        for cycle in 0..=latency {
            dut.step(&inputs, &mut outputs).unwrap_or_else(|e| panic!("{e}"));
            inputs[req.valid] = 0;
            assert_eq!(outputs[rsp.valid], u64::from(cycle == latency), "cycle {cycle}");
        }
        assert_eq!(&outputs[rsp.fields..rsp.fields + 4], &[7, 1, 0, 0]);
        dut.finish().expect("a good end");
    }

    #[test]
    fn a_batch_is_the_same_as_its_steps() {
        let layout = dut("short", Start::Zeros).layout().clone();
        let (width_in, width_out) = (layout.inputs.len(), layout.outputs.len());
        let rows = 200;
        let mut inputs = vec![0; rows * width_in];
        let (cnp, req) = (layout.input("cnp"), layout.input("req"));
        for (t, row) in inputs.chunks_mut(width_in).enumerate() {
            let t = t as u64;
            row[cnp.valid] = u64::from(t.is_multiple_of(5));
            row[cnp.fields] = t % 8;
            row[req.valid] = u64::from(t.is_multiple_of(3));
            row[req.fields] = t % 7;
            row[req.fields + 1] = 64 + t;
        }
        let mut single = vec![0; rows * width_out];
        let mut one = dut("short", Start::Zeros);
        for (i, o) in inputs.chunks(width_in).zip(single.chunks_mut(width_out)) {
            one.step(i, o).unwrap_or_else(|e| panic!("{e}"));
        }
        let mut batch = vec![0; rows * width_out];
        let mut many = dut("short", Start::Zeros);
        assert_eq!(many.steps(&inputs, &mut batch, false), Ok(rows));
        assert_eq!(single, batch);
        assert!(single.chunks(width_out).any(|o| o[layout.output("upd").valid] == 1));
    }

    #[test]
    fn the_plain_loop_leaves_the_model_where_steps_do() {
        let (mut plain, mut stepped) = (dut("short", Start::Zeros), dut("short", Start::Zeros));
        let layout = plain.layout().clone();
        let mut rows = vec![0; layout.inputs.len() * 100];
        for (t, row) in rows.chunks_mut(layout.inputs.len()).enumerate() {
            row[layout.input("req").valid] = 1;
            row[layout.input("req").fields] = t as u64 % 8;
            row[layout.input("req").fields + 1] = 1500;
        }
        plain.bare(&rows).expect("rows");
        let mut outputs = vec![0; layout.outputs.len() * 100];
        stepped.steps(&rows, &mut outputs, false).expect("rows");
        let (mut a, mut b) = (vec![0; layout.outputs.len()], vec![0; layout.outputs.len()]);
        for row in rows.chunks(layout.inputs.len()) {
            plain.step(row, &mut a).expect("a step");
            stepped.step(row, &mut b).expect("a step");
            assert_eq!(a, b);
        }
        assert_eq!(plain.bare(&rows[1..]).expect_err("odd").end.verdict(), "shape");
    }

    #[test]
    fn rows_of_a_wrong_length_are_refused() {
        let mut dut = dut("short", Start::Ones);
        let (width_in, width_out) = (dut.layout().inputs.len(), dut.layout().outputs.len());
        let mut outputs = vec![0; width_out];
        let short = dut.step(&vec![0; width_in - 1], &mut outputs).expect_err("too short");
        assert_eq!((short.end.verdict(), short.rows), ("shape", 0));
        let short = dut.step(&vec![0; width_in], &mut outputs[1..]).expect_err("too short");
        assert_eq!(short.end.verdict(), "shape");
        assert_eq!(dut.configure(&[1]).expect_err("one pin").end.verdict(), "shape");
        // A mistake of the caller ends nothing.
        assert_eq!(dut.step(&vec![0; width_in], &mut outputs), Ok(()));
    }
}
