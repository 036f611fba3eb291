// HPCC window unit of a NIC, one context for each of FLOWS flows, fed by the in-band telemetry of
// ACKs. Ports, latencies and the order of effects within a cycle are those of the table
// hw/ports/src/hpcc_window.rs; the arithmetic is that of hw/src/hpcc_window/core.rs.
//
// A pipeline in order, a record a cycle. hpcc_collect takes header and records; in EFFECT_STAGE an
// ACK meets what is open (hpcc_flows) and stored (hpcc_telemetry); hpcc_measure has u of each hop
// and the largest; hpcc_average U and Eta / U; hpcc_apply the window and the rate. What an ACK
// needs further down stands aside meanwhile (hpcc_aside). ACKs of a flow that move its window take
// effect at least two cycles apart, so each part reads, computes and writes the state that it owns
// in two stages, and a memory's bypass is all that they need; one without records may come right
// behind another and is handed what that one leaves. hpcc_peek shows the state.

module hpcc_window
  import congruent_pkg::*;
  import hpcc_pkg::*;
#(
  parameter int FLOWS = 256,
  parameter int FLOW_W = 12,
  parameter int HOPS = 5,
  parameter int TIME_W = 48,
  parameter int TIME_INIT = -96,
  parameter int U_FRAC = 24,
  parameter int W_FRAC = 8
) (
  input  logic                       clk,
  input  logic                       rst_n,

  // Configuration, stable from before reset is released.
  input  logic                       cfg_int_format,
  input  logic [RTT_W-1:0]           cfg_base_rtt,
  input  logic [INVERSE_W-1:0]       cfg_inverse_rtt,
  input  logic [INVERSE_SHIFT_W-1:0] cfg_inverse_rtt_shift,
  input  logic [ETA_W-1:0]           cfg_eta,
  input  logic [STAGE_W-1:0]         cfg_max_stage,
  input  logic [BYTES_W+W_FRAC-1:0]  cfg_wai,
  input  logic [BYTES_W+W_FRAC-1:0]  cfg_first_window,
  input  logic [PACKET_W-1:0]        cfg_packet,
  input  logic [TIME_W-1:0]          cfg_age,

  // An ACK: its header, then its records.
  input  logic                       ack_valid,
  input  logic [FLOW_W-1:0]          ack_flow,
  input  logic [SEQ_W-1:0]           ack_seq,
  input  logic [SEQ_W-1:0]           ack_snd_nxt,
  input  logic [PATH_W-1:0]          ack_path,
  input  logic [HOP_COUNT_W-1:0]     ack_hops,
  output logic                       ack_ready,
  input  logic                       hop_valid,
  input  logic [GBPS_W-1:0]          hop_rate,
  input  logic [TELEMETRY_W-1:0]     hop_ts,
  input  logic [TELEMETRY_W-1:0]     hop_tx_bytes,
  input  logic [TELEMETRY_W-1:0]     hop_qlen,
  output logic                       hop_ready,

  // Flows begin and end.
  input  logic                       open_valid,
  input  logic [FLOW_W-1:0]          open_flow,
  input  logic                       close_valid,
  input  logic [FLOW_W-1:0]          close_flow,

  // A flow's state is asked for.
  input  logic                       peek_valid,
  input  logic [FLOW_W-1:0]          peek_flow,
  output logic                       peek_ready,

  // The answer to each ACK.
  output logic                       win_valid,
  output logic [FLOW_W-1:0]          win_flow,
  output logic [BYTES_W+W_FRAC-1:0]  win_window,
  output logic [PACE_W-1:0]          win_rate,
  output logic [U_INT+U_FRAC-1:0]    win_u,
  output logic [STAGE_W-1:0]         win_stage,
  output logic [1:0]                 win_branch,
  output logic [2:0]                 win_error,

  // Opens and closes that were refused.
  output logic                       err_open_valid,
  output logic [FLOW_W-1:0]          err_open_flow,
  output logic [2:0]                 err_open_error,
  output logic                       err_close_valid,
  output logic [FLOW_W-1:0]          err_close_flow,
  output logic [2:0]                 err_close_error,

  // The answer to each peek.
  output logic                       peeked_valid,
  output logic [FLOW_W-1:0]          peeked_flow,
  output logic                       peeked_open,
  output logic [BYTES_W+W_FRAC-1:0]  peeked_window,
  output logic [BYTES_W+W_FRAC-1:0]  peeked_reference,
  output logic [U_INT+U_FRAC-1:0]    peeked_u,
  output logic [STAGE_W-1:0]         peeked_stage,
  output logic [SEQ_W-1:0]           peeked_last_update_seq,
  output logic                       peeked_stored,
  output logic [TIME_W-1:0]          peeked_stored_at,
  output logic [PATH_W-1:0]          peeked_path,
  output logic [2:0]                 peeked_hops,
  output logic [TELEMETRY_W-1:0]     peeked_ts0,
  output logic [TELEMETRY_W-1:0]     peeked_tx0,
  output logic [TELEMETRY_W-1:0]     peeked_qlen0,
  output logic [TELEMETRY_W-1:0]     peeked_ts1,
  output logic [TELEMETRY_W-1:0]     peeked_tx1,
  output logic [TELEMETRY_W-1:0]     peeked_qlen1,
  output logic [TELEMETRY_W-1:0]     peeked_ts2,
  output logic [TELEMETRY_W-1:0]     peeked_tx2,
  output logic [TELEMETRY_W-1:0]     peeked_qlen2,
  output logic [TELEMETRY_W-1:0]     peeked_ts3,
  output logic [TELEMETRY_W-1:0]     peeked_tx3,
  output logic [TELEMETRY_W-1:0]     peeked_qlen3,
  output logic [TELEMETRY_W-1:0]     peeked_ts4,
  output logic [TELEMETRY_W-1:0]     peeked_tx4,
  output logic [TELEMETRY_W-1:0]     peeked_qlen4,
  output logic [2:0]                 peeked_error,

  // Levels.
  output logic                       init_done,
  output logic [15:0]                stat_acks,
  output logic [15:0]                stat_range,
  output logic [15:0]                stat_closed,
  output logic [15:0]                stat_hops,
  output logic [15:0]                stat_stored,
  output logic [15:0]                stat_stale,
  output logic [15:0]                stat_bad_rate
);

  localparam int CTX_W = $clog2(FLOWS);
  localparam int WINDOW_W = BYTES_W + W_FRAC;
  localparam int U_W = U_INT + U_FRAC;

  // --------------------------------------------------------------------------------------------
  // Parameters that cannot work stop elaboration.
  // --------------------------------------------------------------------------------------------

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (FLOWS < 2 || FLOWS > 4096 || (FLOWS & (FLOWS - 1)) != 0) begin : g_check_flows
    $fatal(1, "hpcc_window: FLOWS must be a power of two from 2 to 4096");
  end
  if (FLOW_W < CTX_W || FLOW_W > 16) begin : g_check_flow_w
    $fatal(1, "hpcc_window: FLOW_W must be from log2(FLOWS) to 16");
  end
  if (HOPS < 1 || HOPS > MOST_HOPS) begin : g_check_hops
    $fatal(1, "hpcc_window: HOPS must be from 1 to 5");
  end
  if (TIME_W < 8 || TIME_W > 52) begin : g_check_time_w
    $fatal(1, "hpcc_window: TIME_W must be from 8 to 52");
  end
  if (U_FRAC < 16 || U_FRAC > 24) begin : g_check_u_frac
    $fatal(1, "hpcc_window: U_FRAC must be from 16 to 24");
  end
  if (W_FRAC < 0 || W_FRAC > 8) begin : g_check_w_frac
    $fatal(1, "hpcc_window: W_FRAC must be from 0 to 8");
  end
