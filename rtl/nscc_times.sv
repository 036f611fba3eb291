// Times of the NSCC window unit: last_eta, qa_end and (UET) last_cut, each with a bit that says
// whether it still matters, and the sweep that clears these bits before half a wrap has passed.
//
// An event settles its times in stages 1 and 2 as of its own cycle and writes them in stage 4. The
// sweep shares the second read port with peeks and the write port with events, and stands where
// they take one: it never judges a context later than an event or a peek that will see the result,
// so nothing shows when it passed. A closed context holds times that no longer matter.

module nscc_times
  import nscc_pkg::*;
#(
  parameter int DESTS = 256,
  parameter int UET = 0,
  parameter int TIME_W = 32,
  parameter int RTT_W = 20,
  localparam int CTX_W = $clog2(DESTS),
  localparam int DELAY_W = RTT_W + RTT_FRAC
) (
  input  logic               clk,
  input  logic               rst_n,
  input  logic [DELAY_W-1:0] cfg_base_rtt,
  input  logic [DELAY_W-1:0] cfg_target,

  // Sweep: the contexts of this cycle and of the next one.
  input  logic               init,
  input  logic               visit,
  input  logic [CTX_W-1:0]   index,
  input  logic [CTX_W-1:0]   index_d,
  input  logic [TIME_W-1:0]  now,

  // The context that is read, for stage 1 of its event; the event's stages and whether it takes
  // effect; the event and the cycle in which it was taken.
  input  logic               read,
  input  logic [CTX_W-1:0]   read_ctx,
  input  logic [4:1]         stage,
  input  logic               effect,
  input  logic [CTX_W-1:0]   ctx,
  input  logic               opens,
  input  logic               closes,
  input  logic [TIME_W-1:0]  evt_now,
  // Base RTT after the event, in stage 2.
  input  logic [DELAY_W-1:0] base_rtt,
  // What it starts anew, in stage 4: the eta timer, an observation window, the time of a cut.
  input  logic               eta_added,
  input  logic               window_opened,
  input  logic               cut_made,

  // As of the event, from stage 2 on; cut_held from stage 3 on.
  output logic               eta_due,
  output logic               qa_running,
  output logic               cut_held,

  // For a peek: its cycle and its base RTT, in the cycle after look.
  input  logic               look,
  input  logic [CTX_W-1:0]   look_ctx,
  input  logic               looked,
  input  logic [TIME_W-1:0]  look_now,
  input  logic [DELAY_W-1:0] look_base_rtt,
  output logic               look_eta_due,
  output logic [TIME_W-1:0]  look_last_eta,
  output logic               look_qa_running,
  output logic [TIME_W-1:0]  look_qa_end,
  output logic               look_cut_held,
  output logic [TIME_W-1:0]  look_last_cut
);

  // Whole cycles of a base RTT, of base RTT and target.
  localparam int PERIOD_W = RTT_W + 2;

  // Whether `period` cycles have passed from `since` to `at`.
  function automatic logic passed(input logic [TIME_W-1:0]   at,
                                  input logic [TIME_W-1:0]   since,
                                  input logic [PERIOD_W-1:0] period);
    logic [TIME_W-1:0] age;
    age = at - since;
    return 64'(age) >= 64'(period);
  endfunction

  // Whether `at` has reached a time: their difference, read as signed, is not negative.
  function automatic logic reached(input logic [TIME_W-1:0] at, input logic [TIME_W-1:0] deadline);
    logic [TIME_W-1:0] difference;
    difference = at - deadline;
    return !difference[TIME_W-1];
  endfunction

  function automatic logic [PERIOD_W-1:0] period_of(input logic [DELAY_W-1:0] rtt);
    return PERIOD_W'(whole_cycles(64'(rtt)));
  endfunction

  // Length of an observation window in whole cycles, rounded up: base RTT + target.
  function automatic logic [PERIOD_W-1:0] observation(input logic [DELAY_W-1:0] rtt,
                                                      input logic [DELAY_W-1:0] target);
    return PERIOD_W'(whole_cycles(64'(rtt) + 64'(target)));
  endfunction

  // ConfigBaseRTT in whole cycles. It stands still, so it may be a register.
  logic [PERIOD_W-1:0] period_q;

  always_ff @(posedge clk) period_q <= period_of(cfg_base_rtt);

  // --------------------------------------------------------------------------------------------
  // Stage 1: the times that were read, as of the event. Stages 2 and 3: the end of a window.
  // --------------------------------------------------------------------------------------------

  logic              eta_matters, qa_matters;
  logic [TIME_W-1:0] last_eta, qa_end, observation_q, qa_end_q;

  always_ff @(posedge clk) begin
    if (stage[1]) begin
      eta_due    <= !eta_matters || passed(evt_now, last_eta, period_q);
      qa_running <= qa_matters && !reached(evt_now, qa_end);
    end
    if (stage[2]) observation_q <= TIME_W'(observation(base_rtt, cfg_target));
    if (stage[3]) qa_end_q      <= evt_now + observation_q;
  end

  // --------------------------------------------------------------------------------------------
  // Port b: what a peek or the sweep looks at.
  // --------------------------------------------------------------------------------------------

  logic              b_eta_matters, b_qa_matters;
  logic [TIME_W-1:0] b_last_eta, b_qa_end, b_now;
  logic [CTX_W-1:0]  b_raddr;

  assign b_raddr = look ? look_ctx : index_d;
  assign b_now   = looked ? look_now : now;

  assign look_eta_due    = !b_eta_matters || passed(b_now, b_last_eta, period_q);
  assign look_last_eta   = look_eta_due ? '0 : b_last_eta;
  assign look_qa_running = b_qa_matters && !reached(b_now, b_qa_end);
  assign look_qa_end     = look_qa_running ? b_qa_end : '0;

  // --------------------------------------------------------------------------------------------
  // Memories of {it still matters, time}. What is not an event's write is the sweep's.
  // --------------------------------------------------------------------------------------------

  logic              event_we, eta_we, qa_we;
  logic [CTX_W-1:0]  waddr;
  logic [TIME_W:0]   eta_wdata, qa_wdata;

  assign event_we = stage[4] && effect;
  assign waddr    = event_we ? ctx : index;

  always_comb begin
    eta_we    = init || (visit && b_eta_matters && look_eta_due);
    eta_wdata = '0;
    qa_we     = init || (visit && b_qa_matters && !look_qa_running);
    qa_wdata  = '0;
    if (event_we) begin
      eta_we    = 1'b1;
      eta_wdata = {!eta_due, last_eta};
      qa_we     = 1'b1;
      qa_wdata  = {qa_running, qa_end};
      if (opens || eta_added) eta_wdata = {1'b1, evt_now};
      if (window_opened)      qa_wdata  = {1'b1, qa_end_q};
      if (closes)             eta_wdata = '0;
      if (opens || closes)    qa_wdata  = '0;
    end
  end

  ram_1w2r #(
    .WIDTH (1 + TIME_W),
    .DEPTH (DESTS)
  ) u_eta (
    .clk     (clk),
    .we      (eta_we),
    .waddr   (waddr),
    .wdata   (eta_wdata),
    .a_re    (read),
    .a_raddr (read_ctx),
    .a_rdata ({eta_matters, last_eta}),
    .b_re    (1'b1),
    .b_raddr (b_raddr),
    .b_rdata ({b_eta_matters, b_last_eta})
  );

  ram_1w2r #(
    .WIDTH (1 + TIME_W),
    .DEPTH (DESTS)
  ) u_qa (
    .clk     (clk),
    .we      (qa_we),
    .waddr   (waddr),
    .wdata   (qa_wdata),
    .a_re    (read),
    .a_raddr (read_ctx),
    .a_rdata ({qa_matters, qa_end}),
    .b_re    (1'b1),
    .b_raddr (b_raddr),
    .b_rdata ({b_qa_matters, b_qa_end})
  );

  // --------------------------------------------------------------------------------------------
  // The last cut. It matters for a base RTT, which may fall meanwhile: events and peeks go by the
  // base RTT that they find, the sweep by ConfigBaseRTT, above which no base RTT is.
  // --------------------------------------------------------------------------------------------

  if (UET != 0) begin : g_cut
    logic                cut_matters, b_cut_matters, cut_we;
    logic [TIME_W-1:0]   last_cut, b_last_cut;
    logic [PERIOD_W-1:0] b_period;
    logic [TIME_W:0]     cut_wdata;

    always_ff @(posedge clk) begin
      if (stage[2]) cut_held <= cut_matters && !passed(evt_now, last_cut, period_of(base_rtt));
    end

    assign b_period      = looked ? period_of(look_base_rtt) : period_q;
    assign look_cut_held = b_cut_matters && !passed(b_now, b_last_cut, b_period);
    assign look_last_cut = look_cut_held ? b_last_cut : '0;

    always_comb begin
      cut_we    = init || (visit && b_cut_matters && !look_cut_held);
      cut_wdata = '0;
      if (event_we) begin
        cut_we    = 1'b1;
        cut_wdata = {cut_held, last_cut};
        if (cut_made)        cut_wdata = {1'b1, evt_now};
        if (opens || closes) cut_wdata = '0;
      end
    end

    ram_1w2r #(
      .WIDTH (1 + TIME_W),
      .DEPTH (DESTS)
    ) u_cut (
      .clk     (clk),
      .we      (cut_we),
      .waddr   (waddr),
      .wdata   (cut_wdata),
      .a_re    (read),
      .a_raddr (read_ctx),
      .a_rdata ({cut_matters, last_cut}),
      .b_re    (1'b1),
      .b_raddr (b_raddr),
      .b_rdata ({b_cut_matters, b_last_cut})
    );
  end else begin : g_no_cut
    logic unused_cut;

    assign cut_held      = 1'b0;
    assign look_cut_held = 1'b0;
    assign look_last_cut = '0;
    assign unused_cut    = cut_made ^ (^look_base_rtt);
  end

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) if (rst_n) begin
    if (visit || init) begin
      assert (!event_we)
        else $error("nscc_times: the sweep visits context %0d in an event's slot", index);
    end
    if (looked) begin
      assert (!visit)
        else $error("nscc_times: the sweep visits context %0d in a peek's slot", index);
    end
    if (event_we && eta_added) begin
      assert (eta_due)
        else $error("nscc_times: the additive term of context %0d before it is due", ctx);
    end
    if (event_we && window_opened) begin
      assert (!qa_running)
        else $error("nscc_times: an observation window of context %0d within another", ctx);
    end
  end
`else
  // Only the assertions look at reset here.
  logic unused_rst_n;
  assign unused_rst_n = rst_n;
`endif

endmodule
