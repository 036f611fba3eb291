//! Which rows of the page's "Must be covered" happen, seen from the golden model.

use super::core::{self, Ack, Branch, Cfg, Context, Format, Outcome};
use crate::attributes::AttributeSet;
use crate::cover::{Cover, row};
use congruent_ports::hpcc_window::BLOCK;
use congruent_ports::{ParamSet, error};

macro_rules! rows {
    ($($name:ident = $row:literal;)*) => { $(const $name: usize = row(&BLOCK, $row);)* };
}

rows! {
    TS_WRAP = "ts_wrap";
    TX_WRAP = "tx_wrap";
    DT_ZERO_ONE = "dt_zero_one";
    DT_ZERO_ALL = "dt_zero_all";
    DT_ABOVE_RTT = "dt_above_rtt";
    EQUAL_U = "equal_u";
    LATER_HOP_WINS = "later_hop_wins";
    HOP_COUNT_CHANGE = "hop_count_change";
    PATH_CHANGE = "path_change";
    STALE = "stale";
    STALE_LAST_HOP = "stale_last_hop";
    HALF_RANGE = "half_range";
    TOO_OLD = "too_old";
    AGE_LIMIT = "age_limit";
    SEQ_WRAP = "seq_wrap";
    FULL_MULTIPLICATIVE = "full_multiplicative";
    NOT_FULL_MULTIPLICATIVE = "not_full_multiplicative";
    FULL_ADDITIVE = "full_additive";
    NOT_FULL_ADDITIVE = "not_full_additive";
    STAGE_REACHES_MAX = "stage_reaches_max";
    STAGE_SPENT = "stage_spent";
    STAGE_FALLS = "stage_falls";
    MAX_STAGE_ZERO = "max_stage_zero";
    U_TINY = "u_tiny";
    U_ABOVE_4 = "u_above_4";
    WINDOW_AT_FIRST = "window_at_first";
    WINDOW_AT_PACKET = "window_at_packet";
    PACKET_ABOVE_FIRST = "packet_above_first";
    EXPECTED_FLOWS = "expected_flows";
    PAPER_FORMAT = "paper_format";
    WIDE_FORMAT = "wide_format";
    BAD_RATE = "bad_rate";
    BACK_TO_BACK = "back_to_back";
    HOPS_0 = "hops_0";
    RIGHT_BEHIND = "right_behind";
    HOPS_1 = "hops_1";
    HOPS_5 = "hops_5";
    HOPS_6 = "hops_6";
    CLOSED_FLOW = "closed_flow";
    CLOSED_BY_THE_WAY = "closed_by_the_way";
    OPENED_BY_THE_WAY = "opened_by_the_way";
    OPEN_AND_CLOSE = "open_and_close";
    OPENED_TWICE = "opened_twice";
    CLOSED_TWICE = "closed_twice";
    FLOW_OUT_OF_RANGE = "flow_out_of_range";
    TIME_WRAP = "time_wrap";
}

/// An event: its cycle and flow.
type Taken = (u64, u64);

const NEVER: Taken = (u64::MAX / 2, u64::MAX);

/// Counts rows as the model runs.
#[derive(Debug)]
pub struct Coverage {
    counts: Cover,
    expected_flows: bool,
    last_ack: Taken,
    last_open: Taken,
    last_close: Taken,
}

impl Coverage {
    /// Nothing counted yet.
    pub fn new(_: &Cfg, attributes: &AttributeSet, _: &ParamSet) -> Self {
        Self {
            counts: Cover::new(&BLOCK),
            expected_flows: attributes.integer("expected_flows") != 0,
            last_ack: NEVER,
            last_open: NEVER,
            last_close: NEVER,
        }
    }

    /// The counts so far.
    pub fn counts(&self) -> &Cover {
        &self.counts
    }

    /// Forgets the events, not what it counted.
    pub fn reset(&mut self) {
        self.last_ack = NEVER;
        self.last_open = NEVER;
        self.last_close = NEVER;
    }

    /// A flow outside the table.
    pub fn out_of_range(&mut self) {
        self.counts.hit_if(FLOW_OUT_OF_RANGE, true);
    }

    /// An open, and its error code.
    pub fn open(&mut self, cycle: u64, flow: u64, code: u64) {
        self.counts.hit_if(FLOW_OUT_OF_RANGE, code == error::RANGE);
        self.counts.hit_if(OPENED_TWICE, code == error::CLOSED);
        if code == error::NONE {
            self.last_open = (cycle, flow);
        }
    }

    /// A close, after the open of its cycle, and its error code.
    pub fn close(&mut self, cycle: u64, flow: u64, code: u64) {
        self.counts.hit_if(FLOW_OUT_OF_RANGE, code == error::RANGE);
        self.counts.hit_if(CLOSED_TWICE, code == error::CLOSED);
        if code == error::NONE {
            self.counts.hit_if(OPEN_AND_CLOSE, self.last_open == (cycle, flow));
            self.last_close = (cycle, flow);
        }
    }

