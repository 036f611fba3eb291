// A second NSCC window unit, as another team would have built it: same page, another machine.
//
// It differs from rtl/nscc_window.sv in all that the page leaves open: peers stand in registers, one
// event is on the way at a time through four steps (read, book, judge, write) and nothing is
// forwarded; a divider that does not restore serves cut and apply one after the other; the sweep
// goes downwards, one peer a cycle, and waits until a time has passed for so long that nobody can
// still ask how it was before. Vocabulary: peer for destination, note for event, reply for win.
//
// BUG plants one fault; bugs.toml says what each does and where it must show. 0 is none.
//
// Latencies are in ports.toml. An event that divides takes the same time whatever it divides for.
module nscc_window_alt
  import nwa_pkg::*;
#(
  parameter int DESTS     = 16,    // power of two, 2 or more
  parameter int DST_W     = 5,     // at least log2(DESTS)
  parameter int UET       = 0,     // 1: with ECN echo and penalty
  parameter int TIME_W    = 32,    // 8 to 32
  parameter int TIME_INIT = -96,   // time in cycle 0, the cycle after the first with o_up
  parameter int CWND_FRAC = 8,     // 4 to 8
  parameter int RTT_W     = 20,    // 12 to 24
  parameter int BUG       = 0,
  localparam int Wnd = 24 + CWND_FRAC,
  localparam int Rtt = RTT_W + 4,
  localparam int Avg = RTT_W + 12
) (
  input  logic               clock,
  input  logic               reset,

  // Configuration, stable while out of reset.
  input  logic               p_pass,
  input  logic               p_no_adapt,
  input  logic               p_delay_trigger,
  input  logic               p_fixed,
  input  logic [4:0]         p_gate,
  input  logic [Rtt-1:0]     p_adapt_delay,
  input  logic [14:0]        p_packet,
  input  logic [Rtt-1:0]     p_base,
  input  logic [Rtt-1:0]     p_goal,
  input  logic [Rtt-1:0]     p_margin,
  input  logic [Wnd-1:0]     p_first,
  input  logic [35:0]        p_rate,
  input  logic [39:0]        p_alpha,
  input  logic [39:0]        p_fair,
  input  logic [Wnd-1:0]     p_eta,
  input  logic [31:0]        p_fast,
  input  logic [24:0]        p_weight,
  input  logic [24:0]        p_gamma,
  input  logic [24:0]        p_least_keep,

  // Event, and its reply.
  input  logic               i_note_vld,
  output logic               o_note_rdy,
  input  logic [2:0]         i_note_kind,
  input  logic [DST_W-1:0]   i_note_peer,
  input  logic [23:0]        i_note_bytes,
  input  logic [23:0]        i_note_flight,
  input  logic               i_note_rtt_vld,
  input  logic [Rtt-1:0]     i_note_rtt,
  input  logic               i_note_trim,
  input  logic               i_note_ce,
  input  logic [6:0]         i_note_penalty,
  input  logic               i_note_back,
  output logic               o_reply_vld,
  output logic [2:0]         o_reply_kind,
  output logic [DST_W-1:0]   o_reply_peer,
  output logic [Wnd-1:0]     o_reply_wnd,
  output logic [23:0]        o_reply_fly,
  output logic [Rtt-1:0]     o_reply_base,
  output logic [Avg-1:0]     o_reply_avg,
  output logic [3:0]         o_reply_did,
  output logic               o_reply_go,
  output logic               o_reply_ack,
  output logic               o_reply_adapted,
  output logic [2:0]         o_reply_err,

  // Debug read.
  input  logic               i_dbg_vld,
  output logic               o_dbg_rdy,
  input  logic [DST_W-1:0]   i_dbg_peer,
  output logic               o_dbg_vld,
  output logic [DST_W-1:0]   o_dbg_peer,
  output logic               o_dbg_open,
  output logic [Wnd-1:0]     o_dbg_wnd,
  output logic [23:0]        o_dbg_fly,
  output logic [Rtt-1:0]     o_dbg_base,
  output logic [Avg-1:0]     o_dbg_avg,
  output logic [Wnd-1:0]     o_dbg_ceiling,
  output logic [51:0]        o_dbg_pend,
  output logic [23:0]        o_dbg_got,
  output logic               o_dbg_eta_due,
  output logic [TIME_W-1:0]  o_dbg_eta_at,
  output logic [23:0]        o_dbg_calm,
  output logic               o_dbg_rush,
  output logic               o_dbg_watch,
  output logic               o_dbg_watch_over,
  output logic [TIME_W-1:0]  o_dbg_watch_end,
  output logic [23:0]        o_dbg_watched,
  output logic               o_dbg_trigger,
  output logic [23:0]        o_dbg_deaf,
  output logic               o_dbg_cut_fresh,
  output logic [TIME_W-1:0]  o_dbg_cut_at,
  output logic [Wnd-1:0]     o_dbg_saved,
  output logic [2:0]         o_dbg_err,

  // Ready for events from the next cycle on, and counters that stop at their end.
  output logic               o_up,
  output logic [15:0]        o_n_notes,
  output logic [15:0]        o_n_range,
  output logic [15:0]        o_n_closed,
  output logic [15:0]        o_n_underflow,
  output logic [15:0]        o_n_adapted,
  output logic [15:0]        o_n_fast
);
  localparam int IdxW = $clog2(DESTS);
  localparam logic [WordW-1:0] TimeMask = (TIME_W == 32) ? '1 : WordW'((64'd1 << TIME_W) - 64'd1);
  localparam logic [WndW-1:0]  MostWnd  = WndW'((64'd1 << Wnd) - 64'd1);

  // Cycles that a time must have passed for before the sweep takes note: longer than a peek or an
  // event is on its way, since both are about the cycle in which they came.
  localparam int Stale = 64;

  // Cycles of a division: of a share of the window (24 bits), of the pending increase (32 bits).
  localparam int CutCycles   = 12;
  localparam int ApplyCycles = 16;

