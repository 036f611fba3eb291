//! Attributes of random legs of the reaction point, in compressed time: periods near their legal
//! minimum, factors at their ends. The traffic is the block's own.

use super::cfg::{longest_round, most_cnps_in_a_round, shortest_alpha_period};
use crate::attributes::{AttributeSet, Value};
use crate::random::Draw;
use crate::rate_limiter::cfg::configure;
use crate::rate_limiter::random::{Change, Tempo};
use Value::{Bool, Integer, Real};
use congruent_ports::ParamSet;
use congruent_ports::rate_limiter::BLOCK;

/// CNPs take the sweep's slot. Legs leave room for so many in a row.
const ROOM_FOR_CNPS: u64 = 256;

const F: &str = "rpg_threshold";
const BYTES: &str = "rpg_byte_reset";
const G: &str = "dce_tcp_g";

/// Attributes that take turns, so that no row of coverage is left to chance. Rates in Mbps go with
/// the data_rate beside them.
pub const TURNS: &[&[Change]] = &[
    &[],
    // A long episode: the target stays below line rate, the stages climb to their end.
    &[
        (F, Integer(31)),
        ("clamp_tgt_rate", Bool(true)),
        (G, Integer(1023)),
        (BYTES, Integer(16_384)),
    ],
    &[(F, Integer(0)), (BYTES, Integer(16_384))],
    &[(BYTES, Integer(0))],
    // Bytes come faster than visits can count them.
    &[
        ("data_rate", Real(1600.0)),
        ("clock_mhz", Real(100.0)),
        ("rpg_min_rate", Real(800_000.0)),
        ("rate_to_set_on_first_cnp", Real(0.0)),
        ("rate_reduce_monitor_period", Real(4.0)),
        (BYTES, Integer(16_384)),
        (F, Integer(31)),
    ],
    &[(G, Integer(0)), ("rate_reduce_monitor_period", Real(0.0))],
    // A first cut so small that the rate stays within 0.1 Gbps of line rate.
    &[
        ("data_rate", Real(25.0)),
        ("clock_mhz", Real(100.0)),
        ("rpg_min_rate", Real(12_500.0)),
        ("rate_to_set_on_first_cnp", Real(0.0)),
        ("initial_alpha_value", Integer(1)),
        (G, Integer(1023)),
        ("rpg_gd", Integer(11)),
        ("rate_reduce_monitor_period", Real(0.5)),
        ("clamp_tgt_rate", Bool(true)),
        (F, Integer(0)),
        ("rpg_ai_rate", Real(50.0)),
        ("rpg_hai_rate", Real(2_500.0)),
        ("rpg_min_dec_fac", Integer(50)),
    ],
    &[("clamp_tgt_rate", Bool(false)), (F, Integer(1)), (BYTES, Integer(16_384))],
    &[("enable_ecn", Bool(false))],
    &[
        ("data_rate", Real(1.0)),
        ("clock_mhz", Real(100.0)),
        ("rpg_min_rate", Real(500.0)),
        ("rate_to_set_on_first_cnp", Real(750.0)),
    ],
    &[
        ("data_rate", Real(100.0)),
        ("rpg_min_rate", Real(50_000.0)),
        ("rate_to_set_on_first_cnp", Real(80_000.0)),
        (F, Integer(1)),
        ("rpg_ai_rate", Real(5_000.0)),
        ("rpg_hai_rate", Real(20_000.0)),
    ],
    &[
        ("data_rate", Real(200.0)),
        ("rpg_min_rate", Real(60_000.0)),
        ("rate_to_set_on_first_cnp", Real(0.0)),
        ("rpg_min_dec_fac", Integer(90)),
    ],
    &[
        ("data_rate", Real(800.0)),
        ("rpg_min_rate", Real(80_000.0)),
        ("rate_to_set_on_first_cnp", Real(0.0)),
        ("rpg_gd", Integer(10)),
        ("rpg_min_dec_fac", Integer(0)),
    ],
    // Slow increases, so that a cut finds them at work for long.
    &[
        ("rpg_ai_rate", Real(100.0)),
        ("rpg_hai_rate", Real(100.0)),
        ("rpg_min_dec_fac", Integer(75)),
        (F, Integer(1)),
        ("rate_reduce_monitor_period", Real(0.02)),
    ],
];

