// Answers peeks of the NSCC window unit, one at a time.
//
// A peek reads the state in its stage EFFECT_STAGE, when every event up to its own cycle has
// written and no later one has, and the pending increase in PENDING_STAGE. A window that is still
// in the divider then is waited for: the answer's register follows its write.

module nscc_peek
  import congruent_pkg::*;
  import nscc_pkg::*;
#(
  parameter int DESTS = 256,
  parameter int DST_W = 12,
  parameter int TIME_W = 32,
  parameter int CWND_FRAC = 4,
  parameter int RTT_W = 20,
  localparam int CTX_W = $clog2(DESTS),
  localparam int WINDOW_W = BYTES_W + CWND_FRAC,
  localparam int DELAY_W = RTT_W + RTT_FRAC,
  localparam int AVERAGE_W = RTT_W + AVERAGE_FRAC
) (
  input  logic                 clk,
  input  logic                 rst_n,
  input  logic                 init_done,
  input  logic [TIME_W-1:0]    now,

  // peek.
  input  logic                 peek_valid,
  input  logic [DST_W-1:0]     peek_dst,
  output logic                 peek_ready,

  // The memories are read with look (and look_late, for pending), and show in the next cycle; the
  // sweep stands while they must not move.
  output logic                 look,
  output logic                 look_late,
  output logic                 looked,
  output logic                 sweep_stands,
  output logic [CTX_W-1:0]     look_ctx,
  output logic [TIME_W-1:0]    look_now,
  input  logic                 look_open,
  input  logic [WINDOW_W-1:0]  look_cwnd,
  input  logic [BYTES_W-1:0]   look_in_flight,
  input  logic [DELAY_W-1:0]   look_base_rtt,
  input  logic [AVERAGE_W-1:0] look_avg_delay,
  input  logic [WINDOW_W-1:0]  look_max_window,
  input  logic [PENDING_W-1:0] look_pending,
  input  logic [BYTES_W-1:0]   look_received,
  input  logic                 look_eta_due,
  input  logic [TIME_W-1:0]    look_last_eta,
  input  logic [BYTES_W-1:0]   look_fast_count,
  input  logic                 look_fast_on,
  input  logic                 look_qa_open,
  input  logic                 look_qa_running,
  input  logic [TIME_W-1:0]    look_qa_end,
  input  logic [BYTES_W-1:0]   look_qa_bytes,
  input  logic                 look_qa_trigger,
  input  logic [BYTES_W-1:0]   look_ignore_left,
  input  logic                 look_cut_held,
  input  logic [TIME_W-1:0]    look_last_cut,
  input  logic [WINDOW_W-1:0]  look_saved_cwnd,

  // An event divides; in its last cycle: of which context, and its window.
  input  logic                 dividing,
  input  logic                 applied,
  input  logic [CTX_W-1:0]     applied_ctx,
  input  logic [WINDOW_W-1:0]  applied_cwnd,

  // peeked.
  output logic                 peeked_valid,
  output logic [DST_W-1:0]     peeked_dst,
  output logic                 peeked_open,
  output logic [WINDOW_W-1:0]  peeked_cwnd,
  output logic [BYTES_W-1:0]   peeked_in_flight,
  output logic [DELAY_W-1:0]   peeked_base_rtt,
  output logic [AVERAGE_W-1:0] peeked_avg_delay,
  output logic [WINDOW_W-1:0]  peeked_max_window,
  output logic [PENDING_W-1:0] peeked_pending,
  output logic [BYTES_W-1:0]   peeked_received,
  output logic                 peeked_eta_due,
  output logic [TIME_W-1:0]    peeked_last_eta,
  output logic [BYTES_W-1:0]   peeked_fast_count,
  output logic                 peeked_fast_on,
  output logic                 peeked_qa_open,
  output logic                 peeked_qa_over,
  output logic [TIME_W-1:0]    peeked_qa_end,
  output logic [BYTES_W-1:0]   peeked_qa_bytes,
  output logic                 peeked_qa_trigger,
  output logic [BYTES_W-1:0]   peeked_ignore_left,
  output logic                 peeked_cut_held,
  output logic [TIME_W-1:0]    peeked_last_cut,
  output logic [WINDOW_W-1:0]  peeked_saved_cwnd,
  output logic [2:0]           peeked_error,
  // The answer of the next cycle carries error range: for the counters.
  output logic                 peeked_range_d
);

  // peek_q[i]: i cycles after the peek was taken.
  logic [PENDING_STAGE+1:1] peek_q;
  logic                     accepted, waits_q, shown_q, done;

  assign accepted = peek_valid && peek_ready;

  always_ff @(posedge clk) begin
    if (!rst_n) peek_q <= '0;
    else        peek_q <= {peek_q[PENDING_STAGE:1], accepted};
  end

  assign look         = peek_q[EFFECT_STAGE];
  assign looked       = peek_q[EFFECT_STAGE+1];
  assign look_late    = peek_q[PENDING_STAGE];
  assign look_ctx     = peeked_dst[CTX_W-1:0];
  assign sweep_stands = peek_q[EFFECT_STAGE+1:1] != '0;

  // --------------------------------------------------------------------------------------------
  // An event that divides when the state is read was taken in the peek's cycle or before it.
  // --------------------------------------------------------------------------------------------

  // The state is there, pending at last; a window that is waited for comes now.
  assign done = (peek_q[PENDING_STAGE+1] || shown_q) && (!waits_q || applied);

  // ready rises in cycle 0.
  logic init_done_q;

  always_ff @(posedge clk) begin
    if (!rst_n) init_done_q <= 1'b0;
    else        init_done_q <= init_done;
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      waits_q      <= 1'b0;
      shown_q      <= 1'b0;
      peeked_valid <= 1'b0;
      peek_ready   <= 1'b0;
    end else begin
      if (look)         waits_q <= dividing && !applied;
      else if (applied) waits_q <= 1'b0;
      shown_q      <= (peek_q[PENDING_STAGE+1] || shown_q) && !done;
      peeked_valid <= done;
      if (accepted)  peek_ready <= 1'b0;
      else if (done) peek_ready <= 1'b1;
      else if (!init_done_q) peek_ready <= init_done;
    end
  end

  // --------------------------------------------------------------------------------------------
  // The answer.
  // --------------------------------------------------------------------------------------------

  always_ff @(posedge clk) begin
    if (accepted) begin
      peeked_dst   <= peek_dst;
      peeked_error <= (32'(peek_dst) < 32'(DESTS)) ? ErrorNone : ErrorRange;
      look_now     <= now;
    end
    if (looked) begin
      peeked_open        <= look_open;
      peeked_in_flight   <= look_open ? look_in_flight : '0;
      peeked_base_rtt    <= look_open ? look_base_rtt : '0;
      peeked_avg_delay   <= look_open ? look_avg_delay : '0;
      peeked_max_window  <= look_open ? look_max_window : '0;
      peeked_received    <= look_open ? look_received : '0;
      peeked_eta_due     <= look_open && look_eta_due;
      peeked_last_eta    <= look_open ? look_last_eta : '0;
      peeked_fast_count  <= look_open ? look_fast_count : '0;
      peeked_fast_on     <= look_open && look_fast_on;
      peeked_qa_open     <= look_open && look_qa_open;
      peeked_qa_over     <= look_open && look_qa_open && !look_qa_running;
      peeked_qa_end      <= look_open ? look_qa_end : '0;
      peeked_qa_bytes    <= look_open ? look_qa_bytes : '0;
      peeked_qa_trigger  <= look_open && look_qa_trigger;
      peeked_ignore_left <= look_open ? look_ignore_left : '0;
      peeked_cut_held    <= look_open && look_cut_held;
      peeked_last_cut    <= look_open ? look_last_cut : '0;
      peeked_saved_cwnd  <= look_open ? look_saved_cwnd : '0;
    end
    if (waits_q && applied && applied_ctx == look_ctx) peeked_cwnd <= applied_cwnd;
    else if (looked) peeked_cwnd <= look_open ? look_cwnd : '0;
    if (peek_q[PENDING_STAGE+1]) peeked_pending <= peeked_open ? look_pending : '0;
  end

  assign peeked_range_d = done && peeked_error == ErrorRange;

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && accepted) begin
      assert (peek_q == '0 && !shown_q && !waits_q)
        else $error("nscc_peek: a peek while the one of context %0d is under way", peeked_dst);
    end
  end
`endif

endmodule
