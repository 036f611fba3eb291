// The one stage in which anything happens: all state of all queues, read, changed and written in a
// single cycle, so that nothing needs forwarding.
//
// Requests, CNPs and debug reads arrive here Depth cycles after the pins, together; `now` is the
// time of the cycle in which they were at the pins. The order of effects in that cycle (request,
// half of the visited queue, CNP, debug read) is the order of the assignments at the end of this
// file: a later one wins. Only what needs a division or a multiplication (estimate and cut) is done
// elsewhere; it comes back on the i_keep port.
//
// The walk visits queues in bit-reversed order. It stands in a cycle with a debug read, and in the
// one after the CNP that began an episode: that cycle is the beginning's slot.
module rla_commit #(
  parameter int QPS       = 16,
  parameter int TIME_W    = 32,
  parameter int TIME_INIT = -96,
  parameter int RATE_FRAC = 24,
  parameter int EST_FRAC  = 16,
  parameter int BUG       = 0,
  localparam int IdxW  = $clog2(QPS),
  localparam int PaceW = TIME_W + 16,
  localparam int RateW = RATE_FRAC + 1,
  localparam int EstW  = EST_FRAC + 1
) (
  input  logic              clock,
  input  logic              reset,
  input  logic              i_run,          // time and walk move: from the first legal cycle on

  input  logic [TIME_W-1:0] p_half_cycles,
  input  logic [RateW-1:0]  p_first_rate,
  input  logic [EstW-1:0]   p_first_alpha,
  input  logic [RateW-1:0]  p_ai_step,
  input  logic [RateW-1:0]  p_min_rate,
  input  logic [RateW-1:0]  p_done_rate,
  input  logic [3:0]        p_fr_count,
  input  logic [7:0]        p_hold_loops,
  input  logic [5:0]        p_credit,

  // A request of a known queue with a packet that is not empty.
  input  logic              i_ask_vld,
  input  logic [IdxW-1:0]   i_ask_queue,
  input  logic [PaceW-1:0]  i_ask_cost,
  output logic              o_ask_go,       // registered: one cycle later
  output logic [PaceW-1:0]  o_ask_lead,     // time left until it may go

  // A CNP of a known queue, ECN on.
  input  logic              i_cnp_vld,
  input  logic [IdxW-1:0]   i_cnp_queue,

  // A run of the loop, one cycle after its slot.
  output logic              o_op_vld,
  output logic [IdxW-1:0]   o_op_queue,
  output logic [2:0]        o_op_why,
  output logic              o_op_cut,       // rate is to be cut by the new estimate
  output logic [RateW-1:0]  o_op_rate,      // rate after the run, or before the cut
  output logic [RateW-1:0]  o_op_goal,
  output logic [EstW-1:0]   o_op_alpha,     // estimate before the run
  output logic [3:0]        o_op_recov,
  output logic [TIME_W-1:0] o_op_cnps,
  output logic [TIME_W-1:0] o_op_pkts,

  // Rate and estimate that a run left.
  input  logic              i_keep_vld,
  input  logic [IdxW-1:0]   i_keep_queue,
  input  logic [RateW-1:0]  i_keep_rate,
  input  logic [EstW-1:0]   i_keep_alpha,

  // A debug read: its cycle (known queue or not), and when its rate and estimate are settled.
  input  logic              i_dbg_vld,
  input  logic [IdxW-1:0]   i_dbg_queue,
  input  logic              i_dbg_settled,
  output logic              o_dbg_active,
  output logic [RateW-1:0]  o_dbg_rate,
  output logic [RateW-1:0]  o_dbg_goal,
  output logic [EstW-1:0]   o_dbg_alpha,
  output logic [3:0]        o_dbg_recov,
  output logic              o_dbg_kind,
  output logic [7:0]        o_dbg_skips,
  output logic [TIME_W-1:0] o_dbg_due,
  output logic [TIME_W-1:0] o_dbg_cnps,
  output logic [TIME_W-1:0] o_dbg_pkts,
  output logic              o_dbg_held,
  output logic [PaceW-1:0]  o_dbg_next
);
  localparam logic [2:0] WhyBegin = 3'd0, WhyCut = 3'd1, WhyCutHeld = 3'd2,
                         WhyRaise = 3'd3, WhyRaiseHeld = 3'd4, WhyDone = 3'd5;
  localparam logic KindCut = 1'b0, KindRaise = 1'b1;
  localparam logic [RateW-1:0] Line = {1'b1, {RATE_FRAC{1'b0}}};

  // --- State -----------------------------------------------------------------------------------
  logic [QPS-1:0]    active;            // an episode runs; the fields below mean nothing without
  logic [QPS-1:0]    fresh;             // no half has run yet: rate and estimate are the constants
  logic [QPS-1:0]    kind;              // next half
  logic [3:0]        recov [QPS];
  logic [7:0]        skips [QPS];
  logic [RateW-1:0]  goal  [QPS];
  logic [RateW-1:0]  rate  [QPS];       // written by i_keep only
  logic [EstW-1:0]   alpha [QPS];       // written by i_keep only
  logic [TIME_W-1:0] due   [QPS];
  logic [TIME_W-1:0] cnps  [QPS];
  logic [TIME_W-1:0] pkts  [QPS];
  logic [QPS-1:0]    held;              // next means something
  logic [PaceW-1:0]  next  [QPS];

  // --- Time and walk ---------------------------------------------------------------------------
  logic [TIME_W-1:0] now;
  logic [PaceW-1:0]  now_fine;
  logic [IdxW-1:0]   step, seat;
  logic              begin_vld;         // an episode began in the cycle before
  logic [IdxW-1:0]   begin_queue;
  logic              visit;

  always_comb begin
    for (int i = 0; i < IdxW; i++) seat[i] = step[IdxW-1-i];
    // BUG 20: the last seat of the walk is never visited.
    if (BUG == 20 && step == '1) seat = '0;
    now_fine = {now, 16'd0};
    visit    = i_run && !begin_vld && !i_dbg_vld;
  end

  always_ff @(posedge clock) begin
    if (reset) begin
      now  <= TIME_W'(TIME_INIT);
      step <= '0;
    end else begin
      if (i_run) now <= now + 1'b1;
      if (visit) step <= step + 1'b1;
    end
  end

  // --- Request ---------------------------------------------------------------------------------
  logic [PaceW-1:0] ask_next, ask_since, ask_base;
  logic             ask_early, ask_go, ask_chain;
  always_comb begin
    ask_next  = next[i_ask_queue];
    ask_since = now_fine - ask_next;
    ask_early = held[i_ask_queue] && ask_since[PaceW-1];
    // BUG 7: times compared as plain numbers, wrong across the wrap.
    if (BUG == 7) ask_early = held[i_ask_queue] && (now_fine < ask_next);
    ask_go    = i_ask_vld && !ask_early;
    ask_chain = held[i_ask_queue] && (ask_since < PaceW'({p_credit, 16'd0}));
    // BUG 8: idle time earns no credit at all.
    if (BUG == 8) ask_chain = 1'b0;
    ask_base  = ask_chain ? ask_next : now_fine;
  end

  always_ff @(posedge clock) begin
    if (i_ask_vld) begin
      o_ask_go   <= ask_go;
      o_ask_lead <= ask_next - now_fine;
    end
  end

  // --- Half of the visited queue ---------------------------------------------------------------
  logic [TIME_W-1:0] late;
  logic              run, seen, own_ask, slack_gone;
  logic [RateW-1:0]  rate_in, goal_run, rate_run, goal_low, goal_high;
  logic [3:0]        recov_run;
  logic [7:0]        skips_run;
  logic [TIME_W-1:0] pkts_run, due_run;
  logic [PaceW-1:0]  seat_since;
  logic [2:0]        why;
  logic              cut, raise, done, additive;

  function automatic logic [RateW-1:0] at_least(logic [RateW-1:0] value, logic [RateW-1:0] floor);
    return (value < floor) ? floor : value;
  endfunction

  function automatic logic [RateW-1:0] middle(logic [RateW-1:0] a, logic [RateW-1:0] b);
    return RateW'(((RateW+1)'(a) + (RateW+1)'(b) + (RateW+1)'(1)) >> 1);
  endfunction

  function automatic logic [RateW-1:0] lower(logic [RateW-1:0] value, logic [RateW-1:0] by);
    return (value > by) ? value - by : '0;
  endfunction

  function automatic logic [RateW-1:0] higher(logic [RateW-1:0] value, logic [RateW-1:0] by);
    logic [RateW:0] sum;
    sum = (RateW+1)'(value) + (RateW+1)'(by);
    // BUG 17: the goal may rise above line speed.
    return (sum > (RateW+1)'(Line) && BUG != 17) ? Line : RateW'(sum);
  endfunction

  always_comb begin
    late = now - due[seat];
    // BUG 19: due one cycle too early.
    if (BUG == 19) late = late + 1'b1;
    run  = visit && active[seat] && !late[TIME_W-1];

    own_ask  = ask_go && (i_ask_queue == seat);
    seen     = (cnps[seat] != '0);
    pkts_run = pkts[seat];
    // BUG 13: the half does not see the packet granted in its own cycle.
    if (own_ask && BUG != 13) pkts_run = pkts_run + 1'b1;
    // BUG 2: the next half counts from when this one was served.
    due_run  = ((BUG == 2) ? now : due[seat]) + p_half_cycles;

    additive  = (recov[seat] >= p_fr_count);
    rate_in   = fresh[seat] ? p_first_rate : rate[seat];
    goal_low  = at_least(lower(goal[seat], p_ai_step), p_min_rate);
    goal_high = higher(goal[seat], p_ai_step);

    goal_run  = goal[seat];
    rate_run  = rate_in;
    recov_run = recov[seat];
    skips_run = skips[seat];
    cut       = 1'b0;
    raise     = 1'b0;
    done      = 1'b0;
    if (kind[seat] == KindCut) begin
      why = seen ? WhyCut : WhyCutHeld;
      if (seen && additive) begin
        goal_run  = goal_low;
        // BUG 21: the average takes the goal of before the step.
        rate_run  = at_least(middle(rate_in, (BUG == 21) ? goal[seat] : goal_low), p_min_rate);
        recov_run = (recov[seat] == '0) ? '0 : recov[seat] - 1'b1;
      end else if (seen) begin
        cut       = 1'b1;
        recov_run = '0;
      end
    end else begin
      // BUG 3: one half more is held back than should be.
      raise = !seen || ((BUG == 3) ? skips[seat] > p_hold_loops : skips[seat] == p_hold_loops);
      if (seen) skips_run = raise ? '0 : skips[seat] + 1'b1;
      // BUG 15: a quiet half forgets how many were held back.
      else if (BUG == 15) skips_run = '0;
      why = WhyRaiseHeld;
      if (raise) begin
        if (additive) goal_run = goal_high;
        rate_run  = at_least(middle(rate_in, goal_run), p_min_rate);
        recov_run = (recov[seat] == '1) ? '1 : recov[seat] + 1'b1;
        done      = (rate_run >= p_done_rate);
        why       = done ? WhyDone : WhyRaise;
        if (done) begin
          rate_run = Line;
          goal_run = Line;
        end
      end
    end

    seat_since = now_fine - next[seat];
    slack_gone = !seat_since[PaceW-1] && (seat_since >= PaceW'({p_credit, 16'd0}));
  end

  // --- CNP -------------------------------------------------------------------------------------
  logic              own_half, cnp_begins, cnp_counts;
  logic [TIME_W-1:0] cnps_before;
  always_comb begin
    own_half   = run && (i_cnp_queue == seat);
    cnp_begins = i_cnp_vld && (!active[i_cnp_queue] || (own_half && done));
    cnp_counts = i_cnp_vld && !cnp_begins;
    // BUG 14: a CNP in the cycle in which its queue's episode ends is lost.
    if (BUG == 14 && own_half && done) cnp_begins = 1'b0;
    // BUG 12: a CNP in the cycle of a half of its queue is lost.
    if (BUG == 12 && own_half) cnp_counts = 1'b0;
    cnps_before = (own_half && kind[seat] == KindCut) ? '0 : cnps[i_cnp_queue];
  end

  always_ff @(posedge clock) begin
    begin_queue <= i_cnp_queue;
    if (reset) begin_vld <= 1'b0;
    else       begin_vld <= cnp_begins;
  end

  // --- The order of effects --------------------------------------------------------------------
  always_ff @(posedge clock) begin
    // Request.
    if (ask_go) begin
      held[i_ask_queue] <= 1'b1;
      next[i_ask_queue] <= ask_base + i_ask_cost;
      pkts[i_ask_queue] <= pkts[i_ask_queue] + 1'b1;
    end

    // Visit. A grant in this cycle has just made `next` new, so it stays.
    if (visit && slack_gone && !own_ask) held[seat] <= 1'b0;
    if (run) begin
      due[seat]   <= due_run;
      goal[seat]  <= goal_run;
      recov[seat] <= recov_run;
      skips[seat] <= skips_run;
      fresh[seat] <= 1'b0;
      kind[seat]  <= ~kind[seat];
      if (done) active[seat] <= 1'b0;
      if (kind[seat] == KindCut) begin
        cnps[seat] <= '0;
        pkts[seat] <= '0;
        // BUG 5: a reduction leaves the packets counted so far.
        if (BUG == 5) pkts[seat] <= pkts_run;
        // BUG 13: the packet of this cycle counts into the next interval.
        if (BUG == 13 && own_ask) pkts[seat] <= TIME_W'(1);
        // BUG 1: a reduction is followed by another.
        if (BUG == 1 && seen) kind[seat] <= KindCut;
      end
    end

    // CNP.
    if (cnp_counts) cnps[i_cnp_queue] <= cnps_before + 1'b1;
    if (cnp_begins) begin
      active[i_cnp_queue] <= 1'b1;
      fresh[i_cnp_queue]  <= 1'b1;
      kind[i_cnp_queue]   <= KindRaise;
      recov[i_cnp_queue]  <= '0;
      skips[i_cnp_queue]  <= '0;
      goal[i_cnp_queue]   <= Line;
      due[i_cnp_queue]    <= now + p_half_cycles;
      // BUG 23: the CNP that begins an episode is counted into it as well.
      cnps[i_cnp_queue]   <= (BUG == 23) ? TIME_W'(1) : '0;
      pkts[i_cnp_queue]   <= '0;
    end

    if (i_keep_vld) begin
      rate[i_keep_queue]  <= i_keep_rate;
      alpha[i_keep_queue] <= i_keep_alpha;
    end

    if (reset) begin
      active <= '0;
      held   <= '0;
    end
  end

  // --- To the arithmetic -----------------------------------------------------------------------
  always_ff @(posedge clock) begin
    if (reset) o_op_vld <= 1'b0;
    else       o_op_vld <= run || begin_vld;

    if (begin_vld) begin
      o_op_queue <= begin_queue;
      o_op_why   <= WhyBegin;
      o_op_cut   <= 1'b0;
      o_op_rate  <= p_first_rate;
      o_op_goal  <= Line;
      o_op_alpha <= p_first_alpha;
      o_op_recov <= '0;
      o_op_cnps  <= '0;
      o_op_pkts  <= '0;
    end else if (run) begin
      o_op_queue <= seat;
      o_op_why   <= why;
      o_op_cut   <= cut;
      o_op_rate  <= rate_run;
      o_op_goal  <= goal_run;
      o_op_alpha <= fresh[seat] ? p_first_alpha : alpha[seat];
      o_op_recov <= recov_run;
      o_op_cnps  <= cnps[seat];
      o_op_pkts  <= pkts_run;
    end
  end

  // --- Debug read ------------------------------------------------------------------------------
  // One cycle after the read's own, the state is what that cycle left. Rate and estimate are taken
  // when every run up to that cycle has come back, and none of a later one.
  logic            look_vld, look_fresh;
  logic [IdxW-1:0] look_queue;
  always_ff @(posedge clock) begin
    if (reset) look_vld <= 1'b0;
    else       look_vld <= i_dbg_vld;
    if (i_dbg_vld) look_queue <= i_dbg_queue;

    if (look_vld) begin
      look_fresh   <= fresh[look_queue];
      o_dbg_active <= active[look_queue];
      o_dbg_goal   <= active[look_queue] ? goal[look_queue] : Line;
      o_dbg_recov  <= active[look_queue] ? recov[look_queue] : '0;
      o_dbg_kind   <= active[look_queue] && kind[look_queue];
      o_dbg_skips  <= active[look_queue] ? skips[look_queue] : '0;
      o_dbg_due    <= active[look_queue] ? due[look_queue] : '0;
      o_dbg_cnps   <= active[look_queue] ? cnps[look_queue] : '0;
      o_dbg_pkts   <= active[look_queue] ? pkts[look_queue] : '0;
      o_dbg_held   <= held[look_queue];
      o_dbg_next   <= held[look_queue] ? next[look_queue] : '0;
    end
    if (i_dbg_settled) begin
      o_dbg_rate  <= !o_dbg_active ? Line : look_fresh ? p_first_rate : rate[look_queue];
      o_dbg_alpha <= !o_dbg_active ? '0 : look_fresh ? p_first_alpha : alpha[look_queue];
    end
  end
endmodule
