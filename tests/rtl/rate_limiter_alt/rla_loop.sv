// The slow arithmetic of the loop: estimate, cut, and cycles a byte at the new rate.
//
// Takes one run a cycle, answers each after 15 cycles (o_upd_*, which is also what the queue keeps)
// and hands its cycles a byte to the pacer after another 17. Runs of one queue are far enough apart
// that the answer is always kept before the next one is taken.
module rla_loop #(
  parameter int QPS       = 16,
  parameter int TIME_W    = 32,
  parameter int RATE_FRAC = 24,
  parameter int EST_FRAC  = 16,
  parameter int BUG       = 0,
  localparam int IdxW  = $clog2(QPS),
  localparam int RateW = RATE_FRAC + 1,
  localparam int EstW  = EST_FRAC + 1
) (
  input  logic              clock,
  input  logic              reset,

  input  logic [EstW-1:0]   p_gain,
  input  logic [RateW-1:0]  p_min_rate,
  input  logic [32:0]       p_line_cpb,

  input  logic              i_op_vld,
  input  logic [IdxW-1:0]   i_op_queue,
  input  logic [2:0]        i_op_why,
  input  logic              i_op_cut,
  input  logic [RateW-1:0]  i_op_rate,
  input  logic [RateW-1:0]  i_op_goal,
  input  logic [EstW-1:0]   i_op_alpha,
  input  logic [3:0]        i_op_recov,
  input  logic [TIME_W-1:0] i_op_cnps,
  input  logic [TIME_W-1:0] i_op_pkts,

  output logic              o_upd_vld,
  output logic [IdxW-1:0]   o_upd_queue,
  output logic [2:0]        o_upd_why,
  output logic [RateW-1:0]  o_upd_rate,
  output logic [RateW-1:0]  o_upd_goal,
  output logic [EstW-1:0]   o_upd_alpha,
  output logic [3:0]        o_upd_recov,

  output logic              o_cpb_vld,
  output logic              o_cpb_line,
  output logic [IdxW-1:0]   o_cpb_queue,
  output logic [43:0]       o_cpb
);
  localparam int RatioDigits  = 2;
  localparam int RatioLatency = 7 + 2 * RatioDigits;
  localparam int CpbDigits    = 5;
  localparam int CpbLatency   = 7 + 2 * CpbDigits;
  localparam logic [EstW-1:0] One = {1'b1, {EST_FRAC{1'b0}}};
  localparam logic [2:0] WhyBegin = 3'd0, WhyDone = 3'd5;

  // --- CNPs a packet ---------------------------------------------------------------------------
  // A fraction of 24 bits, of which the upper EST_FRAC count.
  logic                      ratio_vld;
  logic [12*RatioDigits-1:0] ratio_quo;
  rla_divide #(
    .DenW    (TIME_W),
    .Digits  (RatioDigits),
    .Correct ((BUG == 22) ? 0 : 1)   // BUG 22: a digit of the quotient that is one short stays so
  ) u_ratio (
    .clock    (clock),
    .reset    (reset),
    .i_vld    (i_op_vld),
    .i_rem    (i_op_cnps),
    .i_digits ({12*RatioDigits{1'b0}}),
    .i_den    (i_op_pkts),
    .o_vld    (ratio_vld),
    .o_quo    (ratio_quo)
  );

  // What waits for it. One CNP a packet or more is a ratio of 1.
  localparam int CarryW = IdxW + 3 + 1 + 2 * RateW + EstW + 4 + 2;
  logic [CarryW-1:0] carry_in, carry_out;
  logic [IdxW-1:0]   c_queue;
  logic [2:0]        c_why;
  logic              c_cut, c_none, c_all;
  logic [RateW-1:0]  c_rate, c_goal;
  logic [EstW-1:0]   c_alpha;
  logic [3:0]        c_recov;
  assign carry_in = {i_op_queue, i_op_why, i_op_cut, i_op_rate, i_op_goal, i_op_alpha, i_op_recov,
                     i_op_cnps == '0, i_op_cnps >= i_op_pkts};
  assign {c_queue, c_why, c_cut, c_rate, c_goal, c_alpha, c_recov, c_none, c_all} = carry_out;
  rla_delay #(
    .Width  (CarryW),
    .Cycles (RatioLatency)
  ) u_carry (
    .clock  (clock),
    .reset  (reset),
    .i_word (carry_in),
    .o_word (carry_out)
  );

  logic [EstW-1:0] ratio;
  always_comb begin
    if (c_none)     ratio = '0;
    else if (c_all) ratio = One;
    else            ratio = EstW'(ratio_quo >> (12 * RatioDigits - EST_FRAC));
  end

  // --- Estimate and cut, four stages -----------------------------------------------------------
  // 1: both products. 2: estimate. 3: product of the cut. 4: rate.
  logic [3:1]        vld;
  logic [IdxW-1:0]   queue [3];
  logic [2:0]        why   [3];
  logic              cut   [3];
  logic [RateW-1:0]  rate  [3];
  logic [RateW-1:0]  goal  [3];
  logic [3:0]        recov [3];
  logic [2*EstW-1:0] newer, older;
  logic [EstW-1:0]   rest_gain, alpha_1, alpha_2, alpha_3, alpha_next;
  logic [RateW+EstW-1:0] depth;
  logic [RateW-1:0]  depth_rounded, rate_cut, rate_kept;

  always_comb begin
    rest_gain = One - p_gain;
    // BUG 16: rounded down instead of half up.
    alpha_next = EstW'((newer + older +
                        ((BUG == 16) ? '0 : (2*EstW)'(1) << (EST_FRAC - 1))) >> EST_FRAC);
    depth_rounded = RateW'((depth + ((RateW+EstW)'(1) << EST_FRAC)) >> (EST_FRAC + 1));
    rate_cut      = rate[2] - depth_rounded;
    // BUG 4: a cut may go below the floor.
    rate_kept     = (rate_cut < p_min_rate && BUG != 4) ? p_min_rate : rate_cut;
  end

  always_ff @(posedge clock) begin
    if (reset) {o_upd_vld, vld} <= '0;
    else       {o_upd_vld, vld} <= {vld, ratio_vld};

    if (ratio_vld) begin
      queue[0] <= c_queue;
      why[0]   <= c_why;
      cut[0]   <= c_cut;
      rate[0]  <= c_rate;
      goal[0]  <= c_goal;
      recov[0] <= c_recov;
      alpha_1  <= c_alpha;
      newer    <= (2*EstW)'(p_gain) * (2*EstW)'(ratio);
      older    <= (2*EstW)'(rest_gain) * (2*EstW)'(c_alpha);
    end
    if (vld[1]) begin
      queue[1] <= queue[0];
      why[1]   <= why[0];
      cut[1]   <= cut[0];
      rate[1]  <= rate[0];
      goal[1]  <= goal[0];
      recov[1] <= recov[0];
      // The estimate of a beginning is a constant that has this step in it.
      alpha_2  <= (why[0] == WhyBegin) ? alpha_1 : alpha_next;
    end
    if (vld[2]) begin
      queue[2] <= queue[1];
      why[2]   <= why[1];
      cut[2]   <= cut[1];
      rate[2]  <= rate[1];
      goal[2]  <= goal[1];
      recov[2] <= recov[1];
      alpha_3  <= alpha_2;
      depth    <= (RateW+EstW)'(rate[1]) * (RateW+EstW)'(alpha_2);
    end
    if (vld[3]) begin
      o_upd_queue <= queue[2];
      o_upd_why   <= why[2];
      o_upd_rate  <= cut[2] ? rate_kept : rate[2];
      o_upd_goal  <= goal[2];
      o_upd_alpha <= alpha_3;
      o_upd_recov <= recov[2];
    end
  end

  // --- Cycles a byte ---------------------------------------------------------------------------
  logic                    cpb_vld;
  logic [12*CpbDigits-1:0] cpb_quo;
  rla_divide #(
    .DenW   (RateW),
    .Digits (CpbDigits)
  ) u_cpb (
    .clock    (clock),
    .reset    (reset),
    .i_vld    (o_upd_vld),
    .i_rem    ({RateW{1'b0}}),
    .i_digits ((12*CpbDigits)'(p_line_cpb) << RATE_FRAC),
    .i_den    (o_upd_rate),
    .o_vld    (cpb_vld),
    .o_quo    (cpb_quo)
  );

  // BUG 18: the new speed is one cycle late.
  localparam int NoteLatency = (BUG == 18) ? CpbLatency + 1 : CpbLatency;
  logic                    late_vld;
  logic [12*CpbDigits-1:0] late_quo;
  always_ff @(posedge clock) begin
    late_quo <= cpb_quo;
    if (reset) late_vld <= 1'b0;
    else       late_vld <= cpb_vld;
  end

  rla_delay #(
    .Width  (IdxW + 1),
    .Cycles (NoteLatency)
  ) u_note (
    .clock  (clock),
    .reset  (reset),
    .i_word ({o_upd_queue, o_upd_why == WhyDone}),
    .o_word ({o_cpb_queue, o_cpb_line})
  );
  assign o_cpb_vld = (BUG == 18) ? late_vld : cpb_vld;
  assign o_cpb     = 44'((BUG == 18) ? late_quo : cpb_quo);
endmodule
