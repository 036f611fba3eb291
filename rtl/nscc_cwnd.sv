// The window of the NSCC window unit: cwnd, fast increase, and (UET) the window that is saved from
// a penalty; which routine an event runs, and whether it divides.
//
// Stage 1 multiplies, 2 takes a penalty or a lost packet off, 3 bounds the window and chooses the
// routine, 4 adds a fast increase, bounds again and writes. An event that divides hands its window
// on in stage 4, still unbounded, and nscc_apply gives it back for the write.

module nscc_cwnd
  import congruent_pkg::*;
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
  input  logic [PACKET_W-1:0]  cfg_packet,
  input  logic [WINDOW_W-1:0]  cfg_first_window,
  input  logic [DELAY_W-1:0]   cfg_target,
  input  logic [DELAY_W-1:0]   cfg_margin,
  input  logic [FAST_W-1:0]    cfg_fast,

  // The context that is read, for stage 1 of its event; the event's stages and whether it takes
  // effect; the event. sampled: a SACK with a sample.
  input  logic                 read,
  input  logic [CTX_W-1:0]     read_ctx,
  input  logic [4:1]           stage,
  input  logic                 effect,
  input  logic [CTX_W-1:0]     ctx,
  input  logic                 opens,
  input  logic                 closes,
  input  logic                 sack,
  input  logic                 sampled,
  input  logic                 trims,
  input  logic                 loss,
  input  logic [BYTES_W-1:0]   bytes,
  input  logic [BYTES_W-1:0]   flight,
  input  logic                 ecn,
  input  logic [PENALTY_W-1:0] penalty,
  input  logic                 restore,

  // Of the event: in_flight and sample from stage 2 on, the rest in stage 3, max_window_next in 4.
  input  logic [BYTES_W-1:0]   in_flight,
  input  logic [DELAY_W-1:0]   sample,
  input  logic                 ignoring,
  input  logic                 fires,
  input  logic                 cut_held,
  input  logic [AVERAGE_W-1:0] avg_delay,
  input  logic [WINDOW_W-1:0]  max_window,
  input  logic [WINDOW_W-1:0]  max_window_next,
  input  logic [BYTES_W-1:0]   qa_bytes,
  input  logic                 due_by_time,
  input  logic                 due_by_bytes,

  // The window before the event, from stage 1 on.
  output logic [WINDOW_W-1:0]  cwnd,
  // Whether the event divides, in stage 3. What it comes to, from stage 4 on.
  output logic                 divides_d,
  output logic                 divides,
  output logic                 due,
  output logic                 eta_added,
  output logic                 cut_made,
  output logic [3:0]           routine,
  // The window, in stage 4: after the event, or where it divides, before that.
  output logic [WINDOW_W-1:0]  cwnd_next,

  // The window of an event that has divided.
  input  logic                 applied,
  input  logic [WINDOW_W-1:0]  applied_cwnd,

  // For a peek: the cycle after look.
  input  logic                 look,
  input  logic [CTX_W-1:0]     look_ctx,
  output logic [WINDOW_W-1:0]  look_cwnd,
  output logic                 look_fast_on,
  output logic [BYTES_W-1:0]   look_fast_count,
  output logic [WINDOW_W-1:0]  look_saved_cwnd
);

  localparam int FAST_PRODUCT_W = FAST_W + BYTES_W;
  localparam logic [WINDOW_W-1:0] MOST_WINDOW = '1;

  logic [WINDOW_W-1:0] floor;

  assign floor = WINDOW_W'({cfg_packet, CWND_FRAC'(0)});

  // fast × bytes, rounded half up, then saturating.
  function automatic logic [WINDOW_W-1:0] fast_step(input logic [FAST_PRODUCT_W-1:0] product);
    logic [63:0] step;
    step = round_half_up(64'(product), FAST_FRAC - CWND_FRAC);
    return (step > 64'(MOST_WINDOW)) ? MOST_WINDOW : WINDOW_W'(step);
  endfunction

  // The window less so many whole bytes, held at the nominal packet.
  function automatic logic [WINDOW_W-1:0] less(input logic [WINDOW_W-1:0] window,
                                               input logic [BYTES_W-1:0]  lost,
                                               input logic [WINDOW_W-1:0] packet);
    logic [63:0] left;
    left = sub_floor_zero(64'(window), 64'({lost, CWND_FRAC'(0)}));
    return WINDOW_W'(hold_at_floor(left, 64'(packet)));
  endfunction

  // --------------------------------------------------------------------------------------------
  // Stages 1 and 2: what does not depend on the window's ceiling.
  // --------------------------------------------------------------------------------------------

  logic                      fast_on, below_target_q, below_margin_q;
  logic [BYTES_W-1:0]        fast_count, fast_count_q;
  logic [FAST_PRODUCT_W-1:0] fast_product_q;
  logic [WINDOW_W-1:0]       fast_step_q, less_q;
  // The window after the penalty step.
  logic [WINDOW_W-1:0]       cwnd_1;
  logic                      penalised, marked;

  always_ff @(posedge clk) begin
    if (stage[1] && sampled) begin
      fast_count_q   <= add_bytes(fast_count, bytes);
      fast_product_q <= FAST_PRODUCT_W'(cfg_fast) * FAST_PRODUCT_W'(bytes);
    end
    if (stage[2]) begin
      if (loss || trims) less_q <= less(cwnd, flight, floor);
      if (sampled) begin
        fast_step_q    <= fast_step(fast_product_q);
        below_target_q <= sample < cfg_target;
        below_margin_q <= sample < cfg_margin;
      end
    end
  end

  if (UET != 0) begin : g_penalty
    localparam int FINE_W = BYTES_W + PENALTY_W;

    logic [FINE_W-1:0]   fine_q;
    logic [WINDOW_W-1:0] saved, saved_next, cwnd_q;

    // min(cwnd, in_flight) less bytes × penalty ÷ 128, rounded half up, held at a nominal packet.
    function automatic logic [WINDOW_W-1:0] penalise(input logic [WINDOW_W-1:0] window,
                                                     input logic [BYTES_W-1:0]  flying,
                                                     input logic [FINE_W-1:0]   product,
                                                     input logic [WINDOW_W-1:0] packet);
      logic [WINDOW_W-1:0] full, used;
      logic [63:0]         fine;
      full = {flying, CWND_FRAC'(0)};
      used = (full < window) ? full : window;
      fine = round_half_up(64'({product, CWND_FRAC'(0)}), PENALTY_W);
      return WINDOW_W'(hold_at_floor(sub_floor_zero(64'(used), fine), 64'(packet)));
    endfunction

    assign penalised = sack && penalty != '0;
    assign marked    = ecn;
    assign cwnd_1    = cwnd_q;

    always_ff @(posedge clk) begin
      if (stage[1] && sack) fine_q <= FINE_W'(bytes) * FINE_W'(penalty);
      if (stage[2]) begin
        cwnd_q     <= cwnd;
        saved_next <= saved;
        if (penalised) begin
          cwnd_q <= penalise(cwnd, in_flight, fine_q, floor);
          if (saved == '0) saved_next <= cwnd;
        end else if (sack) begin
          if (restore && saved != '0) cwnd_q <= saved;
          saved_next <= '0;
        end
        if (opens) saved_next <= '0;
      end
    end

    ram_1w2r #(
      .WIDTH (WINDOW_W),
      .DEPTH (DESTS)
    ) u_saved (
      .clk     (clk),
      .we      (stage[4] && effect),
      .waddr   (ctx),
      .wdata   (saved_next),
      .a_re    (read),
      .a_raddr (read_ctx),
      .a_rdata (saved),
      .b_re    (look),
      .b_raddr (look_ctx),
      .b_rdata (look_saved_cwnd)
    );
  end else begin : g_no_penalty
    logic unused_uet;

    assign penalised       = 1'b0;
    assign marked          = 1'b0;
    assign cwnd_1          = cwnd;
    assign look_saved_cwnd = '0;
    assign unused_uet      = sack ^ ecn ^ restore ^ (^penalty) ^ (^in_flight);
  end

  // --------------------------------------------------------------------------------------------
  // Stage 3: bounds, the routine, whether step 5 is due.
  // --------------------------------------------------------------------------------------------

  logic [WINDOW_W-1:0] cwnd_2, cwnd_3, cwnd_3_q;
  logic                engages, increases, cuts, ends_fast, applies;
  logic                fast_q, fast_on_q;
  logic [BYTES_W-1:0]  fast_count_next;
  logic [3:0]          routine_d;

  assign cwnd_2    = WINDOW_W'(bound(64'(cwnd_1), 64'(max_window), 64'(floor)));
  assign engages   = fast_on || {fast_count_q, CWND_FRAC'(0)} > cwnd_2;
  assign increases = sampled && !fires && !marked && !penalised;
  assign ends_fast = sampled && !fires
                     && (marked ? !below_target_q
                                : !penalised && below_target_q && !below_margin_q);

  if (UET != 0) begin : g_cuts
    assign cuts = sampled && !fires && marked && !below_target_q && !cut_held
                  && avg_delay > {cfg_target, (AVERAGE_FRAC - RTT_FRAC)'(0)};
  end else begin : g_no_cuts
    logic unused_cut;

    assign cuts       = 1'b0;
    assign unused_cut = cut_held ^ (^avg_delay);
  end

  always_comb begin
    routine_d = RoutineNone;
    if (loss)                 routine_d = RoutineLoss;
    else if (trims && ignoring) routine_d = RoutineIgnored;
    else if (fires)           routine_d = RoutineQuickAdapt;
    else if (trims)           routine_d = RoutineTrim;
    else if (sampled && marked) routine_d = cuts ? RoutineDecrease : RoutineMarkedHold;
    else if (penalised)       routine_d = RoutinePenalty;
    else if (sampled) begin
      if (!below_target_q)    routine_d = RoutineFair;
      else if (below_margin_q && engages) routine_d = RoutineFast;
      else                    routine_d = RoutineProportional;
    end
  end

  always_comb begin
    cwnd_3 = cwnd_1;
    if (closes) cwnd_3 = '0;
    else if (opens) begin
      cwnd_3 = WINDOW_W'(hold_at_floor(64'(cfg_first_window), 64'(floor)));
    end else if (fires) begin
      cwnd_3 = WINDOW_W'(hold_at_floor(64'({qa_bytes, CWND_FRAC'(0)}), 64'(floor)));
    end else if (loss || (trims && !ignoring)) cwnd_3 = less_q;
    else if (sampled) cwnd_3 = cwnd_2;
  end

  assign applies   = sampled && !fires && (due_by_time || due_by_bytes);
  assign divides_d = effect && (applies || cuts);

  always_ff @(posedge clk) begin
    if (stage[3]) begin
      divides         <= divides_d;
      due             <= applies;
      eta_added       <= applies && due_by_time;
      cut_made        <= cuts;
      routine         <= routine_d;
      cwnd_3_q        <= cwnd_3;
      fast_q          <= routine_d == RoutineFast;
      fast_on_q       <= fast_on;
      fast_count_next <= fast_count;
      if (ends_fast || opens) begin
        fast_on_q       <= 1'b0;
        fast_count_next <= '0;
      end else if (increases && below_target_q && below_margin_q) begin
        fast_on_q       <= engages;
        fast_count_next <= fast_count_q;
      end
    end
  end

  // --------------------------------------------------------------------------------------------
  // Stage 4: the fast increase. Without a division the bounds follow; they change nothing in a
  // window that is within them since stage 3.
  // --------------------------------------------------------------------------------------------

  logic [WINDOW_W-1:0] fast_cwnd;

  assign fast_cwnd = WINDOW_W'(add_window(64'(cwnd_3_q), 64'(fast_step_q), 64'(MOST_WINDOW)));

  always_comb begin
    cwnd_next = cwnd_3_q;
    if (fast_q) begin
      cwnd_next = divides ? fast_cwnd
                          : WINDOW_W'(bound(64'(fast_cwnd), 64'(max_window_next), 64'(floor)));
    end
  end

  // --------------------------------------------------------------------------------------------
  // Memories.
  // --------------------------------------------------------------------------------------------

  ram_1w2r #(
    .WIDTH (WINDOW_W),
    .DEPTH (DESTS)
  ) u_cwnd (
    .clk     (clk),
    .we      (applied || (stage[4] && effect && !divides)),
    .waddr   (ctx),
    .wdata   (applied ? applied_cwnd : cwnd_next),
    .a_re    (read),
    .a_raddr (read_ctx),
    .a_rdata (cwnd),
    .b_re    (look),
    .b_raddr (look_ctx),
    .b_rdata (look_cwnd)
  );

  ram_1w2r #(
    .WIDTH (1 + BYTES_W),
    .DEPTH (DESTS)
  ) u_fast (
    .clk     (clk),
    .we      (stage[4] && effect),
    .waddr   (ctx),
    .wdata   ({fast_on_q, fast_count_next}),
    .a_re    (read),
    .a_raddr (read_ctx),
    .a_rdata ({fast_on, fast_count}),
    .b_re    (look),
    .b_raddr (look_ctx),
    .b_rdata ({look_fast_on, look_fast_count})
  );

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) if (rst_n) begin
    if (applied) begin
      assert (!stage[4])
        else $error("nscc_cwnd: context %0d is written by a division and by an event", ctx);
      assert (applied_cwnd >= floor)
        else $error("nscc_cwnd: the window of context %0d leaves a division below a packet", ctx);
    end
    if (stage[4] && effect && !divides && !closes) begin
      assert (cwnd_next >= floor)
        else $error("nscc_cwnd: the window of context %0d is below a packet", ctx);
      assert (!sampled || fired_by_adapt(routine) || cwnd_next == floor
              || cwnd_next <= max_window_next)
        else $error("nscc_cwnd: the window of context %0d is above its ceiling", ctx);
    end
  end

  function automatic logic fired_by_adapt(input logic [3:0] did);
    return did == RoutineQuickAdapt;
  endfunction
`else
  // Only the assertions look at reset here.
  logic unused_rst_n;
  assign unused_rst_n = rst_n;
`endif

endmodule
