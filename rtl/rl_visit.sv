// What the sweep's visit does to a queue pair of the published reaction point: alpha's decay, the
// timer's increase, the byte counter's increase, each at most once and in this order, and the upd
// beats of them; and forgets a cut whose monitor period is over. Combinational: alpha has one
// product, the increases are additions in series. An end stops what follows.

module rl_visit
  import rl_pkg::*;
#(
  parameter int TIME_W = 32,
  parameter int RATE_FRAC = 24,
  parameter int EST_FRAC = 24,
  parameter int BYTE_W = 32,
  localparam int RATE_W = RATE_FRAC + 1,
  localparam int EST_W = EST_FRAC + 1,
  localparam int BEAT_W = 4 + 2 * RATE_W + EST_W + STAGE_W + 1
) (
  input  logic [GAIN_FRAC-1:0] cfg_alpha_gain,
  input  logic [TIME_W-1:0]    cfg_alpha_period,
  input  logic [TIME_W-1:0]    cfg_increase_period,
  input  logic [BYTE_W-1:0]    cfg_byte_reset,
  input  logic [STAGE_W-1:0]   cfg_threshold,
  input  logic [RATE_W-1:0]    cfg_ai_rate,
  input  logic [RATE_W-1:0]    cfg_hai_rate,
  input  logic [RATE_W-1:0]    cfg_end_rate,
  input  logic [TIME_W-1:0]    cfg_monitor_period,

  // A visit of a queue pair in an episode, and its state.
  input  logic                 visit,
  input  logic [TIME_W-1:0]    now,
  input  logic [RATE_W-1:0]    rate,
  input  logic [RATE_W-1:0]    target,
  input  logic [EST_W-1:0]     alpha,
  input  logic [STAGE_W-1:0]   timer_stage,
  input  logic [STAGE_W-1:0]   byte_stage,
  input  logic [TIME_W-1:0]    alpha_deadline,
  input  logic [TIME_W-1:0]    deadline,
  input  logic [BYTE_W-1:0]    byte_base,
  input  logic [TIME_W-1:0]    last_cut,
  input  logic                 recent_cut,
  input  logic                 increased,
  // Bytes granted so far, those of this cycle included.
  input  logic [BYTE_W-1:0]    total,

  // Something changes, and what it leaves; last_cut stays.
  output logic                 changes,
  output logic                 visit_congested,
  output logic [RATE_W-1:0]    visit_rate,
  output logic [RATE_W-1:0]    visit_target,
  output logic [EST_W-1:0]     visit_alpha,
  output logic [STAGE_W-1:0]   visit_timer_stage,
  output logic [STAGE_W-1:0]   visit_byte_stage,
  output logic [TIME_W-1:0]    visit_alpha_deadline,
  output logic [TIME_W-1:0]    visit_deadline,
  output logic [BYTE_W-1:0]    visit_byte_base,
  output logic                 visit_recent_cut,
  output logic                 visit_increased,

  // Its beats: {cause, rate, target, alpha, recovery, congested}.
  output logic                 alpha_beats,
  output logic                 timer_beats,
  output logic                 byte_beats,
  output logic [BEAT_W-1:0]    alpha_beat,
  output logic [BEAT_W-1:0]    timer_beat,
  output logic [BEAT_W-1:0]    byte_beat
);

  // --------------------------------------------------------------------------------------------
  // The functions of hw/src/rate_limiter/dcqcn/core.rs, under their names and with their rounding.
  // --------------------------------------------------------------------------------------------

  // Whether now has reached a time: their difference, read as signed, is not negative.
  function automatic logic reached(input logic [TIME_W-1:0] difference);
    return !difference[TIME_W-1];
  endfunction

  // alpha × G ÷ 1024, rounded down, so that it reaches 0.
  function automatic logic [EST_W-1:0] alpha_down(input logic [EST_W-1:0]     a,
                                                  input logic [GAIN_FRAC-1:0] gain);
    return EST_W'((64'(a) * 64'(gain)) >> GAIN_FRAC);
  endfunction

  // One more, saturating at all ones.
  function automatic logic [STAGE_W-1:0] stage_up(input logic [STAGE_W-1:0] stage);
    return (stage == '1) ? stage : stage + 1'b1;
  endfunction

  function automatic logic [STAGE_W-1:0] smaller(input logic [STAGE_W-1:0] a,
                                                 input logic [STAGE_W-1:0] b);
    return (a < b) ? a : b;
  endfunction

  // --------------------------------------------------------------------------------------------
  // What is due.
  // --------------------------------------------------------------------------------------------

  logic [TIME_W-1:0] alpha_overdue, overdue, since_cut;
  logic [BYTE_W-1:0] waiting_bytes;
  logic              decay, timer_increase, bytes_due, byte_increase, forget_cut;
  logic              timer_ends, byte_ends;

  assign alpha_overdue  = now - alpha_deadline;
  assign overdue        = now - deadline;
  assign since_cut      = now - last_cut;
  assign waiting_bytes  = total - byte_base;
  assign decay          = visit && reached(alpha_overdue);
  assign timer_increase = visit && reached(overdue);
  assign bytes_due      = visit && cfg_byte_reset != '0 && waiting_bytes >= cfg_byte_reset;
  assign forget_cut     = visit && recent_cut && since_cut >= cfg_monitor_period;

  // What ends at the timer's increase has no byte counter any more.
  assign byte_increase = bytes_due && !timer_ends;

  // --------------------------------------------------------------------------------------------
  // Both increases, one after the other.
  // --------------------------------------------------------------------------------------------

  logic [3:0]         timer_cause, byte_cause;
  logic [RATE_W-1:0]  timer_rate, timer_target, byte_rate, byte_target;
  logic [STAGE_W-1:0] timer_recovery, byte_recovery;
  logic [RATE_W-1:0]  between_rate, between_target;

  rl_increase #(
    .RATE_FRAC (RATE_FRAC)
  ) u_timer (
    .cfg_threshold (cfg_threshold),
    .cfg_ai_rate   (cfg_ai_rate),
    .cfg_hai_rate  (cfg_hai_rate),
    .cfg_end_rate  (cfg_end_rate),
    .increase      (timer_increase),
    .rate          (rate),
    .target        (target),
    .timer_stage   (visit_timer_stage),
    .byte_stage    (byte_stage),
    .next_cause    (timer_cause),
    .next_rate     (timer_rate),
    .next_target   (timer_target),
    .recovery      (timer_recovery),
    .ends          (timer_ends)
  );

  assign between_rate   = timer_increase ? timer_rate : rate;
  assign between_target = timer_increase ? timer_target : target;

  rl_increase #(
    .RATE_FRAC (RATE_FRAC)
  ) u_byte (
    .cfg_threshold (cfg_threshold),
    .cfg_ai_rate   (cfg_ai_rate),
    .cfg_hai_rate  (cfg_hai_rate),
    .cfg_end_rate  (cfg_end_rate),
    .increase      (byte_increase),
    .rate          (between_rate),
    .target        (between_target),
    .timer_stage   (visit_timer_stage),
    .byte_stage    (visit_byte_stage),
    .next_cause    (byte_cause),
    .next_rate     (byte_rate),
    .next_target   (byte_target),
    .recovery      (byte_recovery),
    .ends          (byte_ends)
  );

  // --------------------------------------------------------------------------------------------
  // The state after it. Each deadline counts from the previous one.
  // --------------------------------------------------------------------------------------------

  assign changes              = decay || timer_increase || byte_increase || forget_cut;
  assign visit_congested      = !timer_ends && !byte_ends;
  assign visit_rate           = byte_increase ? byte_rate : between_rate;
  assign visit_target         = byte_increase ? byte_target : between_target;
  assign visit_alpha          = decay ? alpha_down(alpha, cfg_alpha_gain) : alpha;
  assign visit_timer_stage    = timer_increase ? stage_up(timer_stage) : timer_stage;
  assign visit_byte_stage     = byte_increase ? stage_up(byte_stage) : byte_stage;
  assign visit_alpha_deadline = decay ? alpha_deadline + cfg_alpha_period : alpha_deadline;
  assign visit_deadline       = timer_increase ? deadline + cfg_increase_period : deadline;
  assign visit_recent_cut     = recent_cut && !forget_cut;
  assign visit_increased      = increased || timer_increase || byte_increase;

  // What is beyond one reset is carried over. Where half of 2^BYTE_W or more is waiting all of it
  // is forgotten, so that the count cannot wrap unseen.
  assign visit_byte_base = !byte_increase          ? byte_base :
                           waiting_bytes[BYTE_W-1] ? total     : byte_base + cfg_byte_reset;

  // --------------------------------------------------------------------------------------------
  // The beats.
  // --------------------------------------------------------------------------------------------

  assign alpha_beats = decay;
  assign timer_beats = timer_increase;
  assign byte_beats  = byte_increase;

  assign alpha_beat  = {CauseAlpha, rate, target, visit_alpha, smaller(timer_stage, byte_stage),
                        1'b1};
  assign timer_beat  = {timer_cause, timer_rate, timer_target, visit_alpha, timer_recovery,
                        !timer_ends};
  assign byte_beat   = {byte_cause, byte_rate, byte_target, visit_alpha, byte_recovery,
                        !byte_ends};

endmodule
