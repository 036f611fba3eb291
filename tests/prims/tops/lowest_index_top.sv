// `lowest_index` of a long word that is written 64 bits at a time.

module lowest_index_top #(
  parameter int N = 128
) (
  input  logic        clk,
  input  logic        rst_n,
  input  logic [11:0] place,
  input  logic [63:0] bits,
  output logic        any,
  output logic [11:0] index
);

  logic [N-1:0]         bits_q;
  logic [$clog2(N)-1:0] narrow;

  always_ff @(posedge clk) begin
    if (!rst_n) bits_q               <= '0;
    else        bits_q[place*64+:64] <= bits;
  end

  lowest_index #(
    .N (N)
  ) u_lowest (
    .bits  (bits_q),
    .any   (any),
    .index (narrow)
  );

  assign index = 12'(narrow);

endmodule
