// The way of pauses to the port: a queue of four, from which one beat leaves a cycle. The beat that
// leaves makes place first; then a departure's resume enters, an arrival's pause, what the sweep
// sends. So a departure always finds place, and an arrival unless four beats stood there and a
// departure takes the one that became free. The sweep stands while anything is in the queue.

module pfc_announce #(
  parameter int QUEUE_W = 10
) (
  input  logic               clk,
  input  logic               rst_n,

  // What enters, in this order; whether the arrival's beat found no place.
  input  logic               deq_resume,
  input  logic [QUEUE_W-1:0] deq_queue,
  input  logic               enq_xoff,
  input  logic [QUEUE_W-1:0] enq_queue,
  output logic               enq_lost,
  input  logic               sweep_push,
  input  logic [QUEUE_W-1:0] sweep_queue,
  input  logic               sweep_xoff,
  input  logic               sweep_refresh,

  // Something is in the queue: the sweep stands.
  output logic               busy,

  output logic               pause_valid,
  output logic [QUEUE_W-1:0] pause_queue,
  output logic               pause_xoff,
  output logic               pause_refresh
);

  localparam int PLACES = 4;
  localparam int COUNT_W = 3;

  // {queue, xoff, refresh} of each place; place 0 leaves next.
  localparam int BEAT_W = QUEUE_W + 2;

  logic [COUNT_W-1:0] count_q, kept, after_deq, after_enq, count_d;
  logic [BEAT_W-1:0]  place_q [PLACES];
  logic [BEAT_W-1:0]  deq_beat, enq_beat, sweep_beat;
  logic               enq_enters, any_push;

  assign deq_beat   = {deq_queue, 1'b0, 1'b0};
  assign enq_beat   = {enq_queue, 1'b1, 1'b0};
  assign sweep_beat = {sweep_queue, sweep_xoff, sweep_refresh};

  assign busy       = count_q != '0;
  assign kept       = count_q - COUNT_W'(busy);
  assign after_deq  = kept + COUNT_W'(deq_resume);
  assign enq_lost   = enq_xoff && after_deq == COUNT_W'(PLACES);
  assign enq_enters = enq_xoff && !enq_lost;
  assign after_enq  = after_deq + COUNT_W'(enq_enters);
  assign count_d    = after_enq + COUNT_W'(sweep_push);
  assign any_push   = deq_resume || enq_enters || sweep_push;

  always_ff @(posedge clk) begin
    if (!rst_n) count_q <= '0;
    else        count_q <= count_d;
  end

  // Each place moves down with the beat that leaves; what enters takes the first free ones.
  always_ff @(posedge clk) begin
    if (busy || any_push) begin
      for (int i = 0; i < PLACES; i++) begin
        if (busy && i + 1 < PLACES) place_q[i] <= place_q[(i + 1) % PLACES];
        if (deq_resume && kept == COUNT_W'(i))      place_q[i] <= deq_beat;
        if (enq_enters && after_deq == COUNT_W'(i)) place_q[i] <= enq_beat;
        if (sweep_push && after_enq == COUNT_W'(i)) place_q[i] <= sweep_beat;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n) pause_valid <= 1'b0;
    else        pause_valid <= busy;
  end

  always_ff @(posedge clk) begin
    if (busy) {pause_queue, pause_xoff, pause_refresh} <= place_q[0];
  end

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) if (rst_n) begin
    assert (!(sweep_push && busy))
      else $error("pfc_announce: the sweep sends while %0d beats wait", count_q);
    assert (count_d <= COUNT_W'(PLACES))
      else $error("pfc_announce: %0d beats in a queue of four", count_d);
  end
`endif

endmodule
