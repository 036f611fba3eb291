// The policy `fecn`: judges each packet that leaves by the occupancy before it, and marks the first
// eligible one of a congestion, then every (MarkingRate + 1)-th.
//
// Stage 2 reads, stage 3 decides and writes back. A peek reads in stage 3, after the write of its
// cycle.

module em_fecn
  import em_pkg::*;
#(
  parameter int QUEUES = 64,
  parameter int OCC_W = 28,
  localparam int CTX_W = (QUEUES > 1) ? $clog2(QUEUES) : 1
) (
  input  logic              clk,
  input  logic              rst_n,
  input  logic [OCC_W:0]    cfg_congested_from,
  input  logic [OCC_W:0]    cfg_congested_below,
  input  logic [SKIP_W-1:0] cfg_marking_rate,

  // Init sweep.
  input  logic              init,
  input  logic [CTX_W-1:0]  init_ctx,

  // The packet that leaves: stage 2 reads, stage 3 judges, with what the queue held before it.
  input  logic              deq_read,
  input  logic [CTX_W-1:0]  deq_ctx_d,
  input  logic              judge,
  input  logic [CTX_W-1:0]  deq_ctx,
  input  logic [OCC_W-1:0]  deq_occupancy,
  input  logic              deq_eligible,
  output logic              marked,

  // Stage 3: whom a peek is about. Stage 4: its state.
  input  logic              peek_read,
  input  logic [CTX_W-1:0]  peek_ctx,
  output logic              peek_congested,
  output logic [SKIP_W-1:0] peek_skip
);

  logic              congested, congested_next;
  logic [SKIP_W-1:0] skip, skip_before, skip_next;

  // Congestion begins at one occupancy, ends below another, stays as it is in between. Every packet
  // judges it anew, eligible or not. Outside congestion nothing is left to be skipped.
  always_comb begin
    congested_next = {1'b0, deq_occupancy} >= (congested ? cfg_congested_below
                                                         : cfg_congested_from);
    skip_before    = congested_next ? skip : '0;
    skip_next      = skip_before;
    marked         = 1'b0;
    if (judge && deq_eligible && congested_next) begin
      marked    = skip_before == '0;
      skip_next = marked ? cfg_marking_rate : skip_before - 1'b1;
    end
  end

  // {congested, skip}. What is not an event's write is the init sweep's. A packet that was on its
  // way when reset came is not judged any more: the configuration may be another one already.
  ram_1w2r #(
    .WIDTH (1 + SKIP_W),
    .DEPTH (QUEUES)
  ) u_state (
    .clk     (clk),
    .we      ((judge && rst_n) || init),
    .waddr   (init ? init_ctx : deq_ctx),
    .wdata   (init ? '0 : {congested_next, skip_next}),
    .a_re    (deq_read),
    .a_raddr (deq_ctx_d),
    .a_rdata ({congested, skip}),
    .b_re    (peek_read),
    .b_raddr (peek_ctx),
    .b_rdata ({peek_congested, peek_skip})
  );

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && !init && judge) begin
      assert (skip <= cfg_marking_rate)
        else $error("em_fecn: queue %0d skips %0d packets, more than MarkingRate", deq_ctx, skip);
      assert (congested || skip == '0)
        else $error("em_fecn: queue %0d skips %0d packets outside congestion", deq_ctx, skip);
    end
  end
`endif

endmodule
