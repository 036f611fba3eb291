// A clock and no reset.
module no_reset (
    input  logic       clock,
    input  logic [3:0] d,
    output logic [3:0] q
);
  always_ff @(posedge clock) q <= d;
endmodule
