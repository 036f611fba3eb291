// Counts of packets in each queue: those that a mark could be put on, and those that were marked.
// Both saturate.
//
// Stage 5 reads, stage 6 writes back. A peek reads in stage 6, after that cycle's write.

module em_count #(
  parameter int QUEUES = 64,
  parameter int COUNT_W = 32,
  localparam int CTX_W = (QUEUES > 1) ? $clog2(QUEUES) : 1
) (
  input  logic               clk,

  // Init sweep.
  input  logic               init,
  input  logic [CTX_W-1:0]   init_ctx,

  // The packet that leaves, if it is eligible: stage 5 reads, stage 6 counts.
  input  logic               deq_read,
  input  logic [CTX_W-1:0]   deq_ctx_d,
  input  logic               deq_take,
  input  logic [CTX_W-1:0]   deq_ctx,
  input  logic               deq_marked,

  // Stage 6: whom a peek is about. Stage 7: its counts.
  input  logic               peek_read,
  input  logic [CTX_W-1:0]   peek_ctx,
  output logic [COUNT_W-1:0] peek_eligible,
  output logic [COUNT_W-1:0] peek_marked
);

  // A counter one up, if `up`; stops at all ones.
  function automatic logic [COUNT_W-1:0] count(input logic [COUNT_W-1:0] counter, input logic up);
    return (counter == '1) ? counter : counter + COUNT_W'(up);
  endfunction

  logic [COUNT_W-1:0] eligible, marked;

  // {eligible, marked}. What is not an event's write is the init sweep's.
  ram_1w2r #(
    .WIDTH (2 * COUNT_W),
    .DEPTH (QUEUES)
  ) u_counts (
    .clk     (clk),
    .we      (deq_take || init),
    .waddr   (init ? init_ctx : deq_ctx),
    .wdata   (init ? '0 : {count(eligible, 1'b1), count(marked, deq_marked)}),
    .a_re    (deq_read),
    .a_raddr (deq_ctx_d),
    .a_rdata ({eligible, marked}),
    .b_re    (peek_read),
    .b_raddr (peek_ctx),
    .b_rdata ({peek_eligible, peek_marked})
  );

endmodule
