// The toy block with a way to end: `+how=N` chooses it, `+at=C` the cycle, counted as the harness does.
module ends #(
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
  // Ends the process from C++.
  import "DPI-C" function void end_in_cpp(input int how);

  int how;
  int at;
  int cycle;
  logic loop;
  // Neither reset nor written before it is used.
  logic [7:0] forgotten;
  logic [2:0] queue;

  initial begin
    if (!$value$plusargs("how=%d", how)) how = 0;
    if (!$value$plusargs("at=%d", at)) at = 0;
    if (how == 1) $fatal(1, "nothing can be read");
    if (how == 2) end_in_cpp(11);
  end

  // A loop of logic while it is due.
  assign loop = (how == 7 && rst_n && init_done && cycle == at) ? !loop : 1'b0;

  always_ff @(posedge clk) begin
    cycle <= (rst_n && init_done) ? cycle + 1 : -1;
    if (how == 99) forgotten <= forgotten + 1;
    // 3: in the reset.
    if (how == 3 && !rst_n) $finish;
    if (rst_n && init_done && cycle == at) begin
      case (how)
        4: $finish;
        5: $stop;
        6: $fatal(1, "cycle %0d is the last", cycle);
        8: while (how == 8) cycle <= cycle + 1;
        9: assert (how != 9) else $error("%0d is nine", how);
        default: if (how >= 10 && how < 20) end_in_cpp(how);
      endcase
    end
  end
  // 20: an output depends on what the register started with.
  assign queue = how == 20 ? peeked_queue_of_toy ^ forgotten[2:0] : peeked_queue_of_toy;
  assign peeked_queue = queue;

  logic [2:0] peeked_queue_of_toy;
  toy #(.QUEUES(QUEUES), .KEY_W(KEY_W)) toy (
    .clk, .rst_n, .cfg_order, .head_valid, .head_queue, .head_key, .head_bytes, .head_ready,
    .peek_valid, .peek_queue, .sent_valid, .sent_queue, .sent_key, .sent_bytes, .sent_error,
    .peeked_valid, .peeked_queue(peeked_queue_of_toy), .peeked_waiting, .peeked_key, .peeked_bytes,
    .go, .init_done
  );
endmodule
