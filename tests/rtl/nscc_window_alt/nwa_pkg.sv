// What the parts of nscc_window_alt hand to each other. Words have their widest legal size, whatever
// the parameters are; bits that a parameter leaves out stay 0.
package nwa_pkg;
  localparam int WndW  = 32;   // windows: UQ24.CWND_FRAC bytes
  localparam int LenW  = 24;   // bytes
  localparam int RttW  = 28;   // round-trip times: UQ RTT_W.4 cycles
  localparam int AvgW  = 36;   // the average delay: UQ RTT_W.12 cycles
  localparam int PendW = 52;   // increase not yet applied, bytes squared
  localparam int GainW = 40;   // gains: UQ32.8 bytes
  localparam int WordW = 32;   // times

  localparam logic [2:0] KindSend = 3'd0, KindSack = 3'd1, KindNack  = 3'd2, KindLoss  = 3'd3,
                         KindCack = 3'd4, KindProbe = 3'd5, KindOpen = 3'd6, KindClose = 3'd7;

  localparam logic [3:0] DidNothing = 4'd0, DidFast = 4'd1, DidProportional = 4'd2, DidFair = 4'd3,
                         DidCut = 4'd4, DidMarkedHold = 4'd5, DidPenalty = 4'd6, DidAdapt = 4'd7,
                         DidTrim = 4'd8, DidIgnore = 4'd9, DidLoss = 4'd10;

  localparam logic [2:0] ErrNone = 3'd0, ErrRange = 3'd1, ErrClosed = 3'd2, ErrUnderflow = 3'd4;

  // Pins that stand still.
  typedef struct packed {
    logic             pass;          // every send goes
    logic             no_adapt;      // Quick Adapt is off
    logic             delay_trigger; // a delay triggers Quick Adapt
    logic             fixed;         // the ceiling never moves
    logic [4:0]       gate;
    logic [RttW-1:0]  adapt_delay;
    logic [LenW-1:0]  packet;        // nominal packet: the smallest window
    logic [RttW-1:0]  base;
    logic [RttW-1:0]  goal;          // target queueing delay
    logic [RttW-1:0]  margin;
    logic [WndW-1:0]  first;         // first ceiling
    logic [35:0]      rate;          // ceiling a cycle of base RTT, UQ12.24
    logic [39:0]      alpha;         // UQ16.24
    logic [GainW-1:0] fair;
    logic [WndW-1:0]  eta;
    logic [31:0]      fast;          // UQ12.20
    logic [24:0]      weight;        // of a new sample, UQ1.24
    logic [24:0]      gamma;         // UQ1.24
    logic [24:0]      least_keep;    // UQ1.24
  } pins_t;

  // An event.
  typedef struct packed {
    logic [2:0]      kind;
    logic [LenW-1:0] bytes;
    logic [LenW-1:0] flight;
    logic            rtt_vld;
    logic [RttW-1:0] rtt;
    logic            trim;
    logic            ce;
    logic [6:0]      penalty;
    logic            back;
  } note_t;

  // A peer. Bits that say whether a time still matters are beside it: the sweep writes them too.
  typedef struct packed {
    logic [WndW-1:0]  wnd;
    logic [WndW-1:0]  ceiling;
    logic [WndW-1:0]  saved;       // window from before a penalty, 0 for none
    logic [LenW-1:0]  fly;
    logic [RttW-1:0]  base;
    logic [AvgW-1:0]  avg;
    logic [PendW-1:0] pend;
    logic [LenW-1:0]  got;         // received since the last apply
    logic [LenW-1:0]  calm;        // bytes towards fast increase
    logic             rush;        // fast increase is on
    logic             watch;       // an observation was opened
    logic [LenW-1:0]  watched;     // bytes in it
    logic             trigger;
    logic [LenW-1:0]  deaf;        // bytes until trims count again
    logic [WordW-1:0] eta_at;
    logic [WordW-1:0] watch_end;
    logic [WordW-1:0] cut_at;
  } peer_t;

  // Bits of times that have passed.
  typedef struct packed {
    logic eta_due;     // the additive term is due
    logic watch_over;  // the observation is over
    logic cut_fresh;   // the last cut is less than a base RTT ago
  } marks_t;

  // Sum that stops at the largest number of bytes.
  function automatic logic [LenW-1:0] add_len(input logic [LenW-1:0] a, input logic [LenW-1:0] b);
    logic [LenW:0] sum;
    sum = {1'b0, a} + {1'b0, b};
    return sum[LenW] ? '1 : sum[LenW-1:0];
  endfunction

  // Difference that stops at 0.
  function automatic logic [LenW-1:0] sub_len(input logic [LenW-1:0] a, input logic [LenW-1:0] b);
    return (a > b) ? a - b : '0;
  endfunction

  // A time of UQ RTT_W.4 in whole cycles, rounded up.
  function automatic logic [WordW-1:0] cycles_up(input logic [RttW:0] rtt);
    return WordW'(rtt[RttW:4]) + WordW'(rtt[3:0] != '0);
  endfunction
endpackage
