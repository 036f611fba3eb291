// Exact least recently used order of N entries, 1 to 64, as an age matrix. Two touches a cycle:
// that of port a comes first, that of port b second. `victim` is the least recently used entry
// after the touches of all earlier cycles; it stands in a register. Reset makes entry 0 the least
// recently used, then 1, 2, ... (The same order for more entries: lru_list. Model:
// hw/src/prim/lru.rs.)
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

  logic [N-1:0] touched;

  assign touched = a_mask | b_mask;

  // --------------------------------------------------------------------------------------------
  // The rows. After reset each entry was used after all below it. An entry touched by a is older
  // than the one touched by b.
  // --------------------------------------------------------------------------------------------

  logic [N-1:0] row_q [N];

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      for (int i = 0; i < N; i++) row_q[i] <= (N'(1) << i) - 1'b1;
    end else if (a_touch || b_touch) begin
      for (int i = 0; i < N; i++) row_q[i] <= row_q[i] & ~touched;
      if (a_touch) row_q[a_index] <= ~touched;
      if (b_touch) row_q[b_index] <= ~b_mask;
    end
  end

  // --------------------------------------------------------------------------------------------
  // The victim stays until it is touched. Then it is the one of the others whose row is empty but
  // for what is touched now; where there are no others, what a touches, or the only entry.
  // --------------------------------------------------------------------------------------------

  logic               victim_touched;
  logic [INDEX_W-1:0] victim_d;

  assign victim_touched = (a_touch && a_index == victim) || (b_touch && b_index == victim);

  always_comb begin
    victim_d = victim;
    if (victim_touched) begin
      if (a_touch) victim_d = a_index;
      for (int i = 0; i < N; i++) begin
        if (!touched[i] && (row_q[i] & ~touched) == '0) victim_d = INDEX_W'(i);
      end
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n) victim <= '0;
    else        victim <= victim_d;
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
