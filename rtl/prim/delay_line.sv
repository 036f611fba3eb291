// Delays a beat by CYCLES cycles (3 or more), any number of them under way. The payload waits in a
// small memory instead of moving through registers: one index walks round it, and a word is read
// just before the cycle in which it is written again.

module delay_line #(
  parameter int WIDTH = 8,
  parameter int CYCLES = 3
) (
  input  logic             clk,
  input  logic             rst_n,
  input  logic             in_valid,
  input  logic [WIDTH-1:0] in_data,
  output logic             out_valid,
  output logic [WIDTH-1:0] out_data
);

  localparam int DEPTH = CYCLES - 1;
  localparam int INDEX_W = $clog2(DEPTH);

  logic [CYCLES-1:0]  valid_q;
  logic [INDEX_W-1:0] index_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      valid_q <= '0;
      index_q <= '0;
    end else begin
      valid_q <= {valid_q[CYCLES-2:0], in_valid};
      index_q <= (index_q == INDEX_W'(DEPTH - 1)) ? '0 : index_q + 1'b1;
    end
  end

  ram_1w1r #(
    .WIDTH  (WIDTH),
    .DEPTH  (DEPTH),
    .BYPASS (0)
  ) u_payload (
    .clk   (clk),
    .we    (in_valid),
    .waddr (index_q),
    .wdata (in_data),
    .re    (valid_q[CYCLES-2]),
    .raddr (index_q),
    .rdata (out_data)
  );

  assign out_valid = valid_q[CYCLES-1];

endmodule
