// ram_1w1r with a second read port: one write port, two read ports a and b with registered
// addresses, and the bypass on both. Hardware with fewer ports keeps two copies written alike.
//
// No reset: whoever owns it writes each word before it counts on it.

module ram_1w2r #(
  parameter int WIDTH = 8,
  parameter int DEPTH = 16,
  localparam int ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  logic              clk,
  input  logic              we,
  input  logic [ADDR_W-1:0] waddr,
  input  logic [WIDTH-1:0]  wdata,
  input  logic              a_re,
  input  logic [ADDR_W-1:0] a_raddr,
  output logic [WIDTH-1:0]  a_rdata,
  input  logic              b_re,
  input  logic [ADDR_W-1:0] b_raddr,
  output logic [WIDTH-1:0]  b_rdata
);

  logic [WIDTH-1:0] mem [DEPTH];
  logic [WIDTH-1:0] a_mem_q, a_wdata_q, b_mem_q, b_wdata_q;
  logic             a_hit_q, b_hit_q;

  always_ff @(posedge clk) begin
    if (we) mem[waddr] <= wdata;
    if (a_re) begin
      a_mem_q <= mem[a_raddr];
      a_hit_q <= we && waddr == a_raddr;
      if (we) a_wdata_q <= wdata;
    end
    if (b_re) begin
      b_mem_q <= mem[b_raddr];
      b_hit_q <= we && waddr == b_raddr;
      if (we) b_wdata_q <= wdata;
    end
  end

  assign a_rdata = a_hit_q ? a_wdata_q : a_mem_q;
  assign b_rdata = b_hit_q ? b_wdata_q : b_mem_q;

endmodule
