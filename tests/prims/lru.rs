//! Both structures that keep an LRU order, against `hw/src/prim/lru.rs`: `lru_matrix`, `lru_list`.

use crate::bench::{Bug, Prim, Twin, check, level, module, param, pin};
use congruent_hw::prim::Lru;
use congruent_hw::random::Draw;
use congruent_ports::{Block, ParamSet, Width};

const BIT: Width = Width::Bits(1);
const INDEX: Width = Width::Bits(12);

static MATRIX: Prim = Prim {
    block: &MATRIX_PINS,
    sources: &["rtl/prim/lru_matrix.sv", "tests/prims/tops/lru_matrix_top.sv"],
    sets: &[&[("N", 1)], &[("N", 64)], &[("N", 5)]],
    bugs: &[
        Bug {
            what: "beside a touch of port a, port b's entry is not the newest",
            file: "rtl/prim/lru_matrix.sv",
            find: "if (b_touch) row_q[b_index] <= «~b_mask»;",
            replace: "~touched",
        },
        Bug {
            what: "port a's entry counts as used after port b's",
            file: "rtl/prim/lru_matrix.sv",
            find: "if (a_touch) row_q[a_index] <= «~touched»;",
            replace: "~a_mask",
        },
        Bug {
            what: "an entry that port b touches is no newer than the others",
            file: "rtl/prim/lru_matrix.sv",
            find: "row_q[i] <= row_q[i] & «~touched»;",
            replace: "~a_mask",
        },
        Bug {
            what: "after reset the second and the third are swapped",
            file: "rtl/prim/lru_matrix.sv",
            find: "row_q[i] <= «(N'(1) << i) - 1'b1»;",
            replace: "(i == 1) ? N'(5) : (i == 2) ? N'(1) : (N'(1) << i) - 1'b1",
        },
        Bug {
            what: "a victim that port b touches stays the victim",
            file: "rtl/prim/lru_matrix.sv",
            find: "|| «(b_touch && b_index == victim)»;",
            replace: "1'b0",
        },
        Bug {
            what: "port b's touch is lost beside one of port a",
            file: "rtl/prim/lru_matrix.sv",
            find: "b_mask = «b_touch» ?",
            replace: "(b_touch && !a_touch)",
        },
    ],
};

static MATRIX_PINS: Block = module(
    "lru_matrix_top",
    &[param("N", 16)],
    &[
        pin("restart", BIT),
        pin("a_touch", BIT),
        pin("a_index", INDEX),
        pin("b_touch", BIT),
        pin("b_index", INDEX),
    ],
    &[level("init", BIT), level("victim", INDEX)],
);

static LIST: Prim = Prim {
    block: &LIST_PINS,
    sources: &[
        "rtl/prim/ram_1w1r.sv",
        "rtl/prim/ram_2w.sv",
        "rtl/prim/lru_list.sv",
        "tests/prims/tops/lru_list_top.sv",
    ],
    sets: &[&[("N", 1024)], &[("N", 16)]],
    bugs: &[
        Bug {
            what: "an entry that is passed over comes into the window all the same",
            file: "rtl/prim/lru_list.sv",
            find: "taken = «!passed» &&",
            replace: "1'b1",
        },
        Bug {
            what: "a touch that waits is not passed over",
            file: "rtl/prim/lru_list.sv",
            find: "(«wait_q» && wait_index_q == next_in)",
            replace: "1'b0",
        },
        Bug {
            what: "a touch that is being written is not passed over",
            file: "rtl/prim/lru_list.sv",
            find: "(«write_q» && index_q == next_in)",
            replace: "1'b0",
        },
        Bug {
            what: "a touch of the last entry links it to itself",
            file: "rtl/prim/lru_list.sv",
            find: "link            = write_q && «index_q != last_q»;",
            replace: "1'b1",
        },
        Bug {
            what: "the first entry is taken for one in the middle",
            file: "rtl/prim/lru_list.sv",
            find: "link_neighbours = link && «index_q != first_q»;",
            replace: "1'b1",
        },
        Bug {
            what: "of two touches in one cycle the second is lost",
            file: "rtl/prim/lru_list.sv",
            find: "      wait_d     = «b_touch»;",
            replace: "1'b0",
        },
        Bug {
            what: "the window forgets to let go what port b touches",
            file: "rtl/prim/lru_list.sv",
            find: "(«b_touch» && b_index == window_q[k*INDEX_W+:INDEX_W]);",
            replace: "b_touch && !a_touch",
        },
        Bug {
            what: "a read beside a write of port b gives the old word",
            file: "rtl/prim/ram_2w.sv",
            find: "if («b_we && b_waddr == address»)      from_b_q <= 1'b1;",
            replace: "1'b0",
        },
    ],
};

