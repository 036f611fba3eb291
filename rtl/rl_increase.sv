// One increase of the published reaction point, after its stage has gone up: target, rate, and
// whether it ends the episode. Combinational; a visit has two in series, timer and byte counter.

module rl_increase
  import congruent_pkg::*;
  import rl_pkg::*;
#(
  parameter int RATE_FRAC = 24,
  localparam int RATE_W = RATE_FRAC + 1
) (
  input  logic [STAGE_W-1:0] cfg_threshold,
  input  logic [RATE_W-1:0]  cfg_ai_rate,
  input  logic [RATE_W-1:0]  cfg_hai_rate,
  input  logic [RATE_W-1:0]  cfg_end_rate,

  // It happens; the state before it, but the stages, which are those after it.
  input  logic               increase,
  input  logic [RATE_W-1:0]  rate,
  input  logic [RATE_W-1:0]  target,
  input  logic [STAGE_W-1:0] timer_stage,
  input  logic [STAGE_W-1:0] byte_stage,

  output logic [3:0]         next_cause,
  output logic [RATE_W-1:0]  next_rate,
  output logic [RATE_W-1:0]  next_target,
  output logic [STAGE_W-1:0] recovery,
  output logic               ends
);

  localparam logic [RATE_W-1:0] LINE = {1'b1, RATE_FRAC'(0)};
  localparam int UP_W = RATE_W + STAGE_W + 1;

  // --------------------------------------------------------------------------------------------
  // The functions of hw/src/rate_limiter/dcqcn/core.rs, under their names and with their rounding.
  // --------------------------------------------------------------------------------------------

  // Which increase the stages call for.
  function automatic logic [3:0] increase_cause(input logic timer_above,
                                                input logic byte_above);
    if (timer_above && byte_above) return CauseHyper;
    if (timer_above || byte_above) return CauseAdditive;
    return CauseFast;
  endfunction

  // What is added to the target; `beyond` is the smaller stage - F.
  function automatic logic [UP_W-1:0] target_step(input logic [3:0]         cause,
                                                  input logic [STAGE_W-1:0] beyond,
                                                  input logic [RATE_W-1:0]  ai_rate,
                                                  input logic [RATE_W-1:0]  hai_rate);
    unique case (cause)
      CauseHyper:    return UP_W'(beyond) * UP_W'(hai_rate);
      CauseAdditive: return UP_W'(ai_rate);
      default:       return '0;
    endcase
  endfunction

  // --------------------------------------------------------------------------------------------
  // The target first, held at line rate, then the rate halfway to it.
  // --------------------------------------------------------------------------------------------

  logic [3:0]        cause;
  logic [UP_W-1:0]   up;
  logic [RATE_W-1:0] goal, middle;

  assign recovery    = (timer_stage < byte_stage) ? timer_stage : byte_stage;
  assign cause       = increase_cause(timer_stage > cfg_threshold, byte_stage > cfg_threshold);
  assign up          = UP_W'(target) + target_step(cause, recovery - cfg_threshold, cfg_ai_rate,
                                                   cfg_hai_rate);
  assign goal        = (up > UP_W'(LINE)) ? LINE : up[RATE_W-1:0];
  assign middle      = RATE_W'(halfway(64'(rate), 64'(goal)));
  assign ends        = increase && goal == LINE && middle >= cfg_end_rate;

  assign next_cause  = ends ? CauseEnd : cause;
  assign next_rate   = ends ? LINE : middle;
  assign next_target = goal;

endmodule
