// The table: destinations, their index into the congestion control table, deadlines, next_send, and
// the order of use as a rank an entry (0 is the least recent). All in registers; one cycle's visit of
// the sweep, notification, grant and look follow each other in one stage. The sweep runs downwards.
//
// BUG plants one fault; bugs.toml says what each does and where it must show. 0 is none.

module pta_entries #(
  parameter int ENTRIES   = 4,
  parameter int INDEX_W   = 3,
  parameter int DLID_W    = 24,
  parameter int TIME_W    = 12,
  parameter int TIME_FRAC = 16,
  parameter int CCTI_W    = 10,
  parameter int BUG       = 0,
  localparam int SeatW    = (ENTRIES > 1) ? $clog2(ENTRIES) : 1,
  localparam int FineW    = TIME_W + TIME_FRAC
) (
  input  logic                            clock,
  input  logic                            reset,
  input  logic                            i_live,
  input  logic [TIME_W-1:0]               i_now,

  input  logic [CCTI_W-1:0]               p_first,
  input  logic [7:0]                      p_step,
  input  logic [CCTI_W-1:0]               p_most,
  input  logic [CCTI_W-1:0]               p_least,
  input  logic [CCTI_W-1:0]               p_alarm,
  input  logic                            p_skip,
  input  logic [TIME_W-1:0]               p_period,
  input  logic                            p_rearm,
  input  logic [5:0]                      p_slack,

  // The state at the start of the cycle.
  output logic [ENTRIES-1:0]              o_used,
  output logic [ENTRIES-1:0][DLID_W-1:0]  o_dest,
  output logic [ENTRIES-1:0][CCTI_W-1:0]  o_level,
  output logic [ENTRIES-1:0]              o_wait,

  input  logic                            i_note_vld,
  input  logic [DLID_W-1:0]               i_note_dest,
  input  logic                            i_sent_vld,
  input  logic [SeatW-1:0]                i_sent_seat,
  input  logic [FineW-1:0]                i_sent_gap,
  input  logic [SeatW-1:0]                i_look_seat,

  output logic                            o_told_vld,
  output logic [INDEX_W+DLID_W+CCTI_W-1:0] o_told,
  output logic                            o_gone_vld,
  output logic [DLID_W+CCTI_W-1:0]        o_gone,
  output logic                            o_alarm_vld,
  output logic                            o_down_vld,
  output logic [INDEX_W+DLID_W+CCTI_W-1:0] o_down,
  output logic                            o_free_vld,
  output logic [1+DLID_W+CCTI_W+TIME_W+1+FineW-1:0] o_look
);

  typedef struct packed {
    logic              used;
    logic [DLID_W-1:0] dest;
    logic [CCTI_W-1:0] level;
    logic [TIME_W-1:0] ends;
    logic              held;
    logic [FineW-1:0]  next;
  } seat_t;

  seat_t              seats   [ENTRIES];
  logic [SeatW-1:0]   rank    [ENTRIES];
  logic [SeatW-1:0]   turn;

  seat_t              after   [ENTRIES];
  logic [SeatW-1:0]   ranked  [ENTRIES];

  function automatic logic at_or_past(input logic [TIME_W-1:0] now, input logic [TIME_W-1:0] mark);
    logic [TIME_W-1:0] gone;
    gone = now - mark;
    return !gone[TIME_W-1];
  endfunction

  function automatic logic fine_past(input logic [FineW-1:0] now, input logic [FineW-1:0] mark);
    logic [FineW-1:0] gone;
    gone = now - mark;
    return !gone[FineW-1];
  endfunction

  function automatic logic slack_gone(input logic [FineW-1:0] now, input logic [FineW-1:0] mark);
    logic [FineW-1:0] gone;
    gone = now - mark;
    return gone >= FineW'(p_slack) << TIME_FRAC;
  endfunction

  function automatic logic [CCTI_W-1:0] raised(input logic [CCTI_W-1:0] level);
    logic over_most;
    over_most = 11'(level) + 11'(p_step) > 11'(p_most);
    // Up to the largest level the sum fits.
    if (!over_most) return level + CCTI_W'(p_step);
    // BUG 14
    return (p_skip && BUG != 14) ? level : p_most;
  endfunction

  logic [FineW-1:0]  fine_now;
  logic              found, all_used, evicts, remade, freed;
  logic [SeatW-1:0]  seat, victim;
  logic              over;

  assign fine_now = FineW'(i_now) << TIME_FRAC;

  for (genvar n = 0; n < ENTRIES; n++) begin : g_shown
    assign o_used[n]  = seats[n].used;
    assign o_dest[n]  = seats[n].dest;
    assign o_level[n] = seats[n].level;
    // BUG 4
    assign o_wait[n]  = seats[n].held &&
                        ((BUG == 4) ? fine_now < seats[n].next : !fine_past(fine_now, seats[n].next));
  end

  always_comb begin
    after       = seats;
    ranked      = rank;
    o_told_vld  = 1'b0;
    o_told      = '0;
    o_gone_vld  = 1'b0;
    o_gone      = '0;
    o_alarm_vld = 1'b0;
    o_down_vld  = 1'b0;
    o_down      = '0;
    o_free_vld  = 1'b0;
    found       = 1'b0;
    all_used    = 1'b1;
    evicts      = 1'b0;
    remade      = 1'b0;
    freed       = 1'b0;
    seat        = '0;
    victim      = '0;
    over        = 1'b0;

    // The sweep's visit.
    if (seats[turn].held && fine_past(fine_now, seats[turn].next) &&
        slack_gone(fine_now, seats[turn].next)) begin
      after[turn].held = 1'b0;
      after[turn].next = '0;
    end
    if (seats[turn].used && p_period != '0 && at_or_past(i_now, seats[turn].ends)) begin
      after[turn].ends = seats[turn].ends + p_period;
      // BUG 7
      if (BUG == 7) after[turn].ends = i_now + p_period;
      // BUG 13
      if (seats[turn].level > p_least || (BUG == 13 && seats[turn].level > CCTI_W'(1))) begin
        after[turn].level = seats[turn].level - 1'b1;
        o_down_vld        = 1'b1;
        o_down            = {INDEX_W'(turn), seats[turn].dest, after[turn].level};
        if (after[turn].level == '0) begin
          freed       = 1'b1;
          o_free_vld  = 1'b1;
          after[turn] = '0;
        end
      end
    end

    // The notification.
    for (int n = 0; n < ENTRIES; n++) begin
      if (after[n].used && after[n].dest == i_note_dest) begin
        found = 1'b1;
        seat  = SeatW'(n);
      end
      if (rank[n] == '0) victim = SeatW'(n);
      // BUG 6
      if (BUG == 6 && rank[n] == SeatW'(ENTRIES - 1)) victim = SeatW'(n);
    end
    // BUG 3
    if (BUG == 3 && freed && i_note_dest == seats[turn].dest) begin
      found = 1'b1;
      seat  = turn;
    end
    if (!found) begin
      for (int n = ENTRIES - 1; n >= 0; n--) begin
        if (!after[n].used) begin
          all_used = 1'b0;
          seat     = SeatW'(n);
        end
      end
      if (all_used) seat = victim;
    end
    over = p_period != '0 && at_or_past(i_now, after[seat].ends);
    if (i_note_vld && (found || p_first != '0)) begin
      if (found) begin
        // BUG 8
        if (p_rearm && raised(after[seat].level) != after[seat].level && p_period != '0 && !over &&
            BUG != 8) begin
          after[seat].ends = i_now + p_period;
        end
        if (after[seat].used) after[seat].level = raised(after[seat].level);
      end else begin
        evicts      = all_used;
        remade      = 1'b1;
        o_gone      = {after[seat].dest, after[seat].level};
        after[seat] = '{used: 1'b1, dest: i_note_dest, level: p_first,
                        ends: (p_period == '0) ? '0 : i_now + p_period, held: 1'b0, next: '0};
      end
      o_told_vld  = 1'b1;
      o_told      = {INDEX_W'(seat), i_note_dest, after[seat].level};
      o_gone_vld  = evicts;
      o_alarm_vld = p_alarm != '0 && after[seat].level >= p_alarm;
      // BUG 2
      if (!(BUG == 2 && found)) begin
        for (int n = 0; n < ENTRIES; n++) begin
          if (rank[n] > rank[seat]) ranked[n] = rank[n] - 1'b1;
        end
        ranked[seat] = SeatW'(ENTRIES - 1);
      end
    end

    // The packet that was sent, if its entry is still the same one.
    // BUG 11
    if (i_sent_vld && (BUG == 11 || (!(freed && i_sent_seat == turn) &&
                                     !(remade && i_sent_seat == seat)))) begin
      after[i_sent_seat].next =
          ((after[i_sent_seat].held && !slack_gone(fine_now, after[i_sent_seat].next) && BUG != 9)
               ? after[i_sent_seat].next
               : fine_now) + i_sent_gap;
      after[i_sent_seat].held = 1'b1;
      // BUG 1
      if (BUG != 1) begin
        for (int n = 0; n < ENTRIES; n++) begin
          if (ranked[n] > ranked[i_sent_seat] && SeatW'(n) != i_sent_seat) begin
            ranked[n] = ranked[n] - 1'b1;
          end
        end
        ranked[i_sent_seat] = SeatW'(ENTRIES - 1);
      end
    end
  end

  assign o_look = after[i_look_seat];

  always_ff @(posedge clock) begin
    if (reset) begin
      turn <= SeatW'(ENTRIES - 1);
      for (int n = 0; n < ENTRIES; n++) begin
        seats[n] <= '0;
        rank[n]  <= SeatW'(n);
      end
    end else if (i_live) begin
      turn  <= (turn == '0) ? SeatW'(ENTRIES - 1) : turn - 1'b1;
      seats <= after;
      rank  <= ranked;
    end
  end

endmodule
