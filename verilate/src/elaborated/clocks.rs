//! One clock drives a module here: whether it has another.

use super::types::{Edge, Module};
use super::wrapper::{self, Pin};
use crate::error::Error;

impl Module {
    /// Whether everything in the module is clocked by one port. Inputs that are tied to constants
    /// have no edges.
    ///
    /// # Errors
    /// Something that is clocked by another input port, or nothing that is clocked by this one.
    pub fn check_clocks(&self, clock: &str, tied: &[&str]) -> Result<(), Error> {
        let live = |edge: &&Edge| {
            !edge.reset && edge.ports.iter().any(|port| !tied.contains(&port.as_str()))
        };
        let has = |edge: &Edge| edge.ports.iter().any(|port| port == clock);
        let edges: Vec<&Edge> = self.edges.iter().filter(live).collect();
        let others: Vec<&Edge> = edges.iter().copied().filter(|edge| !has(edge)).collect();
        if others.is_empty() {
            return Ok(());
        }
        let own = edges.iter().copied().find(|edge| has(edge));
        let lines: String = own.into_iter().chain(others.iter().copied()).map(line).collect();
        let Some(_) = own else {
            return Err(Error::Refused {
                message: format!(
                    "nothing in module `{}` waits for an edge of its clock `{clock}`; it waits for{lines}",
                    self.name
                ),
                help: "name the clock of the module in the map: [clock] port = \"…\"".into(),
            });
        };
        let mut others: Vec<&str> =
            others.iter().flat_map(|e| &e.ports).map(String::as_str).collect();
        others.retain(|port| !tied.contains(port));
        others.sort_unstable();
        others.dedup();
        // Of what gates a second clock, only what is a clock elsewhere or called so is joined.
        let named: Vec<&str> = others.iter().copied().filter(|p| is_clock_name(p)).collect();
        let joined = if named.is_empty() { &others } else { &named };
        let pins: Vec<Pin> = self
            .ports
            .iter()
            .map(|port| {
                let mut pin = Pin::through(port);
                if joined.contains(&port.name.as_str()) {
                    pin.outer.clear();
                    pin.connection = wrapper::identifier(clock);
                }
                pin
            })
            .collect();
        let name = format!("{}_one_clock", self.name);
        Err(Error::Refused {
            message: format!("module `{}` has more than one clock:{lines}", self.name),
            help: format!(
                "the harness drives one: tie the other to a constant in the map ([constants]), or give \
                 --top {name} with a file that clocks both parts at once:\n{}",
                wrapper::text(&self.name, &name, &pins)
            ),
        })
    }
}

/// Whether a port is called like a clock.
pub(super) fn is_clock_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("clk") || name.contains("clock") || name.split('_').any(|w| w == "ck")
}

fn line(edge: &Edge) -> String {
    let which = if edge.rising { "rising" } else { "falling" };
    let ports: Vec<_> = edge.ports.iter().map(|p| format!("`{p}`")).collect();
    let ports = match (ports.as_slice(), edge.direct) {
        ([one], true) => format!("the {which} edge of {one}"),
        _ => format!("the {which} edge of a signal made of {}", ports.join(", ")),
    };
    format!("\n  {}: {ports}", edge.place)
}
