// The published DCQCN reaction point, in the place of rl_slot and rl_loop: moves time and the sweep
// (the init sweep of every memory included), decides who has the slot of a cycle (a CNP, else a
// peek, else with no upd beat waiting the sweep's visit), and keeps the state of each queue pair.
//
// The loop is one stage, the effect stage: it reads what the cycle before wrote (the memories'
// bypass) and writes what the next one reads. Whom the next effect stage works on is known one
// cycle ahead. A peek reads through a port of its own, one stage later.

module rl_reaction
  import rl_pkg::*;
#(
  parameter int QPS = 256,
  parameter int QP_W = 12,
  parameter int TIME_W = 32,
  parameter int TIME_INIT = 0,
  parameter int RATE_FRAC = 24,
  parameter int EST_FRAC = 24,
  parameter int BYTE_W = 32,
  localparam int CTX_W = $clog2(QPS),
  localparam int RATE_W = RATE_FRAC + 1,
  localparam int EST_W = EST_FRAC + 1,
  localparam int PACE_W = TIME_W + PACE_FRAC
) (
  input  logic                 clk,
  input  logic                 rst_n,
  input  logic [RATE_W-1:0]    cfg_end_rate,
  input  logic [EST_W-1:0]     cfg_initial_alpha,
  input  logic [RATE_W-1:0]    cfg_first_cnp_rate,
  input  logic [GAIN_FRAC-1:0] cfg_alpha_gain,
  input  logic [TIME_W-1:0]    cfg_alpha_period,
  input  logic [TIME_W-1:0]    cfg_increase_period,
  input  logic [BYTE_W-1:0]    cfg_byte_reset,
  input  logic [STAGE_W-1:0]   cfg_threshold,
  input  logic [RATE_W-1:0]    cfg_ai_rate,
  input  logic [RATE_W-1:0]    cfg_hai_rate,
  input  logic                 cfg_cut_by_alpha,
  input  logic [DEC_FRAC:0]    cfg_min_dec_fac,
  input  logic [RATE_W-1:0]    cfg_min_rate,
  input  logic [TIME_W-1:0]    cfg_monitor_period,
  input  logic                 cfg_clamp_target,

  // Init sweep: whose memories are written in this cycle.
  output logic                 init,
  output logic [CTX_W-1:0]     init_ctx,
  output logic                 init_done,

  // CNPs and peeks of the next effect stage, and of this one.
  input  logic                 cnp_take_d,
  input  logic [CTX_W-1:0]     cnp_ctx_d,
  input  logic                 cnp_take,
  input  logic                 peek_take_d,
  input  logic                 peek_take,
  input  logic [QP_W-1:0]      peeked_qp,

  // Time of the effect stage.
  output logic [TIME_W-1:0]    now,

  // Look port of the pacer: whom the next effect stage looks at, whom this one does, whether the
  // sweep visits; its view of that queue pair, and its total of bytes granted to that of the CNP.
  output logic [CTX_W-1:0]     look_ctx_d,
  output logic [CTX_W-1:0]     look_ctx,
  output logic                 visit,
  input  logic [BYTE_W-1:0]    look_total,
  input  logic                 look_held,
  input  logic [PACE_W-1:0]    look_next_send,
  input  logic [BYTE_W-1:0]    cnp_total,

  // upd.
  output logic                 upd_valid,
  output logic [QP_W-1:0]      upd_qp,
  output logic [3:0]           upd_cause,
  output logic [RATE_W-1:0]    upd_rate,
  output logic [RATE_W-1:0]    upd_target,
  output logic [EST_W-1:0]     upd_estimate,
  output logic [STAGE_W-1:0]   upd_recovery,
  output logic                 upd_congested,

  // peeked, but the queue pair.
  output logic                 peeked_valid,
  output logic                 peeked_congested,
  output logic [RATE_W-1:0]    peeked_rate,
  output logic [RATE_W-1:0]    peeked_target,
  output logic [EST_W-1:0]     peeked_estimate,
  output logic [STAGE_W-1:0]   peeked_recovery,
  output logic [TIME_W-1:0]    peeked_deadline,
  output logic [STAGE_W-1:0]   peeked_timer_stage,
  output logic [STAGE_W-1:0]   peeked_byte_stage,
  output logic [TIME_W-1:0]    peeked_alpha_deadline,
  output logic [BYTE_W-1:0]    peeked_waiting_bytes,
  output logic [TIME_W-1:0]    peeked_last_cut,
  output logic                 peeked_recent_cut,
  output logic                 peeked_increased,
  output logic                 peeked_held,
  output logic [PACE_W-1:0]    peeked_next_send,
  output logic [2:0]           peeked_error,
  output logic                 peeked_range_d
);

  // A beat: {cause, rate, target, alpha, recovery, congested}.
  localparam int BEAT_W = 4 + 2 * RATE_W + EST_W + STAGE_W + 1;

  // Configuration meets the effect stage's long paths: registered once.
  logic [RATE_W-1:0]    end_rate_q, first_cnp_rate_q, ai_rate_q, hai_rate_q, min_rate_q;
  logic [EST_W-1:0]     initial_alpha_q;
  logic [GAIN_FRAC-1:0] alpha_gain_q;
  logic [TIME_W-1:0]    alpha_period_q, increase_period_q, monitor_period_q;
  logic [BYTE_W-1:0]    byte_reset_q;
  logic [STAGE_W-1:0]   threshold_q;
  logic [DEC_FRAC:0]    min_dec_fac_q;
  logic                 cut_by_alpha_q, clamp_target_q;

  always_ff @(posedge clk) begin
    end_rate_q        <= cfg_end_rate;
    initial_alpha_q   <= cfg_initial_alpha;
    first_cnp_rate_q  <= cfg_first_cnp_rate;
    alpha_gain_q      <= cfg_alpha_gain;
    alpha_period_q    <= cfg_alpha_period;
    increase_period_q <= cfg_increase_period;
    byte_reset_q      <= cfg_byte_reset;
    threshold_q       <= cfg_threshold;
    ai_rate_q         <= cfg_ai_rate;
    hai_rate_q        <= cfg_hai_rate;
    cut_by_alpha_q    <= cfg_cut_by_alpha;
    min_dec_fac_q     <= cfg_min_dec_fac;
    min_rate_q        <= cfg_min_rate;
    monitor_period_q  <= cfg_monitor_period;
    clamp_target_q    <= cfg_clamp_target;
  end

  // --------------------------------------------------------------------------------------------
  // Time, the sweep and the slot: the sweep stands unless it visits. Events of cycle 0 reach the
  // effect stage EFFECT_STAGE cycles later, and from then on time and the sweep run.
  // --------------------------------------------------------------------------------------------

  logic             running, waiting, hold;
  logic [CTX_W-1:0] sweep_ctx, sweep_ctx_d, peek_ctx, slot_ctx_d, slot_ctx;

  assign hold = cnp_take || peek_take || waiting;

  sweep #(
    .COUNT (QPS),
    .DELAY (EFFECT_STAGE)
  ) u_sweep (
    .clk         (clk),
    .rst_n       (rst_n),
    .hold        (hold),
    .init_active (init),
    .init_index  (init_ctx),
    .init_done   (init_done),
    .running     (running),
    .visit       (visit),
    .index       (sweep_ctx),
    .index_d     (sweep_ctx_d)
  );

  // Whom a visit goes to is look_ctx, and slot_ctx.
  logic unused_sweep_ctx;
  assign unused_sweep_ctx = ^sweep_ctx;

  // The pacer is looked at for a peek in the sweep's stead; the state is not, but for a CNP.
  assign peek_ctx   = peeked_qp[CTX_W-1:0];
  assign look_ctx_d = peek_take_d ? peek_ctx : sweep_ctx_d;
  assign slot_ctx_d = cnp_take_d ? cnp_ctx_d : sweep_ctx_d;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      now      <= TIME_W'(TIME_INIT);
      look_ctx <= '0;
      slot_ctx <= '0;
    end else begin
      if (running) now <= now + 1'b1;
      look_ctx <= look_ctx_d;
      slot_ctx <= slot_ctx_d;
    end
  end

  // --------------------------------------------------------------------------------------------
  // The effect stage: a CNP cuts, or a visit serves what is due.
  // --------------------------------------------------------------------------------------------

  // The state of the slot's queue pair.
  logic               congested, recent_cut, increased;
  logic [RATE_W-1:0]  rate, target;
  logic [EST_W-1:0]   alpha;
  logic [STAGE_W-1:0] timer_stage, byte_stage;
  logic [TIME_W-1:0]  alpha_deadline, deadline, last_cut;
  logic [BYTE_W-1:0]  byte_base;

  logic               cuts;
  logic [RATE_W-1:0]  cut_rate, cut_target;
  logic [EST_W-1:0]   cut_alpha;

  rl_cut #(
    .TIME_W    (TIME_W),
    .RATE_FRAC (RATE_FRAC),
    .EST_FRAC  (EST_FRAC)
  ) u_cut (
    .cfg_initial_alpha  (initial_alpha_q),
    .cfg_first_cnp_rate (first_cnp_rate_q),
    .cfg_alpha_gain     (alpha_gain_q),
    .cfg_cut_by_alpha   (cut_by_alpha_q),
    .cfg_min_dec_fac    (min_dec_fac_q),
    .cfg_min_rate       (min_rate_q),
    .cfg_monitor_period (monitor_period_q),
    .cfg_clamp_target   (clamp_target_q),
    .cnp                (cnp_take),
    .now                (now),
    .congested          (congested),
    .rate               (rate),
    .target             (target),
    .alpha              (alpha),
    .last_cut           (last_cut),
    .recent_cut         (recent_cut),
    .increased          (increased),
    .cuts               (cuts),
    .cut_rate           (cut_rate),
    .cut_target         (cut_target),
    .cut_alpha          (cut_alpha)
  );

  logic               changes;
  logic               visit_congested, visit_recent_cut, visit_increased;
  logic [RATE_W-1:0]  visit_rate, visit_target;
  logic [EST_W-1:0]   visit_alpha;
  logic [STAGE_W-1:0] visit_timer_stage, visit_byte_stage;
  logic [TIME_W-1:0]  visit_alpha_deadline, visit_deadline;
  logic [BYTE_W-1:0]  visit_byte_base;
  logic               alpha_beats, timer_beats, byte_beats;
  logic [BEAT_W-1:0]  alpha_beat, timer_beat, byte_beat;

  rl_visit #(
    .TIME_W    (TIME_W),
    .RATE_FRAC (RATE_FRAC),
    .EST_FRAC  (EST_FRAC),
    .BYTE_W    (BYTE_W)
  ) u_visit (
    .cfg_alpha_gain       (alpha_gain_q),
    .cfg_alpha_period     (alpha_period_q),
    .cfg_increase_period  (increase_period_q),
    .cfg_byte_reset       (byte_reset_q),
    .cfg_threshold        (threshold_q),
    .cfg_ai_rate          (ai_rate_q),
    .cfg_hai_rate         (hai_rate_q),
    .cfg_end_rate         (end_rate_q),
    .cfg_monitor_period   (monitor_period_q),
    .visit                (visit && congested),
    .now                  (now),
    .rate                 (rate),
    .target               (target),
    .alpha                (alpha),
    .timer_stage          (timer_stage),
    .byte_stage           (byte_stage),
    .alpha_deadline       (alpha_deadline),
    .deadline             (deadline),
    .byte_base            (byte_base),
    .last_cut             (last_cut),
    .recent_cut           (recent_cut),
    .increased            (increased),
    .total                (look_total),
    .changes              (changes),
    .visit_congested      (visit_congested),
    .visit_rate           (visit_rate),
    .visit_target         (visit_target),
    .visit_alpha          (visit_alpha),
    .visit_timer_stage    (visit_timer_stage),
    .visit_byte_stage     (visit_byte_stage),
    .visit_alpha_deadline (visit_alpha_deadline),
    .visit_deadline       (visit_deadline),
    .visit_byte_base      (visit_byte_base),
    .visit_recent_cut     (visit_recent_cut),
    .visit_increased      (visit_increased),
    .alpha_beats          (alpha_beats),
    .timer_beats          (timer_beats),
    .byte_beats           (byte_beats),
    .alpha_beat           (alpha_beat),
    .timer_beat           (timer_beat),
    .byte_beat            (byte_beat)
  );

  // --------------------------------------------------------------------------------------------
  // Beats: those of a visit without gaps, or the cut's.
  // --------------------------------------------------------------------------------------------

  logic [3:1]        beat_valid;
  logic [BEAT_W-1:0] beat_1, beat_2;
  logic [CTX_W-1:0]  upd_ctx;

  always_comb begin
    beat_valid = '0;
    beat_1     = alpha_beat;
    beat_2     = timer_beat;
    if (cuts) begin
      beat_valid = 3'b001;
      beat_1     = {congested ? CauseCut : CauseEpisode, cut_rate, cut_target, cut_alpha,
                    STAGE_W'(0), 1'b1};
    end else begin
      beat_valid[1] = alpha_beats || timer_beats || byte_beats;
      beat_valid[2] = (alpha_beats && (timer_beats || byte_beats)) || (timer_beats && byte_beats);
      beat_valid[3] = alpha_beats && timer_beats && byte_beats;
      if (!alpha_beats)                beat_1 = timer_beats ? timer_beat : byte_beat;
      if (!alpha_beats || !timer_beats) beat_2 = byte_beat;
    end
  end

  rl_upd_queue #(
    .WIDTH (BEAT_W),
    .CTX_W (CTX_W)
  ) u_upd_queue (
    .clk       (clk),
    .rst_n     (rst_n),
    .waiting   (waiting),
    .in_valid  (beat_valid),
    .in_ctx    (slot_ctx),
    .in_1      (beat_1),
    .in_2      (beat_2),
    .in_3      (byte_beat),
    .out_valid (upd_valid),
    .out_ctx   (upd_ctx),
    .out       ({upd_cause, upd_rate, upd_target, upd_estimate, upd_recovery, upd_congested})
  );

  assign upd_qp = QP_W'(upd_ctx);

  // --------------------------------------------------------------------------------------------
  // Memories. A cut writes everything; where it starts an episode, what was there before does not
  // count.
  // --------------------------------------------------------------------------------------------

  localparam int EPISODE_W = 3 + 2 * STAGE_W + EST_W;

  logic                   episode_we, state_we;
  logic [CTX_W-1:0]       episode_waddr;
  logic [EPISODE_W-1:0]   episode_wdata;
  logic [2*RATE_W-1:0]    rates_wdata;
  logic [2*TIME_W-1:0]    deadlines_wdata;
  logic [BYTE_W+TIME_W-1:0] marks_wdata;

  always_comb begin
    state_we        = cuts || changes;
    episode_we      = state_we || init;
    episode_waddr   = init ? init_ctx : slot_ctx;
    episode_wdata   = '0;
    rates_wdata     = '0;
    deadlines_wdata = '0;
    marks_wdata     = '0;
    if (cuts) begin
      episode_wdata   = {1'b1, monitor_period_q != '0, 1'b0, STAGE_W'(0), STAGE_W'(0), cut_alpha};
      rates_wdata     = {cut_rate, cut_target};
      deadlines_wdata = {now + alpha_period_q, now + increase_period_q};
      marks_wdata     = {cnp_total, now};
    end else if (changes) begin
      episode_wdata   = {visit_congested, visit_recent_cut, visit_increased, visit_timer_stage,
                         visit_byte_stage, visit_alpha};
      rates_wdata     = {visit_rate, visit_target};
      deadlines_wdata = {visit_alpha_deadline, visit_deadline};
      marks_wdata     = {visit_byte_base, last_cut};
    end
  end

  // Read ports: a for the slot, b for a peek one stage later.
  logic               seen_congested, seen_recent_cut, seen_increased;
  logic [RATE_W-1:0]  seen_rate, seen_target;
  logic [EST_W-1:0]   seen_alpha;
  logic [STAGE_W-1:0] seen_timer_stage, seen_byte_stage;
  logic [TIME_W-1:0]  seen_alpha_deadline, seen_deadline, seen_last_cut;
  logic [BYTE_W-1:0]  seen_byte_base;

  // {congested, recent_cut, increased, both stages, alpha}: the only one with an init.
  ram_1w2r #(
    .WIDTH (EPISODE_W),
    .DEPTH (QPS)
  ) u_episode (
    .clk     (clk),
    .we      (episode_we),
    .waddr   (episode_waddr),
    .wdata   (episode_wdata),
    .a_re    (1'b1),
    .a_raddr (slot_ctx_d),
    .a_rdata ({congested, recent_cut, increased, timer_stage, byte_stage, alpha}),
    .b_re    (peek_take),
    .b_raddr (peek_ctx),
    .b_rdata ({seen_congested, seen_recent_cut, seen_increased, seen_timer_stage,
               seen_byte_stage, seen_alpha})
  );

  ram_1w2r #(
    .WIDTH (2 * RATE_W),
    .DEPTH (QPS)
  ) u_rates (
    .clk     (clk),
    .we      (state_we),
    .waddr   (slot_ctx),
    .wdata   (rates_wdata),
    .a_re    (1'b1),
    .a_raddr (slot_ctx_d),
    .a_rdata ({rate, target}),
    .b_re    (peek_take),
    .b_raddr (peek_ctx),
    .b_rdata ({seen_rate, seen_target})
  );

  ram_1w2r #(
    .WIDTH (2 * TIME_W),
    .DEPTH (QPS)
  ) u_deadlines (
    .clk     (clk),
    .we      (state_we),
    .waddr   (slot_ctx),
    .wdata   (deadlines_wdata),
    .a_re    (1'b1),
    .a_raddr (slot_ctx_d),
    .a_rdata ({alpha_deadline, deadline}),
    .b_re    (peek_take),
    .b_raddr (peek_ctx),
    .b_rdata ({seen_alpha_deadline, seen_deadline})
  );

  // What is counted from: bytes, and the monitor period.
  ram_1w2r #(
    .WIDTH (BYTE_W + TIME_W),
    .DEPTH (QPS)
  ) u_marks (
    .clk     (clk),
    .we      (state_we),
    .waddr   (slot_ctx),
    .wdata   (marks_wdata),
    .a_re    (1'b1),
    .a_raddr (slot_ctx_d),
    .a_rdata ({byte_base, last_cut}),
    .b_re    (peek_take),
    .b_raddr (peek_ctx),
    .b_rdata ({seen_byte_base, seen_last_cut})
  );

  rl_reaction_peek #(
    .QPS       (QPS),
    .QP_W      (QP_W),
    .TIME_W    (TIME_W),
    .RATE_FRAC (RATE_FRAC),
    .EST_FRAC  (EST_FRAC),
    .BYTE_W    (BYTE_W)
  ) u_peek (
    .clk                   (clk),
    .rst_n                 (rst_n),
    .cfg_monitor_period    (monitor_period_q),
    .peek_take             (peek_take),
    .peeked_qp             (peeked_qp),
    .now                   (now),
    .look_held             (look_held),
    .look_next_send        (look_next_send),
    .look_total            (look_total),
    .congested             (seen_congested),
    .rate                  (seen_rate),
    .target                (seen_target),
    .alpha                 (seen_alpha),
    .timer_stage           (seen_timer_stage),
    .byte_stage            (seen_byte_stage),
    .alpha_deadline        (seen_alpha_deadline),
    .deadline              (seen_deadline),
    .byte_base             (seen_byte_base),
    .last_cut              (seen_last_cut),
    .recent_cut            (seen_recent_cut),
    .increased             (seen_increased),
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

`ifdef CONGRUENT_ASSERT
  localparam logic [RATE_W-1:0] LINE = {1'b1, RATE_FRAC'(0)};

  always @(posedge clk) begin
    if (rst_n && upd_valid) begin
      assert (min_rate_q <= upd_rate && upd_rate <= upd_target && upd_target <= LINE)
        else $error("rl_reaction: rate %0d, target %0d of queue pair %0d are not in this order",
                    upd_rate, upd_target, upd_qp);
    end
    if (rst_n && visit) begin
      assert (look_ctx == slot_ctx)
        else $error("rl_reaction: a visit looks at queue pair %0d and works on %0d", look_ctx,
                    slot_ctx);
    end
    if (rst_n && cuts) begin
      assert (!changes)
        else $error("rl_reaction: a cut and a visit of queue pair %0d in one cycle", slot_ctx);
    end
  end
`endif

endmodule
