// A packet a queue, sent while `go` is high: for the tests of the harness. Each queue has a ready of
// its own; a packet is known by its key. `+bug=N` plants a fault; `+end=N` ends the run when a packet
// of key 5 comes: 1 by $finish, 2 by $fatal.
module toy #(
  parameter int QUEUES = 3,
  parameter int KEY_W = 6
) (
  input  logic              clk,
  input  logic              rst_n,
  input  logic              cfg_order,
  input  logic              head_valid,
  input  logic [2:0]        head_queue,
  input  logic [KEY_W-1:0]  head_key,
  input  logic [7:0]        head_bytes,
  output logic [QUEUES-1:0] head_ready,
  input  logic              peek_valid,
  input  logic [2:0]        peek_queue,
  output logic              sent_valid,
  output logic [2:0]        sent_queue,
  output logic [KEY_W-1:0]  sent_key,
  output logic [7:0]        sent_bytes,
  output logic [2:0]        sent_error,
  output logic              peeked_valid,
  output logic [2:0]        peeked_queue,
  output logic              peeked_waiting,
  output logic [KEY_W-1:0]  peeked_key,
  output logic [7:0]        peeked_bytes,
  input  logic              go,
  output logic              init_done
);
  int bug;
  initial if (!$value$plusargs("bug=%d", bug)) bug = 0;
  int ending;
  initial if (!$value$plusargs("end=%d", ending)) ending = 0;

  logic [QUEUES-1:0] full;
  logic [KEY_W-1:0]  key [QUEUES];
  logic [7:0]        bytes [QUEUES];
  logic              go_late;
  logic              any;
  logic [2:0]        pick;
  logic              send;
  logic              stored;
  logic [2:0]        since;

  // 1: the ready bits of two queues are exchanged.
  assign head_ready = bug == 1 ? ~{full[0], full[QUEUES-1:1]} : ~full;

  always_comb begin
    any  = 1'b0;
    pick = '0;
    for (int q = 0; q < QUEUES; q++) begin
      if (full[q] && (!any || cfg_order)) begin
        any  = 1'b1;
        pick = 3'(q);
      end
    end
  end
  // 2: go is ignored. 3: go is seen a cycle late.
  assign send = any && (bug == 2 || bug == 7 || (bug == 3 ? go_late : go));
  assign stored = head_valid && int'(head_queue) < QUEUES && !full[head_queue];

  always_ff @(posedge clk) begin
    go_late        <= go;
    init_done      <= rst_n;
    sent_valid     <= rst_n && send;
    sent_queue     <= pick;
    sent_bytes     <= bytes[pick];
    sent_error     <= bytes[pick] == '0 ? 3'd3 : 3'd0;
    // 4: the key is not echoed beside an error. What an error masks may be anything. 7: 2 and 4.
    sent_key       <= (bug == 4 || bug == 7) && bytes[pick] == '0 ? '0 : key[pick];
    if (bytes[pick] == '0) begin
      sent_queue <= '1;
      sent_bytes <= 8'hAA;
    end
    peeked_valid   <= rst_n && peek_valid;
    peeked_queue   <= peek_queue;
    peeked_waiting <= full[peek_queue];
    peeked_key     <= full[peek_queue] ? key[peek_queue] : '0;
    peeked_bytes   <= full[peek_queue] ? bytes[peek_queue] : '0;
    if (send) full[pick] <= 1'b0;
    if (stored) begin
      full[head_queue]  <= 1'b1;
      key[head_queue]   <= head_key;
      // 5: a packet of key 9 loses a byte. 6: one that is stored within four cycles after another one
      // has 16 more.
      bytes[head_queue] <= head_bytes - 8'(bug == 5 && head_key == KEY_W'(9))
                           + (bug == 6 && since < 3'd4 ? 8'd16 : 8'd0);
    end
    since <= !rst_n ? '1 : stored ? '0 : since + 3'(since != '1);
    // 8: it ends where a packet of 3 bytes is sent while another one waits.
    if (bug == 8 && send && bytes[pick] == 8'd3 && (full & (full - 1'b1)) != '0) begin
      $fatal(1, "two packets");
    end
    if (!rst_n) full <= '0;
    if (rst_n && head_valid && head_key == KEY_W'(5)) begin
      if (ending == 1) $finish;
      if (ending == 2) $fatal(1, "a packet of key 5");
    end
  end
endmodule
