// A memory with one write port and one read port with a registered address: data stands on `rdata`
// in the cycle after `re`, and stays until the next `re`. With BYPASS = 1 a read in the cycle of a
// write to its address gives what is being written; with BYPASS = 0 what was there before.
//
// No reset: whoever owns it writes each word before it counts on it.

module ram_1w1r #(
  parameter int WIDTH = 8,
  parameter int DEPTH = 16,
  parameter int BYPASS = 1,
  localparam int ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  logic              clk,
  input  logic              we,
  input  logic [ADDR_W-1:0] waddr,
  input  logic [WIDTH-1:0]  wdata,
  input  logic              re,
  input  logic [ADDR_W-1:0] raddr,
  output logic [WIDTH-1:0]  rdata
);

  logic [WIDTH-1:0] mem [DEPTH];
  logic [WIDTH-1:0] mem_q;

  always_ff @(posedge clk) begin
    if (we) mem[waddr] <= wdata;
    if (re) mem_q <= mem[raddr];
  end

  if (BYPASS != 0) begin : g_bypass
    logic             hit_q;
    logic [WIDTH-1:0] wdata_q;

    always_ff @(posedge clk) begin
      if (re) begin
        hit_q <= we && waddr == raddr;
        if (we) wdata_q <= wdata;
      end
    end

    assign rdata = hit_q ? wdata_q : mem_q;
  end else begin : g_no_bypass
    assign rdata = mem_q;
  end

endmodule
