// What a CNP does to a queue pair of the published reaction point: whether it is ignored, and rate,
// target and alpha after the cut. Combinational: the loop of rl_reaction is one cycle long, so that
// CNPs of one queue pair may cut in every cycle. Three products side by side, then selections.

module rl_cut
  import congruent_pkg::*;
  import rl_pkg::*;
#(
  parameter int TIME_W = 32,
  parameter int RATE_FRAC = 24,
  parameter int EST_FRAC = 24,
  localparam int RATE_W = RATE_FRAC + 1,
  localparam int EST_W = EST_FRAC + 1
) (
  input  logic [EST_W-1:0]      cfg_initial_alpha,
  input  logic [RATE_W-1:0]     cfg_first_cnp_rate,
  input  logic [GAIN_FRAC-1:0]  cfg_alpha_gain,
  input  logic                  cfg_cut_by_alpha,
  input  logic [DEC_FRAC:0]     cfg_min_dec_fac,
  input  logic [RATE_W-1:0]     cfg_min_rate,
  input  logic [TIME_W-1:0]     cfg_monitor_period,
  input  logic                  cfg_clamp_target,

  // A CNP takes effect now, on this state.
  input  logic                  cnp,
  input  logic [TIME_W-1:0]     now,
  input  logic                  congested,
  input  logic [RATE_W-1:0]     rate,
  input  logic [RATE_W-1:0]     target,
  input  logic [EST_W-1:0]      alpha,
  input  logic [TIME_W-1:0]     last_cut,
  input  logic                  recent_cut,
  input  logic                  increased,

  // It cuts, and what it leaves. The rest of the state is the same for every cut.
  output logic                  cuts,
  output logic [RATE_W-1:0]     cut_rate,
  output logic [RATE_W-1:0]     cut_target,
  output logic [EST_W-1:0]      cut_alpha
);

  // --------------------------------------------------------------------------------------------
  // The functions of hw/src/rate_limiter/dcqcn/core.rs, under their names and with their rounding.
  // --------------------------------------------------------------------------------------------

  // Whether now is less than the monitor period after the last cut.
  function automatic logic within_monitor_period(input logic              recent,
                                                 input logic [TIME_W-1:0] since,
                                                 input logic [TIME_W-1:0] period);
    return recent && since < period;
  endfunction

  // alpha × G ÷ 1024, rounded down, + (1024 - G) ÷ 1024, which is exact.
  function automatic logic [EST_W-1:0] alpha_up(input logic [EST_W-1:0]     a,
                                                input logic [GAIN_FRAC-1:0] gain);
    logic [63:0] share;
    share = 64'(1 << GAIN_FRAC) - 64'(gain);
    return EST_W'(((64'(a) * 64'(gain)) >> GAIN_FRAC) + (share << (EST_FRAC - GAIN_FRAC)));
  endfunction

  // rate × (1 - alpha ÷ 2), or with cut_by_alpha rate × (1 - alpha); the cut is rounded half up.
  function automatic logic [RATE_W-1:0] rate_by_alpha(input logic [RATE_W-1:0] r,
                                                      input logic [EST_W-1:0]  a,
                                                      input logic              cut_by_alpha);
    logic [63:0] product;
    product = 64'(r) * 64'(a);
    return r - RATE_W'(cut_by_alpha ? round_half_up(product, EST_FRAC)
                                    : round_half_up(product, EST_FRAC + 1));
  endfunction

  // What a cut leaves at least: rate × rpg_min_dec_fac ÷ 100, rounded half up.
  function automatic logic [RATE_W-1:0] least_rate(input logic [RATE_W-1:0] r,
                                                   input logic [DEC_FRAC:0] min_dec_fac);
    return RATE_W'(round_half_up(64'(r) * 64'(min_dec_fac), DEC_FRAC));
  endfunction

  function automatic logic [RATE_W-1:0] max(input logic [RATE_W-1:0] a,
                                            input logic [RATE_W-1:0] b);
    return (a < b) ? b : a;
  endfunction

  function automatic logic [RATE_W-1:0] rate_after_cut(input logic [RATE_W-1:0] by_alpha,
                                                       input logic [RATE_W-1:0] least,
                                                       input logic [RATE_W-1:0] min_rate);
    return max(max(by_alpha, least), min_rate);
  endfunction

  // --------------------------------------------------------------------------------------------
  // A CNP outside an episode starts one, and its cut acts on what the configuration says.
  // --------------------------------------------------------------------------------------------

  logic [RATE_W-1:0] from_rate;
  logic [EST_W-1:0]  from_alpha;

  assign from_rate  = congested ? rate : cfg_first_cnp_rate;
  assign from_alpha = congested ? alpha : cfg_initial_alpha;

  assign cuts       = cnp && (!congested ||
                      !within_monitor_period(recent_cut, now - last_cut, cfg_monitor_period));
  assign cut_rate   = cuts ? rate_after_cut(rate_by_alpha(from_rate, from_alpha, cfg_cut_by_alpha),
                                            least_rate(from_rate, cfg_min_dec_fac), cfg_min_rate)
                           : '0;
  assign cut_target = (!congested || increased || cfg_clamp_target) ? from_rate : target;
  assign cut_alpha  = cuts ? alpha_up(from_alpha, cfg_alpha_gain) : '0;

endmodule
