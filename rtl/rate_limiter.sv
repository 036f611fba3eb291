// Per-queue-pair rate limiter of a RoCE NIC: a DCQCN-style rate loop (DCQCN = 0) or the published
// DCQCN reaction point (DCQCN = 1), and a pacer, for QPS queue pairs. Ports, latencies and the
// order of effects within a cycle are those of the table hw/ports/src/rate_limiter.rs; the
// arithmetic is that of hw/src/rate_limiter/core.rs and hw/src/rate_limiter/dcqcn/core.rs.
//
// rl_pacer answers requests; rl_arrive brings CNPs and peeks to the stage where requests take
// effect, EFFECT_STAGE cycles after the pins, in which all meet; rl_byte_time turns a new rate into
// the pacer's byte time. Between them stands one loop or the other. DCQCN = 0: rl_slot counts CNPs
// and decides each cycle who has the loop's slot, rl_loop runs a half, rl_peek shows the state.
// DCQCN = 1: rl_reaction does all of it.

module rate_limiter
  import rl_pkg::*;
#(
  parameter int QPS = 256,
  parameter int QP_W = 12,
  parameter int TIME_W = 32,
  parameter int TIME_INIT = -96,
  parameter int RATE_FRAC = 24,
  parameter int EST_FRAC = 16,
  parameter int DCQCN = 0,
  parameter int BYTE_W = 32
) (
  input  logic                        clk,
  input  logic                        rst_n,

  // Configuration, stable from before reset is released.
  input  logic                        cfg_enable_ecn,
  input  logic [TIME_W-1:0]           cfg_half,
  input  logic [EST_FRAC:0]           cfg_weight,
  input  logic [EST_FRAC:0]           cfg_first_estimate,
  input  logic [RATE_FRAC:0]          cfg_first_rate,
  input  logic [RATE_FRAC:0]          cfg_additive_step,
  input  logic [RATE_FRAC:0]          cfg_floor,
  input  logic [RATE_FRAC:0]          cfg_end_rate,
  input  logic [3:0]                  cfg_fast_recovery_attempt,
  input  logic [7:0]                  cfg_loops_per_increase,
  input  logic [LINE_BYTE_TIME_W-1:0] cfg_line_byte_time,
  input  logic [5:0]                  cfg_pacing_slack,
  input  logic [EST_FRAC:0]           cfg_initial_alpha,
  input  logic [RATE_FRAC:0]          cfg_first_cnp_rate,
  input  logic [GAIN_FRAC-1:0]        cfg_alpha_gain,
  input  logic [TIME_W-1:0]           cfg_alpha_period,
  input  logic [TIME_W-1:0]           cfg_increase_period,
  input  logic [BYTE_W-1:0]           cfg_byte_reset,
  input  logic [STAGE_W-1:0]          cfg_threshold,
  input  logic [RATE_FRAC:0]          cfg_ai_rate,
  input  logic [RATE_FRAC:0]          cfg_hai_rate,
  input  logic                        cfg_cut_by_alpha,
  input  logic [DEC_FRAC:0]           cfg_min_dec_fac,
  input  logic [RATE_FRAC:0]          cfg_min_rate,
  input  logic [TIME_W-1:0]           cfg_monitor_period,
  input  logic                        cfg_clamp_target,

  // A CNP arrived.
  input  logic                        cnp_valid,
  input  logic [QP_W-1:0]             cnp_qp,

  // A packet asks to be sent.
  input  logic                        req_valid,
  input  logic [QP_W-1:0]             req_qp,
  input  logic [BYTES_W-1:0]          req_bytes,

  // A queue pair's state is asked for.
  input  logic                        peek_valid,
  input  logic [QP_W-1:0]             peek_qp,
  output logic                        peek_ready,

  // The answer to each request.
  output logic                        rsp_valid,
  output logic [QP_W-1:0]             rsp_qp,
  output logic                        rsp_grant,
  output logic [WAIT_W-1:0]           rsp_wait,
  output logic [2:0]                  rsp_error,

  // A run of the loop.
  output logic                        upd_valid,
  output logic [QP_W-1:0]             upd_qp,
  output logic [3:0]                  upd_cause,
  output logic [RATE_FRAC:0]          upd_rate,
  output logic [RATE_FRAC:0]          upd_target,
  output logic [EST_FRAC:0]           upd_estimate,
  output logic [STAGE_W-1:0]          upd_recovery,
  output logic                        upd_congested,

  // The answer to each peek.
  output logic                        peeked_valid,
  output logic [QP_W-1:0]             peeked_qp,
  output logic                        peeked_congested,
  output logic [RATE_FRAC:0]          peeked_rate,
  output logic [RATE_FRAC:0]          peeked_target,
  output logic [EST_FRAC:0]           peeked_estimate,
  output logic [STAGE_W-1:0]          peeked_recovery,
  output logic                        peeked_phase,
  output logic [7:0]                  peeked_skipped,
  output logic [TIME_W-1:0]           peeked_deadline,
  output logic [TIME_W-1:0]           peeked_cnps,
  output logic [TIME_W-1:0]           peeked_packets,
  output logic [STAGE_W-1:0]          peeked_timer_stage,
  output logic [STAGE_W-1:0]          peeked_byte_stage,
  output logic [TIME_W-1:0]           peeked_alpha_deadline,
  output logic [BYTE_W-1:0]           peeked_waiting_bytes,
  output logic [TIME_W-1:0]           peeked_last_cut,
  output logic                        peeked_recent_cut,
  output logic                        peeked_increased,
  output logic                        peeked_held,
  output logic [TIME_W+PACE_FRAC-1:0] peeked_next_send,
  output logic [2:0]                  peeked_error,

  // An invalid CNP.
  output logic                        err_valid,
  output logic [1:0]                  err_channel,
  output logic [2:0]                  err_code,
  output logic [QP_W-1:0]             err_qp,

  // Levels.
  output logic                        init_done,
  output logic [15:0]                 stat_cnps,
  output logic [15:0]                 stat_range,
  output logic [15:0]                 stat_zero_length
);

  localparam int CTX_W = $clog2(QPS);
  localparam int PACE_W = TIME_W + PACE_FRAC;

  // --------------------------------------------------------------------------------------------
  // Parameters that cannot work stop elaboration.
  // --------------------------------------------------------------------------------------------

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (QPS < 2 || QPS > 4096 || (QPS & (QPS - 1)) != 0) begin : g_check_qps
    $fatal(1, "rate_limiter: QPS must be a power of two from 2 to 4096");
  end
  if (QP_W < CTX_W || QP_W > 16) begin : g_check_qp_w
    $fatal(1, "rate_limiter: QP_W must be from log2(QPS) to 16");
  end
  if (TIME_W < 8 || TIME_W > 32) begin : g_check_time_w
    $fatal(1, "rate_limiter: TIME_W must be from 8 to 32");
  end
  if (RATE_FRAC < 12 || RATE_FRAC > 24) begin : g_check_rate_frac
    $fatal(1, "rate_limiter: RATE_FRAC must be from 12 to 24");
  end
  if (DCQCN < 0 || DCQCN > 1) begin : g_check_dcqcn
    $fatal(1, "rate_limiter: DCQCN must be 0 or 1");
  end
  if (DCQCN == 0 && (EST_FRAC < 8 || EST_FRAC > 16)) begin : g_check_est_frac
    $fatal(1, "rate_limiter: EST_FRAC must be from 8 to 16 with DCQCN = 0");
  end
  if (DCQCN != 0 && (EST_FRAC < GAIN_FRAC || EST_FRAC > 24)) begin : g_check_alpha
    $fatal(1, "rate_limiter: EST_FRAC must be from 10 to 24 with DCQCN = 1");
  end
  if (BYTE_W < 20 || BYTE_W > 32) begin : g_check_byte_w
    $fatal(1, "rate_limiter: BYTE_W must be from 20 to 32");
  end
