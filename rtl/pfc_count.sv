// Counts of each queue: packets dropped, and pauses. Both saturate.
//
// Stage 1 reads, stage 2 counts. A peek reads in stage 2, after that cycle's write.

module pfc_count #(
  parameter int QUEUES = 256,
  parameter int COUNT_W = 32,
  localparam int CTX_W = (QUEUES > 1) ? $clog2(QUEUES) : 1
) (
  input  logic               clk,

  // Init sweep.
  input  logic               init,
  input  logic [CTX_W-1:0]   init_ctx,

  // The packet that comes: stage 1 reads, stage 2 counts.
  input  logic               enq_read,
  input  logic [CTX_W-1:0]   enq_ctx_d,
  input  logic [CTX_W-1:0]   enq_ctx,
  input  logic               dropped,
  input  logic               paused,

  // Stage 2: whom a peek is about. Stage 3: its counts.
  input  logic               peek_read,
  input  logic [CTX_W-1:0]   peek_ctx,
  output logic [COUNT_W-1:0] peek_drops,
  output logic [COUNT_W-1:0] peek_pauses
);

  // A counter one up, if `up`; stops at all ones.
  function automatic logic [COUNT_W-1:0] count(input logic [COUNT_W-1:0] counter, input logic up);
    return (counter == '1) ? counter : counter + COUNT_W'(up);
  endfunction

  logic [COUNT_W-1:0] drops, pauses;

  // {drops, pauses}. What is not an event's write is the init sweep's.
  ram_1w2r #(
    .WIDTH (2 * COUNT_W),
    .DEPTH (QUEUES)
  ) u_counts (
    .clk     (clk),
    .we      (dropped || paused || init),
    .waddr   (init ? init_ctx : enq_ctx),
    .wdata   (init ? '0 : {count(drops, dropped), count(pauses, paused)}),
    .a_re    (enq_read),
    .a_raddr (enq_ctx_d),
    .a_rdata ({drops, pauses}),
    .b_re    (peek_read),
    .b_raddr (peek_ctx),
    .b_rdata ({peek_drops, peek_pauses})
  );

endmodule
