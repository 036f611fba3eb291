//! Plays recorded cases into the planted RTL and says where it first differs.

use congruent::compare::{Comparer, Rules};
use congruent::dut::{Child, ChildOptions, Dut, End, Start};
use congruent::vectors::Case;
use congruent_ports::{Layout, PortRole};
use std::path::Path;
use std::time::Duration;

/// How long an answer may take: tests share their machine, and a thousand contexts are slow.
const PATIENCE: Duration = Duration::from_secs(300);

/// How the RTL did on a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen {
    /// Every output of every cycle was equal.
    Congruent,
    /// The first difference: cycle and port, as the list names it.
    Differs(u64, String),
    /// An assertion stopped it in this cycle before any output differed.
    Assertion(u64),
}

/// Plays a case on a program of its own with this bug on. Registers and memories start with random
/// values: nothing works that was not reset or written.
pub fn play(program: &Path, bug: u32, case: &Case) -> Seen {
    let layout = case.layout();
    let options = ChildOptions {
        timeout: PATIENCE,
        plusargs: vec![format!("+bug={bug}")],
        ..Default::default()
    };
    let mut dut = Child::start(program, layout.clone(), Start::Random(1), &options)
        .unwrap_or_else(|end| panic!("{end}"));
    dut.configure(&case.pins).and_then(|()| dut.reset()).unwrap_or_else(|end| panic!("{end}"));
    let mut got = vec![0; case.rows.outputs.len()];
    let stepped = dut.steps(&case.rows.inputs, &mut got, false);
    let good = stepped.as_ref().map_or_else(|end| end.rows, |rows| *rows);
    let words = good * case.rows.width_out;
    let comparer = Comparer::new(&layout, &Rules::none());
    let found = comparer.batch(&case.rows.outputs[..words], &got[..words]);
    match (found, stepped) {
        (Some((cycle, mismatch)), _) => Seen::Differs(cycle as u64, name(&layout, mismatch.port)),
        (None, Ok(_)) => Seen::Congruent,
        (None, Err(end)) if end.end == End::Stop => Seen::Assertion(good as u64),
        (None, Err(end)) => panic!("{end}"),
    }
}

/// A port as the list names it: channel, channel.field, channel.ready, or a level.
fn name(layout: &Layout, port: usize) -> String {
    let port = &layout.outputs[port];
    match port.role {
        PortRole::Valid(channel) => channel.name.to_string(),
        PortRole::Ready(channel) => format!("{}.ready", channel.name),
        PortRole::Payload(channel, field) => format!("{}.{}", channel.name, field.name),
        _ => port.name.clone(),
    }
}
