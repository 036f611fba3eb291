// The policy `red`: whether a packet that may be marked gets CE, by the average of its queue.
//
// Stage 3 compares the average with the thresholds, 4 scales its place in the band, 5 multiplies it
// by the slope, 6 decides: in the band by a random word, or by the accumulator of the queue, which
// is read in stage 5 and written back in 6. Only decisions in the band move the generator and the
// accumulators. A peek reads an accumulator in stage 6, after that cycle's write.

module em_red
  import em_pkg::*;
#(
  parameter int QUEUES = 64,
  parameter int OCC_W = 28,
  parameter int AVG_FRAC = 24,
  localparam int CTX_W = (QUEUES > 1) ? $clog2(QUEUES) : 1,
  localparam int AVG_W = OCC_W + AVG_FRAC
) (
  input  logic                        clk,
  input  logic                        rst_n,
  input  logic [OCC_W:0]              cfg_lower,
  input  logic [OCC_W:0]              cfg_upper,
  input  logic [SHIFT_W-1:0]          cfg_band_shift,
  input  logic [SLOPE_FRAC+1:0]       cfg_slope,
  input  logic                        cfg_random_mode,
  input  logic [31:0]                 cfg_lfsr_seed,

  // Init sweep.
  input  logic                        init,
  input  logic [CTX_W-1:0]            init_ctx,

  // Stage 3: a packet that may be marked, and the average of its queue.
  input  logic                        judge,
  input  logic [AVG_W-1:0]            deq_average,

  // Its queue in stages 5 and 6. Stage 6: whether it is marked.
  input  logic [CTX_W-1:0]            deq_ctx_d,
  input  logic [CTX_W-1:0]            deq_ctx,
  output logic                        marked,

  // Stage 6: whom a peek is about. Stage 7: its accumulator, and the generator after stage 6.
  input  logic                        peek_read,
  input  logic [CTX_W-1:0]            peek_ctx,
  output logic [PROBABILITY_FRAC-1:0] peek_acc,
  output logic [31:0]                 lfsr
);

  localparam int PRODUCT_W = POSITION_FRAC + SLOPE_FRAC + 2;

  // (average - lower) / 2^band_shift bytes, UQ0.24, rounded down; for an average in the band.
  function automatic logic [POSITION_FRAC-1:0] position(input logic [AVG_W-1:0]   above_lower,
                                                        input logic [SHIFT_W-1:0] band_shift);
    logic [OCC_W+POSITION_FRAC-1:0] above;
    above = (OCC_W + POSITION_FRAC)'(above_lower) << (POSITION_FRAC - AVG_FRAC);
    return POSITION_FRAC'(above >> band_shift);
  endfunction

  // p = MaxMarkProbability x (average - lower) / (upper - lower), UQ0.24, rounded down.
  function automatic logic [PROBABILITY_FRAC-1:0] mark_probability(
      input logic [POSITION_FRAC-1:0] place,
      input logic [SLOPE_FRAC+1:0]    slope);
    return PROBABILITY_FRAC'((PRODUCT_W'(place) * PRODUCT_W'(slope)) >> SLOPE_FRAC);
  endfunction

  // --------------------------------------------------------------------------------------------
  // Stage 3: where the average is. Thresholds are whole bytes, so the fraction does not matter.
  // Lower = upper is a step: there is no band.
  // --------------------------------------------------------------------------------------------

  logic [OCC_W:0] average_bytes;
  logic           above, band;

  assign average_bytes = {1'b0, deq_average[AVG_W-1:AVG_FRAC]};

  always_comb begin
    above = judge && average_bytes >= cfg_upper;
    band  = judge && average_bytes >= cfg_lower && !above;
  end

  // --------------------------------------------------------------------------------------------
  // Stages 4 and 5: the probability of a mark.
  // --------------------------------------------------------------------------------------------

  logic [6:4]                  above_q, band_q;
  logic [AVG_W-1:0]            above_lower_4_q;
  logic [POSITION_FRAC-1:0]    position_5_q;
  logic [PROBABILITY_FRAC-1:0] p_6_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      above_q <= '0;
      band_q  <= '0;
    end else begin
      above_q <= {above_q[5:4], above};
      band_q  <= {band_q[5:4], band};
    end
  end

  always_ff @(posedge clk) begin
    if (band)      above_lower_4_q <= deq_average - {cfg_lower[OCC_W-1:0], AVG_FRAC'(0)};
    if (band_q[4]) position_5_q    <= position(above_lower_4_q, cfg_band_shift);
    if (band_q[5]) p_6_q           <= mark_probability(position_5_q, cfg_slope);
  end

  // --------------------------------------------------------------------------------------------
  // Stage 6: the decision.
  // --------------------------------------------------------------------------------------------

  logic                        by_lfsr, by_diffusion, hit, carry;
  logic [31:0]                 drawn;
  logic [PROBABILITY_FRAC-1:0] acc, acc_next;

  assign by_lfsr      = band_q[6] && cfg_random_mode == RandomLfsr;
  assign by_diffusion = band_q[6] && cfg_random_mode == RandomDiffusion;

  assign hit               = drawn[PROBABILITY_FRAC-1:0] < p_6_q;
  assign {carry, acc_next} = {1'b0, acc} + {1'b0, p_6_q};

  assign marked = above_q[6] || (by_lfsr && hit) || (by_diffusion && carry);

  // Of a draw only the low bits are compared.
  logic unused_drawn;
  assign unused_drawn = ^drawn[31:PROBABILITY_FRAC];

  // The generator is the block's: it advances in the order of the packets.
  lfsr32 u_lfsr (
    .clk     (clk),
    .rst_n   (rst_n),
    .seed    (cfg_lfsr_seed),
    .advance (by_lfsr),
    .state   (lfsr),
    .drawn   (drawn)
  );

  // Probability that has not become a mark yet. What is not an event's write is the init sweep's.
  ram_1w2r #(
    .WIDTH (PROBABILITY_FRAC),
    .DEPTH (QUEUES)
  ) u_acc (
    .clk     (clk),
    .we      (by_diffusion || init),
    .waddr   (init ? init_ctx : deq_ctx),
    .wdata   (init ? '0 : acc_next),
    .a_re    (band_q[5]),
    .a_raddr (deq_ctx_d),
    .a_rdata (acc),
    .b_re    (peek_read),
    .b_raddr (peek_ctx),
    .b_rdata (peek_acc)
  );

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && band_q[4]) begin
      // What does not fit 24 bits would be cut off: an average in the band is less than
      // 2^band_shift bytes above its lower end.
      assert ((64'(above_lower_4_q) >> AVG_FRAC) >> cfg_band_shift == '0)
        else $error("em_red: band_shift %0d is too small for an average in the band",
                    cfg_band_shift);
    end
    if (rst_n && band_q[5]) begin
      assert ((PRODUCT_W'(position_5_q) * PRODUCT_W'(cfg_slope)) >> (SLOPE_FRAC + PROBABILITY_FRAC)
              == '0)
        else $error("em_red: a probability of 1.0 or more in the band");
    end
  end
`endif

endmodule
