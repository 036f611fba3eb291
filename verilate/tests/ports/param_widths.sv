// Widths from parameters, some of them computed.
module param_widths #(
    parameter int  QPS    = 256,
    parameter int  RATE_W = 24,
    localparam int QP_W   = $clog2(QPS),
    parameter int  OFFSET = -2
) (
    input  logic                     clk,
    input  logic [QP_W-1:0]          qp,
    input  logic [RATE_W:0]          rate,
    output logic [2*RATE_W+OFFSET:0] product
);
  always_ff @(posedge clk) product <= {rate, qp};
endmodule
