// First step of an event: what it says about bytes in flight, the base RTT and the delay.
//
// A sack's penalty belongs here too, since it looks at the bytes in flight and at the window before
// anything else has moved it. Everything is combinational; the top registers both ends.
module nwa_book
  import nwa_pkg::*;
#(
  parameter int UET       = 0,
  parameter int CWND_FRAC = 4,
  parameter int BUG       = 0
) (
  input  pins_t           pins,
  input  note_t           note,
  input  peer_t           was,
  output peer_t           now_is,
  output logic            underflow,
  output logic            ignoring,     // trims did not count when the event came
  output logic [RttW-1:0] sample        // queueing delay of a sack
);
  localparam int CeilDrop = 28 - CWND_FRAC;

  // Each step looks at some of the pins only.
  logic unused;
  assign unused = ^{pins, note};

  logic leaves, hears, samples;
  assign leaves  = note.kind inside {KindSack, KindNack, KindLoss, KindCack};
  // What brings trims back: everything that leaves, but of NACKs only trims.
  assign hears   = leaves && (note.kind != KindNack || note.trim) &&
                   // BUG 9: a loss does not count towards the end of ignoring.
                   !(BUG == 9 && note.kind == KindLoss);
  assign samples = (note.kind == KindSack || note.kind == KindNack) && note.rtt_vld;

  assign ignoring  = was.deaf != '0;
  assign underflow = leaves && note.flight > was.fly;

  // --- Delay -----------------------------------------------------------------------------------
  logic [RttW-1:0] base;
  logic [63:0]     ceiling_fine;
  logic [RttW-1:0] folded;
  logic [63:0]     avg_fine;
  always_comb begin
    base = was.base;
    if ((samples || note.kind == KindProbe) && note.rtt < was.base) base = note.rtt;
    ceiling_fine = 64'(pins.rate) * 64'(base);
    sample       = (note.rtt > base) ? note.rtt - base : '0;
    // A trim folds a whole configured RTT in.
    folded       = (note.kind == KindNack) ? pins.base : sample;
    avg_fine     = 64'(pins.weight) * {28'd0, folded, 8'd0} +
                   (64'h100_0000 - 64'(pins.weight)) * 64'(was.avg);
  end

  // --- Penalty ---------------------------------------------------------------------------------
  logic [WndW-1:0] least, used, fine, eased;
  logic [63:0]     fine_long;
  logic [LenW-1:0] fly;
  always_comb begin
    least     = WndW'(pins.packet) << CWND_FRAC;
    fly       = leaves ? sub_len(was.fly, note.flight) : was.fly;
    used      = WndW'(fly) << CWND_FRAC;
    if (used > was.wnd) used = was.wnd;
    fine_long = ((64'(note.bytes) * 64'(note.penalty)) << CWND_FRAC) + 64'd64;
    fine      = WndW'(fine_long >> 7);
    eased     = (used > fine) ? used - fine : '0;
    if (eased < least) eased = least;
  end

  // --- The peer after this step ----------------------------------------------------------------
  logic [WndW-1:0] capped;
  always_comb begin
    now_is     = was;
    capped     = '0;
    now_is.fly = fly;
    if (hears) now_is.deaf = sub_len(was.deaf, note.flight);
    now_is.base = base;
    // BUG 12: a probe's effect on the ceiling does not wait for the next sample.
    if ((samples || (BUG == 12 && note.kind == KindProbe)) && !pins.fixed) begin
      now_is.ceiling = WndW'((ceiling_fine + (64'd1 << (CeilDrop - 1))) >> CeilDrop);
    end
    if ((note.kind == KindSack && note.rtt_vld) || (note.kind == KindNack && note.trim)) begin
      now_is.avg = AvgW'((avg_fine + 64'h80_0000) >> 24);
    end
    if (note.kind == KindSack) begin
      // BUG 7: what left flight is taken for what was received.
      now_is.watched = add_len(was.watched, (BUG == 7) ? note.flight : note.bytes);
      now_is.got     = add_len(was.got, (BUG == 7) ? note.flight : note.bytes);
      if (UET != 0) begin
        if (note.penalty != '0) begin
          if (was.saved == '0) now_is.saved = was.wnd;
          now_is.wnd = eased;
        end else begin
          if (note.back && was.saved != '0) now_is.wnd = was.saved;
          // BUG 14: a saved window is kept where it is not asked back.
          if (!(BUG == 14 && !note.back)) now_is.saved = '0;
        end
      end
      // BUG 5: a sack's bounds come at its end only.
      if (note.rtt_vld && BUG != 5) begin
        capped = (now_is.wnd > now_is.ceiling) ? now_is.ceiling : now_is.wnd;
        now_is.wnd = (capped < least) ? least : capped;
      end
    end
  end
endmodule
