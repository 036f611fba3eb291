// A memory with two write ports and READS read ports with registered addresses: data stands on
// `rdata` in the cycle after `re`, and stays until the next `re`. A read in the cycle of a write to
// its address gives what is being written. The two ports never write one address in one cycle.
//
// Made of memories with one write port, as FPGA and ASIC libraries have them: a bank for each write
// port, a copy of it for each read port, and a bit for each address that says which bank was
// written last (the live value table, in flops). Port p has bits [p*W+:W] of each vector.
//
// No reset: whoever owns it writes each word before it counts on it.

module ram_2w #(
  parameter int WIDTH = 8,
  parameter int DEPTH = 16,
  parameter int READS = 1,
  localparam int ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1
) (
  input  logic                    clk,
  input  logic                    a_we,
  input  logic [ADDR_W-1:0]       a_waddr,
  input  logic [WIDTH-1:0]        a_wdata,
  input  logic                    b_we,
  input  logic [ADDR_W-1:0]       b_waddr,
  input  logic [WIDTH-1:0]        b_wdata,
  input  logic [READS-1:0]        re,
  input  logic [READS*ADDR_W-1:0] raddr,
  output logic [READS*WIDTH-1:0]  rdata
);

  // By address: 1 where bank b was written last.
  logic live_b_q [DEPTH];

  always_ff @(posedge clk) begin
    if (a_we) live_b_q[a_waddr] <= 1'b0;
    if (b_we) live_b_q[b_waddr] <= 1'b1;
  end

  for (genvar p = 0; p < READS; p++) begin : g_read
    logic [ADDR_W-1:0] address;
    logic [WIDTH-1:0]  a_rdata, b_rdata;
    logic              from_b_q;

    assign address = raddr[p*ADDR_W+:ADDR_W];

    ram_1w1r #(
      .WIDTH (WIDTH),
      .DEPTH (DEPTH)
    ) u_bank_a (
      .clk   (clk),
      .we    (a_we),
      .waddr (a_waddr),
      .wdata (a_wdata),
      .re    (re[p]),
      .raddr (address),
      .rdata (a_rdata)
    );

    ram_1w1r #(
      .WIDTH (WIDTH),
      .DEPTH (DEPTH)
    ) u_bank_b (
      .clk   (clk),
      .we    (b_we),
      .waddr (b_waddr),
      .wdata (b_wdata),
      .re    (re[p]),
      .raddr (address),
      .rdata (b_rdata)
    );

    always_ff @(posedge clk) begin
      if (re[p]) begin
        if (b_we && b_waddr == address)      from_b_q <= 1'b1;
        else if (a_we && a_waddr == address) from_b_q <= 1'b0;
        else                                 from_b_q <= live_b_q[address];
      end
    end

    assign rdata[p*WIDTH+:WIDTH] = from_b_q ? b_rdata : a_rdata;
  end

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    // Before reset nothing is known: an X here is no mistake.
    if (a_we && b_we && a_waddr == b_waddr) begin
      assert (1'b0)
        else $error("ram_2w: both ports write address %0d", a_waddr);
    end
  end
`endif

endmodule
