// Answers peeks of the published reaction point. The state is read in the stage after the effect
// stage, through a port of its own and with what that stage writes, so a peek sees all that its
// cycle did; the pacer's part comes from the look port, which is the peek's in its cycle.

module rl_reaction_peek
  import congruent_pkg::*;
  import rl_pkg::*;
#(
  parameter int QPS = 256,
  parameter int QP_W = 12,
  parameter int TIME_W = 32,
  parameter int RATE_FRAC = 24,
  parameter int EST_FRAC = 24,
  parameter int BYTE_W = 32,
  localparam int RATE_W = RATE_FRAC + 1,
  localparam int EST_W = EST_FRAC + 1,
  localparam int PACE_W = TIME_W + PACE_FRAC
) (
  input  logic               clk,
  input  logic               rst_n,
  input  logic [TIME_W-1:0]  cfg_monitor_period,

  // The effect stage: a peek, its time, and what the pacer shows of its queue pair.
  input  logic               peek_take,
  input  logic [QP_W-1:0]    peeked_qp,
  input  logic [TIME_W-1:0]  now,
  input  logic               look_held,
  input  logic [PACE_W-1:0]  look_next_send,
  input  logic [BYTE_W-1:0]  look_total,

  // The stage after it: the state.
  input  logic               congested,
  input  logic [RATE_W-1:0]  rate,
  input  logic [RATE_W-1:0]  target,
  input  logic [EST_W-1:0]   alpha,
  input  logic [STAGE_W-1:0] timer_stage,
  input  logic [STAGE_W-1:0] byte_stage,
  input  logic [TIME_W-1:0]  alpha_deadline,
  input  logic [TIME_W-1:0]  deadline,
  input  logic [BYTE_W-1:0]  byte_base,
  input  logic [TIME_W-1:0]  last_cut,
  input  logic               recent_cut,
  input  logic               increased,

  // The rest of peeked.
  output logic               peeked_valid,
  output logic               peeked_congested,
  output logic [RATE_W-1:0]  peeked_rate,
  output logic [RATE_W-1:0]  peeked_target,
  output logic [EST_W-1:0]   peeked_estimate,
  output logic [STAGE_W-1:0] peeked_recovery,
  output logic [TIME_W-1:0]  peeked_deadline,
  output logic [STAGE_W-1:0] peeked_timer_stage,
  output logic [STAGE_W-1:0] peeked_byte_stage,
  output logic [TIME_W-1:0]  peeked_alpha_deadline,
  output logic [BYTE_W-1:0]  peeked_waiting_bytes,
  output logic [TIME_W-1:0]  peeked_last_cut,
  output logic               peeked_recent_cut,
  output logic               peeked_increased,
  output logic               peeked_held,
  output logic [PACE_W-1:0]  peeked_next_send,
  output logic [2:0]         peeked_error,
  // The answer of the next cycle carries error range: for the counters.
  output logic               peeked_range_d
);

  localparam logic [RATE_W-1:0] LINE = {1'b1, RATE_FRAC'(0)};

  // [1]: the stage after the effect stage, [2]: the answer stands.
  logic [2:1]        valid_q;
  logic [TIME_W-1:0] now_1_q, since_cut;
  logic [BYTE_W-1:0] total_1_q;
  logic              range_1, recent;

  assign range_1   = !(32'(peeked_qp) < 32'(QPS));
  assign since_cut = now_1_q - last_cut;
  assign recent    = congested && recent_cut && since_cut < cfg_monitor_period;

  always_ff @(posedge clk) begin
    if (!rst_n) valid_q <= '0;
    else        valid_q <= {valid_q[1], peek_take};
  end

  always_ff @(posedge clk) begin
    if (peek_take) begin
      now_1_q          <= now;
      total_1_q        <= look_total;
      peeked_held      <= look_held;
      peeked_next_send <= look_held ? look_next_send : '0;
    end
    if (valid_q[1]) begin
      peeked_error          <= range_1 ? ErrorRange : ErrorNone;
      peeked_congested      <= congested;
      peeked_rate           <= congested ? rate : LINE;
      peeked_target         <= congested ? target : LINE;
      peeked_estimate       <= '0;
      peeked_recovery       <= '0;
      peeked_deadline       <= '0;
      peeked_timer_stage    <= '0;
      peeked_byte_stage     <= '0;
      peeked_alpha_deadline <= '0;
      peeked_waiting_bytes  <= '0;
      peeked_increased      <= 1'b0;
      peeked_recent_cut     <= recent;
      peeked_last_cut       <= recent ? last_cut : '0;
      if (congested) begin
        peeked_estimate       <= alpha;
        peeked_recovery       <= (timer_stage < byte_stage) ? timer_stage : byte_stage;
        peeked_deadline       <= deadline;
        peeked_timer_stage    <= timer_stage;
        peeked_byte_stage     <= byte_stage;
        peeked_alpha_deadline <= alpha_deadline;
        peeked_waiting_bytes  <= total_1_q - byte_base;
        peeked_increased      <= increased;
      end
    end
  end

  assign peeked_valid   = valid_q[2];
  assign peeked_range_d = valid_q[1] && range_1;

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && peek_take) begin
      assert (!valid_q[1])
        else $error("rl_reaction_peek: a peek while the one of queue pair %0d is under way",
                    peeked_qp);
    end
  end
`endif

endmodule
