//! Random legs of `notification_point`, in compressed time: gaps of a few to a few hundred cycles,
//! few hot queue pairs, CE packets aimed at the end of a gap and at the sweep's visits.

use super::cfg::configure;
use crate::attributes::{AttributeSet, Value::Real};
use crate::random::Draw;
use crate::scenario::Leg;
use crate::stimulus::Stimulus;
use congruent_ports::ParamSet;
use congruent_ports::notification_point::BLOCK;

/// Input channels by position in the table.
pub(super) const CE: usize = 0;
pub(super) const PEEK: usize = 1;

/// Leg number `leg` of the random run of `seed`, about `cycles` long.
pub fn leg(seed: u64, leg: u64, cycles: u64, params: &ParamSet) -> Leg {
    let name = |field: &str| format!("notification_point/{leg}/{field}");
    let qps = params.get("QPS") as u64;
    let attributes = attributes(&mut Draw::new(seed, &name("attributes")), leg, qps);
    let gap = match configure(&attributes, params) {
        Ok(cfg) => cfg.gap,
        Err(error) => panic!("a drawn combination is refused: {error}"),
    };
    let draw = |field: &str| Draw::new(seed, &name(field));
    let traffic = Traffic {
        plan: draw("plan"),
        when: draw("ce.when"),
        qp: draw("ce.qp"),
        peek_when: draw("peek.when"),
        peek_qp: draw("peek.qp"),
        qps,
        beyond: (1 << params.get("QP_W")) - qps,
        half_wrap: 1 << (params.get("TIME_W") - 1),
        gap,
        hot: vec![0],
        out: Stimulus::new(&BLOCK),
    };
    Leg { attributes, stimulus: traffic.play(cycles) }
}

/// Gaps take turns: none, the shortest, some within a sweep's round, some beyond it.
fn attributes(draw: &mut Draw, leg: u64, qps: u64) -> AttributeSet {
    let clock = draw.pick(&[500.0, 500.0, 1000.0, 312.5]);
    let cycles = match leg % 4 {
        0 => draw.between(2, 40),
        1 => draw.between(qps, 4 * qps) + 2,
        2 => leg / 4 % 3,
        _ => draw.between(40, 1_500),
    };
    // Every other gap is none of whole cycles.
    let rest = draw.pick(&[0.0, 0.0, 0.25, 0.375]);
    let cycles = if cycles == 0 { 0.0 } else { cycles as f64 + rest };
    AttributeSet::defaults(&BLOCK)
        .with(&[("clock_mhz", Real(clock)), ("min_time_between_cnps", Real(cycles / clock))])
}

struct Traffic {
    plan: Draw,
    when: Draw,
    qp: Draw,
    peek_when: Draw,
    peek_qp: Draw,
    qps: u64,
    beyond: u64,
    half_wrap: u64,
    gap: u64,
    hot: Vec<u64>,
    out: Stimulus,
}

impl Traffic {
    fn play(mut self, cycles: u64) -> Stimulus {
        let mut cycle = self.plan.below(8);
        while cycle < cycles {
            let hot = self.plan.between(1, 4);
            self.hot = (0..hot).map(|_| self.plan.below(self.qps)).collect();
            let length = self.plan.between(20, 600);
            cycle = match self.plan.below(12) {
                0..3 => self.stretch(cycle, length, 900, 990),
                3 => self.stretch(cycle, length / 4, 1024, 1024),
                4 => self.stretch(cycle, length, 100, 900),
                5 => self.stretch(cycle, length, 900, 0),
                6 => self.everywhere(cycle),
                7 | 8 => self.around_the_gap(cycle),
                9 => self.at_the_visit(cycle),
                10 if self.half_wrap < cycles => self.silence(cycle),
                _ => cycle + length,
            };
        }
        self.out.cycles = self.out.cycles.max(cycle);
        self.out
    }

    /// One for a hot queue pair, or any, or one outside the table.
    fn pick(draw: &mut Draw, hot: &[u64], qps: u64, beyond: u64, chance: u64) -> u64 {
        if draw.chance(chance, 1024) {
            draw.pick(hot)
        } else if beyond > 0 && draw.chance(1, 8) {
            qps + draw.below(beyond)
        } else {
            draw.below(qps)
        }
    }

    fn stretch(&mut self, from: u64, length: u64, dense: u64, hot: u64) -> u64 {
        for cycle in from..from + length {
            if self.when.chance(dense, 1024) {
                let qp = Self::pick(&mut self.qp, &self.hot, self.qps, self.beyond, hot);
                self.out.push(CE, cycle, &[qp]);
            }
            if self.peek_when.chance(1, 40) {
                let qp = Self::pick(&mut self.peek_qp, &self.hot, self.qps, self.beyond, 700);
                self.out.push(PEEK, cycle, &[qp]);
            }
        }
        from + length
    }

    /// A CE packet for every queue pair, back to back, twice.
    fn everywhere(&mut self, from: u64) -> u64 {
        for n in 0..2 * self.qps {
            self.out.push(CE, from + n, &[n % self.qps]);
        }
        from + 2 * self.qps
    }

    /// CE packets around the end of a gap that the one in `from` began, one too early to be answered.
    fn around_the_gap(&mut self, from: u64) -> u64 {
        let qp = self.hot[0];
        // So long that a gap of before is over.
        let from = from + self.gap;
        self.out.push(CE, from, &[qp]);
        let end = from + self.gap.max(2);
        for cycle in [end - 1, end, end + 1] {
            if self.plan.chance(3, 4) {
                self.out.push(CE, cycle, &[qp]);
            }
        }
        end + 2
    }

    /// A queue pair becomes due and is asked in each cycle of a stretch, so that once its CE packet
    /// comes with the visit; others keep the stretch from being one long gap of it.
    fn at_the_visit(&mut self, from: u64) -> u64 {
        let from = from + self.gap;
        for n in 0..self.qps {
            self.out.push(CE, from + n, &[n]);
        }
        // In the order of the sweep, each some cycles after its gap is over.
        let lag = self.plan.below(self.qps);
        let next = from + self.qps.max(self.gap) + lag;
        for n in 0..self.qps {
            self.out.push(CE, next + n, &[n]);
        }
        next + self.qps
    }

    /// Longer than half a wrap of time.
    fn silence(&mut self, from: u64) -> u64 {
        let qp = self.hot[0];
        self.out.push(CE, from, &[qp]);
        let next = from + self.half_wrap + self.plan.between(2, 40);
        self.out.push(CE, next, &[qp]);
        next + 1
    }
}
