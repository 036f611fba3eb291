// A switch's ECN and FECN marker for QUEUES queues: RED on a moving average of the occupancy with
// CE marks, or FECN on the occupancy itself. Ports, latencies and the order of effects within a
// cycle are those of the table hw/ports/src/ecn_marker.rs; the arithmetic is that of
// hw/src/ecn_marker/core.rs.
//
// em_occupancy keeps the bytes of each queue (stage 2), em_average their average (3), em_fecn
// congestion (3); em_red decides by the average (3 to 6), em_count counts (6). Each piece of state
// is read and written in one stage, deq before enq, and a peek reads it one stage later. So every
// event sees what those of the cycles before it left, and no event waits for another.

module ecn_marker
  import congruent_pkg::*;
  import em_pkg::*;
#(
  parameter int QUEUES = 64,
  parameter int QUEUE_W = 10,
  parameter int OCC_W = 28,
  parameter int AVG_FRAC = 24,
  parameter int WEIGHT_FRAC = 17,
  parameter int COUNT_W = 32
) (
  input  logic                              clk,
  input  logic                              rst_n,

  // Configuration, stable from before reset is released.
  input  logic                              cfg_enable_ecn,
  input  logic                              cfg_policy,
  input  logic [WEIGHT_FRAC:0]              cfg_weight,
  input  logic [SHIFT_W-1:0]                cfg_weight_shift,
  input  logic [OCC_W:0]                    cfg_lower,
  input  logic [OCC_W:0]                    cfg_upper,
  input  logic [SHIFT_W-1:0]                cfg_band_shift,
  input  logic [SLOPE_FRAC+1:0]             cfg_slope,
  input  logic                              cfg_random_mode,
  input  logic [31:0]                       cfg_lfsr_seed,
  input  logic [OCC_W:0]                    cfg_congested_from,
  input  logic [OCC_W:0]                    cfg_congested_below,
  input  logic [BYTES_W-1:0]                cfg_packet_size,
  input  logic [SKIP_W-1:0]                 cfg_marking_rate,
  input  logic                              cfg_victim_marking,

  // A packet is admitted to a queue.
  input  logic                              enq_valid,
  input  logic [QUEUE_W-1:0]                enq_queue,
  input  logic [BYTES_W-1:0]                enq_bytes,

  // A packet of a queue starts transmitting.
  input  logic                              deq_valid,
  input  logic [QUEUE_W-1:0]                deq_queue,
  input  logic [BYTES_W-1:0]                deq_bytes,
  input  logic [1:0]                        deq_ecn,
  input  logic                              deq_has_credits,

  // A queue's state is asked for.
  input  logic                              peek_valid,
  input  logic [QUEUE_W-1:0]                peek_queue,
  output logic                              peek_ready,

  // The answer to each packet that starts transmitting.
  output logic                              mark_valid,
  output logic [QUEUE_W-1:0]                mark_queue,
  output logic [1:0]                        mark_ecn,
  output logic                              mark_marked,
  output logic [2:0]                        mark_error,

  // The answer to each packet that is admitted.
  output logic                              avg_valid,
  output logic [QUEUE_W-1:0]                avg_queue,
  output logic [OCC_W-1:0]                  avg_occupancy,
  output logic [OCC_W+AVERAGE_PORT_FRAC-1:0] avg_average,
  output logic [2:0]                        avg_error,

  // The answer to each peek.
  output logic                              peeked_valid,
  output logic [QUEUE_W-1:0]                peeked_queue,
  output logic [OCC_W-1:0]                  peeked_occupancy,
  output logic [OCC_W+AVERAGE_PORT_FRAC-1:0] peeked_average,
  output logic                              peeked_congested,
  output logic [SKIP_W-1:0]                 peeked_skip,
  output logic [PROBABILITY_FRAC-1:0]       peeked_acc,
  output logic [COUNT_W-1:0]                peeked_marked,
  output logic [COUNT_W-1:0]                peeked_eligible,
  output logic [31:0]                       peeked_lfsr,
  output logic [2:0]                        peeked_error,

  // Levels.
  output logic                              init_done,
  output logic [15:0]                       stat_range,
  output logic [15:0]                       stat_underflow
);

  localparam int CTX_W = (QUEUES > 1) ? $clog2(QUEUES) : 1;
  localparam int AVG_W = OCC_W + AVG_FRAC;
  localparam int AVERAGE_PORT_W = OCC_W + AVERAGE_PORT_FRAC;

  // --------------------------------------------------------------------------------------------
  // Parameters that cannot work stop elaboration.
  // --------------------------------------------------------------------------------------------

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (QUEUES < 1 || QUEUES > 1024 || (QUEUES & (QUEUES - 1)) != 0) begin : g_check_queues
    $fatal(1, "ecn_marker: QUEUES must be a power of two from 1 to 1024");
  end
  if (QUEUE_W < CTX_W || QUEUE_W > 16) begin : g_check_queue_w
    $fatal(1, "ecn_marker: QUEUE_W must be from log2(QUEUES), and 1, to 16");
  end
  if (OCC_W < 16 || OCC_W > 28) begin : g_check_occ_w
    $fatal(1, "ecn_marker: OCC_W must be from 16 to 28");
  end
  if (AVG_FRAC < 8 || AVG_FRAC > AVERAGE_PORT_FRAC) begin : g_check_avg_frac
    $fatal(1, "ecn_marker: AVG_FRAC must be from 8 to 24");
  end
  if (WEIGHT_FRAC < 8 || WEIGHT_FRAC > 24) begin : g_check_weight_frac
    $fatal(1, "ecn_marker: WEIGHT_FRAC must be from 8 to 24");
  end
  if (COUNT_W < 4 || COUNT_W > 32) begin : g_check_count_w
    $fatal(1, "ecn_marker: COUNT_W must be from 4 to 32");
  end
