// Answers peeks, one at a time: keeps ready low while one is under way, takes what its effect stage
// shows, and completes it with the loop's state once every run up to its slot has been written.
//
// The registers of the answer are the holding register: after the read they follow the loop's
// write port, so that runs which were still in the divider are in the answer. A start in the peek's
// own cycle leaves constants, and nothing is followed; a run that comes after the peek is written
// after the answer.

module rl_peek
  import congruent_pkg::*;
  import rl_pkg::*;
#(
  parameter int QPS = 256,
  parameter int QP_W = 12,
  parameter int TIME_W = 32,
  parameter int RATE_FRAC = 24,
  parameter int EST_FRAC = 16,
  localparam int CTX_W = $clog2(QPS),
  localparam int RATE_W = RATE_FRAC + 1,
  localparam int EST_W = EST_FRAC + 1,
  localparam int PACE_W = TIME_W + PACE_FRAC
) (
  input  logic              clk,
  input  logic              rst_n,
  input  logic [EST_W-1:0]  cfg_first_estimate,
  input  logic [RATE_W-1:0] cfg_first_rate,

  // Events are legal from the next cycle on.
  input  logic              init_done,

  // peek.
  input  logic              peek_valid,
  output logic              peek_ready,
  output logic              peek_accepted,

  // What it sees: the pacer's part in its effect stage, the episode from the stage after it.
  input  logic              seen_valid,
  input  logic              seen_first,
  input  logic [QP_W-1:0]   peeked_qp,
  input  logic              peeked_congested,
  input  logic              look_held,
  input  logic [PACE_W-1:0] look_next_send,

  // The loop's state: its read for the peek, and its write port.
  output logic              loop_read,
  output logic [CTX_W-1:0]  loop_ctx,
  input  logic [RATE_W-1:0] loop_rate,
  input  logic [RATE_W-1:0] loop_target,
  input  logic [EST_W-1:0]  loop_estimate,
  input  logic [3:0]        loop_recovery,
  input  logic              write_valid,
  input  logic [QP_W-1:0]   write_qp,
  input  logic [RATE_W-1:0] write_rate,
  input  logic [RATE_W-1:0] write_target,
  input  logic [EST_W-1:0]  write_estimate,
  input  logic [3:0]        write_recovery,

  // The rest of peeked.
  output logic              peeked_valid,
  output logic [RATE_W-1:0] peeked_rate,
  output logic [RATE_W-1:0] peeked_target,
  output logic [EST_W-1:0]  peeked_estimate,
  output logic [3:0]        peeked_recovery,
  output logic              peeked_held,
  output logic [PACE_W-1:0] peeked_next_send,
  output logic [2:0]        peeked_error,
  // The answer of the next cycle carries error range: for the counters.
  output logic              peeked_range_d
);

  localparam logic [RATE_W-1:0] LINE = {1'b1, RATE_FRAC'(0)};
  localparam int WAIT_COUNT_W = $clog2(PEEK_INTERVAL);

  // --------------------------------------------------------------------------------------------
  // ready: low for PEEK_INTERVAL - 1 cycles after a beat taken, and before cycle 0.
  // --------------------------------------------------------------------------------------------

  logic [WAIT_COUNT_W-1:0] wait_count_q;

  assign peek_accepted = peek_valid && peek_ready;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      peek_ready   <= 1'b0;
      wait_count_q <= '0;
    end else if (peek_ready) begin
      if (peek_valid) begin
        peek_ready   <= 1'b0;
        wait_count_q <= WAIT_COUNT_W'(PEEK_INTERVAL - 2);
      end
    end else if (wait_count_q != '0) begin
      wait_count_q <= wait_count_q - 1'b1;
    end else begin
      peek_ready <= init_done;
    end
  end

  // --------------------------------------------------------------------------------------------
  // The answer. busy_q[i]: i + 1 stages after the effect stage.
  // --------------------------------------------------------------------------------------------

  logic [LOOP_WRITE_STAGE:0] busy_q;
  logic                      follow, fresh_q;

  always_ff @(posedge clk) begin
    if (!rst_n) busy_q <= '0;
    else        busy_q <= {busy_q[LOOP_WRITE_STAGE-1:0], seen_valid};
  end

  assign loop_read = busy_q[LOOP_READ_STAGE-1];
  assign loop_ctx  = peeked_qp[CTX_W-1:0];
  assign follow    = peeked_congested && !seen_first;

  // What is written while the read is under way is newer than what was read.
  always_ff @(posedge clk) begin
    if (seen_valid) begin
      peeked_held      <= look_held;
      peeked_next_send <= look_held ? look_next_send : '0;
    end
    if (busy_q != '0) begin
      if (busy_q[0]) begin
        peeked_error    <= (32'(peeked_qp) < 32'(QPS)) ? ErrorNone : ErrorRange;
        peeked_rate     <= (peeked_congested && seen_first) ? cfg_first_rate : LINE;
        peeked_target   <= LINE;
        peeked_estimate <= (peeked_congested && seen_first) ? cfg_first_estimate : '0;
        peeked_recovery <= 4'd0;
        fresh_q         <= 1'b0;
      end else if (follow && write_valid && write_qp == peeked_qp) begin
        peeked_rate     <= write_rate;
        peeked_target   <= write_target;
        peeked_estimate <= write_estimate;
        peeked_recovery <= write_recovery;
        fresh_q         <= 1'b1;
      end else if (follow && busy_q[LOOP_READ_STAGE] && !fresh_q) begin
        peeked_rate     <= loop_rate;
        peeked_target   <= loop_target;
        peeked_estimate <= loop_estimate;
        peeked_recovery <= loop_recovery;
      end
    end
  end

  assign peeked_valid   = busy_q[LOOP_WRITE_STAGE];
  assign peeked_range_d = busy_q[LOOP_WRITE_STAGE-1] && peeked_error == ErrorRange;

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && seen_valid) begin
      assert (busy_q == '0)
        else $error("rl_peek: a peek while the one of queue pair %0d is under way", peeked_qp);
    end
  end
`endif

endmodule
