// The window of each flow of the HPCC window unit: Wc, inc_stage, last_update_seq, W, and the
// pacing rate.
//
// WINDOW_READ_STAGE reads the flow, the stage after multiplies Wc by Eta / U, WINDOW_STAGE adds,
// bounds and writes. ACKs that move a window are two stages apart at least, so a memory's bypass
// is all that two of one flow need; an ACK without records may be right behind another, stores at
// most where that one changed anything, and is handed what that one writes. The pacing rate takes
// two stages more. Registers move only with an ACK in their stage.

module hpcc_apply
  import congruent_pkg::*;
  import hpcc_pkg::*;
#(
  parameter int FLOWS = 256,
  parameter int W_FRAC = 8,
  localparam int CTX_W = $clog2(FLOWS),
  localparam int WINDOW_W = BYTES_W + W_FRAC
) (
  input  logic                                    clk,
  input  logic                                    rst_n,
  input  logic [INVERSE_W-1:0]                    cfg_inverse_rtt,
  input  logic [INVERSE_SHIFT_W-1:0]              cfg_inverse_rtt_shift,
  input  logic [STAGE_W-1:0]                      cfg_max_stage,
  input  logic [WINDOW_W-1:0]                     cfg_wai,
  input  logic [WINDOW_W-1:0]                     cfg_first_window,
  input  logic [PACKET_W-1:0]                     cfg_packet,

  // An ACK, by stage.
  input  logic [WINDOW_STAGE+1:WINDOW_READ_STAGE] ack,

  // WINDOW_READ_STAGE: the ACK. Nothing is in the memories of a fresh flow.
  input  logic [CTX_W-1:0]                        ctx,
  input  logic                                    refused,
  input  logic [1:0]                              branch,
  input  logic                                    fresh,
  input  logic [SEQ_W-1:0]                        seq,
  input  logic [SEQ_W-1:0]                        snd_nxt,

  // One stage later: Eta / U, and whether U >= Eta.
  input  logic [RATIO_W-1:0]                      quotient,
  input  logic [RATIO_SHIFT_W-1:0]                shift,
  input  logic                                    busy,

  // ANSWER_STAGE, in it (`rate_d`) and in registers before it.
  output logic [WINDOW_W-1:0]                     window_d,
  output logic [PACE_W-1:0]                       rate_d,
  output logic [STAGE_W-1:0]                      stage_d,
  output logic [1:0]                              branch_d,

  // What a fresh flow has for W and Wc.
  output logic [WINDOW_W-1:0]                     first_window,

  // A peek reads in WINDOW_STAGE.
  input  logic                                    peek_read,
  input  logic [CTX_W-1:0]                        peek_ctx,
  output logic [WINDOW_W-1:0]                     peek_window,
  output logic [WINDOW_W-1:0]                     peek_reference,
  output logic [STAGE_W-1:0]                      peek_stage,
  output logic [SEQ_W-1:0]                        peek_last_update_seq
);

  localparam int PRODUCT_W = WINDOW_W + RATIO_W;
  localparam int PACE_PRODUCT_W = WINDOW_W + INVERSE_W;

  logic [63:0] first_wide, packet_wide;

  assign first_wide   = 64'(cfg_first_window);
  assign packet_wide  = 64'(cfg_packet) << W_FRAC;
  assign first_window = WINDOW_W'(bound(first_wide, first_wide, packet_wide));

  // --------------------------------------------------------------------------------------------
  // The stage after WINDOW_READ_STAGE: the branch, full, Wc x Eta / U.
  // --------------------------------------------------------------------------------------------

  logic [CTX_W-1:0]               ctx_1_q, ctx_2_q;
  logic                           effect_1_q, effect_2_q, fresh_1_q, fresh_2_q;
  logic [1:0]                     branch_1_q, branch_2_q, branch_1;
  logic [SEQ_W-1:0]               seq_1_q, snd_nxt_1_q, snd_nxt_2_q, last_update_seq;
  logic [WINDOW_W-1:0]            window, reference, window_2_q, reference_2_q;
  logic [STAGE_W-1:0]             stage, stage_2_q;
  logic                           moves_1, full_1, full_2_q, follows;
  logic [PRODUCT_W-1:0]           product_2_q;
  logic [RATIO_SHIFT_W-1:0]       shift_2_q;
  // What the ACK in WINDOW_STAGE leaves behind.
  logic [WINDOW_W-1:0]            window_next, reference_next;
  logic [STAGE_W-1:0]             stage_next;
  logic [SEQ_W-1:0]               last_update_seq_next, last_update_seq_2_q;

  assign follows = ack[WINDOW_STAGE] && ctx_2_q == ctx_1_q;
  assign moves_1 = branch_1_q == BranchAdditive;
  assign full_1  = moves_1 && is_full(seq_1_q, last_update_seq);

  always_comb begin
    branch_1 = branch_1_q;
    if (moves_1 && (busy || stage >= cfg_max_stage)) branch_1 = BranchMultiplicative;
  end

  always_ff @(posedge clk) begin
    if (ack[WINDOW_READ_STAGE]) begin
      ctx_1_q     <= ctx;
      effect_1_q  <= !refused && branch != BranchStale;
      branch_1_q  <= branch;
      fresh_1_q   <= fresh;
      seq_1_q     <= seq;
      snd_nxt_1_q <= snd_nxt;
    end
    if (ack[WINDOW_READ_STAGE+1]) begin
      ctx_2_q       <= ctx_1_q;
      effect_2_q    <= effect_1_q;
      branch_2_q    <= branch_1;
      fresh_2_q     <= fresh_1_q;
      snd_nxt_2_q   <= snd_nxt_1_q;
      full_2_q      <= full_1;
      window_2_q    <= follows ? window_next : window;
      reference_2_q <= follows ? reference_next : reference;
      stage_2_q     <= follows ? stage_next : stage;
      last_update_seq_2_q <= follows ? last_update_seq_next : last_update_seq;
      if (branch_1 == BranchMultiplicative) begin
        product_2_q <= PRODUCT_W'(reference) * PRODUCT_W'(quotient);
        shift_2_q   <= shift;
      end
    end
  end

  // --------------------------------------------------------------------------------------------
  // WINDOW_STAGE: the window and what moves with it.
  // --------------------------------------------------------------------------------------------

  logic                moves_2, multiplicative_2, write;
  logic [WINDOW_W-1:0] moved;

  // Wc x Eta / U from its product, rounded half up to a window's LSB. It may be larger than a
  // window.
  function automatic logic [63:0] scale(input logic [PRODUCT_W-1:0]     product,
                                        input logic [RATIO_SHIFT_W-1:0] down);
    return round_half_up(64'(product), 32'(down));
  endfunction

  assign moves_2          = effect_2_q && branch_2_q != BranchStored;
  assign multiplicative_2 = branch_2_q == BranchMultiplicative;
  assign moved            = WINDOW_W'(bound((multiplicative_2 ? scale(product_2_q, shift_2_q)
                                                              : 64'(reference_2_q))
                                            + 64'(cfg_wai), first_wide, packet_wide));

  always_comb begin
    window_next          = window_2_q;
    reference_next       = reference_2_q;
    stage_next           = stage_2_q;
    last_update_seq_next = last_update_seq_2_q;
    if (fresh_2_q) begin
      window_next    = first_window;
      reference_next = first_window;
      stage_next     = '0;
    end
    if (moves_2) window_next = moved;
    if (moves_2 && full_2_q) begin
      reference_next = moved;
      stage_next     = multiplicative_2 ? '0 : stage_2_q + 1'b1;
    end
    if (effect_2_q && (!moves_2 || full_2_q)) last_update_seq_next = snd_nxt_2_q;
  end

  assign write = ack[WINDOW_STAGE] && effect_2_q;

  // --------------------------------------------------------------------------------------------
  // R = W x 8 / T.
  // --------------------------------------------------------------------------------------------

  logic [WINDOW_W-1:0]       window_3_q;
  logic [STAGE_W-1:0]        stage_3_q;
  logic [1:0]                branch_3_q;
  logic [PACE_PRODUCT_W-1:0] pace_product_q;

  // R from W's product with the reciprocal, UQ11.16 Gbps, rounded half up, saturating.
  function automatic logic [PACE_W-1:0] pace(input logic [PACE_PRODUCT_W-1:0]  product,
                                             input logic [INVERSE_SHIFT_W-1:0] inverse_shift);
    logic [63:0] rate;
    rate = round_half_up(64'(product),
                         INVERSE_FRAC + W_FRAC - 3 - PACE_FRAC + 32'(inverse_shift));
    return ((rate >> PACE_W) != '0) ? '1 : rate[PACE_W-1:0];
  endfunction

  always_ff @(posedge clk) begin
    if (ack[WINDOW_STAGE]) begin
      window_3_q <= window_next;
      stage_3_q  <= stage_next;
      branch_3_q <= branch_2_q;
    end
    if (ack[WINDOW_STAGE+1]) begin
      pace_product_q <= PACE_PRODUCT_W'(window_3_q) * PACE_PRODUCT_W'(cfg_inverse_rtt);
      window_d       <= window_3_q;
      stage_d        <= stage_3_q;
      branch_d       <= branch_3_q;
    end
  end

  assign rate_d = pace(pace_product_q, cfg_inverse_rtt_shift);

  // --------------------------------------------------------------------------------------------
  // Memories.
  // --------------------------------------------------------------------------------------------

  ram_1w2r #(
    .WIDTH (WINDOW_W),
    .DEPTH (FLOWS)
  ) u_window (
    .clk     (clk),
    .we      (write && (moves_2 || fresh_2_q)),
    .waddr   (ctx_2_q),
    .wdata   (window_next),
    .a_re    (ack[WINDOW_READ_STAGE]),
    .a_raddr (ctx),
    .a_rdata (window),
    .b_re    (peek_read),
    .b_raddr (peek_ctx),
    .b_rdata (peek_window)
  );

  ram_1w2r #(
    .WIDTH (WINDOW_W),
    .DEPTH (FLOWS)
  ) u_reference (
    .clk     (clk),
    .we      (write && (full_2_q || fresh_2_q)),
    .waddr   (ctx_2_q),
    .wdata   (reference_next),
    .a_re    (ack[WINDOW_READ_STAGE]),
    .a_raddr (ctx),
    .a_rdata (reference),
    .b_re    (peek_read),
    .b_raddr (peek_ctx),
    .b_rdata (peek_reference)
  );

  ram_1w2r #(
    .WIDTH (STAGE_W + SEQ_W),
    .DEPTH (FLOWS)
  ) u_update (
    .clk     (clk),
    .we      (write && (full_2_q || !moves_2)),
    .waddr   (ctx_2_q),
    .wdata   ({stage_next, last_update_seq_next}),
    .a_re    (ack[WINDOW_READ_STAGE]),
    .a_raddr (ctx),
    .a_rdata ({stage, last_update_seq}),
    .b_re    (peek_read),
    .b_raddr (peek_ctx),
    .b_rdata ({peek_stage, peek_last_update_seq})
  );

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && ack[WINDOW_STAGE]) begin
      assert (!(write && ack[WINDOW_STAGE-1] && moves_1 && ctx_1_q == ctx_2_q))
        else $error("hpcc_apply: the window of flow %0d moves in two stages running", ctx_2_q);
    end
    if (write && rst_n) begin
      assert (!fresh_2_q || !moves_2)
        else $error("hpcc_apply: flow %0d is fresh and its window moves", ctx_2_q);
      assert (64'(window_next) >= packet_wide)
        else $error("hpcc_apply: the window of flow %0d is below a packet", ctx_2_q);
      assert (!moves_2 || window_next == moved && (moved <= cfg_first_window
                                                  || 64'(moved) == packet_wide))
        else $error("hpcc_apply: the window of flow %0d is above W_init", ctx_2_q);
    end
  end
`else
  logic unused_rst_n;
  assign unused_rst_n = rst_n;
`endif

endmodule
