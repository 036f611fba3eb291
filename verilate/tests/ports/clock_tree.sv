// A clock through an inverter, a gate, an instance and a divider; a reset through an inverter.
module clock_tree (
    input  logic       clk_i,
    input  logic       enable_i,
    input  logic       reset_i,
    input  logic [3:0] d_i,
    output logic [3:0] inverted_o,
    output logic [3:0] gated_o,
    output logic [3:0] below_o,
    output logic [3:0] divided_o
);
  logic clk_n, rst_n, clk_gated, half;
  assign clk_n = ~clk_i;
  assign rst_n = !reset_i;
  always_comb clk_gated = clk_i & enable_i;
  always_ff @(posedge clk_n) inverted_o <= d_i;
  always_ff @(posedge clk_gated) gated_o <= d_i;
  clock_tree_leaf leaf (.ck(clk_i), .rn(rst_n), .d(d_i), .q(below_o));
  always_ff @(posedge clk_i or negedge rst_n)
    if (!rst_n) half <= 1'b0;
    else half <= !half;
  always_ff @(posedge half) divided_o <= d_i;
endmodule

module clock_tree_leaf (
    input  logic       ck,
    input  logic       rn,
    input  logic [3:0] d,
    output logic [3:0] q
);
  always_ff @(posedge ck or negedge rn)
    if (!rn) q <= '0;
    else q <= d;
endmodule
