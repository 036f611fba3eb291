// NSCC congestion-window unit of a NIC, one context for each of DESTS destinations: MRC (UET = 0)
// or UET 1.0 (UET = 1). Ports, latencies and the order of effects within a cycle are those of the
// table hw/ports/src/nscc_window.rs; the arithmetic is that of hw/src/nscc_window/core.rs.
//
// The unit is serial: one event at a time. Its state is read in the cycle in which it is taken and
// written EFFECT_STAGE cycles later, when the next one may be taken; an event that divides keeps
// the unit until APPLY_STAGE. So a stage is a valid bit only: what came from the pins and from the
// memories stands still while the parts work on it. nscc_flight has the bytes in flight,
// nscc_delay the round-trip times, nscc_times what is timed, nscc_adapt Quick Adapt, nscc_cwnd the
// window, nscc_pending the increase; nscc_apply divides; nscc_peek shows the state.

module nscc_window
  import congruent_pkg::*;
  import nscc_pkg::*;
#(
  parameter int DESTS = 256,
  parameter int DST_W = 12,
  parameter int UET = 0,
  parameter int TIME_W = 32,
  parameter int TIME_INIT = -96,
  parameter int CWND_FRAC = 8,
  parameter int RTT_W = 20
) (
  input  logic                          clk,
  input  logic                          rst_n,

  // Configuration, stable from before reset is released.
  input  logic                          cfg_pass_through,
  input  logic                          cfg_disable_quick_adapt,
  input  logic                          cfg_delay_trigger,
  input  logic                          cfg_window_fixed,
  input  logic [GATE_W-1:0]             cfg_quick_adapt_gate,
  input  logic [RTT_W+RTT_FRAC-1:0]     cfg_quick_adapt_threshold,
  input  logic [PACKET_W-1:0]           cfg_packet,
  input  logic [RTT_W+RTT_FRAC-1:0]     cfg_base_rtt,
  input  logic [RTT_W+RTT_FRAC-1:0]     cfg_target,
  input  logic [RTT_W+RTT_FRAC-1:0]     cfg_margin,
  input  logic [BYTES_W+CWND_FRAC-1:0]  cfg_first_window,
  input  logic [WINDOW_RATE_W-1:0]      cfg_window_rate,
  input  logic [ALPHA_W-1:0]            cfg_alpha,
  input  logic [GAIN_W-1:0]             cfg_fair,
  input  logic [BYTES_W+CWND_FRAC-1:0]  cfg_eta,
  input  logic [FAST_W-1:0]             cfg_fast,
  input  logic [SHARE_W-1:0]            cfg_delay_alpha,
  input  logic [SHARE_W-1:0]            cfg_gamma,
  input  logic [SHARE_W-1:0]            cfg_smallest_keep,

  // An event of one destination.
  input  logic                          evt_valid,
  input  logic [2:0]                    evt_kind,
  input  logic [DST_W-1:0]              evt_dst,
  input  logic [BYTES_W-1:0]            evt_bytes,
  input  logic [BYTES_W-1:0]            evt_flight,
  input  logic                          evt_rtt_valid,
  input  logic [RTT_W+RTT_FRAC-1:0]     evt_rtt,
  input  logic                          evt_trimmed,
  input  logic                          evt_ecn,
  input  logic [PENALTY_W-1:0]          evt_penalty,
  input  logic                          evt_restore,
  output logic                          evt_ready,

  // A destination's state is asked for.
  input  logic                          peek_valid,
  input  logic [DST_W-1:0]              peek_dst,
  output logic                          peek_ready,

  // The answer to each event.
  output logic                          win_valid,
  output logic [2:0]                    win_kind,
  output logic [DST_W-1:0]              win_dst,
  output logic [BYTES_W+CWND_FRAC-1:0]  win_cwnd,
  output logic [BYTES_W-1:0]            win_in_flight,
  output logic [RTT_W+RTT_FRAC-1:0]     win_base_rtt,
  output logic [RTT_W+AVERAGE_FRAC-1:0] win_avg_delay,
  output logic [3:0]                    win_routine,
  output logic                          win_granted,
  output logic                          win_wants_cack,
  output logic                          win_qa_fired,
  output logic [2:0]                    win_error,

  // The answer to each peek.
  output logic                          peeked_valid,
  output logic [DST_W-1:0]              peeked_dst,
  output logic                          peeked_open,
  output logic [BYTES_W+CWND_FRAC-1:0]  peeked_cwnd,
  output logic [BYTES_W-1:0]            peeked_in_flight,
  output logic [RTT_W+RTT_FRAC-1:0]     peeked_base_rtt,
  output logic [RTT_W+AVERAGE_FRAC-1:0] peeked_avg_delay,
  output logic [BYTES_W+CWND_FRAC-1:0]  peeked_max_window,
  output logic [PENDING_W-1:0]          peeked_pending,
  output logic [BYTES_W-1:0]            peeked_received,
  output logic                          peeked_eta_due,
  output logic [TIME_W-1:0]             peeked_last_eta,
  output logic [BYTES_W-1:0]            peeked_fast_count,
  output logic                          peeked_fast_on,
  output logic                          peeked_qa_open,
  output logic                          peeked_qa_over,
  output logic [TIME_W-1:0]             peeked_qa_end,
  output logic [BYTES_W-1:0]            peeked_qa_bytes,
  output logic                          peeked_qa_trigger,
  output logic [BYTES_W-1:0]            peeked_ignore_left,
  output logic                          peeked_cut_held,
  output logic [TIME_W-1:0]             peeked_last_cut,
  output logic [BYTES_W+CWND_FRAC-1:0]  peeked_saved_cwnd,
  output logic [2:0]                    peeked_error,

  // Levels.
  output logic                          init_done,
  output logic [15:0]                   stat_events,
  output logic [15:0]                   stat_range,
  output logic [15:0]                   stat_closed,
  output logic [15:0]                   stat_underflow,
  output logic [15:0]                   stat_quick_adapts,
  output logic [15:0]                   stat_fast_increases
);

  localparam int CTX_W = $clog2(DESTS);
  localparam int WINDOW_W = BYTES_W + CWND_FRAC;
  localparam int DELAY_W = RTT_W + RTT_FRAC;
  localparam int AVERAGE_W = RTT_W + AVERAGE_FRAC;

  // --------------------------------------------------------------------------------------------
  // Parameters that cannot work stop elaboration.
  // --------------------------------------------------------------------------------------------

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (DESTS < 2 || DESTS > 4096 || (DESTS & (DESTS - 1)) != 0) begin : g_check_dests
    $fatal(1, "nscc_window: DESTS must be a power of two from 2 to 4096");
  end
  if (DST_W < CTX_W || DST_W > 16) begin : g_check_dst_w
    $fatal(1, "nscc_window: DST_W must be from log2(DESTS) to 16");
  end
  if (UET < 0 || UET > 1) begin : g_check_uet
    $fatal(1, "nscc_window: UET must be 0 or 1");
  end
  if (TIME_W < 8 || TIME_W > 32) begin : g_check_time_w
    $fatal(1, "nscc_window: TIME_W must be from 8 to 32");
  end
  if (CWND_FRAC < 4 || CWND_FRAC > 8) begin : g_check_cwnd_frac
    $fatal(1, "nscc_window: CWND_FRAC must be from 4 to 8");
  end
  if (RTT_W < 12 || RTT_W > 24) begin : g_check_rtt_w
    $fatal(1, "nscc_window: RTT_W must be from 12 to 24");
  end
