//! `div_floor` and `div_iter` against `div_floor` of `hw/src/fixed.rs`, `lfsr32` against
//! `hw/src/prim/lfsr.rs`.

use crate::bench::{Bug, Prim, Twin, check, level, module, param, pin};
use congruent_hw::fixed::div_floor;
use congruent_hw::prim::lfsr::advance32;
use congruent_hw::random::Draw;
use congruent_ports::{Block, Param, ParamSet, Width};
use std::collections::VecDeque;

const BIT: Width = Width::Bits(1);
const DIVISOR: Width = Width::Param("DIVISOR_W");
const QUOTIENT: Width = Width::Param("QUOTIENT_W");
const PAYLOAD: Width = Width::Param("PAYLOAD_W");

const DIV_PARAMS: &[Param] = &[param("DIVISOR_W", 8), param("QUOTIENT_W", 8), param("BITS", 4)];

static DIV_FLOOR_PINS: Block = module(
    "div_floor",
    &[param("DIVISOR_W", 8), param("QUOTIENT_W", 8), param("PAYLOAD_W", 1), param("BITS", 4)],
    &[
        pin("in_valid", BIT),
        pin("in_high", DIVISOR),
        pin("in_low", QUOTIENT),
        pin("in_divisor", DIVISOR),
        pin("in_payload", PAYLOAD),
    ],
    &[level("out_valid", BIT), level("out_quotient", QUOTIENT), level("out_payload", PAYLOAD)],
);

static DIV_FLOOR: Prim = Prim {
    block: &DIV_FLOOR_PINS,
    sources: &["rtl/prim/div_floor.sv"],
    sets: &[
        &[("DIVISOR_W", 25), ("QUOTIENT_W", 16), ("PAYLOAD_W", 40), ("BITS", 4)],
        &[("DIVISOR_W", 24), ("QUOTIENT_W", 40), ("PAYLOAD_W", 3), ("BITS", 2)],
        &[("DIVISOR_W", 6), ("QUOTIENT_W", 12), ("BITS", 3)],
    ],
    bugs: &[
        Bug {
            what: "an exact division gives one less",
            file: "rtl/prim/div_floor.sv",
            find: "«twice >= {1'b0, divisor}»;",
            replace: "twice > {1'b0, divisor}",
        },
        Bug {
            what: "the divisor is not taken off what is left",
            file: "rtl/prim/div_floor.sv",
            find: "rest    = bits[b] ? «twice[DIVISOR_W-1:0] - divisor» :",
            replace: "twice[DIVISOR_W-1:0]",
        },
    ],
};

static DIV_ITER_PINS: Block = module(
    "div_iter",
    DIV_PARAMS,
    &[
        pin("in_valid", BIT),
        pin("in_high", DIVISOR),
        pin("in_low", QUOTIENT),
        pin("in_divisor", DIVISOR),
    ],
    &[level("out_valid", BIT), level("out_quotient", QUOTIENT)],
);

static DIV_ITER: Prim = Prim {
    block: &DIV_ITER_PINS,
    sources: &["rtl/prim/div_iter.sv"],
    sets: &[
        &[("DIVISOR_W", 36), ("QUOTIENT_W", 32), ("BITS", 4)],
        &[("DIVISOR_W", 6), ("QUOTIENT_W", 12), ("BITS", 3)],
    ],
    bugs: &[
        Bug {
            what: "an exact division gives one less",
            file: "rtl/prim/div_iter.sv",
            find: "«twice >= {1'b0, divisor}»;",
            replace: "twice > {1'b0, divisor}",
        },
        Bug {
            what: "the divisor is not kept",
            file: "rtl/prim/div_iter.sv",
            find: "assign divisor = «busy» ?",
            replace: "1'b0",
        },
    ],
};

/// A division on its way: how many cycles are left, quotient, payload.
type Division = (u64, u64, u64);

/// Quotients that come after a fixed time.
struct Divider {
    /// The largest divisor, and what the payload's pin holds; none: the divider takes one at a time.
    divisor_max: u64,
    payload_max: Option<u64>,
    quotient_bits: u32,
    cycles: u64,
    under_way: VecDeque<Division>,
    /// One of so many cycles begins a division.
    pace: u64,
}

