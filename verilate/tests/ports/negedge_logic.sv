// Everything happens at the falling edge.
module negedge_logic (
    input  logic       clk_n,
    input  logic       rst_ni,
    input  logic [3:0] d,
    output logic [3:0] q
);
  always_ff @(negedge clk_n or negedge rst_ni)
    if (!rst_ni) q <= '0;
    else q <= d;
endmodule
