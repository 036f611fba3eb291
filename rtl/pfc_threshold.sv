// Dynamic PFC threshold for QUEUES ingress queues (port x priority) of a switch: bytes in the
// shared pool and in headroom, pauses and resumes of each queue's neighbour. Ports, latencies and
// the order of effects within a cycle are those of the table hw/ports/src/pfc_threshold.rs; the
// arithmetic is that of hw/src/pfc_threshold/core.rs.
//
// Everything takes effect in stage 2: the packet that leaves, the one that comes, then the sweep's
// visit or a peek, each on what the one before it left. pfc_amounts holds bytes and thresholds,
// pfc_pause who is paused, pfc_announce the pauses on their way to the port, pfc_count counts.
// Nothing ever waits but the sweep.

module pfc_threshold
  import congruent_pkg::*;
  import pfc_pkg::*;
#(
  parameter int QUEUES = 256,
  parameter int QUEUE_W = 12,
  parameter int BYTES_W = 14,
  parameter int TIME_W = 32,
  parameter int TIME_INIT = -96,
  parameter int COUNT_W = 32
) (
  input  logic                  clk,
  input  logic                  rst_n,

  // Configuration, stable from before reset is released.
  input  logic                  cfg_mode,
  input  logic [POOL_W-1:0]     cfg_pool_bytes,
  input  logic [HEADROOM_W-1:0] cfg_headroom_bytes,
  input  logic [BETA_W-1:0]     cfg_beta,
  input  logic [POOL_W-1:0]     cfg_resume_offset,
  input  logic [POOL_W-1:0]     cfg_xoff,
  input  logic [POOL_W-1:0]     cfg_xon,
  input  logic [TIME_W-1:0]     cfg_half,

  // A packet has come for an ingress queue.
  input  logic                  enq_valid,
  input  logic [QUEUE_W-1:0]    enq_queue,
  input  logic [BYTES_W-1:0]    enq_bytes,

  // A packet of an ingress queue has left the switch.
  input  logic                  deq_valid,
  input  logic [QUEUE_W-1:0]    deq_queue,
  input  logic [BYTES_W-1:0]    deq_bytes,

  // A queue's state is asked for.
  input  logic                  peek_valid,
  input  logic [QUEUE_W-1:0]    peek_queue,
  output logic                  peek_ready,

  // The answer to each packet that comes.
  output logic                  admit_valid,
  output logic [QUEUE_W-1:0]    admit_queue,
  output logic [1:0]            admit_verdict,
  output logic [2:0]            admit_error,

  // The answer to each packet that leaves.
  output logic                  gone_valid,
  output logic [QUEUE_W-1:0]    gone_queue,
  output logic [2:0]            gone_error,

  // A pause, a resume or a refresh to be sent to a queue's neighbour.
  output logic                  pause_valid,
  output logic [QUEUE_W-1:0]    pause_queue,
  output logic                  pause_xoff,
  output logic                  pause_refresh,

  // The answer to each peek.
  output logic                  peeked_valid,
  output logic [QUEUE_W-1:0]    peeked_queue,
  output logic [POOL_W-1:0]     peeked_q,
  output logic [HEADROOM_W-1:0] peeked_h,
  output logic                  peeked_paused,
  output logic                  peeked_owed,
  output logic [TIME_W-1:0]     peeked_deadline,
  output logic [COUNT_W-1:0]    peeked_drops,
  output logic [COUNT_W-1:0]    peeked_pauses,
  output logic [2:0]            peeked_error,

  // Levels.
  output logic                  init_done,
  output logic [POOL_W-1:0]     pool,
  output logic [15:0]           stat_range,
  output logic [15:0]           stat_underflow,
  output logic [15:0]           stat_drops,
  output logic [15:0]           stat_owed
);

  localparam int CTX_W = (QUEUES > 1) ? $clog2(QUEUES) : 1;

  // Cycles from the pins to the stage in which events take effect.
  localparam int EFFECT_STAGE = 2;

  // --------------------------------------------------------------------------------------------
  // Parameters that cannot work stop elaboration.
  // --------------------------------------------------------------------------------------------

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (QUEUES < 1 || QUEUES > 4096 || (QUEUES & (QUEUES - 1)) != 0) begin : g_check_queues
    $fatal(1, "pfc_threshold: QUEUES must be a power of two from 1 to 4096");
  end
  if (QUEUE_W < CTX_W || QUEUE_W > 16) begin : g_check_queue_w
    $fatal(1, "pfc_threshold: QUEUE_W must be from log2(QUEUES), and 1, to 16");
  end
  if (BYTES_W < 8 || BYTES_W > 16) begin : g_check_bytes_w
    $fatal(1, "pfc_threshold: BYTES_W must be from 8 to 16");
  end
  if (TIME_W < 8 || TIME_W > 32) begin : g_check_time_w
    $fatal(1, "pfc_threshold: TIME_W must be from 8 to 32");
  end
  if (COUNT_W < 4 || COUNT_W > 32) begin : g_check_count_w
    $fatal(1, "pfc_threshold: COUNT_W must be from 4 to 32");
  end
