// DCQCN's notification point for QPS queue pairs: the NIC that a packet with a CE mark reaches
// sends a CNP for its queue pair, unless one went out less than cfg_gap cycles ago. Ports,
// latencies and the order of effects within a cycle are those of the table
// hw/ports/src/notification_point.rs; the arithmetic is that of
// hw/src/notification_point/core.rs.
//
// Stage 1 reads, stage 2 decides and writes: the packet, then the sweep's visit or a peek, which
// looks through the sweep's port. The memory's bypass forwards from one cycle to the next. Two
// times can be told apart only while less than a wrap lies between them, so each queue pair has a
// bit `recent` beside the time of its last CNP, which the sweep clears once the gap is over.
// Packets come in every cycle and so do visits: two write ports, and nothing waits.

module notification_point
  import congruent_pkg::*;
#(
  parameter int QPS = 256,
  parameter int QP_W = 12,
  parameter int TIME_W = 32,
  parameter int TIME_INIT = -96
) (
  input  logic              clk,
  input  logic              rst_n,

  // Configuration, stable from before reset is released.
  input  logic [TIME_W-1:0] cfg_gap,

  // A packet with a CE mark has come for a queue pair.
  input  logic              ce_valid,
  input  logic [QP_W-1:0]   ce_qp,

  // A queue pair's state is asked for.
  input  logic              peek_valid,
  input  logic [QP_W-1:0]   peek_qp,
  output logic              peek_ready,

  // A CNP goes out for a queue pair.
  output logic              cnp_valid,
  output logic [QP_W-1:0]   cnp_qp,

  // The answer to each peek.
  output logic              peeked_valid,
  output logic [QP_W-1:0]   peeked_qp,
  output logic              peeked_recent,
  output logic [TIME_W-1:0] peeked_last,
  output logic [2:0]        peeked_error,

  // An event that was refused.
  output logic              err_valid,
  output logic              err_channel,
  output logic [2:0]        err_code,
  output logic [QP_W-1:0]   err_qp,

  // Levels.
  output logic              init_done,
  output logic [15:0]       stat_cnps,
  output logic [15:0]       stat_swallowed,
  output logic [15:0]       stat_range
);

  localparam int CTX_W = (QPS > 1) ? $clog2(QPS) : 1;

  // Cycles from the pins to the stage in which events take effect.
  localparam int EFFECT_STAGE = 2;

  // Initiation interval of peek.
  localparam int PEEK_INTERVAL = 4;

  // --------------------------------------------------------------------------------------------
  // Parameters that cannot work stop elaboration.
  // --------------------------------------------------------------------------------------------

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (QPS < 2 || QPS > 4096 || (QPS & (QPS - 1)) != 0) begin : g_check_qps
    $fatal(1, "notification_point: QPS must be a power of two from 2 to 4096");
  end
  if (QP_W < CTX_W || QP_W > 16) begin : g_check_qp_w
    $fatal(1, "notification_point: QP_W must be from log2(QPS) to 16");
  end
  if (TIME_W < 9 || TIME_W > 32) begin : g_check_time_w
    $fatal(1, "notification_point: TIME_W must be from 9 to 32");
  end
