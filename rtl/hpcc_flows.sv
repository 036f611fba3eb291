// Which flows of the HPCC window unit are open, and which of them no ACK has changed yet
// (`fresh`).
//
// Stage 2 is where events take effect: open, then close, then the ACK of the same cycle; it is
// read for in stage 1, so a memory's bypass hands over between cycles. One writer a bit: a flow is
// open while the toggle of opens differs from that of closes, and fresh while the mark that its
// open made differs from the one that its last ACK left (`seen`, which hpcc_telemetry keeps with
// what the ACK stored). A peek reads in stage 2 and knows in stage 3.

module hpcc_flows
  import congruent_pkg::*;
#(
  parameter int FLOWS = 256,
  parameter int FLOW_W = 12,
  localparam int CTX_W = $clog2(FLOWS)
) (
  input  logic              clk,
  input  logic              rst_n,

  // Init sweep.
  input  logic              init,
  input  logic [CTX_W-1:0]  init_ctx,

  // Events, at the pins.
  input  logic              open_valid,
  input  logic [FLOW_W-1:0] open_flow,
  input  logic              close_valid,
  input  logic [FLOW_W-1:0] close_flow,

  // The ACK: stage 1 reads; stage 2 knows, and says that it marks its flow as seen.
  input  logic              ack_read,
  input  logic [CTX_W-1:0]  ack_ctx_d,
  input  logic [CTX_W-1:0]  ack_ctx,
  output logic              ack_open,
  output logic              ack_mark,
  input  logic              seen_we,

  // A peek: stage 2 reads, stage 3 knows.
  input  logic              peek_read,
  input  logic [CTX_W-1:0]  peek_ctx,
  output logic              peek_open,
  output logic              peek_mark,

  // Events in stage 2: their flow, and why they are refused.
  output logic              open_2,
  output logic [FLOW_W-1:0] open_flow_2,
  output logic [2:0]        open_error_2,
  output logic              close_2,
  output logic [FLOW_W-1:0] close_flow_2,
  output logic [2:0]        close_error_2
);

  // --------------------------------------------------------------------------------------------
  // Events on their way to stage 2.
  // --------------------------------------------------------------------------------------------

  logic              open_1_q, close_1_q;
  logic [FLOW_W-1:0] open_flow_1_q, close_flow_1_q;
  logic [CTX_W-1:0]  open_ctx, close_ctx;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      open_1_q  <= 1'b0;
      close_1_q <= 1'b0;
      open_2    <= 1'b0;
      close_2   <= 1'b0;
    end else begin
      open_1_q  <= open_valid;
      close_1_q <= close_valid;
      open_2    <= open_1_q;
      close_2   <= close_1_q;
    end
  end

  always_ff @(posedge clk) begin
    if (open_valid)  open_flow_1_q  <= open_flow;
    if (close_valid) close_flow_1_q <= close_flow;
    if (open_1_q)    open_flow_2    <= open_flow_1_q;
    if (close_1_q)   close_flow_2   <= close_flow_1_q;
  end

  assign open_ctx  = open_flow_2[CTX_W-1:0];
  assign close_ctx = close_flow_2[CTX_W-1:0];

  // --------------------------------------------------------------------------------------------
  // Stage 2: open, close, ACK.
  // --------------------------------------------------------------------------------------------

  // What was read for each of them: the toggle of opens, the mark, the toggle of closes.
  logic open_opened, open_closed, open_seen, open_mark_read;
  logic close_opened, close_closed, close_mark_read;
  logic ack_opened, ack_closed, ack_mark_read;
  logic opens, closes, opened_next, mark_next, closed_next;
  logic close_after_open, ack_after_open, ack_after_close;

  assign close_after_open = opens && open_ctx == close_ctx;
  assign ack_after_open   = opens && open_ctx == ack_ctx;
  assign ack_after_close  = closes && close_ctx == ack_ctx;

  always_comb begin
    open_error_2 = ErrorNone;
    if (32'(open_flow_2) >= 32'(FLOWS))     open_error_2 = ErrorRange;
    else if (open_opened != open_closed)    open_error_2 = ErrorClosed;
  end

  assign opens       = open_2 && open_error_2 == ErrorNone;
  assign opened_next = !open_closed;
  assign mark_next   = !open_seen;

  always_comb begin
    close_error_2 = ErrorNone;
    if (32'(close_flow_2) >= 32'(FLOWS)) close_error_2 = ErrorRange;
    else if (!close_after_open && close_opened == close_closed) close_error_2 = ErrorClosed;
  end

  assign closes      = close_2 && close_error_2 == ErrorNone;
  assign closed_next = !close_closed;

  assign ack_open = (ack_after_open ? opened_next : ack_opened)
                    != (ack_after_close ? closed_next : ack_closed);
  assign ack_mark = ack_after_open ? mark_next : ack_mark_read;

  // --------------------------------------------------------------------------------------------
  // Memories. What is not an event's write is the init sweep's.
  // --------------------------------------------------------------------------------------------

  logic             opened_we, closed_we, peek_opened, peek_closed;
  logic [CTX_W-1:0] opened_waddr, closed_waddr;
  logic [1:0]       opened_wdata;
  logic             closed_wdata;

  assign opened_we    = opens || init;
  assign opened_waddr = init ? init_ctx : open_ctx;
  assign opened_wdata = init ? 2'b00 : {opened_next, mark_next};
  assign closed_we    = closes || init;
  assign closed_waddr = init ? init_ctx : close_ctx;
  assign closed_wdata = !init && closed_next;

  assign peek_open = peek_opened != peek_closed;

  ram_1w2r #(
    .WIDTH (2),
    .DEPTH (FLOWS)
  ) u_opened_events (
    .clk     (clk),
    .we      (opened_we),
    .waddr   (opened_waddr),
    .wdata   (opened_wdata),
    .a_re    (open_1_q),
    .a_raddr (open_flow_1_q[CTX_W-1:0]),
    .a_rdata ({open_opened, open_mark_read}),
    .b_re    (close_1_q),
    .b_raddr (close_flow_1_q[CTX_W-1:0]),
    .b_rdata ({close_opened, close_mark_read})
  );

  ram_1w2r #(
    .WIDTH (2),
    .DEPTH (FLOWS)
  ) u_opened_looks (
    .clk     (clk),
    .we      (opened_we),
    .waddr   (opened_waddr),
    .wdata   (opened_wdata),
    .a_re    (ack_read),
    .a_raddr (ack_ctx_d),
    .a_rdata ({ack_opened, ack_mark_read}),
    .b_re    (peek_read),
    .b_raddr (peek_ctx),
    .b_rdata ({peek_opened, peek_mark})
  );

  ram_1w2r #(
    .WIDTH (1),
    .DEPTH (FLOWS)
  ) u_closed_events (
    .clk     (clk),
    .we      (closed_we),
    .waddr   (closed_waddr),
    .wdata   (closed_wdata),
    .a_re    (open_1_q),
    .a_raddr (open_flow_1_q[CTX_W-1:0]),
    .a_rdata (open_closed),
    .b_re    (close_1_q),
    .b_raddr (close_flow_1_q[CTX_W-1:0]),
    .b_rdata (close_closed)
  );

  ram_1w2r #(
    .WIDTH (1),
    .DEPTH (FLOWS)
  ) u_closed_looks (
    .clk     (clk),
    .we      (closed_we),
    .waddr   (closed_waddr),
    .wdata   (closed_wdata),
    .a_re    (ack_read),
    .a_raddr (ack_ctx_d),
    .a_rdata (ack_closed),
    .b_re    (peek_read),
    .b_raddr (peek_ctx),
    .b_rdata (peek_closed)
  );

  // What an open must differ from: the mark that the last ACK left.
  ram_1w1r #(
    .WIDTH (1),
    .DEPTH (FLOWS)
  ) u_seen (
    .clk   (clk),
    .we    (seen_we || init),
    .waddr (init ? init_ctx : ack_ctx),
    .wdata (!init && ack_mark),
    .re    (open_1_q),
    .raddr (open_flow_1_q[CTX_W-1:0]),
    .rdata (open_seen)
  );

  // An open makes a new mark, a close none.
  logic unused_marks;
  assign unused_marks = open_mark_read ^ close_mark_read;

endmodule
