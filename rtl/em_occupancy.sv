// Bytes in each queue: a packet that leaves takes its bytes off, one that is admitted adds them.
//
// Occupancy is the difference of two totals modulo 2^OCC_W with one writer each: deq writes what
// has left, enq what has come. Stage 1 reads both, stage 2 writes them back: deq first, then enq;
// the memories' bypass forwards from one cycle to the next. An underflow sets what has left to what
// has come, so that the queue is empty; saturation at all ones sets what has come to what has left
// less one. A peek reads a stage later than the events of its cycle and so sees both.

module em_occupancy
  import em_pkg::*;
#(
  parameter int QUEUES = 64,
  parameter int OCC_W = 28,
  localparam int CTX_W = (QUEUES > 1) ? $clog2(QUEUES) : 1
) (
  input  logic               clk,

  // Init sweep.
  input  logic               init,
  input  logic [CTX_W-1:0]   init_ctx,

  // Stage 1: whom the next effect stage is about.
  input  logic               deq_read,
  input  logic [CTX_W-1:0]   deq_ctx_d,
  input  logic               enq_read,
  input  logic [CTX_W-1:0]   enq_ctx_d,

  // Stage 2: the packet that leaves. What the queue held before it, and whether that is less.
  input  logic               deq_take,
  input  logic [CTX_W-1:0]   deq_ctx,
  input  logic [BYTES_W-1:0] deq_bytes,
  output logic [OCC_W-1:0]   deq_occupancy,
  output logic               deq_underflow,

  // Stage 2: the packet that is admitted. What the queue holds after it.
  input  logic               enq_take,
  input  logic [CTX_W-1:0]   enq_ctx,
  input  logic [BYTES_W-1:0] enq_bytes,
  output logic [OCC_W-1:0]   enq_occupancy,

  // Stage 2: whom a peek is about. Stage 3: what its queue holds.
  input  logic               peek_read,
  input  logic [CTX_W-1:0]   peek_ctx,
  output logic [OCC_W-1:0]   peek_occupancy
);

  localparam logic [OCC_W-1:0] MOST = '1;

  // What a queue holds: what has come less what has left.
  function automatic logic [OCC_W-1:0] held(input logic [OCC_W-1:0] came,
                                            input logic [OCC_W-1:0] left);
    return came - left;
  endfunction

  // Occupancy with a packet more, {does not fit, bytes}.
  function automatic logic [OCC_W:0] occupancy_up(input logic [OCC_W-1:0]   occupancy,
                                                  input logic [BYTES_W-1:0] bytes);
    logic [OCC_W:0] up;
    up = {1'b0, occupancy} + (OCC_W + 1)'(bytes);
    return up[OCC_W] ? {1'b1, MOST} : up;
  endfunction

  // --------------------------------------------------------------------------------------------
  // Stage 2: the packet that leaves, then the one that is admitted.
  // --------------------------------------------------------------------------------------------

  logic [OCC_W-1:0] deq_came, deq_left, deq_left_next;
  logic [OCC_W-1:0] enq_came, enq_left_before, enq_left, enq_came_next;
  logic             enq_full;
  logic [OCC_W-1:0] peek_came, peek_left;

  always_comb begin
    deq_occupancy = held(deq_came, deq_left);
    deq_underflow = deq_occupancy < OCC_W'(deq_bytes);
    deq_left_next = deq_underflow ? deq_came : deq_left + OCC_W'(deq_bytes);
  end

  always_comb begin
    enq_left = (deq_take && deq_ctx == enq_ctx) ? deq_left_next : enq_left_before;
    {enq_full, enq_occupancy} = occupancy_up(held(enq_came, enq_left), enq_bytes);
    enq_came_next = enq_full ? enq_left + MOST : enq_came + OCC_W'(enq_bytes);
  end

  assign peek_occupancy = held(peek_came, peek_left);

  // --------------------------------------------------------------------------------------------
  // Memories. What is not an event's write is the init sweep's.
  // --------------------------------------------------------------------------------------------

  logic             came_we, left_we;
  logic [CTX_W-1:0] came_waddr, left_waddr;
  logic [OCC_W-1:0] came_wdata, left_wdata;

  assign came_we    = enq_take || init;
  assign came_waddr = init ? init_ctx : enq_ctx;
  assign came_wdata = init ? '0 : enq_came_next;
  assign left_we    = deq_take || init;
  assign left_waddr = init ? init_ctx : deq_ctx;
  assign left_wdata = init ? '0 : deq_left_next;

  // Total of bytes that came, for deq and enq, and for peek.
  ram_1w2r #(
    .WIDTH (OCC_W),
    .DEPTH (QUEUES)
  ) u_came (
    .clk     (clk),
    .we      (came_we),
    .waddr   (came_waddr),
    .wdata   (came_wdata),
    .a_re    (deq_read),
    .a_raddr (deq_ctx_d),
    .a_rdata (deq_came),
    .b_re    (enq_read),
    .b_raddr (enq_ctx_d),
    .b_rdata (enq_came)
  );

  ram_1w1r #(
    .WIDTH (OCC_W),
    .DEPTH (QUEUES)
  ) u_came_peek (
    .clk   (clk),
    .we    (came_we),
    .waddr (came_waddr),
    .wdata (came_wdata),
    .re    (peek_read),
    .raddr (peek_ctx),
    .rdata (peek_came)
  );

  // Total of bytes that left, likewise.
  ram_1w2r #(
    .WIDTH (OCC_W),
    .DEPTH (QUEUES)
  ) u_left (
    .clk     (clk),
    .we      (left_we),
    .waddr   (left_waddr),
    .wdata   (left_wdata),
    .a_re    (deq_read),
    .a_raddr (deq_ctx_d),
    .a_rdata (deq_left),
    .b_re    (enq_read),
    .b_raddr (enq_ctx_d),
    .b_rdata (enq_left_before)
  );

  ram_1w1r #(
    .WIDTH (OCC_W),
    .DEPTH (QUEUES)
  ) u_left_peek (
    .clk   (clk),
    .we    (left_we),
    .waddr (left_waddr),
    .wdata (left_wdata),
    .re    (peek_read),
    .raddr (peek_ctx),
    .rdata (peek_left)
  );

endmodule