static LIST_PINS: Block = module(
    "lru_list_top",
    &[param("N", 16)],
    &[
        pin("restart", BIT),
        pin("a_touch", BIT),
        pin("a_index", INDEX),
        pin("b_touch", BIT),
        pin("b_index", INDEX),
    ],
    &[level("init", BIT), level("victim", INDEX)],
);

/// How touches come, drawn anew every few dozen cycles.
#[derive(Clone, Copy)]
enum Pace {
    /// Each port so many times in 8 cycles.
    Chance(u64),
    /// Both ports in one cycle, port b again two cycles later: three in four.
    Frames,
    /// One in every cycle.
    Steady,
}

/// Whom a touch goes to.
#[derive(Clone, Copy)]
enum Aim {
    /// The n-th of the order, 0 the victim.
    Place(usize),
    /// One of the first of the order.
    Front,
    /// One of three.
    Hot,
    /// Any.
    Any,
}

/// The order, and how touches are drawn.
struct Touches {
    lru: Lru,
    n: u64,
    /// Two touches a cycle, whatever was before.
    two_always: bool,
    init_cycles: u64,
    since_reset: u64,
    pace: Pace,
    aim: Aim,
    /// Whether a touch waits for the next cycle.
    waits: bool,
}

impl Touches {
    fn new(params: &ParamSet, list: bool) -> Self {
        let n = params.get("N") as u64;
        Self {
            lru: Lru::new(n as usize),
            n,
            two_always: !list,
            init_cycles: if list { n } else { 0 },
            since_reset: 0,
            pace: Pace::Steady,
            aim: Aim::Any,
            waits: false,
        }
    }

    fn entry(&self, draw: &mut Draw, aim: Aim) -> u64 {
        let place = match aim {
            Aim::Hot => return draw.below(self.n.min(3)),
            Aim::Any => return draw.below(self.n),
            Aim::Place(place) => place,
            Aim::Front => draw.below(8) as usize,
        };
        self.lru.order().nth(place).unwrap_or(0) as u64
    }

    fn draw_pace(draw: &mut Draw) -> Pace {
        match draw.below(4) {
            0 => Pace::Chance(draw.between(0, 8)),
            1 | 2 => Pace::Frames,
            _ => Pace::Steady,
        }
    }

    fn draw_aim(draw: &mut Draw) -> Aim {
        match draw.below(6) {
            0 => Aim::Hot,
            1 => Aim::Any,
            2 | 3 => Aim::Place(draw.below(7) as usize),
            _ => Aim::Front,
        }
    }
}

impl Twin for Touches {
    fn inputs(&mut self, draw: &mut Draw, inputs: &mut [u64]) {
        if draw.chance(1, 48) {
            self.pace = Self::draw_pace(draw);
            self.aim = Self::draw_aim(draw);
        }
        inputs[0] = u64::from(draw.chance(1, 16 * self.n));
        let (mut a, mut b) = match self.pace {
            Pace::Chance(of_8) => (draw.chance(of_8, 8), draw.chance(of_8, 8)),
            Pace::Frames => {
                (self.since_reset.is_multiple_of(4), self.since_reset.is_multiple_of(2))
            }
            Pace::Steady => {
                let a = draw.chance(1, 2);
                (a, !a)
            }
        };
        if self.since_reset < self.init_cycles {
            (a, b) = (false, false);
        }
        if self.waits && !self.two_always && a && b {
            b = false;
        }
        (inputs[1], inputs[3]) = (a.into(), b.into());
        inputs[2] = self.entry(draw, self.aim);
        // Now and then each port has an aim of its own, or both go to one entry.
        let aim = if draw.chance(1, 4) { Self::draw_aim(draw) } else { self.aim };
        inputs[4] = if draw.chance(1, 8) { inputs[2] } else { self.entry(draw, aim) };
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [Option<u64>]) {
        let init = self.since_reset < self.init_cycles;
        outputs[0] = Some(u64::from(init));
        outputs[1] = (!init).then_some(self.lru.victim() as u64);
        for port in [1, 3] {
            if inputs[port] != 0 {
                self.lru.touch(inputs[port + 1] as usize);
            }
        }
        let touches = inputs[1] + inputs[3] + u64::from(self.waits);
        self.waits = touches > 1;
        self.since_reset += 1;
        if inputs[0] != 0 {
            self.lru.reset();
            self.waits = false;
            self.since_reset = 0;
        }
    }
}

#[test]
fn the_matrix_names_the_victims_of_the_model() {
    check(&MATRIX, |params: &ParamSet| Touches::new(params, false));
}

#[test]
fn the_list_names_the_victims_of_the_model() {
    check(&LIST, |params: &ParamSet| Touches::new(params, true));
}
