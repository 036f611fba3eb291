// Bytes of each queue in the pool (q) and in headroom (h), and of the pool as a whole (s): what a
// departure takes off, where an arrival goes, and how q then stands to the threshold.
//
// Stage 1 reads, stage 2 is the effect stage: the departure, then the arrival, then what the sweep
// or a peek looks at; the memories' bypass forwards from one cycle to the next. There is no
// multiplier in this loop: the room, Beta x free bytes of the pool, stands in a register beside s
// and moves by Beta x bytes, which stage 1 knows. What a departure takes from the pool can be less
// than its bytes: the packet less h, or all of q. So Beta x q and Beta x h stand beside q and h, in
// their low bits only: they count where q or h is below a packet's bytes.

module pfc_amounts
  import pfc_pkg::*;
#(
  parameter int QUEUES = 256,
  parameter int BYTES_W = 14,
  localparam int CTX_W = (QUEUES > 1) ? $clog2(QUEUES) : 1,
  // Bits of Beta x a packet's bytes, seven of them fraction; Beta is 2^14 at most.
  localparam int PRODUCT_W = BYTES_W + BETA_W - 1
) (
  input  logic                  clk,
  input  logic                  rst_n,

  input  logic                  cfg_mode,
  input  logic [POOL_W-1:0]     cfg_pool_bytes,
  input  logic [HEADROOM_W-1:0] cfg_headroom_bytes,
  input  logic [BETA_W-1:0]     cfg_beta,
  input  logic [POOL_W-1:0]     cfg_resume_offset,
  input  logic [POOL_W-1:0]     cfg_xoff,
  input  logic [POOL_W-1:0]     cfg_xon,

  // Init sweep.
  input  logic                  init,
  input  logic [CTX_W-1:0]      init_ctx,

  // Stage 1: whom the next effect stage is about, and the bytes of the packets.
  input  logic                  deq_read,
  input  logic [CTX_W-1:0]      deq_ctx_d,
  input  logic [BYTES_W-1:0]    deq_bytes_d,
  input  logic                  enq_read,
  input  logic [CTX_W-1:0]      enq_ctx_d,
  input  logic [BYTES_W-1:0]    enq_bytes_d,
  input  logic [CTX_W-1:0]      look_ctx_d,

  // Stage 2: the packet that leaves. Whether there was less than it; whether its queue, if paused,
  // resumes.
  input  logic                  deq_take,
  input  logic [CTX_W-1:0]      deq_ctx,
  output logic                  deq_underflow,
  output logic                  deq_may_resume,

  // Stage 2: the packet that comes, and whether its queue is paused after the departure. Where it
  // goes, and whether it takes its queue over the threshold.
  input  logic                  enq_take,
  input  logic [CTX_W-1:0]      enq_ctx,
  input  logic                  enq_paused,
  output logic [1:0]            enq_verdict,
  output logic                  enq_above,

  // Stage 2: the queue that the sweep or a peek looks at, after both. What it holds, and whether it
  // resumes, if paused.
  input  logic [CTX_W-1:0]      look_ctx,
  output logic [POOL_W-1:0]     look_q,
  output logic [HEADROOM_W-1:0] look_h,
  output logic                  look_may_resume,

  // s, after the events of stage 2 of the cycle before.
  output logic [POOL_W-1:0]     pool
);

  // --------------------------------------------------------------------------------------------
  // Stage 1: Beta x bytes. And what the room is while the pool is empty.
  // --------------------------------------------------------------------------------------------

  logic [BYTES_W-1:0]   deq_bytes_q, enq_bytes_q;
  logic [PRODUCT_W-1:0] deq_product_q, enq_product_q;
  logic [ROOM_W-1:0]    room_empty_q;

  always_ff @(posedge clk) begin
    room_empty_q <= ROOM_W'(cfg_beta) * ROOM_W'(cfg_pool_bytes);
    if (deq_read) begin
      deq_bytes_q   <= deq_bytes_d;
      deq_product_q <= PRODUCT_W'(cfg_beta) * PRODUCT_W'(deq_bytes_d);
    end
    if (enq_read) begin
      enq_bytes_q   <= enq_bytes_d;
      enq_product_q <= PRODUCT_W'(cfg_beta) * PRODUCT_W'(enq_bytes_d);
    end
  end

  // --------------------------------------------------------------------------------------------
  // Stage 2: the packet that leaves. Headroom is emptied first, then the pool.
  // --------------------------------------------------------------------------------------------

  logic [POOL_W-1:0]     deq_q, deq_q_next;
  logic [HEADROOM_W-1:0] deq_h, deq_h_next;
  logic [PRODUCT_W-1:0]  deq_q_product, deq_h_product, deq_q_product_next, deq_h_product_next;
  logic                  h_is_more;
  logic [BYTES_W-1:0]    rest, removed;
  logic [PRODUCT_W-1:0]  rest_product, removed_product;
  logic [POOL_W-1:0]     pool_left;
  logic [ROOM_W-1:0]     room_q, room_left;

  assign h_is_more          = deq_h > HEADROOM_W'(deq_bytes_q);
  assign deq_h_next         = h_is_more ? deq_h - HEADROOM_W'(deq_bytes_q) : '0;
  assign deq_h_product_next = h_is_more ? deq_h_product - deq_product_q : '0;

  // What headroom does not hold, and how much of that the pool does.
  assign rest               = h_is_more ? '0 : deq_bytes_q - BYTES_W'(deq_h);
  assign rest_product       = h_is_more ? '0 : deq_product_q - deq_h_product;
  assign deq_underflow      = deq_q < POOL_W'(rest);
  assign removed            = deq_underflow ? BYTES_W'(deq_q) : rest;
  assign removed_product    = deq_underflow ? deq_q_product : rest_product;
  assign deq_q_next         = deq_q - POOL_W'(removed);
  assign deq_q_product_next = deq_q_product - removed_product;

  assign pool_left = deq_take ? pool - POOL_W'(removed) : pool;
  assign room_left = deq_take ? room_q + ROOM_W'(removed_product) : room_q;

  assign deq_may_resume = deq_h_next == '0 &&
                          below_xon(cfg_mode, deq_q_next, room_left[ROOM_W-1:THRESHOLD_FRAC],
                                    cfg_resume_offset, cfg_xon);

  // --------------------------------------------------------------------------------------------
  // Stage 2: the packet that comes. To the pool, or while paused to headroom, if there is place.
  // --------------------------------------------------------------------------------------------

  logic                  enq_same;
  logic [POOL_W-1:0]     enq_q_before, enq_q, enq_q_next;
  logic [HEADROOM_W-1:0] enq_h_before, enq_h, enq_h_next;
  logic [PRODUCT_W-1:0]  enq_q_product_before, enq_h_product_before, enq_q_product, enq_h_product,
                         enq_q_product_next, enq_h_product_next;
  logic                  pool_fits, headroom_fits, to_pool, to_headroom;
  logic [POOL_W-1:0]     pool_next;
  logic [ROOM_W-1:0]     room_next;

  assign enq_same = deq_take && deq_ctx == enq_ctx;

  assign enq_q         = enq_same ? deq_q_next : enq_q_before;
  assign enq_h         = enq_same ? deq_h_next : enq_h_before;
  assign enq_q_product = enq_same ? deq_q_product_next : enq_q_product_before;
  assign enq_h_product = enq_same ? deq_h_product_next : enq_h_product_before;

  // s and h stay at or below their limits, so neither sum leaves its width by more than one bit.
  assign pool_fits     = {1'b0, pool_left} + (POOL_W + 1)'(enq_bytes_q) <= {1'b0, cfg_pool_bytes};
  assign headroom_fits = {1'b0, enq_h} + (HEADROOM_W + 1)'(enq_bytes_q) <=
                         {1'b0, cfg_headroom_bytes};
  assign to_pool       = enq_take && !enq_paused && pool_fits;
  assign to_headroom   = enq_take && enq_paused && headroom_fits;

  assign enq_verdict = to_pool ? VerdictPool : to_headroom ? VerdictHeadroom : VerdictDropped;

  assign enq_q_next         = to_pool ? enq_q + POOL_W'(enq_bytes_q) : enq_q;
  assign enq_q_product_next = to_pool ? enq_q_product + enq_product_q : enq_q_product;
  assign enq_h_next         = to_headroom ? enq_h + HEADROOM_W'(enq_bytes_q) : enq_h;
  assign enq_h_product_next = to_headroom ? enq_h_product + enq_product_q : enq_h_product;
  assign pool_next          = to_pool ? pool_left + POOL_W'(enq_bytes_q) : pool_left;
  assign room_next          = to_pool ? room_left - ROOM_W'(enq_product_q) : room_left;

  assign enq_above = to_pool && above_xoff(cfg_mode, enq_q_next, room_next[ROOM_W-1:THRESHOLD_FRAC],
                                           cfg_xoff);

  always_ff @(posedge clk) begin
    if (!rst_n)                    pool <= '0;
    else if (deq_take || enq_take) pool <= pool_next;
  end

  always_ff @(posedge clk) begin
    if (init)                      room_q <= room_empty_q;
    else if (deq_take || enq_take) room_q <= room_next;
  end

  // --------------------------------------------------------------------------------------------
  // Stage 2: what the sweep or a peek looks at, after both.
  // --------------------------------------------------------------------------------------------

  logic                  look_is_enq, look_is_deq;
  logic [POOL_W-1:0]     look_q_before;
  logic [HEADROOM_W-1:0] look_h_before;

  assign look_is_enq = enq_take && enq_ctx == look_ctx;
  assign look_is_deq = deq_take && deq_ctx == look_ctx;
  assign look_q      = look_is_enq ? enq_q_next : look_is_deq ? deq_q_next : look_q_before;
  assign look_h      = look_is_enq ? enq_h_next : look_is_deq ? deq_h_next : look_h_before;

  assign look_may_resume = look_h == '0 &&
                           below_xon(cfg_mode, look_q, room_next[ROOM_W-1:THRESHOLD_FRAC],
                                     cfg_resume_offset, cfg_xon);

  // --------------------------------------------------------------------------------------------
  // Memories. Where both packets are of one queue, the arrival's write holds the departure too.
  // --------------------------------------------------------------------------------------------

  localparam int AMOUNTS_W = POOL_W + HEADROOM_W;

  logic             deq_we, enq_we;
  logic [CTX_W-1:0] enq_waddr;

  assign deq_we    = deq_take && !(enq_take && enq_same) && !init;
  assign enq_we    = enq_take || init;
  assign enq_waddr = init ? init_ctx : enq_ctx;

  // {q, h}, read for deq, enq, and sweep or peek.
  ram_2w #(
    .WIDTH (AMOUNTS_W),
    .DEPTH (QUEUES),
    .READS (3)
  ) u_amounts (
    .clk     (clk),
    .a_we    (deq_we),
    .a_waddr (deq_ctx),
    .a_wdata ({deq_q_next, deq_h_next}),
    .b_we    (enq_we),
    .b_waddr (enq_waddr),
    .b_wdata (init ? '0 : {enq_q_next, enq_h_next}),
    .re      ({1'b1, enq_read, deq_read}),
    .raddr   ({look_ctx_d, enq_ctx_d, deq_ctx_d}),
    .rdata   ({look_q_before, look_h_before, enq_q_before, enq_h_before, deq_q, deq_h})
  );

  // Low bits of {Beta x q, Beta x h}, read for deq and enq.
  ram_2w #(
    .WIDTH (2 * PRODUCT_W),
    .DEPTH (QUEUES),
    .READS (2)
  ) u_products (
    .clk     (clk),
    .a_we    (deq_we),
    .a_waddr (deq_ctx),
    .a_wdata ({deq_q_product_next, deq_h_product_next}),
    .b_we    (enq_we),
    .b_waddr (enq_waddr),
    .b_wdata (init ? '0 : {enq_q_product_next, enq_h_product_next}),
    .re      ({enq_read, deq_read}),
    .raddr   ({enq_ctx_d, deq_ctx_d}),
    .rdata   ({enq_q_product_before, enq_h_product_before, deq_q_product, deq_h_product})
  );

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) if (rst_n && (deq_take || enq_take)) begin
    assert (pool <= cfg_pool_bytes)
      else $error("pfc_amounts: %0d bytes in a pool of %0d", pool, cfg_pool_bytes);
    assert (room_q == ROOM_W'(cfg_beta) * (ROOM_W'(cfg_pool_bytes) - ROOM_W'(pool)))
      else $error("pfc_amounts: the room is not Beta x (%0d - %0d)", cfg_pool_bytes, pool);
    if (deq_take) begin
      assert (deq_q <= pool)
        else $error("pfc_amounts: queue %0d holds %0d of %0d bytes", deq_ctx, deq_q, pool);
      assert (deq_q_product == PRODUCT_W'(deq_q) * PRODUCT_W'(cfg_beta))
        else $error("pfc_amounts: queue %0d: Beta x q is of another q", deq_ctx);
      assert (deq_h_product == PRODUCT_W'(deq_h) * PRODUCT_W'(cfg_beta))
        else $error("pfc_amounts: queue %0d: Beta x h is of another h", deq_ctx);
    end
  end
`endif

endmodule
