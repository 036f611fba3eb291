// A second rate limiter, as another team would have built it: same page, another machine.
//
// It differs from rtl/rate_limiter.sv in all that the page leaves open: port names, reset polarity,
// registers instead of memories, one stage that commits everything instead of forwarding, the order
// in which queues are visited, the slot of an episode's beginning (always one cycle after the CNP),
// the division (reciprocal and long division in base 4096) and every latency. Vocabulary: queue for
// queue pair, ask and answer for request and response, goal for target, alpha for estimate.
//
// BUG plants one fault; bugs.toml says what each does and where it must show. 0 is none.
//
// Pins to commit: 5 cycles. Latencies from there are in ports.toml.
module rate_limiter_alt #(
  parameter int QPS       = 16,    // power of two, 2 or more
  parameter int QP_W      = 5,     // at least log2(QPS)
  parameter int TIME_W    = 32,    // 8 to 32
  parameter int TIME_INIT = -96,   // time in cycle 0, the cycle after the first with o_ready
  parameter int RATE_FRAC = 24,    // 12 to 24
  parameter int EST_FRAC  = 16,    // 8 to 16
  parameter int BUG       = 0
) (
  input  logic                 clock,
  input  logic                 reset,

  // Configuration, stable while out of reset.
  input  logic                 p_ecn_on,
  input  logic [TIME_W-1:0]    p_half_cycles,
  input  logic [EST_FRAC:0]    p_gain,
  input  logic [EST_FRAC:0]    p_first_alpha,
  input  logic [RATE_FRAC:0]   p_first_rate,
  input  logic [RATE_FRAC:0]   p_ai_step,
  input  logic [RATE_FRAC:0]   p_min_rate,
  input  logic [RATE_FRAC:0]   p_done_rate,
  input  logic [3:0]           p_fr_count,
  input  logic [7:0]           p_hold_loops,
  input  logic [32:0]          p_line_cpb,
  input  logic [5:0]           p_credit,

  // Pins of the published reaction point, which this machine does not have.
  input  logic [EST_FRAC:0]    p_rp_alpha,
  input  logic [RATE_FRAC:0]   p_rp_first_rate,
  input  logic [9:0]           p_rp_g,
  input  logic [TIME_W-1:0]    p_rp_alpha_cycles,
  input  logic [TIME_W-1:0]    p_rp_timer_cycles,
  input  logic [31:0]          p_rp_bytes,
  input  logic [4:0]           p_rp_threshold,
  input  logic [RATE_FRAC:0]   p_rp_ai,
  input  logic [RATE_FRAC:0]   p_rp_hai,
  input  logic                 p_rp_gd,
  input  logic [16:0]          p_rp_min_dec,
  input  logic [RATE_FRAC:0]   p_rp_min_rate,
  input  logic [TIME_W-1:0]    p_rp_monitor_cycles,
  input  logic                 p_rp_clamp,

  // CNP.
  input  logic                 i_cnp_vld,
  input  logic [QP_W-1:0]      i_cnp_queue,

  // Packet that asks to be sent, and its answer.
  input  logic                 i_ask_vld,
  input  logic [QP_W-1:0]      i_ask_queue,
  input  logic [13:0]          i_ask_len,
  output logic                 o_ans_vld,
  output logic [QP_W-1:0]      o_ans_queue,
  output logic                 o_ans_go,
  output logic [23:0]          o_ans_delay,
  output logic [2:0]           o_ans_err,

  // Runs of the loop.
  output logic                 o_loop_vld,
  output logic [QP_W-1:0]      o_loop_queue,
  output logic [3:0]           o_loop_why,
  output logic [RATE_FRAC:0]   o_loop_rate,
  output logic [RATE_FRAC:0]   o_loop_goal,
  output logic [EST_FRAC:0]    o_loop_alpha,
  output logic [4:0]           o_loop_recov,
  output logic                 o_loop_active,

  // Debug read.
  input  logic                 i_dbg_vld,
  output logic                 o_dbg_rdy,
  input  logic [QP_W-1:0]      i_dbg_queue,
  output logic                 o_dbg_vld,
  output logic [QP_W-1:0]      o_dbg_queue,
  output logic                 o_dbg_active,
  output logic [RATE_FRAC:0]   o_dbg_rate,
  output logic [RATE_FRAC:0]   o_dbg_goal,
  output logic [EST_FRAC:0]    o_dbg_alpha,
  output logic [4:0]           o_dbg_recov,
  output logic                 o_dbg_kind,
  output logic [7:0]           o_dbg_skips,
  output logic [TIME_W-1:0]    o_dbg_due,
  output logic [TIME_W-1:0]    o_dbg_cnps,
  output logic [TIME_W-1:0]    o_dbg_pkts,
  output logic [4:0]           o_dbg_rp_timer_stage,
  output logic [4:0]           o_dbg_rp_byte_stage,
  output logic [TIME_W-1:0]    o_dbg_rp_alpha_due,
  output logic [31:0]          o_dbg_rp_waiting,
  output logic [TIME_W-1:0]    o_dbg_rp_last_cut,
  output logic                 o_dbg_rp_recent,
  output logic                 o_dbg_rp_increased,
  output logic                 o_dbg_held,
  output logic [TIME_W+15:0]   o_dbg_next,
  output logic [2:0]           o_dbg_err,

  // Refused CNPs.
  output logic                 o_bad_vld,
  output logic [1:0]           o_bad_source,
  output logic [2:0]           o_bad_code,
  output logic [QP_W-1:0]      o_bad_queue,

  // Ready for events from the next cycle on, and counters that stop at their end.
  output logic                 o_ready,
  output logic [15:0]          o_n_cnps,
  output logic [15:0]          o_n_range,
  output logic [15:0]          o_n_empty
);
  localparam int IdxW       = $clog2(QPS);
  localparam int PaceW      = TIME_W + 16;
  localparam int RateW      = RATE_FRAC + 1;
  localparam int EstW       = EST_FRAC + 1;
  localparam int Depth      = 5;     // pins to commit
  localparam int DbgLatency = 23;
  localparam logic [2:0] ErrNone = 3'd0, ErrRange = 3'd1, ErrEmpty = 3'd3;
  localparam logic [2:0] WhyBegin = 3'd0, WhyDone = 3'd5;

