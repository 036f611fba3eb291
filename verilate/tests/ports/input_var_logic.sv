// All the words that may stand before a type.
module input_var_logic (
    input  var logic       clk,
    input  var logic [3:0] a,
    input  wire      [3:0] b,
    input  wire logic      c,
    input                  d, e,
    input  bit       [1:0] f,
    output var logic [3:0] q,
    output reg             r
);
  always_ff @(posedge clk) {q, r} <= {a ^ b, ^{c, d, e, f}};
endmodule
