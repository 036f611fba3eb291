// Round-trip times of the NSCC window unit: base_rtt, the average delay, and the window's ceiling
// that follows the base RTT.
//
// Stage 1 lowers the base RTT and takes the delay sample, 2 multiplies (ceiling and average), 3
// rounds, 4 writes. The event's inputs and what is read stand still over the stages.

module nscc_delay
  import congruent_pkg::*;
  import nscc_pkg::*;
#(
  parameter int DESTS = 256,
  parameter int CWND_FRAC = 4,
  parameter int RTT_W = 20,
  localparam int CTX_W = $clog2(DESTS),
  localparam int WINDOW_W = BYTES_W + CWND_FRAC,
  localparam int DELAY_W = RTT_W + RTT_FRAC,
  localparam int AVERAGE_W = RTT_W + AVERAGE_FRAC
) (
  input  logic                     clk,
  input  logic                     rst_n,
  input  logic                     cfg_window_fixed,
  input  logic [WINDOW_W-1:0]      cfg_first_window,
  input  logic [WINDOW_RATE_W-1:0] cfg_window_rate,
  input  logic [DELAY_W-1:0]       cfg_base_rtt,
  input  logic [SHARE_W-1:0]       cfg_delay_alpha,

  // The context that is read, for stage 1 of its event; the event's stages and whether it takes
  // effect; the event. sampled: a SACK or NACK with a sample. averages: it moves the average, a
  // trim with ConfigBaseRTT for its sample.
  input  logic                     read,
  input  logic [CTX_W-1:0]         read_ctx,
  input  logic [4:1]               stage,
  input  logic                     effect,
  input  logic [CTX_W-1:0]         ctx,
  input  logic                     opens,
  input  logic                     probe,
  input  logic                     sampled,
  input  logic                     averages,
  input  logic                     trims,
  input  logic [DELAY_W-1:0]       rtt,

  // After the event. base_rtt and sample from stage 2 on; max_window and average in stage 3, and
  // in registers from 4 on.
  output logic [DELAY_W-1:0]       base_rtt_next,
  output logic [DELAY_W-1:0]       sample,
  output logic [WINDOW_W-1:0]      max_window_d,
  output logic [WINDOW_W-1:0]      max_window_next,
  output logic [AVERAGE_W-1:0]     avg_delay_d,
  output logic [AVERAGE_W-1:0]     avg_delay_next,

  // For a peek: the cycle after look.
  input  logic                     look,
  input  logic [CTX_W-1:0]         look_ctx,
  output logic [DELAY_W-1:0]       look_base_rtt,
  output logic [AVERAGE_W-1:0]     look_avg_delay,
  output logic [WINDOW_W-1:0]      look_max_window
);

  localparam logic [SHARE_W-1:0] ONE = {1'b1, SHARE_FRAC'(0)};
  localparam int CEILING_W = WINDOW_RATE_W + DELAY_W;
  localparam int BLEND_W = AVERAGE_W + SHARE_W;

  logic [DELAY_W-1:0]   base_rtt;
  logic [AVERAGE_W-1:0] avg_delay;
  logic [WINDOW_W-1:0]  max_window;

  // --------------------------------------------------------------------------------------------
  // Stage 1: base RTT and sample.
  // --------------------------------------------------------------------------------------------

  logic lower;

  assign lower = rtt < base_rtt;

  always_ff @(posedge clk) begin
    if (stage[1]) begin
      sample        <= lower ? '0 : rtt - base_rtt;
      base_rtt_next <= base_rtt;
      if (opens)                              base_rtt_next <= cfg_base_rtt;
      else if ((sampled || probe) && lower)   base_rtt_next <= rtt;
    end
  end

  // --------------------------------------------------------------------------------------------
  // Stage 2: the products. Stage 3: rounded half up.
  // --------------------------------------------------------------------------------------------

  logic [CEILING_W-1:0] ceiling_q;
  logic [BLEND_W-1:0]   blend_q;
  logic [AVERAGE_W-1:0] newest;
  logic [SHARE_W-1:0]   rest;

  // What the average folds in, and the weight of what it was.
  assign newest = AVERAGE_W'({trims ? cfg_base_rtt : sample, (AVERAGE_FRAC - RTT_FRAC)'(0)});
  assign rest   = ONE - cfg_delay_alpha;

  always_ff @(posedge clk) begin
    if (stage[2]) begin
      if (sampled)  ceiling_q <= CEILING_W'(cfg_window_rate) * CEILING_W'(base_rtt_next);
      if (averages) blend_q   <= BLEND_W'(cfg_delay_alpha) * BLEND_W'(newest)
                                 + BLEND_W'(rest) * BLEND_W'(avg_delay);
    end
    if (stage[3]) begin
      max_window_next <= max_window_d;
      avg_delay_next  <= avg_delay_d;
    end
  end

  // The ceiling follows each sample, unless it is fixed for life. Legal configurations keep it
  // within its format.
  always_comb begin
    max_window_d = max_window;
    if (opens) begin
      max_window_d = cfg_first_window;
    end else if (sampled && !cfg_window_fixed) begin
      max_window_d = WINDOW_W'(round_half_up(64'(ceiling_q),
                                             WINDOW_RATE_FRAC + RTT_FRAC - CWND_FRAC));
    end
  end

  always_comb begin
    avg_delay_d = avg_delay;
    if (opens)         avg_delay_d = '0;
    else if (averages) avg_delay_d = AVERAGE_W'(round_half_up(64'(blend_q), SHARE_FRAC));
  end

  // --------------------------------------------------------------------------------------------
  // Memories.
  // --------------------------------------------------------------------------------------------

  logic we;

  assign we = stage[4] && effect;

  ram_1w2r #(
    .WIDTH (DELAY_W + AVERAGE_W),
    .DEPTH (DESTS)
  ) u_delay (
    .clk     (clk),
    .we      (we),
    .waddr   (ctx),
    .wdata   ({base_rtt_next, avg_delay_next}),
    .a_re    (read),
    .a_raddr (read_ctx),
    .a_rdata ({base_rtt, avg_delay}),
    .b_re    (look),
    .b_raddr (look_ctx),
    .b_rdata ({look_base_rtt, look_avg_delay})
  );

  ram_1w2r #(
    .WIDTH (WINDOW_W),
    .DEPTH (DESTS)
  ) u_max_window (
    .clk     (clk),
    .we      (we),
    .waddr   (ctx),
    .wdata   (max_window_next),
    .a_re    (read),
    .a_raddr (read_ctx),
    .a_rdata (max_window),
    .b_re    (look),
    .b_raddr (look_ctx),
    .b_rdata (look_max_window)
  );

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) if (rst_n) begin
    if (we && sampled) begin
      assert (base_rtt_next <= base_rtt)
        else $error("nscc_delay: the base RTT of context %0d rose from %0d to %0d", ctx, base_rtt,
                    base_rtt_next);
      assert (64'(ceiling_q) >> (WINDOW_RATE_FRAC + RTT_FRAC + BYTES_W) == '0)
        else $error("nscc_delay: the ceiling of context %0d does not fit its format", ctx);
    end
  end
`else
  // Only the assertions look at reset here.
  logic unused_rst_n;
  assign unused_rst_n = rst_n;
`endif

endmodule
