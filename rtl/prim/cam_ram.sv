// A content-addressed memory of N keys in transposed memories, for sizes at which N comparators
// cost too much. A key is cut into slices of SLICE_W bits; the word of a slice's memory that a
// slice of a key addresses has bit i set where key i has that slice. The AND of the words of all
// slices says which keys are equal. Two lookup ports, a and b, each with its own copy, one lookup a
// cycle each.
//
// A lookup of cycle c shows its match in cycle c + 2, with all keys that were replaced up to cycle
// c + 1. A replacement of cycle r names the new key in r and the old one in r + 1: it is erased
// from the memories in r + 1 and the new one written in r + 2. What is read meanwhile does not know
// all of it; in `match` the bit of that index is computed from the key itself. At most one
// replacement in four cycles. An index that was never replaced matches nothing.

module cam_ram #(
  parameter int N = 1024,
  parameter int KEY_W = 24,
  parameter int SLICE_W = 6,
  localparam int INDEX_W = $clog2(N)
) (
  input  logic               clk,
  input  logic               rst_n,

  // Init sweep: clears a word a cycle; at least 2^SLICE_W cycles.
  input  logic               init,
  input  logic [SLICE_W-1:0] init_index,

  // Lookups.
  input  logic               a_look,
  input  logic [KEY_W-1:0]   a_key,
  output logic [N-1:0]       a_match,
  input  logic               b_look,
  input  logic [KEY_W-1:0]   b_key,
  output logic [N-1:0]       b_match,

  // The key of an index is replaced; its old key, in the cycle after.
  input  logic               replace,
  input  logic [INDEX_W-1:0] replace_index,
  input  logic [KEY_W-1:0]   new_key,
  input  logic [KEY_W-1:0]   old_key_1
);

  localparam int SLICES = (KEY_W + SLICE_W - 1) / SLICE_W;
  localparam int PADDED_W = SLICES * SLICE_W;

  // --------------------------------------------------------------------------------------------
  // A replacement writes in the two cycles after it; recent_q[i]: it was i cycles ago.
  // --------------------------------------------------------------------------------------------

  logic [3:1]          recent_q;
  logic [INDEX_W-1:0]  index_q;
  logic [KEY_W-1:0]    new_key_q;
  logic                we;
  logic [PADDED_W-1:0] write_key;

  always_ff @(posedge clk) begin
    if (!rst_n) recent_q <= '0;
    else        recent_q <= {recent_q[2:1], replace};
  end

  always_ff @(posedge clk) begin
    if (replace) begin
      index_q   <= replace_index;
      new_key_q <= new_key;
    end
  end

  assign we        = recent_q[1] || recent_q[2];
  assign write_key = recent_q[1] ? PADDED_W'(old_key_1) : PADDED_W'(new_key_q);

  // --------------------------------------------------------------------------------------------
  // The words of all slices, read in the cycle of the lookup.
  // --------------------------------------------------------------------------------------------

  logic [PADDED_W-1:0] a_padded, b_padded;
  logic [N-1:0]        a_word [SLICES];
  logic [N-1:0]        b_word [SLICES];

  assign a_padded = PADDED_W'(a_key);
  assign b_padded = PADDED_W'(b_key);

  for (genvar s = 0; s < SLICES; s++) begin : g_slice
    ram_bit_1w1r #(
      .WIDTH (N),
      .DEPTH (1 << SLICE_W)
    ) u_a (
      .clk   (clk),
      .clear (init),
      .we    (we),
      .waddr (init ? init_index : write_key[s*SLICE_W+:SLICE_W]),
      .wbit  (index_q),
      .wdata (recent_q[2]),
      .re    (a_look),
      .raddr (a_padded[s*SLICE_W+:SLICE_W]),
      .rdata (a_word[s])
    );

    ram_bit_1w1r #(
      .WIDTH (N),
      .DEPTH (1 << SLICE_W)
    ) u_b (
      .clk   (clk),
      .clear (init),
      .we    (we),
      .waddr (init ? init_index : write_key[s*SLICE_W+:SLICE_W]),
      .wbit  (index_q),
      .wdata (recent_q[2]),
      .re    (b_look),
      .raddr (b_padded[s*SLICE_W+:SLICE_W]),
      .rdata (b_word[s])
    );
  end

  // --------------------------------------------------------------------------------------------
  // One cycle later: the AND of the words, and the index that is being replaced.
  // --------------------------------------------------------------------------------------------

  logic               a_look_q, b_look_q, fix;
  logic [KEY_W-1:0]   a_key_q, b_key_q, fix_key;
  logic [INDEX_W-1:0] fix_index;

  assign fix       = replace || recent_q != '0;
  assign fix_index = replace ? replace_index : index_q;
  assign fix_key   = replace ? new_key : new_key_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      a_look_q <= 1'b0;
      b_look_q <= 1'b0;
    end else begin
      a_look_q <= a_look;
      b_look_q <= b_look;
    end
  end

  logic [N-1:0] a_common, b_common;

  always_comb begin
    a_common = '1;
    b_common = '1;
    for (int s = 0; s < SLICES; s++) begin
      a_common = a_common & a_word[s];
      b_common = b_common & b_word[s];
    end
  end

  always_ff @(posedge clk) begin
    if (a_look) a_key_q <= a_key;
    if (b_look) b_key_q <= b_key;
    if (a_look_q) begin
      a_match <= a_common;
      if (fix) a_match[fix_index] <= fix_key == a_key_q;
    end
    if (b_look_q) begin
      b_match <= b_common;
      if (fix) b_match[fix_index] <= fix_key == b_key_q;
    end
  end

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && replace) begin
      assert (recent_q == '0 && !init)
        else $error("cam_ram: key %0d is replaced less than four cycles after another, or in init",
                    replace_index);
    end
  end
`endif

endmodule