    /// An ACK of a flow inside the table takes effect; `before` and `after` are the flow's state.
    #[allow(clippy::too_many_arguments)] // the event, its outcome, and the state around it
    pub fn ack(
        &mut self,
        cfg: &Cfg,
        cycle: u64,
        now: u64,
        flow: u64,
        ack: &Ack,
        before: &Context,
        after: &Context,
        outcome: &Outcome,
    ) {
        let c = &mut self.counts;
        let (last, here) = (self.last_ack, (cycle, flow));
        self.last_ack = here;
        match outcome.error {
            error::CLOSED => {
                c.hit_if(CLOSED_FLOW, true);
                c.hit_if(CLOSED_BY_THE_WAY, self.last_close == here);
                return;
            }
            error::HOPS => {
                c.hit_if(HOPS_6, true);
                return;
            }
            _ => {}
        }
        c.hit_if(OPENED_BY_THE_WAY, self.last_open == here);
        c.hit_if(HOPS_0, ack.hops == 0);
        c.hit_if(RIGHT_BEHIND, last == (cycle.wrapping_sub(1), flow));
        match outcome.branch {
            Branch::Stored => stored(c, cfg, now, ack, before),
            Branch::Stale => stale(c, cfg, ack, before),
            Branch::Multiplicative | Branch::Additive => {
                c.hit_if(BACK_TO_BACK, last == (cycle.wrapping_sub(ack.hops.max(1) + 1), flow));
                c.hit_if(EXPECTED_FLOWS, self.expected_flows && after.window != before.window);
                measured(c, cfg, now, ack, before, outcome);
                updated(c, cfg, before, after, outcome);
            }
        }
    }
}

fn stored(c: &mut Cover, cfg: &Cfg, now: u64, ack: &Ack, before: &Context) {
    if !before.stored {
        return;
    }
    if core::too_old(cfg, before, now) {
        c.hit_if(TOO_OLD, ack.path == before.path && ack.hops == before.hops);
        return;
    }
    c.hit_if(HOP_COUNT_CHANGE, ack.hops != before.hops && ack.path == before.path);
    c.hit_if(PATH_CHANGE, ack.path != before.path && ack.hops == before.hops);
}

/// Stamps and bytes of the hops that both sides have: hop by hop (dt, older, TS fell, txBytes fell).
fn differences<'a>(
    format: Format,
    ack: &'a Ack,
    before: &'a Context,
) -> impl Iterator<Item = (u64, bool, bool, bool)> + 'a {
    ack.records.iter().zip(&before.telemetry).take(ack.hops as usize).map(move |(record, old)| {
        let new = core::telemetry(format, record);
        let dt = core::elapsed(format, new.ts, old.ts);
        (dt, core::older(format, dt), new.ts < old.ts, new.tx < old.tx)
    })
}

fn stale(c: &mut Cover, cfg: &Cfg, ack: &Ack, before: &Context) {
    c.hit_if(STALE, true);
    let half = 1 << (core::ts_bits(cfg.format) - 1);
    let mut hops = 0;
    let mut old = 0;
    let mut last = false;
    for (dt, older, _, _) in differences(cfg.format, ack, before) {
        hops += 1;
        old += u32::from(older);
        last = older;
        c.hit_if(HALF_RANGE, dt == half);
    }
    c.hit_if(STALE_LAST_HOP, hops > 1 && old == 1 && last);
}

fn measured(c: &mut Cover, cfg: &Cfg, now: u64, ack: &Ack, before: &Context, outcome: &Outcome) {
    c.hit_if(PAPER_FORMAT, cfg.format == Format::Paper && ack.hops > 0);
    c.hit_if(WIDE_FORMAT, cfg.format == Format::Wide && ack.hops > 0);
    c.hit_if(HOPS_1, ack.hops == 1);
    c.hit_if(HOPS_5, ack.hops == 5);
    c.hit_if(BAD_RATE, outcome.bad_rate);
    let age = cfg.time.sub(now, before.stored_at);
    c.hit_if(AGE_LIMIT, age == cfg.age);
    c.hit_if(TIME_WRAP, now < before.stored_at);
    let (mut hops, mut zero) = (0, 0);
    for (dt, _, ts_fell, tx_fell) in differences(cfg.format, ack, before) {
        hops += 1;
        zero += u32::from(dt == 0);
        c.hit_if(TS_WRAP, ts_fell);
        c.hit_if(TX_WRAP, tx_fell && dt != 0);
    }
    c.hit_if(DT_ZERO_ONE, zero > 0 && zero < hops);
    c.hit_if(DT_ZERO_ALL, zero > 0 && zero == hops);
    if let Some(winner) = outcome.winner {
        c.hit_if(DT_ABOVE_RTT, winner.dt > cfg.base_rtt);
        c.hit_if(EQUAL_U, winner.tied);
        c.hit_if(LATER_HOP_WINS, winner.hop > 0);
    }
    let ahead = outcome.full && ack.seq < before.last_update_seq;
    c.hit_if(SEQ_WRAP, ahead);
}

fn updated(c: &mut Cover, cfg: &Cfg, before: &Context, after: &Context, outcome: &Outcome) {
    let idle = !core::busy(cfg, after.u);
    if outcome.branch == Branch::Multiplicative {
        c.hit_if(FULL_MULTIPLICATIVE, outcome.full);
        c.hit_if(NOT_FULL_MULTIPLICATIVE, !outcome.full);
        c.hit_if(STAGE_SPENT, idle && cfg.max_stage > 0);
        c.hit_if(MAX_STAGE_ZERO, idle && cfg.max_stage == 0);
        c.hit_if(STAGE_FALLS, outcome.full && before.stage > 0);
        c.hit_if(U_TINY, after.u < cfg.smallest_u());
    } else {
        c.hit_if(FULL_ADDITIVE, outcome.full);
        c.hit_if(NOT_FULL_ADDITIVE, !outcome.full);
        c.hit_if(STAGE_REACHES_MAX, outcome.full && after.stage == cfg.max_stage);
    }
    c.hit_if(U_ABOVE_4, after.u > 4 * cfg.one_u());
    let packet_wins = cfg.floor() > cfg.first_window;
    c.hit_if(WINDOW_AT_FIRST, after.window == cfg.first_window);
    c.hit_if(WINDOW_AT_PACKET, after.window == cfg.floor() && !packet_wins);
    c.hit_if(PACKET_ABOVE_FIRST, packet_wins);
}
