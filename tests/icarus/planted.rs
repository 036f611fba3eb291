//! Bugs that are planted in copies of the rate limiter's RTL, and where each must show: what X
//! alone can see, what any simulator sees, and what an assertion says before a port does.

use crate::simulator::Edit;

/// A planted bug.
pub struct Bug {
    /// What is wrong.
    pub what: &'static str,
    /// The change of the RTL.
    pub edit: Edit,
    /// Scenario of build `short` that is played.
    pub scenario: &'static str,
    /// Port of the first mismatch.
    pub port: &'static str,
    /// How it shows.
    pub shows: Shows,
}

/// How a bug shows.
#[derive(Clone, Copy)]
pub enum Shows {
    /// The port is X, in part or whole.
    X,
    /// The port has another value, of 0 and 1 only.
    Wrong,
    /// An assertion says this before the port is wrong.
    Assertion(&'static str),
}

/// The planted bugs.
pub const PLANTED: &[Bug] = &[
    Bug {
        what: "a counter that is left out of reset",
        edit: ("rate_limiter.sv", "      stat_zero_length <= '0;\n", ""),
        scenario: "pacing",
        port: "stat_zero_length",
        shows: Shows::X,
    },
    Bug {
        what: "time left out of reset: nobody knows whether a half is due",
        edit: ("rl_slot.sv", "      now      <= TIME_W'(TIME_INIT);\n", ""),
        scenario: "single_cnp_recovers",
        port: "upd_valid",
        shows: Shows::X,
    },
    Bug {
        what: "a memory that the init sweep forgets: held or not is unknown",
        edit: ("rl_pacer.sv", "clear_we    = expire || init;", "clear_we    = expire;"),
        scenario: "pacing",
        port: "rsp_grant",
        shows: Shows::X,
    },
    Bug {
        what: "a CNP that is taken without its valid",
        edit: ("rl_slot.sv", "cnp_take_4_q <= cnp_valid_q[3] && ", "cnp_take_4_q <= "),
        scenario: "pacing",
        port: "upd_valid",
        shows: Shows::X,
    },
    Bug {
        what: "a wrong constant: peek is ready a cycle early",
        edit: (
            "rl_peek.sv",
            "WAIT_COUNT_W'(PEEK_INTERVAL - 2)",
            "WAIT_COUNT_W'(PEEK_INTERVAL - 3)",
        ),
        scenario: "single_cnp_recovers",
        port: "peek_ready",
        shows: Shows::Wrong,
    },
    Bug {
        what: "a wait that is rounded down",
        edit: ("rl_pacer.sv", "64'((1 << PACE_FRAC) - 1)", "64'd0"),
        scenario: "pacing",
        port: "rsp_wait",
        shows: Shows::Wrong,
    },
    Bug {
        what: "an episode that ends a half late, against the rate that it reached",
        edit: (
            "rl_loop.sv",
            "hold_at_floor(RATE_W'(halfway(64'(rate), 64'(goal))), floor) >= end_rate;",
            "rate >= end_rate;",
        ),
        scenario: "single_cnp_recovers",
        port: "upd_cause",
        shows: Shows::Assertion("rl_loop: queue pair"),
    },
];