`endif

  // Whether a queue is in the table.
  function automatic logic in_table(input logic [QUEUE_W-1:0] queue);
    return 32'(queue) < 32'(QUEUES);
  endfunction

  // An average as the ports show it.
  function automatic logic [AVERAGE_PORT_W-1:0] port_average(input logic [AVG_W-1:0] average);
    return AVERAGE_PORT_W'(average) << (AVERAGE_PORT_FRAC - AVG_FRAC);
  endfunction

  // ECT(0) or ECT(1): a mark may be put on it.
  function automatic logic is_ect(input logic [1:0] ecn);
    return ecn[1] != ecn[0];
  endfunction

  // --------------------------------------------------------------------------------------------
  // Configuration that meets long paths: registered once.
  // --------------------------------------------------------------------------------------------

  logic [WEIGHT_FRAC:0] cfg_weight_q;
  logic [SHIFT_W-1:0]   cfg_weight_shift_q;
  logic [OCC_W:0]       cfg_lower_q, cfg_upper_q;

  always_ff @(posedge clk) begin
    cfg_weight_q       <= cfg_weight;
    cfg_weight_shift_q <= cfg_weight_shift;
    cfg_lower_q        <= cfg_lower;
    cfg_upper_q        <= cfg_upper;
  end

  // --------------------------------------------------------------------------------------------
  // Init sweep: one queue a cycle, then init_done. Nothing here waits for time, so that the sweep
  // stands from then on.
  // --------------------------------------------------------------------------------------------

  logic             init;
  logic [CTX_W-1:0] init_ctx;
  logic             unused_running, unused_visit;
  logic [CTX_W-1:0] unused_ctx, unused_ctx_d;

  sweep #(
    .COUNT (QUEUES)
  ) u_sweep (
    .clk         (clk),
    .rst_n       (rst_n),
    .hold        (1'b1),
    .init_active (init),
    .init_index  (init_ctx),
    .init_done   (init_done),
    .running     (unused_running),
    .visit       (unused_visit),
    .index       (unused_ctx),
    .index_d     (unused_ctx_d)
  );

  // --------------------------------------------------------------------------------------------
  // The packet that is admitted: 1 reads the totals, 2 knows the occupancy, 3 the average, 4
  // answers.
  // --------------------------------------------------------------------------------------------

  logic [3:1]         enq_valid_q;
  logic               enq_range_1, enq_range_2_q, enq_range_3_q, enq_take_2, enq_take_3;
  logic [QUEUE_W-1:0] enq_queue_1_q, enq_queue_2_q, enq_queue_3_q;
  logic [BYTES_W-1:0] enq_bytes_1_q, enq_bytes_2_q;
  logic [OCC_W-1:0]   enq_occupancy, enq_occupancy_3_q;
  logic [AVG_W-1:0]   enq_average;

  assign enq_range_1 = !in_table(enq_queue_1_q);
  assign enq_take_2  = enq_valid_q[2] && !enq_range_2_q;
  assign enq_take_3  = enq_valid_q[3] && !enq_range_3_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      enq_valid_q <= '0;
      avg_valid   <= 1'b0;
    end else begin
      enq_valid_q <= {enq_valid_q[2:1], enq_valid};
      avg_valid   <= enq_valid_q[3];
    end
  end

  always_ff @(posedge clk) begin
    if (enq_valid) begin
      enq_queue_1_q <= enq_queue;
      enq_bytes_1_q <= enq_bytes;
    end
    if (enq_valid_q[1]) begin
      enq_queue_2_q <= enq_queue_1_q;
      enq_bytes_2_q <= enq_bytes_1_q;
      enq_range_2_q <= enq_range_1;
    end
    if (enq_valid_q[2]) begin
      enq_queue_3_q     <= enq_queue_2_q;
      enq_range_3_q     <= enq_range_2_q;
      enq_occupancy_3_q <= enq_occupancy;
    end
    if (enq_valid_q[3]) begin
      avg_queue     <= enq_queue_3_q;
      avg_occupancy <= enq_occupancy_3_q;
      avg_average   <= port_average(enq_average);
      avg_error     <= enq_range_3_q ? ErrorRange : ErrorNone;
    end
  end

  // --------------------------------------------------------------------------------------------
  // The packet that starts transmitting: 1 reads the totals, 2 takes its bytes off and knows
  // whether it may be marked, 3 sees average and congestion, 4 and 5 are the probability's, 6 marks
  // and counts, 7 answers.
  // --------------------------------------------------------------------------------------------

  logic [6:1]         deq_valid_q;
  logic [6:3]         eligible_q;
  logic               deq_range_1, deq_range_2_q, deq_range_3_q, deq_range_4_q, deq_range_5_q,
                      deq_range_6_q;
  logic               underflow, underflow_3_q, underflow_4_q, underflow_5_q, underflow_6_q;
  logic [QUEUE_W-1:0] deq_queue_1_q, deq_queue_2_q, deq_queue_3_q, deq_queue_4_q, deq_queue_5_q,
                      deq_queue_6_q;
  logic [1:0]         deq_ecn_1_q, deq_ecn_2_q, deq_ecn_3_q, deq_ecn_4_q, deq_ecn_5_q, deq_ecn_6_q;
  logic [BYTES_W-1:0] deq_bytes_1_q, deq_bytes_2_q;
  logic               deq_has_credits_1_q, deq_has_credits_2_q;
  logic               deq_take_2, judge_2, judge_3_q, eligible_2;
  logic [OCC_W-1:0]   deq_occupancy, deq_occupancy_3_q;
  logic [AVG_W-1:0]   deq_average;
  logic               fecn_marked, fecn_marked_4_q, fecn_marked_5_q, fecn_marked_6_q;
  logic               judge_fecn_3, judge_red_3, red_marked, marked;
  logic [1:0]         marked_ecn;

  assign deq_range_1 = !in_table(deq_queue_1_q);
  assign deq_take_2  = deq_valid_q[2] && !deq_range_2_q;

  // Not yet marked, and for FECN large enough and no victim that is not to be marked.
  always_comb begin
    judge_2    = deq_take_2 && !underflow && cfg_enable_ecn;
    eligible_2 = 1'b0;
    if (judge_2) begin
      if (cfg_policy == PolicyRed) begin
        eligible_2 = is_ect(deq_ecn_2_q);
      end else begin
        eligible_2 = !deq_ecn_2_q[0] && deq_bytes_2_q >= cfg_packet_size &&
                     (deq_has_credits_2_q || cfg_victim_marking);
      end
    end
  end

  assign judge_fecn_3 = judge_3_q && cfg_policy == PolicyFecn;
  assign judge_red_3  = eligible_q[3] && cfg_policy == PolicyRed;
  assign marked       = fecn_marked_6_q || red_marked;
  assign marked_ecn   = (cfg_policy == PolicyRed) ? EcnCe : {deq_ecn_6_q[1], 1'b1};

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      deq_valid_q     <= '0;
      eligible_q      <= '0;
      judge_3_q       <= 1'b0;
      fecn_marked_4_q <= 1'b0;
      fecn_marked_5_q <= 1'b0;
      fecn_marked_6_q <= 1'b0;
      mark_valid      <= 1'b0;
    end else begin
      deq_valid_q     <= {deq_valid_q[5:1], deq_valid};
      eligible_q      <= {eligible_q[5:3], eligible_2};
      judge_3_q       <= judge_2;
      fecn_marked_4_q <= fecn_marked;
      fecn_marked_5_q <= fecn_marked_4_q;
      fecn_marked_6_q <= fecn_marked_5_q;
      mark_valid      <= deq_valid_q[6];
    end
  end

  always_ff @(posedge clk) begin
    if (deq_valid) begin
      deq_queue_1_q       <= deq_queue;
      deq_bytes_1_q       <= deq_bytes;
      deq_ecn_1_q         <= deq_ecn;
      deq_has_credits_1_q <= deq_has_credits;
    end
    if (deq_valid_q[1]) begin
      deq_queue_2_q       <= deq_queue_1_q;
      deq_bytes_2_q       <= deq_bytes_1_q;
      deq_ecn_2_q         <= deq_ecn_1_q;
      deq_has_credits_2_q <= deq_has_credits_1_q;
      deq_range_2_q       <= deq_range_1;
    end
    if (deq_valid_q[2]) begin
      deq_queue_3_q     <= deq_queue_2_q;
      deq_ecn_3_q       <= deq_ecn_2_q;
      deq_range_3_q     <= deq_range_2_q;
      underflow_3_q     <= deq_take_2 && underflow;
      deq_occupancy_3_q <= deq_occupancy;
    end
    if (deq_valid_q[3]) begin
      deq_queue_4_q <= deq_queue_3_q;
      deq_ecn_4_q   <= deq_ecn_3_q;
      deq_range_4_q <= deq_range_3_q;
      underflow_4_q <= underflow_3_q;
    end
    if (deq_valid_q[4]) begin
      deq_queue_5_q <= deq_queue_4_q;
      deq_ecn_5_q   <= deq_ecn_4_q;
      deq_range_5_q <= deq_range_4_q;
      underflow_5_q <= underflow_4_q;
    end
    if (deq_valid_q[5]) begin
      deq_queue_6_q <= deq_queue_5_q;
      deq_ecn_6_q   <= deq_ecn_5_q;
      deq_range_6_q <= deq_range_5_q;
      underflow_6_q <= underflow_5_q;
    end
    if (deq_valid_q[6]) begin
      mark_queue  <= deq_queue_6_q;
      mark_ecn    <= marked ? marked_ecn : deq_ecn_6_q;
      mark_marked <= marked;
      mark_error  <= ErrorNone;
      if (deq_range_6_q)      mark_error <= ErrorRange;
      else if (underflow_6_q) mark_error <= ErrorUnderflow;
    end
  end

  // --------------------------------------------------------------------------------------------
  // peek: one at a time; its queue stands still until it is answered. Each part of the state is
  // read in the stage that writes it, and so seen after it; then it stands in the answer.
  // --------------------------------------------------------------------------------------------

  localparam int WAIT_W = $clog2(PEEK_INTERVAL);

  logic [7:1]                  peek_valid_q;
  logic                        peek_accepted;
  logic [WAIT_W-1:0]           peek_wait_q;
  logic [CTX_W-1:0]            peek_ctx;
  logic [OCC_W-1:0]            peek_occupancy;
  logic [AVG_W-1:0]            peek_average;
  logic                        peek_congested;
  logic [SKIP_W-1:0]           peek_skip;
  logic [PROBABILITY_FRAC-1:0] peek_acc;
  logic [COUNT_W-1:0]          peek_marked, peek_eligible;
  logic [31:0]                 lfsr;

  assign peek_accepted = peek_valid && peek_ready;
  assign peek_ctx      = peeked_queue[CTX_W-1:0];

  // ready: low for PEEK_INTERVAL - 1 cycles after a beat taken, and before cycle 0.
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      peek_ready  <= 1'b0;
      peek_wait_q <= '0;
    end else if (peek_ready) begin
      if (peek_valid) begin
        peek_ready  <= 1'b0;
        peek_wait_q <= WAIT_W'(PEEK_INTERVAL - 2);
      end
    end else if (peek_wait_q != '0) begin
      peek_wait_q <= peek_wait_q - 1'b1;
    end else begin
      peek_ready <= init_done;
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      peek_valid_q <= '0;
      peeked_valid <= 1'b0;
    end else begin
      peek_valid_q <= {peek_valid_q[6:1], peek_accepted};
      peeked_valid <= peek_valid_q[7];
    end
  end

  always_ff @(posedge clk) begin
    if (peek_accepted)   peeked_queue     <= peek_queue;
    if (peek_valid_q[3]) peeked_occupancy <= peek_occupancy;
    if (peek_valid_q[4]) begin
      peeked_average   <= port_average(peek_average);
      peeked_congested <= peek_congested;
      peeked_skip      <= peek_skip;
    end
    if (peek_valid_q[7]) begin
      peeked_acc      <= peek_acc;
      peeked_marked   <= peek_marked;
      peeked_eligible <= peek_eligible;
      peeked_lfsr     <= lfsr;
      peeked_error    <= in_table(peeked_queue) ? ErrorNone : ErrorRange;
    end
  end

  // --------------------------------------------------------------------------------------------
  // The parts.
  // --------------------------------------------------------------------------------------------

  em_occupancy #(
    .QUEUES (QUEUES),
    .OCC_W  (OCC_W)
  ) u_occupancy (
    .clk            (clk),
    .init           (init),
    .init_ctx       (init_ctx),
    .deq_read       (deq_valid_q[1]),
    .deq_ctx_d      (deq_queue_1_q[CTX_W-1:0]),
    .enq_read       (enq_valid_q[1]),
    .enq_ctx_d      (enq_queue_1_q[CTX_W-1:0]),
    .deq_take       (deq_take_2),
    .deq_ctx        (deq_queue_2_q[CTX_W-1:0]),
    .deq_bytes      (deq_bytes_2_q),
    .deq_occupancy  (deq_occupancy),
    .deq_underflow  (underflow),
    .enq_take       (enq_take_2),
    .enq_ctx        (enq_queue_2_q[CTX_W-1:0]),
    .enq_bytes      (enq_bytes_2_q),
    .enq_occupancy  (enq_occupancy),
    .peek_read      (peek_valid_q[2]),
    .peek_ctx       (peek_ctx),
    .peek_occupancy (peek_occupancy)
  );

  em_average #(
    .QUEUES      (QUEUES),
    .OCC_W       (OCC_W),
    .AVG_FRAC    (AVG_FRAC),
    .WEIGHT_FRAC (WEIGHT_FRAC)
  ) u_average (
    .clk              (clk),
    .cfg_weight       (cfg_weight_q),
    .cfg_weight_shift (cfg_weight_shift_q),
    .init             (init),
    .init_ctx         (init_ctx),
    .enq_read         (enq_valid_q[2]),
    .enq_ctx_d        (enq_queue_2_q[CTX_W-1:0]),
    .enq_take         (enq_take_3),
    .enq_ctx          (enq_queue_3_q[CTX_W-1:0]),
    .enq_occupancy    (enq_occupancy_3_q),
    .enq_average      (enq_average),
    .deq_read         (deq_valid_q[2]),
    .deq_ctx_d        (deq_queue_2_q[CTX_W-1:0]),
    .deq_average      (deq_average),
    .peek_read        (peek_valid_q[3]),
    .peek_ctx         (peek_ctx),
    .peek_average     (peek_average)
  );

  em_fecn #(
    .QUEUES (QUEUES),
    .OCC_W  (OCC_W)
  ) u_fecn (
    .clk                 (clk),
    .rst_n               (rst_n),
    .cfg_congested_from  (cfg_congested_from),
    .cfg_congested_below (cfg_congested_below),
    .cfg_marking_rate    (cfg_marking_rate),
    .init                (init),
    .init_ctx            (init_ctx),
    .deq_read            (deq_valid_q[2]),
    .deq_ctx_d           (deq_queue_2_q[CTX_W-1:0]),
    .judge               (judge_fecn_3),
    .deq_ctx             (deq_queue_3_q[CTX_W-1:0]),
    .deq_occupancy       (deq_occupancy_3_q),
    .deq_eligible        (eligible_q[3]),
    .marked              (fecn_marked),
    .peek_read           (peek_valid_q[3]),
    .peek_ctx            (peek_ctx),
    .peek_congested      (peek_congested),
    .peek_skip           (peek_skip)
  );

  em_red #(
    .QUEUES   (QUEUES),
    .OCC_W    (OCC_W),
    .AVG_FRAC (AVG_FRAC)
  ) u_red (
    .clk             (clk),
    .rst_n           (rst_n),
    .cfg_lower       (cfg_lower_q),
    .cfg_upper       (cfg_upper_q),
    .cfg_band_shift  (cfg_band_shift),
    .cfg_slope       (cfg_slope),
    .cfg_random_mode (cfg_random_mode),
    .cfg_lfsr_seed   (cfg_lfsr_seed),
    .init            (init),
    .init_ctx        (init_ctx),
    .judge           (judge_red_3),
    .deq_average     (deq_average),
    .deq_ctx_d       (deq_queue_5_q[CTX_W-1:0]),
    .deq_ctx         (deq_queue_6_q[CTX_W-1:0]),
    .marked          (red_marked),
    .peek_read       (peek_valid_q[6]),
    .peek_ctx        (peek_ctx),
    .peek_acc        (peek_acc),
    .lfsr            (lfsr)
  );

  em_count #(
    .QUEUES  (QUEUES),
    .COUNT_W (COUNT_W)
  ) u_count (
    .clk           (clk),
    .init          (init),
    .init_ctx      (init_ctx),
    .deq_read      (eligible_q[5]),
    .deq_ctx_d     (deq_queue_5_q[CTX_W-1:0]),
    .deq_take      (eligible_q[6]),
    .deq_ctx       (deq_queue_6_q[CTX_W-1:0]),
    .deq_marked    (marked),
    .peek_read     (peek_valid_q[6]),
    .peek_ctx      (peek_ctx),
    .peek_eligible (peek_eligible),
    .peek_marked   (peek_marked)
  );

  // --------------------------------------------------------------------------------------------
  // Counters of what was refused; they saturate and show the beats of their cycle.
  // --------------------------------------------------------------------------------------------

  // n more, at most 0xffff.
  function automatic logic [15:0] count(input logic [15:0] stat, input logic [1:0] n);
    logic [16:0] sum;
    sum = {1'b0, stat} + 17'(n);
    return sum[16] ? 16'hffff : sum[15:0];
  endfunction

  logic mark_range_d, mark_underflow_d, avg_range_d, peeked_range_d;

  assign mark_range_d     = deq_valid_q[6] && deq_range_6_q;
  assign mark_underflow_d = deq_valid_q[6] && underflow_6_q;
  assign avg_range_d      = enq_valid_q[3] && enq_range_3_q;
  assign peeked_range_d   = peek_valid_q[7] && !in_table(peeked_queue);

  // As many answers can be refused in one cycle as there are channels that answer.
  always_ff @(posedge clk) begin
    if (!rst_n) begin
      stat_range     <= '0;
      stat_underflow <= '0;
    end else begin
      if (mark_underflow_d) stat_underflow <= count(stat_underflow, 2'd1);
      if (mark_range_d || avg_range_d || peeked_range_d) begin
        stat_range <= count(stat_range, 2'(mark_range_d) + 2'(avg_range_d) + 2'(peeked_range_d));
      end
    end
  end

`ifdef CONGRUENT_ASSERT
  // Cycles from the pins of a packet to the pins of its answer: mark_latency and avg_latency of the
  // table.
  localparam int MARK_LATENCY = 7;
  localparam int AVG_LATENCY = 4;

  logic [MARK_LATENCY:1] left_q;
  logic [AVG_LATENCY:1]  came_q;
  logic                  legal_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      left_q  <= '0;
      came_q  <= '0;
      legal_q <= 1'b0;
    end else begin
      left_q  <= {left_q[MARK_LATENCY-1:1], deq_valid};
      came_q  <= {came_q[AVG_LATENCY-1:1], enq_valid};
      legal_q <= init_done;
    end
  end

  always @(posedge clk) begin
    if (rst_n) begin
      assert (mark_valid == left_q[MARK_LATENCY])
        else $error("ecn_marker: a packet without its mark answer, or one without its packet");
      assert (avg_valid == came_q[AVG_LATENCY])
        else $error("ecn_marker: a packet without its avg answer, or one without its packet");
    end
    if (rst_n && (enq_valid || deq_valid || peek_valid)) begin
      assert (legal_q)
        else $error("ecn_marker: an event before the cycle after init_done");
    end
    if (rst_n && mark_valid && mark_error == ErrorNone && mark_marked) begin
      assert (cfg_enable_ecn)
        else $error("ecn_marker: a mark on queue %0d with EnableEcn false", mark_queue);
      assert (mark_ecn[0])
        else $error("ecn_marker: a mark on queue %0d that does not show", mark_queue);
    end
  end
`endif

endmodule
