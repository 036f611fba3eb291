// The rate limiter in every disguise at once: packed structs, the falling edge of another clock, a reset
// that is 1, a valid that is 0, two more registers behind every output, rates in other formats, and
// handshakes where ours has none. It has one size, and no parameters.
module rl_disguised
  import rl_pkg::*;
  import rl_types::*;
(
  input  logic        clk_n,
  input  logic        rst,
  input  setup_t      setup_i,
  // A fraction of line rate in UQ1.28.
  input  logic [28:0] first_rate_i,
  // Cycles of half a loop, less 1.
  input  logic [11:0] half_less_one_i,
  // {1, queue pair} while there is none, {0, queue pair} for a CNP.
  input  logic [4:0]  cnp_i,
  output logic        cnp_ready_o,
  input  req_t        req_i,
  input  logic        peek_valid,
  input  logic [3:0]  peek_qp,
  output logic        peek_ready,
  output rsp_t        rsp_o,
  input  logic        rsp_ready_i,
  output upd_t        upd_o,
  // A fraction of line rate in UQ1.16, rounded down.
  output logic [16:0] upd_rate_o,
  output state_t      state_o,
  output err_t        err_o,
  output logic        init_done,
  output logic [15:0] stats_o [3]
);
  int bug;
  logic [1:0] cnps;
  logic [24:0] upd_rate;
  logic [23:0] rsp_wait;
  logic rsp_valid;
  rsp_t rsp, rsp_1;
  upd_t upd, upd_1;
  logic [16:0] rate_1;
  state_t state, state_1;
  err_t err, err_1;
  logic [15:0] stats[3], stats_1[3];

  initial if (!$value$plusargs("bug=%d", bug)) bug = 0;

  // Bug 1: every fourth CNP is refused.
  assign cnp_ready_o = !(bug == 1 && cnps == 2'd3);
  always_ff @(negedge clk_n) begin
    if (rst) cnps <= '0;
    else if (!cnp_i[4]) cnps <= cnps + 2'd1;
  end

  assign rsp.valid = rsp_valid && rsp_ready_i;
  // It says one cycle more than there is to wait. Bug 2: two.
  assign rsp.delay = rsp_wait + (bug == 2 ? 24'd2 : 24'd1);

  always_ff @(negedge clk_n) begin
    {rsp_o, rsp_1} <= {rsp_1, rsp};
    {upd_o, upd_1} <= {upd_1, upd};
    // Bug 3: rounded up.
    {upd_rate_o, rate_1} <= {rate_1, 17'(upd_rate >> 8) + 17'(bug == 3 && upd_rate[7:0] != 0)};
    {state_o, state_1} <= {state_1, state};
    {err_o, err_1} <= {err_1, err};
    stats_o <= stats_1;
    stats_1 <= stats;
  end

  rate_limiter #(
    .QPS(8), .QP_W(4), .TIME_W(12)
  ) inner (
    .clk(~clk_n), .rst_n(!rst), .cfg_enable_ecn(setup_i.enable_ecn),
    .cfg_half(half_less_one_i + 12'd1), .cfg_weight(setup_i.weight),
    .cfg_first_estimate(setup_i.first_estimate), .cfg_first_rate(first_rate_i[28:4]),
    .cfg_additive_step(setup_i.additive_step), .cfg_floor(setup_i.floor),
    .cfg_end_rate(setup_i.end_rate), .cfg_fast_recovery_attempt(setup_i.fast_recovery_attempt),
    .cfg_loops_per_increase(setup_i.loops_per_increase),
    .cfg_line_byte_time(setup_i.line_byte_time), .cfg_pacing_slack(setup_i.pacing_slack),
    .cfg_initial_alpha(setup_i.initial_alpha), .cfg_first_cnp_rate(setup_i.first_cnp_rate),
    .cfg_alpha_gain(setup_i.alpha_gain), .cfg_alpha_period(setup_i.alpha_period),
    .cfg_increase_period(setup_i.increase_period), .cfg_byte_reset(setup_i.byte_reset),
    .cfg_threshold(setup_i.threshold), .cfg_ai_rate(setup_i.ai_rate),
    .cfg_hai_rate(setup_i.hai_rate), .cfg_cut_by_alpha(setup_i.cut_by_alpha),
    .cfg_min_dec_fac(setup_i.min_dec_fac), .cfg_min_rate(setup_i.min_rate),
    .cfg_monitor_period(setup_i.monitor_period), .cfg_clamp_target(setup_i.clamp_target),
    .cnp_valid(!cnp_i[4] && cnp_ready_o), .cnp_qp(cnp_i[3:0]), .req_valid(req_i.valid),
    .req_qp(req_i.qp), .req_bytes(req_i.bytes), .peek_valid, .peek_qp, .peek_ready, .rsp_valid,
    .rsp_qp(rsp.qp), .rsp_grant(rsp.grant), .rsp_wait, .rsp_error(rsp.error), .upd_valid(upd.valid),
    .upd_qp(upd.qp), .upd_cause(upd.cause), .upd_rate, .upd_target(upd.target),
    .upd_estimate(upd.estimate), .upd_recovery(upd.recovery), .upd_congested(upd.congested),
    .peeked_valid(state.valid), .peeked_qp(state.qp), .peeked_congested(state.congested),
    .peeked_rate(state.speed), .peeked_target(state.target), .peeked_estimate(state.estimate),
    .peeked_recovery(state.recovery), .peeked_phase(state.phase), .peeked_skipped(state.skipped),
    .peeked_deadline(state.deadline), .peeked_cnps(state.cnps), .peeked_packets(state.packets),
    .peeked_timer_stage(state.timer_stage), .peeked_byte_stage(state.byte_stage),
    .peeked_alpha_deadline(state.alpha_deadline), .peeked_waiting_bytes(state.waiting_bytes),
    .peeked_last_cut(state.last_cut), .peeked_recent_cut(state.recent_cut),
    .peeked_increased(state.increased), .peeked_held(state.held),
    .peeked_next_send(state.next_send), .peeked_error(state.error), .err_valid(err.valid),
    .err_channel(err.channel), .err_code(err.code), .err_qp(err.qp), .init_done,
    .stat_cnps(stats[0]), .stat_range(stats[1]), .stat_zero_length(stats[2])
  );
endmodule
