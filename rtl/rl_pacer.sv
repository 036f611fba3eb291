// The request pipe of the rate limiter: answers each request, keeps next_send and the total of what
// was granted (packets, or bytes), and lets the sweep forget a next_send that no longer counts.
//
// Stage 1 reads the byte time, 2 multiplies, 3 rounds and reads the pacing state, 4 (the effect
// stage) decides and writes it back; the memories' bypass is the forwarding that back-to-back
// requests need. 5 and 6 make the answer. Each field has one writer: next_send and the total are
// the requests', so is one of two toggle bits; the other is the sweep's, and a queue pair is held
// while the two differ. The look port serves the sweep, or a peek in the sweep's stead.

module rl_pacer
  import congruent_pkg::*;
  import rl_pkg::*;
#(
  parameter int QPS = 256,
  parameter int QP_W = 12,
  parameter int TIME_W = 32,
  // The total of what was granted: its bits, and whether it counts bytes.
  parameter int SENT_W = TIME_W,
  parameter int SENT_BYTES = 0,
  localparam int CTX_W = $clog2(QPS)
) (
  input  logic                        clk,
  input  logic                        rst_n,
  input  logic [LINE_BYTE_TIME_W-1:0] cfg_line_byte_time,
  input  logic [5:0]                  cfg_pacing_slack,

  // Init sweep.
  input  logic                        init,
  input  logic [CTX_W-1:0]            init_ctx,

  // req and rsp.
  input  logic                        req_valid,
  input  logic [QP_W-1:0]             req_qp,
  input  logic [BYTES_W-1:0]          req_bytes,
  output logic                        rsp_valid,
  output logic [QP_W-1:0]             rsp_qp,
  output logic                        rsp_grant,
  output logic [WAIT_W-1:0]           rsp_wait,
  output logic [2:0]                  rsp_error,
  // The answer of the next cycle carries error range, zero_length: for the counters.
  output logic                        rsp_range_d,
  output logic                        rsp_zero_length_d,

  // A new byte time; it paces from the cycle after this one's requests have passed stage 1.
  input  logic                        byte_time_valid,
  input  logic [CTX_W-1:0]            byte_time_ctx,
  input  logic [BYTE_TIME_W-1:0]      byte_time,

  // Time of the effect stage.
  input  logic [TIME_W-1:0]           now,

  // Look port: whom the next effect stage looks at, whom this one does, whether the sweep visits.
  input  logic [CTX_W-1:0]            look_ctx_d,
  input  logic [CTX_W-1:0]            look_ctx,
  input  logic                        visit,
  // State of the queue pair looked at, after this stage's request (and before the sweep's visit).
  output logic [SENT_W-1:0]           look_sent,
  output logic                        look_held,
  output logic [TIME_W+PACE_FRAC-1:0] look_next_send,

  // Total of what was granted to the queue pair of this stage's CNP, after this stage's request.
  input  logic                        cnp_read,
  input  logic [CTX_W-1:0]            cnp_ctx_d,
  input  logic [CTX_W-1:0]            cnp_ctx,
  output logic [SENT_W-1:0]           cnp_sent
);

  localparam int PACE_W = TIME_W + PACE_FRAC;
  localparam int PRODUCT_W = BYTES_W + BYTE_TIME_W;

  // Whether a queue pair is in the table.
  function automatic logic in_table(input logic [QP_W-1:0] qp);
    return 32'(qp) < 32'(QPS);
  endfunction

  // Whether now has reached a time: their difference, read as signed, is not negative.
  function automatic logic reached(input logic [PACE_W-1:0] difference);
    return !difference[PACE_W-1];
  endfunction

  // now - next_send >= PacingSlack, for a now that has reached next_send.
  function automatic logic slack_over(input logic [PACE_W-1:0] difference,
                                      input logic [5:0] slack);
    return 64'(difference) >= 64'({slack, PACE_FRAC'(0)});
  endfunction

  // Cycles that `bytes` take, from their product with the byte time, rounded half up. Legal
  // configurations keep it below half a wrap.
  function automatic logic [PACE_W-1:0] duration(input logic [PRODUCT_W-1:0] product);
    return PACE_W'(round_half_up(64'(product), BYTE_TIME_FRAC - PACE_FRAC));
  endfunction

  // Cycles until the packet may go, rounded up, saturating.
  function automatic logic [WAIT_W-1:0] wait_cycles(input logic [PACE_W-1:0] left);
    logic [63:0] cycles;
    cycles = (64'(left) + 64'((1 << PACE_FRAC) - 1)) >> PACE_FRAC;
    return (cycles[63:WAIT_W] != '0) ? '1 : cycles[WAIT_W-1:0];
  endfunction

  // --------------------------------------------------------------------------------------------
  // Stages 1 to 3: the duration of the packet at the byte time in effect.
  // --------------------------------------------------------------------------------------------

  logic [6:1]             valid_q;
  logic [QP_W-1:0]        qp_1_q, qp_2_q, qp_3_q, qp_4_q, qp_5_q;
  logic [BYTES_W-1:0]     bytes_1_q, bytes_2_q;
  logic                   range_2_q, range_3_q, range_4_q, range_5_q;
  logic                   zero_length_2_q, zero_length_3_q, zero_length_4_q, zero_length_5_q;
  logic [PRODUCT_W-1:0]   product_3_q;
  logic [PACE_W-1:0]      duration_4_q;
  logic [BYTE_TIME_W-1:0] byte_time_2;

  always_ff @(posedge clk) begin
    if (!rst_n) valid_q <= '0;
    else        valid_q <= {valid_q[5:1], req_valid};
  end

  always_ff @(posedge clk) begin
    if (req_valid) begin
      qp_1_q    <= req_qp;
      bytes_1_q <= req_bytes;
    end
    if (valid_q[1]) begin
      qp_2_q          <= qp_1_q;
      bytes_2_q       <= bytes_1_q;
      range_2_q       <= !in_table(qp_1_q);
      zero_length_2_q <= in_table(qp_1_q) && bytes_1_q == '0;
    end
    if (valid_q[2]) begin
      qp_3_q          <= qp_2_q;
      range_3_q       <= range_2_q;
      zero_length_3_q <= zero_length_2_q;
      product_3_q     <= PRODUCT_W'(bytes_2_q) * PRODUCT_W'(byte_time_2);
    end
    if (valid_q[3]) begin
      qp_4_q          <= qp_3_q;
      range_4_q       <= range_3_q;
      zero_length_4_q <= zero_length_3_q;
      duration_4_q    <= duration(product_3_q);
    end
  end

  // --------------------------------------------------------------------------------------------
  // Stage 4, the effect stage: grant or not, and the next next_send.
  // --------------------------------------------------------------------------------------------

  logic [CTX_W-1:0]  ctx_4;
  logic              toggle_4, clear_4, held_4;
  logic [PACE_W-1:0] next_send_4, next_send_d, now_pace, ago_4;
  logic [SENT_W-1:0] sent_4, sent_step_4;
  logic              grant;

  assign ctx_4    = qp_4_q[CTX_W-1:0];
  assign now_pace = {now, PACE_FRAC'(0)};

  // What a grant adds to the total.
  if (SENT_BYTES != 0) begin : g_bytes
    logic [BYTES_W-1:0] bytes_3_q, bytes_4_q;

    always_ff @(posedge clk) begin
      if (valid_q[2]) bytes_3_q <= bytes_2_q;
      if (valid_q[3]) bytes_4_q <= bytes_3_q;
    end

    assign sent_step_4 = SENT_W'(bytes_4_q);
  end else begin : g_packets
    assign sent_step_4 = SENT_W'(1);
  end

  assign held_4   = toggle_4 != clear_4;
  assign ago_4    = now_pace - next_send_4;

  always_comb begin
    grant       = 1'b0;
    next_send_d = '0;
    if (valid_q[4] && !range_4_q && !zero_length_4_q) begin
      grant       = !held_4 || reached(ago_4);
      next_send_d = duration_4_q +
                    ((held_4 && !slack_over(ago_4, cfg_pacing_slack)) ? next_send_4 : now_pace);
    end
  end

  // --------------------------------------------------------------------------------------------
  // The look port: this stage's request comes first, then the sweep clears.
  // --------------------------------------------------------------------------------------------

  logic              look_granted, cnp_granted, expire;
  logic              look_toggle, look_clear;
  logic [PACE_W-1:0] look_next_send_q, look_ago;
  logic [SENT_W-1:0] look_sent_q, cnp_sent_q;

  assign look_granted   = grant && ctx_4 == look_ctx;
  assign look_held      = look_granted || look_toggle != look_clear;
  assign look_next_send = look_granted ? next_send_d : look_next_send_q;
  assign look_sent      = look_sent_q + (look_granted ? sent_step_4 : SENT_W'(0));

  assign cnp_granted    = grant && ctx_4 == cnp_ctx;
  assign cnp_sent       = cnp_sent_q + (cnp_granted ? sent_step_4 : SENT_W'(0));

  // A next_send that was set in this stage never expires in it: it lies ahead of now, or now is
  // less than PacingSlack past it (a packet takes time: at 1600 Gbps a byte is some LSBs).
  assign look_ago = now_pace - look_next_send_q;
  assign expire   = visit && !look_granted && look_toggle != look_clear && reached(look_ago) &&
                    slack_over(look_ago, cfg_pacing_slack);

  // --------------------------------------------------------------------------------------------
  // Stages 5 and 6: the answer.
  // --------------------------------------------------------------------------------------------

  logic              grant_5_q;
  logic [PACE_W-1:0] left_5_q;

  always_ff @(posedge clk) begin
    if (valid_q[4]) begin
      qp_5_q          <= qp_4_q;
      range_5_q       <= range_4_q;
      zero_length_5_q <= zero_length_4_q;
      grant_5_q       <= grant;
      left_5_q        <= next_send_4 - now_pace;
    end
    if (valid_q[5]) begin
      rsp_qp    <= qp_5_q;
      rsp_grant <= grant_5_q;
      rsp_wait  <= grant_5_q ? WAIT_W'(0) : wait_cycles(left_5_q);
      rsp_error <= ErrorNone;
      if (range_5_q)            rsp_error <= ErrorRange;
      else if (zero_length_5_q) rsp_error <= ErrorZeroLength;
    end
  end

  assign rsp_valid         = valid_q[6];
  assign rsp_range_d       = valid_q[5] && range_5_q;
  assign rsp_zero_length_d = valid_q[5] && zero_length_5_q;

  // --------------------------------------------------------------------------------------------
  // Memories.
  // --------------------------------------------------------------------------------------------

  logic              pace_we;
  logic [CTX_W-1:0]  pace_waddr;
  logic [PACE_W:0]   pace_wdata;
  logic [SENT_W-1:0] sent_wdata;
  logic              clear_we, clear_wdata;
  logic [CTX_W-1:0]  clear_waddr;

  // A grant to a queue pair that is not held makes its toggle differ from the sweep's; to one that
  // is, it differs already. What is not an event's write is the init sweep's.
  always_comb begin
    pace_we       = grant || init;
    pace_waddr    = init_ctx;
    pace_wdata    = '0;
    sent_wdata    = '0;
    if (grant) begin
      pace_waddr    = ctx_4;
      pace_wdata    = {!clear_4, next_send_d};
      sent_wdata    = sent_4 + sent_step_4;
    end
  end

  always_comb begin
    clear_we    = expire || init;
    clear_waddr = init_ctx;
    clear_wdata = 1'b0;
    if (expire) begin
      clear_waddr = look_ctx;
      clear_wdata = look_toggle;
    end
  end

  // Byte time in effect: written `rate_delay` after the slot of the run it comes from.
  ram_1w1r #(
    .WIDTH  (BYTE_TIME_W),
    .DEPTH  (QPS),
    .BYPASS (0)
  ) u_byte_time (
    .clk   (clk),
    .we    (byte_time_valid || init),
    .waddr (init ? init_ctx : byte_time_ctx),
    .wdata (init ? BYTE_TIME_W'(cfg_line_byte_time) : byte_time),
    .re    (valid_q[1]),
    .raddr (qp_1_q[CTX_W-1:0]),
    .rdata (byte_time_2)
  );

  // {toggle, next_send}, for requests and for the look port.
  ram_1w2r #(
    .WIDTH (PACE_W + 1),
    .DEPTH (QPS)
  ) u_pace (
    .clk     (clk),
    .we      (pace_we),
    .waddr   (pace_waddr),
    .wdata   (pace_wdata),
    .a_re    (valid_q[3]),
    .a_raddr (qp_3_q[CTX_W-1:0]),
    .a_rdata ({toggle_4, next_send_4}),
    .b_re    (1'b1),
    .b_raddr (look_ctx_d),
    .b_rdata ({look_toggle, look_next_send_q})
  );

  // The sweep's toggle bit, for requests and for the look port.
  ram_1w2r #(
    .WIDTH (1),
    .DEPTH (QPS)
  ) u_clear (
    .clk     (clk),
    .we      (clear_we),
    .waddr   (clear_waddr),
    .wdata   (clear_wdata),
    .a_re    (valid_q[3]),
    .a_raddr (qp_3_q[CTX_W-1:0]),
    .a_rdata (clear_4),
    .b_re    (1'b1),
    .b_raddr (look_ctx_d),
    .b_rdata (look_clear)
  );

  // Total of what was granted modulo 2^SENT_W, for requests and for the look port, and for CNPs.
  ram_1w2r #(
    .WIDTH (SENT_W),
    .DEPTH (QPS)
  ) u_sent (
    .clk     (clk),
    .we      (pace_we),
    .waddr   (pace_waddr),
    .wdata   (sent_wdata),
    .a_re    (valid_q[3]),
    .a_raddr (qp_3_q[CTX_W-1:0]),
    .a_rdata (sent_4),
    .b_re    (1'b1),
    .b_raddr (look_ctx_d),
    .b_rdata (look_sent_q)
  );

  ram_1w1r #(
    .WIDTH (SENT_W),
    .DEPTH (QPS)
  ) u_sent_cnp (
    .clk   (clk),
    .we    (pace_we),
    .waddr (pace_waddr),
    .wdata (sent_wdata),
    .re    (cnp_read),
    .raddr (cnp_ctx_d),
    .rdata (cnp_sent_q)
  );

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && req_valid) begin
      assert (!init)
        else $error("rl_pacer: a request for queue pair %0d before init_done", req_qp);
    end
    if (rst_n && grant) begin
      // Every byte takes time, or a packet could pass without moving next_send.
      assert (duration_4_q != '0)
        else $error("rl_pacer: a packet of queue pair %0d takes no time", qp_4_q);
    end
  end
`endif

endmodule
