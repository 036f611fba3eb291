// The entries of a pacing table of up to SMALL_ENTRIES entries, in registers: a BECN, a visit of
// the sweep, a grant's use and a next_send that lands in every cycle.
//
// A BECN's destination is compared with all entries in stage 1; stage 2 is the effect stage. In it
// the order of effects is combinational: the sweep's visit, then the BECN (hit, free entry or least
// recently used), and the LRU order sees the BECN's use before the grant's. Between the two stages
// the only thing that can change a comparison is an entry that is made: one bit.

module pt_table_flop #(
  parameter int ENTRIES = 64,
  parameter int DLID_W = 24,
  parameter int TIME_W = 32,
  parameter int TIME_FRAC = 16,
  parameter int CCTI_W = 10,
  localparam int ENTRY_W = (ENTRIES > 1) ? $clog2(ENTRIES) : 1,
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

  // Time of the effect stage, and the sweep's visit in it.
  input  logic [TIME_W-1:0]  now,
  input  logic               visit,
  input  logic [ENTRY_W-1:0] visit_entry,

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

  // What is reported, one stage later.
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

  // The lowest bit that is set.
  function automatic logic [ENTRIES-1:0] lowest(input logic [ENTRIES-1:0] bits);
    return bits & (~bits + 1'b1);
  endfunction

  logic [ENTRIES-1:0] valid_q, held_q;
  logic [DLID_W-1:0]  dlid_q      [ENTRIES];
  logic [CCTI_W-1:0]  ccti_q      [ENTRIES];
  logic [TIME_W-1:0]  deadline_q  [ENTRIES];
  logic [PACE_W-1:0]  next_send_q [ENTRIES];

  // --------------------------------------------------------------------------------------------
  // Stage 1: compare with all entries.
  // --------------------------------------------------------------------------------------------

  logic               becn_1_q, becn_2_q;
  logic [DLID_W-1:0]  becn_dlid_1_q, becn_dlid_2_q;
  logic [ENTRIES-1:0] becn_match_2_q, look_match_2_q;

  // The entries whose dlid this is, valid or not.
  function automatic logic [ENTRIES-1:0] same_dlid(input logic [DLID_W-1:0] dlid);
    logic [ENTRIES-1:0] same;
    same = '0;
    for (int e = 0; e < ENTRIES; e++) same = same | (ENTRIES'(dlid_q[e] == dlid) << e);
    return same;
  endfunction

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      becn_1_q <= 1'b0;
      becn_2_q <= 1'b0;
    end else begin
      becn_1_q <= becn;
      becn_2_q <= becn_1_q;
    end
  end

  always_ff @(posedge clk) begin
    if (becn) becn_dlid_1_q <= becn_dlid;
    if (becn_1_q) begin
      becn_dlid_2_q  <= becn_dlid_1_q;
      becn_match_2_q <= same_dlid(becn_dlid_1_q);
      if (made) becn_match_2_q[made_entry] <= made_dlid == becn_dlid_1_q;
    end
    if (look) begin
      look_match_2_q <= same_dlid(look_dlid);
      if (made) look_match_2_q[made_entry] <= made_dlid == look_dlid;
    end
  end

  // --------------------------------------------------------------------------------------------
  // Stage 2, the effect stage. First the sweep's visit: held, and the end of a period.
  // --------------------------------------------------------------------------------------------

  logic [TIME_W-1:0]  visit_deadline, overdue;
  logic [CCTI_W-1:0]  visit_ccti, decayed;
  logic [PACE_W-1:0]  ago;
  logic               ends, decays;
  logic [ENTRIES-1:0] valid_swept;

  assign visit_ccti     = ccti_q[visit_entry];
  assign visit_deadline = deadline_q[visit_entry];
  assign overdue        = now - visit_deadline;
  assign ago            = {now, TIME_FRAC'(0)} - next_send_q[visit_entry];

  assign ends    = visit && valid_q[visit_entry] && cfg_period != '0 && reached(overdue);
  assign decays  = ends && visit_ccti > cfg_min;
  assign decayed = decays ? visit_ccti - 1'b1 : visit_ccti;

  assign released       = decays && decayed == '0;
  assign released_entry = visit_entry;
  assign expired        = visit && held_q[visit_entry] && slack_over(ago, cfg_pacing_slack);
  assign expired_entry  = visit_entry;

  always_comb begin
    valid_swept = valid_q;
    if (released) valid_swept[visit_entry] = 1'b0;
  end

  // --------------------------------------------------------------------------------------------
  // Then the BECN: a hit, or a new entry in the lowest free place or in that of the least recently
  // used.
  // --------------------------------------------------------------------------------------------

  logic [ENTRIES-1:0] becn_hits;
  logic [ENTRY_W-1:0] hit_entry, free_entry, victim, becn_entry;
  logic               hit, miss, full, evicts, ended, rearms;
  logic [CCTI_W-1:0]  hit_ccti, hit_ccti_next, becn_ccti;
  logic [TIME_W-1:0]  hit_deadline, hit_overdue, new_deadline;

  assign becn_hits = becn_match_2_q & valid_swept;
  assign hit       = becn_2_q && becn_hits != '0;
  assign miss      = becn_2_q && becn_hits == '0;
  assign full      = &valid_swept;

  onehot_index #(
    .N (ENTRIES)
  ) u_hit (
    .onehot (becn_hits),
    .index  (hit_entry)
  );

  onehot_index #(
    .N (ENTRIES)
  ) u_free (
    .onehot (lowest(~valid_swept)),
    .index  (free_entry)
  );

  assign made       = miss && cfg_first_ccti != '0;
  assign made_entry = full ? victim : free_entry;
  assign made_dlid  = becn_dlid_2_q;
  assign evicts     = made && full;

  // The hit entry as the sweep left it.
  assign ended         = ends && visit_entry == hit_entry;
  assign hit_ccti      = ended ? decayed : ccti_q[hit_entry];
  assign hit_deadline  = ended ? visit_deadline + cfg_period : deadline_q[hit_entry];
  assign hit_ccti_next = increased(hit_ccti, cfg_increase, cfg_limit, cfg_skip);

  // With rearm a change restarts a period that is still running; one that is over waits for its
  // decay.
  assign hit_overdue  = now - hit_deadline;
  assign rearms       = cfg_rearm && cfg_period != '0 && hit_ccti_next != hit_ccti &&
                        !reached(hit_overdue);
  assign new_deadline = (cfg_period == '0) ? '0 : now + cfg_period;

  assign becn_entry = hit ? hit_entry : made_entry;
  assign becn_ccti  = hit ? hit_ccti_next : cfg_first_ccti;

  // --------------------------------------------------------------------------------------------
  // The LRU order: the BECN's use comes before the grant's.
  // --------------------------------------------------------------------------------------------

  logic becn_uses, grant_uses;

  assign becn_uses  = hit || made;
  assign grant_uses = used;

  lru_matrix #(
    .N (ENTRIES)
  ) u_lru (
    .clk     (clk),
    .rst_n   (rst_n),
    .a_touch (becn_uses),
    .a_index (becn_entry),
    .b_touch (grant_uses),
    .b_index (paced_entry),
    .victim  (victim)
  );

  // --------------------------------------------------------------------------------------------
  // The registers. Where the sweep and the BECN meet in one entry, the BECN's is the later.
  // --------------------------------------------------------------------------------------------

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      valid_q <= '0;
    end else begin
      if (released) valid_q[visit_entry] <= 1'b0;
      if (made)     valid_q[made_entry]  <= 1'b1;
    end
  end

  // A next_send that lands is younger than the sweep's visit; in a new entry none lands.
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      held_q <= '0;
    end else begin
      if (expired) held_q[visit_entry]  <= 1'b0;
      if (landed)  held_q[landed_entry] <= 1'b1;
      if (made)    held_q[made_entry]   <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    if (ends) begin
      ccti_q[visit_entry]     <= decayed;
      deadline_q[visit_entry] <= visit_deadline + cfg_period;
    end
    if (hit || made) ccti_q[becn_entry] <= becn_ccti;
    if (made || (hit && rearms)) deadline_q[becn_entry] <= new_deadline;
    if (made)   dlid_q[made_entry]        <= made_dlid;
    if (landed) next_send_q[landed_entry] <= landed_next_send;
  end

  // --------------------------------------------------------------------------------------------
  // What heads and grants ask for: the state at the start of the effect stage.
  // --------------------------------------------------------------------------------------------

  logic [ENTRIES-1:0] look_hits;

  assign look_hits = look_match_2_q & valid_q;

  onehot_index #(
    .N (ENTRIES)
  ) u_look (
    .onehot (look_hits),
    .index  (look_entry)
  );

  assign look_tracked   = look_hits != '0;
  assign look_held      = held_q[look_entry];
  assign look_next_send = next_send_q[look_entry];

  always_ff @(posedge clk) begin
    if (paced) paced_ccti_1 <= ccti_q[paced_entry];
  end

  // --------------------------------------------------------------------------------------------
  // What is reported.
  // --------------------------------------------------------------------------------------------

  assign becn_done_d   = becn_2_q;
  assign evict_valid_d = evicts;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      upd_valid      <= 1'b0;
      log_valid      <= 1'b0;
      evict_valid    <= 1'b0;
      decay_valid    <= 1'b0;
      decay_released <= 1'b0;
    end else begin
      upd_valid      <= hit || made;
      log_valid      <= (hit || made) && cfg_trigger_threshold != '0 &&
                        becn_ccti >= cfg_trigger_threshold;
      evict_valid    <= evicts;
      decay_valid    <= decays;
      decay_released <= released;
    end
  end

  always_ff @(posedge clk) begin
    if (hit || made) begin
      upd_entry <= becn_entry;
      upd_dlid  <= becn_dlid_2_q;
      upd_ccti  <= becn_ccti;
    end
    if (evicts) begin
      evict_dlid <= dlid_q[victim];
      evict_ccti <= (ends && visit_entry == victim) ? decayed : ccti_q[victim];
    end
    if (decays) begin
      decay_entry <= visit_entry;
      decay_dlid  <= dlid_q[visit_entry];
      decay_ccti  <= decayed;
    end
    if (read) begin
      seen_valid     <= valid_q[read_entry];
      seen_dlid      <= dlid_q[read_entry];
      seen_ccti      <= ccti_q[read_entry];
      seen_deadline  <= deadline_q[read_entry];
      seen_held      <= held_q[read_entry];
      seen_next_send <= next_send_q[read_entry];
    end
  end

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && becn_2_q) begin
      assert ((becn_hits & (becn_hits - 1'b1)) == '0)
        else $error("pt_table_flop: destination %0d has more than one entry", becn_dlid_2_q);
      assert (!hit || hit_ccti != '0)
        else $error("pt_table_flop: entry %0d has ccti 0", hit_entry);
    end
    if (rst_n && ends) begin
      assert (visit_ccti >= cfg_min && visit_ccti <= cfg_limit)
        else $error("pt_table_flop: ccti %0d of entry %0d is out of bounds", visit_ccti,
                    visit_entry);
    end
    if (rst_n && landed) begin
      assert (valid_q[landed_entry])
        else $error("pt_table_flop: next_send of entry %0d lands, which is free", landed_entry);
    end
  end
`endif

endmodule
