// A clock that is not called like one, and a synchronous reset.
module other_clock (
    input  logic       tick,
    input  logic       clear,
    input  logic [3:0] clk_enable,
    output logic [3:0] q
);
  always_ff @(posedge tick)
    if (clear) q <= '0;
    else q <= clk_enable;
endmodule
