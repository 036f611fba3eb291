// Which queues are paused, when their neighbours are to be told again, and who is still to be told.
//
// A queue is paused by an arrival and resumed by a departure or by the sweep, so its bits have
// three writers: `paused`, and `owed` while a pause that found no place on its way out is still to
// be sent. The deadline of the next refresh is the arrival's and the sweep's; it counts only while
// the queue is paused. Stage 1 reads, stage 2 is the effect stage: departure, arrival, then the
// sweep's visit, or a peek, which looks through the sweep's port.

module pfc_pause #(
  parameter int QUEUES = 256,
  parameter int TIME_W = 32,
  localparam int CTX_W = (QUEUES > 1) ? $clog2(QUEUES) : 1
) (
  input  logic              clk,
  input  logic              rst_n,

  input  logic [TIME_W-1:0] cfg_half,
  input  logic [TIME_W-1:0] now,

  // Init sweep.
  input  logic              init,
  input  logic [CTX_W-1:0]  init_ctx,

  // Stage 1: whom the next effect stage is about.
  input  logic              deq_read,
  input  logic [CTX_W-1:0]  deq_ctx_d,
  input  logic              enq_read,
  input  logic [CTX_W-1:0]  enq_ctx_d,
  input  logic [CTX_W-1:0]  look_ctx_d,

  // Stage 2: the packet that leaves, and whether its queue resumes, if paused. Whether it does.
  input  logic              deq_take,
  input  logic [CTX_W-1:0]  deq_ctx,
  input  logic              deq_may_resume,
  output logic              deq_resume,

  // Stage 2: the packet that comes: whether its queue is paused before it; whether the queue is
  // above its threshold then, which pauses it; whether the pause finds no place.
  input  logic [CTX_W-1:0]  enq_ctx,
  output logic              enq_paused,
  input  logic              enq_above,
  input  logic              enq_lost,

  // Stage 2: the queue that the sweep or a peek looks at, after both.
  input  logic [CTX_W-1:0]  look_ctx,
  output logic              look_paused,
  output logic              look_owed,
  output logic [TIME_W-1:0] look_deadline,

  // Stage 2: the sweep's visit, whether its queue resumes, if paused, and what it sends.
  input  logic              visit,
  input  logic              look_may_resume,
  output logic              sweep_push,
  output logic              sweep_xoff,
  output logic              sweep_refresh
);

  // Whether `at` has reached a time: their difference, read as signed, is not negative.
  function automatic logic reached(input logic [TIME_W-1:0] at, input logic [TIME_W-1:0] deadline);
    logic [TIME_W-1:0] difference;
    difference = at - deadline;
    return !difference[TIME_W-1];
  endfunction

  // --------------------------------------------------------------------------------------------
  // Stage 2: the departure resumes; the arrival finds that, and may pause.
  // --------------------------------------------------------------------------------------------

  logic              deq_paused, deq_owed, enq_paused_before, unused_enq_owed;
  logic [TIME_W-1:0] first_deadline;

  assign deq_resume     = deq_take && deq_paused && deq_may_resume;
  assign enq_paused     = enq_paused_before && !(deq_resume && deq_ctx == enq_ctx);
  assign first_deadline = now + cfg_half;

  // --------------------------------------------------------------------------------------------
  // Stage 2: the look, after both.
  // --------------------------------------------------------------------------------------------

  logic              look_paused_before, look_owed_before;
  logic [TIME_W-1:0] look_deadline_before;

  always_comb begin
    look_paused   = look_paused_before;
    look_owed     = look_owed_before;
    look_deadline = look_deadline_before;
    if (deq_resume && deq_ctx == look_ctx) begin
      look_paused = 1'b0;
      look_owed   = 1'b0;
    end
    if (enq_above && enq_ctx == look_ctx) begin
      look_paused   = 1'b1;
      look_owed     = enq_lost;
      look_deadline = first_deadline;
    end
  end

  // --------------------------------------------------------------------------------------------
  // Stage 2: the visit. A resume comes before a pause that is owed, that before a refresh.
  // --------------------------------------------------------------------------------------------

  logic sweep_resume, sweep_owed, due;

  assign due = reached(now, look_deadline);

  always_comb begin
    sweep_resume  = 1'b0;
    sweep_owed    = 1'b0;
    sweep_refresh = 1'b0;
    if (visit && look_paused) begin
      if (look_may_resume) sweep_resume  = 1'b1;
      else if (look_owed)  sweep_owed    = 1'b1;
      else                 sweep_refresh = due;
    end
  end

  assign sweep_push = sweep_resume || sweep_owed || sweep_refresh;
  assign sweep_xoff = !sweep_resume;

  // --------------------------------------------------------------------------------------------
  // Memories.
  // --------------------------------------------------------------------------------------------

  // {paused, owed}, for deq, enq, and sweep or peek.
  pfc_flags #(
    .WIDTH (2),
    .DEPTH (QUEUES),
    .PORTS (3)
  ) u_flags (
    .clk       (clk),
    .init      (init),
    .init_addr (init_ctx),
    .re        ({1'b1, enq_read, deq_read}),
    .raddr     ({look_ctx_d, enq_ctx_d, deq_ctx_d}),
    .value     ({look_paused_before, look_owed_before, enq_paused_before, unused_enq_owed,
                 deq_paused, deq_owed}),
    .ctx       ({look_ctx, enq_ctx, deq_ctx}),
    .flip      ({sweep_resume, (sweep_resume || sweep_owed) && look_owed,
                 enq_above, enq_lost,
                 deq_resume, deq_resume && deq_owed})
  );

  // The deadline. A queue that is paused in this cycle is not due in it, so the ports never meet.
  ram_2w #(
    .WIDTH (TIME_W),
    .DEPTH (QUEUES),
    .READS (1)
  ) u_deadline (
    .clk     (clk),
    .a_we    (enq_above || init),
    .a_waddr (init ? init_ctx : enq_ctx),
    .a_wdata (init ? '0 : first_deadline),
    .b_we    (sweep_refresh && !init),
    .b_waddr (look_ctx),
    .b_wdata (look_deadline + cfg_half),
    .re      (1'b1),
    .raddr   (look_ctx_d),
    .rdata   (look_deadline_before)
  );

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) if (rst_n) begin
    if (enq_above) begin
      assert (!enq_paused)
        else $error("pfc_pause: queue %0d is paused, and once more", enq_ctx);
    end
    if (visit) begin
      assert (look_paused || !look_owed)
        else $error("pfc_pause: a pause is owed to queue %0d, which is not paused", look_ctx);
    end
  end
`else
  // Only the assertions look at reset here.
  logic unused_rst_n;
  assign unused_rst_n = rst_n;
`endif

endmodule
