// Who has the loop's slot: moves time and the sweep (the init sweep of every memory included),
// counts CNPs, and decides what runs in the effect stage: a start that waited, this cycle's start,
// a peek, or the sweep's visit.
//
// Owns what decides that and so must be true at once: whether a queue pair is congested, its next
// half, deadline, skipped count, the total of CNPs, and what both totals were when the interval
// began. Whether an increase would end the episode is known since the last run (`ends`, from
// rl_loop), so that no arithmetic on rates stands between two cycles. Starts and halves never write
// for two queue pairs in one cycle: one write port each.

module rl_slot
  import rl_pkg::*;
#(
  parameter int QPS = 256,
  parameter int TIME_W = 32,
  parameter int TIME_INIT = 0,
  localparam int CTX_W = $clog2(QPS)
) (
  input  logic              clk,
  input  logic              rst_n,
  input  logic [TIME_W-1:0] cfg_half,
  input  logic [7:0]        cfg_loops_per_increase,

  // Init sweep: whose memories are written in this cycle.
  output logic              init,
  output logic [CTX_W-1:0]  init_ctx,
  output logic              init_done,

  // CNPs and peeks of the next effect stage, and of this one.
  input  logic              cnp_read,
  input  logic [CTX_W-1:0]  cnp_ctx_d,
  input  logic              cnp_take,
  input  logic [CTX_W-1:0]  cnp_ctx,
  input  logic              peek_take_d,
  input  logic              peek_take,
  input  logic [CTX_W-1:0]  peek_ctx,

  // Time of the effect stage.
  output logic [TIME_W-1:0] now,

  // Look port: whom the next effect stage looks at, whom this one does, whether the sweep visits.
  output logic [CTX_W-1:0]  look_ctx_d,
  output logic [CTX_W-1:0]  look_ctx,
  output logic              visit,
  input  logic [TIME_W-1:0] look_packets,
  input  logic              look_ends,

  // Total of packets of the queue pair of the CNP.
  input  logic [TIME_W-1:0] cnp_packets,

  // A run of the loop, one stage after the effect stage.
  output logic              run_valid,
  output logic [CTX_W-1:0]  run_ctx,
  output logic [3:0]        run_cause,
  output logic [TIME_W-1:0] run_cnps,
  output logic [TIME_W-1:0] run_packets,

  // The episode's part of the answer to a peek: what it saw, from the stage after the effect stage
  // until the next peek. `seen_first`: the episode, if there is one, started in the peek's cycle.
  output logic              seen_first,
  output logic              peeked_congested,
  output logic              peeked_phase,
  output logic [7:0]        peeked_skipped,
  output logic [TIME_W-1:0] peeked_deadline,
  output logic [TIME_W-1:0] peeked_cnps,
  output logic [TIME_W-1:0] peeked_packets
);

  localparam int EPISODE_W = 10 + TIME_W;

  // Whether now has reached a time: their difference, read as signed, is not negative.
  function automatic logic reached(input logic [TIME_W-1:0] difference);
    return !difference[TIME_W-1];
  endfunction

  // The skipped count after a half: a quiet increase half leaves it alone; one that saw CNPs counts
  // up to K, then starts over.
  function automatic logic [7:0] skipped_next(input logic       phase,
                                              input logic       cnps_seen,
                                              input logic       held,
                                              input logic [7:0] skipped);
    if (phase == PhaseReduction || !cnps_seen) return skipped;
    return held ? skipped + 8'd1 : 8'd0;
  endfunction

  // --------------------------------------------------------------------------------------------
  // The effect stage.
  // --------------------------------------------------------------------------------------------

  logic              cnp_congested;
  logic [TIME_W-1:0] cnp_total;

  logic              look_congested, look_phase;
  logic [7:0]        look_skipped;
  logic [TIME_W-1:0] look_deadline, look_total, look_total_base, look_packets_base;

  logic              wait_q, wait_d;
  logic [CTX_W-1:0]  wait_ctx_q;

  logic [TIME_W-1:0] overdue, cnps;
  logic              direct_start, hold, start, half, held_back, ends;

  assign direct_start = cnp_take && !cnp_congested;
  assign hold         = wait_q || direct_start || peek_take;

  always_comb begin
    overdue   = now - look_deadline;
    half      = visit && look_congested && reached(overdue);
    cnps      = '0;
    held_back = 1'b0;
    ends      = 1'b0;
    if (half) begin
      cnps      = look_total - look_total_base;
      held_back = cnps != '0 && look_skipped != cfg_loops_per_increase;
      ends      = look_phase == PhaseIncrease && !held_back && look_ends;
    end
    // The half runs before the cycle's CNP is counted: where it ends the episode, the CNP starts
    // the next one.
    start  = direct_start || (cnp_take && ends && cnp_ctx == look_ctx);
    wait_d = start && (wait_q || ends);
  end

  // What the slot runs: a start that waited, this cycle's, or the sweep's half.
  logic       op_valid;
  logic [3:0] op_cause;

  always_comb begin
    op_valid = wait_q || direct_start || half;
    op_cause = CauseEpisode;
    if (half) begin
      if (look_phase == PhaseReduction) begin
        if (cnps == '0) op_cause = CauseReductionHeld;
        else            op_cause = CauseReduction;
      end else if (held_back) begin
        op_cause = CauseIncreaseHeld;
      end else if (ends) begin
        op_cause = CauseEnd;
      end else begin
        op_cause = CauseIncrease;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      wait_q    <= 1'b0;
      run_valid <= 1'b0;
    end else begin
      wait_q    <= wait_d;
      run_valid <= op_valid;
    end
  end

  always_ff @(posedge clk) begin
    if (wait_d) wait_ctx_q <= cnp_ctx;
    if (op_valid) begin
      run_cause   <= op_cause;
      run_cnps    <= cnps;
      run_packets <= half ? look_packets - look_packets_base : '0;
      if (wait_q)            run_ctx <= wait_ctx_q;
      else if (direct_start) run_ctx <= cnp_ctx;
      else                   run_ctx <= look_ctx;
    end
  end

  // --------------------------------------------------------------------------------------------
  // Time, and the sweep: it stands unless it visits. A peek borrows the look port; in its cycle the
  // sweep stands. Events of cycle 0 reach the effect stage EFFECT_STAGE cycles later, and from then
  // on time and the sweep run.
  // --------------------------------------------------------------------------------------------

  logic             running;
  logic [CTX_W-1:0] sweep_ctx, sweep_ctx_d;

  sweep #(
    .COUNT (QPS),
    .DELAY (EFFECT_STAGE)
  ) u_sweep (
    .clk         (clk),
    .rst_n       (rst_n),
    .hold        (hold),
    .init_active (init),
    .init_index  (init_ctx),
    .init_done   (init_done),
    .running     (running),
    .visit       (visit),
    .index       (sweep_ctx),
    .index_d     (sweep_ctx_d)
  );

  // Whom a visit goes to is look_ctx.
  logic unused_sweep_ctx;
  assign unused_sweep_ctx = ^sweep_ctx;

  assign look_ctx_d = peek_take_d ? peek_ctx : sweep_ctx_d;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      now      <= TIME_W'(TIME_INIT);
      look_ctx <= '0;
    end else begin
      if (running) now <= now + 1'b1;
      look_ctx <= look_ctx_d;
    end
  end

  // --------------------------------------------------------------------------------------------
  // What a peek sees: the state after this stage.
  // --------------------------------------------------------------------------------------------

  logic cnp_hit;

  assign cnp_hit = cnp_take && cnp_ctx == look_ctx;

  always_ff @(posedge clk) begin
    if (peek_take) begin
      peeked_congested <= look_congested || cnp_hit;
      seen_first       <= !look_congested;
      peeked_phase     <= PhaseReduction;
      peeked_skipped   <= '0;
      peeked_deadline  <= '0;
      peeked_cnps      <= '0;
      peeked_packets   <= '0;
      if (look_congested) begin
        peeked_phase    <= look_phase;
        peeked_skipped  <= look_skipped;
        peeked_deadline <= look_deadline;
        peeked_cnps     <= look_total + TIME_W'(cnp_hit) - look_total_base;
        peeked_packets  <= look_packets - look_packets_base;
      end else if (cnp_hit) begin
        peeked_phase    <= PhaseIncrease;
        peeked_deadline <= now + cfg_half;
      end
    end
  end

  // --------------------------------------------------------------------------------------------
  // Memories.
  // --------------------------------------------------------------------------------------------

  logic                 episode_we, base_we, total_we;
  logic [CTX_W-1:0]     episode_waddr, total_waddr;
  logic [EPISODE_W-1:0] episode_wdata;
  logic [2*TIME_W-1:0]  base_wdata;
  logic [TIME_W-1:0]    total_wdata;

  // What is not an event's write is the init sweep's.
  always_comb begin
    episode_we    = start || half || init;
    episode_waddr = init_ctx;
    episode_wdata = '0;
    base_we       = start || init;
    base_wdata    = '0;
    if (start) begin
      episode_waddr = cnp_ctx;
      episode_wdata = {1'b1, PhaseIncrease, 8'd0, now + cfg_half};
      base_wdata    = {cnp_total + 1'b1, cnp_packets};
    end else if (half) begin
      episode_waddr = look_ctx;
      episode_wdata = {!ends, !look_phase,
                       skipped_next(look_phase, cnps != '0, held_back, look_skipped),
                       look_deadline + cfg_half};
      base_we       = look_phase == PhaseReduction;
      base_wdata    = {look_total, look_packets};
    end
  end

  always_comb begin
    total_we    = cnp_take || init;
    total_waddr = init_ctx;
    total_wdata = '0;
    if (cnp_take) begin
      total_waddr = cnp_ctx;
      total_wdata = cnp_total + 1'b1;
    end
  end

  // {congested, phase, skipped, deadline} for the look port; congested alone for CNPs.
  ram_1w1r #(
    .WIDTH (EPISODE_W),
    .DEPTH (QPS)
  ) u_episode_look (
    .clk   (clk),
    .we    (episode_we),
    .waddr (episode_waddr),
    .wdata (episode_wdata),
    .re    (1'b1),
    .raddr (look_ctx_d),
    .rdata ({look_congested, look_phase, look_skipped, look_deadline})
  );

  ram_1w1r #(
    .WIDTH (1),
    .DEPTH (QPS)
  ) u_congested_cnp (
    .clk   (clk),
    .we    (episode_we),
    .waddr (episode_waddr),
    .wdata (episode_wdata[EPISODE_W-1]),
    .re    (cnp_read),
    .raddr (cnp_ctx_d),
    .rdata (cnp_congested)
  );

  // Both totals as they were when the interval began.
  ram_1w1r #(
    .WIDTH (2 * TIME_W),
    .DEPTH (QPS)
  ) u_base_look (
    .clk   (clk),
    .we    (base_we),
    .waddr (episode_waddr),
    .wdata (base_wdata),
    .re    (1'b1),
    .raddr (look_ctx_d),
    .rdata ({look_total_base, look_packets_base})
  );

  // Total of CNPs modulo 2^TIME_W, for CNPs and for the look port.
  ram_1w2r #(
    .WIDTH (TIME_W),
    .DEPTH (QPS)
  ) u_total (
    .clk     (clk),
    .we      (total_we),
    .waddr   (total_waddr),
    .wdata   (total_wdata),
    .a_re    (cnp_read),
    .a_raddr (cnp_ctx_d),
    .a_rdata (cnp_total),
    .b_re    (1'b1),
    .b_raddr (look_ctx_d),
    .b_rdata (look_total)
  );

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && half) begin
      assert (!wait_q && !direct_start && !peek_take)
        else $error("rl_slot: queue pair %0d runs its half in a slot that is taken", look_ctx);
      assert (look_skipped <= cfg_loops_per_increase)
        else $error("rl_slot: queue pair %0d skipped %0d halves, more than K", look_ctx,
                    look_skipped);
    end
    if (rst_n && wait_q) begin
      // What waits has its slot in the next cycle: one waiting register is enough.
      assert (op_valid && op_cause == CauseEpisode && !visit)
        else $error("rl_slot: a waiting start of queue pair %0d was not served", wait_ctx_q);
    end
  end
`endif

endmodule
