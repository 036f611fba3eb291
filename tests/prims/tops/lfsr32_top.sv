// `lfsr32` with a reset that the test can pull, so that every run has many seeds.

module lfsr32_top (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        restart,
  input  logic [31:0] seed,
  input  logic        advance,
  output logic [31:0] state,
  output logic [31:0] drawn
);

  lfsr32 u_lfsr (
    .clk     (clk),
    .rst_n   (rst_n && !restart),
    .seed    (seed),
    .advance (advance),
    .state   (state),
    .drawn   (drawn)
  );

endmodule
