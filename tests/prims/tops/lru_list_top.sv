// `lru_list` with its init sweep, indices of one width and a reset that the test can pull.

module lru_list_top #(
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

  localparam int INDEX_W = $clog2(N);

  logic [INDEX_W-1:0] init_index_q, narrow;

  always_ff @(posedge clk) begin
    if (!rst_n || restart) begin
      init         <= 1'b1;
      init_index_q <= '0;
    end else if (init) begin
      init         <= init_index_q != INDEX_W'(N - 1);
      init_index_q <= init_index_q + 1'b1;
    end
  end

  lru_list #(
    .N (N)
  ) u_lru (
    .clk        (clk),
    .rst_n      (rst_n && !restart),
    .init       (init),
    .init_index (init_index_q),
    .a_touch    (a_touch),
    .a_index    (a_index[INDEX_W-1:0]),
    .b_touch    (b_touch),
    .b_index    (b_index[INDEX_W-1:0]),
    .victim     (narrow)
  );

  assign victim = 12'(narrow);

endmodule
