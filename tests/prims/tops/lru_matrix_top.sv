// `lru_matrix` with indices of one width and a reset that the test can pull.

module lru_matrix_top #(
  parameter int N = 16
) (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        restart,
  input  logic        a_touch,
  input  logic [11:0] a_index,
  input  logic        b_touch,
  input  logic [11:0] b_index,
  output logic        init,
  output logic [11:0] victim
);

  localparam int INDEX_W = (N > 1) ? $clog2(N) : 1;

  logic [INDEX_W-1:0] narrow;

  lru_matrix #(
    .N (N)
  ) u_lru (
    .clk     (clk),
    .rst_n   (rst_n && !restart),
    .a_touch (a_touch),
    .a_index (a_index[INDEX_W-1:0]),
    .b_touch (b_touch),
    .b_index (b_index[INDEX_W-1:0]),
    .victim  (narrow)
  );

  assign init   = 1'b0;
  assign victim = 12'(narrow);

endmodule
