// Constants of the rate limiter that its modules share: the enumerations of its ports, the formats
// of pacing, and the depth of its pipes.

package rl_pkg;

  // Values of `upd_cause`. Both loops have episode and end; from cut on they are the reaction
  // point's.
  typedef enum logic [3:0] {
    CauseEpisode       = 4'd0,
    CauseReduction     = 4'd1,
    CauseReductionHeld = 4'd2,
    CauseIncrease      = 4'd3,
    CauseIncreaseHeld  = 4'd4,
    CauseEnd           = 4'd5,
    CauseCut           = 4'd6,
    CauseAlpha         = 4'd7,
    CauseFast          = 4'd8,
    CauseAdditive      = 4'd9,
    CauseHyper         = 4'd10
  } cause_e;

  // Values of `peeked_phase`: which half the loop runs next.
  typedef enum logic {
    PhaseReduction = 1'b0,
    PhaseIncrease  = 1'b1
  } phase_e;

  // `err_channel` of a refused CNP.
  localparam logic [1:0] ErrChannelCnp = 2'd0;

  // Fraction bits of a pacing time (next_send): cycles, UQ TIME_W.16.
  localparam int PACE_FRAC = 16;

  // Fraction bits of a byte time: cycles a byte.
  localparam int BYTE_TIME_FRAC = 28;

  // Bits of a byte time, UQ16.28: all that the divider makes. The largest is 2^14: 16.0 cycles a
  // byte at line rate over a rate of 1/1024 (0.001 of line rate in 12 fraction bits).
  localparam int BYTE_TIME_W = 44;

  // Bits of cfg_line_byte_time, UQ5.28.
  localparam int LINE_BYTE_TIME_W = 33;

  // Bits of a packet's length in bytes, and of `rsp_wait`.
  localparam int BYTES_W = 14;
  localparam int WAIT_W = 24;

  // Reaction point: fraction bits of G (in 1024ths) and of the least share that a cut leaves, and
  // bits of a stage.
  localparam int GAIN_FRAC = 10;
  localparam int DEC_FRAC = 16;
  localparam int STAGE_W = 5;

  // The effect stage. An event is on the pins in stage 0 and takes effect in this one, whatever its
  // channel: so the order of effects within a cycle is an order within one stage.
  localparam int EFFECT_STAGE = 4;

  // Quotient bits that the dividers compute whatever the parameters are, so that no latency depends
  // on a parameter, and how many of them a stage.
  localparam int DIV_BITS = 4;
  localparam int PROBABILITY_W = 16;

  // Stages after the effect stage in which a run of the loop has its probability, and in which its
  // results stand in registers: on `upd`, and written to memory.
  localparam int LOOP_READ_STAGE = 1 + PROBABILITY_W / DIV_BITS;
  localparam int LOOP_WRITE_STAGE = LOOP_READ_STAGE + 5;

  // Initiation interval of peek.
  localparam int PEEK_INTERVAL = 32;

endpackage
