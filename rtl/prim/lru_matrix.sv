// Exact least recently used order of N entries, 1 to 64, as an age matrix. Two touches a cycle: that
// of port a comes first, that of port b second. `victim` is the least recently used entry after the
// touches of all earlier cycles; it stands in a register. Reset makes entry 0 the least recently
// used, then 1, 2, ... (The same order for more entries: lru_list. Model: hw/src/prim/lru.rs.)
//
// Row i has bit j set while i was used after j. A touch of i sets row i and clears column i, so the
// victim is the entry whose row is empty. Nothing moves without a touch.

module lru_matrix #(
  parameter int N = 16,
  localparam int INDEX_W = (N > 1) ? $clog2(N) : 1
) (
  input  logic               clk,
  input  logic               rst_n,
  input  logic               a_touch,
  input  logic [INDEX_W-1:0] a_index,
  input  logic               b_touch,
  input  logic [INDEX_W-1:0] b_index,
  output logic [INDEX_W-1:0] victim
);

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (N < 1 || N > 64) begin : g_check_n
    $fatal(1, "lru_matrix: N must be from 1 to 64");
  end
`endif

  // The entries that each port touches, one hot or none.
  logic [N-1:0] a_mask, b_mask;

  assign a_mask = a_touch ? N'(1) << a_index : '0;
  assign b_mask = b_touch ? N'(1) << b_index : '0;

  // Entries whose row is empty after this cycle's touches: one hot.
  logic [N-1:0] oldest_d;

  for (genvar i = 0; i < N; i++) begin : g_row
    localparam logic [N-1:0] SELF = N'(1) << i;
    // After reset: used after all entries below it.
    localparam logic [N-1:0] RESET = SELF - 1'b1;

    logic [N-1:0] row_q, row_d;

    // An entry touched by a is older than the one touched by b after it.
    always_comb begin
      row_d = row_q & ~a_mask;
      if (a_mask[i]) row_d = ~SELF;
      row_d = row_d & ~b_mask;
      if (b_mask[i]) row_d = ~SELF;
    end

    assign oldest_d[i] = row_d == '0;

    always_ff @(posedge clk) begin
      if (!rst_n)                  row_q <= RESET;
      else if (a_touch || b_touch) row_q <= row_d;
    end
  end

  // The index of the bit that is set.
  function automatic logic [INDEX_W-1:0] encode(input logic [N-1:0] one_hot);
    logic [INDEX_W-1:0] index;
    index = '0;
    for (int i = 0; i < N; i++) begin
      if (one_hot[i]) index = index | INDEX_W'(i);
    end
    return index;
  endfunction

  always_ff @(posedge clk) begin
    if (!rst_n)                  victim <= '0;
    else if (a_touch || b_touch) victim <= encode(oldest_d);
  end

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n) begin
      assert (!a_touch || 32'(a_index) < 32'(N))
        else $error("lru_matrix: port a touches entry %0d of %0d", a_index, N);
      assert (!b_touch || 32'(b_index) < 32'(N))
        else $error("lru_matrix: port b touches entry %0d of %0d", b_index, N);
    end
  end
`endif

endmodule
