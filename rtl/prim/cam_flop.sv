// A content-addressed table of N keys in flops, 1 to 64, with LOOKUPS lookups and one write a cycle.
// A lookup is combinational: `match` has a bit for each entry that is valid and holds the key, `hit`
// says whether there is one, `index` which. It sees the writes of earlier cycles. (For more entries:
// cam_ram.)
//
// Which entries are valid is the owner's business and comes in as `valid`; a key that is valid in
// two entries has no index. Port p has bits [p*W+:W] of each vector. `index` is 0 without a hit.

module cam_flop #(
  parameter int N = 16,
  parameter int KEY_W = 24,
  parameter int LOOKUPS = 1,
  localparam int INDEX_W = (N > 1) ? $clog2(N) : 1
) (
  input  logic                       clk,
  input  logic [N-1:0]               valid,

  input  logic                       write,
  input  logic [INDEX_W-1:0]         write_index,
  input  logic [KEY_W-1:0]           write_key,

  // A port that does not ask gives no hit.
  input  logic [LOOKUPS-1:0]         lookup,
  input  logic [LOOKUPS*KEY_W-1:0]   lookup_key,
  output logic [LOOKUPS-1:0]         hit,
  output logic [LOOKUPS*INDEX_W-1:0] index,
  output logic [LOOKUPS*N-1:0]       match
);

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (N < 1 || N > 64) begin : g_check_n
    $fatal(1, "cam_flop: N must be from 1 to 64");
  end
`endif

  logic [KEY_W-1:0] keys_q [N];

  always_ff @(posedge clk) begin
    if (write) keys_q[write_index] <= write_key;
  end

  for (genvar p = 0; p < LOOKUPS; p++) begin : g_lookup
    logic [KEY_W-1:0]   key;
    logic [N-1:0]       found;
    logic [INDEX_W-1:0] which;

    assign key = lookup_key[p*KEY_W+:KEY_W];

    always_comb begin
      found = '0;
      which = '0;
      if (lookup[p]) begin
        for (int i = 0; i < N; i++) begin
          found[i] = keys_q[i] == key;
        end
        found = found & valid;
        for (int i = 0; i < N; i++) begin
          if (found[i]) which = which | INDEX_W'(i);
        end
      end
    end

    assign hit[p]                    = found != '0;
    assign index[p*INDEX_W+:INDEX_W]  = which;
    assign match[p*N+:N]             = found;

`ifdef CONGRUENT_ASSERT
    always @(posedge clk) begin
      assert ((found & (found - 1'b1)) == '0)
        else $error("cam_flop: key %0h is valid in two entries", key);
    end
`endif
  end

endmodule
