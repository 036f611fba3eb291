// Types of rl_disguised: one size, 8 queue pairs and a time of 12 bits.
package rl_types;
  import rl_pkg::*;

  typedef struct packed {
    logic enable_ecn;
    logic [16:0] weight;
    logic [16:0] first_estimate;
    logic [24:0] additive_step;
    logic [24:0] floor;
    logic [24:0] end_rate;
    logic [3:0] fast_recovery_attempt;
    logic [7:0] loops_per_increase;
    logic [32:0] line_byte_time;
    logic [5:0] pacing_slack;
    logic [16:0] initial_alpha;
    logic [24:0] first_cnp_rate;
    logic [GAIN_FRAC-1:0] alpha_gain;
    logic [11:0] alpha_period;
    logic [11:0] increase_period;
    logic [31:0] byte_reset;
    logic [4:0] threshold;
    logic [24:0] ai_rate;
    logic [24:0] hai_rate;
    logic cut_by_alpha;
    logic [DEC_FRAC:0] min_dec_fac;
    logic [24:0] min_rate;
    logic [11:0] monitor_period;
    logic clamp_target;
  } setup_t;

  typedef struct packed {
    logic valid;
    logic [3:0] qp;
    logic [13:0] bytes;
  } req_t;

  typedef struct packed {
    logic valid;
    logic [3:0] qp;
    logic grant;
    logic [23:0] delay;
    logic [2:0] error;
  } rsp_t;

  typedef struct packed {
    logic valid;
    logic [3:0] qp;
    logic [3:0] cause;
    logic [24:0] target;
    logic [16:0] estimate;
    logic [4:0] recovery;
    logic congested;
  } upd_t;

  typedef struct packed {
    logic valid;
    logic [3:0] qp;
    logic congested;
    logic [24:0] speed;
    logic [24:0] target;
    logic [16:0] estimate;
    logic [4:0] recovery;
    logic phase;
    logic [7:0] skipped;
    logic [11:0] deadline;
    logic [11:0] cnps;
    logic [11:0] packets;
    logic [4:0] timer_stage;
    logic [4:0] byte_stage;
    logic [11:0] alpha_deadline;
    logic [31:0] waiting_bytes;
    logic [11:0] last_cut;
    logic recent_cut;
    logic increased;
    logic held;
    logic [27:0] next_send;
    logic [2:0] error;
  } state_t;

  typedef struct packed {
    logic valid;
    logic [1:0] channel;
    logic [2:0] code;
    logic [3:0] qp;
  } err_t;
endpackage
