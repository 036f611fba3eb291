// The waiting packets of one transmit queue: its head and the one behind it.

module pta_lane #(
  parameter int DLID_W = 24
) (
  input  logic              clock,
  input  logic              reset,
  input  logic              i_push,
  input  logic [DLID_W-1:0] i_dest,
  input  logic [14:0]       i_len,
  input  logic              i_pop,
  input  logic              i_stall,
  output logic              o_vld,
  output logic [DLID_W-1:0] o_dest,
  output logic [14:0]       o_len,
  output logic [23:0]       o_wait
);

  logic              behind;
  logic [DLID_W-1:0] behind_dest;
  logic [14:0]       behind_len;

  always_ff @(posedge clock) begin
    if (i_stall && o_wait != '1) o_wait <= o_wait + 1'b1;
    if (i_pop || !o_vld) begin
      o_vld  <= behind || i_push;
      o_dest <= behind ? behind_dest : i_dest;
      o_len  <= behind ? behind_len : i_len;
      o_wait <= '0;
      behind <= behind && i_push;
    end else if (i_push) begin
      behind <= 1'b1;
    end
    if (i_push) begin
      behind_dest <= i_dest;
      behind_len  <= i_len;
    end
    if (reset) begin
      o_vld  <= 1'b0;
      behind <= 1'b0;
    end
  end

endmodule
