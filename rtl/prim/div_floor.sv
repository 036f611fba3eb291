// Pipelined unsigned division, rounded down: floor({in_high, in_low} / in_divisor), one a cycle,
// QUOTIENT_W / BITS cycles from in to out, with a payload beside it. Restoring, BITS quotient bits
// a stage.
//
// in_high must be below in_divisor, which says that the quotient fits QUOTIENT_W bits (and that the
// divisor is not 0). The dividend's low bits leave a stage's register at its top while quotient
// bits enter at its bottom. A stage's registers move only while it is used.

module div_floor #(
  parameter int DIVISOR_W = 8,
  parameter int QUOTIENT_W = 8,
  parameter int PAYLOAD_W = 1,
  parameter int BITS = 4
) (
  input  logic                  clk,
  input  logic                  rst_n,
  input  logic                  in_valid,
  input  logic [DIVISOR_W-1:0]  in_high,
  input  logic [QUOTIENT_W-1:0] in_low,
  input  logic [DIVISOR_W-1:0]  in_divisor,
  input  logic [PAYLOAD_W-1:0]  in_payload,
  output logic                  out_valid,
  output logic [QUOTIENT_W-1:0] out_quotient,
  output logic [PAYLOAD_W-1:0]  out_payload
);

  localparam int STAGES = QUOTIENT_W / BITS;

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (STAGES * BITS != QUOTIENT_W) begin : g_check_bits
    $fatal(1, "div_floor: QUOTIENT_W must be a multiple of BITS");
  end
`endif

  // One stage: takes the dividend's next BITS bits, gives {their quotient bits, the remainder}.
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

  logic [STAGES-1:0] valid_q;

  always_ff @(posedge clk) begin
    if (!rst_n) valid_q <= '0;
    else        valid_q <= {valid_q[STAGES-2:0], in_valid};
  end

  for (genvar s = 0; s < STAGES; s++) begin : g_stage
    // What is left of the dividend above the quotient so far, without the newest quotient bits,
    // which stand above the remainder.
    logic [QUOTIENT_W-BITS-1:0] low_q;
    logic [BITS+DIVISOR_W-1:0]  divided_q;
    logic [DIVISOR_W-1:0]       divisor_q;
    logic [PAYLOAD_W-1:0]       payload_q;

    if (s == 0) begin : g_first
      always_ff @(posedge clk) begin
        if (in_valid) begin
          divided_q <= divide(in_high, in_low[QUOTIENT_W-1-:BITS], in_divisor);
          low_q     <= in_low[QUOTIENT_W-BITS-1:0];
          divisor_q <= in_divisor;
          payload_q <= in_payload;
        end
      end
    end else begin : g_next
      always_ff @(posedge clk) begin
        if (valid_q[s-1]) begin
          divided_q <= divide(g_stage[s-1].divided_q[DIVISOR_W-1:0],
                              g_stage[s-1].low_q[QUOTIENT_W-BITS-1-:BITS],
                              g_stage[s-1].divisor_q);
          low_q     <= (QUOTIENT_W - BITS)'({g_stage[s-1].low_q,
                                             g_stage[s-1].divided_q[DIVISOR_W+:BITS]});
          divisor_q <= g_stage[s-1].divisor_q;
          payload_q <= g_stage[s-1].payload_q;
        end
      end
    end
  end

  assign out_valid    = valid_q[STAGES-1];
  assign out_quotient = {g_stage[STAGES-1].low_q, g_stage[STAGES-1].divided_q[DIVISOR_W+:BITS]};
  assign out_payload  = g_stage[STAGES-1].payload_q;

  // Nobody asks for the remainder.
  logic unused_rest;
  assign unused_rest = ^{g_stage[STAGES-1].divided_q[DIVISOR_W-1:0], g_stage[STAGES-1].divisor_q};

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && in_valid) begin
      assert (in_high < in_divisor)
        else $error("div_floor: the quotient does not fit: high %0d, divisor %0d", in_high,
                    in_divisor);
    end
  end
`endif

endmodule
