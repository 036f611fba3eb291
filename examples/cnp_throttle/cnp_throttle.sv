// A user's RTL of the block notification_point, as another team would have written it: structs on
// its ports, an active-high asynchronous reset, `busy` where the table has a ready, another sweep,
// and a latency of its own. It has a bug; the macro FIXED takes it out.
//
// Stage 1 reads the state of the packet's queue, stage 2 decides and writes, then the CNP goes out.
module cnp_throttle
  import ct_pkg::*;
(
  input  logic        clk_i,
  input  logic        arst_i,
  input  logic        test_mode_i,

  input  logic [31:0] gap_i,        // cycles between two CNPs of a queue
  input  beat_t       mark_i,       // a packet with a CE mark
  output beat_t       cnp_o,        // a CNP goes out
  output refusal_t    refused_o,

  input  beat_t       debug_i,
  output logic        debug_busy_o,
  output state_t      debug_o,

  output logic        started_o,
  output logic [15:0] cnps_o,
  output logic [15:0] swallowed_o,
  output logic [15:0] refused_count_o
);
  typedef struct packed {
    logic        recent;
    logic [31:0] last;
  } entry_t;

  entry_t      entries [QUEUES];
  entry_t      read_q, entry;
  logic [7:0]  sweep_q;
  logic [31:0] now_q;
  beat_t       mark_1_q, mark_2_q, write_q;
  entry_t      written_q;
  logic        known, over, sends;

  // --- Start: the sweep clears every entry once, then it forgets CNPs whose gap is over. --------
  always_ff @(posedge clk_i or posedge arst_i) begin
    if (arst_i) begin
      sweep_q   <= '0;
      started_o <= 1'b0;
      now_q     <= '0;
    end else begin
      sweep_q   <= sweep_q + 1'b1;
      started_o <= started_o || (sweep_q == 8'(QUEUES - 1)) || test_mode_i;
      now_q     <= now_q + 1'b1;
    end
  end

  // --- A packet. ---------------------------------------------------------------------------------
  // What the packet before wrote is not yet to be read when this one reads.
`ifdef FIXED
  assign entry = (write_q.vld && write_q.queue == mark_2_q.queue) ? written_q : read_q;
`else
  assign entry = read_q;
`endif
  assign known = mark_2_q.queue < QUEUE_W'(QUEUES);
  assign over  = !entry.recent || (now_q - entry.last >= gap_i);
  assign sends = mark_2_q.vld && known && over;

  always_ff @(posedge clk_i or posedge arst_i) begin
    if (arst_i) begin
      mark_1_q        <= '0;
      mark_2_q        <= '0;
      write_q         <= '0;
      cnp_o           <= '0;
      refused_o       <= '0;
      cnps_o          <= '0;
      swallowed_o     <= '0;
      refused_count_o <= '0;
    end else begin
      mark_1_q        <= mark_i;
      mark_2_q        <= mark_1_q;
      write_q         <= '{vld: sends && gap_i != '0, queue: mark_2_q.queue};
      cnp_o           <= '{vld: sends, queue: mark_2_q.queue};
      refused_o       <= '{vld: mark_2_q.vld && !known, status: NO_QUEUE, queue: mark_2_q.queue};
      cnps_o          <= cnps_o + 16'(sends && !(&cnps_o));
      swallowed_o     <= swallowed_o + 16'(mark_2_q.vld && known && !over && !(&swallowed_o));
      refused_count_o <= refused_count_o
                       + 16'(mark_2_q.vld && !known && !(&refused_count_o))
                       + 16'(asked_q.vld && asked_q.queue >= QUEUE_W'(QUEUES));
    end
  end

  always_ff @(posedge clk_i) begin
    written_q <= '{recent: 1'b1, last: now_q};
    read_q    <= entries[mark_1_q.queue[7:0]];
    // The sweep is the weaker of two writers.
    if (!started_o) begin
      entries[sweep_q] <= '0;
    end else begin
      if (entries[sweep_q].recent && now_q - entries[sweep_q].last >= gap_i) begin
        entries[sweep_q] <= '0;
      end
      if (sends && gap_i != '0) begin
        entries[mark_2_q.queue[7:0]] <= '{recent: 1'b1, last: now_q};
      end
    end
  end

  // --- Debug: two cycles behind a packet of the same cycle. ---------------------------------------
  beat_t asked_0_q, asked_q;
  assign debug_busy_o = asked_0_q.vld || asked_q.vld || !started_o;

  always_ff @(posedge clk_i or posedge arst_i) begin
    if (arst_i) begin
      asked_0_q <= '0;
      asked_q   <= '0;
      debug_o   <= '0;
    end else begin
      asked_0_q <= '{vld: debug_i.vld && !debug_busy_o, queue: debug_i.queue};
      asked_q   <= asked_0_q;
      debug_o   <= '{
        vld: asked_q.vld,
        queue: asked_q.queue,
        recent: entries[asked_q.queue[7:0]].recent,
        last: entries[asked_q.queue[7:0]].last,
        status: asked_q.queue < QUEUE_W'(QUEUES) ? OK : NO_QUEUE
      };
    end
  end
endmodule
