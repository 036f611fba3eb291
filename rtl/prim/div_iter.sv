// Iterative unsigned division, rounded down: floor({in_high, in_low} / in_divisor), one at a time,
// QUOTIENT_W / BITS cycles from in to out. Restoring, BITS quotient bits a cycle. The same function
// as div_floor with one stage of its hardware: for units that have time between two divisions. The
// twin in Rust is `div_floor` of hw/src/fixed.rs.
//
// in_high must be below in_divisor, which says that the quotient fits QUOTIENT_W bits (and that the
// divisor is not 0). A new division may begin in the cycle that shows out_valid; out_quotient stays
// until the next one begins. Nothing moves while none is under way.

module div_iter #(
  parameter int DIVISOR_W = 8,
  parameter int QUOTIENT_W = 8,
  parameter int BITS = 4
) (
  input  logic                  clk,
  input  logic                  rst_n,
  input  logic                  in_valid,
  input  logic [DIVISOR_W-1:0]  in_high,
  input  logic [QUOTIENT_W-1:0] in_low,
  input  logic [DIVISOR_W-1:0]  in_divisor,
  output logic                  out_valid,
  output logic [QUOTIENT_W-1:0] out_quotient
);

  localparam int STEPS = QUOTIENT_W / BITS;

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (STEPS * BITS != QUOTIENT_W || STEPS < 2) begin : g_check_bits
    $fatal(1, "div_iter: QUOTIENT_W must be a multiple of BITS, at least two times it");
  end
`endif

  // One step: takes the dividend's next BITS bits, gives {their quotient bits, the remainder}.
  function automatic logic [BITS+DIVISOR_W-1:0] divide(input logic [DIVISOR_W-1:0] remainder,
                                                       input logic [BITS-1:0]      dividend,
                                                       input logic [DIVISOR_W-1:0] divisor);
    logic [DIVISOR_W-1:0] rest;
    logic [DIVISOR_W:0]   twice;
    logic [BITS-1:0]      bits;
    rest = remainder;
    for (int b = BITS - 1; b >= 0; b--) begin
      // The remainder is below the divisor, so doubled plus a bit it is below twice that: what is
      // left after one subtraction fits again.
      twice   = {rest, dividend[b]};
      bits[b] = twice >= {1'b0, divisor};
      rest    = bits[b] ? twice[DIVISOR_W-1:0] - divisor : twice[DIVISOR_W-1:0];
    end
    return {bits, rest};
  endfunction

  // Steps that are left, one bit each: a shift register counts them.
  logic [STEPS-2:0]           left_q;
  logic                       busy;
  // What is left of the dividend above the quotient so far, without the newest quotient bits, which
  // stand above the remainder.
  logic [QUOTIENT_W-BITS-1:0] low_q;
  logic [BITS+DIVISOR_W-1:0]  divided_q;
  logic [DIVISOR_W-1:0]       divisor_q;
  // The operands of this cycle's step.
  logic [DIVISOR_W-1:0]       rest, divisor;
  logic [QUOTIENT_W-1:0]      low;

  assign busy    = left_q[0];
  assign rest    = busy ? divided_q[DIVISOR_W-1:0] : in_high;
  assign low     = busy ? {low_q, divided_q[DIVISOR_W+:BITS]} : in_low;
  assign divisor = busy ? divisor_q : in_divisor;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      left_q    <= '0;
      out_valid <= 1'b0;
    end else begin
      out_valid <= busy && (left_q >> 1) == '0;
      if (busy)          left_q <= left_q >> 1;
      else if (in_valid) left_q <= '1;
    end
  end

  always_ff @(posedge clk) begin
    if (busy || in_valid) begin
      divided_q <= divide(rest, low[QUOTIENT_W-1-:BITS], divisor);
      low_q     <= low[QUOTIENT_W-BITS-1:0];
      divisor_q <= divisor;
    end
  end

  assign out_quotient = {low_q, divided_q[DIVISOR_W+:BITS]};

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && in_valid) begin
      assert (!busy)
        else $error("div_iter: a division while one is under way");
      assert (in_high < in_divisor)
        else $error("div_iter: the quotient does not fit: high %0d, divisor %0d", in_high,
                    in_divisor);
    end
  end
`endif

endmodule
