// Another team's pacing table: everything in registers, events held for two cycles and then applied in
// one stage, ranks instead of an age matrix, a sweep that runs downwards, answers later than need be.
// Written from the page; fit for small tables only.
//
// BUG plants one fault; bugs.toml says what each does and where it must show. 0 is none.

module pacing_table_alt #(
  parameter int ENTRIES   = 4,
  parameter int INDEX_W   = 3,
  parameter int DLID_W    = 24,
  parameter int QUEUES    = 8,
  parameter int QUEUE_W   = 4,
  parameter int TIME_W    = 12,
  parameter int TIME_INIT = -96,
  parameter int TIME_FRAC = 16,
  parameter int CCTI_W    = 10,
  parameter int BUG       = 0
) (
  input  logic                        clock,
  input  logic                        reset,
  output logic                        o_up,

  input  logic [CCTI_W-1:0]           p_first,
  input  logic [7:0]                  p_step,
  input  logic [CCTI_W-1:0]           p_most,
  input  logic [CCTI_W-1:0]           p_least,
  input  logic [CCTI_W-1:0]           p_alarm,
  input  logic                        p_skip,
  input  logic [TIME_W-1:0]           p_period,
  input  logic                        p_rearm,
  input  logic [32:0]                 p_byte_time,
  input  logic                        p_by_mtu,
  input  logic [TIME_FRAC+18:0]       p_mtu_time,
  input  logic [5:0]                  p_slack,

  input  logic                        i_note_vld,
  input  logic [DLID_W-1:0]           i_note_dest,
  output logic                        o_note_rdy,
  input  logic                        i_pkt_vld,
  input  logic [QUEUE_W-1:0]          i_pkt_lane,
  input  logic [DLID_W-1:0]           i_pkt_dest,
  input  logic [14:0]                 i_pkt_len,
  output logic [QUEUES-1:0]           o_pkt_rdy,
  input  logic                        i_row_vld,
  input  logic [CCTI_W-1:0]           i_row_num,
  input  logic [1:0]                  i_row_shift,
  input  logic [13:0]                 i_row_mult,
  input  logic                        i_look_vld,
  input  logic [INDEX_W-1:0]          i_look_num,
  output logic                        o_look_rdy,
  input  logic                        i_go,

  output logic                        o_go_vld,
  output logic [QUEUE_W-1:0]          o_go_lane,
  output logic [DLID_W-1:0]           o_go_dest,
  output logic [23:0]                 o_go_wait,
  output logic                        o_told_vld,
  output logic [INDEX_W-1:0]          o_told_num,
  output logic [DLID_W-1:0]           o_told_dest,
  output logic [CCTI_W-1:0]           o_told_level,
  output logic                        o_gone_vld,
  output logic [DLID_W-1:0]           o_gone_dest,
  output logic [CCTI_W-1:0]           o_gone_level,
  output logic                        o_alarm_vld,
  output logic [DLID_W-1:0]           o_alarm_dest,
  output logic [CCTI_W-1:0]           o_alarm_level,
  output logic                        o_down_vld,
  output logic [INDEX_W-1:0]          o_down_num,
  output logic [DLID_W-1:0]           o_down_dest,
  output logic [CCTI_W-1:0]           o_down_level,
  output logic                        o_free_vld,
  output logic [DLID_W-1:0]           o_free_dest,
  output logic                        o_seen_vld,
  output logic [INDEX_W-1:0]          o_seen_num,
  output logic                        o_seen_used,
  output logic [DLID_W-1:0]           o_seen_dest,
  output logic [CCTI_W-1:0]           o_seen_level,
  output logic [TIME_W-1:0]           o_seen_ends,
  output logic                        o_seen_held,
  output logic [TIME_W+TIME_FRAC-1:0] o_seen_next,
  output logic [2:0]                  o_seen_why,
  output logic                        o_bad_vld,
  output logic                        o_bad_chan,
  output logic [2:0]                  o_bad_why,
  output logic [DLID_W-1:0]           o_bad_dest,
  output logic [QUEUES-1:0]           o_stuck,
  output logic [15:0]                 o_sum_notes,
  output logic [15:0]                 o_sum_gone,
  output logic [15:0]                 o_sum_range,
  output logic [15:0]                 o_sum_zero
);

  localparam int SeatW = (ENTRIES > 1) ? $clog2(ENTRIES) : 1;
  localparam int FineW = TIME_W + TIME_FRAC;
  localparam int Rows  = 1 << CCTI_W;
  localparam logic [2:0] WhyRange = 3'd1;
  localparam logic [2:0] WhyZero  = 3'd3;

  // --- Start: the rows of the congestion control table, one a cycle, then events -----------------

  logic [CCTI_W:0]   start;
  logic [2:0]        up;
  logic              live;
  logic [TIME_W-1:0] now;

  // An event of the first cycle in which it is legal reaches the stage two cycles later.
  assign live = up[2];

  always_ff @(posedge clock) begin
    if (reset) begin
      start <= '0;
      o_up  <= 1'b0;
      up    <= '0;
      now   <= TIME_W'(TIME_INIT);
    end else begin
      if (!start[CCTI_W]) start <= start + 1'b1;
      o_up <= start[CCTI_W];
      up   <= {up[1:0], o_up};
      if (live) now <= now + 1'b1;
    end
  end

  logic [15:0] rows [Rows];

  always_ff @(posedge clock) begin
    if (!start[CCTI_W]) rows[start[CCTI_W-1:0]] <= {2'd0, 14'(start[CCTI_W-1:0])};
    else if (row_vld)   rows[row_num] <= {row_shift, row_mult};
  end

  // --- Events wait two cycles, packets three --------------------------------------------------------

  logic              note_vld, row_vld, look_vld, look_bad, pkt_vld, go;
  logic [DLID_W-1:0] note_dest, pkt_dest;
  logic [CCTI_W-1:0] row_num;
  logic [1:0]        row_shift;
  logic [13:0]       row_mult;
  logic [INDEX_W-1:0] look_num;
  logic [QUEUE_W-1:0] pkt_lane;
  logic [14:0]       pkt_len;

  pta_delay #(.W(DLID_W), .CYCLES(2)) u_note (
    .clock, .reset, .i_vld(i_note_vld), .i_data(i_note_dest), .o_vld(note_vld), .o_data(note_dest));
  pta_delay #(.W(CCTI_W + 16), .CYCLES(2)) u_row (
    .clock, .reset, .i_vld(i_row_vld), .i_data({i_row_num, i_row_shift, i_row_mult}),
    .o_vld(row_vld), .o_data({row_num, row_shift, row_mult}));
  pta_delay #(.W(INDEX_W), .CYCLES(2)) u_look (
    .clock, .reset, .i_vld(i_look_vld), .i_data(i_look_num), .o_vld(look_vld), .o_data(look_num));
  logic unused_go;
  pta_delay #(.W(1), .CYCLES(2)) u_go (
    .clock, .reset, .i_vld(i_go), .i_data(1'b0), .o_vld(go), .o_data(unused_go));
  // One cycle more than the rest: a head may go two cycles after it came.
  pta_delay #(.W(QUEUE_W + DLID_W + 15), .CYCLES(3)) u_pkt (
    .clock, .reset, .i_vld(i_pkt_vld && (!in_range || o_pkt_rdy[LaneW'(i_pkt_lane)])),
    .i_data({i_pkt_lane, i_pkt_dest, i_pkt_len}),
    .o_vld(pkt_vld), .o_data({pkt_lane, pkt_dest, pkt_len}));

  // --- Room for packets: counted at the pins, given back one cycle after a packet went ---------------

  localparam int LaneW = (QUEUES > 1) ? $clog2(QUEUES) : 1;

  logic              in_range, takes;
  logic [1:0]        places [QUEUES];
  logic [QUEUES-1:0] left;

  assign in_range   = 32'(i_pkt_lane) < QUEUES;
  assign takes      = i_pkt_vld && in_range && i_pkt_len != '0;
  assign o_note_rdy = 1'b1;
  assign o_look_rdy = 1'b1;

  for (genvar q = 0; q < QUEUES; q++) begin : g_room
    logic comes;
    assign o_pkt_rdy[q] = places[q] != 2'd2;
    assign comes        = takes && 32'(i_pkt_lane) == q && o_pkt_rdy[q];
    always_ff @(posedge clock) begin
      if (reset) places[q] <= '0;
      else       places[q] <= places[q] + 2'(comes) - 2'(left[q]);
    end
  end

  // --- The stage -------------------------------------------------------------------------------------

  logic [ENTRIES-1:0]             used, waits;
  logic [ENTRIES-1:0][DLID_W-1:0] dest;
  logic [ENTRIES-1:0][CCTI_W-1:0] level;
  logic [QUEUES-1:0]              head_vld, stuck, may, pick, push;
  logic [QUEUES-1:0][DLID_W-1:0]  head_dest;
  logic [QUEUES-1:0][14:0]        head_len;
  logic [QUEUES-1:0][23:0]        head_wait;
  logic [QUEUES-1:0]              known;
  logic [QUEUES-1:0][SeatW-1:0]   seat;

  for (genvar q = 0; q < QUEUES; q++) begin : g_lane
    logic             hit, wait_now;
    logic [SeatW-1:0] at;
    always_comb begin
      hit = 1'b0;
      at  = '0;
      for (int n = 0; n < ENTRIES; n++) begin
        if (used[n] && dest[n] == head_dest[q]) begin
          hit = 1'b1;
          at  = SeatW'(n);
        end
      end
    end
    // BUG 5
    logic was_stuck;
    always_ff @(posedge clock) was_stuck <= stuck[q];
    assign wait_now = (hit && waits[at]) || (BUG == 5 && was_stuck && !hit);
    assign known[q] = hit;
    assign seat[q]  = at;
    assign stuck[q] = head_vld[q] && wait_now;
    assign may[q]   = head_vld[q] && !wait_now;
    assign push[q]  = pkt_vld && 32'(pkt_lane) == q && pkt_len != '0;

    pta_lane #(.DLID_W(DLID_W)) u_lane (
      .clock, .reset,
      .i_push(push[q]), .i_dest(pkt_dest), .i_len(pkt_len), .i_pop(pick[q]), .i_stall(stuck[q]),
      .o_vld(head_vld[q]), .o_dest(head_dest[q]), .o_len(head_len[q]), .o_wait(head_wait[q]));
  end

  logic [LaneW-1:0] next_lane, lane;
  logic             sends;

  always_comb begin
    sends = 1'b0;
    lane  = '0;
    for (int n = 2 * QUEUES - 1; n >= 0; n--) begin
      if (may[n % QUEUES] && n >= 32'(next_lane) && n < 32'(next_lane) + QUEUES) begin
        sends = 1'b1;
        lane  = LaneW'(n % QUEUES);
      end
    end
    // BUG 12
    sends = sends && (go || BUG == 12) && live;
    pick  = '0;
    if (sends) pick[lane] = 1'b1;
  end

  always_ff @(posedge clock) begin
    left <= reset ? '0 : pick;
    if (reset)      next_lane <= '0;
    else if (sends) next_lane <= (32'(lane) == QUEUES - 1) ? '0 : lane + 1'b1;
  end

  logic [15:0]      row;
  logic [FineW-1:0] gap;
  assign row = rows[level[seat[lane]]];

  pta_gap #(.TIME_W(TIME_W), .TIME_FRAC(TIME_FRAC), .BUG(BUG)) u_gap (
    .p_byte_time, .p_by_mtu, .p_mtu_time, .i_len(head_len[lane]), .i_shift(row[15:14]),
    .i_mult(row[13:0]), .o_gap(gap));

  logic                                   told_vld, gone_vld, alarm_vld, down_vld, free_vld;
  logic [INDEX_W+DLID_W+CCTI_W-1:0]       told, down;
  logic [DLID_W+CCTI_W-1:0]               gone;
  logic [1+DLID_W+CCTI_W+TIME_W+FineW:0]  look;

  pta_entries #(
    .ENTRIES(ENTRIES), .INDEX_W(INDEX_W), .DLID_W(DLID_W), .TIME_W(TIME_W), .TIME_FRAC(TIME_FRAC),
    .CCTI_W(CCTI_W), .BUG(BUG)
  ) u_entries (
    .clock, .reset, .i_live(live), .i_now(now),
    .p_first, .p_step, .p_most, .p_least, .p_alarm, .p_skip, .p_period, .p_rearm, .p_slack,
    .o_used(used), .o_dest(dest), .o_level(level), .o_wait(waits),
    .i_note_vld(note_vld), .i_note_dest(note_dest),
    .i_sent_vld(sends && known[lane]), .i_sent_seat(seat[lane]), .i_sent_gap(gap),
    .i_look_seat(SeatW'(look_num)),
    .o_told_vld(told_vld), .o_told(told), .o_gone_vld(gone_vld), .o_gone(gone),
    .o_alarm_vld(alarm_vld), .o_down_vld(down_vld), .o_down(down), .o_free_vld(free_vld),
    .o_look(look));

  // --- Answers ---------------------------------------------------------------------------------------

  // Two cycles behind the stage: what a notification did.
  pta_delay #(.W(INDEX_W + DLID_W + CCTI_W), .CYCLES(2)) u_told (
    .clock, .reset, .i_vld(told_vld), .i_data(told), .o_vld(o_told_vld),
    .o_data({o_told_num, o_told_dest, o_told_level}));
  pta_delay #(.W(DLID_W + CCTI_W), .CYCLES(2)) u_gone (
    .clock, .reset, .i_vld(gone_vld), .i_data(gone), .o_vld(o_gone_vld),
    .o_data({o_gone_dest, o_gone_level}));
  pta_delay #(.W(DLID_W + CCTI_W), .CYCLES(2)) u_alarm (
    .clock, .reset, .i_vld(alarm_vld), .i_data(told[DLID_W+CCTI_W-1:0]), .o_vld(o_alarm_vld),
    .o_data({o_alarm_dest, o_alarm_level}));

  // Three: packets that go, and the sweep.
  pta_delay #(.W(QUEUE_W + DLID_W + 24), .CYCLES(3)) u_sent (
    .clock, .reset, .i_vld(sends), .i_data({QUEUE_W'(lane), head_dest[lane], head_wait[lane]}),
    .o_vld(o_go_vld), .o_data({o_go_lane, o_go_dest, o_go_wait}));
  pta_delay #(.W(INDEX_W + DLID_W + CCTI_W), .CYCLES(3)) u_down (
    .clock, .reset, .i_vld(down_vld && live), .i_data(down), .o_vld(o_down_vld),
    .o_data({o_down_num, o_down_dest, o_down_level}));
  pta_delay #(.W(DLID_W), .CYCLES(3)) u_free (
    .clock, .reset, .i_vld(free_vld && live), .i_data(down[CCTI_W+:DLID_W]), .o_vld(o_free_vld),
    .o_data(o_free_dest));

  // Four: looks.
  assign look_bad = 32'(look_num) >= ENTRIES;
  pta_delay #(.W(INDEX_W + 2 + DLID_W + CCTI_W + TIME_W + FineW + 3), .CYCLES(4)) u_seen (
    .clock, .reset, .i_vld(look_vld),
    .i_data({look_num, look_bad ? '0 : look, look_bad ? WhyRange : 3'd0}), .o_vld(o_seen_vld),
    .o_data({o_seen_num, o_seen_used, o_seen_dest, o_seen_level, o_seen_ends, o_seen_held,
             o_seen_next, o_seen_why}));

  // A packet that is refused: three cycles on its way and one more.
  logic bad_vld, bad_range;
  assign bad_range  = 32'(pkt_lane) >= QUEUES;
  assign bad_vld    = pkt_vld && (bad_range || pkt_len == '0);
  assign o_bad_chan = 1'b0;
  pta_delay #(.W(3 + DLID_W), .CYCLES(1)) u_bad (
    .clock, .reset, .i_vld(bad_vld), .i_data({bad_range ? WhyRange : WhyZero, pkt_dest}),
    .o_vld(o_bad_vld), .o_data({o_bad_why, o_bad_dest}));

  logic [QUEUES-1:0] stuck_d;
  always_ff @(posedge clock) begin
    stuck_d <= reset ? '0 : stuck;
    o_stuck <= reset ? '0 : stuck_d;
  end

  // --- Sums ------------------------------------------------------------------------------------------

  function automatic logic [15:0] more(input logic [15:0] sum, input logic [1:0] by);
    return (17'(sum) + 17'(by) > 17'hffff) ? 16'hffff : sum + 16'(by);
  endfunction

  always_ff @(posedge clock) begin
    if (reset) begin
      o_sum_notes <= '0;
      o_sum_gone  <= '0;
      o_sum_range <= '0;
      o_sum_zero  <= '0;
    end else begin
      o_sum_notes <= more(o_sum_notes, 2'(note_vld));
      o_sum_gone  <= more(o_sum_gone, 2'(gone_vld));
      o_sum_range <= more(o_sum_range, 2'(look_vld && look_bad) + 2'(bad_vld && bad_range));
      o_sum_zero  <= more(o_sum_zero, 2'(bad_vld && !bad_range));
    end
  end

endmodule
