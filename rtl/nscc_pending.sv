// The pending increase of the NSCC window unit: bytes received since it was last applied, the gain
// of a SACK, and gain × bytes in bytes².
//
// Stage 1 counts, 2 takes the delay from the target, 3 multiplies by alpha, 4 rounds the gain and
// writes the count, 5 multiplies by the bytes, 6 rounds, 7 adds and writes. Only the divider waits
// for the sum, so it may come later than the rest; stages 5 to 7 have copies of what they need,
// since the next event may be taken meanwhile.

module nscc_pending
  import congruent_pkg::*;
  import nscc_pkg::*;
#(
  parameter int DESTS = 256,
  parameter int RTT_W = 20,
  localparam int CTX_W = $clog2(DESTS),
  localparam int DELAY_W = RTT_W + RTT_FRAC
) (
  input  logic                 clk,
  input  logic                 rst_n,
  input  logic [PACKET_W-1:0]  cfg_packet,
  input  logic [DELAY_W-1:0]   cfg_target,
  input  logic [ALPHA_W-1:0]   cfg_alpha,
  input  logic [GAIN_W-1:0]    cfg_fair,

  // The context that is read, for stage 1 of its event; the event's stages and whether it takes
  // effect; the event.
  input  logic                 read,
  input  logic [CTX_W-1:0]     read_ctx,
  input  logic [4:1]           stage,
  input  logic                 effect,
  input  logic [CTX_W-1:0]     ctx,
  input  logic                 opens,
  input  logic                 sack,
  input  logic                 sampled,
  input  logic [BYTES_W-1:0]   bytes,

  // From stage 2 on, and in stage 4: what the event does.
  input  logic [DELAY_W-1:0]   sample,
  input  logic [3:0]           routine,
  input  logic                 fired,
  input  logic                 due,

  // More than eight packets were received since the last apply: from stage 2 on.
  output logic                 due_by_bytes,
  // The increase of an event that divides, from stage 8 on.
  output logic [PENDING_W-1:0] pending_sum,

  // For a peek: received in the cycle after look, pending in the cycle after look_late.
  input  logic                 look,
  input  logic                 look_late,
  input  logic [CTX_W-1:0]     look_ctx,
  output logic [BYTES_W-1:0]   look_received,
  output logic [PENDING_W-1:0] look_pending
);

  localparam int GAIN_PRODUCT_W = ALPHA_W + DELAY_W;
  localparam int GAIN_DROP = ALPHA_FRAC + RTT_FRAC - GAIN_FRAC;
  localparam int STEP_W = GAIN_W + BYTES_W - GAIN_FRAC;

  // alpha × (target - sample), rounded half up, then saturating.
  function automatic logic [GAIN_W-1:0] proportional_gain(input logic [GAIN_PRODUCT_W-1:0] product);
    logic [GAIN_PRODUCT_W-1:0] gain;
    gain = (product >> GAIN_DROP) + GAIN_PRODUCT_W'(product[GAIN_DROP-1]);
    return (gain >> GAIN_W) != '0 ? '1 : gain[GAIN_W-1:0];
  endfunction

  // The pending increase and a rounded step, saturating.
  function automatic logic [PENDING_W-1:0] pend(input logic [PENDING_W-1:0] so_far,
                                                input logic [STEP_W:0]      step);
    logic [63:0] sum;
    sum = 64'(so_far) + 64'(step);
    return (sum >> PENDING_W) != '0 ? '1 : sum[PENDING_W-1:0];
  endfunction

  // --------------------------------------------------------------------------------------------
  // Stages 1 to 4: the count, and the gain.
  // --------------------------------------------------------------------------------------------

  logic [BYTES_W-1:0]        received, received_q, received_next;
  logic [DELAY_W-1:0]        headroom_q;
  logic [GAIN_PRODUCT_W-1:0] gain_product_q;

  assign due_by_bytes = received_q > BYTES_W'({cfg_packet, 3'd0});

  always_ff @(posedge clk) begin
    if (stage[1]) received_q <= sack ? add_bytes(received, bytes) : received;
    if (stage[2] && sampled) headroom_q <= cfg_target - sample;
    if (stage[3] && sampled) begin
      gain_product_q <= GAIN_PRODUCT_W'(cfg_alpha) * GAIN_PRODUCT_W'(headroom_q);
    end
  end

  assign received_next = (fired || due || opens) ? '0 : received_q;

  // --------------------------------------------------------------------------------------------
  // Stages 5 to 7: the product, with what the event leaves behind for them.
  // --------------------------------------------------------------------------------------------

  logic [PENDING_STAGE:EFFECT_STAGE+1] late_q;
  logic [CTX_W-1:0]                    ctx_q;
  logic [BYTES_W-1:0]                  bytes_q;
  logic [GAIN_W-1:0]                   gain_q;
  logic                                adds_q, clears_q;
  logic [GAIN_W+BYTES_W-1:0]           step_product_q;
  logic [STEP_W:0]                     step_q;
  logic [PENDING_W-1:0]                pending, pending_next;

  always_ff @(posedge clk) begin
    if (!rst_n) late_q <= '0;
    else        late_q <= {late_q[PENDING_STAGE-1:EFFECT_STAGE+1], stage[4] && effect};
  end

  always_ff @(posedge clk) begin
    if (stage[4]) begin
      ctx_q    <= ctx;
      bytes_q  <= bytes;
      gain_q   <= (routine == RoutineFair) ? cfg_fair : proportional_gain(gain_product_q);
      adds_q   <= routine == RoutineFair || routine == RoutineProportional;
      clears_q <= fired || due || opens;
    end
    if (late_q[5] && adds_q) begin
      step_product_q <= (GAIN_W + BYTES_W)'(gain_q) * (GAIN_W + BYTES_W)'(bytes_q);
    end
    if (late_q[6]) begin
      step_q <= adds_q ? (STEP_W + 1)'(step_product_q >> GAIN_FRAC)
                         + (STEP_W + 1)'(step_product_q[GAIN_FRAC-1])
                       : '0;
    end
    if (late_q[7]) pending_sum <= pending_next;
  end

  assign pending_next = pend(pending, step_q);

  // --------------------------------------------------------------------------------------------
  // Memories.
  // --------------------------------------------------------------------------------------------

  ram_1w2r #(
    .WIDTH (BYTES_W),
    .DEPTH (DESTS)
  ) u_received (
    .clk     (clk),
    .we      (stage[4] && effect),
    .waddr   (ctx),
    .wdata   (received_next),
    .a_re    (read),
    .a_raddr (read_ctx),
    .a_rdata (received),
    .b_re    (look),
    .b_raddr (look_ctx),
    .b_rdata (look_received)
  );

  ram_1w2r #(
    .WIDTH (PENDING_W),
    .DEPTH (DESTS)
  ) u_pending (
    .clk     (clk),
    .we      (late_q[7]),
    .waddr   (ctx_q),
    .wdata   (clears_q ? PENDING_W'(0) : pending_next),
    .a_re    (late_q[6]),
    .a_raddr (ctx_q),
    .a_rdata (pending),
    .b_re    (look_late),
    .b_raddr (look_ctx),
    .b_rdata (look_pending)
  );

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && stage[4] && effect && routine == RoutineProportional) begin
      assert (sample < cfg_target)
        else $error("nscc_pending: context %0d at the target increases in proportion", ctx);
    end
  end
`endif

endmodule
