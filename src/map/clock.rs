//! The clock and the reset of a module.

use super::faults::Faults;
use super::fit::Fitting;
use super::parse::{At, MapFile, ResetEntry};
use super::perhaps;
use super::words::name_of;
use congruent_ports::PortDir;
use congruent_verilate::{Clock, Edge, Module, Reset};

/// The clock, if there is one.
pub(super) fn clock(
    file: &MapFile,
    module: &Module,
    faults: &mut Faults,
) -> Option<(Option<usize>, Clock)> {
    let (line, port, falling) = match &file.clock {
        Some(At { line, value }) => (Some(*line), value.port.clone(), value.falling),
        None => (None, "clk".to_string(), None),
    };
    if line.is_none() && module.port(&port).is_none() {
        let clocks = module.edges.iter().filter(|edge| !edge.reset && edge.direct);
        let mut clocks = clocks.flat_map(|edge| &edge.ports);
        faults.add(None, match clocks.next() {
            Some(name) => format!(
                "the clock is not named; `{name}` may be it: accepted is [clock] with port = \"{name}\""
            ),
            None => format!(
                "module `{}` waits for no edge of an input: a module without a clock cannot be \
                 stepped",
                module.name
            ),
        });
        return None;
    }
    one_bit_input(&port, "the clock", line, module, faults)?;
    let waits = |rising: bool| edges_of(module, &port).any(|e| !e.reset && e.rising == rising);
    let only_falling = waits(false) && !waits(true);
    let only_rising = waits(true) && !waits(false);
    match falling {
        Some(true) if only_rising => faults.add(
            line,
            format!("edge = \"falling\", and the module waits for the rising edge of `{port}`"),
        ),
        Some(false) if only_falling => faults.add(
            line,
            format!("edge = \"rising\", and the module waits for the falling edge of `{port}`"),
        ),
        _ => {}
    }
    Some((line, Clock { port, falling: falling.unwrap_or(only_falling) }))
}

/// Edges of a port itself that the module waits for.
fn edges_of<'a>(module: &'a Module, port: &str) -> impl Iterator<Item = &'a Edge> {
    let port = port.to_string();
    module.edges.iter().filter(move |edge| edge.direct && edge.ports == [port.as_str()])
}

/// Checks that a port is an input of one bit.
fn one_bit_input(
    port: &str,
    what: &str,
    line: Option<usize>,
    module: &Module,
    faults: &mut Faults,
) -> Option<()> {
    let Some(found) = module.port(port) else {
        let names = module.ports.iter().map(|p| p.name.as_str());
        let near = perhaps(port, names);
        faults.add(line, format!("{what}: module `{}` has no port `{port}`{near}", module.name));
        return None;
    };
    if found.dir != PortDir::In || found.ty.width != 1 || !found.ty.unpacked.is_empty() {
        faults.add(
            line,
            format!(
                "{what}: `{port}` is an {} of {} bits; accepted is an input of one bit",
                name_of(found.dir),
                found.ty.total()
            ),
        );
        return None;
    }
    Some(())
}

impl Fitting<'_> {
    pub(super) fn reset(&mut self, entry: &ResetEntry) -> Option<Reset> {
        let (line, port, active_low, synchronous, cycles) = match entry {
            ResetEntry::None { .. } => return None,
            ResetEntry::Unsaid => (None, "rst_n".to_string(), Some(true), None, None),
            ResetEntry::Port { line, port, active_low, synchronous, cycles, .. } => {
                (Some(*line), port.clone(), *active_low, *synchronous, *cycles)
            }
        };
        if line.is_none() && self.module.port(&port).is_none() {
            let resets = self.module.edges.iter().filter(|edge| edge.reset);
            let perhaps: String =
                resets.map(|edge| format!("; `{}` may be it", edge.ports.join("` or `"))).collect();
            self.faults.add(
                None,
                format!(
                    "the reset is not named{perhaps}: accepted is [reset] with port and active, or \
                     reset = \"none\" where the module has none"
                ),
            );
            return None;
        }
        one_bit_input(&port, "the reset", line, self.module, &mut self.faults)?;
        self.drive_port(&port, line, "the reset");
        let waited = edges_of(self.module, &port).find(|edge| edge.reset);
        let by_edge = waited.map(|edge| !edge.rising);
        if let (Some(said), Some(found)) = (active_low, by_edge)
            && said != found
        {
            let (said, found) = if said { ("low", "rising") } else { ("high", "falling") };
            self.faults.add(
                line,
                format!(
                    "active = \"{said}\", and the module waits for the {found} edge of `{port}`"
                ),
            );
        }
        match (synchronous, waited) {
            (Some(true), Some(edge)) => {
                let text = format!(
                    "synchronous = true, and the module waits for an edge of `{port}` ({})",
                    edge.place
                );
                self.faults.add(line, text);
            }
            (Some(false), None) => self.faults.add(
                line,
                format!("synchronous = false, and the module waits for no edge of `{port}`"),
            ),
            _ => {}
        }
        let asynchronous = synchronous.map_or(waited.is_some() && line.is_some(), |s| !s);
        if cycles == Some(0) && !asynchronous {
            self.faults
                .add(line, "cycles = 0: a synchronous reset needs a clock; accepted is 1 or more");
        }
        let Some(active_low) = active_low.or(by_edge) else {
            self.faults
                .add(line, format!("reset `{port}`: accepted is active = \"high\" or \"low\""));
            return None;
        };
        Some(Reset { port, active_low, asynchronous })
    }
}
