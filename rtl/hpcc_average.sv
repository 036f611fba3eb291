// The utilisation U of each flow of the HPCC window unit: its moving average, weighted by the time
// that the measurement covers, and Eta / U.
//
// The two stages behind FOLD_STAGE make the weight tau / T, the third multiplies it by u.
// U_READ_STAGE reads U, the stage after multiplies, U_STAGE adds and writes. ACKs that can move U
// are two stages apart at least, so a memory's bypass is all that two of one flow need; an ACK
// without records may be right behind another, and is handed what that one writes. U_STAGE + 1
// cuts U to its leading bits, RATIO_STAGE divides Eta by them. Registers move only with an ACK in
// their stage.

module hpcc_average
  import congruent_pkg::*;
  import hpcc_pkg::*;
#(
  parameter int FLOWS = 256,
  parameter int U_FRAC = 24,
  localparam int CTX_W = $clog2(FLOWS),
  localparam int U_W = U_INT + U_FRAC
) (
  input  logic                            clk,
  input  logic                            rst_n,
  input  logic [INVERSE_W-1:0]            cfg_inverse_rtt,
  input  logic [INVERSE_SHIFT_W-1:0]      cfg_inverse_rtt_shift,
  input  logic [ETA_W-1:0]                cfg_eta,

  // An ACK, by stage; in WINDOW_READ_STAGE, what stands aside is taken.
  input  logic [RATIO_STAGE:FOLD_STAGE+1] ack,
  input  logic                            take,

  // FOLD_STAGE + 1: what was measured, if a hop counted.
  input  logic                            measured,
  input  logic [HOP_U_W-1:0]              hop_u,
  input  logic                            capped,
  input  logic [RTT_W-1:0]                dt,

  // U_READ_STAGE: its flow; nothing is in the memories of a fresh one; may it move U?
  input  logic [CTX_W-1:0]                ctx,
  input  logic                            fresh,
  input  logic                            moves,

  // WINDOW_READ_STAGE + 1: Eta / U as a quotient and a shift, whether U >= Eta, U.
  output logic [RATIO_W-1:0]              quotient,
  output logic [RATIO_SHIFT_W-1:0]        shift,
  output logic                            busy,
  output logic [U_W-1:0]                  u,

  // A peek reads in U_STAGE.
  input  logic                            peek_read,
  input  logic [CTX_W-1:0]                peek_ctx,
  output logic [U_W-1:0]                  peek_u
);

  localparam logic [WEIGHT_W-1:0] ONE = {1'b1, WEIGHT_FRAC'(0)};
  localparam logic [U_W-1:0] ONE_U = U_W'(1) << U_FRAC;
  localparam logic [U_W-1:0] SMALLEST_U = U_W'(1) << (U_FRAC - U_FLOOR_SHIFT);
  localparam int INVERSE_PRODUCT_W = RTT_W + INVERSE_W;
  localparam int PRODUCT_W = WEIGHT_W + U_W;

  // --------------------------------------------------------------------------------------------
  // The weight, and u x tau / T.
  // --------------------------------------------------------------------------------------------

  // tau / T from its product with the reciprocal, UQ1.27, rounded half up; 1.0 for every tau of T
  // or more.
  function automatic logic [WEIGHT_W-1:0] weight(input logic                         at_most,
                                                 input logic [INVERSE_PRODUCT_W-1:0] product,
                                                 input logic [INVERSE_SHIFT_W-1:0]   inverse_shift);
    logic [63:0] share;
    share = round_half_up(64'(product) << (WEIGHT_FRAC - INVERSE_FRAC), 32'(inverse_shift));
    return (at_most || share > 64'(ONE)) ? ONE : share[WEIGHT_W-1:0];
  endfunction

  logic [INVERSE_PRODUCT_W-1:0] inverse_product_q;
  logic                         capped_q, measured_q, measured_3_q;
  logic [U_W-1:0]               newest_q, newest_3_q;
  logic [WEIGHT_W-1:0]          weight_q, keep_q;
  logic [PRODUCT_W-1:0]         newest_product_q;

  always_ff @(posedge clk) begin
    if (ack[FOLD_STAGE+1]) measured_q <= measured;
    if (ack[FOLD_STAGE+2]) measured_3_q <= measured_q;
    if (ack[FOLD_STAGE+1] && measured) begin
      inverse_product_q <= INVERSE_PRODUCT_W'(dt) * INVERSE_PRODUCT_W'(cfg_inverse_rtt);
      capped_q          <= capped;
      newest_q          <= U_W'(hop_u >> (HOP_U_FRAC - U_FRAC));
    end
    if (ack[FOLD_STAGE+2] && measured_q) begin
      weight_q   <= weight(capped_q, inverse_product_q, cfg_inverse_rtt_shift);
      newest_3_q <= newest_q;
    end
    if (ack[U_READ_STAGE] && measured_3_q) begin
      newest_product_q <= PRODUCT_W'(weight_q) * PRODUCT_W'(newest_3_q);
      keep_q           <= ONE - weight_q;
    end
  end

  // --------------------------------------------------------------------------------------------
  // U x (1 - tau / T), and their sum.
  // --------------------------------------------------------------------------------------------

  logic [CTX_W-1:0]     ctx_1_q, ctx_2_q;
  logic                 fresh_1_q, fresh_2_q, averages_1_q, averages_2_q;
  logic                 moves_1_q, moves_2_q, moves_3_q, moves_4_q;
  logic [U_W-1:0]       u_read, u_2_q, u_next, u_3_q;
  logic [PRODUCT_W-1:0] old_product_q, newest_product_2_q;

  // U x (1 - tau / T) + u x tau / T from their products, rounded half up once.
  function automatic logic [U_W-1:0] average(input logic [PRODUCT_W-1:0] old_product,
                                             input logic [PRODUCT_W-1:0] newest_product);
    return U_W'(round_half_up(64'(old_product) + 64'(newest_product), WEIGHT_FRAC));
  endfunction

  always_ff @(posedge clk) begin
    if (ack[U_READ_STAGE]) begin
      ctx_1_q      <= ctx;
      fresh_1_q    <= fresh;
      moves_1_q    <= moves;
      averages_1_q <= moves && measured_3_q;
    end
    if (ack[U_READ_STAGE+1]) begin
      ctx_2_q      <= ctx_1_q;
      fresh_2_q    <= fresh_1_q;
      moves_2_q    <= moves_1_q;
      averages_2_q <= averages_1_q;
      u_2_q        <= (ack[U_STAGE] && ctx_2_q == ctx_1_q) ? u_next : u_read;
      if (averages_1_q) begin
        old_product_q      <= PRODUCT_W'(keep_q) * PRODUCT_W'(u_read);
        newest_product_2_q <= newest_product_q;
      end
    end
    if (ack[U_STAGE]) begin
      u_3_q     <= u_next;
      moves_3_q <= moves_2_q;
    end
  end

  always_comb begin
    u_next = u_2_q;
    if (fresh_2_q)         u_next = ONE_U;
    else if (averages_2_q) u_next = average(old_product_q, newest_product_2_q);
  end

  ram_1w2r #(
    .WIDTH (U_W),
    .DEPTH (FLOWS)
  ) u_u (
    .clk     (clk),
    .we      (ack[U_STAGE] && (fresh_2_q || averages_2_q)),
    .waddr   (ctx_2_q),
    .wdata   (u_next),
    .a_re    (ack[U_READ_STAGE]),
    .a_raddr (ctx),
    .a_rdata (u_read),
    .b_re    (peek_read),
    .b_raddr (peek_ctx),
    .b_rdata (peek_u)
  );

  // --------------------------------------------------------------------------------------------
  // Eta / max(U, 2^-16). U and what goes with the quotient stand aside meanwhile.
  // --------------------------------------------------------------------------------------------

  logic                     busy_d, busy_q, ratio_done, unused_payload;
  logic [U_W-1:0]           divisor_u, u_4_q;
  logic [5:0]               length;
  logic [MANTISSA_W-1:0]    mantissa_q;
  logic [RATIO_SHIFT_W-1:0] shift_q;

  assign busy_d    = (48'(u_3_q) << (ETA_FRAC - U_FRAC)) >= 48'(cfg_eta);
  assign divisor_u = (u_3_q < SMALLEST_U) ? SMALLEST_U : u_3_q;
  assign length    = bit_length(TELEMETRY_W'(divisor_u));

  always_ff @(posedge clk) begin
    if (ack[U_STAGE+1]) begin
      busy_q    <= busy_d;
      u_4_q     <= u_3_q;
      moves_4_q <= moves_3_q;
      if (moves_3_q) begin
        // The leading one comes to the top; a bit that leaves below is cut off.
        mantissa_q <= MANTISSA_W'((64'(divisor_u) << MANTISSA_W) >> length);
        shift_q    <= RATIO_SHIFT_W'(RATIO_FRAC - U_FRAC) + length;
      end
    end
  end

  div_floor #(
    .DIVISOR_W  (MANTISSA_W),
    .QUOTIENT_W (RATIO_W),
    .PAYLOAD_W  (1),
    .BITS       (DIV_BITS)
  ) u_ratio (
    .clk          (clk),
    .rst_n        (rst_n),
    .in_valid     (ack[RATIO_STAGE] && moves_4_q),
    .in_high      (MANTISSA_W'(cfg_eta >> (RATIO_W - RATIO_FRAC))),
    .in_low       ({cfg_eta[RATIO_W-RATIO_FRAC-1:0], RATIO_FRAC'(0)}),
    .in_divisor   (mantissa_q),
    .in_payload   (1'b0),
    .out_valid    (ratio_done),
    .out_quotient (quotient),
    .out_payload  (unused_payload)
  );

  hpcc_aside #(
    .WIDTH (RATIO_SHIFT_W + 1 + U_W),
    .DEPTH (16)
  ) u_beside_ratio (
    .clk   (clk),
    .rst_n (rst_n),
    .put   (ack[RATIO_STAGE]),
    .word  ({shift_q, busy_q, u_4_q}),
    .take  (take),
    .taken ({shift, busy, u})
  );

`ifdef CONGRUENT_ASSERT
  logic take_q;

  always_ff @(posedge clk) begin
    if (!rst_n) take_q <= 1'b0;
    else        take_q <= take;
  end

  always @(posedge clk) begin
    if (rst_n && ratio_done) begin
      assert (take_q)
        else $error("hpcc_average: a quotient comes when no ACK waits for it");
    end
    if (rst_n && ack[U_STAGE]) begin
      assert (!(ack[U_STAGE-1] && averages_1_q && averages_2_q && ctx_1_q == ctx_2_q))
        else $error("hpcc_average: U of flow %0d moves in two stages running", ctx_2_q);
      assert (!averages_2_q || !fresh_2_q)
        else $error("hpcc_average: flow %0d is fresh and has an average", ctx_2_q);
    end
  end
`else
  logic unused_done;
  assign unused_done = ratio_done;
`endif

endmodule
