// How far a grant moves its destination's next packet: the packet's own time and the delay that the
// congestion control table asks for, held at a quarter of a wrap. Combinational, all in one go.

module pta_gap #(
  parameter int TIME_W    = 12,
  parameter int TIME_FRAC = 16,
  parameter int BUG       = 0
) (
  input  logic [32:0]                 p_byte_time,
  input  logic                        p_by_mtu,
  input  logic [TIME_FRAC+18:0]       p_mtu_time,
  input  logic [14:0]                 i_len,
  input  logic [1:0]                  i_shift,
  input  logic [13:0]                 i_mult,
  output logic [TIME_W+TIME_FRAC-1:0] o_gap
);

  localparam int Drop = 28 - TIME_FRAC;
  localparam logic [63:0] Most = 64'd1 << (TIME_W - 2 + TIME_FRAC);

  logic [63:0] own, unit, pause, sum;

  always_comb begin
    own   = (64'(i_len) * 64'(p_byte_time) + (64'd1 << (Drop - 1))) >> Drop;
    unit  = p_by_mtu ? 64'(p_mtu_time) : own;
    // Three more fraction bits take what the shift pushes out.
    pause = ((unit << 3) >> i_shift) * 64'(i_mult);
    // BUG 10
    if (BUG == 10) pause = ((unit >> i_shift) << 3) * 64'(i_mult);
    sum   = own + ((pause + 64'd4) >> 3);
    o_gap = (sum > Most) ? (TIME_W + TIME_FRAC)'(Most) : (TIME_W + TIME_FRAC)'(sum);
  end

endmodule
