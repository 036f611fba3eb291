// The lowest bit that is set in a long word: in the first row that is not empty, the first bit.
// Combinational, in two steps of at most 32 places. N is a multiple of 32, at most 1024.

module lowest_index #(
  parameter int N = 128,
  localparam int INDEX_W = $clog2(N)
) (
  input  logic [N-1:0]       bits,
  // Whether any bit is set; if none is, the index means nothing.
  output logic               any,
  output logic [INDEX_W-1:0] index
);

  localparam int ROW_W = 32;
  localparam int LOW_W = $clog2(ROW_W);
  localparam int ROWS = N / ROW_W;
  localparam int HIGH_W = INDEX_W - LOW_W;

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (N < 64 || N > 1024 || N % ROW_W != 0) begin : g_check_n
    $fatal(1, "lowest_index: N must be a multiple of 32 from 64 to 1024");
  end
`endif

  logic [ROWS-1:0]   rows;
  logic [ROW_W-1:0]  row;
  logic [HIGH_W-1:0] high;
  logic [LOW_W-1:0]  low;

  always_comb begin
    for (int r = 0; r < ROWS; r++) rows[r] = |bits[r*ROW_W+:ROW_W];
  end

  assign any = rows != '0;
  assign row = bits[high*ROW_W+:ROW_W];

  onehot_index #(
    .N (ROWS)
  ) u_high (
    .onehot (rows & (~rows + 1'b1)),
    .index  (high)
  );

  onehot_index #(
    .N (ROW_W)
  ) u_low (
    .onehot (row & (~row + 1'b1)),
    .index  (low)
  );

  assign index = {high, low};

endmodule
