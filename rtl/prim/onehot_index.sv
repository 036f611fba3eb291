// The index of the bit that is set in a word with at most one set bit; 0 for none. Combinational:
// bit b of the index is the OR of all places whose number has bit b. A long word is folded to
// ROW_W bits first: which row is not empty, and what all rows have together.

module onehot_index #(
  parameter int N = 16,
  localparam int INDEX_W = (N > 1) ? $clog2(N) : 1
) (
  input  logic [N-1:0]       onehot,
  output logic [INDEX_W-1:0] index
);

  localparam int ROW_W = 32;

  // The places whose number has bit b.
  function automatic logic [63:0] places(input int b);
    logic [63:0] mask;
    for (int i = 0; i < 64; i++) mask[i] = 1'(i >> b);
    return mask;
  endfunction

  if (N > 64) begin : g_rows
    localparam int ROWS = N / ROW_W;
    localparam int LOW_W = $clog2(ROW_W);

    logic [ROWS-1:0]  row;
    logic [ROW_W-1:0] column;

    always_comb begin
      column = '0;
      for (int r = 0; r < ROWS; r++) begin
        row[r] = |onehot[r*ROW_W+:ROW_W];
        column = column | onehot[r*ROW_W+:ROW_W];
      end
    end

    for (genvar b = 0; b < LOW_W; b++) begin : g_low
      localparam logic [63:0] PLACES = places(b);

      assign index[b] = |(column & PLACES[ROW_W-1:0]);
    end
    for (genvar b = LOW_W; b < INDEX_W; b++) begin : g_high
      localparam logic [63:0] PLACES = places(b - LOW_W);

      assign index[b] = |(row & PLACES[ROWS-1:0]);
    end
  end else begin : g_word
    for (genvar b = 0; b < INDEX_W; b++) begin : g_bit
      localparam logic [63:0] PLACES = places(b);

      assign index[b] = |(onehot & PLACES[N-1:0]);
    end
  end

endmodule