`ifndef __ICARUS__
  // Icarus 11 does not read elaboration tasks.
  if (QPS < 2 || (1 << IdxW) != QPS || QP_W < IdxW) begin : g_bad_queues
    $error("QPS must be a power of two from 2, and QP_W at least log2(QPS)");
  end
  if (TIME_W < 8 || TIME_W > 32 || RATE_FRAC < 12 || RATE_FRAC > 24 ||
      EST_FRAC < 8 || EST_FRAC > 16) begin : g_bad_widths
    $error("TIME_W is 8 to 32, RATE_FRAC 12 to 24, EST_FRAC 8 to 16");
  end
`endif

  // --- The published reaction point is not here -------------------------------------------------
  logic [3:0] dbg_recov;
  logic       rp_unused;

  assign rp_unused = ^{p_rp_alpha, p_rp_first_rate, p_rp_g, p_rp_alpha_cycles, p_rp_timer_cycles,
                       p_rp_bytes, p_rp_threshold, p_rp_ai, p_rp_hai, p_rp_gd, p_rp_min_dec,
                       p_rp_min_rate, p_rp_monitor_cycles, p_rp_clamp};

  assign o_dbg_recov          = {1'b0, dbg_recov};
  assign o_dbg_rp_timer_stage = '0;
  assign o_dbg_rp_byte_stage  = '0;
  assign o_dbg_rp_alpha_due   = '0;
  assign o_dbg_rp_waiting     = '0;
  assign o_dbg_rp_last_cut    = '0;
  assign o_dbg_rp_recent      = 1'b0;
  assign o_dbg_rp_increased   = 1'b0;

  // --- Coming up -------------------------------------------------------------------------------
  logic [1:0]     boot;
  logic [Depth:0] legal;      // bit k: what was at the pins k cycles ago was in a legal cycle
  always_ff @(posedge clock) begin
    if (reset) begin
      boot    <= '0;
      o_ready <= 1'b0;
      legal   <= '0;
    end else begin
      if (boot != '1) boot <= boot + 1'b1;
      o_ready <= (boot == '1);
      legal   <= {legal[Depth-1:0], o_ready};
    end
  end

  // --- CNP: pins to commit, and on to the refusal ----------------------------------------------
  logic [Depth+1:1] cnp_vld, cnp_known;
  logic [QP_W-1:0]  cnp_queue [1:Depth+1];
  logic             cnp_take;
  always_ff @(posedge clock) begin
    if (reset) cnp_vld <= '0;
    else       cnp_vld <= {cnp_vld[Depth:1], i_cnp_vld};
    // BUG 25: a CNP of an unknown queue is taken for one of the queue with the same low bits.
    cnp_known <= {cnp_known[Depth:1], (i_cnp_queue >> IdxW) == '0 || BUG == 25};
    cnp_queue[1] <= i_cnp_queue;
  end
  for (genvar s = 1; s <= Depth; s++) begin : g_cnp
    always_ff @(posedge clock) cnp_queue[s+1] <= cnp_queue[s];
  end
  assign cnp_take = cnp_vld[Depth] && cnp_known[Depth] && p_ecn_on;

  // --- Request ---------------------------------------------------------------------------------
  logic             ask_vld, ask_go;
  logic [QP_W-1:0]  ask_queue;
  logic [2:0]       ask_err;
  logic [PaceW-1:0] ask_cost, ask_lead;
  logic             cpb_vld, cpb_line;
  logic [IdxW-1:0]  cpb_queue;
  logic [43:0]      cpb;
  rla_ask #(
    .QPS    (QPS),
    .QP_W   (QP_W),
    .TIME_W (TIME_W),
    .BUG    (BUG)
  ) u_ask (
    .clock       (clock),
    .reset       (reset),
    .p_line_cpb  (p_line_cpb),
    .i_vld       (i_ask_vld),
    .i_queue     (i_ask_queue),
    .i_len       (i_ask_len),
    .i_cpb_vld   (cpb_vld),
    .i_cpb_line  (cpb_line),
    .i_cpb_queue (cpb_queue),
    .i_cpb       (cpb),
    .o_vld       (ask_vld),
    .o_queue     (ask_queue),
    .o_err       (ask_err),
    .o_cost      (ask_cost)
  );

  // --- Debug read: pins to commit, and on until all earlier runs have come back ----------------
  logic [DbgLatency:1] dbg_vld;
  logic                dbg_known;
  logic [QP_W-1:0]     dbg_queue;
  always_ff @(posedge clock) begin
    if (reset) begin
      dbg_vld   <= '0;
      o_dbg_rdy <= 1'b0;
    end else begin
      dbg_vld   <= {dbg_vld[DbgLatency-1:1], i_dbg_vld && o_dbg_rdy};
      o_dbg_rdy <= (boot == '1) && !(i_dbg_vld && o_dbg_rdy) && (dbg_vld[DbgLatency-2:1] == '0);
    end
    if (i_dbg_vld && o_dbg_rdy) begin
      dbg_queue <= i_dbg_queue;
      dbg_known <= (i_dbg_queue >> IdxW) == '0;
    end
  end

  // --- Commit and loop -------------------------------------------------------------------------
  logic              op_vld, op_cut;
  logic [IdxW-1:0]   op_queue;
  logic [2:0]        op_why;
  logic [RateW-1:0]  op_rate, op_goal;
  logic [EstW-1:0]   op_alpha;
  logic [3:0]        op_recov;
  logic [TIME_W-1:0] op_cnps, op_pkts;
  logic              upd_vld;
  logic [IdxW-1:0]   upd_queue;
  logic [2:0]        upd_why;
  logic [RateW-1:0]  upd_rate, upd_goal;
  logic [EstW-1:0]   upd_alpha;
  logic [3:0]        upd_recov;

  rla_commit #(
    .QPS       (QPS),
    .TIME_W    (TIME_W),
    .TIME_INIT (TIME_INIT),
    .RATE_FRAC (RATE_FRAC),
    .EST_FRAC  (EST_FRAC),
    .BUG       (BUG)
  ) u_commit (
    .clock         (clock),
    .reset         (reset),
    .i_run         (legal[Depth]),
    .p_half_cycles (p_half_cycles),
    .p_first_rate  (p_first_rate),
    .p_first_alpha (p_first_alpha),
    .p_ai_step     (p_ai_step),
    .p_min_rate    (p_min_rate),
    .p_done_rate   (p_done_rate),
    .p_fr_count    (p_fr_count),
    .p_hold_loops  (p_hold_loops),
    .p_credit      (p_credit),
    .i_ask_vld     (ask_vld && ask_err == ErrNone),
    .i_ask_queue   (IdxW'(ask_queue)),
    .i_ask_cost    (ask_cost),
    .o_ask_go      (ask_go),
    .o_ask_lead    (ask_lead),
    .i_cnp_vld     (cnp_take),
    .i_cnp_queue   (IdxW'(cnp_queue[Depth])),
    .o_op_vld      (op_vld),
    .o_op_queue    (op_queue),
    .o_op_why      (op_why),
    .o_op_cut      (op_cut),
    .o_op_rate     (op_rate),
    .o_op_goal     (op_goal),
    .o_op_alpha    (op_alpha),
    .o_op_recov    (op_recov),
    .o_op_cnps     (op_cnps),
    .o_op_pkts     (op_pkts),
    .i_keep_vld    (upd_vld && upd_why != WhyBegin && upd_why != WhyDone),
    .i_keep_queue  (upd_queue),
    .i_keep_rate   (upd_rate),
    .i_keep_alpha  (upd_alpha),
    .i_dbg_vld     (dbg_vld[Depth]),
    .i_dbg_queue   (IdxW'(dbg_queue)),
    .i_dbg_settled (dbg_vld[DbgLatency-1]),
    .o_dbg_active  (o_dbg_active),
    .o_dbg_rate    (o_dbg_rate),
    .o_dbg_goal    (o_dbg_goal),
    .o_dbg_alpha   (o_dbg_alpha),
    .o_dbg_recov   (dbg_recov),
    .o_dbg_kind    (o_dbg_kind),
    .o_dbg_skips   (o_dbg_skips),
    .o_dbg_due     (o_dbg_due),
    .o_dbg_cnps    (o_dbg_cnps),
    .o_dbg_pkts    (o_dbg_pkts),
    .o_dbg_held    (o_dbg_held),
    .o_dbg_next    (o_dbg_next)
  );

  rla_loop #(
    .QPS       (QPS),
    .TIME_W    (TIME_W),
    .RATE_FRAC (RATE_FRAC),
    .EST_FRAC  (EST_FRAC),
    .BUG       (BUG)
  ) u_loop (
    .clock       (clock),
    .reset       (reset),
    .p_gain      (p_gain),
    .p_min_rate  (p_min_rate),
    .p_line_cpb  (p_line_cpb),
    .i_op_vld    (op_vld),
    .i_op_queue  (op_queue),
    .i_op_why    (op_why),
    .i_op_cut    (op_cut),
    .i_op_rate   (op_rate),
    .i_op_goal   (op_goal),
    .i_op_alpha  (op_alpha),
    .i_op_recov  (op_recov),
    .i_op_cnps   (op_cnps),
    .i_op_pkts   (op_pkts),
    .o_upd_vld   (upd_vld),
    .o_upd_queue (upd_queue),
    .o_upd_why   (upd_why),
    .o_upd_rate  (upd_rate),
    .o_upd_goal  (upd_goal),
    .o_upd_alpha (upd_alpha),
    .o_upd_recov (upd_recov),
    .o_cpb_vld   (cpb_vld),
    .o_cpb_line  (cpb_line),
    .o_cpb_queue (cpb_queue),
    .o_cpb       (cpb)
  );

  // --- Answers to requests ---------------------------------------------------------------------
  // After commit: 1 collects, 2 rounds the wait up, 3 saturates it, then the output register.
  logic [3:1]       ans_vld;
  logic [3:2]       ans_go;
  logic [QP_W-1:0]  ans_queue [1:3];
  logic [2:0]       ans_err   [1:3];
  logic [32:0]      ans_wait;
  logic [23:0]      ans_delay, ans_delay_next;
  assign ans_delay_next = ans_go[2] ? '0 : (ans_wait > 33'hff_ffff) ? 24'hff_ffff : 24'(ans_wait);
  always_ff @(posedge clock) begin
    ans_queue[1] <= ask_queue;
    ans_err[1]   <= ask_err;
  end
  for (genvar s = 1; s < 3; s++) begin : g_ans
    always_ff @(posedge clock) begin
      ans_queue[s+1] <= ans_queue[s];
      ans_err[s+1]   <= ans_err[s];
    end
  end
  always_ff @(posedge clock) begin
    if (reset) ans_vld <= '0;
    else       ans_vld <= {ans_vld[2:1], ask_vld};
    ans_go    <= {ans_go[2], ask_go};
    // BUG 24: the wait is rounded down.
    ans_wait  <= 33'(ask_lead[PaceW-1:16]) + 33'(ask_lead[15:0] != '0 && BUG != 24);
    ans_delay <= ans_delay_next;
  end

  // BUG 9: two answers in a row to different queues change places.
  // BUG 26: an answer with none behind it comes one cycle late.
  localparam int AnsW = QP_W + 1 + 24 + 3;
  logic [AnsW-1:0] ans_this, ans_behind, ans_back;
  logic            ans_swap, ans_keep, ans_owed;
  assign ans_this   = {ans_queue[3], ans_go[3], ans_delay, ans_err[3]};
  assign ans_behind = {ans_queue[2], ans_go[2], ans_delay_next, ans_err[2]};
  assign ans_swap   = BUG == 9 && ans_vld[3:2] == 2'b11 && ans_queue[3] != ans_queue[2] && !ans_owed;
  assign ans_keep   = BUG == 26 && ans_vld[3:2] == 2'b10;
  always_ff @(posedge clock) begin
    ans_back <= ans_this;
    if (reset) ans_owed <= 1'b0;
    else       ans_owed <= ans_swap || ans_keep;
  end

  // --- Outputs ---------------------------------------------------------------------------------
  always_ff @(posedge clock) begin
    if (reset) o_ans_vld <= 1'b0;
    else       o_ans_vld <= (ans_vld[3] && !ans_keep) || ans_owed;
    {o_ans_queue, o_ans_go, o_ans_delay, o_ans_err} <=
        ans_owed ? ans_back : ans_swap ? ans_behind : ans_this;
  end

  // BUG 10: each eighth run is not told. BUG 11: each eighth is told twice.
  logic [2:0] told;
  logic       upd_again;
  always_ff @(posedge clock) begin
    if (reset) begin
      o_loop_vld <= 1'b0;
      upd_again  <= 1'b0;
      told       <= '0;
    end else begin
      o_loop_vld <= (upd_vld && !(BUG == 10 && told == '1)) || upd_again;
      upd_again  <= BUG == 11 && upd_vld && told == '1;
      if (upd_vld) told <= told + 1'b1;
    end
    if (upd_vld) begin
      o_loop_queue  <= QP_W'(upd_queue);
      o_loop_why    <= {1'b0, upd_why};
      o_loop_rate   <= upd_rate;
      o_loop_goal   <= upd_goal;
      o_loop_alpha  <= upd_alpha;
      o_loop_recov  <= {1'b0, upd_recov};
      o_loop_active <= (upd_why != WhyDone);
    end
  end

  assign o_dbg_vld   = dbg_vld[DbgLatency];
  assign o_dbg_queue = dbg_queue;
  assign o_dbg_err   = dbg_known ? ErrNone : ErrRange;

  logic bad;
  assign bad          = cnp_vld[Depth+1] && !cnp_known[Depth+1];
  assign o_bad_source = 2'd0;
  assign o_bad_code   = ErrRange;
  always_ff @(posedge clock) begin
    if (reset) o_bad_vld <= 1'b0;
    else       o_bad_vld <= bad;
    o_bad_queue <= cnp_queue[Depth+1];
  end

  // A counter shows a beat in the cycle of the beat.
  logic [1:0]  more_range;
  logic        range_ans, range_dbg;
  logic [16:0] sum_range;
  assign range_ans  = ans_vld[3] && ans_err[3] == ErrRange;
  assign range_dbg  = dbg_vld[DbgLatency-1] && !dbg_known;
  assign more_range = 2'(range_ans) + 2'(range_dbg) + 2'(bad);
  assign sum_range  = 17'(o_n_range) + 17'(more_range);
  always_ff @(posedge clock) begin
    if (reset) begin
      o_n_cnps  <= '0;
      o_n_range <= '0;
      o_n_empty <= '0;
    end else begin
      if (cnp_vld[Depth+1] && cnp_known[Depth+1] && o_n_cnps != '1) o_n_cnps <= o_n_cnps + 1'b1;
      o_n_range <= sum_range[16] ? '1 : sum_range[15:0];
      if (ans_vld[3] && ans_err[3] == ErrEmpty && o_n_empty != '1) o_n_empty <= o_n_empty + 1'b1;
    end
  end
endmodule
