//! `sweep`: the init sweep, when it is over, then the round of `hw/src/prim/sweep.rs`.

use crate::bench::{Bug, Prim, Twin, check, level, module, param, pin};
use congruent_hw::prim::Sweep;
use congruent_hw::random::Draw;
use congruent_ports::{Block, ParamSet, Width};

const BIT: Width = Width::Bits(1);

static BLOCK: Block = module(
    "sweep_top",
    &[param("COUNT", 16), param("INIT_COUNT", 16), param("DELAY", 0)],
    &[pin("restart", BIT), pin("hold", BIT)],
    &[
        level("init_active", BIT),
        level("init_index", Width::Bits(12)),
        level("init_over", BIT),
        level("running", BIT),
        level("visit", BIT),
        level("index", Width::Bits(12)),
        level("index_d", Width::Bits(12)),
    ],
);

static PRIM: Prim = Prim {
    block: &BLOCK,
    sources: &["rtl/prim/sweep.sv", "tests/prims/tops/sweep_top.sv"],
    sets: &[
        &[("COUNT", 1), ("INIT_COUNT", 64), ("DELAY", 2)],
        &[("COUNT", 6), ("INIT_COUNT", 19)],
        &[("COUNT", 16), ("DELAY", 4)],
    ],
    bugs: &[
        Bug {
            what: "a visit is counted in a cycle that is held",
            file: "rtl/prim/sweep.sv",
            find: "if (init_active || «visit») begin",
            replace: "running",
        },
        Bug {
            what: "the round leaves out the last",
            file: "rtl/prim/sweep.sv",
            find: "(init_active ? INIT_LAST : «LAST»)",
            replace: "LAST - 1'b1",
        },
        Bug {
            what: "running a cycle early",
            file: "rtl/prim/sweep.sv",
            find: "assign running = «run_q[DELAY]»;",
            replace: "run_q[DELAY-1]",
        },
    ],
};

/// Cycles since reset say where the init sweep is; the round is the model's.
struct Rounds {
    sweep: Sweep,
    init_count: u64,
    /// Cycles from the end of the init sweep to the first in which it runs: the one that first
    /// shows init_done, then cycle 0, then the delay.
    until_running: u64,
    since_reset: u64,
    restart_for: u64,
    mostly_held: bool,
}

impl Twin for Rounds {
    fn inputs(&mut self, draw: &mut Draw, inputs: &mut [u64]) {
        if self.restart_for > 0 {
            self.restart_for -= 1;
        } else if draw.chance(1, 200) {
            self.restart_for = draw.between(1, 3);
        }
        if draw.chance(1, 50) {
            self.mostly_held = !self.mostly_held;
        }
        inputs[0] = u64::from(self.restart_for > 0);
        inputs[1] = u64::from(draw.chance(if self.mostly_held { 7 } else { 1 }, 8));
    }

    fn step(&mut self, inputs: &[u64], outputs: &mut [Option<u64>]) {
        let [restart, hold] = inputs else { unreachable!("two pins") };
        let init = self.since_reset < self.init_count;
        let running = self.since_reset >= self.init_count + self.until_running;
        let visit = running && *hold == 0;
        let flag = |flag| Some(u64::from(flag));
        outputs[0] = flag(init);
        outputs[1] = init.then_some(self.since_reset);
        outputs[2] = flag(!init);
        outputs[3] = flag(running);
        outputs[4] = flag(visit);
        // Before the sweep runs they mean nothing, but for the address of the first visit.
        outputs[5] = running.then_some(self.sweep.next() as u64);
        if visit {
            self.sweep.visit();
        }
        let next_runs = self.since_reset + 1 >= self.init_count + self.until_running;
        outputs[6] = (next_runs && !init).then_some(self.sweep.next() as u64);
        self.since_reset += 1;
        if *restart != 0 {
            self.since_reset = 0;
            self.sweep.reset();
        }
    }
}

#[test]
fn it_sweeps_as_its_model_does() {
    check(&PRIM, |params: &ParamSet| Rounds {
        sweep: Sweep::new(params.get("COUNT") as usize),
        init_count: params.get("INIT_COUNT") as u64,
        until_running: 1 + params.get("DELAY") as u64,
        since_reset: 0,
        restart_for: 0,
        mostly_held: false,
    });
}
