// The arithmetic of the rate loop: from a run's counts to the new estimate, target and rate, off
// the packet path. One run a cycle may enter; each leaves on `upd` after the same time.
//
// Stages count from the effect stage: 1 starts the division of the probability, 5 has it and reads
// the state, 6 blends the estimate, 7 rounds it and moves the target, 8 multiplies for the cut, 9
// makes the rate, 10 shows `upd` and writes. Runs of one queue pair are further apart than that, so
// nothing is forwarded between them. Beside the state it writes whether an increase from there
// would end the episode: all that rl_slot needs of the rates.

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
  input  logic [3:0]        run_cause,
  input  logic [TIME_W-1:0] run_cnps,
  input  logic [TIME_W-1:0] run_packets,

  // A peek reads the state in stage 5 of its slot (in which no run reads) and sees it in stage 6.
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
  output logic [3:0]        upd_cause,
  output logic [RATE_W-1:0] upd_rate,
  output logic [RATE_W-1:0] upd_target,
  output logic [EST_W-1:0]  upd_estimate,
  output logic [3:0]        upd_recovery,
  output logic              upd_congested
);

  localparam logic [RATE_W-1:0] LINE = {1'b1, RATE_FRAC'(0)};
  localparam logic [EST_W-1:0] ONE = {1'b1, EST_FRAC'(0)};
  localparam int BLEND_W = 2 * EST_FRAC + 1;
  localparam int PRODUCT_W = RATE_W + EST_W;
  localparam int PAYLOAD_W = CTX_W + 5;

  // --------------------------------------------------------------------------------------------
  // The functions of hw/src/rate_limiter/core.rs, under their names and with their rounding. Where
  // a function is spread over two stages, its product is an argument.
  // --------------------------------------------------------------------------------------------

  // p = min(1, cnps ÷ packets), UQ1.EST_FRAC, rounded down: the quotient's top bits are the
  // quotient of fewer bits.
  function automatic logic [EST_W-1:0] probability(input logic                     one,
                                                   input logic [PROBABILITY_W-1:0] quotient);
    return one ? ONE : EST_W'(64'(quotient) >> (PROBABILITY_W - EST_FRAC));
  endfunction

  // w × p + (1 - w) × estimate, not yet rounded.
  function automatic logic [BLEND_W-1:0] blend(input logic [EST_W-1:0] weight,
                                               input logic [EST_W-1:0] estimate,
                                               input logic [EST_W-1:0] p);
    logic [EST_W-1:0] rest;
    rest = ONE - weight;
    return BLEND_W'(weight) * BLEND_W'(p) + BLEND_W'(rest) * BLEND_W'(estimate);
  endfunction

  function automatic logic [EST_W-1:0] estimate_next(input logic [BLEND_W-1:0] blended);
    return EST_W'(round_half_up(64'(blended), EST_FRAC));
  endfunction

  function automatic logic [RATE_W-1:0] hold_at_floor(input logic [RATE_W-1:0] rate,
                                                      input logic [RATE_W-1:0] floor);
    return (rate < floor) ? floor : rate;
  endfunction

  // rate × (1 - estimate ÷ 2), from the product rate × estimate.
  function automatic logic [RATE_W-1:0] cut(input logic [RATE_W-1:0]    rate,
                                            input logic [PRODUCT_W-1:0] product);
    return rate - RATE_W'(round_half_up(64'(product), EST_FRAC + 1));
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

  // Target after a run, before an end resets it.
  function automatic logic [RATE_W-1:0] target_next(input logic [3:0]        cause,
                                                    input logic              additive,
                                                    input logic [RATE_W-1:0] target,
                                                    input logic [RATE_W-1:0] step,
                                                    input logic [RATE_W-1:0] floor);
    unique case (cause)
      CauseEpisode:            return LINE;
      CauseReduction:          return additive ? target_down(target, step, floor) : target;
      CauseIncrease, CauseEnd: return additive ? target_up(target, step) : target;
      default:                 return target;
    endcase
  endfunction

  function automatic logic [3:0] recovery_next(input logic [3:0] cause,
                                               input logic       additive,
                                               input logic [3:0] recovery);
    unique case (cause)
      CauseEpisode:            return 4'd0;
      CauseReduction:          return (additive && recovery != 4'd0) ? recovery - 4'd1 : 4'd0;
      CauseIncrease, CauseEnd: return (recovery == 4'd15) ? recovery : recovery + 4'd1;
      default:                 return recovery;
    endcase
  endfunction

  // Whether a run sets the rate halfway to the target: an increase, or an additive reduction.
  function automatic logic averages(input logic [3:0] cause, input logic additive);
    return cause == CauseIncrease || cause == CauseEnd || (cause == CauseReduction && additive);
  endfunction

  // Rate after a run; `average` where it has been set halfway to the target.
  function automatic logic [RATE_W-1:0] rate_next(input logic [3:0]           cause,
                                                  input logic                 average,
                                                  input logic [RATE_W-1:0]    rate,
                                                  input logic [PRODUCT_W-1:0] product,
                                                  input logic [RATE_W-1:0]    first_rate,
                                                  input logic [RATE_W-1:0]    floor);
    unique case (cause)
      CauseEpisode:   return first_rate;
      CauseReduction: return hold_at_floor(average ? rate : cut(rate, product), floor);
      CauseIncrease:  return hold_at_floor(rate, floor);
      CauseEnd:       return LINE;
      default:        return rate;
    endcase
  endfunction

  // Whether an increase from this state reaches the rate that ends an episode.
  function automatic logic increase_ends(input logic [RATE_W-1:0] rate,
                                         input logic [RATE_W-1:0] target,
                                         input logic              additive,
                                         input logic [RATE_W-1:0] step,
                                         input logic [RATE_W-1:0] floor,
                                         input logic [RATE_W-1:0] end_rate);
    logic [RATE_W-1:0] goal;
    goal = additive ? target_up(target, step) : target;
    return hold_at_floor(RATE_W'(halfway(64'(rate), 64'(goal))), floor) >= end_rate;
  endfunction

  // --------------------------------------------------------------------------------------------
  // Stages 1 to 5: the probability. Where it is 0 or 1, nothing is divided.
  // --------------------------------------------------------------------------------------------

  logic                     divide_1, valid_5, one_5;
  logic [PROBABILITY_W-1:0] quotient_5;
  logic [CTX_W-1:0]         ctx_5;
  logic [3:0]               cause_5;

  assign divide_1 = run_cnps < run_packets;

  div_floor #(
    .DIVISOR_W  (TIME_W),
    .QUOTIENT_W (PROBABILITY_W),
    .PAYLOAD_W  (PAYLOAD_W),
    .BITS       (DIV_BITS)
  ) u_probability (
    .clk          (clk),
    .rst_n        (rst_n),
    .in_valid     (run_valid),
    .in_high      (divide_1 ? run_cnps : TIME_W'(0)),
    .in_low       (PROBABILITY_W'(0)),
    .in_divisor   (divide_1 ? run_packets : TIME_W'(1)),
    .in_payload   ({run_ctx, run_cause, run_cnps != '0 && !divide_1}),
    .out_valid    (valid_5),
    .out_quotient (quotient_5),
    .out_payload  ({ctx_5, cause_5, one_5})
  );

  // --------------------------------------------------------------------------------------------
  // Stages 5 to 10. Registers move only with a run; upd is stage 10.
  // --------------------------------------------------------------------------------------------

  logic [11:6]          valid_q;
  logic [CTX_W-1:0]     ctx_6_q, ctx_7_q, ctx_8_q, ctx_9_q, ctx_10_q, ctx_11_q;
  logic [3:0]           cause_6_q, cause_7_q, cause_8_q, cause_9_q;
  logic [EST_W-1:0]     p_6_q;
  logic [RATE_W-1:0]    rate_6, target_6;
  logic [EST_W-1:0]     estimate_6;
  logic [3:0]           recovery_6;
  logic [BLEND_W-1:0]   blend_7_q;
  logic                 additive_7_q;
  logic                 average_8_q, average_9_q;
  logic [PRODUCT_W-1:0] product_9_q;
  logic [RATE_W-1:0]    rate_7_q, rate_8_q, rate_9_q;
  logic [RATE_W-1:0]    target_7_q, target_8_q, target_9_q;
  logic [EST_W-1:0]     estimate_8_q, estimate_9_q;
  logic [3:0]           recovery_7_q, recovery_8_q, recovery_9_q;
  logic                 ends_11_q;

  always_ff @(posedge clk) begin
    if (!rst_n) valid_q <= '0;
    else        valid_q <= {valid_q[10:6], valid_5};
  end

  always_ff @(posedge clk) begin
    if (valid_5) begin
      ctx_6_q   <= ctx_5;
      cause_6_q <= cause_5;
      p_6_q     <= probability(one_5, quotient_5);
    end
    if (valid_q[6]) begin
      ctx_7_q      <= ctx_6_q;
      cause_7_q    <= cause_6_q;
      blend_7_q    <= blend(cfg_weight, estimate_6, p_6_q);
      additive_7_q <= recovery_6 >= cfg_fast_recovery_attempt;
      rate_7_q     <= rate_6;
      target_7_q   <= target_6;
      recovery_7_q <= recovery_6;
    end
    if (valid_q[7]) begin
      ctx_8_q      <= ctx_7_q;
      cause_8_q    <= cause_7_q;
      estimate_8_q <= (cause_7_q == CauseEpisode) ? cfg_first_estimate : estimate_next(blend_7_q);
      target_8_q   <= target_next(cause_7_q, additive_7_q, target_7_q, cfg_additive_step,
                                  cfg_floor);
      recovery_8_q <= recovery_next(cause_7_q, additive_7_q, recovery_7_q);
      average_8_q  <= averages(cause_7_q, additive_7_q);
      rate_8_q     <= rate_7_q;
    end
    if (valid_q[8]) begin
      ctx_9_q      <= ctx_8_q;
      cause_9_q    <= cause_8_q;
      average_9_q  <= average_8_q;
      product_9_q  <= PRODUCT_W'(rate_8_q) * PRODUCT_W'(estimate_8_q);
      rate_9_q     <= average_8_q ? RATE_W'(halfway(64'(rate_8_q), 64'(target_8_q))) : rate_8_q;
      target_9_q   <= (cause_8_q == CauseEnd) ? LINE : target_8_q;
      estimate_9_q <= estimate_8_q;
      recovery_9_q <= recovery_8_q;
    end
    if (valid_q[9]) begin
      ctx_10_q      <= ctx_9_q;
      upd_qp        <= QP_W'(ctx_9_q);
      upd_cause     <= cause_9_q;
      upd_rate      <= rate_next(cause_9_q, average_9_q, rate_9_q, product_9_q, cfg_first_rate,
                                 cfg_floor);
      upd_target    <= target_9_q;
      upd_estimate  <= estimate_9_q;
      upd_recovery  <= recovery_9_q;
      upd_congested <= cause_9_q != CauseEnd;
    end
    if (valid_q[10]) begin
      ctx_11_q  <= ctx_10_q;
      ends_11_q <= increase_ends(upd_rate, upd_target, upd_recovery >= cfg_fast_recovery_attempt,
                                 cfg_additive_step, cfg_floor, cfg_end_rate);
    end
  end

  assign upd_valid = valid_q[10];

  // --------------------------------------------------------------------------------------------
  // Memories. No init: an episode's start writes all of it before anybody reads.
  // --------------------------------------------------------------------------------------------

  logic             state_re;
  logic [CTX_W-1:0] state_raddr;

  assign state_re    = valid_5 || peek_read;
  assign state_raddr = peek_read ? peek_ctx : ctx_5;

  ram_1w1r #(
    .WIDTH  (2 * RATE_W),
    .DEPTH  (QPS),
    .BYPASS (0)
  ) u_rates (
    .clk   (clk),
    .we    (valid_q[10]),
    .waddr (ctx_10_q),
    .wdata ({upd_rate, upd_target}),
    .re    (state_re),
    .raddr (state_raddr),
    .rdata ({rate_6, target_6})
  );

  ram_1w1r #(
    .WIDTH  (EST_W + 4),
    .DEPTH  (QPS),
    .BYPASS (0)
  ) u_estimate (
    .clk   (clk),
    .we    (valid_q[10]),
    .waddr (ctx_10_q),
    .wdata ({upd_estimate, upd_recovery}),
    .re    (state_re),
    .raddr (state_raddr),
    .rdata ({estimate_6, recovery_6})
  );

  ram_1w1r #(
    .WIDTH  (1),
    .DEPTH  (QPS),
    .BYPASS (0)
  ) u_ends_look (
    .clk   (clk),
    .we    (valid_q[11]),
    .waddr (ctx_11_q),
    .wdata (ends_11_q),
    .re    (1'b1),
    .raddr (look_ctx_d),
    .rdata (look_ends)
  );

  assign peek_rate     = rate_6;
  assign peek_target   = target_6;
  assign peek_estimate = estimate_6;
  assign peek_recovery = recovery_6;

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && upd_valid) begin
      assert (cfg_floor <= upd_rate && upd_rate <= LINE)
        else $error("rl_loop: rate %0d of queue pair %0d is not between floor %0d and line rate",
                    upd_rate, upd_qp, cfg_floor);
      assert (cfg_floor <= upd_target && upd_target <= LINE)
        else $error("rl_loop: target %0d of queue pair %0d is not between floor %0d and line rate",
                    upd_target, upd_qp, cfg_floor);
    end
    if (rst_n && valid_q[9] && (cause_9_q == CauseIncrease || cause_9_q == CauseEnd)) begin
      // The stored bit said the same as the rate computed now.
      assert ((cause_9_q == CauseEnd) == (hold_at_floor(rate_9_q, cfg_floor) >= cfg_end_rate))
        else $error("rl_loop: queue pair %0d ended its episode, or did not, against its rate",
                    ctx_9_q);
    end
    if (rst_n && valid_5 && cause_5 != CauseEpisode) begin
      // Nobody reads a queue pair whose earlier run has still to write.
      assert (!(valid_q[6] && ctx_6_q == ctx_5) && !(valid_q[7] && ctx_7_q == ctx_5) &&
              !(valid_q[8] && ctx_8_q == ctx_5) && !(valid_q[9] && ctx_9_q == ctx_5) &&
              !(valid_q[10] && ctx_10_q == ctx_5))
        else $error("rl_loop: a run of queue pair %0d reads before an earlier one has written",
                    ctx_5);
      assert (!peek_read)
        else $error("rl_loop: a peek and a run of queue pair %0d read in one cycle", ctx_5);
    end
  end
`endif

endmodule
