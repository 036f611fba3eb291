// The arithmetic of the rate loop: from a run's counts to the new estimate, target and rate, off
// the packet path. One run a cycle may enter; each leaves on `upd` after the same time.
//
// Stages count from the effect stage: 1 starts the division of the probability, 8 reads the state,
// 9 has the quotient and blends the estimate, 10 rounds it and moves the target, 11 multiplies for
// the cut, 12 makes the rate, 13 shows `upd` and writes. Runs of one queue pair are further apart
// than that, so nothing is forwarded between them. Beside the state it writes whether an increase
// from there would end the episode: all that rl_slot needs of the rates.

module rl_loop
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
  localparam int EST_W = EST_FRAC + 1
) (
  input  logic              clk,
  input  logic              rst_n,
  input  logic [EST_W-1:0]  cfg_weight,
  input  logic [EST_W-1:0]  cfg_first_estimate,
  input  logic [RATE_W-1:0] cfg_first_rate,
  input  logic [RATE_W-1:0] cfg_additive_step,
  input  logic [RATE_W-1:0] cfg_floor,
  input  logic [RATE_W-1:0] cfg_end_rate,
  input  logic [3:0]        cfg_fast_recovery_attempt,

  // A run, in stage 1.
  input  logic              run_valid,
  input  logic [CTX_W-1:0]  run_ctx,
  input  logic [2:0]        run_cause,
  input  logic [TIME_W-1:0] run_cnps,
  input  logic [TIME_W-1:0] run_packets,

  // A peek reads the state in stage 8 of its slot (in which no run reads) and sees it in stage 9.
  input  logic              peek_read,
  input  logic [CTX_W-1:0]  peek_ctx,
  output logic [RATE_W-1:0] peek_rate,
  output logic [RATE_W-1:0] peek_target,
  output logic [EST_W-1:0]  peek_estimate,
  output logic [3:0]        peek_recovery,

  // Look port of rl_slot.
  input  logic [CTX_W-1:0]  look_ctx_d,
  output logic              look_ends,

  // upd, which is what is being written.
  output logic              upd_valid,
  output logic [QP_W-1:0]   upd_qp,
  output logic [2:0]        upd_cause,
  output logic [RATE_W-1:0] upd_rate,
  output logic [RATE_W-1:0] upd_target,
  output logic [EST_W-1:0]  upd_estimate,
  output logic [3:0]        upd_recovery,
  output logic              upd_congested
);

  localparam logic [RATE_W-1:0] LINE = {1'b1, RATE_FRAC'(0)};
  localparam logic [EST_W-1:0] ONE = {1'b1, EST_FRAC'(0)};
  localparam int BLEND_W = 2 * EST_FRAC + 1;
  localparam int CUT_W = RATE_W + EST_W;

  // The functions of hw/src/rate_limiter/core.rs, under their names; rounding as there.

  // w × p + (1 - w) × estimate, before rounding.
  function automatic logic [BLEND_W-1:0] blend(input logic [EST_W-1:0] weight,
                                               input logic [EST_W-1:0] estimate,
                                               input logic [EST_W-1:0] p);
    return BLEND_W'(weight) * BLEND_W'(p) + BLEND_W'(ONE - weight) * BLEND_W'(estimate);
  endfunction

  // The estimate, from the blend.
  function automatic logic [EST_W-1:0] estimate_next(input logic [BLEND_W-1:0] blended);
    return EST_W'(round_half_up(64'(blended), EST_FRAC));
  endfunction

  // rate × (1 - estimate ÷ 2), from the product rate × estimate.
  function automatic logic [RATE_W-1:0] cut(input logic [RATE_W-1:0] rate,
                                            input logic [CUT_W-1:0]  product);
    return rate - RATE_W'(round_half_up(64'(product), EST_FRAC + 1));
  endfunction

  function automatic logic [RATE_W-1:0] hold_at_floor(input logic [RATE_W-1:0] rate,
                                                      input logic [RATE_W-1:0] floor);
    return (rate < floor) ? floor : rate;
  endfunction

  function automatic logic [RATE_W-1:0] target_down(input logic [RATE_W-1:0] target,
                                                    input logic [RATE_W-1:0] step,
                                                    input logic [RATE_W-1:0] floor);
    return hold_at_floor(RATE_W'(sub_floor_zero(64'(target), 64'(step))), floor);
  endfunction

  function automatic logic [RATE_W-1:0] target_up(input logic [RATE_W-1:0] target,
                                                  input logic [RATE_W-1:0] step);
    logic [RATE_W:0] up;
    up = {1'b0, target} + {1'b0, step};
    return (up > {1'b0, LINE}) ? LINE : up[RATE_W-1:0];
  endfunction

  // --------------------------------------------------------------------------------------------
  // Stages 1 to 8: p = min(1, cnps ÷ packets). Where the answer is 0 or 1 nothing is divided.
  // --------------------------------------------------------------------------------------------

  logic                              divide_1, one_1;
  logic                              quotient_valid_9;
  logic [PROBABILITY_QUOTIENT_W-1:0] quotient_9;

  assign divide_1 = run_valid && run_cause != CauseEpisode && run_cnps != '0 &&
                    run_cnps < run_packets;
  assign one_1    = run_cnps != '0;

  div_floor #(
    .DIVISOR_W  (TIME_W),
    .QUOTIENT_W (PROBABILITY_QUOTIENT_W),
    .BITS       (DIV_BITS)
  ) u_probability (
    .clk          (clk),
    .rst_n        (rst_n),
    .in_valid     (divide_1),
    .in_high      (run_cnps),
    .in_low       (PROBABILITY_QUOTIENT_W'(0)),
    .in_divisor   (run_packets),
    .out_valid    (quotient_valid_9),
    .out_quotient (quotient_9)
  );

  logic             valid_8, one_8;
  logic [CTX_W-1:0] ctx_8;
  logic [2:0]       cause_8;

  delay_line #(
    .WIDTH  (CTX_W + 4),
    .CYCLES (LOOP_QUOTIENT_STAGE - 2)
  ) u_run (
    .clk       (clk),
    .rst_n     (rst_n),
    .in_valid  (run_valid),
    .in_data   ({run_ctx, run_cause, one_1}),
    .out_valid (valid_8),
    .out_data  ({ctx_8, cause_8, one_8})
  );

  // --------------------------------------------------------------------------------------------
  // Stage 9: p, and the blend of the estimate.
  // --------------------------------------------------------------------------------------------

  logic [4:0]         valid_q;  // stages 9 to 13
  logic               one_9_q;
  logic [CTX_W-1:0]   ctx_9_q, ctx_10_q, ctx_11_q, ctx_12_q, ctx_13_q;
  logic [2:0]         cause_9_q, cause_10_q, cause_11_q, cause_12_q, cause_13_q;
  logic [RATE_W-1:0]  rate_9, target_9;
  logic [EST_W-1:0]   estimate_9, p_9;
  logic [3:0]         recovery_9;

  // p, UQ1.EST_FRAC, rounded down: the quotient's top bits are the quotient of fewer bits.
  always_comb begin
    p_9 = '0;
    if (quotient_valid_9) p_9 = {1'b0, quotient_9[PROBABILITY_QUOTIENT_W-1-:EST_FRAC]};
    else if (one_9_q)     p_9 = ONE;
  end

  always_ff @(posedge clk) begin
    if (!rst_n) valid_q <= '0;
    else        valid_q <= {valid_q[3:0], valid_8};
  end

  logic [BLEND_W-1:0] blend_10_q;
  logic [RATE_W-1:0]  rate_10_q, target_10_q;
  logic [3:0]         recovery_10_q;

  always_ff @(posedge clk) begin
    if (valid_8) begin
      ctx_9_q   <= ctx_8;
      cause_9_q <= cause_8;
      one_9_q   <= one_8;
    end
    if (valid_q[0]) begin
      ctx_10_q      <= ctx_9_q;
      cause_10_q    <= cause_9_q;
      blend_10_q    <= blend(cfg_weight, estimate_9, p_9);
      rate_10_q     <= rate_9;
      target_10_q   <= target_9;
      recovery_10_q <= recovery_9;
    end
  end

  // --------------------------------------------------------------------------------------------
  // Stage 10: estimate, target, recovery, and how the rate will change.
  // --------------------------------------------------------------------------------------------

  logic              additive_10;
  logic              cut_11_q, cut_d, average_11_q, average_d, average_12_q, cut_12_q;
  logic [EST_W-1:0]  estimate_11_q, estimate_d, estimate_12_q, estimate_13_q;
  logic [RATE_W-1:0] target_11_q, target_d, target_12_q, target_13_q;
  logic [3:0]        recovery_11_q, recovery_d, recovery_12_q, recovery_13_q;
  logic [RATE_W-1:0] rate_11_q, rate_12_q, rate_13_q;
  logic [CUT_W-1:0]  product_12_q;

  always_comb begin
    additive_10 = 1'b0;
    estimate_d  = '0;
    target_d    = '0;
    recovery_d  = '0;
    cut_d       = 1'b0;
    average_d   = 1'b0;
    if (valid_q[1]) begin
      additive_10 = recovery_10_q >= cfg_fast_recovery_attempt;
      estimate_d  = estimate_next(blend_10_q);
      target_d    = target_10_q;
      recovery_d  = recovery_10_q;
      unique case (cause_10_q)
        CauseEpisode: begin
          estimate_d = cfg_first_estimate;
          target_d   = LINE;
          recovery_d = 4'd0;
        end
        CauseReduction: begin
          cut_d      = !additive_10;
          average_d  = additive_10;
          recovery_d = 4'd0;
          if (additive_10) begin
            target_d   = target_down(target_10_q, cfg_additive_step, cfg_floor);
            recovery_d = (recovery_10_q == 4'd0) ? 4'd0 : recovery_10_q - 4'd1;
          end
        end
        CauseIncrease, CauseEnd: begin
          average_d = 1'b1;
          if (additive_10) target_d = target_up(target_10_q, cfg_additive_step);
          if (recovery_10_q != 4'd15) recovery_d = recovery_10_q + 4'd1;
        end
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk) begin
    if (valid_q[1]) begin
      ctx_11_q      <= ctx_10_q;
      cause_11_q    <= cause_10_q;
      rate_11_q     <= rate_10_q;
      estimate_11_q <= estimate_d;
      target_11_q   <= target_d;
      recovery_11_q <= recovery_d;
      cut_11_q      <= cut_d;
      average_11_q  <= average_d;
    end
  end

  // --------------------------------------------------------------------------------------------
  // Stages 11 and 12: the rate.
  // --------------------------------------------------------------------------------------------

  logic [RATE_W-1:0] rate_d;

  always_comb begin
    rate_d = '0;
    if (valid_q[3]) begin
      rate_d = rate_12_q;
      if (cut_12_q)                   rate_d = cut(rate_12_q, product_12_q);
      if (cut_12_q || average_12_q)   rate_d = hold_at_floor(rate_d, cfg_floor);
      if (cause_12_q == CauseEpisode) rate_d = cfg_first_rate;
      if (cause_12_q == CauseEnd)     rate_d = LINE;
    end
  end

  always_ff @(posedge clk) begin
    if (valid_q[2]) begin
      ctx_12_q      <= ctx_11_q;
      cause_12_q    <= cause_11_q;
      rate_12_q     <= average_11_q ? RATE_W'(halfway(64'(rate_11_q), 64'(target_11_q)))
                                    : rate_11_q;
      product_12_q  <= CUT_W'(rate_11_q) * CUT_W'(estimate_11_q);
      estimate_12_q <= estimate_11_q;
      target_12_q   <= target_11_q;
      recovery_12_q <= recovery_11_q;
      cut_12_q      <= cut_11_q;
      average_12_q  <= average_11_q;
    end
    if (valid_q[3]) begin
      ctx_13_q      <= ctx_12_q;
      cause_13_q    <= cause_12_q;
      rate_13_q     <= rate_d;
      estimate_13_q <= estimate_12_q;
      target_13_q   <= (cause_12_q == CauseEnd) ? LINE : target_12_q;
      recovery_13_q <= recovery_12_q;
    end
  end

  // --------------------------------------------------------------------------------------------
  // Stage 13: upd, and the state's write.
  // --------------------------------------------------------------------------------------------

  assign upd_valid     = valid_q[4];
  assign upd_qp        = QP_W'(ctx_13_q);
  assign upd_cause     = cause_13_q;
  assign upd_rate      = rate_13_q;
  assign upd_target    = target_13_q;
  assign upd_estimate  = estimate_13_q;
  assign upd_recovery  = recovery_13_q;
  assign upd_congested = cause_13_q != CauseEnd;

  // Whether an increase from the state being written would end the episode.
  logic [RATE_W-1:0] target_after, rate_after;
  logic              ends_13;

  always_comb begin
    target_after = '0;
    rate_after   = '0;
    ends_13      = 1'b0;
    if (valid_q[4]) begin
      target_after = target_13_q;
      if (recovery_13_q >= cfg_fast_recovery_attempt) begin
        target_after = target_up(target_13_q, cfg_additive_step);
      end
      rate_after = hold_at_floor(RATE_W'(halfway(64'(rate_13_q), 64'(target_after))), cfg_floor);
      ends_13    = rate_after >= cfg_end_rate;
    end
  end

  // No init: an episode's start writes all of it before anybody reads.
  ram_1w1r #(
    .WIDTH (2 * RATE_W),
    .DEPTH (QPS)
  ) u_rates (
    .clk   (clk),
    .we    (valid_q[4]),
    .waddr (ctx_13_q),
    .wdata ({rate_13_q, target_13_q}),
    .re    (valid_8 || peek_read),
    .raddr (peek_read ? peek_ctx : ctx_8),
    .rdata ({rate_9, target_9})
  );

  ram_1w1r #(
    .WIDTH (EST_W + 4),
    .DEPTH (QPS)
  ) u_estimate (
    .clk   (clk),
    .we    (valid_q[4]),
    .waddr (ctx_13_q),
    .wdata ({estimate_13_q, recovery_13_q}),
    .re    (valid_8 || peek_read),
    .raddr (peek_read ? peek_ctx : ctx_8),
    .rdata ({estimate_9, recovery_9})
  );

  ram_1w1r #(
    .WIDTH (1),
    .DEPTH (QPS)
  ) u_ends_look (
    .clk   (clk),
    .we    (valid_q[4]),
    .waddr (ctx_13_q),
    .wdata (ends_13),
    .re    (1'b1),
    .raddr (look_ctx_d),
    .rdata (look_ends)
  );

  assign peek_rate     = rate_9;
  assign peek_target   = target_9;
  assign peek_estimate = estimate_9;
  assign peek_recovery = recovery_9;

`ifdef CONGRUENT_ASSERT
  rate_in_range: assert property (@(posedge clk) disable iff (!rst_n)
      upd_valid |-> cfg_floor <= upd_rate && upd_rate <= LINE)
    else $error("rl_loop: rate %0d of queue pair %0d is not between floor %0d and line rate",
                upd_rate, upd_qp, cfg_floor);

  target_in_range: assert property (@(posedge clk) disable iff (!rst_n)
      upd_valid |-> cfg_floor <= upd_target && upd_target <= LINE)
    else $error("rl_loop: target %0d of queue pair %0d is not between floor %0d and line rate",
                upd_target, upd_qp, cfg_floor);

  // The stored bit said the same as the rate computed now.
  end_as_foretold: assert property (@(posedge clk) disable iff (!rst_n)
      valid_q[3] && (cause_12_q == CauseIncrease || cause_12_q == CauseEnd) |->
      (cause_12_q == CauseEnd) == (hold_at_floor(rate_12_q, cfg_floor) >= cfg_end_rate))
    else $error("rl_loop: queue pair %0d ended its episode, or did not, against its rate",
                ctx_12_q);

  // No run reads a queue pair whose earlier run is still to write (a start writes without reading).
  no_overtaking: assert property (@(posedge clk) disable iff (!rst_n)
      valid_8 && cause_8 != CauseEpisode |->
      !(valid_q[0] && ctx_9_q == ctx_8) && !(valid_q[1] && ctx_10_q == ctx_8) &&
      !(valid_q[2] && ctx_11_q == ctx_8) && !(valid_q[3] && ctx_12_q == ctx_8))
    else $error("rl_loop: a run of queue pair %0d reads before an earlier one has written", ctx_8);

  peek_reads_alone: assert property (@(posedge clk) disable iff (!rst_n)
      !(peek_read && valid_8 && cause_8 != CauseEpisode))
    else $error("rl_loop: a peek and a run read in one cycle");
`endif

endmodule
