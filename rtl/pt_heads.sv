// The transmit side of the pacing table: takes heads, has each looked up on its way to the effect
// stage, and grants at most one a GRANT_INTERVAL, round robin over the queues whose head is
// eligible. Refused heads are answered on err.
//
// A destination is looked up once, in the stages 1 to EFFECT_STAGE; what is known about it then
// follows the events of every effect stage. A grant is decided on the state at the start of its
// stage, so that arbitration and the table's changes do not wait for each other.

module pt_heads
  import congruent_pkg::*;
  import pt_pkg::*;
#(
  parameter int EFFECT_STAGE = 2,
  parameter int GRANT_INTERVAL = 1,
  parameter int ENTRY_W = 6,
  parameter int DLID_W = 24,
  parameter int QUEUES = 8,
  parameter int QUEUE_W = 4,
  parameter int TIME_W = 32,
  parameter int TIME_FRAC = 16,
  localparam int PACE_W = TIME_W + TIME_FRAC
) (
  input  logic               clk,
  input  logic               rst_n,

  // Events are legal from the next cycle on.
  input  logic               init_done,

  // Time of the effect stage.
  input  logic [TIME_W-1:0]  now,

  // head, grant_ready, grant, stalled, err.
  input  logic               head_valid,
  input  logic [QUEUE_W-1:0] head_queue,
  input  logic [DLID_W-1:0]  head_dlid,
  input  logic [BYTES_W-1:0] head_bytes,
  output logic [QUEUES-1:0]  head_ready,
  input  logic               grant_ready,
  output logic               grant_valid,
  output logic [QUEUE_W-1:0] grant_queue,
  output logic [DLID_W-1:0]  grant_dlid,
  output logic [WAIT_W-1:0]  grant_wait,
  output logic [QUEUES-1:0]  stalled,
  output logic               err_valid,
  output logic [0:0]         err_channel,
  output logic [2:0]         err_code,
  output logic [DLID_W-1:0]  err_dlid,
  // The err of the next cycle carries range, zero_length: for the counters.
  output logic               err_range_d,
  output logic               err_zero_length_d,

  // Lookup of the destination in stage 1. In the effect stage: what the table knew at its start,
  // and whether a grant to that entry is in flight.
  output logic               look,
  output logic [DLID_W-1:0]  look_dlid,
  input  logic               look_tracked,
  input  logic [ENTRY_W-1:0] look_entry,
  input  logic               look_held,
  input  logic [PACE_W-1:0]  look_next_send,
  input  logic               look_in_flight,

  // Events of the effect stage.
  input  logic               made,
  input  logic [ENTRY_W-1:0] made_entry,
  input  logic [DLID_W-1:0]  made_dlid,
  input  logic               released,
  input  logic [ENTRY_W-1:0] released_entry,
  input  logic               expired,
  input  logic [ENTRY_W-1:0] expired_entry,
  input  logic               landed,
  input  logic [ENTRY_W-1:0] landed_entry,
  input  logic [PACE_W-1:0]  landed_next_send,

  // A head goes to a tracked destination: its entry's state at the start of the stage.
  output logic               paced,
  output logic [ENTRY_W-1:0] paced_entry,
  output logic [BYTES_W-1:0] paced_bytes,
  output logic               paced_held,
  output logic [PACE_W-1:0]  paced_next_send
);

  localparam int SLOT_W = (QUEUES > 1) ? $clog2(QUEUES) : 1;

  // Whether there is such a queue.
  function automatic logic in_range(input logic [QUEUE_W-1:0] queue);
    return 32'(queue) < 32'(QUEUES);
  endfunction

  // The lowest bit that is set.
  function automatic logic [QUEUES-1:0] lowest(input logic [QUEUES-1:0] bits);
    return bits & (~bits + 1'b1);
  endfunction

  // --------------------------------------------------------------------------------------------
  // The pins: two places a queue, one of which a packet takes when it is taken and leaves when it
  // goes.
  // --------------------------------------------------------------------------------------------

  logic [QUEUES-1:0] go, named, take;
  logic [QUEUES-1:0] one_q, two_q, two_d;
  logic              taken;

  // The queue that is named, if there is such a one.
  assign named = QUEUES'(1) << head_queue;
  assign taken = head_valid && (!in_range(head_queue) || (named & head_ready) != '0);
  assign take  = (head_valid && head_bytes != '0) ? named & head_ready : '0;

  // Whether one place of a queue is taken, whether both are: no packet comes while both are.
  assign two_d = ((one_q & take) | two_q) & ~go;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      one_q      <= '0;
      two_q      <= '0;
      head_ready <= '0;
    end else begin
      one_q      <= take | two_q | (one_q & ~go);
      two_q      <= two_d;
      head_ready <= init_done ? ~two_d : '0;
    end
  end

  // --------------------------------------------------------------------------------------------
  // Stages 1 to EFFECT_STAGE: the lookup is under way.
  // --------------------------------------------------------------------------------------------

  localparam int HEAD_W = QUEUE_W + DLID_W + BYTES_W;

  logic [EFFECT_STAGE:1] valid_q;
  logic [HEAD_W-1:0]     head_q [1:EFFECT_STAGE];
  logic [QUEUE_W-1:0]    queue;
  logic [DLID_W-1:0]     dlid;
  logic [BYTES_W-1:0]    bytes;
  logic                  range, zero_length, legal;

  always_ff @(posedge clk) begin
    if (!rst_n) valid_q <= '0;
    else        valid_q <= {valid_q[EFFECT_STAGE-1:1], taken};
  end

  always_ff @(posedge clk) begin
    if (taken) head_q[1] <= {head_queue, head_dlid, head_bytes};
    for (int i = 2; i <= EFFECT_STAGE; i++) begin
      if (valid_q[i-1]) head_q[i] <= head_q[i-1];
    end
  end

  assign look                 = valid_q[1];
  assign look_dlid            = head_q[1][BYTES_W+:DLID_W];
  assign {queue, dlid, bytes} = head_q[EFFECT_STAGE];

  assign range       = !in_range(queue);
  assign zero_length = !range && bytes == '0;
  assign legal       = valid_q[EFFECT_STAGE] && !range && !zero_length;

  assign err_range_d       = valid_q[EFFECT_STAGE] && range;
  assign err_zero_length_d = valid_q[EFFECT_STAGE] && zero_length;

  always_ff @(posedge clk) begin
    if (!rst_n) err_valid <= 1'b0;
    else        err_valid <= err_range_d || err_zero_length_d;
  end

  always_ff @(posedge clk) begin
    if (err_range_d || err_zero_length_d) begin
      err_code <= range ? ErrorRange : ErrorZeroLength;
      err_dlid <= dlid;
    end
  end

  assign err_channel = ErrChannelHead;

  // --------------------------------------------------------------------------------------------
  // The queues. A packet that arrives follows the events of its own effect stage already.
  // --------------------------------------------------------------------------------------------

  logic eventful;

  assign eventful = made || released || expired || paced || landed;

  logic [QUEUES-1:0]  waiting, eligible, tracked, held;
  logic [DLID_W-1:0]  q_dlid      [QUEUES];
  logic [BYTES_W-1:0] q_bytes     [QUEUES];
  logic [ENTRY_W-1:0] q_entry     [QUEUES];
  logic [PACE_W-1:0]  q_next_send [QUEUES];
  logic [WAIT_W-1:0]  q_wait      [QUEUES];

  for (genvar q = 0; q < QUEUES; q++) begin : g_queue
    pt_queue #(
      .ENTRY_W   (ENTRY_W),
      .DLID_W    (DLID_W),
      .TIME_W    (TIME_W),
      .TIME_FRAC (TIME_FRAC)
    ) u_queue (
      .clk              (clk),
      .rst_n            (rst_n),
      .now              (now),
      .arrive           (legal && queue == QUEUE_W'(q)),
      .arrive_dlid      (dlid),
      .arrive_bytes     (bytes),
      .arrive_tracked   (look_tracked),
      .arrive_entry     (look_entry),
      .arrive_in_flight (look_in_flight),
      .arrive_held      (look_held),
      .arrive_next_send (look_next_send),
      .go               (go[q]),
      .eventful         (eventful),
      .made             (made),
      .made_entry       (made_entry),
      .made_dlid        (made_dlid),
      .released         (released),
      .released_entry   (released_entry),
      .expired          (expired),
      .expired_entry    (expired_entry),
      .paced            (paced),
      .paced_entry      (paced_entry),
      .landed           (landed),
      .landed_entry     (landed_entry),
      .landed_next_send (landed_next_send),
      .waiting          (waiting[q]),
      .eligible         (eligible[q]),
      .dlid             (q_dlid[q]),
      .bytes            (q_bytes[q]),
      .tracked          (tracked[q]),
      .entry            (q_entry[q]),
      .held             (held[q]),
      .next_send        (q_next_send[q]),
      .wait_cycles      (q_wait[q])
    );
  end

  // --------------------------------------------------------------------------------------------
  // Arbitration: among the eligible ones behind the queue granted last, else among all.
  // --------------------------------------------------------------------------------------------

  logic [EFFECT_STAGE:1] grant_ready_q;
  logic [QUEUES-1:0]     behind_q, eligible_behind;
  logic                  open, may_grant, grant;
  logic [SLOT_W-1:0]     winner;

  assign may_grant       = open && grant_ready_q[EFFECT_STAGE];
  assign eligible_behind = eligible & behind_q;

  always_comb begin
    go     = '0;
    winner = '0;
    if (may_grant) begin
      go = (eligible_behind != '0) ? lowest(eligible_behind) : lowest(eligible);
    end
    for (int q = 0; q < QUEUES; q++) begin
      if (go[q]) winner = winner | SLOT_W'(q);
    end
  end

  assign grant = go != '0;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      grant_ready_q <= '0;
      behind_q      <= '1;
      grant_valid   <= 1'b0;
      stalled       <= '0;
    end else begin
      grant_ready_q <= {grant_ready_q[EFFECT_STAGE-1:1], grant_ready};
      if (grant) behind_q <= ~(go | (go - 1'b1));
      grant_valid   <= grant;
      stalled       <= waiting & ~eligible;
    end
  end

  if (GRANT_INTERVAL > 1) begin : g_interval
    localparam int COUNT_W = $clog2(GRANT_INTERVAL);
    logic [COUNT_W-1:0] count_q;

    always_ff @(posedge clk) begin
      if (!rst_n)              count_q <= '0;
      else if (grant)          count_q <= COUNT_W'(GRANT_INTERVAL - 1);
      else if (count_q != '0)  count_q <= count_q - 1'b1;
    end

    assign open = count_q == '0;
  end else begin : g_always
    assign open = 1'b1;
  end

  always_ff @(posedge clk) begin
    if (grant) begin
      grant_queue <= QUEUE_W'(winner);
      grant_dlid  <= q_dlid[winner];
      grant_wait  <= q_wait[winner];
    end
  end

  assign paced           = (go & tracked) != '0;
  assign paced_entry     = q_entry[winner];
  assign paced_bytes     = q_bytes[winner];
  assign paced_held      = held[winner];
  assign paced_next_send = q_next_send[winner];

`ifdef CONGRUENT_ASSERT
  logic legal_q;

  always_ff @(posedge clk) begin
    legal_q <= rst_n && init_done;
  end

  always @(posedge clk) begin
    if (rst_n && head_valid) begin
      assert (legal_q)
        else $error("pt_heads: a head before the cycle after init_done");
    end
    if (rst_n && grant) begin
      assert ((go & (go - 1'b1)) == '0)
        else $error("pt_heads: grants %b in one cycle", go);
    end
  end
`endif

endmodule
