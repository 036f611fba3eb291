// Quick Adapt of the NSCC window unit: the bytes of the observation window, the trigger, and
// whether it fires.
//
// Stage 1 counts the event's bytes, 3 decides, 4 writes. When the observation window ends is kept
// with the other times (nscc_times): qa_running says that one is open and not over.

module nscc_adapt
  import nscc_pkg::*;
#(
  parameter int DESTS = 256,
  parameter int UET = 0,
  parameter int CWND_FRAC = 4,
  parameter int RTT_W = 20,
  localparam int CTX_W = $clog2(DESTS),
  localparam int WINDOW_W = BYTES_W + CWND_FRAC,
  localparam int DELAY_W = RTT_W + RTT_FRAC,
  localparam int AVERAGE_W = RTT_W + AVERAGE_FRAC
) (
  input  logic                 clk,
  input  logic                 rst_n,
  input  logic                 cfg_disable_quick_adapt,
  input  logic                 cfg_delay_trigger,
  input  logic [GATE_W-1:0]    cfg_quick_adapt_gate,
  input  logic [DELAY_W-1:0]   cfg_quick_adapt_threshold,

  // The context that is read, for stage 1 of its event; the event's stages and whether it takes
  // effect; the event. sampled: a SACK with a sample.
  input  logic                 read,
  input  logic [CTX_W-1:0]     read_ctx,
  input  logic [4:1]           stage,
  input  logic                 effect,
  input  logic [CTX_W-1:0]     ctx,
  input  logic                 opens,
  input  logic                 sack,
  input  logic                 sampled,
  input  logic                 trims,
  input  logic [BYTES_W-1:0]   bytes,

  // Of the event in stage 3.
  input  logic                 ignoring,
  input  logic                 qa_running,
  input  logic [DELAY_W-1:0]   sample,
  input  logic [AVERAGE_W-1:0] avg_delay,
  input  logic [WINDOW_W-1:0]  max_window,

  // Bytes of the observation window with the event's, from stage 2 on. Whether Quick Adapt fires,
  // in stage 3; whether it did and whether a new observation window opened, in stage 4.
  output logic [BYTES_W-1:0]   qa_bytes_next,
  output logic                 fires,
  output logic                 fired,
  output logic                 window_opened,

  // For a peek: the cycle after look.
  input  logic                 look,
  input  logic [CTX_W-1:0]     look_ctx,
  output logic                 look_qa_open,
  output logic                 look_qa_trigger,
  output logic [BYTES_W-1:0]   look_qa_bytes
);

  logic               qa_open, qa_trigger;
  logic [BYTES_W-1:0] qa_bytes;

  // --------------------------------------------------------------------------------------------
  // Stage 1: the event's bytes.
  // --------------------------------------------------------------------------------------------

  always_ff @(posedge clk) begin
    if (stage[1]) qa_bytes_next <= sack ? add_bytes(qa_bytes, bytes) : qa_bytes;
  end

  // --------------------------------------------------------------------------------------------
  // Stage 3: the decision.
  // --------------------------------------------------------------------------------------------

  // qa_bytes × 2^gate < max_window.
  function automatic logic below_gate(input logic [BYTES_W-1:0]  received,
                                      input logic [WINDOW_W-1:0] ceiling,
                                      input logic [GATE_W-1:0]   gate);
    logic [WINDOW_W-1:0] most;
    most = ceiling - 1'b1;
    return ceiling != '0 && WINDOW_W'(received) <= (most >> CWND_FRAC) >> gate;
  endfunction

  logic looks, delay_triggers;

  // MRC looks at the sample, UET at the average.
  if (UET != 0) begin : g_average
    assign delay_triggers = cfg_delay_trigger && sack
        && avg_delay > {cfg_quick_adapt_threshold, (AVERAGE_FRAC - RTT_FRAC)'(0)};
    logic unused_sample;
    assign unused_sample = ^sample;
  end else begin : g_sample
    assign delay_triggers = cfg_delay_trigger && sack && sample > cfg_quick_adapt_threshold;
    logic unused_average;
    assign unused_average = ^avg_delay;
  end

  // A sample or a trim that counts, while no observation window runs. The first one opens a window;
  // one that finds a window over may fire, and opens the next.
  assign looks = effect && !cfg_disable_quick_adapt && !qa_running
                 && (sampled || (trims && !ignoring));
  assign fires = looks && qa_open && (qa_trigger || trims || delay_triggers)
                 && below_gate(qa_bytes_next, max_window, cfg_quick_adapt_gate);

  always_ff @(posedge clk) begin
    if (stage[3]) begin
      fired         <= fires;
      window_opened <= looks;
    end
  end

  // --------------------------------------------------------------------------------------------
  // Memory.
  // --------------------------------------------------------------------------------------------

  logic qa_open_next, qa_trigger_next;

  assign qa_open_next    = (qa_open || window_opened) && !opens;
  assign qa_trigger_next = (qa_trigger || trims) && !fired && !opens;

  ram_1w2r #(
    .WIDTH (2 + BYTES_W),
    .DEPTH (DESTS)
  ) u_adapt (
    .clk     (clk),
    .we      (stage[4] && effect),
    .waddr   (ctx),
    .wdata   ({qa_open_next, qa_trigger_next,
               (window_opened || opens) ? BYTES_W'(0) : qa_bytes_next}),
    .a_re    (read),
    .a_raddr (read_ctx),
    .a_rdata ({qa_open, qa_trigger, qa_bytes}),
    .b_re    (look),
    .b_raddr (look_ctx),
    .b_rdata ({look_qa_open, look_qa_trigger, look_qa_bytes})
  );

  // Stage 2 has nothing to do here.
  logic unused_stage;
  assign unused_stage = stage[2];

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) if (rst_n) begin
    if (stage[4] && effect && fired) begin
      assert (window_opened)
        else $error("nscc_adapt: Quick Adapt of context %0d fired without a new window", ctx);
      assert (!cfg_disable_quick_adapt)
        else $error("nscc_adapt: Quick Adapt of context %0d fired though it is disabled", ctx);
    end
  end
`else
  // Only the assertions look at reset here.
  logic unused_rst_n;
  assign unused_rst_n = rst_n;
`endif

endmodule
