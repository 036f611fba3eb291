// CNPs and peeks on their way to the effect stage, which both variants of the loop share. Requests
// need these stages for their product; the others keep step. A CNP of a queue pair outside the
// table goes no further than `err`.

module rl_arrive
  import congruent_pkg::*;
  import rl_pkg::*;
#(
  parameter int QPS = 256,
  parameter int QP_W = 12,
  localparam int CTX_W = $clog2(QPS)
) (
  input  logic             clk,
  input  logic             rst_n,
  input  logic             cfg_enable_ecn,

  // cnp and err.
  input  logic             cnp_valid,
  input  logic [QP_W-1:0]  cnp_qp,
  output logic             err_valid,
  output logic [1:0]       err_channel,
  output logic [2:0]       err_code,
  output logic [QP_W-1:0]  err_qp,
  // For the counters: what the next cycle shows.
  output logic             err_range_d,
  output logic             cnp_accepted_d,

  // peek, accepted.
  input  logic             peek_valid,
  input  logic [QP_W-1:0]  peek_qp,

  // The stage before the effect stage: memories are read for a CNP that may be refused yet;
  // whether it takes effect in the next cycle; whether a peek does.
  output logic             cnp_read,
  output logic [CTX_W-1:0] cnp_ctx_d,
  output logic             cnp_take_d,
  output logic             peek_take_d,

  // The effect stage. The queue pair of a peek stands still until the next peek.
  output logic             cnp_take,
  output logic [CTX_W-1:0] cnp_ctx,
  output logic             peek_take,
  output logic [QP_W-1:0]  peeked_qp
);

  // Whether a queue pair is in the table.
  function automatic logic in_table(input logic [QP_W-1:0] qp);
    return 32'(qp) < 32'(QPS);
  endfunction

  logic [4:1]      cnp_valid_q, peek_valid_q;
  logic [QP_W-1:0] cnp_qp_1_q, cnp_qp_2_q, cnp_qp_3_q, cnp_qp_4_q;
  logic            cnp_range_4_q, cnp_take_4_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      cnp_valid_q  <= '0;
      peek_valid_q <= '0;
      cnp_take_4_q <= 1'b0;
      err_valid    <= 1'b0;
    end else begin
      cnp_valid_q  <= {cnp_valid_q[3:1], cnp_valid};
      peek_valid_q <= {peek_valid_q[3:1], peek_valid};
      cnp_take_4_q <= cnp_take_d;
      err_valid    <= err_range_d;
    end
  end

  always_ff @(posedge clk) begin
    if (cnp_valid)      cnp_qp_1_q <= cnp_qp;
    if (cnp_valid_q[1]) cnp_qp_2_q <= cnp_qp_1_q;
    if (cnp_valid_q[2]) cnp_qp_3_q <= cnp_qp_2_q;
    if (cnp_valid_q[3]) begin
      cnp_qp_4_q    <= cnp_qp_3_q;
      cnp_range_4_q <= !in_table(cnp_qp_3_q);
    end
    // One peek at a time.
    if (peek_valid)  peeked_qp <= peek_qp;
    if (err_range_d) err_qp    <= cnp_qp_4_q;
  end

  assign cnp_read       = cnp_valid_q[3];
  assign cnp_ctx_d      = cnp_qp_3_q[CTX_W-1:0];
  assign cnp_take_d     = cnp_valid_q[3] && in_table(cnp_qp_3_q) && cfg_enable_ecn;
  assign peek_take_d    = peek_valid_q[3];

  assign cnp_take       = cnp_take_4_q;
  assign cnp_ctx        = cnp_qp_4_q[CTX_W-1:0];
  assign peek_take      = peek_valid_q[4];

  assign cnp_accepted_d = cnp_valid_q[4] && !cnp_range_4_q;
  assign err_range_d    = cnp_valid_q[4] && cnp_range_4_q;
  assign err_channel    = ErrChannelCnp;
  assign err_code       = ErrorRange;

endmodule
