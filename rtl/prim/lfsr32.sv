// A 32-bit Galois LFSR that is advanced by 32 steps at a time: x^32 + x^22 + x^2 + x + 1, right
// shift, mask 0x80200003. Twin of hw/src/prim/lfsr.rs.
//
// One step moves the state by one place, so that neighbouring values are nearly the same number; 32
// steps replace every bit. They are one fixed XOR matrix, derived here from single steps. Both the
// state and what 32 more steps make of it stand in registers, so that no XOR tree is between a draw
// and its use: whoever draws takes `drawn` and raises `advance` in the same cycle. Reset loads the
// seed, which must not be 0.

module lfsr32 (
  input  logic        clk,
  input  logic        rst_n,
  input  logic [31:0] seed,
  input  logic        advance,
  output logic [31:0] state,
  output logic [31:0] drawn
);

  localparam logic [31:0] MASK = 32'h8020_0003;

  // The matrix of 32 steps: column i, at bit 32 x i, is what they make of a state with bit i alone.
  // (All in one function: Icarus 11 evaluates none that calls another.)
  function automatic logic [32*32-1:0] matrix32();
    logic [32*32-1:0] matrix;
    logic [31:0]      column;
    matrix = '0;
    for (int i = 31; i >= 0; i--) begin
      column = 32'd1 << i;
      for (int step = 0; step < 32; step++) begin
        column = column[0] ? (column >> 1) ^ MASK : column >> 1;
      end
      matrix = (matrix << 32) | (32*32)'(column);
    end
    return matrix;
  endfunction

  localparam logic [32*32-1:0] MATRIX = matrix32();

  // 32 steps: the XOR of the columns of the bits that are set.
  function automatic logic [31:0] advance32(input logic [31:0] from);
    logic [31:0] sum;
    sum = '0;
    for (int i = 0; i < 32; i++) sum = sum ^ (MATRIX[32*i+:32] & {32{from[i]}});
    return sum;
  endfunction

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      state <= seed;
      drawn <= advance32(seed);
    end else if (advance) begin
      state <= drawn;
      drawn <= advance32(drawn);
    end
  end

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n) begin
      assert (state != '0)
        else $error("lfsr32: the state is 0 and stays so; the seed is %0d", seed);
    end
  end
`endif

endmodule