`ifndef __ICARUS__
  // Icarus 11 does not read elaboration tasks.
  if (DESTS < 2 || (1 << IdxW) != DESTS || DST_W < IdxW) begin : g_bad_peers
    $error("DESTS must be a power of two from 2, and DST_W at least log2(DESTS)");
  end
  if (TIME_W < 8 || TIME_W > 32 || CWND_FRAC < 4 || CWND_FRAC > 8 || RTT_W < 12 || RTT_W > 24)
  begin : g_bad_widths
    $error("TIME_W is 8 to 32, CWND_FRAC 4 to 8, RTT_W 12 to 24");
  end
`endif

  pins_t pins;
  assign pins = '{
    pass: p_pass, no_adapt: p_no_adapt, delay_trigger: p_delay_trigger, fixed: p_fixed,
    gate: p_gate, adapt_delay: RttW'(p_adapt_delay), packet: LenW'(p_packet), base: RttW'(p_base),
    goal: RttW'(p_goal), margin: RttW'(p_margin), first: WndW'(p_first), rate: p_rate,
    alpha: p_alpha, fair: p_fair, eta: WndW'(p_eta), fast: p_fast, weight: p_weight,
    gamma: p_gamma, least_keep: p_least_keep
  };

  // --- Time ------------------------------------------------------------------------------------
  logic             running;
  logic [WordW-1:0] now;
  always_ff @(posedge clock) begin
    if (reset) begin
      o_up    <= 1'b0;
      running <= 1'b0;
      now     <= WordW'(TIME_INIT) & TimeMask;
    end else begin
      o_up    <= 1'b1;
      running <= o_up;
      if (running) now <= (now + 1'b1) & TimeMask;
    end
  end

  // Whether so many cycles have passed since a time.
  function automatic logic passed(input logic [WordW-1:0] at, input logic [WordW-1:0] since,
                                  input logic [WordW-1:0] span);
    return ((at - since) & TimeMask) >= span;
  endfunction

  // Whether a time that may lie ahead has come.
  function automatic logic reached(input logic [WordW-1:0] at, input logic [WordW-1:0] time_);
    logic [WordW-1:0] ahead;
    ahead = (at - time_) & TimeMask;
    // BUG 10: times are compared as plain numbers, which is wrong across the wrap.
    return (BUG == 10) ? at >= time_ : !ahead[TIME_W-1];
  endfunction

  // What is true of a peer's times in cycle `at`. `late`: only what has been true so long.
  function automatic marks_t as_of(input logic [WordW-1:0] at, input peer_t peer,
                                   input marks_t marks, input logic [RttW-1:0] period,
                                   input int late);
    marks_t then_;
    logic   unused;
    unused          = ^peer;
    then_.eta_due    = marks.eta_due || passed(at, peer.eta_at, cycles_up({1'b0, period}) +
                                               WordW'(late));
    then_.watch_over = marks.watch_over ||
                       (peer.watch && reached(at - WordW'(late), peer.watch_end));
    then_.cut_fresh  = marks.cut_fresh && !passed(at, peer.cut_at, cycles_up({1'b0, peer.base}) +
                                                  WordW'(late));
    return then_;
  endfunction

  // --- Peers -----------------------------------------------------------------------------------
  peer_t            peers [DESTS];
  marks_t           marks [DESTS];
  logic [DESTS-1:0] open;

  // --- An event on its way ---------------------------------------------------------------------
  typedef enum logic [2:0] {Idle, Read, Book, Judge, Cut, Scale, Apply} step_e;

  step_e            step;
  logic [4:0]       count;
  note_t            note;
  logic [DST_W-1:0] peer;
  logic [WordW-1:0] at;
  logic             known, was_open, refused, underflow_q, ignoring_q;
  peer_t            here;          // the peer as far as the event has come
  marks_t           here_marks;
  logic [RttW-1:0]  sample_q;
  logic [IdxW-1:0]  idx;
  assign idx     = peer[IdxW-1:0];
  assign refused = !known || was_open == (note.kind == KindOpen);

  peer_t           booked, judged;
  marks_t          booked_marks, judged_marks;
  logic            underflow, ignoring;
  logic [RttW-1:0] sample;
  logic [3:0]      did;
  logic            go, ack, adapted, cut, apply, add_eta, bounded, divides;
  nwa_book #(
    .UET       (UET),
    .CWND_FRAC (CWND_FRAC),
    .BUG       (BUG)
  ) u_book (
    .pins      (pins),
    .note      (note),
    .was       (here),
    .now_is    (booked),
    .underflow (underflow),
    .ignoring  (ignoring),
    .sample    (sample)
  );

  // With the base RTT that this very event may have lowered.
  assign booked_marks = as_of(at, booked, here_marks, pins.base, 0);

  nwa_judge #(
    .UET       (UET),
    .TIME_W    (TIME_W),
    .CWND_FRAC (CWND_FRAC),
    .BUG       (BUG)
  ) u_judge (
    .pins       (pins),
    .note       (note),
    .at         (at),
    .was        (here),
    .marks_were (here_marks),
    .ignoring   (ignoring_q),
    .sample     (sample_q),
    .now_is     (judged),
    .marks      (judged_marks),
    .did        (did),
    .go         (go),
    .ack        (ack),
    .adapted    (adapted),
    .cut        (cut),
    .apply      (apply),
    .add_eta    (add_eta),
    .bounded    (bounded)
  );
  assign divides = !refused && (cut || apply);

  // --- Division: the share that a cut takes off, then the increase ------------------------------
  logic            cut_q, apply_q, add_eta_q, overflow_q;
  logic [3:0]      did_q;
  logic [LenW-1:0] got_q;
  logic [24:0]     keep;
  logic            divide_go;
  logic [35:0]     divide_high, divide_den;
  logic [31:0]     divide_low, quotient;
  logic [WndW-1:0] scaled;
  logic [67:0]     increase;
  logic [24:0]     off, keep_q;
  nwa_divide u_divide (
    .clock  (clock),
    .i_go   (divide_go),
    .i_high (divide_high),
    .i_low  (divide_low),
    .i_den  (divide_den),
    .o_quo  (quotient)
  );

  always_comb begin
    // 1 - gamma x (average - target) / average, not below its least.
    off  = 25'((64'(pins.gamma) * 64'(quotient[23:0]) + 64'h80_0000) >> 24);
    keep = 25'h100_0000 - off;
    // BUG 1: a cut may take off more than its most.
    if (keep < pins.least_keep && BUG != 1) keep = pins.least_keep;
    scaled = here.wnd;
    if (cut_q) scaled = WndW'((64'(here.wnd) * 64'(keep_q) + 64'h80_0000) >> 24);
    increase = 68'(here.pend) << (2 * CWND_FRAC);

    divide_go   = step == Judge || step == Scale;
    divide_high = here.avg - {pins.goal, 8'd0};
    divide_low  = '0;
    divide_den  = here.avg;
    if (step == Scale) begin
      divide_high = increase[67:32];
      divide_low  = increase[31:0];
      divide_den  = 36'(scaled);
    end
  end

  // The window at the end of an event that divides.
  logic [WndW-1:0] grow, least;
  logic [WndW+1:0] grown;
  logic [WndW-1:0] ended;
  always_comb begin
    least = WndW'(pins.packet) << CWND_FRAC;
    grow  = overflow_q ? MostWnd : quotient;
    // BUG 3: the window grows by no more than was received since the last apply.
    if (BUG == 3 && grow > WndW'(got_q) << CWND_FRAC) grow = WndW'(got_q) << CWND_FRAC;
    grown = (WndW + 2)'(here.wnd);
    if (apply_q) grown = grown + (WndW + 2)'(grow);
    if (grown > (WndW + 2)'(MostWnd)) grown = (WndW + 2)'(MostWnd);
    if (add_eta_q) grown = grown + (WndW + 2)'(pins.eta);
    if (grown > (WndW + 2)'(MostWnd)) grown = (WndW + 2)'(MostWnd);
    ended = grown[WndW-1:0];
    if (ended > here.ceiling) ended = here.ceiling;
    if (ended < least) ended = least;
  end

  // What an event that does not divide leaves.
  logic [WndW-1:0] judged_wnd;
  always_comb begin
    judged_wnd = judged.wnd;
    if (bounded) begin
      if (judged_wnd > here.ceiling) judged_wnd = here.ceiling;
      if (judged_wnd < least) judged_wnd = least;
    end
  end

  // --- The steps -------------------------------------------------------------------------------
  logic take, last;
  assign take = i_note_vld && o_note_rdy;
  assign last = (step == Judge && !divides) || (step == Apply && count == 5'(ApplyCycles));

  always_ff @(posedge clock) begin
    if (reset) begin
      step       <= Idle;
      o_note_rdy <= 1'b0;
    end else begin
      unique case (step)
        Idle:    if (take) step <= Read;
        Read:    step <= Book;
        Book:    step <= Judge;
        Judge:   step <= divides ? Cut : Idle;
        Cut:     if (count == 5'(CutCycles)) step <= Scale;
        Scale:   step <= Apply;
        default: if (last) step <= Idle;
      endcase
      if (take)      o_note_rdy <= 1'b0;
      else if (last) o_note_rdy <= 1'b1;
      else if (step == Idle) o_note_rdy <= o_up;
    end
  end

  always_ff @(posedge clock) begin
    count <= (step == Cut || step == Apply) ? count + 5'd1 : '0;
    if (take) begin
      note  <= '{
        kind: i_note_kind, bytes: i_note_bytes, flight: i_note_flight, rtt_vld: i_note_rtt_vld,
        rtt: RttW'(i_note_rtt), trim: i_note_trim, ce: i_note_ce, penalty: i_note_penalty,
        back: i_note_back
      };
      peer  <= i_note_peer;
      known <= (i_note_peer >> IdxW) == '0;
      at    <= now;
    end
    unique case (step)
      Read: begin
        here       <= peers[idx];
        here_marks <= marks[idx];
        was_open   <= open[idx];
      end
      Book: begin
        if (!refused) begin
          here       <= booked;
          here_marks <= booked_marks;
        end
        underflow_q <= underflow;
        ignoring_q  <= ignoring;
        sample_q    <= sample;
      end
      Judge: begin
        if (!refused) begin
          here       <= judged;
          here_marks <= judged_marks;
          here.wnd   <= judged_wnd;
          if (divides) here.wnd <= judged.wnd;
          // BUG 2: the increase of before this event is applied, its own is lost.
          if (divides && BUG == 2) here.pend <= here.pend;
        end
        cut_q     <= cut;
        apply_q   <= apply;
        add_eta_q <= add_eta;
        did_q     <= did;
        got_q     <= here.got;
      end
      Cut: keep_q <= keep;
      Scale: begin
        here.wnd   <= scaled;
        overflow_q <= (68'(here.pend) << CWND_FRAC) >= (68'(scaled) << LenW);
      end
      default: ;
    endcase
  end

  // --- Back to the peers, and the sweep ---------------------------------------------------------
  peer_t           left;
  marks_t          left_marks;
  logic [IdxW-1:0] sweep;
  always_comb begin
    left       = (step == Judge) ? judged : here;
    left_marks = (step == Judge) ? judged_marks : here_marks;
    left.wnd   = (step == Judge) ? judged_wnd : ended;
    if (step == Apply && apply_q) left.pend = '0;
  end

  always_ff @(posedge clock) begin
    if (reset) begin
      open  <= '0;
      sweep <= '1;
    end else begin
      sweep <= sweep - 1'b1;
      if (last && !refused) begin
        if (note.kind == KindOpen)  open[idx] <= 1'b1;
        if (note.kind == KindClose) open[idx] <= 1'b0;
      end
    end
  end

  always_ff @(posedge clock) begin
    marks[sweep] <= as_of(now, peers[sweep], marks[sweep], pins.base, Stale);
    if (last && !refused) begin
      peers[idx] <= left;
      marks[idx] <= left_marks;
    end
  end

  // --- Replies: collected after the last step, shown two cycles later ----------------------------
  typedef struct packed {
    logic [2:0]       kind;
    logic [DST_W-1:0] peer;
    logic [Wnd-1:0]   wnd;
    logic [23:0]      fly;
    logic [Rtt-1:0]   base;
    logic [Avg-1:0]   avg;
    logic [3:0]       did;
    logic             go;
    logic             ack;
    logic             adapted;
    logic [2:0]       err;
  } reply_t;

  reply_t     reply, reply_1, reply_2;
  logic [2:1] reply_vld;
  always_comb begin
    reply.kind    = note.kind;
    reply.peer    = peer;
    reply.wnd     = left.wnd[Wnd-1:0];
    reply.fly     = left.fly;
    reply.base    = left.base[Rtt-1:0];
    reply.avg     = left.avg[Avg-1:0];
    reply.did     = (step == Judge) ? did : did_q;
    reply.go      = step == Judge && go;
    reply.ack     = step == Judge && ack;
    reply.adapted = step == Judge && adapted;
    reply.err     = underflow_q ? ErrUnderflow : ErrNone;
    if (!known)       reply.err = ErrRange;
    else if (refused) reply.err = ErrClosed;
  end

  always_ff @(posedge clock) begin
    if (reset) begin
      reply_vld   <= '0;
      o_reply_vld <= 1'b0;
    end else begin
      reply_vld   <= {reply_vld[1], last};
      o_reply_vld <= reply_vld[2];
    end
    if (last) reply_1 <= reply;
    reply_2 <= reply_1;
    {o_reply_kind, o_reply_peer, o_reply_wnd, o_reply_fly, o_reply_base, o_reply_avg, o_reply_did,
     o_reply_go, o_reply_ack, o_reply_adapted, o_reply_err} <= reply_2;
  end

  // --- Debug read: as of the cycle in which it came ----------------------------------------------
  // Four cycles later whatever came up to then is written, and nothing that came after it, unless an
  // event is being divided for: that one came first, and nothing follows it.
  typedef enum logic [1:0] {DbgIdle, DbgWait, DbgShow} dbg_e;

  dbg_e             dbg_step;
  logic [1:0]       dbg_count;
  logic [WordW-1:0] dbg_at;
  logic             dbg_known, dbg_open, dividing;
  peer_t            dbg;
  marks_t           dbg_marks, dbg_then;
  assign dividing = step == Cut || step == Scale || step == Apply;
  assign dbg_then = as_of(dbg_at, dbg, dbg_marks, pins.base, 0);

  always_ff @(posedge clock) begin
    if (reset) begin
      dbg_step  <= DbgIdle;
      o_dbg_rdy <= 1'b0;
      o_dbg_vld <= 1'b0;
    end else begin
      o_dbg_vld <= dbg_step == DbgShow;
      unique case (dbg_step)
        DbgIdle: if (i_dbg_vld && o_dbg_rdy) dbg_step <= DbgWait;
        // BUG 8: a read does not wait for the division of an event before it.
        DbgWait: if (dbg_count == 2'd3 && (!dividing || BUG == 8)) dbg_step <= DbgShow;
        default: dbg_step <= DbgIdle;
      endcase
      o_dbg_rdy <= (dbg_step == DbgIdle) ? o_up && !(i_dbg_vld && o_dbg_rdy) : dbg_step == DbgShow;
    end
  end

  always_ff @(posedge clock) begin
    if (dbg_step == DbgIdle) begin
      dbg_count  <= '0;
      dbg_at     <= now;
      if (i_dbg_vld && o_dbg_rdy) begin
        o_dbg_peer <= i_dbg_peer;
        dbg_known  <= (i_dbg_peer >> IdxW) == '0;
      end
    end else if (dbg_count != 2'd3) begin
      dbg_count <= dbg_count + 2'd1;
    end
    if (dbg_step == DbgWait) begin
      dbg       <= peers[o_dbg_peer[IdxW-1:0]];
      dbg_marks <= marks[o_dbg_peer[IdxW-1:0]];
      dbg_open  <= open[o_dbg_peer[IdxW-1:0]];
    end
    if (dbg_step == DbgShow) begin
      o_dbg_open       <= dbg_open;
      o_dbg_wnd        <= dbg_open ? dbg.wnd[Wnd-1:0] : '0;
      o_dbg_fly        <= dbg_open ? dbg.fly : '0;
      o_dbg_base       <= dbg_open ? dbg.base[Rtt-1:0] : '0;
      o_dbg_avg        <= dbg_open ? dbg.avg[Avg-1:0] : '0;
      o_dbg_ceiling    <= dbg_open ? dbg.ceiling[Wnd-1:0] : '0;
      o_dbg_pend       <= dbg_open ? dbg.pend : '0;
      o_dbg_got        <= dbg_open ? dbg.got : '0;
      o_dbg_eta_due    <= dbg_open && dbg_then.eta_due;
      o_dbg_eta_at     <= (dbg_open && !dbg_then.eta_due) ? dbg.eta_at[TIME_W-1:0] : '0;
      o_dbg_calm       <= dbg_open ? dbg.calm : '0;
      o_dbg_rush       <= dbg_open && dbg.rush;
      o_dbg_watch      <= dbg_open && dbg.watch;
      o_dbg_watch_over <= dbg_open && dbg_then.watch_over;
      o_dbg_watch_end  <= (dbg_open && dbg.watch && !dbg_then.watch_over)
                          ? dbg.watch_end[TIME_W-1:0] : '0;
      o_dbg_watched    <= dbg_open ? dbg.watched : '0;
      o_dbg_trigger    <= dbg_open && dbg.trigger;
      o_dbg_deaf       <= dbg_open ? dbg.deaf : '0;
      o_dbg_cut_fresh  <= dbg_open && dbg_then.cut_fresh;
      o_dbg_cut_at     <= (dbg_open && dbg_then.cut_fresh) ? dbg.cut_at[TIME_W-1:0] : '0;
      o_dbg_saved      <= dbg_open ? dbg.saved[Wnd-1:0] : '0;
      o_dbg_err        <= dbg_known ? ErrNone : ErrRange;
    end
  end

  // --- Counters --------------------------------------------------------------------------------
  function automatic logic [15:0] more(input logic [15:0] count_, input logic [1:0] by);
    logic [16:0] sum;
    sum = {1'b0, count_} + 17'(by);
    return sum[16] ? '1 : sum[15:0];
  endfunction

  logic shown_range;
  assign shown_range = dbg_step == DbgShow && !dbg_known;
  always_ff @(posedge clock) begin
    if (reset) begin
      o_n_notes     <= '0;
      o_n_range     <= '0;
      o_n_closed    <= '0;
      o_n_underflow <= '0;
      o_n_adapted   <= '0;
      o_n_fast      <= '0;
    end else begin
      o_n_range <= more(o_n_range, 2'(reply_vld[2] && reply_2.err == ErrRange) + 2'(shown_range));
      if (reply_vld[2]) begin
        o_n_notes     <= more(o_n_notes, 2'd1);
        o_n_closed    <= more(o_n_closed, 2'(reply_2.err == ErrClosed));
        o_n_underflow <= more(o_n_underflow, 2'(reply_2.err == ErrUnderflow));
        if (reply_2.err == ErrNone || reply_2.err == ErrUnderflow) begin
          o_n_adapted <= more(o_n_adapted, 2'(reply_2.adapted));
          o_n_fast    <= more(o_n_fast, 2'(reply_2.did == DidFast));
        end
      end
    end
  end
endmodule
