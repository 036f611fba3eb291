// Turns a run's new rate into the byte time that paces requests: line byte time ÷ rate, rounded
// down, by a pipelined divider far from the packet path: BYTE_TIME_W / DIV_BITS cycles from in to
// out.

module rl_byte_time
  import rl_pkg::*;
#(
  parameter int QPS = 256,
  parameter int RATE_FRAC = 24,
  localparam int CTX_W = $clog2(QPS),
  localparam int RATE_W = RATE_FRAC + 1
) (
  input  logic                        clk,
  input  logic                        rst_n,
  input  logic [LINE_BYTE_TIME_W-1:0] cfg_line_byte_time,

  input  logic                        rate_valid,
  input  logic [CTX_W-1:0]            rate_ctx,
  input  logic [RATE_W-1:0]           rate,

  output logic                        byte_time_valid,
  output logic [CTX_W-1:0]            byte_time_ctx,
  output logic [BYTE_TIME_W-1:0]      byte_time
);

  // The dividend, line byte time × 2^RATE_FRAC, in the two parts that the divider takes.
  logic [63:0] dividend;

  assign dividend = 64'(cfg_line_byte_time) << RATE_FRAC;

  div_floor #(
    .DIVISOR_W  (RATE_W),
    .QUOTIENT_W (BYTE_TIME_W),
    .PAYLOAD_W  (CTX_W),
    .BITS       (DIV_BITS)
  ) u_divide (
    .clk          (clk),
    .rst_n        (rst_n),
    .in_valid     (rate_valid),
    .in_high      (RATE_W'(dividend >> BYTE_TIME_W)),
    .in_low       (dividend[BYTE_TIME_W-1:0]),
    .in_divisor   (rate),
    .in_payload   (rate_ctx),
    .out_valid    (byte_time_valid),
    .out_quotient (byte_time),
    .out_payload  (byte_time_ctx)
  );

endmodule
