// One clock, and both of its edges.
module both_edges (
    input  logic       clk,
    input  logic [3:0] d,
    output logic [3:0] q
);
  logic [3:0] half;
  always_ff @(negedge clk) half <= d;
  always_ff @(posedge clk) q <= half;
endmodule