/// One draw, with a turn's changes.
pub fn draw_attributes(draw: &mut Draw, turn: &[Change], params: &ParamSet) -> AttributeSet {
    let clock = draw.pick(&[100.0, 250.0, 500.0, 1000.0, 2000.0]);
    let line = draw.pick(&[25.0, 100.0, 200.0, 400.0, 400.0, 800.0, 1600.0]);
    let turned = |name: &str| {
        turn.iter().find(|(changed, _)| *changed == name).and_then(|(_, value)| match value {
            Real(value) => Some(*value),
            _ => None,
        })
    };
    let clock = turned("clock_mhz").unwrap_or(clock);
    let mbps = 1000.0 * turned("data_rate").unwrap_or(line);
    let round = longest_round(params);
    let timer = round + draw.pick(&[0, 0, 1, 7, round, 5 * round]);
    let alpha = shortest_alpha_period(timer, params);
    let alpha = draw.pick(&[alpha, alpha, alpha + 1, timer.max(alpha), 3 * alpha]);
    let monitor = draw.pick(&[0, 0, 1, 2, 7, round / 2, timer]);
    let us = |cycles: u64| Real(cycles as f64 / clock);
    let (real, any_g, any_alpha) = (draw.real(), draw.below(1024), draw.below(1024));
    let (any_f, any_percent) = (draw.below(32), draw.below(101));
    let any_bytes = draw.between(16_384, 120_000);
    let least = draw.pick(&[0.1, 0.1, 0.02, 0.25, 0.5, 0.004, 1.0]);
    let first = draw.pick(&[0.0, 0.0, 1.0, least, least + (1.0 - least) * real]);
    let changes = [
        ("clock_mhz", Real(clock)),
        ("data_rate", Real(mbps / 1000.0)),
        ("rpg_time_reset", us(timer)),
        ("dce_tcp_rtt", us(alpha)),
        ("rate_reduce_monitor_period", us(monitor)),
        (BYTES, Integer(draw.pick(&[0, 16_384, 16_384, 20_000, 32_767, any_bytes]))),
        (F, Integer(draw.pick(&[0, 1, 1, 2, 5, any_f]))),
        ("rpg_ai_rate", Real(mbps * draw.pick(&[0.0, 0.0003, 0.01, 0.1, 0.05 * real]))),
        ("rpg_hai_rate", Real(mbps * draw.pick(&[0.001, 0.01, 0.1, 0.5, 0.1 * real]))),
        ("rpg_gd", Integer(draw.pick(&[11, 11, 10]))),
        ("rpg_min_dec_fac", Integer(draw.pick(&[50, 50, 0, 75, 100, any_percent]))),
        ("rpg_min_rate", Real((mbps * least).max(1.0))),
        (G, Integer(draw.pick(&[1020, 1019, 1023, 512, 0, any_g]))),
        ("initial_alpha_value", Integer(draw.pick(&[1023, 1023, 512, 0, any_alpha]))),
        ("rate_to_set_on_first_cnp", Real(mbps * first)),
        ("clamp_tgt_rate", Bool(draw.chance(1, 2))),
        ("pacing_slack", Integer(draw.pick(&[1, 1, 0, 2, 63, any_f]))),
    ];
    AttributeSet::defaults(&BLOCK).with(&changes).with(turn)
}

/// Whether attributes fit the parameters, and leave room for CNPs in a row.
pub fn has_room(attributes: &AttributeSet, params: &ParamSet) -> bool {
    configure(attributes, params)
        .is_ok_and(|cfg| most_cnps_in_a_round(&cfg, params) >= ROOM_FOR_CNPS)
}

/// How fast things happen.
pub(in crate::rate_limiter) fn tempo(attributes: &AttributeSet, params: &ParamSet) -> Tempo {
    match configure(attributes, params) {
        Ok(cfg) => Tempo {
            half: cfg.reaction.increase_period,
            cnps_in_a_row: most_cnps_in_a_round(&cfg, params) / 2,
        },
        Err(_) => Tempo { half: longest_round(params), cnps_in_a_row: 1 },
    }
}
