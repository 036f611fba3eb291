// Bits of each context with several writers. A writer flips bits, and does so in a memory of its
// own; a bit's value is the parity over all of them. So each memory has one write port, and writers
// that meet at one context do not disturb one another.
//
// Port p reads a context with a registered address: its bits stand on `value` in the cycle after
// `re`, until the next `re`, flips in the cycle of the read included. While they stand it may flip
// them: `ctx` names the context that was read. Port p has bits [p*W+:W] of each vector.

module pfc_flags #(
  parameter int WIDTH = 2,
  parameter int DEPTH = 256,
  parameter int PORTS = 3,
  localparam int ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  logic                    clk,

  // Init sweep: all bits 0.
  input  logic                    init,
  input  logic [ADDR_W-1:0]       init_addr,

  input  logic [PORTS-1:0]        re,
  input  logic [PORTS*ADDR_W-1:0] raddr,
  output logic [PORTS*WIDTH-1:0]  value,
  input  logic [PORTS*ADDR_W-1:0] ctx,
  input  logic [PORTS*WIDTH-1:0]  flip
);

  // What port w has flipped, as port r reads it, at w * PORTS + r.
  logic [WIDTH-1:0] part [PORTS*PORTS];

  for (genvar w = 0; w < PORTS; w++) begin : g_writer
    logic              we;
    logic [ADDR_W-1:0] waddr;
    logic [WIDTH-1:0]  wdata;

    assign we    = init || flip[w*WIDTH+:WIDTH] != '0;
    assign waddr = init ? init_addr : ctx[w*ADDR_W+:ADDR_W];
    assign wdata = init ? '0 : part[w*PORTS+w] ^ flip[w*WIDTH+:WIDTH];

    for (genvar r = 0; r < PORTS; r++) begin : g_reader
      ram_1w1r #(
        .WIDTH (WIDTH),
        .DEPTH (DEPTH)
      ) u_part (
        .clk   (clk),
        .we    (we),
        .waddr (waddr),
        .wdata (wdata),
        .re    (re[r]),
        .raddr (raddr[r*ADDR_W+:ADDR_W]),
        .rdata (part[w*PORTS+r])
      );
    end
  end

  for (genvar r = 0; r < PORTS; r++) begin : g_value
    logic [WIDTH-1:0] parity;

    always_comb begin
      parity = '0;
      for (int w = 0; w < PORTS; w++) parity = parity ^ part[w*PORTS+r];
    end

    assign value[r*WIDTH+:WIDTH] = parity;
  end

endmodule
