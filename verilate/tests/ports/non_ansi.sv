// Ports declared in the body, in another order than in the list.
module non_ansi (q, clk, d, load);
  parameter W = 5;
  input clk, load;
  input signed [W-1:0] d;
  output reg [W-1:0] q;
  always @(posedge clk) if (load) q <= d;
endmodule
