// The ECN marker with the other polarity of everything: the falling edge clocks, reset is 1 and
// asynchronous, valids are 0 where something is there, ready is 0 where it is.
module em_polar
  import congruent_pkg::*;
  import em_pkg::*;
#(
  parameter int QUEUES = 64,
  parameter int QUEUE_W = 10,
  parameter int OCC_W = 28,
  parameter int AVG_FRAC = 24,
  parameter int WEIGHT_FRAC = 17,
  parameter int COUNT_W = 32
) (
  input  logic                                     clk_n,
  input  logic                                     arst,
  input  logic                                     cfg_enable_ecn,
  input  logic                                     cfg_policy,
  input  logic [WEIGHT_FRAC:0]                      cfg_weight,
  input  logic [SHIFT_W-1:0]                        cfg_weight_shift,
  input  logic [OCC_W:0]                            cfg_lower,
  input  logic [OCC_W:0]                            cfg_upper,
  input  logic [SHIFT_W-1:0]                        cfg_band_shift,
  input  logic [SLOPE_FRAC+1:0]                     cfg_slope,
  input  logic                                     cfg_random_mode,
  input  logic [31:0]                               cfg_lfsr_seed,
  input  logic [OCC_W:0]                            cfg_congested_from,
  input  logic [OCC_W:0]                            cfg_congested_below,
  input  logic [BYTES_W-1:0]                        cfg_packet_size,
  input  logic [SKIP_W-1:0]                         cfg_marking_rate,
  input  logic                                     no_victims,
  input  logic                                     enq_n,
  input  logic [QUEUE_W-1:0]                        enq_queue,
  input  logic [BYTES_W-1:0]                        enq_bytes,
  input  logic                                     deq_n,
  input  logic [QUEUE_W-1:0]                        deq_queue,
  input  logic [BYTES_W-1:0]                        deq_bytes,
  input  logic [1:0]                                deq_ecn,
  input  logic                                     deq_has_credits,
  input  logic                                     peek_n,
  input  logic [QUEUE_W-1:0]                        peek_queue,
  output logic                                     peek_busy,
  output logic                                     mark_n,
  output logic [QUEUE_W-1:0]                        mark_queue_n,
  output logic [1:0]                                mark_ecn,
  output logic                                     mark_marked,
  output logic [2:0]                                mark_error,
  output logic                                     avg_valid,
  output logic [QUEUE_W-1:0]                        avg_queue,
  output logic [OCC_W-1:0]                          avg_occupancy,
  output logic [OCC_W+AVERAGE_PORT_FRAC-1:0]        avg_average,
  output logic [2:0]                                avg_error,
  output logic                                     peeked_n,
  output logic [QUEUE_W-1:0]                        peeked_queue,
  output logic [OCC_W-1:0]                          peeked_occupancy,
  output logic [OCC_W+AVERAGE_PORT_FRAC-1:0]        peeked_average,
  output logic                                     peeked_congested,
  output logic [SKIP_W-1:0]                         peeked_skip,
  output logic [PROBABILITY_FRAC-1:0]               peeked_acc,
  output logic [COUNT_W-1:0]                        peeked_marked,
  output logic [COUNT_W-1:0]                        peeked_eligible,
  output logic [31:0]                               peeked_lfsr,
  output logic [2:0]                                peeked_error,
  output logic                                     init_done,
  output logic [15:0]                               stat_range,
  output logic [15:0]                               stat_underflow
);
  int bug;
  logic rst_n;
  logic peek_ready;
  logic mark_valid;
  logic peeked_valid;
  logic [QUEUE_W-1:0] mark_queue;

  initial if (!$value$plusargs("bug=%d", bug)) bug = 0;

  // Bug 2: reset is only seen by a clock, and this clock stands while it lasts.
  always_ff @(negedge clk_n or posedge arst) begin
    if (arst) rst_n <= bug == 2;
    else rst_n <= 1'b1;
  end

  assign peek_busy = ~peek_ready;
  // Bug 1: a packet of queue 1 is not answered.
  assign mark_n = ~mark_valid | (bug == 1 && mark_queue == 1);
  assign peeked_n = ~peeked_valid;
  assign mark_queue_n = ~mark_queue;

  ecn_marker #(
    .QUEUES(QUEUES), .QUEUE_W(QUEUE_W), .OCC_W(OCC_W), .AVG_FRAC(AVG_FRAC),
    .WEIGHT_FRAC(WEIGHT_FRAC), .COUNT_W(COUNT_W)
  ) inner (
    .clk(~clk_n), .rst_n, .cfg_enable_ecn, .cfg_policy, .cfg_weight, .cfg_weight_shift, .cfg_lower,
    .cfg_upper, .cfg_band_shift, .cfg_slope, .cfg_random_mode, .cfg_lfsr_seed, .cfg_congested_from,
    .cfg_congested_below, .cfg_packet_size, .cfg_marking_rate, .cfg_victim_marking(~no_victims),
    .enq_valid(~enq_n), .enq_queue, .enq_bytes, .deq_valid(~deq_n), .deq_queue, .deq_bytes,
    .deq_ecn, .deq_has_credits, .peek_valid(~peek_n), .peek_queue, .peek_ready, .mark_valid,
    .mark_queue, .mark_ecn, .mark_marked, .mark_error, .avg_valid, .avg_queue, .avg_occupancy,
    .avg_average, .avg_error, .peeked_valid, .peeked_queue, .peeked_occupancy, .peeked_average,
    .peeked_congested, .peeked_skip, .peeked_acc, .peeked_marked, .peeked_eligible, .peeked_lfsr,
    .peeked_error, .init_done, .stat_range, .stat_underflow
  );
endmodule
