// Constants and fixed-point functions shared by every block.
//
// The functions carry the names of hw/src/fixed.rs and compute the same, on 64 bits, so that both
// files read side by side; callers cast the result to its width. UQm.n is unsigned with m integer
// and n fraction bits.

package congruent_pkg;

  // Codes of an `error` field, shared by all blocks.
  typedef enum logic [2:0] {
    ErrorNone       = 3'd0,
    ErrorRange      = 3'd1,
    ErrorClosed     = 3'd2,
    ErrorZeroLength = 3'd3,
    ErrorUnderflow  = 3'd4,
    ErrorHops       = 3'd5
  } error_e;

  // Drops `frac` bits with rounding half up: floor(value / 2^frac + 1/2).
  function automatic logic [63:0] round_half_up(input logic [63:0] value, input int frac);
    return (frac == 0) ? value : (value + (64'd1 << (frac - 1))) >> frac;
  endfunction

  // The middle of two values of one format, rounded half up.
  function automatic logic [63:0] halfway(input logic [63:0] a, input logic [63:0] b);
    return (a + b + 64'd1) >> 1;
  endfunction

  // Difference that stops at 0.
  function automatic logic [63:0] sub_floor_zero(input logic [63:0] a, input logic [63:0] b);
    return (a < b) ? 64'd0 : a - b;
  endfunction

endpackage