`endif

  // --------------------------------------------------------------------------------------------
  // Configuration stands in registers once: no path begins at its pins.
  // --------------------------------------------------------------------------------------------

  logic                       cfg_int_format_q;
  logic [RTT_W-1:0]           cfg_base_rtt_q;
  logic [INVERSE_W-1:0]       cfg_inverse_rtt_q;
  logic [INVERSE_SHIFT_W-1:0] cfg_inverse_rtt_shift_q;
  logic [ETA_W-1:0]           cfg_eta_q;
  logic [STAGE_W-1:0]         cfg_max_stage_q;
  logic [WINDOW_W-1:0]        cfg_wai_q, cfg_first_window_q;
  logic [PACKET_W-1:0]        cfg_packet_q;
  logic [TIME_W-1:0]          cfg_age_q;

  always_ff @(posedge clk) begin
    cfg_int_format_q        <= cfg_int_format;
    cfg_base_rtt_q          <= cfg_base_rtt;
    cfg_inverse_rtt_q       <= cfg_inverse_rtt;
    cfg_inverse_rtt_shift_q <= cfg_inverse_rtt_shift;
    cfg_eta_q               <= cfg_eta;
    cfg_max_stage_q         <= cfg_max_stage;
    cfg_wai_q               <= cfg_wai;
    cfg_first_window_q      <= cfg_first_window;
    cfg_packet_q            <= cfg_packet;
    cfg_age_q               <= cfg_age;
  end

  // --------------------------------------------------------------------------------------------
  // Init sweep, endless sweep, and time, as of EFFECT_STAGE.
  // --------------------------------------------------------------------------------------------

  logic              init, running, visit;
  logic [CTX_W-1:0]  index, index_d, unused_init_index;
  logic [TIME_W-1:0] now;

  sweep #(
    .COUNT (FLOWS),
    .DELAY (EFFECT_STAGE)
  ) u_sweep (
    .clk         (clk),
    .rst_n       (rst_n),
    .hold        (1'b0),
    .init_active (init),
    .init_index  (unused_init_index),
    .init_done   (init_done),
    .running     (running),
    .visit       (visit),
    .index       (index),
    .index_d     (index_d)
  );

  always_ff @(posedge clk) begin
    if (!rst_n)       now <= TIME_W'(TIME_INIT);
    else if (running) now <= now + 1'b1;
  end

  // --------------------------------------------------------------------------------------------
  // Stage 1: header and records.
  // --------------------------------------------------------------------------------------------

  logic                   header_1, record_1, effect_1;
  logic [FLOW_W-1:0]      flow_1;
  logic [SEQ_W-1:0]       seq_1, snd_nxt_1;
  logic [PATH_W-1:0]      path_1;
  logic [HOP_COUNT_W-1:0] hops_1, index_1;
  logic [GBPS_W-1:0]      rate_1;
  logic [TELEMETRY_W-1:0] ts_1, tx_bytes_1, qlen_1, kept_ts_1, kept_tx_1, kept_qlen_1;

  hpcc_collect #(
    .FLOW_W (FLOW_W)
  ) u_collect (
    .clk          (clk),
    .rst_n        (rst_n),
    .init_done    (init_done),
    .ack_valid    (ack_valid),
    .ack_flow     (ack_flow),
    .ack_seq      (ack_seq),
    .ack_snd_nxt  (ack_snd_nxt),
    .ack_path     (ack_path),
    .ack_hops     (ack_hops),
    .ack_ready    (ack_ready),
    .hop_valid    (hop_valid),
    .hop_rate     (hop_rate),
    .hop_ts       (hop_ts),
    .hop_tx_bytes (hop_tx_bytes),
    .hop_qlen     (hop_qlen),
    .hop_ready    (hop_ready),
    .header_1     (header_1),
    .flow_1       (flow_1),
    .seq_1        (seq_1),
    .snd_nxt_1    (snd_nxt_1),
    .path_1       (path_1),
    .hops_1       (hops_1),
    .record_1     (record_1),
    .index_1      (index_1),
    .rate_1       (rate_1),
    .ts_1         (ts_1),
    .tx_bytes_1   (tx_bytes_1),
    .qlen_1       (qlen_1),
    .effect_1     (effect_1)
  );

  assign kept_ts_1   = ts_bits(cfg_int_format_q, ts_1);
  assign kept_tx_1   = tx_bits(cfg_int_format_q, tx_bytes_1);
  assign kept_qlen_1 = qlen_bits(cfg_int_format_q, qlen_1);

  // --------------------------------------------------------------------------------------------
  // ack_q[i]: an ACK, i cycles after its last beat. Its fields in EFFECT_STAGE.
  // --------------------------------------------------------------------------------------------

  logic [ANSWER_STAGE:EFFECT_STAGE] ack_q;
  logic [FLOW_W-1:0]                flow_2_q;
  logic [SEQ_W-1:0]                 seq_2_q, snd_nxt_2_q;
  logic [PATH_W-1:0]                path_2_q;
  logic [HOP_COUNT_W-1:0]           hops_2_q;
  logic [CTX_W-1:0]                 ctx_1, ctx_2;

  assign ctx_1 = flow_1[CTX_W-1:0];
  assign ctx_2 = flow_2_q[CTX_W-1:0];

  always_ff @(posedge clk) begin
    if (!rst_n) ack_q <= '0;
    else        ack_q <= {ack_q[ANSWER_STAGE-1:EFFECT_STAGE], effect_1};
  end

  always_ff @(posedge clk) begin
    if (header_1 || record_1) begin
      flow_2_q    <= flow_1;
      seq_2_q     <= seq_1;
      snd_nxt_2_q <= snd_nxt_1;
      path_2_q    <= path_1;
      hops_2_q    <= hops_1;
    end
  end

  // --------------------------------------------------------------------------------------------
  // EFFECT_STAGE: what is open, what is stored, what the ACK is.
  // --------------------------------------------------------------------------------------------

  logic              open_2, close_2, flow_open, mark_2, fresh_2, matches_2, stale_2, bad_rate_2;
  logic              stores_2, moves_2;
  logic [FLOW_W-1:0] open_flow_2, close_flow_2;
  logic [2:0]        open_error_2, close_error_2, error_2;
  logic [1:0]        branch_2;

  logic              look, look_open, look_mark, look_seen, look_stored, fetch, look_at_u;
  logic              look_at_window;
  logic [CTX_W-1:0]  look_ctx;
  logic [TIME_W-1:0] look_stored_at;
  logic [PATH_W-1:0] look_path;
  logic [2:0]        look_hops, fetch_index;

  hpcc_flows #(
    .FLOWS  (FLOWS),
    .FLOW_W (FLOW_W)
  ) u_flows (
    .clk           (clk),
    .rst_n         (rst_n),
    .init          (init),
    .init_ctx      (index),
    .open_valid    (open_valid),
    .open_flow     (open_flow),
    .close_valid   (close_valid),
    .close_flow    (close_flow),
    .ack_read      (header_1 || record_1),
    .ack_ctx_d     (ctx_1),
    .ack_ctx       (ctx_2),
    .ack_open      (flow_open),
    .ack_mark      (mark_2),
    .seen_we       (stores_2),
    .peek_read     (look),
    .peek_ctx      (look_ctx),
    .peek_open     (look_open),
    .peek_mark     (look_mark),
    .open_2        (open_2),
    .open_flow_2   (open_flow_2),
    .open_error_2  (open_error_2),
    .close_2       (close_2),
    .close_flow_2  (close_flow_2),
    .close_error_2 (close_error_2)
  );

  logic [TELEMETRY_W-1:0] old_ts_2, old_tx_2, old_qlen_2, look_ts, look_tx, look_qlen;

  hpcc_telemetry #(
    .FLOWS  (FLOWS),
    .HOPS   (HOPS),
    .TIME_W (TIME_W)
  ) u_telemetry (
    .clk            (clk),
    .cfg_age        (cfg_age_q),
    .init           (init),
    .visit          (visit),
    .index          (index),
    .index_d        (index_d),
    .now            (now),
    .header_1       (header_1),
    .record_1       (record_1),
    .ctx_1          (ctx_1),
    .index_1        (index_1),
    .ts_1           (kept_ts_1),
    .tx_1           (kept_tx_1),
    .qlen_1         (kept_qlen_1),
    .old_ts_2       (old_ts_2),
    .old_tx_2       (old_tx_2),
    .old_qlen_2     (old_qlen_2),
    .ctx_2          (ctx_2),
    .path_2         (path_2_q),
    .hops_2         (hops_2_q),
    .mark_2         (mark_2),
    .fresh_2        (fresh_2),
    .matches_2      (matches_2),
    .stores_2       (stores_2),
    .peek_read      (look),
    .peek_ctx       (look_ctx),
    .peek_seen      (look_seen),
    .peek_stored    (look_stored),
    .peek_stored_at (look_stored_at),
    .peek_path      (look_path),
    .peek_hops      (look_hops),
    .peek_fetch     (fetch),
    .peek_index     (fetch_index),
    .peek_ts        (look_ts),
    .peek_tx        (look_tx),
    .peek_qlen      (look_qlen)
  );

  always_comb begin
    error_2 = ErrorNone;
    if (32'(flow_2_q) >= 32'(FLOWS))   error_2 = ErrorRange;
    else if (!flow_open)               error_2 = ErrorClosed;
    else if (32'(hops_2_q) > 32'(HOPS)) error_2 = ErrorHops;
  end

  // The branch of a measured ACK is known later.
  always_comb begin
    branch_2 = BranchStored;
    if (error_2 == ErrorNone && matches_2) branch_2 = stale_2 ? BranchStale : BranchAdditive;
  end

  assign moves_2  = branch_2 == BranchAdditive;
  assign stores_2 = ack_q[EFFECT_STAGE] && error_2 == ErrorNone && branch_2 != BranchStale;

  // --------------------------------------------------------------------------------------------
  // What stands aside until the ACK's U, its window, and its answer.
  // --------------------------------------------------------------------------------------------

  logic [CTX_W-1:0]  u_ctx, window_ctx;
  logic              u_fresh, u_moves, window_fresh, window_refused, answer_bad_rate;
  logic [1:0]        window_branch;
  logic [SEQ_W-1:0]  window_seq, window_snd_nxt;
  logic [FLOW_W-1:0] answer_flow;
  logic [2:0]        answer_error;
  logic              refused_2, starts_2;

  assign refused_2 = error_2 != ErrorNone;
  assign starts_2  = fresh_2 && !refused_2;

  hpcc_aside #(
    .WIDTH (CTX_W + 2),
    .DEPTH (16)
  ) u_aside_u (
    .clk   (clk),
    .rst_n (rst_n),
    .put   (ack_q[EFFECT_STAGE]),
    .word  ({ctx_2, starts_2, moves_2}),
    .take  (ack_q[U_READ_STAGE-1]),
    .taken ({u_ctx, u_fresh, u_moves})
  );

  hpcc_aside #(
    .WIDTH (CTX_W + 4),
    .DEPTH (32)
  ) u_aside_window (
    .clk   (clk),
    .rst_n (rst_n),
    .put   (ack_q[EFFECT_STAGE]),
    .word  ({ctx_2, starts_2, refused_2, branch_2}),
    .take  (ack_q[WINDOW_READ_STAGE-1]),
    .taken ({window_ctx, window_fresh, window_refused, window_branch})
  );

  hpcc_aside #(
    .WIDTH (2 * SEQ_W),
    .DEPTH (32)
  ) u_aside_seq (
    .clk   (clk),
    .rst_n (rst_n),
    .put   (ack_q[EFFECT_STAGE]),
    .word  ({seq_2_q, snd_nxt_2_q}),
    .take  (ack_q[WINDOW_READ_STAGE-1]),
    .taken ({window_seq, window_snd_nxt})
  );

  hpcc_aside #(
    .WIDTH (FLOW_W + 4),
    .DEPTH (32)
  ) u_aside_answer (
    .clk   (clk),
    .rst_n (rst_n),
    .put   (ack_q[EFFECT_STAGE]),
    .word  ({flow_2_q, error_2, bad_rate_2 && moves_2}),
    .take  (ack_q[ANSWER_STAGE-1]),
    .taken ({answer_flow, answer_error, answer_bad_rate})
  );

  // --------------------------------------------------------------------------------------------
  // The parts.
  // --------------------------------------------------------------------------------------------

  logic                     measured, capped, busy;
  logic [HOP_U_W-1:0]       hop_u;
  logic [RTT_W-1:0]         dt;
  logic [RATIO_W-1:0]       quotient;
  logic [RATIO_SHIFT_W-1:0] ratio_shift;
  logic [U_W-1:0]           u_1, u_2_q, u_3_q, u_4_q, look_u;
  logic [WINDOW_W-1:0]      window_d, first_window, look_window, look_reference;
  logic [PACE_W-1:0]        rate_d;
  logic [STAGE_W-1:0]       stage_d, look_stage;
  logic [1:0]               branch_d;
  logic [SEQ_W-1:0]         look_last_update_seq;

  hpcc_measure u_measure (
    .clk                   (clk),
    .rst_n                 (rst_n),
    .cfg_int_format        (cfg_int_format_q),
    .cfg_base_rtt          (cfg_base_rtt_q),
    .cfg_inverse_rtt       (cfg_inverse_rtt_q),
    .cfg_inverse_rtt_shift (cfg_inverse_rtt_shift_q),
    .record_1              (record_1),
    .first_1               (index_1 == '0),
    .gbps_1                (gbps(cfg_int_format_q, rate_1)),
    .ts_1                  (kept_ts_1),
    .tx_1                  (kept_tx_1),
    .qlen_1                (kept_qlen_1),
    .matches_2             (matches_2 && flow_open),
    .old_ts_2              (old_ts_2),
    .old_tx_2              (old_tx_2),
    .old_qlen_2            (old_qlen_2),
    .stale_2               (stale_2),
    .bad_rate_2            (bad_rate_2),
    .fold                  (ack_q[FOLD_STAGE]),
    .measured              (measured),
    .hop_u                 (hop_u),
    .capped                (capped),
    .dt                    (dt)
  );

  hpcc_average #(
    .FLOWS  (FLOWS),
    .U_FRAC (U_FRAC)
  ) u_average (
    .clk                   (clk),
    .rst_n                 (rst_n),
    .cfg_inverse_rtt       (cfg_inverse_rtt_q),
    .cfg_inverse_rtt_shift (cfg_inverse_rtt_shift_q),
    .cfg_eta               (cfg_eta_q),
    .ack                   (ack_q[RATIO_STAGE:FOLD_STAGE+1]),
    .take                  (ack_q[WINDOW_READ_STAGE]),
    .measured              (measured),
    .hop_u                 (hop_u),
    .capped                (capped),
    .dt                    (dt),
    .ctx                   (u_ctx),
    .fresh                 (u_fresh),
    .moves                 (u_moves),
    .quotient              (quotient),
    .shift                 (ratio_shift),
    .busy                  (busy),
    .u                     (u_1),
    .peek_read             (look_at_u),
    .peek_ctx              (look_ctx),
    .peek_u                (look_u)
  );

  hpcc_apply #(
    .FLOWS  (FLOWS),
    .W_FRAC (W_FRAC)
  ) u_apply (
    .clk                   (clk),
    .rst_n                 (rst_n),
    .cfg_inverse_rtt       (cfg_inverse_rtt_q),
    .cfg_inverse_rtt_shift (cfg_inverse_rtt_shift_q),
    .cfg_max_stage         (cfg_max_stage_q),
    .cfg_wai               (cfg_wai_q),
    .cfg_first_window      (cfg_first_window_q),
    .cfg_packet            (cfg_packet_q),
    .ack                   (ack_q[WINDOW_STAGE+1:WINDOW_READ_STAGE]),
    .ctx                   (window_ctx),
    .refused               (window_refused),
    .branch                (window_branch),
    .fresh                 (window_fresh),
    .seq                   (window_seq),
    .snd_nxt               (window_snd_nxt),
    .quotient              (quotient),
    .shift                 (ratio_shift),
    .busy                  (busy),
    .window_d              (window_d),
    .rate_d                (rate_d),
    .stage_d               (stage_d),
    .branch_d              (branch_d),
    .first_window          (first_window),
    .peek_read             (look_at_window),
    .peek_ctx              (look_ctx),
    .peek_window           (look_window),
    .peek_reference        (look_reference),
    .peek_stage            (look_stage),
    .peek_last_update_seq  (look_last_update_seq)
  );

  logic peeked_range_d;

  hpcc_peek #(
    .FLOWS  (FLOWS),
    .FLOW_W (FLOW_W),
    .HOPS   (HOPS),
    .TIME_W (TIME_W),
    .U_FRAC (U_FRAC),
    .W_FRAC (W_FRAC)
  ) u_peek (
    .clk                    (clk),
    .rst_n                  (rst_n),
    .init_done              (init_done),
    .peek_valid             (peek_valid),
    .peek_flow              (peek_flow),
    .peek_ready             (peek_ready),
    .look                   (look),
    .look_ctx               (look_ctx),
    .look_open              (look_open),
    .look_mark              (look_mark),
    .look_seen              (look_seen),
    .look_stored            (look_stored),
    .look_stored_at         (look_stored_at),
    .look_path              (look_path),
    .look_hops              (look_hops),
    .fetch                  (fetch),
    .fetch_index            (fetch_index),
    .look_ts                (look_ts),
    .look_tx                (look_tx),
    .look_qlen              (look_qlen),
    .look_at_u              (look_at_u),
    .look_u                 (look_u),
    .look_at_window         (look_at_window),
    .look_window            (look_window),
    .look_reference         (look_reference),
    .look_stage             (look_stage),
    .look_last_update_seq   (look_last_update_seq),
    .first_window           (first_window),
    .peeked_valid           (peeked_valid),
    .peeked_flow            (peeked_flow),
    .peeked_open            (peeked_open),
    .peeked_window          (peeked_window),
    .peeked_reference       (peeked_reference),
    .peeked_u               (peeked_u),
    .peeked_stage           (peeked_stage),
    .peeked_last_update_seq (peeked_last_update_seq),
    .peeked_stored          (peeked_stored),
    .peeked_stored_at       (peeked_stored_at),
    .peeked_path            (peeked_path),
    .peeked_hops            (peeked_hops),
    .peeked_ts0             (peeked_ts0),
    .peeked_tx0             (peeked_tx0),
    .peeked_qlen0           (peeked_qlen0),
    .peeked_ts1             (peeked_ts1),
    .peeked_tx1             (peeked_tx1),
    .peeked_qlen1           (peeked_qlen1),
    .peeked_ts2             (peeked_ts2),
    .peeked_tx2             (peeked_tx2),
    .peeked_qlen2           (peeked_qlen2),
    .peeked_ts3             (peeked_ts3),
    .peeked_tx3             (peeked_tx3),
    .peeked_qlen3           (peeked_qlen3),
    .peeked_ts4             (peeked_ts4),
    .peeked_tx4             (peeked_tx4),
    .peeked_qlen4           (peeked_qlen4),
    .peeked_error           (peeked_error),
    .peeked_range_d         (peeked_range_d)
  );

  // --------------------------------------------------------------------------------------------
  // Answers. U waits for its window.
  // --------------------------------------------------------------------------------------------

  logic err_open_d, err_close_d;

  assign err_open_d  = open_2 && open_error_2 != ErrorNone;
  assign err_close_d = close_2 && close_error_2 != ErrorNone;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      win_valid       <= 1'b0;
      err_open_valid  <= 1'b0;
      err_close_valid <= 1'b0;
    end else begin
      win_valid       <= ack_q[ANSWER_STAGE];
      err_open_valid  <= err_open_d;
      err_close_valid <= err_close_d;
    end
  end

  always_ff @(posedge clk) begin
    if (ack_q[WINDOW_READ_STAGE+1]) u_2_q <= u_1;
    if (ack_q[WINDOW_STAGE])        u_3_q <= u_2_q;
    if (ack_q[WINDOW_STAGE+1])      u_4_q <= u_3_q;
    if (ack_q[ANSWER_STAGE]) begin
      win_flow   <= answer_flow;
      win_window <= window_d;
      win_rate   <= rate_d;
      win_u      <= u_4_q;
      win_stage  <= stage_d;
      win_branch <= branch_d;
      win_error  <= answer_error;
    end
    if (err_open_d) begin
      err_open_flow  <= open_flow_2;
      err_open_error <= open_error_2;
    end
    if (err_close_d) begin
      err_close_flow  <= close_flow_2;
      err_close_error <= close_error_2;
    end
  end

  // --------------------------------------------------------------------------------------------
  // Counters: saturating, the beats of the next cycle included.
  // --------------------------------------------------------------------------------------------

  function automatic logic [15:0] count(input logic [15:0] counter, input logic [2:0] more);
    logic [16:0] sum;
    sum = {1'b0, counter} + 17'(more);
    return sum[16] ? 16'hffff : sum[15:0];
  endfunction

  logic       win_d;
  logic [2:0] range_d, closed_d;

  assign win_d    = ack_q[ANSWER_STAGE];
  assign range_d  = 3'(win_d && answer_error == ErrorRange)
                    + 3'(err_open_d && open_error_2 == ErrorRange)
                    + 3'(err_close_d && close_error_2 == ErrorRange) + 3'(peeked_range_d);
  assign closed_d = 3'(win_d && answer_error == ErrorClosed)
                    + 3'(err_open_d && open_error_2 == ErrorClosed)
                    + 3'(err_close_d && close_error_2 == ErrorClosed);

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      stat_acks     <= '0;
      stat_range    <= '0;
      stat_closed   <= '0;
      stat_hops     <= '0;
      stat_stored   <= '0;
      stat_stale    <= '0;
      stat_bad_rate <= '0;
    end else if (win_d || err_open_d || err_close_d || peeked_range_d) begin
      stat_range  <= count(stat_range, range_d);
      stat_closed <= count(stat_closed, closed_d);
      if (win_d) begin
        stat_acks <= count(stat_acks, 3'd1);
        if (answer_error == ErrorHops) stat_hops <= count(stat_hops, 3'd1);
        if (answer_bad_rate)           stat_bad_rate <= count(stat_bad_rate, 3'd1);
        if (answer_error == ErrorNone && branch_d == BranchStored) begin
          stat_stored <= count(stat_stored, 3'd1);
        end
        if (answer_error == ErrorNone && branch_d == BranchStale) begin
          stat_stale <= count(stat_stale, 3'd1);
        end
      end
    end
  end

`ifdef CONGRUENT_ASSERT
  logic legal_q;

  always_ff @(posedge clk) begin
    if (!rst_n) legal_q <= 1'b0;
    else        legal_q <= init_done;
  end

  always @(posedge clk) begin
    if (rst_n && (open_valid || close_valid || ack_valid || hop_valid || peek_valid)) begin
      assert (legal_q || !(open_valid || close_valid || ack_ready || hop_ready || peek_ready))
        else $error("hpcc_window: an event before the cycle after init_done");
    end
    if (rst_n && stores_2) begin
      assert (branch_2 != BranchStored || fresh_2 || !moves_2)
        else $error("hpcc_window: an ACK of flow %0d is stored and measured", flow_2_q);
      assert (!fresh_2 || branch_2 == BranchStored)
        else $error("hpcc_window: flow %0d is fresh and an ACK of it is measured", flow_2_q);
    end
  end
`endif

endmodule
