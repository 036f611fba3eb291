// Constants and fixed-point steps of the NSCC window unit that its modules share: the enumerations
// of its ports, its formats, its schedule. The functions carry the names of
// hw/src/nscc_window/core.rs and compute the same, on 64 bits; callers cast the result.

package nscc_pkg;

  // Values of `evt_kind` and `win_kind`.
  typedef enum logic [2:0] {
    KindSend  = 3'd0,
    KindSack  = 3'd1,
    KindNack  = 3'd2,
    KindLoss  = 3'd3,
    KindCack  = 3'd4,
    KindProbe = 3'd5,
    KindOpen  = 3'd6,
    KindClose = 3'd7
  } kind_e;

  // Values of `win_routine`.
  typedef enum logic [3:0] {
    RoutineNone         = 4'd0,
    RoutineFast         = 4'd1,
    RoutineProportional = 4'd2,
    RoutineFair         = 4'd3,
    RoutineDecrease     = 4'd4,
    RoutineMarkedHold   = 4'd5,
    RoutinePenalty      = 4'd6,
    RoutineQuickAdapt   = 4'd7,
    RoutineTrim         = 4'd8,
    RoutineIgnored      = 4'd9,
    RoutineLoss         = 4'd10
  } routine_e;

  // Bits of a number of bytes, and of the whole part of a window.
  localparam int BYTES_W = 24;
  // Fraction bits of a round-trip time or delay, and of the average delay, in cycles.
  localparam int RTT_FRAC = 4;
  localparam int AVERAGE_FRAC = 12;
  // Bits of the pending increase, whole bytes².
  localparam int PENDING_W = 52;
  // The gain of a SACK: UQ32.8 bytes. alpha: UQ16.24 bytes a cycle. fast: UQ12.20.
  localparam int GAIN_W = 40;
  localparam int GAIN_FRAC = 8;
  localparam int ALPHA_W = 40;
  localparam int ALPHA_FRAC = 24;
  localparam int FAST_W = 32;
  localparam int FAST_FRAC = 20;
  // Ceiling of the window a cycle of base RTT: UQ12.24 bytes a cycle.
  localparam int WINDOW_RATE_W = 36;
  localparam int WINDOW_RATE_FRAC = 24;
  // Weights and shares: UQ1.24.
  localparam int SHARE_FRAC = 24;
  localparam int SHARE_W = SHARE_FRAC + 1;
  // Bits of the nominal packet, of the receiver's penalty, of QuickAdaptGate.
  localparam int PACKET_W = 15;
  localparam int PENALTY_W = 7;
  localparam int GATE_W = 5;
  // A window below so many bytes asks for cumulative ACKs.
  localparam int SMALL_WINDOW = 4095;

  // The schedule, in cycles after the one in which an event is taken. Its state is read in the
  // cycle in which it is taken, and written in EFFECT_STAGE: from then on the next event may read.
  localparam int EFFECT_STAGE = 4;
  // The pending increase is written in this one; nothing but the divider waits for it.
  localparam int PENDING_STAGE = 7;

  // An event that divides goes on: its schedule. Each division takes DIV_W / DIV_BITS cycles. The
  // first makes the share that a cut keeps, the second the increase.
  localparam int DIV_W = 32;
  localparam int DIV_BITS = 4;
  localparam int RATIO_STEP = EFFECT_STAGE + 1;
  localparam int KEEP_STEP = RATIO_STEP + DIV_W / DIV_BITS;
  localparam int QUOTIENT_STEP = KEEP_STEP + 4;
  localparam int ADD_STEP = QUOTIENT_STEP + DIV_W / DIV_BITS;
  localparam int APPLY_STAGE = ADD_STEP + 1;

  // A peek reads the state in EFFECT_STAGE of its own, the pending increase in PENDING_STAGE.

  // Sum of two numbers of bytes, saturating.
  function automatic logic [BYTES_W-1:0] add_bytes(input logic [BYTES_W-1:0] count,
                                                   input logic [BYTES_W-1:0] bytes);
    logic [BYTES_W:0] sum;
    sum = {1'b0, count} + {1'b0, bytes};
    return sum[BYTES_W] ? '1 : sum[BYTES_W-1:0];
  endfunction

  // Difference of two numbers of bytes that stops at 0.
  function automatic logic [BYTES_W-1:0] less_bytes(input logic [BYTES_W-1:0] count,
                                                    input logic [BYTES_W-1:0] bytes);
    return (count < bytes) ? '0 : count - bytes;
  endfunction

  // A time or delay with RTT_FRAC fraction bits in whole cycles, rounded up.
  function automatic logic [63:0] whole_cycles(input logic [63:0] rtt);
    return (rtt + 64'((1 << RTT_FRAC) - 1)) >> RTT_FRAC;
  endfunction

  // Sum of two windows, saturating at the largest one.
  function automatic logic [63:0] add_window(input logic [63:0] cwnd, input logic [63:0] more,
                                             input logic [63:0] most);
    logic [63:0] sum;
    sum = cwnd + more;
    return (sum > most) ? most : sum;
  endfunction

  // The window held at the nominal packet.
  function automatic logic [63:0] hold_at_floor(input logic [63:0] cwnd, input logic [63:0] floor);
    return (cwnd < floor) ? floor : cwnd;
  endfunction

  // The window held between the nominal packet and its ceiling; the floor wins.
  function automatic logic [63:0] bound(input logic [63:0] cwnd, input logic [63:0] max_window,
                                        input logic [63:0] floor);
    return hold_at_floor((cwnd > max_window) ? max_window : cwnd, floor);
  endfunction

endpackage
