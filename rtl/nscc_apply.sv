// What an event of the NSCC window unit does to the window by dividing: a multiplicative decrease
// (UET), and the pending increase with the additive term. One divider serves both, one after the
// other; the schedule is the same for every event that divides, whichever it needs.
//
// RATIO_STEP starts (average - target) ÷ average; KEEP_STEP and the three steps after it make the
// share that is kept and the cut; QUOTIENT_STEP starts pending ÷ cwnd; ADD_STEP adds it, and
// APPLY_STAGE adds the additive term and bounds the window. No other event is taken meanwhile, so
// what comes from the event stands still.

module nscc_apply
  import congruent_pkg::*;
  import nscc_pkg::*;
#(
  parameter int UET = 0,
  parameter int CWND_FRAC = 4,
  parameter int RTT_W = 20,
  localparam int WINDOW_W = BYTES_W + CWND_FRAC,
  localparam int DELAY_W = RTT_W + RTT_FRAC,
  localparam int AVERAGE_W = RTT_W + AVERAGE_FRAC
) (
  input  logic                 clk,
  input  logic                 rst_n,
  input  logic [PACKET_W-1:0]  cfg_packet,
  input  logic [DELAY_W-1:0]   cfg_target,
  input  logic [WINDOW_W-1:0]  cfg_eta,
  input  logic [SHARE_W-1:0]   cfg_gamma,
  input  logic [SHARE_W-1:0]   cfg_smallest_keep,

  // In EFFECT_STAGE of an event that divides: its window so far. From then on: what it does.
  input  logic                 start,
  input  logic [WINDOW_W-1:0]  cwnd,
  input  logic                 cut_made,
  input  logic                 due,
  input  logic                 eta_added,
  input  logic [AVERAGE_W-1:0] avg_delay,
  input  logic [WINDOW_W-1:0]  max_window,
  // Its pending increase: from PENDING_STAGE + 1 on.
  input  logic [PENDING_W-1:0] pending,

  // One cycle before the last; the last, with the window after the event.
  output logic                 ending,
  output logic                 applied,
  output logic [WINDOW_W-1:0]  applied_cwnd
);

  localparam logic [WINDOW_W-1:0] MOST_WINDOW = '1;
  localparam int DIVISOR_W = (UET != 0 && AVERAGE_W > WINDOW_W) ? AVERAGE_W : WINDOW_W;

  logic [APPLY_STAGE:RATIO_STEP] step_q;

  always_ff @(posedge clk) begin
    if (!rst_n)                      step_q <= '0;
    else if (start || step_q != '0)  step_q <= {step_q[APPLY_STAGE-1:RATIO_STEP], start};
  end

  assign ending  = step_q[ADD_STEP];
  assign applied = step_q[APPLY_STAGE];

  // --------------------------------------------------------------------------------------------
  // The divider.
  // --------------------------------------------------------------------------------------------

  logic                 div_valid, div_done;
  logic [DIVISOR_W-1:0] div_high, div_divisor;
  logic [DIV_W-1:0]     div_low, div_quotient;

  div_iter #(
    .DIVISOR_W  (DIVISOR_W),
    .QUOTIENT_W (DIV_W),
    .BITS       (DIV_BITS)
  ) u_div (
    .clk          (clk),
    .rst_n        (rst_n),
    .in_valid     (div_valid),
    .in_high      (div_high),
    .in_low       (div_low),
    .in_divisor   (div_divisor),
    .out_valid    (div_done),
    .out_quotient (div_quotient)
  );

  // --------------------------------------------------------------------------------------------
  // pending ÷ cwnd, rounded down; the largest window where it does not fit.
  // --------------------------------------------------------------------------------------------

  localparam int DIVIDEND_W = PENDING_W + 2 * CWND_FRAC;

  logic [DIVIDEND_W-1:0] dividend;
  logic [DIVISOR_W-1:0]  quotient_high;
  logic [DIV_W-1:0]      quotient_low;
  logic                  quotient_fits, fits_q;
  // The window, after a cut where one is made.
  logic [WINDOW_W-1:0]   cwnd_q, quotient, added_q, with_eta;

  assign dividend      = {pending, (2 * CWND_FRAC)'(0)};
  assign quotient_high = DIVISOR_W'(dividend >> DIV_W);
  assign quotient_low  = dividend[DIV_W-1:0];
  assign quotient_fits = due && (64'(pending) >> (BYTES_W - CWND_FRAC)) < 64'(cwnd_q);
  assign quotient      = fits_q ? div_quotient[WINDOW_W-1:0] : MOST_WINDOW;

  always_ff @(posedge clk) begin
    if (step_q[QUOTIENT_STEP]) fits_q <= quotient_fits;
    if (step_q[ADD_STEP]) begin
      added_q <= due ? WINDOW_W'(add_window(64'(cwnd_q), 64'(quotient), 64'(MOST_WINDOW)))
                     : cwnd_q;
    end
  end

  // --------------------------------------------------------------------------------------------
  // A cut, and who has the divider when.
  // --------------------------------------------------------------------------------------------

  if (UET != 0) begin : g_cut
    localparam logic [SHARE_W-1:0] ONE = {1'b1, SHARE_FRAC'(0)};
    localparam int CUT_W = WINDOW_W + SHARE_W;

    logic [SHARE_W+SHARE_FRAC-1:0] gamma_product_q;
    logic [SHARE_W-1:0]            keep_q;
    logic [CUT_W-1:0]              cut_product_q;
    logic [DIVISOR_W-1:0]          excess;
    logic [DIV_W-SHARE_FRAC-1:0]   excess_low;

    // 1 - Gamma × ratio, the product rounded half up, held at the smallest share.
    function automatic logic [SHARE_W-1:0] keep(input logic [SHARE_W+SHARE_FRAC-1:0] product,
                                                input logic [SHARE_W-1:0]            smallest);
      logic [SHARE_W-1:0] share;
      share = ONE - SHARE_W'(round_half_up(64'(product), SHARE_FRAC));
      return (share < smallest) ? smallest : share;
    endfunction

    // cwnd × keep, from their product, rounded half up.
    function automatic logic [WINDOW_W-1:0] cut(input logic [CUT_W-1:0] product);
      return WINDOW_W'(round_half_up(64'(product), SHARE_FRAC));
    endfunction

    assign excess     = DIVISOR_W'(avg_delay)
                        - DIVISOR_W'({cfg_target, (AVERAGE_FRAC - RTT_FRAC)'(0)});
    assign excess_low = excess[DIV_W-SHARE_FRAC-1:0];

    always_ff @(posedge clk) begin
      if (start) cwnd_q <= cwnd;
      if (cut_made) begin
        if (step_q[KEEP_STEP]) begin
          gamma_product_q <= (SHARE_W + SHARE_FRAC)'(cfg_gamma)
                             * (SHARE_W + SHARE_FRAC)'(div_quotient[SHARE_FRAC-1:0]);
        end
        if (step_q[KEEP_STEP+1]) keep_q        <= keep(gamma_product_q, cfg_smallest_keep);
        if (step_q[KEEP_STEP+2]) cut_product_q <= CUT_W'(cwnd_q) * CUT_W'(keep_q);
        if (step_q[KEEP_STEP+3]) cwnd_q        <= cut(cut_product_q);
      end
    end

    // The ratio (average - target) ÷ average has SHARE_FRAC bits: the dividend is the excess with
    // as many zeros, of which the low DIV_W bits are div_low.
    assign div_valid = (cut_made && step_q[RATIO_STEP])
                       || (quotient_fits && step_q[QUOTIENT_STEP]);

    assign div_high    = step_q[RATIO_STEP] ? excess >> (DIV_W - SHARE_FRAC) : quotient_high;
    assign div_low     = step_q[RATIO_STEP] ? {excess_low, SHARE_FRAC'(0)} : quotient_low;
    assign div_divisor = step_q[RATIO_STEP] ? DIVISOR_W'(avg_delay) : DIVISOR_W'(cwnd_q);
  end else begin : g_no_cut
    logic unused_cut;

    always_ff @(posedge clk) begin
      if (start) cwnd_q <= cwnd;
    end

    assign div_valid   = quotient_fits && step_q[QUOTIENT_STEP];
    assign div_high    = quotient_high;
    assign div_low     = quotient_low;
    assign div_divisor = cwnd_q;
    assign unused_cut  = cut_made ^ (^cfg_gamma) ^ (^cfg_smallest_keep) ^ (^cfg_target)
                         ^ (^avg_delay);
  end

  // --------------------------------------------------------------------------------------------
  // The additive term, and the bounds.
  // --------------------------------------------------------------------------------------------

  assign with_eta = eta_added ? WINDOW_W'(add_window(64'(added_q), 64'(cfg_eta), 64'(MOST_WINDOW)))
                              : added_q;
  assign applied_cwnd = WINDOW_W'(bound(64'(with_eta), 64'(max_window),
                                        64'({cfg_packet, CWND_FRAC'(0)})));

  // Quotient bits above a window's, which are 0.
  logic unused_quotient;
  assign unused_quotient = ^div_quotient;

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && start) begin
      assert (step_q == '0)
        else $error("nscc_apply: an event divides while another does");
      assert (due || cut_made)
        else $error("nscc_apply: an event divides for nothing");
      assert (due || !eta_added)
        else $error("nscc_apply: an additive term without an apply");
    end
    if (rst_n && step_q[ADD_STEP] && due && fits_q) begin
      assert (div_done)
        else $error("nscc_apply: the increase is added before it is there");
      assert (64'(div_quotient) <= 64'(MOST_WINDOW))
        else $error("nscc_apply: the increase does not fit a window");
    end
  end
`else
  logic unused_done;
  assign unused_done = div_done;
`endif

endmodule