impl Divider {
    fn new(params: &ParamSet, payload: bool) -> Self {
        let most = |name| (1u64 << params.get(name)) - 1;
        Self {
            divisor_max: most("DIVISOR_W"),
            payload_max: payload.then(|| most("PAYLOAD_W")),
            quotient_bits: params.get("QUOTIENT_W") as u32,
            cycles: (params.get("QUOTIENT_W") / params.get("BITS")) as u64,
            under_way: VecDeque::new(),
            pace: 1,
        }
    }

    /// Small, near the end of its range, or any.
    fn draw(draw: &mut Draw, most: u64) -> u64 {
        match draw.below(4) {
            0 => draw.between(0, most.min(3)),
            1 => most - draw.between(0, most.min(3)),
            _ => draw.between(0, most),
        }
    }
}

impl Twin for Divider {
    fn inputs(&mut self, draw: &mut Draw, inputs: &mut [u64]) {
        if draw.chance(1, 64) {
            self.pace = draw.between(1, 4);
        }
        let low_max = (1 << self.quotient_bits) - 1;
        let divisor = Self::draw(draw, self.divisor_max).max(1);
        let busy = self.payload_max.is_none() && self.under_way.iter().any(|d| d.0 > 0);
        inputs[0] = u64::from(draw.chance(1, self.pace) && !busy);
        inputs[1] = Self::draw(draw, divisor - 1);
        inputs[2] = Self::draw(draw, low_max);
        inputs[3] = divisor;
        if let Some(most) = self.payload_max {
            inputs[4] = draw.between(0, most);
        }
        // An exact division now and then.
        if draw.chance(1, 4) {
            let quotient = Self::draw(draw, low_max);
            let numerator = u128::from(quotient) * u128::from(divisor);
            inputs[1] = (numerator >> self.quotient_bits) as u64;
            inputs[2] = numerator as u64 & low_max;
        }
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [Option<u64>]) {
        let arrives = self.under_way.front().is_some_and(|division| division.0 == 0);
        let out = if arrives { self.under_way.pop_front() } else { None };
        outputs[0] = Some(u64::from(out.is_some()));
        outputs[1] = out.map(|division| division.1);
        if let Some(payload) = outputs.get_mut(2) {
            *payload = out.map(|division| division.2);
        }
        if inputs[0] != 0 {
            let numerator = u128::from(inputs[1]) << self.quotient_bits | u128::from(inputs[2]);
            let quotient = match u64::try_from(numerator) {
                Ok(numerator) => div_floor(numerator, 0, inputs[3]),
                Err(_) => (numerator / u128::from(inputs[3])) as u64,
            };
            let payload = inputs.get(4).copied().unwrap_or(0);
            self.under_way.push_back((self.cycles, quotient, payload));
        }
        for division in &mut self.under_way {
            division.0 -= 1;
        }
    }
}

static LFSR_PINS: Block = module(
    "lfsr32_top",
    &[],
    &[pin("restart", BIT), pin("seed", Width::Bits(32)), pin("advance", BIT)],
    &[level("state", Width::Bits(32)), level("drawn", Width::Bits(32))],
);

static LFSR: Prim = Prim {
    block: &LFSR_PINS,
    sources: &["rtl/prim/lfsr32.sv", "tests/prims/tops/lfsr32_top.sv"],
    sets: &[&[]],
    bugs: &[Bug {
        what: "the next draw is the one before",
        file: "rtl/prim/lfsr32.sv",
        find: "drawn <= advance32(«drawn»);",
        replace: "state",
    }],
};

/// The state, once a seed is known.
struct Lfsr(Option<u32>);

impl Twin for Lfsr {
    fn inputs(&mut self, draw: &mut Draw, inputs: &mut [u64]) {
        inputs[0] = u64::from(self.0.is_none() || draw.chance(1, 100));
        inputs[1] = draw.between(1, u32::MAX.into());
        inputs[2] = draw.below(2);
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [Option<u64>]) {
        outputs[0] = self.0.map(u64::from);
        outputs[1] = self.0.map(|state| advance32(state).into());
        if inputs[2] != 0 {
            self.0 = self.0.map(advance32);
        }
        if inputs[0] != 0 {
            self.0 = Some(inputs[1] as u32);
        }
    }
}

#[test]
fn a_division_a_cycle() {
    check(&DIV_FLOOR, |params| Divider::new(params, true));
}

#[test]
fn a_division_at_a_time() {
    check(&DIV_ITER, |params| Divider::new(params, false));
}

#[test]
fn the_lfsr_draws_what_its_model_draws() {
    check(&LFSR, |_| Lfsr(None));
}
