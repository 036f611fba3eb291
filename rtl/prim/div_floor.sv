// Pipelined unsigned division, rounded down: floor({in_high, in_low} / in_divisor), one a cycle,
// QUOTIENT_W / BITS cycles from in to out. Restoring, BITS quotient bits a stage.
//
// in_high must be below in_divisor, which says that the quotient fits QUOTIENT_W bits (and that the
// divisor is not 0). The dividend's low bits leave a stage's register at its top while quotient
// bits enter at its bottom.

module div_floor #(
  parameter int DIVISOR_W = 8,
  parameter int QUOTIENT_W = 8,
  parameter int BITS = 2
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

  localparam int STAGES = QUOTIENT_W / BITS;

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (STAGES * BITS != QUOTIENT_W) begin : g_check_bits
    $error("div_floor: QUOTIENT_W must be a multiple of BITS");
  end
`endif

  logic [STAGES-1:0] valid_q;

  always_ff @(posedge clk) begin
    if (!rst_n) valid_q <= '0;
    else        valid_q <= {valid_q[STAGES-2:0], in_valid};
  end

  for (genvar s = 0; s < STAGES; s++) begin : g_stage
    logic                  valid;
    logic [DIVISOR_W-1:0]  remainder, remainder_d;
    logic [QUOTIENT_W-1:0] quotient, quotient_d, quotient_q;
    logic [DIVISOR_W-1:0]  divisor;

    if (s == 0) begin : g_first
      assign valid     = in_valid;
      assign remainder = in_high;
      assign quotient  = in_low;
      assign divisor   = in_divisor;
    end else begin : g_next
      assign valid     = valid_q[s-1];
      assign remainder = g_stage[s-1].g_rest.remainder_q;
      assign quotient  = g_stage[s-1].quotient_q;
      assign divisor   = g_stage[s-1].g_rest.divisor_q;
    end

    always_comb begin
      remainder_d = '0;
      quotient_d  = '0;
      if (valid) begin
        remainder_d = remainder;
        quotient_d  = quotient;
        for (int b = 0; b < BITS; b++) begin
          // The remainder is below the divisor, so doubled plus a bit it is below twice that: what
          // is left after one subtraction fits again.
          if ({remainder_d, quotient_d[QUOTIENT_W-1]} >= {1'b0, divisor}) begin
            remainder_d = {remainder_d[DIVISOR_W-2:0], quotient_d[QUOTIENT_W-1]} - divisor;
            quotient_d  = {quotient_d[QUOTIENT_W-2:0], 1'b1};
          end else begin
            remainder_d = {remainder_d[DIVISOR_W-2:0], quotient_d[QUOTIENT_W-1]};
            quotient_d  = {quotient_d[QUOTIENT_W-2:0], 1'b0};
          end
        end
      end
    end

    always_ff @(posedge clk) begin
      if (valid) quotient_q <= quotient_d;
    end

    // Nobody asks for the remainder of the last stage.
    if (s < STAGES - 1) begin : g_rest
      logic [DIVISOR_W-1:0] remainder_q, divisor_q;

      always_ff @(posedge clk) begin
        if (valid) begin
          remainder_q <= remainder_d;
          divisor_q   <= divisor;
        end
      end
    end
  end

  assign out_valid    = valid_q[STAGES-1];
  assign out_quotient = g_stage[STAGES-1].quotient_q;

`ifdef CONGRUENT_ASSERT
  quotient_fits: assert property (@(posedge clk) disable iff (!rst_n)
      in_valid |-> in_high < in_divisor)
    else $error("div_floor: the quotient does not fit: high %0d, divisor %0d", in_high, in_divisor);
`endif

endmodule
