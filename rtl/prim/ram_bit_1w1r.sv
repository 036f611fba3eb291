// A memory that is written one bit at a time, or whole words at once with 0: column b of it is a
// memory one bit wide with a write enable of its own. One read port with a registered address: a
// word stands on `rdata` in the cycle after `re`. A read in the cycle of a write to its word gives
// what was there before.
//
// No reset: its owner clears each word before it counts on it.

module ram_bit_1w1r #(
  parameter int WIDTH = 128,
  parameter int DEPTH = 64,
  localparam int ADDR_W = $clog2(DEPTH),
  localparam int BIT_W = $clog2(WIDTH)
) (
  input  logic              clk,
  input  logic              clear,
  input  logic              we,
  input  logic [ADDR_W-1:0] waddr,
  input  logic [BIT_W-1:0]  wbit,
  input  logic              wdata,
  input  logic              re,
  input  logic [ADDR_W-1:0] raddr,
  output logic [WIDTH-1:0]  rdata
);

  logic [WIDTH-1:0] mem [DEPTH];

  always_ff @(posedge clk) begin
    if (clear)   mem[waddr]       <= '0;
    else if (we) mem[waddr][wbit] <= wdata;
    if (re) rdata <= mem[raddr];
  end

endmodule