`endif

  // Whether a queue is in the table.
  function automatic logic in_table(input logic [QUEUE_W-1:0] queue);
    return 32'(queue) < 32'(QUEUES);
  endfunction

  // --------------------------------------------------------------------------------------------
  // Sweep and time. `now_q` is the time of the events in stage 2.
  // --------------------------------------------------------------------------------------------

  logic              init, running, visit, busy, peek_valid_2_q;
  logic [CTX_W-1:0]  init_ctx, sweep_ctx, sweep_ctx_d;
  logic [TIME_W-1:0] now_q;

  sweep #(
    .COUNT (QUEUES),
    .DELAY (EFFECT_STAGE)
  ) u_sweep (
    .clk         (clk),
    .rst_n       (rst_n),
    .hold        (busy || peek_valid_2_q),
    .init_active (init),
    .init_index  (init_ctx),
    .init_done   (init_done),
    .running     (running),
    .visit       (visit),
    .index       (sweep_ctx),
    .index_d     (sweep_ctx_d)
  );

  always_ff @(posedge clk) begin
    if (!rst_n)       now_q <= TIME_W'(TIME_INIT);
    else if (running) now_q <= now_q + 1'b1;
  end

  // --------------------------------------------------------------------------------------------
  // The packet that comes: 1 reads, 2 takes effect, then the answer.
  // --------------------------------------------------------------------------------------------

  logic               enq_valid_1_q, enq_valid_2_q, enq_range_2_q, enq_take;
  logic [QUEUE_W-1:0] enq_queue_1_q, enq_queue_2_q;
  logic [BYTES_W-1:0] enq_bytes_1_q;
  logic [1:0]         verdict;
  logic               dropped;

  assign enq_take = enq_valid_2_q && !enq_range_2_q;
  assign dropped  = enq_take && verdict == VerdictDropped;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      enq_valid_1_q <= 1'b0;
      enq_valid_2_q <= 1'b0;
      admit_valid   <= 1'b0;
    end else begin
      enq_valid_1_q <= enq_valid;
      enq_valid_2_q <= enq_valid_1_q;
      admit_valid   <= enq_valid_2_q;
    end
  end

  always_ff @(posedge clk) begin
    if (enq_valid) begin
      enq_queue_1_q <= enq_queue;
      enq_bytes_1_q <= enq_bytes;
    end
    if (enq_valid_1_q) begin
      enq_queue_2_q <= enq_queue_1_q;
      enq_range_2_q <= !in_table(enq_queue_1_q);
    end
    if (enq_valid_2_q) begin
      admit_queue   <= enq_queue_2_q;
      admit_verdict <= verdict;
      admit_error   <= enq_range_2_q ? ErrorRange : ErrorNone;
    end
  end

  // --------------------------------------------------------------------------------------------
  // The packet that leaves, likewise.
  // --------------------------------------------------------------------------------------------

  logic               deq_valid_1_q, deq_valid_2_q, deq_range_2_q, deq_take, underflow;
  logic [QUEUE_W-1:0] deq_queue_1_q, deq_queue_2_q;
  logic [BYTES_W-1:0] deq_bytes_1_q;

  assign deq_take = deq_valid_2_q && !deq_range_2_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      deq_valid_1_q <= 1'b0;
      deq_valid_2_q <= 1'b0;
      gone_valid    <= 1'b0;
    end else begin
      deq_valid_1_q <= deq_valid;
      deq_valid_2_q <= deq_valid_1_q;
      gone_valid    <= deq_valid_2_q;
    end
  end

  always_ff @(posedge clk) begin
    if (deq_valid) begin
      deq_queue_1_q <= deq_queue;
      deq_bytes_1_q <= deq_bytes;
    end
    if (deq_valid_1_q) begin
      deq_queue_2_q <= deq_queue_1_q;
      deq_range_2_q <= !in_table(deq_queue_1_q);
    end
    if (deq_valid_2_q) begin
      gone_queue <= deq_queue_2_q;
      gone_error <= ErrorNone;
      if (deq_range_2_q)  gone_error <= ErrorRange;
      else if (underflow) gone_error <= ErrorUnderflow;
    end
  end

  // --------------------------------------------------------------------------------------------
  // peek: one at a time, in the sweep's slot: it looks at its queue after the other events of its
  // cycle. Counters it reads a stage later, after that cycle's write; then the answer.
  // --------------------------------------------------------------------------------------------

  logic                  peek_accepted, peek_valid_1_q, peek_valid_3_q;
  logic [CTX_W-1:0]      peek_ctx, look_ctx, look_ctx_d;
  logic [POOL_W-1:0]     look_q;
  logic [HEADROOM_W-1:0] look_h;
  logic                  look_paused, look_owed;
  logic [TIME_W-1:0]     look_deadline;
  logic [COUNT_W-1:0]    peek_drops, peek_pauses;

  ready_interval #(
    .INTERVAL (PEEK_INTERVAL)
  ) u_peek_ready (
    .clk       (clk),
    .rst_n     (rst_n),
    .init_done (init_done),
    .valid     (peek_valid),
    .ready     (peek_ready)
  );

  assign peek_accepted = peek_valid && peek_ready;
  assign peek_ctx      = peeked_queue[CTX_W-1:0];
  assign look_ctx_d    = peek_valid_1_q ? peek_ctx : sweep_ctx_d;
  assign look_ctx      = peek_valid_2_q ? peek_ctx : sweep_ctx;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      peek_valid_1_q <= 1'b0;
      peek_valid_2_q <= 1'b0;
      peek_valid_3_q <= 1'b0;
      peeked_valid   <= 1'b0;
    end else begin
      peek_valid_1_q <= peek_accepted;
      peek_valid_2_q <= peek_valid_1_q;
      peek_valid_3_q <= peek_valid_2_q;
      peeked_valid   <= peek_valid_3_q;
    end
  end

  always_ff @(posedge clk) begin
    if (peek_accepted) peeked_queue <= peek_queue;
    if (peek_valid_2_q) begin
      peeked_q        <= look_q;
      peeked_h        <= look_h;
      peeked_paused   <= look_paused;
      peeked_owed     <= look_owed;
      peeked_deadline <= look_deadline;
    end
    if (peek_valid_3_q) begin
      peeked_drops  <= peek_drops;
      peeked_pauses <= peek_pauses;
      peeked_error  <= in_table(peeked_queue) ? ErrorNone : ErrorRange;
    end
  end

  // --------------------------------------------------------------------------------------------
  // The parts.
  // --------------------------------------------------------------------------------------------

  logic deq_may_resume, deq_resume, enq_paused, enq_above, enq_lost;
  logic look_may_resume, sweep_push, sweep_xoff, sweep_refresh;

  pfc_amounts #(
    .QUEUES  (QUEUES),
    .BYTES_W (BYTES_W)
  ) u_amounts (
    .clk                (clk),
    .rst_n              (rst_n),
    .cfg_mode           (cfg_mode),
    .cfg_pool_bytes     (cfg_pool_bytes),
    .cfg_headroom_bytes (cfg_headroom_bytes),
    .cfg_beta           (cfg_beta),
    .cfg_resume_offset  (cfg_resume_offset),
    .cfg_xoff           (cfg_xoff),
    .cfg_xon            (cfg_xon),
    .init               (init),
    .init_ctx           (init_ctx),
    .deq_read           (deq_valid_1_q),
    .deq_ctx_d          (deq_queue_1_q[CTX_W-1:0]),
    .deq_bytes_d        (deq_bytes_1_q),
    .enq_read           (enq_valid_1_q),
    .enq_ctx_d          (enq_queue_1_q[CTX_W-1:0]),
    .enq_bytes_d        (enq_bytes_1_q),
    .look_ctx_d         (look_ctx_d),
    .deq_take           (deq_take),
    .deq_ctx            (deq_queue_2_q[CTX_W-1:0]),
    .deq_underflow      (underflow),
    .deq_may_resume     (deq_may_resume),
    .enq_take           (enq_take),
    .enq_ctx            (enq_queue_2_q[CTX_W-1:0]),
    .enq_paused         (enq_paused),
    .enq_verdict        (verdict),
    .enq_above          (enq_above),
    .look_ctx           (look_ctx),
    .look_q             (look_q),
    .look_h             (look_h),
    .look_may_resume    (look_may_resume),
    .pool               (pool)
  );

  pfc_pause #(
    .QUEUES (QUEUES),
    .TIME_W (TIME_W)
  ) u_pause (
    .clk             (clk),
    .rst_n           (rst_n),
    .cfg_half        (cfg_half),
    .now             (now_q),
    .init            (init),
    .init_ctx        (init_ctx),
    .deq_read        (deq_valid_1_q),
    .deq_ctx_d       (deq_queue_1_q[CTX_W-1:0]),
    .enq_read        (enq_valid_1_q),
    .enq_ctx_d       (enq_queue_1_q[CTX_W-1:0]),
    .look_ctx_d      (look_ctx_d),
    .deq_take        (deq_take),
    .deq_ctx         (deq_queue_2_q[CTX_W-1:0]),
    .deq_may_resume  (deq_may_resume),
    .deq_resume      (deq_resume),
    .enq_ctx         (enq_queue_2_q[CTX_W-1:0]),
    .enq_paused      (enq_paused),
    .enq_above       (enq_above),
    .enq_lost        (enq_lost),
    .look_ctx        (look_ctx),
    .look_paused     (look_paused),
    .look_owed       (look_owed),
    .look_deadline   (look_deadline),
    .visit           (visit),
    .look_may_resume (look_may_resume),
    .sweep_push      (sweep_push),
    .sweep_xoff      (sweep_xoff),
    .sweep_refresh   (sweep_refresh)
  );

  pfc_announce #(
    .QUEUE_W (QUEUE_W)
  ) u_announce (
    .clk           (clk),
    .rst_n         (rst_n),
    .deq_resume    (deq_resume),
    .deq_queue     (deq_queue_2_q),
    .enq_xoff      (enq_above),
    .enq_queue     (enq_queue_2_q),
    .enq_lost      (enq_lost),
    .sweep_push    (sweep_push),
    .sweep_queue   (QUEUE_W'(sweep_ctx)),
    .sweep_xoff    (sweep_xoff),
    .sweep_refresh (sweep_refresh),
    .busy          (busy),
    .pause_valid   (pause_valid),
    .pause_queue   (pause_queue),
    .pause_xoff    (pause_xoff),
    .pause_refresh (pause_refresh)
  );

  pfc_count #(
    .QUEUES  (QUEUES),
    .COUNT_W (COUNT_W)
  ) u_count (
    .clk         (clk),
    .init        (init),
    .init_ctx    (init_ctx),
    .enq_read    (enq_valid_1_q),
    .enq_ctx_d   (enq_queue_1_q[CTX_W-1:0]),
    .enq_ctx     (enq_queue_2_q[CTX_W-1:0]),
    .dropped     (dropped),
    .paused      (enq_above),
    .peek_read   (peek_valid_2_q),
    .peek_ctx    (peek_ctx),
    .peek_drops  (peek_drops),
    .peek_pauses (peek_pauses)
  );

  // --------------------------------------------------------------------------------------------
  // Counters of the whole block; they saturate and show the answers of their cycle.
  // --------------------------------------------------------------------------------------------

  // n more, at most 0xffff.
  function automatic logic [15:0] count(input logic [15:0] stat, input logic [1:0] n);
    logic [16:0] sum;
    sum = {1'b0, stat} + 17'(n);
    return sum[16] ? 16'hffff : sum[15:0];
  endfunction

  logic admit_range_d, gone_range_d, peeked_range_d;

  assign admit_range_d  = enq_valid_2_q && enq_range_2_q;
  assign gone_range_d   = deq_valid_2_q && deq_range_2_q;
  assign peeked_range_d = peek_valid_3_q && !in_table(peeked_queue);

  // As many answers can be refused in one cycle as there are channels that answer.
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      stat_range     <= '0;
      stat_underflow <= '0;
      stat_drops     <= '0;
      stat_owed      <= '0;
    end else begin
      if (admit_range_d || gone_range_d || peeked_range_d) begin
        stat_range <= count(stat_range, 2'(admit_range_d) + 2'(gone_range_d) + 2'(peeked_range_d));
      end
      if (deq_take && underflow) stat_underflow <= count(stat_underflow, 2'd1);
      if (dropped)               stat_drops     <= count(stat_drops, 2'd1);
      if (enq_lost)              stat_owed      <= count(stat_owed, 2'd1);
    end
  end

`ifdef CONGRUENT_ASSERT
  // Cycles from the pins of a packet to the pins of its answer: admit_latency and gone_latency of
  // the table.
  localparam int ANSWER_LATENCY = 3;

  logic [ANSWER_LATENCY:1] came_q, left_q;
  logic                    legal_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      came_q  <= '0;
      left_q  <= '0;
      legal_q <= 1'b0;
    end else begin
      came_q  <= {came_q[ANSWER_LATENCY-1:1], enq_valid};
      left_q  <= {left_q[ANSWER_LATENCY-1:1], deq_valid};
      legal_q <= init_done;
    end
  end

  always @(posedge clk) begin
    if (rst_n) begin
      assert (admit_valid == came_q[ANSWER_LATENCY])
        else $error("pfc_threshold: a packet without its admit answer, or one without its packet");
      assert (gone_valid == left_q[ANSWER_LATENCY])
        else $error("pfc_threshold: a packet without its gone answer, or one without its packet");
    end
    if (rst_n && (enq_valid || deq_valid || peek_valid)) begin
      assert (legal_q)
        else $error("pfc_threshold: an event before the cycle after init_done");
    end
    if (rst_n && admit_valid && admit_error == ErrorNone) begin
      assert (admit_verdict <= VerdictDropped)
        else $error("pfc_threshold: queue %0d gets verdict %0d", admit_queue, admit_verdict);
    end
  end
`endif

endmodule
