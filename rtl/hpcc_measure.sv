// Measures the hops of an ACK of the HPCC window unit: u of each, one record a cycle, and the
// largest of them.
//
// Stage 2 compares a record with what is stored of its hop; 3 and 4 shift the time between both to
// DIVISOR_W bits and the bytes sent alike, and divide the queue by T with its reciprocal; from
// RATE_STAGE on bytes are divided by time, from HOP_STAGE on the sum by the link's rate;
// FOLD_STAGE keeps the largest. Records that do not count take no part. Every register of the
// pipeline moves only with a record in its stage.

module hpcc_measure
  import congruent_pkg::*;
  import hpcc_pkg::*;
(
  input  logic                       clk,
  input  logic                       rst_n,
  input  logic                       cfg_int_format,
  input  logic [RTT_W-1:0]           cfg_base_rtt,
  input  logic [INVERSE_W-1:0]       cfg_inverse_rtt,
  input  logic [INVERSE_SHIFT_W-1:0] cfg_inverse_rtt_shift,

  // Stage 1: a record, in the format's bits, and its link's rate.
  input  logic                       record_1,
  input  logic                       first_1,
  input  logic [GBPS_W-1:0]          gbps_1,
  input  logic [TELEMETRY_W-1:0]     ts_1,
  input  logic [TELEMETRY_W-1:0]     tx_1,
  input  logic [TELEMETRY_W-1:0]     qlen_1,

  // Stage 2: what is stored of its hop, and whether that counts.
  input  logic                       matches_2,
  input  logic [TELEMETRY_W-1:0]     old_ts_2,
  input  logic [TELEMETRY_W-1:0]     old_tx_2,
  input  logic [TELEMETRY_W-1:0]     old_qlen_2,

  // Stage 2: of the ACK's records so far, is one older than what is stored, has one no rate?
  output logic                       stale_2,
  output logic                       bad_rate_2,

  // FOLD_STAGE of an ACK. One stage later: whether a hop counted; u of the one that won, its dt, at
  // most T.
  input  logic                       fold,
  output logic                       measured,
  output logic [HOP_U_W-1:0]         hop_u,
  output logic                       capped,
  output logic [RTT_W-1:0]           dt
);

  localparam int INVERSE_PRODUCT_W = QUEUE_W + INVERSE_W;
  localparam int SUM_W = RATE_W + 1;
  localparam int SCALE = 3 + HOP_U_FRAC - RATE_FRAC;

  // A record that counts, by stage.
  logic [FOLD_STAGE:3] lane_q;

  // --------------------------------------------------------------------------------------------
  // Stage 2: differences.
  // --------------------------------------------------------------------------------------------

  logic                   record_2_q, first_2_q, stale_q, bad_rate_q, older_2, counts_2;
  logic [GBPS_W-1:0]      gbps_2_q;
  logic [TELEMETRY_W-1:0] ts_2_q, tx_2_q, qlen_2_q, dt_2;

  always_ff @(posedge clk) begin
    if (!rst_n) record_2_q <= 1'b0;
    else        record_2_q <= record_1;
  end

  always_ff @(posedge clk) begin
    if (record_1) begin
      first_2_q <= first_1;
      gbps_2_q  <= gbps_1;
      ts_2_q    <= ts_1;
      tx_2_q    <= tx_1;
      qlen_2_q  <= qlen_1;
    end
    if (record_2_q) begin
      stale_q    <= stale_2;
      bad_rate_q <= bad_rate_2;
    end
  end

  assign dt_2     = elapsed(cfg_int_format, ts_2_q, old_ts_2);
  assign older_2  = older(cfg_int_format, dt_2);
  assign counts_2 = record_2_q && matches_2 && !older_2 && dt_2 != '0 && gbps_2_q != '0;

  // An ACK without records takes effect with record_2_q low.
  assign stale_2    = record_2_q && (older_2 || (!first_2_q && stale_q));
  assign bad_rate_2 = record_2_q && (gbps_2_q == '0 || (!first_2_q && bad_rate_q));

  always_ff @(posedge clk) begin
    if (!rst_n) lane_q <= '0;
    else        lane_q <= {lane_q[FOLD_STAGE-1:3], counts_2};
  end

  // --------------------------------------------------------------------------------------------
  // Stages 3 and 4: how far to shift; queue / T.
  // --------------------------------------------------------------------------------------------

  logic [TELEMETRY_W-1:0]       dt_3_q, tx_3_q, dt_4_q, tx_4_q;
  logic [QUEUE_W-1:0]           queue_3_q;
  logic [GBPS_W-1:0]            gbps_3_q, gbps_4_q, gbps_5_q;
  logic [5:0]                   length_3, shift_4_q;
  logic [INVERSE_PRODUCT_W-1:0] product_4_q;
  logic                         capped_4_q, capped_5_q;
  logic [DIVISOR_W-1:0]         time_5_q;
  logic [TELEMETRY_W-1:0]       bytes_5_q;
  logic [RATE_W-1:0]            queue_rate_5_q;
  logic [RTT_W-1:0]             dt_5_q;

  assign length_3 = bit_length(dt_3_q);

  // queue / T from its product with the reciprocal, UQ12.20 bytes a ns, rounded half up,
  // saturating.
  function automatic logic [RATE_W-1:0] queue_rate(
      input logic [INVERSE_PRODUCT_W-1:0] product,
      input logic [INVERSE_SHIFT_W-1:0]   inverse_shift);
    logic [63:0] rate;
    rate = round_half_up(64'(product), INVERSE_FRAC - RATE_FRAC + 32'(inverse_shift));
    return ((rate >> RATE_W) != '0) ? '1 : rate[RATE_W-1:0];
  endfunction

  always_ff @(posedge clk) begin
    if (counts_2) begin
      dt_3_q    <= dt_2;
      tx_3_q    <= sent(cfg_int_format, tx_2_q, old_tx_2);
      queue_3_q <= queue(cfg_int_format, qlen_2_q, old_qlen_2);
      gbps_3_q  <= gbps_2_q;
    end
    if (lane_q[3]) begin
      dt_4_q      <= dt_3_q;
      tx_4_q      <= tx_3_q;
      shift_4_q   <= (length_3 > 6'(DIVISOR_W)) ? length_3 - 6'(DIVISOR_W) : '0;
      product_4_q <= INVERSE_PRODUCT_W'(queue_3_q) * INVERSE_PRODUCT_W'(cfg_inverse_rtt);
      capped_4_q  <= dt_3_q >= TELEMETRY_W'(cfg_base_rtt);
      gbps_4_q    <= gbps_3_q;
    end
    if (lane_q[4]) begin
      time_5_q       <= DIVISOR_W'(dt_4_q >> shift_4_q);
      bytes_5_q      <= tx_4_q >> shift_4_q;
      queue_rate_5_q <= queue_rate(product_4_q, cfg_inverse_rtt_shift);
      dt_5_q         <= dt_4_q[RTT_W-1:0];
      capped_5_q     <= capped_4_q;
      gbps_5_q       <= gbps_4_q;
    end
  end

  // --------------------------------------------------------------------------------------------
  // From RATE_STAGE on: byte_rate = tx / dt. What is not divided stands aside.
  // --------------------------------------------------------------------------------------------

  logic              rate_most, rate_most_out, rate_done;
  logic [RATE_W-1:0] rate_quotient, byte_rate, queue_rate_out;
  logic [GBPS_W-1:0] gbps_out, gbps_q;
  logic [SUM_W-1:0]  sum_q;

  // Where it does not fit it saturates.
  assign rate_most = (bytes_5_q >> RATE_INT) >= TELEMETRY_W'(time_5_q);
  assign byte_rate = rate_most_out ? '1 : rate_quotient;

  div_floor #(
    .DIVISOR_W  (DIVISOR_W),
    .QUOTIENT_W (RATE_W),
    .PAYLOAD_W  (1),
    .BITS       (DIV_BITS)
  ) u_rate (
    .clk          (clk),
    .rst_n        (rst_n),
    .in_valid     (lane_q[RATE_STAGE]),
    .in_high      (rate_most ? '0 : bytes_5_q[RATE_INT+:DIVISOR_W]),
    .in_low       ({bytes_5_q[RATE_INT-1:0], RATE_FRAC'(0)}),
    .in_divisor   (time_5_q),
    .in_payload   (rate_most),
    .out_valid    (rate_done),
    .out_quotient (rate_quotient),
    .out_payload  (rate_most_out)
  );

  hpcc_aside #(
    .WIDTH (RATE_W + GBPS_W),
    .DEPTH (16)
  ) u_beside_rate (
    .clk   (clk),
    .rst_n (rst_n),
    .put   (lane_q[RATE_STAGE]),
    .word  ({queue_rate_5_q, gbps_5_q}),
    .take  (lane_q[HOP_STAGE-2]),
    .taken ({queue_rate_out, gbps_out})
  );

  always_ff @(posedge clk) begin
    if (lane_q[HOP_STAGE-1]) begin
      sum_q  <= SUM_W'(queue_rate_out) + SUM_W'(byte_rate);
      gbps_q <= gbps_out;
    end
  end

  // --------------------------------------------------------------------------------------------
  // From HOP_STAGE on: u = (queue / T + tx / dt) / B, of which dt stands aside.
  // --------------------------------------------------------------------------------------------

  logic               u_most, u_most_out, u_done, capped_out;
  logic [HOP_U_W-1:0] u_quotient, u;
  logic [RTT_W-1:0]   dt_out;

  assign u_most = GBPS_W'(sum_q >> (HOP_U_W - SCALE)) >= gbps_q;
  assign u      = u_most_out ? '1 : u_quotient;

  div_floor #(
    .DIVISOR_W  (GBPS_W),
    .QUOTIENT_W (HOP_U_W),
    .PAYLOAD_W  (1),
    .BITS       (DIV_BITS)
  ) u_hop (
    .clk          (clk),
    .rst_n        (rst_n),
    .in_valid     (lane_q[HOP_STAGE]),
    .in_high      (u_most ? '0 : GBPS_W'(sum_q >> (HOP_U_W - SCALE))),
    .in_low       ({sum_q[HOP_U_W-SCALE-1:0], SCALE'(0)}),
    .in_divisor   (gbps_q),
    .in_payload   (u_most),
    .out_valid    (u_done),
    .out_quotient (u_quotient),
    .out_payload  (u_most_out)
  );

  hpcc_aside #(
    .WIDTH (1 + RTT_W),
    .DEPTH (32)
  ) u_beside_u (
    .clk   (clk),
    .rst_n (rst_n),
    .put   (lane_q[RATE_STAGE]),
    .word  ({capped_5_q, dt_5_q}),
    .take  (lane_q[FOLD_STAGE-1]),
    .taken ({capped_out, dt_out})
  );

  // --------------------------------------------------------------------------------------------
  // FOLD_STAGE: the largest, the first of equals. It stands until the next ACK's first.
  // --------------------------------------------------------------------------------------------

  logic any_q;

  always_ff @(posedge clk) begin
    if (!rst_n)                   any_q <= 1'b0;
    else if (fold)                any_q <= 1'b0;
    else if (lane_q[FOLD_STAGE])  any_q <= 1'b1;
  end

  always_ff @(posedge clk) begin
    if (fold) measured <= any_q || lane_q[FOLD_STAGE];
    if (lane_q[FOLD_STAGE] && (!any_q || u > hop_u)) begin
      hop_u  <= u;
      capped <= capped_out;
      dt     <= dt_out;
    end
  end

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n) begin
      assert (rate_done == lane_q[HOP_STAGE-1] && u_done == lane_q[FOLD_STAGE])
        else $error("hpcc_measure: a quotient comes when no record waits for it");
    end
    if (rst_n && lane_q[RATE_STAGE]) begin
      assert (time_5_q != '0)
        else $error("hpcc_measure: a hop without time between its stamps divides");
    end
  end
`else
  logic unused_done;
  assign unused_done = rate_done ^ u_done;
`endif

endmodule