`endif

  // Whether a queue pair is in the table.
  function automatic logic in_table(input logic [QP_W-1:0] qp);
    return 32'(qp) < 32'(QPS);
  endfunction

  // Whether the gap after a CNP at `last` is over.
  function automatic logic gap_over(input logic [TIME_W-1:0] now,
                                    input logic [TIME_W-1:0] last,
                                    input logic [TIME_W-1:0] gap);
    logic [TIME_W-1:0] age;
    age = now - last;
    return age >= gap;
  endfunction

  // n more, at most 0xffff.
  function automatic logic [15:0] count(input logic [15:0] stat, input logic [1:0] n);
    logic [16:0] sum;
    sum = {1'b0, stat} + 17'(n);
    return sum[16] ? 16'hffff : sum[15:0];
  endfunction

  // --------------------------------------------------------------------------------------------
  // Sweep and time. `now_q` is the time of the events in stage 2.
  // --------------------------------------------------------------------------------------------

  logic              init, running, visit, peek_valid_1_q, peek_valid_2_q;
  logic [CTX_W-1:0]  init_ctx, sweep_ctx, sweep_ctx_d;
  logic [TIME_W-1:0] now_q;

  sweep #(
    .COUNT (QPS),
    .DELAY (EFFECT_STAGE)
  ) u_sweep (
    .clk         (clk),
    .rst_n       (rst_n),
    .hold        (peek_valid_2_q),
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
  // The packet: 1 reads, 2 decides, then the CNP, or the error.
  // --------------------------------------------------------------------------------------------

  logic              ce_valid_1_q, ce_valid_2_q, ce_range_2_q;
  logic [QP_W-1:0]   ce_qp_1_q, ce_qp_2_q;
  logic [CTX_W-1:0]  ce_ctx;
  logic              ce_recent, ce_take, sends, swallows, refused;
  logic [TIME_W-1:0] ce_last;

  assign ce_ctx   = ce_qp_2_q[CTX_W-1:0];
  assign ce_take  = ce_valid_2_q && !ce_range_2_q;
  assign sends    = ce_take && (!ce_recent || gap_over(now_q, ce_last, cfg_gap));
  assign swallows = ce_take && !sends;
  assign refused  = ce_valid_2_q && ce_range_2_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      ce_valid_1_q <= 1'b0;
      ce_valid_2_q <= 1'b0;
      cnp_valid    <= 1'b0;
      err_valid    <= 1'b0;
    end else begin
      ce_valid_1_q <= ce_valid;
      ce_valid_2_q <= ce_valid_1_q;
      cnp_valid    <= sends;
      err_valid    <= refused;
    end
  end

  always_ff @(posedge clk) begin
    if (ce_valid) ce_qp_1_q <= ce_qp;
    if (ce_valid_1_q) begin
      ce_qp_2_q    <= ce_qp_1_q;
      ce_range_2_q <= !in_table(ce_qp_1_q);
    end
    if (sends) cnp_qp <= ce_qp_2_q;
    if (refused) begin
      err_qp   <= ce_qp_2_q;
      err_code <= ErrorRange;
    end
  end

  // Only one channel has no answer of its own.
  assign err_channel = 1'b0;

  // --------------------------------------------------------------------------------------------
  // The sweep's visit or a peek, after the packet.
  // --------------------------------------------------------------------------------------------

  logic              peek_accepted, remembers, clears, look_recent_before, look_recent;
  logic [CTX_W-1:0]  peek_ctx, look_ctx, look_ctx_d;
  logic [TIME_W-1:0] look_last_before, look_last;

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
  assign peek_ctx      = peeked_qp[CTX_W-1:0];
  assign look_ctx_d    = peek_valid_1_q ? peek_ctx : sweep_ctx_d;
  assign look_ctx      = peek_valid_2_q ? peek_ctx : sweep_ctx;

  // Without a gap nothing is worth remembering.
  assign remembers = sends && cfg_gap != '0;

  always_comb begin
    look_recent = look_recent_before;
    look_last   = look_last_before;
    if (remembers && ce_ctx == look_ctx) begin
      look_recent = 1'b1;
      look_last   = now_q;
    end
  end

  assign clears = visit && look_recent && gap_over(now_q, look_last, cfg_gap);

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      peek_valid_1_q <= 1'b0;
      peek_valid_2_q <= 1'b0;
      peeked_valid   <= 1'b0;
    end else begin
      peek_valid_1_q <= peek_accepted;
      peek_valid_2_q <= peek_valid_1_q;
      peeked_valid   <= peek_valid_2_q;
    end
  end

  always_ff @(posedge clk) begin
    if (peek_accepted) peeked_qp <= peek_qp;
    if (peek_valid_2_q) begin
      peeked_recent <= look_recent;
      peeked_last   <= look_last;
      peeked_error  <= in_table(peeked_qp) ? ErrorNone : ErrorRange;
    end
  end

  // {recent, time of the last CNP, 0 unless recent}, for the packet, and for the sweep or a peek. A
  // gap that begins in this cycle is not over in it, so the ports never meet.
  ram_2w #(
    .WIDTH (1 + TIME_W),
    .DEPTH (QPS),
    .READS (2)
  ) u_points (
    .clk     (clk),
    .a_we    (remembers || init),
    .a_waddr (init ? init_ctx : ce_ctx),
    .a_wdata (init ? '0 : {1'b1, now_q}),
    .b_we    (clears && !init),
    .b_waddr (sweep_ctx),
    .b_wdata ((1 + TIME_W)'(0)),
    .re      ({1'b1, ce_valid_1_q}),
    .raddr   ({look_ctx_d, ce_qp_1_q[CTX_W-1:0]}),
    .rdata   ({look_recent_before, look_last_before, ce_recent, ce_last})
  );

  // --------------------------------------------------------------------------------------------
  // Counters; they saturate and show the beats of their cycle.
  // --------------------------------------------------------------------------------------------

  logic peeked_range_d;

  assign peeked_range_d = peek_valid_2_q && !in_table(peeked_qp);

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      stat_cnps      <= '0;
      stat_swallowed <= '0;
      stat_range     <= '0;
    end else begin
      if (sends)    stat_cnps      <= count(stat_cnps, 2'd1);
      if (swallows) stat_swallowed <= count(stat_swallowed, 2'd1);
      if (refused || peeked_range_d) begin
        stat_range <= count(stat_range, 2'(refused) + 2'(peeked_range_d));
      end
    end
  end

`ifdef CONGRUENT_ASSERT
  // Cycles from the pins of a packet to the pins of its CNP or error: cnp_latency and err_latency
  // of the table.
  localparam int CNP_LATENCY = 3;

  logic [CNP_LATENCY:1] came_q;
  logic                 legal_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      came_q  <= '0;
      legal_q <= 1'b0;
    end else begin
      came_q  <= {came_q[CNP_LATENCY-1:1], ce_valid};
      legal_q <= init_done;
    end
  end

  always @(posedge clk) begin
    if (rst_n && (cnp_valid || err_valid)) begin
      assert (came_q[CNP_LATENCY])
        else $error("notification_point: a CNP or an error without a packet");
      assert (!(cnp_valid && err_valid))
        else $error("notification_point: a CNP for a packet that was refused");
    end
    if (rst_n && (ce_valid || peek_valid)) begin
      assert (legal_q)
        else $error("notification_point: an event before the cycle after init_done");
    end
    if (rst_n && visit && !look_recent) begin
      assert (look_last == '0)
        else $error("notification_point: queue pair %0d remembers a time that is over", look_ctx);
    end
  end
`endif

endmodule
