// Second step of an event: Quick Adapt, then the one routine that the event runs, and whether it has
// to be divided for. Combinational; the top registers both ends.
//
// `wnd` of the result is not held between the bounds yet where `bounded` says that it will be, and
// with `cut` or `apply` the divider has its word first.
module nwa_judge
  import nwa_pkg::*;
#(
  parameter int UET       = 0,
  parameter int TIME_W    = 32,
  parameter int CWND_FRAC = 4,
  parameter int BUG       = 0
) (
  input  pins_t            pins,
  input  note_t            note,
  input  logic [WordW-1:0] at,            // the cycle of the event
  input  peer_t            was,           // after the first step
  input  marks_t           marks_were,    // as of the event
  input  logic             ignoring,
  input  logic [RttW-1:0]  sample,
  output peer_t            now_is,
  output marks_t           marks,
  output logic [3:0]       did,
  output logic             go,            // a send is granted
  output logic             ack,           // a send wants a cumulative ACK
  output logic             adapted,
  output logic             cut,
  output logic             apply,
  output logic             add_eta,
  output logic             bounded
);
  localparam logic [WordW-1:0] TimeMask = (TIME_W == 32) ? '1 : WordW'((64'd1 << TIME_W) - 64'd1);
  localparam logic [WndW-1:0]  MostWnd  = WndW'((64'd1 << (24 + CWND_FRAC)) - 64'd1);

  logic [WndW-1:0] least;
  logic            sack_sample, marked, penalised;
  assign least       = WndW'(pins.packet) << CWND_FRAC;
  assign sack_sample = note.kind == KindSack && note.rtt_vld;
  assign marked      = UET != 0 && note.ce;
  assign penalised   = UET != 0 && note.penalty != '0 && BUG != 11;

  // Each step looks at some of the pins only.
  logic unused;
  assign unused = ^{pins, note};

  // The window less so many bytes, not below a packet.
  function automatic logic [WndW-1:0] less(input logic [WndW-1:0] wnd, input logic [LenW-1:0] len,
                                           input logic [WndW-1:0] low);
    logic [WndW-1:0] off, left;
    off  = WndW'(len) << CWND_FRAC;
    left = (wnd > off) ? wnd - off : '0;
    return (left < low) ? low : left;
  endfunction

  // --- Quick Adapt -----------------------------------------------------------------------------
  logic             looks, delayed, few, ends;
  logic [AvgW-1:0]  delay;
  logic [63:0]      watched_gate, ceiling_gate;
  logic [WordW-1:0] watch_span;
  always_comb begin
    looks   = (sack_sample || (note.kind == KindNack && note.trim && !ignoring)) && !pins.no_adapt;
    delay   = (UET != 0) ? was.avg : {sample, 8'd0};
    delayed = pins.delay_trigger && delay > {pins.adapt_delay, 8'd0};
    // Bytes x 2^gate below the ceiling, both in a window's format.
    watched_gate = (64'(was.watched) << CWND_FRAC) << pins.gate;
    ceiling_gate = 64'(was.ceiling);
    few          = watched_gate < ceiling_gate;
    // BUG 6: at equality too.
    if (BUG == 6) few = watched_gate <= ceiling_gate;
    ends    = looks && (!was.watch || marks_were.watch_over);
    adapted = ends && was.watch && few && (was.trigger || note.kind == KindNack || delayed);
    watch_span = cycles_up({1'b0, was.base} + {1'b0, pins.goal});
  end

  // --- Gains -----------------------------------------------------------------------------------
  logic [RttW-1:0]  below;
  logic [59:0]      steep;
  logic [GainW-1:0] gain;
  logic [63:0]      more;
  logic [52:0]      pend;
  logic [63:0]      leap_long;
  logic [WndW-1:0]  leap;
  logic [WndW:0]    leapt;
  always_comb begin
    below = pins.goal - sample;
    steep = 60'((80'(pins.alpha) * 80'(below) + 80'h8_0000) >> 20);
    gain  = (steep[59:GainW] != '0) ? '1 : steep[GainW-1:0];
    if (sample >= pins.goal) gain = pins.fair;
    more  = (64'(gain) * 64'(note.bytes) + 64'd128) >> 8;
    pend   = {1'b0, was.pend};
    if (more >= 64'h10_0000_0000_0000) pend = '1;
    else                               pend = {1'b0, was.pend} + {1'b0, more[51:0]};
    leap_long = (64'(pins.fast) * 64'(note.bytes) + (64'd1 << (19 - CWND_FRAC))) >>
                (20 - CWND_FRAC);
    leap      = (leap_long > 64'(MostWnd)) ? MostWnd : WndW'(leap_long);
    leapt     = {1'b0, was.wnd} + {1'b0, leap};
  end

  // --- What the event does ---------------------------------------------------------------------
  logic [LenW-1:0] calm;
  logic            rush;
  always_comb begin
    now_is  = was;
    marks   = marks_were;
    did     = DidNothing;
    go      = 1'b0;
    ack     = 1'b0;
    cut     = 1'b0;
    apply   = 1'b0;
    add_eta = 1'b0;
    bounded = 1'b0;
    calm    = add_len(was.calm, note.bytes);
    rush    = was.rush || (64'(calm) << CWND_FRAC) > 64'(was.wnd);

    unique case (note.kind)
      KindSend: begin
        go = pins.pass || (WndW'(was.fly) << CWND_FRAC) < was.wnd;
        // BUG 13: a window that is just full still lets a packet go.
        if (BUG == 13) go = pins.pass || (WndW'(was.fly) << CWND_FRAC) <= was.wnd;
        if (go) now_is.fly = add_len(was.fly, note.flight);
        ack = 64'(was.wnd) < (64'(now_is.fly) << CWND_FRAC) + 64'(least) ||
              was.wnd < WndW'(4095) << CWND_FRAC;
      end
      KindSack: begin
        if (penalised) did = DidPenalty;
      end
      KindNack: begin
        if (note.trim) begin
          now_is.trigger = 1'b1;
          did = ignoring ? DidIgnore : DidTrim;
          if (!ignoring && !adapted) now_is.wnd = less(was.wnd, note.flight, least);
        end
      end
      KindLoss: begin
        did        = DidLoss;
        now_is.wnd = less(was.wnd, note.flight, least);
      end
      KindOpen: begin
        now_is         = '0;
        now_is.wnd     = (pins.first < least) ? least : pins.first;
        now_is.ceiling = pins.first;
        now_is.base    = pins.base;
        now_is.eta_at  = at;
        marks          = '0;
      end
      KindClose: begin
        now_is = '0;
        marks  = '0;
      end
      default: ;
    endcase

    if (ends) begin
      now_is.watch     = 1'b1;
      now_is.watched   = '0;
      now_is.watch_end = (at + watch_span) & TimeMask;
      marks.watch_over = 1'b0;
    end
    if (adapted) begin
      did            = DidAdapt;
      now_is.wnd     = WndW'(was.watched) << CWND_FRAC;
      if (now_is.wnd < least) now_is.wnd = least;
      now_is.deaf    = was.fly;
      now_is.trigger = 1'b0;
      now_is.pend    = '0;
      now_is.got     = '0;
    end else if (sack_sample) begin
      bounded = 1'b1;
      if (marked) begin
        did = DidMarkedHold;
        if (sample >= pins.goal) begin
          now_is.rush = 1'b0;
          now_is.calm = '0;
          if (!marks_were.cut_fresh && was.avg > {pins.goal, 8'd0}) begin
            did             = DidCut;
            cut             = 1'b1;
            now_is.cut_at   = at;
            marks.cut_fresh = 1'b1;
          end
        end
      end else if (penalised) begin
        did = DidPenalty;
      end else if (sample >= pins.goal) begin
        did         = DidFair;
        now_is.pend = pend[52] ? '1 : pend[51:0];
        // BUG 15: a fair increase ends a fast one.
        if (BUG == 15) now_is.rush = 1'b0;
      end else if (sample < pins.margin && rush) begin
        did         = DidFast;
        now_is.calm = calm;
        now_is.rush = 1'b1;
        now_is.wnd  = (leapt > {1'b0, MostWnd}) ? MostWnd : leapt[WndW-1:0];
      end else begin
        did         = DidProportional;
        now_is.pend = pend[52] ? '1 : pend[51:0];
        now_is.calm = (sample < pins.margin) ? calm : '0;
        if (sample >= pins.margin) now_is.rush = 1'b0;
      end

      add_eta = marks_were.eta_due;
      apply   = add_eta || was.got > {pins.packet[LenW-4:0], 3'd0};
      if (apply) now_is.got = '0;
      // BUG 4: the additive term's period starts anew with every apply.
      if (add_eta || (BUG == 4 && apply)) begin
        now_is.eta_at = at;
        marks.eta_due = 1'b0;
      end
    end
  end
endmodule
