// Moving average of each queue's occupancy: average + w x (occupancy - average) with each packet
// that is admitted.
//
// Stage 2 reads the average, stage 3 multiplies, adds and writes it back within its cycle: the
// memory's bypass is all that packets of one queue back to back need. A packet that leaves reads in
// the same stage, before that cycle's write; a peek one stage later, after it.

module em_average
  import em_pkg::*;
#(
  parameter int QUEUES = 64,
  parameter int OCC_W = 28,
  parameter int AVG_FRAC = 24,
  parameter int WEIGHT_FRAC = 17,
  localparam int CTX_W = (QUEUES > 1) ? $clog2(QUEUES) : 1,
  localparam int AVG_W = OCC_W + AVG_FRAC
) (
  input  logic                 clk,

  // w = cfg_weight x 2^-cfg_weight_shift, at most 1.0.
  input  logic [WEIGHT_FRAC:0] cfg_weight,
  input  logic [SHIFT_W-1:0]   cfg_weight_shift,

  // Init sweep.
  input  logic                 init,
  input  logic [CTX_W-1:0]     init_ctx,

  // The packet that is admitted: stage 2 reads, stage 3 knows the occupancy with it counted.
  input  logic                 enq_read,
  input  logic [CTX_W-1:0]     enq_ctx_d,
  input  logic                 enq_take,
  input  logic [CTX_W-1:0]     enq_ctx,
  input  logic [OCC_W-1:0]     enq_occupancy,
  output logic [AVG_W-1:0]     enq_average,

  // The packet that leaves: stage 2 reads, stage 3 has the average as of the start of its cycle.
  input  logic                 deq_read,
  input  logic [CTX_W-1:0]     deq_ctx_d,
  output logic [AVG_W-1:0]     deq_average,

  // Stage 3: whom a peek is about. Stage 4: its average.
  input  logic                 peek_read,
  input  logic [CTX_W-1:0]     peek_ctx,
  output logic [AVG_W-1:0]     peek_average
);

  // The difference has at most 53 bits with its sign. It is multiplied in two parts, as two
  // multipliers of 27 x 18 bits do: its lowest LOW_W bits, and the rest with the sign. The lowest
  // WEIGHT_FRAC - 1 bits of the product never matter: at least one more is rounded away.
  localparam int DIFFERENCE_W = 53;
  localparam int LOW_W = 26;
  localparam int DROP = WEIGHT_FRAC - 1;

  // average + w x (occupancy - average), the step rounded half up (towards plus infinity). It never
  // goes past the occupancy.
  function automatic logic [AVG_W-1:0] average_next(input logic [AVG_W-1:0]     average,
                                                    input logic [OCC_W-1:0]     occupancy,
                                                    input logic [WEIGHT_FRAC:0] weight,
                                                    input logic [SHIFT_W-1:0]   shift);
    logic signed [DIFFERENCE_W-1:0]       difference;
    logic signed [DIFFERENCE_W-LOW_W-1:0] high;
    logic signed [LOW_W:0]                low;
    logic signed [WEIGHT_FRAC+1:0]        factor;
    logic signed [63:0]                   product, step;
    difference = DIFFERENCE_W'({occupancy, AVG_FRAC'(0)}) - DIFFERENCE_W'(average);
    high       = difference[DIFFERENCE_W-1:LOW_W];
    low        = {1'b0, difference[LOW_W-1:0]};
    factor     = {1'b0, weight};
    product    = ((64'(high) * 64'(factor)) <<< (LOW_W - DROP)) +
                 ((64'(low) * 64'(factor)) >>> DROP);
    step       = ((product >>> shift) + 64'sd1) >>> 1;
    return AVG_W'(64'(average) + step);
  endfunction

  logic [AVG_W-1:0] average;

  assign enq_average = average_next(average, enq_occupancy, cfg_weight, cfg_weight_shift);

  // --------------------------------------------------------------------------------------------
  // Memories. What is not an event's write is the init sweep's.
  // --------------------------------------------------------------------------------------------

  logic             average_we;
  logic [CTX_W-1:0] average_waddr;
  logic [AVG_W-1:0] average_wdata;

  always_comb begin
    average_we    = enq_take || init;
    average_waddr = init ? init_ctx : enq_ctx;
    average_wdata = init ? '0 : enq_average;
  end

  ram_1w2r #(
    .WIDTH (AVG_W),
    .DEPTH (QUEUES)
  ) u_average (
    .clk     (clk),
    .we      (average_we),
    .waddr   (average_waddr),
    .wdata   (average_wdata),
    .a_re    (enq_read),
    .a_raddr (enq_ctx_d),
    .a_rdata (average),
    .b_re    (deq_read),
    .b_raddr (deq_ctx_d),
    .b_rdata (deq_average)
  );

  ram_1w1r #(
    .WIDTH (AVG_W),
    .DEPTH (QUEUES)
  ) u_average_peek (
    .clk   (clk),
    .we    (average_we),
    .waddr (average_waddr),
    .wdata (average_wdata),
    .re    (peek_read),
    .raddr (peek_ctx),
    .rdata (peek_average)
  );

endmodule
