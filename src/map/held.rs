//! Inputs that are held at a value, and handshakes that the table does not have.

use super::expression;
use super::fit::Fitting;
use super::perhaps;
use super::pins::{MOST_ELEMENTS, element_of};
use super::words::bits;
use congruent_ports::{Dir, PortDir, Ready};
use congruent_verilate::{End, Piece, Pin, PortDecl, Tie, Wire};
use num_bigint::BigUint;

impl Fitting<'_> {
    /// Holds bits at values, 64 at a time.
    pub(super) fn hold(&mut self, pin: &Pin, count: u32, bit: impl Fn(u32) -> bool) {
        let mut done = 0;
        while done < count {
            let here = (count - done).min(64);
            let value = (0..here).fold(0, |all, n| all | u64::from(bit(done + n)) << n);
            if value != 0 || done == 0 {
                let pin = Pin { lsb: pin.lsb + done, ..pin.clone() };
                self.ties.push(Tie { pin, value });
            }
            done += here;
        }
    }

    pub(super) fn constant(&mut self, line: usize, signal: &str, value: &str) {
        let whole = self.module.port(signal).filter(|port| port.dir == PortDir::In);
        let chunks = match whole {
            Some(_) => vec![],
            None => match self.bits(signal, signal, Some(line), PortDir::In, None) {
                Some(chunks) => chunks,
                None => return,
            },
        };
        let width =
            whole.map_or_else(|| expression::width(&chunks), |port| u64::from(port.ty.width));
        let value = match Constant::read(value, width) {
            Ok(value) => value,
            Err(why) => {
                self.faults.at(line, format!("{signal} = \"{value}\": {why}"));
                return;
            }
        };
        if let Some(port) = whole {
            self.rest(port, line, &value);
            return;
        }
        let mut at = 0;
        for chunk in &chunks {
            let End::Pin { pin, inverted } = &chunk.end else {
                self.faults.at(line, format!("{signal}: a constant cannot be held at a value"));
                return;
            };
            self.pins.drive(pin, chunk.count, Some(line), "[constants]");
            self.hold(pin, chunk.count, |n| value.bit(at + u64::from(n)) ^ inverted);
            at += u64::from(chunk.count);
        }
    }

    /// A whole port is held at a value, in each of its elements, where nothing else drives it.
    fn rest(&mut self, port: &PortDecl, line: usize, value: &Constant) {
        let width = port.ty.width;
        let elements = port.ty.total() / u64::from(width.max(1));
        if elements > MOST_ELEMENTS {
            let text = format!("{}: {elements} elements are more than can be held", port.name);
            return self.faults.at(line, text);
        }
        let mut free = 0;
        for n in 0..elements {
            let element = element_of(&port.ty, n);
            for (lsb, count) in self.pins.free(&port.name, &element, width) {
                let pin = Pin { port: port.name.clone(), element: element.clone(), width, lsb };
                self.pins.drive(&pin, count, Some(line), "[constants]");
                self.hold(&pin, count, |n| value.bit(u64::from(lsb + n)));
                free += 1;
            }
        }
        if free == 0 {
            let text =
                format!("{}: all of it is driven already; nothing is left to hold", port.name);
            self.faults.at(line, text);
        }
    }

    pub(super) fn handshake(&mut self, line: usize, channel: &str, signal: &str) {
        let block = self.layout.block;
        let Some(found) = block.channel(channel) else {
            let near = perhaps(channel, block.channels.iter().map(|c| c.name));
            self.faults.at(line, format!("{} has no channel `{channel}`{near}", block.name));
            return;
        };
        if found.ready != Ready::Never {
            self.faults.at(
                line,
                format!("{channel} has a ready of its own: map {channel}_ready in [ports]"),
            );
            return;
        }
        let dir = match found.dir {
            Dir::In => PortDir::Out,
            Dir::Out => PortDir::In,
        };
        let name = format!("the ready of {channel}");
        let Some(chunks) = self.bits(&name, signal, Some(line), dir, Some(1)) else { return };
        let width = expression::width(&chunks);
        if width != 1 {
            self.faults
                .at(line, format!("{name} = \"{signal}\", {}: accepted is one bit", bits(width)));
            return;
        }
        match (found.dir, &chunks[0].end) {
            (Dir::In, end) => {
                let piece = Piece { at: 0, count: 1, end: end.clone() };
                self.layout.add_ready(channel);
                let port = format!("{channel}_ready");
                self.names.insert(port.clone(), signal.to_string());
                self.wires.insert(port, Wire::Pieces(vec![piece]));
            }
            (Dir::Out, End::Pin { pin, inverted }) => {
                // Everything that the module shows is taken.
                let (pin, inverted) = (pin.clone(), *inverted);
                self.pins.drive(&pin, 1, Some(line), "[handshake]");
                self.hold(&pin, 1, |_| !inverted);
            }
            (Dir::Out, End::Constant(_)) => {}
        }
    }
}

/// A number of any width that inputs are held at.
struct Constant {
    number: BigUint,
    negative: bool,
    ones: bool,
}

impl Constant {
    /// Reads one that fits in so many bits.
    fn read(text: &str, width: u64) -> std::result::Result<Self, String> {
        let minus = text.trim().strip_prefix('-');
        let literal = expression::literal(minus.unwrap_or(text))?;
        let zero = literal.value.bits() == 0;
        let negative = minus.is_some() && !zero;
        // -n has the opposite bits of n - 1.
        let number = if negative { literal.value - 1_u32 } else { literal.value };
        let bits = number.bits() + u64::from(negative);
        if !literal.ones && bits > width || literal.width.is_some_and(|w| u64::from(w) > width) {
            return Err(format!("the value does not fit in its {width} bits"));
        }
        Ok(Self { number, negative, ones: literal.ones })
    }

    fn bit(&self, n: u64) -> bool {
        (self.ones || self.number.bit(n)) ^ self.negative
    }
}
