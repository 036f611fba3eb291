// The entries of a pacing table of more than SMALL_ENTRIES entries, in memories: a BECN in four
// cycles, a visit of the sweep in two, a grant's use and a next_send that lands in two.
//
// A BECN's destination is asked for in stage 1 (cam_ram), has an entry in stage 4, which reads the
// state, and stage 5 is the effect stage: order and meaning as in pt_table_flop. A memory's bypass
// is the forwarding between one stage and the next. Only one thing does not fit a write port: where
// the sweep and a BECN change two entries in one stage, the BECN's write waits one cycle, in which
// there is neither.

module pt_table_ram
  import pt_pkg::*;
#(
  parameter int ENTRIES = 1024,
  parameter int DLID_W = 24,
  parameter int TIME_W = 32,
  parameter int TIME_FRAC = 16,
  parameter int CCTI_W = 10,
  localparam int ENTRY_W = $clog2(ENTRIES),
  localparam int PACE_W = TIME_W + TIME_FRAC
) (
  input  logic               clk,
  input  logic               rst_n,
  input  logic [CCTI_W-1:0]  cfg_first_ccti,
  input  logic [7:0]         cfg_increase,
  input  logic [CCTI_W-1:0]  cfg_limit,
  input  logic [CCTI_W-1:0]  cfg_min,
  input  logic [CCTI_W-1:0]  cfg_trigger_threshold,
  input  logic               cfg_skip,
  input  logic [TIME_W-1:0]  cfg_period,
  input  logic               cfg_rearm,
  input  logic [5:0]         cfg_pacing_slack,

  // Init sweep.
  input  logic               init,
  input  logic [ENTRY_W-1:0] init_entry,

  // Time of the effect stage, the sweep's visit in it, and whom the next stage's visit would be to.
  input  logic [TIME_W-1:0]  now,
  input  logic               visit,
  input  logic [ENTRY_W-1:0] visit_entry,
  input  logic [ENTRY_W-1:0] visit_entry_d,

  // becn at the pins, taken.
  input  logic               becn,
  input  logic [DLID_W-1:0]  becn_dlid,

  // Lookup of a head's destination: asked in stage 1, answered in the effect stage with the state
  // at its start.
  input  logic               look,
  input  logic [DLID_W-1:0]  look_dlid,
  output logic               look_tracked,
  output logic [ENTRY_W-1:0] look_entry,
  output logic               look_held,
  output logic [PACE_W-1:0]  look_next_send,

  // A grant of this stage: the entry's ccti at its start, in the next stage; its use, if the entry
  // still lives at the end.
  input  logic               paced,
  input  logic [ENTRY_W-1:0] paced_entry,
  output logic [CCTI_W-1:0]  paced_ccti_1,
  input  logic               used,

  // next_send lands.
  input  logic               landed,
  input  logic [ENTRY_W-1:0] landed_entry,
  input  logic [PACE_W-1:0]  landed_next_send,

  // What happened to entries in this stage. One that is made may replace another.
  output logic               made,
  output logic [ENTRY_W-1:0] made_entry,
  output logic [DLID_W-1:0]  made_dlid,
  output logic               released,
  output logic [ENTRY_W-1:0] released_entry,
  output logic               expired,
  output logic [ENTRY_W-1:0] expired_entry,

  // What is reported: a decay one stage later, a BECN two.
  output logic               upd_valid,
  output logic [ENTRY_W-1:0] upd_entry,
  output logic [DLID_W-1:0]  upd_dlid,
  output logic [CCTI_W-1:0]  upd_ccti,
  output logic               log_valid,
  output logic               evict_valid,
  output logic [DLID_W-1:0]  evict_dlid,
  output logic [CCTI_W-1:0]  evict_ccti,
  output logic               decay_valid,
  output logic               decay_released,
  output logic [ENTRY_W-1:0] decay_entry,
  output logic [DLID_W-1:0]  decay_dlid,
  output logic [CCTI_W-1:0]  decay_ccti,
  // For the counters: what the next cycle shows.
  output logic               becn_done_d,
  output logic               evict_valid_d,

  // Read for a peek: the state at the start of this stage, shown from the next one on.
  input  logic               read,
  input  logic [ENTRY_W-1:0] read_entry,
  output logic               seen_valid,
  output logic [DLID_W-1:0]  seen_dlid,
  output logic [CCTI_W-1:0]  seen_ccti,
  output logic [TIME_W-1:0]  seen_deadline,
  output logic               seen_held,
  output logic [PACE_W-1:0]  seen_next_send
);

  // Whether now has reached a time: their difference, read as signed, is not negative.
  function automatic logic reached(input logic [TIME_W-1:0] difference);
    return !difference[TIME_W-1];
  endfunction

  // The same with the fraction, and PacingSlack or more ago.
  function automatic logic slack_over(input logic [PACE_W-1:0] difference,
                                      input logic [5:0] slack);
    return !difference[PACE_W-1] && 64'(difference) >= 64'({slack, TIME_FRAC'(0)});
  endfunction

  // ccti after a BECN: higher, held at the limit, or with skip left as it is where it would pass
  // it.
  function automatic logic [CCTI_W-1:0] increased(input logic [CCTI_W-1:0] ccti,
                                                  input logic [7:0] increase,
                                                  input logic [CCTI_W-1:0] limit,
                                                  input logic skip);
    logic [31:0] up;
    up = 32'(ccti) + 32'(increase);
    if (up <= 32'(limit)) return CCTI_W'(up);
    return skip ? ccti : limit;
  endfunction

  // --------------------------------------------------------------------------------------------
  // Which entries are in use, and which of those are held; the lowest one that is free.
  // --------------------------------------------------------------------------------------------

  logic [ENTRIES-1:0] valid_q, held_q;
  logic               free;
  logic [ENTRY_W-1:0] free_entry;

  lowest_index #(
    .N (ENTRIES)
  ) u_free (
    .bits  (~valid_q),
    .any   (free),
    .index (free_entry)
  );

  // --------------------------------------------------------------------------------------------
  // Stages 1 to 5: from a destination to its entry, for BECNs (a) and for heads (b).
  // --------------------------------------------------------------------------------------------

  logic               becn_1_q, becn_4, becn_5, look_4, look_5, becn_tracked_5;
  logic [DLID_W-1:0]  becn_dlid_1_q, becn_dlid_5, look_dlid_5, old_dlid_6;
  logic [ENTRY_W-1:0] becn_entry_4, becn_entry_5, look_entry_4;
  logic [ENTRIES-1:0] becn_match_3, look_match_3;

  always_ff @(posedge clk) begin
    if (!rst_n) becn_1_q <= 1'b0;
    else        becn_1_q <= becn;
  end

  always_ff @(posedge clk) begin
    if (becn) becn_dlid_1_q <= becn_dlid;
  end

  cam_ram #(
    .N       (ENTRIES),
    .KEY_W   (DLID_W),
    .SLICE_W (CAM_SLICE_W)
  ) u_cam (
    .clk           (clk),
    .rst_n         (rst_n),
    .init          (init),
    .init_index    (init_entry[CAM_SLICE_W-1:0]),
    .a_look        (becn_1_q),
    .a_key         (becn_dlid_1_q),
    .a_match       (becn_match_3),
    .b_look        (look),
    .b_key         (look_dlid),
    .b_match       (look_match_3),
    .replace       (made),
    .replace_index (made_entry),
    .new_key       (made_dlid),
    .old_key_1     (old_dlid_6)
  );

  pt_lookup #(
    .ENTRIES (ENTRIES),
    .DLID_W  (DLID_W)
  ) u_becn (
    .clk            (clk),
    .rst_n          (rst_n),
    .look           (becn_1_q),
    .dlid           (becn_dlid_1_q),
    .match_3        (becn_match_3),
    .valid          (valid_q),
    .made           (made),
    .made_entry     (made_entry),
    .made_dlid      (made_dlid),
    .released       (released),
    .released_entry (released_entry),
    .look_4         (becn_4),
    .entry_4        (becn_entry_4),
    .look_5         (becn_5),
    .dlid_5         (becn_dlid_5),
    .tracked_5      (becn_tracked_5),
    .entry_5        (becn_entry_5)
  );

  pt_lookup #(
    .ENTRIES (ENTRIES),
    .DLID_W  (DLID_W)
  ) u_look (
    .clk            (clk),
    .rst_n          (rst_n),
    .look           (look),
    .dlid           (look_dlid),
    .match_3        (look_match_3),
    .valid          (valid_q),
    .made           (made),
    .made_entry     (made_entry),
    .made_dlid      (made_dlid),
    .released       (released),
    .released_entry (released_entry),
    .look_4         (look_4),
    .entry_4        (look_entry_4),
    .look_5         (look_5),
    .dlid_5         (look_dlid_5),
    .tracked_5      (look_tracked),
    .entry_5        (look_entry)
  );

  assign look_held = held_q[look_entry];

  // The head itself knows when it arrives, and for whom.
  logic unused_look;
  assign unused_look = ^{look_5, look_dlid_5};

  // --------------------------------------------------------------------------------------------
  // Stage 5, the effect stage. First the sweep's visit: held, and the end of a period.
  // --------------------------------------------------------------------------------------------

  logic [TIME_W-1:0] visit_deadline, overdue;
  logic [CCTI_W-1:0] visit_ccti, decayed;
  logic [DLID_W-1:0] visit_dlid;
  logic [PACE_W-1:0] visit_next_send, ago;
  logic              ends, decays;

  assign overdue = now - visit_deadline;
  assign ago     = {now, TIME_FRAC'(0)} - visit_next_send;

  assign ends    = visit && valid_q[visit_entry] && cfg_period != '0 && reached(overdue);
  assign decays  = ends && visit_ccti > cfg_min;
  assign decayed = decays ? visit_ccti - 1'b1 : visit_ccti;

  assign released       = decays && decayed == '0;
  assign released_entry = visit_entry;
  assign expired        = visit && held_q[visit_entry] && slack_over(ago, cfg_pacing_slack);
  assign expired_entry  = visit_entry;

  // --------------------------------------------------------------------------------------------
  // Then the BECN: a hit, or a new entry in the lowest free place or in that of the least recently
  // used.
  // --------------------------------------------------------------------------------------------

  logic [ENTRY_W-1:0] victim, becn_entry;
  logic               hit, miss, full, evicts, ended, rearms;
  logic [CCTI_W-1:0]  read_ccti, hit_ccti, hit_ccti_next, becn_ccti;
  logic [TIME_W-1:0]  read_deadline, hit_deadline, hit_overdue, new_deadline;
  logic               first_free;

  assign hit  = becn_5 && becn_tracked_5 && !(released && released_entry == becn_entry_5);
  assign miss = becn_5 && !hit;
  assign full = !free && !released;

  // An entry that was released in this stage is free too.
  assign first_free = free && !(released && released_entry < free_entry);

  assign made      = miss && cfg_first_ccti != '0;
  assign made_dlid = becn_dlid_5;
  assign evicts    = made && full;

  always_comb begin
    made_entry = victim;
    if (first_free)    made_entry = free_entry;
    else if (released) made_entry = released_entry;
  end

  // The hit entry as the sweep left it.
  assign ended         = ends && visit_entry == becn_entry_5;
  assign hit_ccti      = ended ? decayed : read_ccti;
  assign hit_deadline  = ended ? visit_deadline + cfg_period : read_deadline;
  assign hit_ccti_next = increased(hit_ccti, cfg_increase, cfg_limit, cfg_skip);

  // With rearm a change restarts a period that is still running; one that is over waits for its
  // decay.
  assign hit_overdue  = now - hit_deadline;
  assign rearms       = cfg_rearm && cfg_period != '0 && hit_ccti_next != hit_ccti &&
                        !reached(hit_overdue);
  assign new_deadline = (cfg_period == '0) ? '0 : now + cfg_period;

  assign becn_entry = hit ? becn_entry_5 : made_entry;
  assign becn_ccti  = hit ? hit_ccti_next : cfg_first_ccti;

  // --------------------------------------------------------------------------------------------
  // The LRU order: the BECN's use comes before the grant's.
  // --------------------------------------------------------------------------------------------

  lru_list #(
    .N (ENTRIES)
  ) u_lru (
    .clk        (clk),
    .rst_n      (rst_n),
    .init       (init),
    .init_index (init_entry),
    .a_touch    (hit || made),
    .a_index    (becn_entry),
    .b_touch    (used),
    .b_index    (paced_entry),
    .victim     (victim)
  );

  // --------------------------------------------------------------------------------------------
  // valid and held: as in pt_table_flop.
  // --------------------------------------------------------------------------------------------

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      valid_q <= '0;
      held_q  <= '0;
    end else begin
      if (released) valid_q[visit_entry] <= 1'b0;
      if (made)     valid_q[made_entry]  <= 1'b1;
      if (expired)  held_q[visit_entry]  <= 1'b0;
      if (landed)   held_q[landed_entry] <= 1'b1;
      if (made)     held_q[made_entry]   <= 1'b0;
    end
  end

  // --------------------------------------------------------------------------------------------
  // ccti and deadline: one write port for the sweep and BECNs.
  // --------------------------------------------------------------------------------------------

  localparam int STATE_W = CCTI_W + TIME_W;

  logic               becn_writes, wait_d, wait_q, state_we;
  logic [ENTRY_W-1:0] wait_entry_q, state_waddr;
  logic [STATE_W-1:0] becn_state, visit_state, wait_state_q, state_wdata;

  assign becn_writes = hit || made;
  assign becn_state  = {becn_ccti, (made || rearms) ? new_deadline : hit_deadline};
  assign visit_state = {decayed, visit_deadline + cfg_period};
  assign wait_d      = becn_writes && ends && visit_entry != becn_entry;

  always_comb begin
    state_we    = 1'b1;
    state_waddr = becn_entry;
    state_wdata = becn_state;
    if (wait_q) begin
      state_waddr = wait_entry_q;
      state_wdata = wait_state_q;
    end else if (wait_d || !becn_writes) begin
      state_we    = ends;
      state_waddr = visit_entry;
      state_wdata = visit_state;
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n) wait_q <= 1'b0;
    else        wait_q <= wait_d;
  end

  always_ff @(posedge clk) begin
    if (wait_d) begin
      wait_entry_q <= becn_entry;
      wait_state_q <= becn_state;
    end
  end

  // For the sweep's next visit, and for the BECN that comes to the effect stage.
  ram_1w2r #(
    .WIDTH (STATE_W),
    .DEPTH (ENTRIES)
  ) u_state (
    .clk     (clk),
    .we      (state_we),
    .waddr   (state_waddr),
    .wdata   (state_wdata),
    .a_re    (1'b1),
    .a_raddr (visit_entry_d),
    .a_rdata ({visit_ccti, visit_deadline}),
    .b_re    (becn_4),
    .b_raddr (becn_entry_4),
    .b_rdata ({read_ccti, read_deadline})
  );

  // For a grant, as of the start of its stage: what waits is in effect already.
  logic              paced_waits_q;
  logic [CCTI_W-1:0] paced_ccti;

  ram_1w1r #(
    .WIDTH  (CCTI_W),
    .DEPTH  (ENTRIES),
    .BYPASS (0)
  ) u_ccti_grant (
    .clk   (clk),
    .we    (state_we),
    .waddr (state_waddr),
    .wdata (state_wdata[TIME_W+:CCTI_W]),
    .re    (paced),
    .raddr (paced_entry),
    .rdata (paced_ccti)
  );

  // For the entry that gives way, as of the start of the stage.
  logic [CCTI_W-1:0] old_ccti_6;

  ram_1w1r #(
    .WIDTH  (CCTI_W),
    .DEPTH  (ENTRIES),
    .BYPASS (0)
  ) u_ccti_victim (
    .clk   (clk),
    .we    (state_we),
    .waddr (state_waddr),
    .wdata (state_wdata[TIME_W+:CCTI_W]),
    .re    (made),
    .raddr (made_entry),
    .rdata (old_ccti_6)
  );

  // For a peek.
  logic               seen_waits_q;
  logic [CCTI_W-1:0]  seen_ccti_read;
  logic [TIME_W-1:0]  seen_deadline_read;
  logic [STATE_W-1:0] waited_q;

  ram_1w1r #(
    .WIDTH  (STATE_W),
    .DEPTH  (ENTRIES),
    .BYPASS (0)
  ) u_state_peek (
    .clk   (clk),
    .we    (state_we),
    .waddr (state_waddr),
    .wdata (state_wdata),
    .re    (read),
    .raddr (read_entry),
    .rdata ({seen_ccti_read, seen_deadline_read})
  );

  always_ff @(posedge clk) begin
    if (paced) paced_waits_q <= wait_q && wait_entry_q == paced_entry;
    if (read)  seen_waits_q  <= wait_q && wait_entry_q == read_entry;
    if (wait_q) waited_q <= wait_state_q;
  end

  assign paced_ccti_1 = paced_waits_q ? waited_q[TIME_W+:CCTI_W] : paced_ccti;

  assign {seen_ccti, seen_deadline} = seen_waits_q ? waited_q
                                                   : {seen_ccti_read, seen_deadline_read};

  // --------------------------------------------------------------------------------------------
  // next_send: written where it lands.
  // --------------------------------------------------------------------------------------------

  ram_1w2r #(
    .WIDTH (PACE_W),
    .DEPTH (ENTRIES)
  ) u_next_send (
    .clk     (clk),
    .we      (landed),
    .waddr   (landed_entry),
    .wdata   (landed_next_send),
    .a_re    (1'b1),
    .a_raddr (visit_entry_d),
    .a_rdata (visit_next_send),
    .b_re    (look_4),
    .b_raddr (look_entry_4),
    .b_rdata (look_next_send)
  );

  ram_1w1r #(
    .WIDTH  (PACE_W),
    .DEPTH  (ENTRIES),
    .BYPASS (0)
  ) u_next_send_peek (
    .clk   (clk),
    .we    (landed),
    .waddr (landed_entry),
    .wdata (landed_next_send),
    .re    (read),
    .raddr (read_entry),
    .rdata (seen_next_send)
  );

  // --------------------------------------------------------------------------------------------
  // dlid: written where an entry is made; the old one is told to cam_ram.
  // --------------------------------------------------------------------------------------------

  ram_1w1r #(
    .WIDTH (DLID_W),
    .DEPTH (ENTRIES)
  ) u_dlid_visit (
    .clk   (clk),
    .we    (made),
    .waddr (made_entry),
    .wdata (made_dlid),
    .re    (1'b1),
    .raddr (visit_entry_d),
    .rdata (visit_dlid)
  );

  ram_1w1r #(
    .WIDTH  (DLID_W),
    .DEPTH  (ENTRIES),
    .BYPASS (0)
  ) u_dlid_victim (
    .clk   (clk),
    .we    (made),
    .waddr (made_entry),
    .wdata (made_dlid),
    .re    (made),
    .raddr (made_entry),
    .rdata (old_dlid_6)
  );

  ram_1w1r #(
    .WIDTH  (DLID_W),
    .DEPTH  (ENTRIES),
    .BYPASS (0)
  ) u_dlid_peek (
    .clk   (clk),
    .we    (made),
    .waddr (made_entry),
    .wdata (made_dlid),
    .re    (read),
    .raddr (read_entry),
    .rdata (seen_dlid)
  );

  // --------------------------------------------------------------------------------------------
  // What is reported: a BECN's beats wait for what the entry that gave way held.
  // --------------------------------------------------------------------------------------------

  logic               becn_6_q, upd_6_q, log_6_q, evict_6_q, victim_decayed_6_q;
  logic [ENTRY_W-1:0] entry_6_q;
  logic [DLID_W-1:0]  dlid_6_q;
  logic [CCTI_W-1:0]  ccti_6_q, decayed_6_q;

  assign becn_done_d   = becn_6_q;
  assign evict_valid_d = evict_6_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      becn_6_q       <= 1'b0;
      upd_6_q        <= 1'b0;
      log_6_q        <= 1'b0;
      evict_6_q      <= 1'b0;
      upd_valid      <= 1'b0;
      log_valid      <= 1'b0;
      evict_valid    <= 1'b0;
      decay_valid    <= 1'b0;
      decay_released <= 1'b0;
    end else begin
      becn_6_q       <= becn_5;
      upd_6_q        <= becn_writes;
      log_6_q        <= becn_writes && cfg_trigger_threshold != '0 &&
                        becn_ccti >= cfg_trigger_threshold;
      evict_6_q      <= evicts;
      upd_valid      <= upd_6_q;
      log_valid      <= log_6_q;
      evict_valid    <= evict_6_q;
      decay_valid    <= decays;
      decay_released <= released;
    end
  end

  always_ff @(posedge clk) begin
    if (becn_writes) begin
      entry_6_q          <= becn_entry;
      dlid_6_q           <= becn_dlid_5;
      ccti_6_q           <= becn_ccti;
      decayed_6_q        <= decayed;
      victim_decayed_6_q <= ends && visit_entry == victim;
    end
    if (upd_6_q) begin
      upd_entry <= entry_6_q;
      upd_dlid  <= dlid_6_q;
      upd_ccti  <= ccti_6_q;
    end
    if (evict_6_q) begin
      evict_dlid <= old_dlid_6;
      evict_ccti <= victim_decayed_6_q ? decayed_6_q : old_ccti_6;
    end
    if (decays) begin
      decay_entry <= visit_entry;
      decay_dlid  <= visit_dlid;
      decay_ccti  <= decayed;
    end
    if (read) begin
      seen_valid <= valid_q[read_entry];
      seen_held  <= held_q[read_entry];
    end
  end

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && wait_q) begin
      assert (!visit && !becn_5)
        else $error("pt_table_ram: a write of entry %0d waits, and the port is taken",
                    wait_entry_q);
    end
    if (rst_n && hit) begin
      assert (valid_q[becn_entry_5] && hit_ccti != '0)
        else $error("pt_table_ram: a hit of entry %0d, which is free", becn_entry_5);
    end
    if (rst_n && ends) begin
      assert (visit_ccti >= cfg_min && visit_ccti <= cfg_limit)
        else $error("pt_table_ram: ccti %0d of entry %0d is out of bounds", visit_ccti,
                    visit_entry);
    end
    if (rst_n && landed) begin
      assert (valid_q[landed_entry])
        else $error("pt_table_ram: next_send of entry %0d lands, which is free", landed_entry);
    end
  end
`endif

endmodule
