// Per-destination pacing table of an Omni-Path NIC: BECNs deepen a destination's inter-packet
// delay, time lets it decay, and of ENTRIES destinations at most the least recently used gives way.
// Ports, latencies and the order of effects within a cycle are those of the table
// hw/ports/src/pacing_table.rs; the arithmetic is that of hw/src/pacing_table/core.rs.
//
// pt_heads looks up each queue's packets and grants; pt_pace turns a grant into the entry's next
// next_send; pt_table_flop or, above SMALL_ENTRIES entries, pt_table_ram holds the entries and
// serves BECNs and the sweep; pt_peek shows an entry. All meet in one stage, the effect stage,
// EFFECT_STAGE cycles after the pins.

module pacing_table
  import pt_pkg::*;
#(
  parameter int ENTRIES = 64,
  parameter int INDEX_W = 10,
  parameter int DLID_W = 24,
  parameter int QUEUES = 8,
  parameter int QUEUE_W = 4,
  parameter int TIME_W = 32,
  parameter int TIME_INIT = -96,
  parameter int TIME_FRAC = 16,
  parameter int CCTI_W = 10
) (
  input  logic                                    clk,
  input  logic                                    rst_n,

  // Configuration, stable from before reset is released.
  input  logic [CCTI_W-1:0]                       cfg_first_ccti,
  input  logic [7:0]                              cfg_increase,
  input  logic [CCTI_W-1:0]                       cfg_limit,
  input  logic [CCTI_W-1:0]                       cfg_min,
  input  logic [CCTI_W-1:0]                       cfg_trigger_threshold,
  input  logic                                    cfg_skip,
  input  logic [TIME_W-1:0]                       cfg_period,
  input  logic                                    cfg_rearm,
  input  logic [LINE_BYTE_TIME_W-1:0]             cfg_line_byte_time,
  input  logic                                    cfg_delay_base_mtu,
  input  logic [PACKET_TIME_INT+TIME_FRAC-1:0]    cfg_mtu_time,
  input  logic [5:0]                              cfg_pacing_slack,

  // A packet with BECN came back.
  input  logic                                    becn_valid,
  input  logic [DLID_W-1:0]                       becn_dlid,
  output logic                                    becn_ready,

  // A transmit queue's next packet.
  input  logic                                    head_valid,
  input  logic [QUEUE_W-1:0]                      head_queue,
  input  logic [DLID_W-1:0]                       head_dlid,
  input  logic [BYTES_W-1:0]                      head_bytes,
  output logic [QUEUES-1:0]                       head_ready,

  // A row of the congestion control table is written.
  input  logic                                    cct_valid,
  input  logic [CCTI_W-1:0]                       cct_index,
  input  logic [SHIFT_W-1:0]                      cct_shift,
  input  logic [MULTIPLIER_W-1:0]                 cct_multiplier,

  // An entry's state is asked for.
  input  logic                                    peek_valid,
  input  logic [INDEX_W-1:0]                      peek_index,
  output logic                                    peek_ready,

  // The head of a queue goes.
  input  logic                                    grant_ready,
  output logic                                    grant_valid,
  output logic [QUEUE_W-1:0]                      grant_queue,
  output logic [DLID_W-1:0]                       grant_dlid,
  output logic [WAIT_W-1:0]                       grant_wait,

  // A BECN hit an entry or made one.
  output logic                                    upd_valid,
  output logic [INDEX_W-1:0]                      upd_index,
  output logic [DLID_W-1:0]                       upd_dlid,
  output logic [CCTI_W-1:0]                       upd_ccti,

  // An entry gave way to a new one.
  output logic                                    evict_valid,
  output logic [DLID_W-1:0]                       evict_dlid,
  output logic [CCTI_W-1:0]                       evict_ccti,

  // A BECN left ccti at the threshold or above.
  output logic                                    log_valid,
  output logic [DLID_W-1:0]                       log_dlid,
  output logic [CCTI_W-1:0]                       log_ccti,

  // A decay changed ccti.
  output logic                                    decay_valid,
  output logic [INDEX_W-1:0]                      decay_index,
  output logic [DLID_W-1:0]                       decay_dlid,
  output logic [CCTI_W-1:0]                       decay_ccti,

  // An entry decayed to 0.
  output logic                                    release_valid,
  output logic [DLID_W-1:0]                       release_dlid,

  // The answer to each peek.
  output logic                                    peeked_valid,
  output logic [INDEX_W-1:0]                      peeked_index,
  output logic                                    peeked_tracked,
  output logic [DLID_W-1:0]                       peeked_dlid,
  output logic [CCTI_W-1:0]                       peeked_ccti,
  output logic [TIME_W-1:0]                       peeked_deadline,
  output logic                                    peeked_held,
  output logic [TIME_W+TIME_FRAC-1:0]             peeked_next_send,
  output logic [2:0]                              peeked_error,

  // A refused head.
  output logic                                    err_valid,
  output logic [0:0]                              err_channel,
  output logic [2:0]                              err_code,
  output logic [DLID_W-1:0]                       err_dlid,

  // Levels.
  output logic                                    init_done,
  output logic [QUEUES-1:0]                       stalled,
  output logic [15:0]                             stat_becns,
  output logic [15:0]                             stat_evictions,
  output logic [15:0]                             stat_range,
  output logic [15:0]                             stat_zero_length
);

  localparam int ENTRY_W = (ENTRIES > 1) ? $clog2(ENTRIES) : 1;
  localparam int PACE_W = TIME_W + TIME_FRAC;
  localparam int CCT_ROWS = 1 << CCTI_W;
  localparam int INIT_COUNT = (ENTRIES > CCT_ROWS) ? ENTRIES : CCT_ROWS;
  localparam int INIT_W = $clog2(INIT_COUNT);

  // Registers, or memories and the figures that go with them.
  localparam bit LARGE = ENTRIES > SMALL_ENTRIES;
  localparam int EFFECT_STAGE = LARGE ? LARGE_EFFECT_STAGE : SMALL_EFFECT_STAGE;
  localparam int BECN_INTERVAL = LARGE ? LARGE_BECN_INTERVAL : 1;
  localparam int GRANT_INTERVAL = LARGE ? LARGE_GRANT_INTERVAL : 1;
  localparam int SWEEP_INTERVAL = LARGE ? LARGE_SWEEP_INTERVAL : 1;

  // --------------------------------------------------------------------------------------------
  // Parameters that cannot work stop elaboration.
  // --------------------------------------------------------------------------------------------

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (ENTRIES < 1 || ENTRIES > 1024 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_check_entries
    $fatal(1, "pacing_table: ENTRIES must be a power of two from 1 to 1024");
  end
  if (INDEX_W < $clog2(ENTRIES) || INDEX_W < 1 || INDEX_W > 16) begin : g_check_index_w
    $fatal(1, "pacing_table: INDEX_W must be from log2(ENTRIES), at least 1, to 16");
  end
  if (DLID_W < 8 || DLID_W > 24) begin : g_check_dlid_w
    $fatal(1, "pacing_table: DLID_W must be from 8 to 24");
  end
  if (QUEUES < 1 || QUEUES > 16) begin : g_check_queues
    $fatal(1, "pacing_table: QUEUES must be from 1 to 16");
  end
  if (QUEUE_W < $clog2(QUEUES) || QUEUE_W < 1 || QUEUE_W > 8) begin : g_check_queue_w
    $fatal(1, "pacing_table: QUEUE_W must be from log2(QUEUES), at least 1, to 8");
  end
  if (TIME_W < 10 || TIME_W > 40) begin : g_check_time_w
    $fatal(1, "pacing_table: TIME_W must be from 10 to 40");
  end
  if (TIME_FRAC < 8 || TIME_FRAC > 16) begin : g_check_time_frac
    $fatal(1, "pacing_table: TIME_FRAC must be from 8 to 16");
  end
  if (CCTI_W < 1 || CCTI_W > 10) begin : g_check_ccti_w
    $fatal(1, "pacing_table: CCTI_W must be from 1 to 10");
  end
`endif

  // --------------------------------------------------------------------------------------------
  // Configuration that meets the effect stage's long paths: registered once.
  // --------------------------------------------------------------------------------------------

  logic [CCTI_W-1:0] cfg_first_ccti_q;
  logic [7:0]        cfg_increase_q;
  logic [CCTI_W-1:0] cfg_limit_q;
  logic [CCTI_W-1:0] cfg_min_q;
  logic [CCTI_W-1:0] cfg_trigger_threshold_q;
  logic              cfg_skip_q;
  logic [TIME_W-1:0] cfg_period_q;
  logic              cfg_rearm_q;
  logic [5:0]        cfg_pacing_slack_q;

  always_ff @(posedge clk) begin
    cfg_first_ccti_q        <= cfg_first_ccti;
    cfg_increase_q          <= cfg_increase;
    cfg_limit_q             <= cfg_limit;
    cfg_min_q               <= cfg_min;
    cfg_trigger_threshold_q <= cfg_trigger_threshold;
    cfg_skip_q              <= cfg_skip;
    cfg_period_q            <= cfg_period;
    cfg_rearm_q             <= cfg_rearm;
    cfg_pacing_slack_q      <= cfg_pacing_slack;
  end

  // --------------------------------------------------------------------------------------------
  // Init sweep: a row of the CCT (and an entry) a cycle, then init_done. From the effect stage of
  // cycle 0 on, time and the sweep over the entries run.
  // --------------------------------------------------------------------------------------------

  logic               init_active, running, visit, visit_hold;
  logic [INIT_W-1:0]  init_index;
  logic [ENTRY_W-1:0] visit_entry, visit_entry_d;
  logic [TIME_W-1:0]  now;

  sweep #(
    .COUNT      (ENTRIES),
    .INIT_COUNT (INIT_COUNT),
    .DELAY      (EFFECT_STAGE)
  ) u_sweep (
    .clk         (clk),
    .rst_n       (rst_n),
    .hold        (visit_hold),
    .init_active (init_active),
    .init_index  (init_index),
    .init_done   (init_done),
    .running     (running),
    .visit       (visit),
    .index       (visit_entry),
    .index_d     (visit_entry_d)
  );

  // A visit every SWEEP_INTERVAL cycles, the first in the effect stage of cycle 0.
  if (SWEEP_INTERVAL > 1) begin : g_visit
    localparam int COUNT_W = $clog2(SWEEP_INTERVAL);
    logic [COUNT_W-1:0] count_q;

    always_ff @(posedge clk) begin
      if (!running || count_q == COUNT_W'(SWEEP_INTERVAL - 1)) count_q <= '0;
      else                                                     count_q <= count_q + 1'b1;
    end

    assign visit_hold = count_q != '0;
  end else begin : g_visit_always
    assign visit_hold = 1'b0;
  end

  always_ff @(posedge clk) begin
    if (!rst_n)       now <= TIME_W'(TIME_INIT);
    else if (running) now <= now + 1'b1;
  end

  // --------------------------------------------------------------------------------------------
  // The parts, and what they tell each other in the effect stage.
  // --------------------------------------------------------------------------------------------

  logic               becn;

  logic               look, look_tracked, look_held, look_in_flight;
  logic [DLID_W-1:0]  look_dlid;
  logic [ENTRY_W-1:0] look_entry;
  logic [PACE_W-1:0]  look_next_send;

  logic               made, released, expired;
  logic [ENTRY_W-1:0] made_entry, released_entry, expired_entry;
  logic [DLID_W-1:0]  made_dlid;

  logic               paced, paced_held, used;
  logic [ENTRY_W-1:0] paced_entry;
  logic [BYTES_W-1:0] paced_bytes;
  logic [PACE_W-1:0]  paced_next_send;
  logic [CCTI_W-1:0]  paced_ccti_1;

  logic               landed, shown;
  logic [ENTRY_W-1:0] landed_entry;
  logic [PACE_W-1:0]  landed_next_send;

  logic               read, seen_valid, seen_held;
  logic [ENTRY_W-1:0] read_entry;
  logic [DLID_W-1:0]  seen_dlid;
  logic [CCTI_W-1:0]  seen_ccti;
  logic [TIME_W-1:0]  seen_deadline;
  logic [PACE_W-1:0]  seen_next_send;

  logic [ENTRY_W-1:0] upd_entry, decay_entry;
  logic               decay_released;

  logic               becn_done_d, evict_valid_d, err_range_d, err_zero_length_d, peeked_range_d;

  assign becn = becn_valid && becn_ready;

  ready_interval #(
    .INTERVAL (BECN_INTERVAL)
  ) u_becn_ready (
    .clk       (clk),
    .rst_n     (rst_n),
    .init_done (init_done),
    .valid     (becn_valid),
    .ready     (becn_ready)
  );

  pt_heads #(
    .EFFECT_STAGE   (EFFECT_STAGE),
    .GRANT_INTERVAL (GRANT_INTERVAL),
    .ENTRY_W        (ENTRY_W),
    .DLID_W         (DLID_W),
    .QUEUES         (QUEUES),
    .QUEUE_W        (QUEUE_W),
    .TIME_W         (TIME_W),
    .TIME_FRAC      (TIME_FRAC)
  ) u_heads (
    .clk               (clk),
    .rst_n             (rst_n),
    .init_done         (init_done),
    .now               (now),
    .head_valid        (head_valid),
    .head_queue        (head_queue),
    .head_dlid         (head_dlid),
    .head_bytes        (head_bytes),
    .head_ready        (head_ready),
    .grant_ready       (grant_ready),
    .grant_valid       (grant_valid),
    .grant_queue       (grant_queue),
    .grant_dlid        (grant_dlid),
    .grant_wait        (grant_wait),
    .stalled           (stalled),
    .err_valid         (err_valid),
    .err_channel       (err_channel),
    .err_code          (err_code),
    .err_dlid          (err_dlid),
    .err_range_d       (err_range_d),
    .err_zero_length_d (err_zero_length_d),
    .look              (look),
    .look_dlid         (look_dlid),
    .look_tracked      (look_tracked),
    .look_entry        (look_entry),
    .look_held         (look_held),
    .look_next_send    (look_next_send),
    .look_in_flight    (look_in_flight),
    .made              (made),
    .made_entry        (made_entry),
    .made_dlid         (made_dlid),
    .released          (released),
    .released_entry    (released_entry),
    .expired           (expired),
    .expired_entry     (expired_entry),
    .landed            (landed),
    .landed_entry      (landed_entry),
    .landed_next_send  (landed_next_send),
    .paced             (paced),
    .paced_entry       (paced_entry),
    .paced_bytes       (paced_bytes),
    .paced_held        (paced_held),
    .paced_next_send   (paced_next_send)
  );

  pt_pace #(
    .EFFECT_STAGE (EFFECT_STAGE),
    .ENTRY_W      (ENTRY_W),
    .TIME_W       (TIME_W),
    .TIME_FRAC    (TIME_FRAC),
    .CCTI_W       (CCTI_W)
  ) u_pace (
    .clk                (clk),
    .rst_n              (rst_n),
    .cfg_line_byte_time (cfg_line_byte_time),
    .cfg_delay_base_mtu (cfg_delay_base_mtu),
    .cfg_mtu_time       (cfg_mtu_time),
    .cfg_pacing_slack   (cfg_pacing_slack_q),
    .init               (init_active),
    .init_row           (init_index[CCTI_W-1:0]),
    .cct_valid          (cct_valid),
    .cct_index          (cct_index),
    .cct_shift          (cct_shift),
    .cct_multiplier     (cct_multiplier),
    .now                (now),
    .paced              (paced),
    .paced_entry        (paced_entry),
    .paced_bytes        (paced_bytes),
    .paced_held         (paced_held),
    .paced_next_send    (paced_next_send),
    .paced_ccti_1       (paced_ccti_1),
    .made               (made),
    .made_entry         (made_entry),
    .released           (released),
    .released_entry     (released_entry),
    .used               (used),
    .look_entry         (look_entry),
    .look_in_flight     (look_in_flight),
    .landed             (landed),
    .landed_entry       (landed_entry),
    .landed_next_send   (landed_next_send),
    .peek               (read),
    .peek_entry         (read_entry),
    .shown              (shown)
  );

  pt_peek #(
    .EFFECT_STAGE (EFFECT_STAGE),
    .ENTRIES      (ENTRIES),
    .INDEX_W      (INDEX_W),
    .ENTRY_W      (ENTRY_W),
    .DLID_W       (DLID_W),
    .TIME_W       (TIME_W),
    .TIME_FRAC    (TIME_FRAC),
    .CCTI_W       (CCTI_W)
  ) u_peek (
    .clk              (clk),
    .rst_n            (rst_n),
    .init_done        (init_done),
    .peek_valid       (peek_valid),
    .peek_index       (peek_index),
    .peek_ready       (peek_ready),
    .read             (read),
    .read_entry       (read_entry),
    .seen_valid       (seen_valid),
    .seen_dlid        (seen_dlid),
    .seen_ccti        (seen_ccti),
    .seen_deadline    (seen_deadline),
    .seen_held        (seen_held),
    .seen_next_send   (seen_next_send),
    .shown            (shown),
    .landed_next_send (landed_next_send),
    .peeked_valid     (peeked_valid),
    .peeked_index     (peeked_index),
    .peeked_tracked   (peeked_tracked),
    .peeked_dlid      (peeked_dlid),
    .peeked_ccti      (peeked_ccti),
    .peeked_deadline  (peeked_deadline),
    .peeked_held      (peeked_held),
    .peeked_next_send (peeked_next_send),
    .peeked_error     (peeked_error),
    .peeked_range_d   (peeked_range_d)
  );

  // --------------------------------------------------------------------------------------------
  // The entries.
  // --------------------------------------------------------------------------------------------

  if (LARGE) begin : g_ram
    pt_table_ram #(
      .ENTRIES   (ENTRIES),
      .DLID_W    (DLID_W),
      .TIME_W    (TIME_W),
      .TIME_FRAC (TIME_FRAC),
      .CCTI_W    (CCTI_W)
    ) u_table (
      .clk                   (clk),
      .rst_n                 (rst_n),
      .cfg_first_ccti        (cfg_first_ccti_q),
      .cfg_increase          (cfg_increase_q),
      .cfg_limit             (cfg_limit_q),
      .cfg_min               (cfg_min_q),
      .cfg_trigger_threshold (cfg_trigger_threshold_q),
      .cfg_skip              (cfg_skip_q),
      .cfg_period            (cfg_period_q),
      .cfg_rearm             (cfg_rearm_q),
      .cfg_pacing_slack      (cfg_pacing_slack_q),
      .init                  (init_active),
      .init_entry            (init_index[ENTRY_W-1:0]),
      .now                   (now),
      .visit                 (visit),
      .visit_entry           (visit_entry),
      .visit_entry_d         (visit_entry_d),
      .becn                  (becn),
      .becn_dlid             (becn_dlid),
      .look                  (look),
      .look_dlid             (look_dlid),
      .look_tracked          (look_tracked),
      .look_entry            (look_entry),
      .look_held             (look_held),
      .look_next_send        (look_next_send),
      .paced                 (paced),
      .paced_entry           (paced_entry),
      .paced_ccti_1          (paced_ccti_1),
      .used                  (used),
      .landed                (landed),
      .landed_entry          (landed_entry),
      .landed_next_send      (landed_next_send),
      .made                  (made),
      .made_entry            (made_entry),
      .made_dlid             (made_dlid),
      .released              (released),
      .released_entry        (released_entry),
      .expired               (expired),
      .expired_entry         (expired_entry),
      .upd_valid             (upd_valid),
      .upd_entry             (upd_entry),
      .upd_dlid              (upd_dlid),
      .upd_ccti              (upd_ccti),
      .log_valid             (log_valid),
      .evict_valid           (evict_valid),
      .evict_dlid            (evict_dlid),
      .evict_ccti            (evict_ccti),
      .decay_valid           (decay_valid),
      .decay_released        (decay_released),
      .decay_entry           (decay_entry),
      .decay_dlid            (decay_dlid),
      .decay_ccti            (decay_ccti),
      .becn_done_d           (becn_done_d),
      .evict_valid_d         (evict_valid_d),
      .read                  (read),
      .read_entry            (read_entry),
      .seen_valid            (seen_valid),
      .seen_dlid             (seen_dlid),
      .seen_ccti             (seen_ccti),
      .seen_deadline         (seen_deadline),
      .seen_held             (seen_held),
      .seen_next_send        (seen_next_send)
    );
  end else begin : g_flop
    logic unused_visit_entry_d;

    // Registers are read in the stage itself.
    assign unused_visit_entry_d = ^visit_entry_d;

    pt_table_flop #(
      .ENTRIES   (ENTRIES),
      .DLID_W    (DLID_W),
      .TIME_W    (TIME_W),
      .TIME_FRAC (TIME_FRAC),
      .CCTI_W    (CCTI_W)
    ) u_table (
      .clk                   (clk),
      .rst_n                 (rst_n),
      .cfg_first_ccti        (cfg_first_ccti_q),
      .cfg_increase          (cfg_increase_q),
      .cfg_limit             (cfg_limit_q),
      .cfg_min               (cfg_min_q),
      .cfg_trigger_threshold (cfg_trigger_threshold_q),
      .cfg_skip              (cfg_skip_q),
      .cfg_period            (cfg_period_q),
      .cfg_rearm             (cfg_rearm_q),
      .cfg_pacing_slack      (cfg_pacing_slack_q),
      .now                   (now),
      .visit                 (visit),
      .visit_entry           (visit_entry),
      .becn                  (becn),
      .becn_dlid             (becn_dlid),
      .look                  (look),
      .look_dlid             (look_dlid),
      .look_tracked          (look_tracked),
      .look_entry            (look_entry),
      .look_held             (look_held),
      .look_next_send        (look_next_send),
      .paced                 (paced),
      .paced_entry           (paced_entry),
      .paced_ccti_1          (paced_ccti_1),
      .used                  (used),
      .landed                (landed),
      .landed_entry          (landed_entry),
      .landed_next_send      (landed_next_send),
      .made                  (made),
      .made_entry            (made_entry),
      .made_dlid             (made_dlid),
      .released              (released),
      .released_entry        (released_entry),
      .expired               (expired),
      .expired_entry         (expired_entry),
      .upd_valid             (upd_valid),
      .upd_entry             (upd_entry),
      .upd_dlid              (upd_dlid),
      .upd_ccti              (upd_ccti),
      .log_valid             (log_valid),
      .evict_valid           (evict_valid),
      .evict_dlid            (evict_dlid),
      .evict_ccti            (evict_ccti),
      .decay_valid           (decay_valid),
      .decay_released        (decay_released),
      .decay_entry           (decay_entry),
      .decay_dlid            (decay_dlid),
      .decay_ccti            (decay_ccti),
      .becn_done_d           (becn_done_d),
      .evict_valid_d         (evict_valid_d),
      .read                  (read),
      .read_entry            (read_entry),
      .seen_valid            (seen_valid),
      .seen_dlid             (seen_dlid),
      .seen_ccti             (seen_ccti),
      .seen_deadline         (seen_deadline),
      .seen_held             (seen_held),
      .seen_next_send        (seen_next_send)
    );
  end

  assign upd_index     = INDEX_W'(upd_entry);
  assign decay_index   = INDEX_W'(decay_entry);
  assign release_valid = decay_released;
  assign release_dlid  = decay_dlid;

  assign log_dlid  = upd_dlid;
  assign log_ccti  = upd_ccti;

  // --------------------------------------------------------------------------------------------
  // Counters; they saturate and show the beat of their cycle.
  // --------------------------------------------------------------------------------------------

  // n more, at most 0xffff.
  function automatic logic [15:0] count(input logic [15:0] stat, input logic [1:0] n);
    logic [16:0] sum;
    sum = {1'b0, stat} + 17'(n);
    return sum[16] ? 16'hffff : sum[15:0];
  endfunction

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      stat_becns       <= '0;
      stat_evictions   <= '0;
      stat_range       <= '0;
      stat_zero_length <= '0;
    end else begin
      if (becn_done_d)       stat_becns       <= count(stat_becns, 2'd1);
      if (evict_valid_d)     stat_evictions   <= count(stat_evictions, 2'd1);
      if (err_zero_length_d) stat_zero_length <= count(stat_zero_length, 2'd1);
      if (err_range_d || peeked_range_d) begin
        stat_range <= count(stat_range, 2'(err_range_d) + 2'(peeked_range_d));
      end
    end
  end

endmodule
