// Bytes in flight of the NSCC window unit: in_flight and ignore_left, and the answer to a send.
//
// Stage 1 has both counts and takes the event's flight off or, for a send that is granted, adds it;
// stage 2 decides whether a send asks for a cumulative ACK; stage 4 writes. When Quick Adapt fires,
// what is in flight is what is to be ignored.

module nscc_flight
  import nscc_pkg::*;
#(
  parameter int DESTS = 256,
  parameter int CWND_FRAC = 4,
  localparam int CTX_W = $clog2(DESTS),
  localparam int WINDOW_W = BYTES_W + CWND_FRAC
) (
  input  logic                clk,
  input  logic                rst_n,
  input  logic                cfg_pass_through,
  input  logic [PACKET_W-1:0] cfg_packet,

  // The context that is read, for stage 1 of its event; the event's stages and whether it takes
  // effect; the event.
  input  logic                read,
  input  logic [CTX_W-1:0]    read_ctx,
  input  logic [4:1]          stage,
  input  logic                effect,
  input  logic [CTX_W-1:0]    ctx,
  input  logic                send,
  input  logic                opens,
  input  logic                leaves_flight,
  input  logic                lowers_ignored,
  input  logic [BYTES_W-1:0]  flight,

  // The window before the event, in stages 1 and 2. Whether Quick Adapt fired, in stage 4.
  input  logic [WINDOW_W-1:0] cwnd,
  input  logic                fired,

  // Trims are ignored, as of before the event: from stage 1 on. The rest: from stage 2 on, the
  // answer's wants_cack from stage 3 on.
  output logic                ignoring,
  output logic                underflow,
  output logic                granted,
  output logic                wants_cack,
  output logic [BYTES_W-1:0]  in_flight_next,

  // For a peek: the cycle after look.
  input  logic                look,
  input  logic [CTX_W-1:0]    look_ctx,
  output logic [BYTES_W-1:0]  look_in_flight,
  output logic [BYTES_W-1:0]  look_ignore_left
);

  logic [BYTES_W-1:0] in_flight, ignore_left, ignore_left_q;
  logic               grants;

  assign ignoring = ignore_left != '0;

  // --------------------------------------------------------------------------------------------
  // Stage 1: the counts. Stage 2: what is left of the window.
  // --------------------------------------------------------------------------------------------

  assign grants = send && (cfg_pass_through || {in_flight, CWND_FRAC'(0)} < cwnd);

  always_ff @(posedge clk) begin
    if (stage[1]) begin
      granted       <= grants;
      underflow     <= leaves_flight && flight > in_flight;
      ignore_left_q <= lowers_ignored ? less_bytes(ignore_left, flight) : ignore_left;
      if (opens)              in_flight_next <= '0;
      else if (leaves_flight) in_flight_next <= less_bytes(in_flight, flight);
      else if (grants)        in_flight_next <= add_bytes(in_flight, flight);
      else                    in_flight_next <= in_flight;
    end
  end

  // cwnd - in_flight below a nominal packet, or a small window.
  function automatic logic asks_for_cack(input logic [WINDOW_W-1:0] window,
                                         input logic [BYTES_W-1:0]  flying,
                                         input logic [PACKET_W-1:0] packet);
    logic [BYTES_W:0] full;
    full = {1'b0, flying} + (BYTES_W + 1)'(packet);
    return {1'b0, window} < {full, CWND_FRAC'(0)}
           || window < {BYTES_W'(SMALL_WINDOW), CWND_FRAC'(0)};
  endfunction

  always_ff @(posedge clk) begin
    if (stage[2]) wants_cack <= send && asks_for_cack(cwnd, in_flight_next, cfg_packet);
  end

  // --------------------------------------------------------------------------------------------
  // Memory.
  // --------------------------------------------------------------------------------------------

  logic [BYTES_W-1:0] ignore_left_next;

  always_comb begin
    ignore_left_next = ignore_left_q;
    if (opens)      ignore_left_next = '0;
    else if (fired) ignore_left_next = in_flight_next;
  end

  ram_1w2r #(
    .WIDTH (2 * BYTES_W),
    .DEPTH (DESTS)
  ) u_flight (
    .clk     (clk),
    .we      (stage[4] && effect),
    .waddr   (ctx),
    .wdata   ({in_flight_next, ignore_left_next}),
    .a_re    (read),
    .a_raddr (read_ctx),
    .a_rdata ({in_flight, ignore_left}),
    .b_re    (look),
    .b_raddr (look_ctx),
    .b_rdata ({look_in_flight, look_ignore_left})
  );

  // Stage 3 has nothing to do here.
  logic unused_stage;
  assign unused_stage = stage[3];

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) if (rst_n) begin
    if (stage[4] && effect) begin
      assert (!granted || !leaves_flight)
        else $error("nscc_flight: an event of context %0d both sends and acknowledges", ctx);
      assert (!fired || ignore_left_next == in_flight_next)
        else $error("nscc_flight: Quick Adapt of context %0d ignores something else than flight",
                    ctx);
    end
  end
`else
  // Only the assertions look at reset here.
  logic unused_rst_n;
  assign unused_rst_n = rst_n;
`endif

endmodule
