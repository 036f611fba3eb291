// Answers peeks of the HPCC window unit, one at a time.
//
// A peek reads what is open and stored in stage 2 and knows it in stage 3, U in U_STAGE, the
// window in WINDOW_STAGE: each time when every ACK up to its own cycle has written and no later
// one has. The stored records are fetched one after the other from stage 3 on.

module hpcc_peek
  import congruent_pkg::*;
  import hpcc_pkg::*;
#(
  parameter int FLOWS = 256,
  parameter int FLOW_W = 12,
  parameter int HOPS = 5,
  parameter int TIME_W = 48,
  parameter int U_FRAC = 24,
  parameter int W_FRAC = 8,
  localparam int CTX_W = $clog2(FLOWS),
  localparam int U_W = U_INT + U_FRAC,
  localparam int WINDOW_W = BYTES_W + W_FRAC
) (
  input  logic                   clk,
  input  logic                   rst_n,
  input  logic                   init_done,

  // peek.
  input  logic                   peek_valid,
  input  logic [FLOW_W-1:0]      peek_flow,
  output logic                   peek_ready,

  // What is open and stored: read with `look`, there one cycle later.
  output logic                   look,
  output logic [CTX_W-1:0]       look_ctx,
  input  logic                   look_open,
  input  logic                   look_mark,
  input  logic                   look_seen,
  input  logic                   look_stored,
  input  logic [TIME_W-1:0]      look_stored_at,
  input  logic [PATH_W-1:0]      look_path,
  input  logic [2:0]             look_hops,

  // Records, likewise.
  output logic                   fetch,
  output logic [2:0]             fetch_index,
  input  logic [TELEMETRY_W-1:0] look_ts,
  input  logic [TELEMETRY_W-1:0] look_tx,
  input  logic [TELEMETRY_W-1:0] look_qlen,

  // U and the window, likewise. What they are for a fresh flow.
  output logic                   look_at_u,
  input  logic [U_W-1:0]         look_u,
  output logic                   look_at_window,
  input  logic [WINDOW_W-1:0]    look_window,
  input  logic [WINDOW_W-1:0]    look_reference,
  input  logic [STAGE_W-1:0]     look_stage,
  input  logic [SEQ_W-1:0]       look_last_update_seq,
  input  logic [WINDOW_W-1:0]    first_window,

  // peeked.
  output logic                   peeked_valid,
  output logic [FLOW_W-1:0]      peeked_flow,
  output logic                   peeked_open,
  output logic [WINDOW_W-1:0]    peeked_window,
  output logic [WINDOW_W-1:0]    peeked_reference,
  output logic [U_W-1:0]         peeked_u,
  output logic [STAGE_W-1:0]     peeked_stage,
  output logic [SEQ_W-1:0]       peeked_last_update_seq,
  output logic                   peeked_stored,
  output logic [TIME_W-1:0]      peeked_stored_at,
  output logic [PATH_W-1:0]      peeked_path,
  output logic [2:0]             peeked_hops,
  output logic [TELEMETRY_W-1:0] peeked_ts0,
  output logic [TELEMETRY_W-1:0] peeked_tx0,
  output logic [TELEMETRY_W-1:0] peeked_qlen0,
  output logic [TELEMETRY_W-1:0] peeked_ts1,
  output logic [TELEMETRY_W-1:0] peeked_tx1,
  output logic [TELEMETRY_W-1:0] peeked_qlen1,
  output logic [TELEMETRY_W-1:0] peeked_ts2,
  output logic [TELEMETRY_W-1:0] peeked_tx2,
  output logic [TELEMETRY_W-1:0] peeked_qlen2,
  output logic [TELEMETRY_W-1:0] peeked_ts3,
  output logic [TELEMETRY_W-1:0] peeked_tx3,
  output logic [TELEMETRY_W-1:0] peeked_qlen3,
  output logic [TELEMETRY_W-1:0] peeked_ts4,
  output logic [TELEMETRY_W-1:0] peeked_tx4,
  output logic [TELEMETRY_W-1:0] peeked_qlen4,
  output logic [2:0]             peeked_error,
  // The answer of the next cycle carries error range: for the counters.
  output logic                   peeked_range_d
);

  // Its registers are the pins one cycle later.
  localparam int LAST_STAGE = WINDOW_STAGE + 1;
  localparam int KNOWN_STAGE = EFFECT_STAGE + 1;

  // peek_q[i]: i cycles after the peek was taken.
  logic [LAST_STAGE:1] peek_q;
  logic                accepted, fresh_q;

  assign accepted = peek_valid && peek_ready;

  ready_interval #(
    .INTERVAL (LAST_STAGE + 1)
  ) u_ready (
    .clk       (clk),
    .rst_n     (rst_n),
    .init_done (init_done),
    .valid     (peek_valid),
    .ready     (peek_ready)
  );

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      peek_q       <= '0;
      peeked_valid <= 1'b0;
    end else begin
      peek_q       <= {peek_q[LAST_STAGE-1:1], accepted};
      peeked_valid <= peek_q[LAST_STAGE];
    end
  end

  assign look           = peek_q[EFFECT_STAGE];
  assign look_ctx       = peeked_flow[CTX_W-1:0];
  assign fetch          = peek_q[KNOWN_STAGE+:HOPS] != '0;
  assign look_at_u      = peek_q[U_STAGE];
  assign look_at_window = peek_q[WINDOW_STAGE];

  // --------------------------------------------------------------------------------------------
  // The answer. A closed flow shows zeros, and so does telemetry that is not stored.
  // --------------------------------------------------------------------------------------------

  logic fresh, shows;

  assign fresh = look_mark != look_seen;
  assign shows = look_open && !fresh && look_stored;

  always_ff @(posedge clk) begin
    if (accepted) begin
      peeked_flow  <= peek_flow;
      peeked_error <= (32'(peek_flow) < 32'(FLOWS)) ? ErrorNone : ErrorRange;
      fetch_index  <= '0;
    end
    if (peek_q[KNOWN_STAGE]) begin
      peeked_open      <= look_open;
      fresh_q          <= fresh;
      peeked_stored    <= shows;
      peeked_stored_at <= shows ? look_stored_at : '0;
      peeked_path      <= shows ? look_path : '0;
      peeked_hops      <= shows ? look_hops : '0;
    end
    if (fetch) fetch_index <= fetch_index + 1'b1;
    if (peek_q[U_STAGE+1]) begin
      peeked_u <= '0;
      if (peeked_open) peeked_u <= fresh_q ? U_W'(1) << U_FRAC : look_u;
    end
    if (peek_q[LAST_STAGE]) begin
      peeked_window          <= '0;
      peeked_reference       <= '0;
      peeked_stage           <= '0;
      peeked_last_update_seq <= '0;
      if (peeked_open && fresh_q) begin
        peeked_window    <= first_window;
        peeked_reference <= first_window;
      end else if (peeked_open) begin
        peeked_window          <= look_window;
        peeked_reference       <= look_reference;
        peeked_stage           <= look_stage;
        peeked_last_update_seq <= look_last_update_seq;
      end
    end
  end

  for (genvar h = 0; h < MOST_HOPS; h++) begin : g_hop
    logic [TELEMETRY_W-1:0] ts, tx, qlen;

    if (h < HOPS) begin : g_held
      always_ff @(posedge clk) begin
        if (peek_q[KNOWN_STAGE+1+h]) begin
          ts   <= '0;
          tx   <= '0;
          qlen <= '0;
          if (peeked_hops > 3'(h)) begin
            ts   <= look_ts;
            tx   <= look_tx;
            qlen <= look_qlen;
          end
        end
      end
    end else begin : g_none
      assign ts   = '0;
      assign tx   = '0;
      assign qlen = '0;
    end
  end

  assign peeked_ts0   = g_hop[0].ts;
  assign peeked_tx0   = g_hop[0].tx;
  assign peeked_qlen0 = g_hop[0].qlen;
  assign peeked_ts1   = g_hop[1].ts;
  assign peeked_tx1   = g_hop[1].tx;
  assign peeked_qlen1 = g_hop[1].qlen;
  assign peeked_ts2   = g_hop[2].ts;
  assign peeked_tx2   = g_hop[2].tx;
  assign peeked_qlen2 = g_hop[2].qlen;
  assign peeked_ts3   = g_hop[3].ts;
  assign peeked_tx3   = g_hop[3].tx;
  assign peeked_qlen3 = g_hop[3].qlen;
  assign peeked_ts4   = g_hop[4].ts;
  assign peeked_tx4   = g_hop[4].tx;
  assign peeked_qlen4 = g_hop[4].qlen;

  assign peeked_range_d = peek_q[LAST_STAGE] && peeked_error == ErrorRange;

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && accepted) begin
      assert (peek_q == '0)
        else $error("hpcc_peek: a peek while the one of flow %0d is under way", peeked_flow);
    end
  end
`endif

endmodule