`endif

  // --------------------------------------------------------------------------------------------
  // Init sweep, endless sweep and time. An event's write and a peek take the sweep's slot.
  // --------------------------------------------------------------------------------------------

  logic              init, running, visit, sweep_stands, effect;
  logic [4:1]        stage_q;
  logic [CTX_W-1:0]  index, index_d, unused_init_index;
  logic [TIME_W-1:0] now;

  sweep #(
    .COUNT (DESTS)
  ) u_sweep (
    .clk         (clk),
    .rst_n       (rst_n),
    .hold        (sweep_stands || stage_q[EFFECT_STAGE]),
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
  // The event that is under way. stage_q[i]: i cycles after it was taken. Its registers stand still
  // until the next one is taken.
  // --------------------------------------------------------------------------------------------

  logic                 accepted, init_done_q, divides_d, divides, dividing_q, ending, applied;
  logic [2:0]           kind_q;
  logic [DST_W-1:0]     dst_q;
  logic [BYTES_W-1:0]   bytes_q, flight_q;
  logic                 rtt_valid_q, trimmed_q, ecn_q, restore_q;
  logic [DELAY_W-1:0]   rtt_q;
  logic [PENALTY_W-1:0] penalty_q;
  logic [TIME_W-1:0]    evt_now_q;
  logic [CTX_W-1:0]     read_ctx, ctx;

  assign accepted = evt_valid && evt_ready;
  assign read_ctx = evt_dst[CTX_W-1:0];
  assign ctx      = dst_q[CTX_W-1:0];

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      stage_q     <= '0;
      init_done_q <= 1'b0;
      evt_ready   <= 1'b0;
      dividing_q  <= 1'b0;
    end else begin
      stage_q     <= {stage_q[3:1], accepted};
      init_done_q <= init_done;
      // Ready rises in cycle 0, and for the next event in the cycle in which this one is written.
      if (accepted)                                    evt_ready <= 1'b0;
      else if ((stage_q[3] && !divides_d) || ending)   evt_ready <= 1'b1;
      else if (!init_done_q)                           evt_ready <= init_done;
      if (stage_q[3])   dividing_q <= divides_d;
      else if (applied) dividing_q <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    if (accepted) begin
      kind_q      <= evt_kind;
      dst_q       <= evt_dst;
      bytes_q     <= evt_bytes;
      flight_q    <= evt_flight;
      rtt_valid_q <= evt_rtt_valid;
      rtt_q       <= evt_rtt;
      trimmed_q   <= evt_trimmed;
      ecn_q       <= evt_ecn;
      penalty_q   <= evt_penalty;
      restore_q   <= evt_restore;
      evt_now_q   <= now;
    end
  end

  // What it is, from stage 1 on.
  logic opens, closes, send, sack, loss, probe, sampled, sack_sampled, trims;
  logic leaves_flight, lowers_ignored, out_of_range, refused;
  logic open;

  assign opens          = kind_q == KindOpen;
  assign closes         = kind_q == KindClose;
  assign send           = kind_q == KindSend;
  assign sack           = kind_q == KindSack;
  assign loss           = kind_q == KindLoss;
  assign probe          = kind_q == KindProbe;
  assign sampled        = (sack || kind_q == KindNack) && rtt_valid_q;
  assign sack_sampled   = sack && rtt_valid_q;
  assign trims          = kind_q == KindNack && trimmed_q;
  assign leaves_flight  = sack || loss || kind_q == KindNack || kind_q == KindCack;
  assign lowers_ignored = sack || loss || trims || kind_q == KindCack;
  assign out_of_range   = 32'(dst_q) >= 32'(DESTS);
  assign refused        = out_of_range || open == opens;
  assign effect         = !refused;

  // --------------------------------------------------------------------------------------------
  // Whether a destination is open.
  // --------------------------------------------------------------------------------------------

  logic             look, look_late, looked, look_open;
  logic [CTX_W-1:0] look_ctx;

  ram_1w2r #(
    .WIDTH (1),
    .DEPTH (DESTS)
  ) u_open (
    .clk     (clk),
    .we      (init || (stage_q[EFFECT_STAGE] && effect && (opens || closes))),
    .waddr   (init ? index : ctx),
    .wdata   (!init && opens),
    .a_re    (accepted),
    .a_raddr (read_ctx),
    .a_rdata (open),
    .b_re    (look),
    .b_raddr (look_ctx),
    .b_rdata (look_open)
  );

  // --------------------------------------------------------------------------------------------
  // The parts.
  // --------------------------------------------------------------------------------------------

  logic                 ignoring, underflow, granted, wants_cack;
  logic [BYTES_W-1:0]   in_flight_next, qa_bytes_next;
  logic [DELAY_W-1:0]   base_rtt_next, sample;
  logic [WINDOW_W-1:0]  max_window_d, max_window_next, cwnd, cwnd_next, applied_cwnd;
  logic [AVERAGE_W-1:0] avg_delay_d, avg_delay_next;
  logic                 eta_due, qa_running, cut_held;
  logic                 fires, fired, window_opened;
  logic                 due_by_bytes, due, eta_added, cut_made;
  logic [3:0]           routine;
  logic [PENDING_W-1:0] pending_sum;

  logic [TIME_W-1:0]    look_now, look_last_eta, look_qa_end, look_last_cut;
  logic [BYTES_W-1:0]   look_in_flight, look_ignore_left, look_received, look_fast_count;
  logic [BYTES_W-1:0]   look_qa_bytes;
  logic [DELAY_W-1:0]   look_base_rtt;
  logic [AVERAGE_W-1:0] look_avg_delay;
  logic [WINDOW_W-1:0]  look_max_window, look_cwnd, look_saved_cwnd;
  logic [PENDING_W-1:0] look_pending;
  logic                 look_eta_due, look_qa_running, look_cut_held, look_fast_on;
  logic                 look_qa_open, look_qa_trigger, peeked_range_d;

  nscc_flight #(
    .DESTS     (DESTS),
    .CWND_FRAC (CWND_FRAC)
  ) u_flight (
    .clk              (clk),
    .rst_n            (rst_n),
    .cfg_pass_through (cfg_pass_through),
    .cfg_packet       (cfg_packet),
    .read             (accepted),
    .read_ctx         (read_ctx),
    .stage            (stage_q),
    .effect           (effect),
    .ctx              (ctx),
    .send             (send),
    .opens            (opens),
    .leaves_flight    (leaves_flight),
    .lowers_ignored   (lowers_ignored),
    .flight           (flight_q),
    .cwnd             (cwnd),
    .fired            (fired),
    .ignoring         (ignoring),
    .underflow        (underflow),
    .granted          (granted),
    .wants_cack       (wants_cack),
    .in_flight_next   (in_flight_next),
    .look             (look),
    .look_ctx         (look_ctx),
    .look_in_flight   (look_in_flight),
    .look_ignore_left (look_ignore_left)
  );

  nscc_delay #(
    .DESTS     (DESTS),
    .CWND_FRAC (CWND_FRAC),
    .RTT_W     (RTT_W)
  ) u_delay (
    .clk              (clk),
    .rst_n            (rst_n),
    .cfg_window_fixed (cfg_window_fixed),
    .cfg_first_window (cfg_first_window),
    .cfg_window_rate  (cfg_window_rate),
    .cfg_base_rtt     (cfg_base_rtt),
    .cfg_delay_alpha  (cfg_delay_alpha),
    .read             (accepted),
    .read_ctx         (read_ctx),
    .stage            (stage_q),
    .effect           (effect),
    .ctx              (ctx),
    .opens            (opens),
    .probe            (probe),
    .sampled          (sampled),
    .averages         (sack_sampled || trims),
    .trims            (trims),
    .rtt              (rtt_q),
    .base_rtt_next    (base_rtt_next),
    .sample           (sample),
    .max_window_d     (max_window_d),
    .max_window_next  (max_window_next),
    .avg_delay_d      (avg_delay_d),
    .avg_delay_next   (avg_delay_next),
    .look             (look),
    .look_ctx         (look_ctx),
    .look_base_rtt    (look_base_rtt),
    .look_avg_delay   (look_avg_delay),
    .look_max_window  (look_max_window)
  );

  nscc_times #(
    .DESTS  (DESTS),
    .UET    (UET),
    .TIME_W (TIME_W),
    .RTT_W  (RTT_W)
  ) u_times (
    .clk             (clk),
    .rst_n           (rst_n),
    .cfg_base_rtt    (cfg_base_rtt),
    .cfg_target      (cfg_target),
    .init            (init),
    .visit           (visit),
    .index           (index),
    .index_d         (index_d),
    .now             (now),
    .read            (accepted),
    .read_ctx        (read_ctx),
    .stage           (stage_q),
    .effect          (effect),
    .ctx             (ctx),
    .opens           (opens),
    .closes          (closes),
    .evt_now         (evt_now_q),
    .base_rtt        (base_rtt_next),
    .eta_added       (eta_added),
    .window_opened   (window_opened),
    .cut_made        (cut_made),
    .eta_due         (eta_due),
    .qa_running      (qa_running),
    .cut_held        (cut_held),
    .look            (look),
    .look_ctx        (look_ctx),
    .looked          (looked),
    .look_now        (look_now),
    .look_base_rtt   (look_base_rtt),
    .look_eta_due    (look_eta_due),
    .look_last_eta   (look_last_eta),
    .look_qa_running (look_qa_running),
    .look_qa_end     (look_qa_end),
    .look_cut_held   (look_cut_held),
    .look_last_cut   (look_last_cut)
  );

  nscc_adapt #(
    .DESTS     (DESTS),
    .UET       (UET),
    .CWND_FRAC (CWND_FRAC),
    .RTT_W     (RTT_W)
  ) u_adapt (
    .clk                       (clk),
    .rst_n                     (rst_n),
    .cfg_disable_quick_adapt   (cfg_disable_quick_adapt),
    .cfg_delay_trigger         (cfg_delay_trigger),
    .cfg_quick_adapt_gate      (cfg_quick_adapt_gate),
    .cfg_quick_adapt_threshold (cfg_quick_adapt_threshold),
    .read                      (accepted),
    .read_ctx                  (read_ctx),
    .stage                     (stage_q),
    .effect                    (effect),
    .ctx                       (ctx),
    .opens                     (opens),
    .sack                      (sack),
    .sampled                   (sack_sampled),
    .trims                     (trims),
    .bytes                     (bytes_q),
    .ignoring                  (ignoring),
    .qa_running                (qa_running),
    .sample                    (sample),
    .avg_delay                 (avg_delay_d),
    .max_window                (max_window_d),
    .qa_bytes_next             (qa_bytes_next),
    .fires                     (fires),
    .fired                     (fired),
    .window_opened             (window_opened),
    .look                      (look),
    .look_ctx                  (look_ctx),
    .look_qa_open              (look_qa_open),
    .look_qa_trigger           (look_qa_trigger),
    .look_qa_bytes             (look_qa_bytes)
  );

  nscc_cwnd #(
    .DESTS     (DESTS),
    .UET       (UET),
    .CWND_FRAC (CWND_FRAC),
    .RTT_W     (RTT_W)
  ) u_cwnd (
    .clk              (clk),
    .rst_n            (rst_n),
    .cfg_packet       (cfg_packet),
    .cfg_first_window (cfg_first_window),
    .cfg_target       (cfg_target),
    .cfg_margin       (cfg_margin),
    .cfg_fast         (cfg_fast),
    .read             (accepted),
    .read_ctx         (read_ctx),
    .stage            (stage_q),
    .effect           (effect),
    .ctx              (ctx),
    .opens            (opens),
    .closes           (closes),
    .sack             (sack),
    .sampled          (sack_sampled),
    .trims            (trims),
    .loss             (loss),
    .bytes            (bytes_q),
    .flight           (flight_q),
    .ecn              (ecn_q),
    .penalty          (penalty_q),
    .restore          (restore_q),
    .in_flight        (in_flight_next),
    .sample           (sample),
    .ignoring         (ignoring),
    .fires            (fires),
    .cut_held         (cut_held),
    .avg_delay        (avg_delay_d),
    .max_window       (max_window_d),
    .max_window_next  (max_window_next),
    .qa_bytes         (qa_bytes_next),
    .due_by_time      (eta_due),
    .due_by_bytes     (due_by_bytes),
    .cwnd             (cwnd),
    .divides_d        (divides_d),
    .divides          (divides),
    .due              (due),
    .eta_added        (eta_added),
    .cut_made         (cut_made),
    .routine          (routine),
    .cwnd_next        (cwnd_next),
    .applied          (applied),
    .applied_cwnd     (applied_cwnd),
    .look             (look),
    .look_ctx         (look_ctx),
    .look_cwnd        (look_cwnd),
    .look_fast_on     (look_fast_on),
    .look_fast_count  (look_fast_count),
    .look_saved_cwnd  (look_saved_cwnd)
  );

  nscc_pending #(
    .DESTS (DESTS),
    .RTT_W (RTT_W)
  ) u_pending (
    .clk           (clk),
    .rst_n         (rst_n),
    .cfg_packet    (cfg_packet),
    .cfg_target    (cfg_target),
    .cfg_alpha     (cfg_alpha),
    .cfg_fair      (cfg_fair),
    .read          (accepted),
    .read_ctx      (read_ctx),
    .stage         (stage_q),
    .effect        (effect),
    .ctx           (ctx),
    .opens         (opens),
    .sack          (sack),
    .sampled       (sack_sampled),
    .bytes         (bytes_q),
    .sample        (sample),
    .routine       (routine),
    .fired         (fired),
    .due           (due),
    .due_by_bytes  (due_by_bytes),
    .pending_sum   (pending_sum),
    .look          (look),
    .look_late     (look_late),
    .look_ctx      (look_ctx),
    .look_received (look_received),
    .look_pending  (look_pending)
  );

  nscc_apply #(
    .UET       (UET),
    .CWND_FRAC (CWND_FRAC),
    .RTT_W     (RTT_W)
  ) u_apply (
    .clk               (clk),
    .rst_n             (rst_n),
    .cfg_packet        (cfg_packet),
    .cfg_target        (cfg_target),
    .cfg_eta           (cfg_eta),
    .cfg_gamma         (cfg_gamma),
    .cfg_smallest_keep (cfg_smallest_keep),
    .start             (stage_q[EFFECT_STAGE] && divides),
    .cwnd              (cwnd_next),
    .cut_made          (cut_made),
    .due               (due),
    .eta_added         (eta_added),
    .avg_delay         (avg_delay_next),
    .max_window        (max_window_next),
    .pending           (pending_sum),
    .ending            (ending),
    .applied           (applied),
    .applied_cwnd      (applied_cwnd)
  );

  nscc_peek #(
    .DESTS     (DESTS),
    .DST_W     (DST_W),
    .TIME_W    (TIME_W),
    .CWND_FRAC (CWND_FRAC),
    .RTT_W     (RTT_W)
  ) u_peek (
    .clk                (clk),
    .rst_n              (rst_n),
    .init_done          (init_done),
    .now                (now),
    .peek_valid         (peek_valid),
    .peek_dst           (peek_dst),
    .peek_ready         (peek_ready),
    .look               (look),
    .look_late          (look_late),
    .looked             (looked),
    .sweep_stands       (sweep_stands),
    .look_ctx           (look_ctx),
    .look_now           (look_now),
    .look_open          (look_open),
    .look_cwnd          (look_cwnd),
    .look_in_flight     (look_in_flight),
    .look_base_rtt      (look_base_rtt),
    .look_avg_delay     (look_avg_delay),
    .look_max_window    (look_max_window),
    .look_pending       (look_pending),
    .look_received      (look_received),
    .look_eta_due       (look_eta_due),
    .look_last_eta      (look_last_eta),
    .look_fast_count    (look_fast_count),
    .look_fast_on       (look_fast_on),
    .look_qa_open       (look_qa_open),
    .look_qa_running    (look_qa_running),
    .look_qa_end        (look_qa_end),
    .look_qa_bytes      (look_qa_bytes),
    .look_qa_trigger    (look_qa_trigger),
    .look_ignore_left   (look_ignore_left),
    .look_cut_held      (look_cut_held),
    .look_last_cut      (look_last_cut),
    .look_saved_cwnd    (look_saved_cwnd),
    .dividing           (dividing_q),
    .applied            (applied),
    .applied_ctx        (ctx),
    .applied_cwnd       (applied_cwnd),
    .peeked_valid       (peeked_valid),
    .peeked_dst         (peeked_dst),
    .peeked_open        (peeked_open),
    .peeked_cwnd        (peeked_cwnd),
    .peeked_in_flight   (peeked_in_flight),
    .peeked_base_rtt    (peeked_base_rtt),
    .peeked_avg_delay   (peeked_avg_delay),
    .peeked_max_window  (peeked_max_window),
    .peeked_pending     (peeked_pending),
    .peeked_received    (peeked_received),
    .peeked_eta_due     (peeked_eta_due),
    .peeked_last_eta    (peeked_last_eta),
    .peeked_fast_count  (peeked_fast_count),
    .peeked_fast_on     (peeked_fast_on),
    .peeked_qa_open     (peeked_qa_open),
    .peeked_qa_over     (peeked_qa_over),
    .peeked_qa_end      (peeked_qa_end),
    .peeked_qa_bytes    (peeked_qa_bytes),
    .peeked_qa_trigger  (peeked_qa_trigger),
    .peeked_ignore_left (peeked_ignore_left),
    .peeked_cut_held    (peeked_cut_held),
    .peeked_last_cut    (peeked_last_cut),
    .peeked_saved_cwnd  (peeked_saved_cwnd),
    .peeked_error       (peeked_error),
    .peeked_range_d     (peeked_range_d)
  );

  // --------------------------------------------------------------------------------------------
  // The answer: in EFFECT_STAGE, or in APPLY_STAGE of an event that divides. A closed destination
  // shows zeros.
  // --------------------------------------------------------------------------------------------

  logic       win_valid_d;
  logic [2:0] win_error_d;

  assign win_valid_d = (stage_q[EFFECT_STAGE] && !divides) || applied;

  always_comb begin
    win_error_d = ErrorNone;
    if (out_of_range)   win_error_d = ErrorRange;
    else if (refused)   win_error_d = ErrorClosed;
    else if (underflow) win_error_d = ErrorUnderflow;
  end

  always_ff @(posedge clk) begin
    if (!rst_n) win_valid <= 1'b0;
    else        win_valid <= win_valid_d;
  end

  always_ff @(posedge clk) begin
    if (win_valid_d) begin
      win_kind       <= kind_q;
      win_dst        <= dst_q;
      win_cwnd       <= applied ? applied_cwnd : cwnd_next;
      win_in_flight  <= closes ? '0 : in_flight_next;
      win_base_rtt   <= closes ? '0 : base_rtt_next;
      win_avg_delay  <= closes ? '0 : avg_delay_next;
      win_routine    <= routine;
      win_granted    <= granted;
      win_wants_cack <= wants_cack;
      win_qa_fired   <= fired;
      win_error      <= win_error_d;
    end
  end

  // --------------------------------------------------------------------------------------------
  // Counters: saturating, the beats of the next cycle included.
  // --------------------------------------------------------------------------------------------

  function automatic logic [15:0] count(input logic [15:0] counter, input logic [1:0] more);
    logic [16:0] sum;
    sum = {1'b0, counter} + 17'(more);
    return sum[16] ? 16'hffff : sum[15:0];
  endfunction

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      stat_events         <= '0;
      stat_range          <= '0;
      stat_closed         <= '0;
      stat_underflow      <= '0;
      stat_quick_adapts   <= '0;
      stat_fast_increases <= '0;
    end else if (win_valid_d || peeked_range_d) begin
      stat_range <= count(stat_range, 2'(win_valid_d && win_error_d == ErrorRange)
                                      + 2'(peeked_range_d));
      if (win_valid_d) begin
        stat_events <= count(stat_events, 2'd1);
        if (win_error_d == ErrorClosed)       stat_closed    <= count(stat_closed, 2'd1);
        if (win_error_d == ErrorUnderflow)    stat_underflow <= count(stat_underflow, 2'd1);
        if (effect && fired)                  stat_quick_adapts <= count(stat_quick_adapts, 2'd1);
        if (effect && routine == RoutineFast) begin
          stat_fast_increases <= count(stat_fast_increases, 2'd1);
        end
      end
    end
  end

`ifdef CONGRUENT_ASSERT
  // An event is under way from the cycle after it was taken until its answer.
  logic under_way_q, legal_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      under_way_q <= 1'b0;
      legal_q     <= 1'b0;
    end else begin
      legal_q <= init_done;
      if (accepted)         under_way_q <= 1'b1;
      else if (win_valid_d) under_way_q <= 1'b0;
    end
  end

  always @(posedge clk) begin
    if (rst_n && (evt_valid || peek_valid)) begin
      assert (legal_q)
        else $error("nscc_window: an event before the cycle after init_done");
    end
    if (rst_n && accepted) begin
      assert (!under_way_q || win_valid_d)
        else $error("nscc_window: an event is taken while that of destination %0d is under way",
                    dst_q);
    end
    if (rst_n && win_valid_d) begin
      assert (under_way_q)
        else $error("nscc_window: an answer without its event");
    end
    if (rst_n && applied) begin
      assert (dividing_q && effect)
        else $error("nscc_window: an event of destination %0d divides unasked", dst_q);
    end
  end
`endif

endmodule
