// Exact least recently used order of N entries, 16 to 4096, as a doubly linked list in memories:
// for more entries than lru_matrix can hold. Touches of ports a and b of one cycle count in this
// order. Two touches a cycle are taken while none waits, else one; so three in four cycles (a once,
// b twice) at any time, and one in every cycle for ever. `victim` is the least recently used entry
// after the touches of all earlier cycles; it stands in a register. The init sweep makes entry 0
// the least recently used, then 1, 2, ... (Model: hw/src/prim/lru.rs.)
//
// The list runs from the least recently used to the most. A touch reads both neighbours of its
// entry in one cycle, and in the next links them to each other and the entry to the list's end: two
// writes to each memory. Of two touches in one cycle the second waits for a cycle; so the list lags
// behind.
//
// `victim` may not: the first entries of the list, the window, stand in registers, and a touched
// entry leaves the window at once. What comes next in the list, `next_in`, is read ahead and
// refills it, one entry a cycle. Where next_in itself has been touched and is still linked in its
// old place, it is passed over: its own link to what follows it is good until its touch is written,
// and it is read in that very cycle. Each touch takes an entry from the window or stops one from
// coming, never both, so a window of four never runs empty.

module lru_list #(
  parameter int N = 1024,
  localparam int INDEX_W = $clog2(N)
) (
  input  logic               clk,
  input  logic               rst_n,

  // Init sweep over all entries, before the first touch.
  input  logic               init,
  input  logic [INDEX_W-1:0] init_index,

  input  logic               a_touch,
  input  logic [INDEX_W-1:0] a_index,
  input  logic               b_touch,
  input  logic [INDEX_W-1:0] b_index,
  output logic [INDEX_W-1:0] victim
);

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (N < 16 || N > 4096) begin : g_check_n
    $fatal(1, "lru_list: N must be from 16 to 4096");
  end
`endif

  // Entries of the window, and bits of their count.
  localparam int WINDOW = 4;
  localparam int COUNT_W = 3;

  // --------------------------------------------------------------------------------------------
  // The touch that reads its neighbours in this cycle, and the one that waits.
  // --------------------------------------------------------------------------------------------

  logic               wait_q, wait_d, read;
  logic [INDEX_W-1:0] wait_index_q, wait_index_d, read_index;

  always_comb begin
    read         = wait_q || a_touch || b_touch;
    read_index   = b_index;
    wait_d       = 1'b0;
    wait_index_d = b_index;
    if (wait_q) begin
      read_index = wait_index_q;
      wait_d     = a_touch || b_touch;
      if (a_touch) wait_index_d = a_index;
    end else if (a_touch) begin
      read_index = a_index;
      wait_d     = b_touch;
    end
  end

  // --------------------------------------------------------------------------------------------
  // The touch that is written in this cycle.
  // --------------------------------------------------------------------------------------------

  logic               write_q, link, link_neighbours;
  logic [INDEX_W-1:0] index_q, first_q, last_q;
  logic [INDEX_W-1:0] older, newer;

  // The last of the list stays where it is; the first has nobody before it.
  assign link            = write_q && index_q != last_q;
  assign link_neighbours = link && index_q != first_q;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      wait_q  <= 1'b0;
      write_q <= 1'b0;
      first_q <= '0;
      last_q  <= INDEX_W'(N - 1);
    end else begin
      wait_q  <= wait_d;
      write_q <= read;
      if (link) begin
        last_q <= index_q;
        if (!link_neighbours) first_q <= newer;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (wait_d) wait_index_q <= wait_index_d;
    if (read)   index_q      <= read_index;
  end

  // --------------------------------------------------------------------------------------------
  // The window.
  // --------------------------------------------------------------------------------------------

  logic [WINDOW*INDEX_W-1:0] window_q, window_d;
  logic [COUNT_W-1:0]        count_q, count_d;
  logic [INDEX_W-1:0]        next_in;
  logic                      passed, taken;

  // Which entries of the window this cycle touches.
  logic [WINDOW-1:0] touched;

  for (genvar k = 0; k < WINDOW; k++) begin : g_touched
    assign touched[k] = (a_touch && a_index == window_q[k*INDEX_W+:INDEX_W]) ||
                        (b_touch && b_index == window_q[k*INDEX_W+:INDEX_W]);
  end

  // Whether next_in has been touched and is not yet linked in its new place.
  assign passed = (a_touch && a_index == next_in) || (b_touch && b_index == next_in) ||
                  (wait_q && wait_index_q == next_in) || (write_q && index_q == next_in);

  // What is left moves up, next_in follows if there is room.
  always_comb begin
    window_d = window_q;
    count_d  = '0;
    for (int k = 0; k < WINDOW; k++) begin
      if (COUNT_W'(k) < count_q && !touched[k]) begin
        window_d[32'(count_d)*INDEX_W+:INDEX_W] = window_q[k*INDEX_W+:INDEX_W];
        count_d = count_d + 1'b1;
      end
    end
    taken = !passed && count_d != COUNT_W'(WINDOW);
    if (taken) begin
      window_d[32'(count_d)*INDEX_W+:INDEX_W] = next_in;
      count_d = count_d + 1'b1;
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n || init) begin
      count_q <= COUNT_W'(WINDOW);
      for (int k = 0; k < WINDOW; k++) window_q[k*INDEX_W+:INDEX_W] <= INDEX_W'(k);
    end else begin
      count_q  <= count_d;
      window_q <= window_d;
    end
  end

  assign victim = window_q[INDEX_W-1:0];

  // --------------------------------------------------------------------------------------------
  // Memories: by entry, the one after it (for touches, and for the window) and the one before it.
  // --------------------------------------------------------------------------------------------

  ram_2w #(
    .WIDTH (INDEX_W),
    .DEPTH (N),
    .READS (2)
  ) u_newer (
    .clk     (clk),
    .a_we    (init || link_neighbours),
    .a_waddr (init ? init_index : older),
    .a_wdata (init ? init_index + 1'b1 : newer),
    .b_we    (link),
    .b_waddr (last_q),
    .b_wdata (index_q),
    .re      ({init || passed || taken, read}),
    .raddr   ({init ? INDEX_W'(WINDOW - 1) : next_in, read_index}),
    .rdata   ({next_in, newer})
  );

  ram_2w #(
    .WIDTH (INDEX_W),
    .DEPTH (N)
  ) u_older (
    .clk     (clk),
    .a_we    (init || link_neighbours),
    .a_waddr (init ? init_index : newer),
    .a_wdata (init ? init_index - 1'b1 : older),
    .b_we    (link),
    .b_waddr (index_q),
    .b_wdata (last_q),
    .re      (read),
    .raddr   (read_index),
    .rdata   (older)
  );

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && (a_touch || b_touch)) begin
      assert (!init)
        else $error("lru_list: a touch during the init sweep");
      assert (!(wait_q && a_touch && b_touch))
        else $error("lru_list: two touches while one waits");
      assert ((!a_touch || 32'(a_index) < 32'(N)) && (!b_touch || 32'(b_index) < 32'(N)))
        else $error("lru_list: touches of %0d and %0d, of %0d entries", a_index, b_index, N);
    end
    if (rst_n) begin
      assert (count_q != '0)
        else $error("lru_list: the window is empty");
    end
  end
`endif

endmodule
