// The ECN marker with wide words: queues of 16 bits and bytes of 32 where ours are narrower, all of its
// configuration in one port of 20 000 bits, all that it answers in one of 1536.
module em_wide
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
  input  logic           clk,
  input  logic           rst_n,
  input  logic [19999:0] setup_i,
  input  logic           enq_valid,
  input  logic [15:0]    enq_queue,
  input  logic [31:0]    enq_bytes,
  input  logic           deq_valid,
  input  logic [15:0]    deq_queue,
  // Bytes in the lower half, then what kind of packet it is.
  input  logic [31:0]    deq_i,
  input  logic           peek_valid,
  input  logic [0:95]    peek_i,
  output logic           peek_ready,
  output logic [1535:0]  answers_o,
  output logic           init_done
);
  int bug;
  logic works;
  logic mark_valid;
  logic [QUEUE_W-1:0] mark_queue;
  logic [1:0] mark_ecn;
  logic mark_marked;
  logic [2:0] mark_error;
  logic avg_valid;
  logic [QUEUE_W-1:0] avg_queue;
  logic [OCC_W-1:0] avg_occupancy;
  logic [OCC_W+AVERAGE_PORT_FRAC-1:0] avg_average;
  logic [2:0] avg_error;
  logic peeked_valid;
  logic [QUEUE_W-1:0] peeked_queue;
  logic [OCC_W-1:0] peeked_occupancy;
  logic [OCC_W+AVERAGE_PORT_FRAC-1:0] peeked_average;
  logic peeked_congested;
  logic [SKIP_W-1:0] peeked_skip;
  logic [PROBABILITY_FRAC-1:0] peeked_acc;
  logic [COUNT_W-1:0] peeked_marked;
  logic [COUNT_W-1:0] peeked_eligible;
  logic [31:0] peeked_lfsr;
  logic [2:0] peeked_error;
  logic [15:0] stat_range;
  logic [15:0] stat_underflow;

  initial if (!$value$plusargs("bug=%d", bug)) bug = 0;

  // What is not ours is held at what its manual says.
  assign works = deq_i[31:19] == 13'h1abc && setup_i[0] && setup_i[19999] && peek_i[0:79] == '0;

  // Every answer has 64 bits, the first from bit 10 on.
  always_comb begin
    answers_o = '0;
    answers_o[10+:64] = 64'(mark_valid);
    answers_o[74+:64] = 64'(mark_queue);
    answers_o[138+:64] = 64'(mark_ecn);
    answers_o[202+:64] = 64'(mark_marked);
    answers_o[266+:64] = 64'(mark_error);
    answers_o[330+:64] = 64'(avg_valid);
    answers_o[394+:64] = 64'(avg_queue);
    answers_o[458+:64] = 64'(avg_occupancy);
    answers_o[522+:64] = 64'(avg_average);
    answers_o[586+:64] = 64'(avg_error);
    answers_o[650+:64] = 64'(peeked_valid);
    answers_o[714+:64] = 64'(peeked_queue);
    answers_o[778+:64] = 64'(peeked_occupancy);
    answers_o[842+:64] = 64'(peeked_average);
    answers_o[906+:64] = 64'(peeked_congested);
    answers_o[970+:64] = 64'(peeked_skip);
    answers_o[1034+:64] = 64'(peeked_acc);
    answers_o[1098+:64] = 64'(peeked_marked);
    answers_o[1162+:64] = 64'(peeked_eligible);
    answers_o[1226+:64] = 64'(peeked_lfsr);
    answers_o[1290+:64] = 64'(peeked_error);
    answers_o[1354+:64] = 64'(stat_range);
    answers_o[1418+:64] = 64'(stat_underflow);
    // Bug 1: a bit above the narrow number of queue 1.
    if (bug == 1 && mark_queue == 1) answers_o[89] = 1'b1;
    // Bug 2: two bits that lie beside each other in two words of a simulator are exchanged.
    if (bug == 2) {answers_o[464], answers_o[463]} = {answers_o[463], answers_o[464]};
  end

  ecn_marker #(
    .QUEUES(QUEUES), .QUEUE_W(QUEUE_W), .OCC_W(OCC_W), .AVG_FRAC(AVG_FRAC),
    .WEIGHT_FRAC(WEIGHT_FRAC), .COUNT_W(COUNT_W)
  ) inner (
    .clk, .rst_n, .cfg_enable_ecn(setup_i[29]), .cfg_policy(setup_i[19045]),
    .cfg_weight(setup_i[119 +: WEIGHT_FRAC+1]), .cfg_weight_shift(setup_i[19135 +: SHIFT_W]),
    .cfg_lower(setup_i[209 +: OCC_W+1]), .cfg_upper(setup_i[19225 +: OCC_W+1]),
    .cfg_band_shift(setup_i[299 +: SHIFT_W]), .cfg_slope(setup_i[19315 +: SLOPE_FRAC+2]),
    .cfg_random_mode(setup_i[389]), .cfg_lfsr_seed(setup_i[19405 +: 32]),
    .cfg_congested_from(setup_i[479 +: OCC_W+1]), .cfg_congested_below(setup_i[19495 +: OCC_W+1]),
    .cfg_packet_size(setup_i[569 +: BYTES_W]), .cfg_marking_rate(setup_i[19585 +: SKIP_W]),
    .cfg_victim_marking(setup_i[659]), .enq_valid, .enq_queue(QUEUE_W'(enq_queue)),
    .enq_bytes(BYTES_W'(enq_bytes)), .deq_valid(deq_valid && works),
    .deq_queue(QUEUE_W'(deq_queue)), .deq_bytes(BYTES_W'(deq_i[15:0])), .deq_ecn(deq_i[17:16]),
    .deq_has_credits(deq_i[18]), .peek_valid, .peek_queue(QUEUE_W'(peek_i[80:95])), .peek_ready,
    .mark_valid, .mark_queue, .mark_ecn, .mark_marked, .mark_error, .avg_valid, .avg_queue,
    .avg_occupancy, .avg_average, .avg_error, .peeked_valid, .peeked_queue, .peeked_occupancy,
    .peeked_average, .peeked_congested, .peeked_skip, .peeked_acc, .peeked_marked, .peeked_eligible,
    .peeked_lfsr, .peeked_error, .init_done, .stat_range, .stat_underflow
  );
endmodule
