//! Which bits of a module's inputs are driven: each of them once.

use super::faults::Faults;
use congruent_ports::PortDir;
use congruent_verilate::{Module, Pin, PortDecl, Shape, Type};
use std::collections::BTreeMap;

/// Elements of an array that are looked at one by one, at the most.
pub const MOST_ELEMENTS: u64 = 1 << 16;

/// Faults that are told of one kind, at the most: a wide port may have many.
const MOST_HOLES: usize = 4;

/// Bits of inputs, and who drives them.
#[derive(Debug, Default)]
pub struct Pins {
    driven: BTreeMap<(String, Vec<u32>), Vec<Driven>>,
}

#[derive(Debug)]
struct Driven {
    lsb: u32,
    count: u32,
    line: Option<usize>,
    by: String,
}

impl Pins {
    /// Bits from `pin` on are driven.
    pub fn drive(&mut self, pin: &Pin, count: u32, line: Option<usize>, by: impl Into<String>) {
        let driven = Driven { lsb: pin.lsb, count, line, by: by.into() };
        self.driven.entry((pin.port.clone(), pin.element.clone())).or_default().push(driven);
    }

    /// What of an element of a port is not driven: lowest bit and how many, from the lowest on.
    pub fn free(&self, port: &str, element: &[u32], width: u32) -> Vec<(u32, u32)> {
        let key = (port.to_string(), element.to_vec());
        let driven = self.driven.get(&key).map_or(&[][..], Vec::as_slice);
        let mut taken: Vec<_> = driven.iter().map(|d| (d.lsb, d.lsb + d.count)).collect();
        taken.sort_unstable();
        let (mut free, mut next) = (vec![], 0);
        for (from, to) in taken.into_iter().chain([(width, width)]) {
            if from > next {
                free.push((next, from - next));
            }
            next = next.max(to);
        }
        free
    }

    /// Bits that are driven twice, and inputs of the module that nothing drives.
    pub fn check(mut self, module: &Module, faults: &mut Faults) {
        for ((name, element), driven) in &mut self.driven {
            driven.sort_by_key(|d| d.lsb);
            let Some(port) = module.port(name) else { continue };
            for pair in driven.windows(2) {
                let both = (pair[0].lsb + pair[0].count).saturating_sub(pair[1].lsb);
                if both > 0 {
                    let bits = said(port, element, pair[1].lsb, both.min(pair[1].count));
                    faults.add(
                        pair[1].line.or(pair[0].line),
                        format!("{bits} is driven by {} and by {}", pair[0].by, pair[1].by),
                    );
                }
            }
        }
        for port in module.ports.iter().filter(|port| port.dir == PortDir::In) {
            let holes = self.holes(port);
            if holes.is_empty() {
                continue;
            }
            let more = holes.len().saturating_sub(MOST_HOLES);
            let mut list = holes[..holes.len().min(MOST_HOLES)].join(", ");
            if more > 0 {
                list += &format!(" and {more} more");
            }
            faults.add(
                None,
                format!(
                    "nothing drives the input {list} of module `{}` ({}): name it in [ports], or \
                     hold it at a value in [constants]",
                    module.name, port.place
                ),
            );
        }
    }

    /// What of an input is not driven.
    fn holes(&self, port: &PortDecl) -> Vec<String> {
        let touched = self.driven.keys().any(|(name, _)| *name == port.name);
        let elements = port.ty.total() / u64::from(port.ty.width.max(1));
        if !touched || elements > MOST_ELEMENTS {
            return if touched { vec![] } else { vec![said_whole(&port.name)] };
        }
        let mut holes = vec![];
        for n in 0..elements {
            let element = element_of(&port.ty, n);
            let free = self.free(&port.name, &element, port.ty.width);
            holes.extend(free.into_iter().map(|(lsb, count)| said(port, &element, lsb, count)));
        }
        holes
    }
}

/// The n-th element of an unpacked array, the last dimension first.
pub fn element_of(ty: &Type, mut n: u64) -> Vec<u32> {
    let mut element = vec![];
    for range in ty.unpacked.iter().rev() {
        element.push((n % u64::from(range.len())) as u32);
        n /= u64::from(range.len());
    }
    element.reverse();
    element
}

fn said_whole(name: &str) -> String {
    format!("`{name}`")
}

/// Bits of a port as its declaration numbers them.
fn said(port: &PortDecl, element: &[u32], lsb: u32, count: u32) -> String {
    let mut name = port.name.clone();
    for (n, range) in element.iter().zip(&port.ty.unpacked) {
        name += &format!("[{}]", i64::from(*n) + range.left.min(range.right));
    }
    let mut all = vec![];
    bits(&port.ty, name, lsb, count, &mut all);
    all.iter().map(|name| said_whole(name)).collect::<Vec<_>>().join(", ")
}

/// Names of the bits from `lsb` on: members where they are whole ones, ranges else.
fn bits(ty: &Type, name: String, lsb: u32, count: u32, all: &mut Vec<String>) {
    if lsb == 0 && count == ty.width {
        return all.push(name);
    }
    let end = lsb + count;
    if let Shape::Struct { members, .. } = &ty.shape {
        for member in members {
            let (low, high) = (member.lsb, member.lsb + member.ty.width);
            if low < end && lsb < high {
                let from = lsb.max(low);
                let name = format!("{name}.{}", member.name);
                bits(&member.ty, name, from - low, end.min(high) - from, all);
            }
        }
        return;
    }
    let range = match &ty.shape {
        Shape::Bits(range) => *range,
        Shape::Enum { base, .. } => base.range(),
        _ => None,
    };
    let index = |bit: u32| match range {
        Some(range) if range.left < range.right => range.right - i64::from(bit),
        Some(range) => range.right + i64::from(bit),
        None => i64::from(bit),
    };
    all.push(match count {
        1 => format!("{name}[{}]", index(lsb)),
        _ => format!("{name}[{}:{}]", index(end - 1), index(lsb)),
    });
}
