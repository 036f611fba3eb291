// What stands aside while something else of it is in a pipeline: a memory of DEPTH words that are
// put one after the other and taken in the same order. A word may be taken from the cycle after it
// was put; it stands on `taken` from the cycle after `take` until the next take.

module hpcc_aside #(
  parameter int WIDTH = 8,
  parameter int DEPTH = 16,
  localparam int ADDR_W = $clog2(DEPTH)
) (
  input  logic             clk,
  input  logic             rst_n,
  input  logic             put,
  input  logic [WIDTH-1:0] word,
  input  logic             take,
  output logic [WIDTH-1:0] taken
);

  logic [ADDR_W-1:0] put_q, take_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      put_q  <= '0;
      take_q <= '0;
    end else begin
      if (put)  put_q  <= put_q + 1'b1;
      if (take) take_q <= take_q + 1'b1;
    end
  end

  ram_1w1r #(
    .WIDTH  (WIDTH),
    .DEPTH  (DEPTH),
    .BYPASS (0)
  ) u_words (
    .clk   (clk),
    .we    (put),
    .waddr (put_q),
    .wdata (word),
    .re    (take),
    .raddr (take_q),
    .rdata (taken)
  );

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && take) begin
      assert (put_q != take_q)
        else $error("hpcc_aside: a word is taken that was not put");
    end
    if (rst_n && put && !take) begin
      assert (ADDR_W'(put_q + 1'b1) != take_q)
        else $error("hpcc_aside: more than %0d words", DEPTH - 1);
    end
  end
`endif

endmodule
