// An asynchronous reset that is active when it is 1.
module async_high_reset (
    input  logic       clk_i,
    input  logic       arst_i,
    input  logic [3:0] d_i,
    output logic [3:0] q_o
);
  always_ff @(posedge clk_i or posedge arst_i)
    if (arst_i) q_o <= '0;
    else q_o <= d_i;
endmodule