`endif

  // --------------------------------------------------------------------------------------------
  // What both loops share: the pacer, the way to the effect stage, the byte time of a new rate.
  // --------------------------------------------------------------------------------------------

  // The pacer's total of what was granted: packets, or bytes.
  localparam int SENT_W = (DCQCN != 0) ? BYTE_W : TIME_W;

  // Configuration that meets the effect stage's long paths: registered once.
  logic [5:0] cfg_pacing_slack_q;

  always_ff @(posedge clk) cfg_pacing_slack_q <= cfg_pacing_slack;

  logic                   init;
  logic [CTX_W-1:0]       init_ctx;
  logic [TIME_W-1:0]      now;
  logic [CTX_W-1:0]       look_ctx_d, look_ctx;
  logic                   visit, look_held;
  logic [SENT_W-1:0]      look_sent, cnp_sent;
  logic [PACE_W-1:0]      look_next_send;
  logic                   cnp_read, cnp_take_d, cnp_take;
  logic [CTX_W-1:0]       cnp_ctx_d, cnp_ctx;
  logic                   peek_accepted, peek_take_d, peek_take;

  logic                   byte_time_valid;
  logic [CTX_W-1:0]       byte_time_ctx;
  logic [BYTE_TIME_W-1:0] byte_time;

  logic                   rsp_range_d, rsp_zero_length_d, err_range_d, peeked_range_d;
  logic                   cnp_accepted_d;

  rl_pacer #(
    .QPS        (QPS),
    .QP_W       (QP_W),
    .TIME_W     (TIME_W),
    .SENT_W     (SENT_W),
    .SENT_BYTES (DCQCN)
  ) u_pacer (
    .clk                (clk),
    .rst_n              (rst_n),
    .cfg_line_byte_time (cfg_line_byte_time),
    .cfg_pacing_slack   (cfg_pacing_slack_q),
    .init               (init),
    .init_ctx           (init_ctx),
    .req_valid          (req_valid),
    .req_qp             (req_qp),
    .req_bytes          (req_bytes),
    .rsp_valid          (rsp_valid),
    .rsp_qp             (rsp_qp),
    .rsp_grant          (rsp_grant),
    .rsp_wait           (rsp_wait),
    .rsp_error          (rsp_error),
    .rsp_range_d        (rsp_range_d),
    .rsp_zero_length_d  (rsp_zero_length_d),
    .byte_time_valid    (byte_time_valid),
    .byte_time_ctx      (byte_time_ctx),
    .byte_time          (byte_time),
    .now                (now),
    .look_ctx_d         (look_ctx_d),
    .look_ctx           (look_ctx),
    .visit              (visit),
    .look_sent          (look_sent),
    .look_held          (look_held),
    .look_next_send     (look_next_send),
    .cnp_read           (cnp_read),
    .cnp_ctx_d          (cnp_ctx_d),
    .cnp_ctx            (cnp_ctx),
    .cnp_sent           (cnp_sent)
  );

  rl_arrive #(
    .QPS  (QPS),
    .QP_W (QP_W)
  ) u_arrive (
    .clk            (clk),
    .rst_n          (rst_n),
    .cfg_enable_ecn (cfg_enable_ecn),
    .cnp_valid      (cnp_valid),
    .cnp_qp         (cnp_qp),
    .err_valid      (err_valid),
    .err_channel    (err_channel),
    .err_code       (err_code),
    .err_qp         (err_qp),
    .err_range_d    (err_range_d),
    .cnp_accepted_d (cnp_accepted_d),
    .peek_valid     (peek_accepted),
    .peek_qp        (peek_qp),
    .cnp_read       (cnp_read),
    .cnp_ctx_d      (cnp_ctx_d),
    .cnp_take_d     (cnp_take_d),
    .peek_take_d    (peek_take_d),
    .cnp_take       (cnp_take),
    .cnp_ctx        (cnp_ctx),
    .peek_take      (peek_take),
    .peeked_qp      (peeked_qp)
  );

  rl_byte_time #(
    .QPS       (QPS),
    .RATE_FRAC (RATE_FRAC)
  ) u_byte_time (
    .clk                (clk),
    .rst_n              (rst_n),
    .cfg_line_byte_time (cfg_line_byte_time),
    .rate_valid         (upd_valid),
    .rate_ctx           (upd_qp[CTX_W-1:0]),
    .rate               (upd_rate),
    .byte_time_valid    (byte_time_valid),
    .byte_time_ctx      (byte_time_ctx),
    .byte_time          (byte_time)
  );

  if (DCQCN == 0) begin : g_scala
    // ------------------------------------------------------------------------------------------
    // The loop that runs every half of the control interval.
    // ------------------------------------------------------------------------------------------

    logic [TIME_W-1:0]  cfg_half_q;
    logic [7:0]         cfg_loops_per_increase_q;

    always_ff @(posedge clk) begin
      cfg_half_q               <= cfg_half;
      cfg_loops_per_increase_q <= cfg_loops_per_increase;
    end

    logic               look_ends, seen_first;
    logic               run_valid;
    logic [CTX_W-1:0]   run_ctx;
    logic [3:0]         run_cause, run_recovery, seen_recovery;
    logic [TIME_W-1:0]  run_cnps, run_packets;

    logic               loop_read;
    logic [CTX_W-1:0]   loop_ctx;
    logic [RATE_FRAC:0] loop_rate, loop_target;
    logic [EST_FRAC:0]  loop_estimate;
    logic [3:0]         loop_recovery;

    rl_slot #(
      .QPS       (QPS),
      .TIME_W    (TIME_W),
      .TIME_INIT (TIME_INIT)
    ) u_slot (
      .clk                    (clk),
      .rst_n                  (rst_n),
      .cfg_half               (cfg_half_q),
      .cfg_loops_per_increase (cfg_loops_per_increase_q),
      .init                   (init),
      .init_ctx               (init_ctx),
      .init_done              (init_done),
      .cnp_read               (cnp_read),
      .cnp_ctx_d              (cnp_ctx_d),
      .cnp_take               (cnp_take),
      .cnp_ctx                (cnp_ctx),
      .peek_take_d            (peek_take_d),
      .peek_take              (peek_take),
      .peek_ctx               (peeked_qp[CTX_W-1:0]),
      .now                    (now),
      .look_ctx_d             (look_ctx_d),
      .look_ctx               (look_ctx),
      .visit                  (visit),
      .look_packets           (look_sent),
      .look_ends              (look_ends),
      .cnp_packets            (cnp_sent),
      .run_valid              (run_valid),
      .run_ctx                (run_ctx),
      .run_cause              (run_cause),
      .run_cnps               (run_cnps),
      .run_packets            (run_packets),
      .seen_first             (seen_first),
      .peeked_congested       (peeked_congested),
      .peeked_phase           (peeked_phase),
      .peeked_skipped         (peeked_skipped),
      .peeked_deadline        (peeked_deadline),
      .peeked_cnps            (peeked_cnps),
      .peeked_packets         (peeked_packets)
    );

    rl_loop #(
      .QPS       (QPS),
      .QP_W      (QP_W),
      .TIME_W    (TIME_W),
      .RATE_FRAC (RATE_FRAC),
      .EST_FRAC  (EST_FRAC)
    ) u_loop (
      .clk                       (clk),
      .rst_n                     (rst_n),
      .cfg_weight                (cfg_weight),
      .cfg_first_estimate        (cfg_first_estimate),
      .cfg_first_rate            (cfg_first_rate),
      .cfg_additive_step         (cfg_additive_step),
      .cfg_floor                 (cfg_floor),
      .cfg_end_rate              (cfg_end_rate),
      .cfg_fast_recovery_attempt (cfg_fast_recovery_attempt),
      .run_valid                 (run_valid),
      .run_ctx                   (run_ctx),
      .run_cause                 (run_cause),
      .run_cnps                  (run_cnps),
      .run_packets               (run_packets),
      .peek_read                 (loop_read),
      .peek_ctx                  (loop_ctx),
      .peek_rate                 (loop_rate),
      .peek_target               (loop_target),
      .peek_estimate             (loop_estimate),
      .peek_recovery             (loop_recovery),
      .look_ctx_d                (look_ctx_d),
      .look_ends                 (look_ends),
      .upd_valid                 (upd_valid),
      .upd_qp                    (upd_qp),
      .upd_cause                 (upd_cause),
      .upd_rate                  (upd_rate),
      .upd_target                (upd_target),
      .upd_estimate              (upd_estimate),
      .upd_recovery              (run_recovery),
      .upd_congested             (upd_congested)
    );

    rl_peek #(
      .QPS       (QPS),
      .QP_W      (QP_W),
      .TIME_W    (TIME_W),
      .RATE_FRAC (RATE_FRAC),
      .EST_FRAC  (EST_FRAC)
    ) u_peek (
      .clk                (clk),
      .rst_n              (rst_n),
      .cfg_first_estimate (cfg_first_estimate),
      .cfg_first_rate     (cfg_first_rate),
      .init_done          (init_done),
      .peek_valid         (peek_valid),
      .peek_ready         (peek_ready),
      .peek_accepted      (peek_accepted),
      .seen_valid         (peek_take),
      .seen_first         (seen_first),
      .peeked_qp          (peeked_qp),
      .peeked_congested   (peeked_congested),
      .look_held          (look_held),
      .look_next_send     (look_next_send),
      .loop_read          (loop_read),
      .loop_ctx           (loop_ctx),
      .loop_rate          (loop_rate),
      .loop_target        (loop_target),
      .loop_estimate      (loop_estimate),
      .loop_recovery      (loop_recovery),
      .write_valid        (upd_valid),
      .write_qp           (upd_qp),
      .write_rate         (upd_rate),
      .write_target       (upd_target),
      .write_estimate     (upd_estimate),
      .write_recovery     (run_recovery),
      .peeked_valid       (peeked_valid),
      .peeked_rate        (peeked_rate),
      .peeked_target      (peeked_target),
      .peeked_estimate    (peeked_estimate),
      .peeked_recovery    (seen_recovery),
      .peeked_held        (peeked_held),
      .peeked_next_send   (peeked_next_send),
      .peeked_error       (peeked_error),
      .peeked_range_d     (peeked_range_d)
    );

    assign upd_recovery          = STAGE_W'(run_recovery);
    assign peeked_recovery       = STAGE_W'(seen_recovery);

    // What only the reaction point has.
    assign peeked_timer_stage    = '0;
    assign peeked_byte_stage     = '0;
    assign peeked_alpha_deadline = '0;
    assign peeked_waiting_bytes  = '0;
    assign peeked_last_cut       = '0;
    assign peeked_recent_cut     = 1'b0;
    assign peeked_increased      = 1'b0;

    logic unused_reaction;
    assign unused_reaction = ^{cnp_take_d, cfg_initial_alpha, cfg_first_cnp_rate, cfg_alpha_gain,
                               cfg_alpha_period, cfg_increase_period, cfg_byte_reset,
                               cfg_threshold, cfg_ai_rate, cfg_hai_rate, cfg_cut_by_alpha,
                               cfg_min_dec_fac, cfg_min_rate, cfg_monitor_period,
                               cfg_clamp_target};
  end else begin : g_reaction
    // ------------------------------------------------------------------------------------------
    // The published reaction point.
    // ------------------------------------------------------------------------------------------

    rl_reaction #(
      .QPS       (QPS),
      .QP_W      (QP_W),
      .TIME_W    (TIME_W),
      .TIME_INIT (TIME_INIT),
      .RATE_FRAC (RATE_FRAC),
      .EST_FRAC  (EST_FRAC),
      .BYTE_W    (BYTE_W)
    ) u_reaction (
      .clk                   (clk),
      .rst_n                 (rst_n),
      .cfg_end_rate          (cfg_end_rate),
      .cfg_initial_alpha     (cfg_initial_alpha),
      .cfg_first_cnp_rate    (cfg_first_cnp_rate),
      .cfg_alpha_gain        (cfg_alpha_gain),
      .cfg_alpha_period      (cfg_alpha_period),
      .cfg_increase_period   (cfg_increase_period),
      .cfg_byte_reset        (cfg_byte_reset),
      .cfg_threshold         (cfg_threshold),
      .cfg_ai_rate           (cfg_ai_rate),
      .cfg_hai_rate          (cfg_hai_rate),
      .cfg_cut_by_alpha      (cfg_cut_by_alpha),
      .cfg_min_dec_fac       (cfg_min_dec_fac),
      .cfg_min_rate          (cfg_min_rate),
      .cfg_monitor_period    (cfg_monitor_period),
      .cfg_clamp_target      (cfg_clamp_target),
      .init                  (init),
      .init_ctx              (init_ctx),
      .init_done             (init_done),
      .cnp_take_d            (cnp_take_d),
      .cnp_ctx_d             (cnp_ctx_d),
      .cnp_take              (cnp_take),
      .peek_take_d           (peek_take_d),
      .peek_take             (peek_take),
      .peeked_qp             (peeked_qp),
      .now                   (now),
      .look_ctx_d            (look_ctx_d),
      .look_ctx              (look_ctx),
      .visit                 (visit),
      .look_total            (look_sent),
      .look_held             (look_held),
      .look_next_send        (look_next_send),
      .cnp_total             (cnp_sent),
      .upd_valid             (upd_valid),
      .upd_qp                (upd_qp),
      .upd_cause             (upd_cause),
      .upd_rate              (upd_rate),
      .upd_target            (upd_target),
      .upd_estimate          (upd_estimate),
      .upd_recovery          (upd_recovery),
      .upd_congested         (upd_congested),
      .peeked_valid          (peeked_valid),
      .peeked_congested      (peeked_congested),
      .peeked_rate           (peeked_rate),
      .peeked_target         (peeked_target),
      .peeked_estimate       (peeked_estimate),
      .peeked_recovery       (peeked_recovery),
      .peeked_deadline       (peeked_deadline),
      .peeked_timer_stage    (peeked_timer_stage),
      .peeked_byte_stage     (peeked_byte_stage),
      .peeked_alpha_deadline (peeked_alpha_deadline),
      .peeked_waiting_bytes  (peeked_waiting_bytes),
      .peeked_last_cut       (peeked_last_cut),
      .peeked_recent_cut     (peeked_recent_cut),
      .peeked_increased      (peeked_increased),
      .peeked_held           (peeked_held),
      .peeked_next_send      (peeked_next_send),
      .peeked_error          (peeked_error),
      .peeked_range_d        (peeked_range_d)
    );

    ready_interval #(
      .INTERVAL (PEEK_INTERVAL)
    ) u_peek_ready (
      .clk       (clk),
      .rst_n     (rst_n),
      .init_done (init_done),
      .valid     (peek_valid),
      .ready     (peek_ready)
    );

    assign peek_accepted   = peek_valid && peek_ready;

    // What only the other loop has.
    assign peeked_phase    = 1'b0;
    assign peeked_skipped  = '0;
    assign peeked_cnps     = '0;
    assign peeked_packets  = '0;

    logic unused_scala;
    assign unused_scala = ^{cfg_half, cfg_weight, cfg_first_estimate, cfg_first_rate,
                            cfg_additive_step, cfg_floor, cfg_fast_recovery_attempt,
                            cfg_loops_per_increase};
  end

  // --------------------------------------------------------------------------------------------
  // Counters of what was accepted and refused; they saturate and show the beat of their cycle.
  // --------------------------------------------------------------------------------------------

  // n more, at most 0xffff.
  function automatic logic [15:0] count(input logic [15:0] stat, input logic [1:0] n);
    logic [16:0] sum;
    sum = {1'b0, stat} + 17'(n);
    return sum[16] ? 16'hffff : sum[15:0];
  endfunction

  // As many answers can be refused in one cycle as there are channels that answer.
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      stat_cnps        <= '0;
      stat_range       <= '0;
      stat_zero_length <= '0;
    end else begin
      if (cnp_accepted_d)    stat_cnps        <= count(stat_cnps, 2'd1);
      if (rsp_zero_length_d) stat_zero_length <= count(stat_zero_length, 2'd1);
      if (rsp_range_d || err_range_d || peeked_range_d) begin
        stat_range <= count(stat_range, 2'(rsp_range_d) + 2'(err_range_d) + 2'(peeked_range_d));
      end
    end
  end

`ifdef CONGRUENT_ASSERT
  // Cycles from the pins of a request to the pins of its answer: rsp_latency of the table.
  localparam int RSP_LATENCY = EFFECT_STAGE + 2;

  // What the pins have asked: when, and for whom.
  logic [RSP_LATENCY:1] asked_q;
  logic [QP_W-1:0]      asked_qp [8];
  logic [2:0]           asked_count_q, answered_count_q;
  logic                 legal_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      asked_q          <= '0;
      asked_count_q    <= '0;
      answered_count_q <= '0;
      legal_q          <= 1'b0;
    end else begin
      asked_q <= {asked_q[RSP_LATENCY-1:1], req_valid};
      legal_q <= init_done;
      if (req_valid) begin
        asked_qp[asked_count_q] <= req_qp;
        asked_count_q           <= asked_count_q + 1'b1;
      end
      if (rsp_valid) answered_count_q <= answered_count_q + 1'b1;
    end
  end

  always @(posedge clk) begin
    if (rst_n && (rsp_valid || asked_q[RSP_LATENCY])) begin
      assert (rsp_valid && asked_q[RSP_LATENCY])
        else $error("rate_limiter: a request without its answer, or an answer without its request");
      assert (rsp_qp == asked_qp[answered_count_q])
        else $error("rate_limiter: an answer to queue pair %0d is due to %0d", rsp_qp,
                    asked_qp[answered_count_q]);
      assert (rsp_error != 3'd0 || rsp_grant == (rsp_wait == '0))
        else $error("rate_limiter: grant %0d of queue pair %0d with wait %0d", rsp_grant, rsp_qp,
                    rsp_wait);
    end
    if (rst_n && (cnp_valid || req_valid || peek_valid)) begin
      assert (legal_q)
        else $error("rate_limiter: an event before the cycle after init_done");
    end
  end
`endif

endmodule
