// Plays one folder of vector files into @BLOCK@ and compares every output of every cycle with !==,
// so that an X is a mismatch. The payload of a channel whose valid is 0 is driven X: the block must
// not look at it. Lines that depend on the ports are filled in from the block's table.
//
// Plusargs: stimulus=FILE stimulus_words=N expected=FILE expected_words=N cycles=N, and one
// hexadecimal value for each cfg pin. Prints the first mismatch, then PASS or FAIL.

`timescale 1ns / 1ps

module testbench;

  // Cycles of reset, and the most that init_done may take from then on.
  localparam int RESET_CYCLES = 4;
  localparam int LONGEST_INIT = 10000;

  logic clk = 1'b0;
  logic rst_n = 1'b0;

  @DECLARATIONS@

  @BLOCK@ #(
    @PARAMETERS@
  ) dut (
    .clk   (clk),
    .rst_n (rst_n),
    @CONNECTIONS@
  );

  always #5 clk = !clk;

  // --------------------------------------------------------------------------------------------
  // Files. A word stands for one cycle; its gap counts the cycles without a word before it.
  // --------------------------------------------------------------------------------------------

  logic [@STIMULUS_BITS@-1:0] stimulus [0:@MOST_STIMULUS@-1];
  logic [@EXPECTED_BITS@-1:0] expected [0:@MOST_EXPECTED@-1];
  string stimulus_file, expected_file;
  int stimulus_words, expected_words, cycles;

  // What the files say of this cycle, the next word of each, and the cycle that it is for.
  logic [@STIMULUS_BITS@-1:0] in_word;
  logic [@EXPECTED_BITS@-1:0] out_word;
  logic in_news, out_news;
  int in_at, out_at, in_next, out_next;

  // -1 stands for every cycle before cycle 0.
  int cycle = -1;
  logic failed = 1'b0;

  task read_arguments;
    if (!$value$plusargs("stimulus=%s", stimulus_file)) missing("stimulus");
    if (!$value$plusargs("expected=%s", expected_file)) missing("expected");
    if (!$value$plusargs("stimulus_words=%d", stimulus_words)) missing("stimulus_words");
    if (!$value$plusargs("expected_words=%d", expected_words)) missing("expected_words");
    if (!$value$plusargs("cycles=%d", cycles)) missing("cycles");
    @CFG_ARGUMENTS@
  endtask

  task missing(input string name);
    $display("missing plusarg %0s", name);
    failed = 1'b1;
  endtask

  task read_files;
    if (stimulus_words > @MOST_STIMULUS@ || expected_words > @MOST_EXPECTED@) begin
      $display("more words than this testbench was made for");
      failed = 1'b1;
    end else begin
      if (stimulus_words > 0) $readmemh(stimulus_file, stimulus, 0, stimulus_words - 1);
      $readmemh(expected_file, expected, 0, expected_words - 1);
      for (int n = 0; n < stimulus_words; n++) if (^stimulus[n] === 1'bx) unreadable("stimulus", n);
      for (int n = 0; n < expected_words; n++) if (^expected[n] === 1'bx) unreadable("expected", n);
    end
    in_at = 0;
    out_at = 0;
    in_next = 32'(stimulus[0][@STIMULUS_GAP@]);
    out_next = 32'(expected[0][@EXPECTED_GAP@]);
  endtask

  task unreadable(input string name, input int n);
    if (!failed) $display("word %0d of the %0s file cannot be read", n, name);
    failed = 1'b1;
  endtask

  // Moves to the words of this cycle.
  task read_cycle;
    in_news = in_at < stimulus_words && cycle == in_next;
    if (in_news) begin
      in_word = stimulus[in_at];
      in_at = in_at + 1;
      if (in_at < stimulus_words) in_next = cycle + 1 + 32'(stimulus[in_at][@STIMULUS_GAP@]);
    end
    out_news = out_at < expected_words && cycle == out_next;
    if (out_news) begin
      out_word = expected[out_at];
      out_at = out_at + 1;
      if (out_at < expected_words) out_next = cycle + 1 + 32'(expected[out_at][@EXPECTED_GAP@]);
    end
  endtask

  // --------------------------------------------------------------------------------------------
  // Pins.
  // --------------------------------------------------------------------------------------------

  task drive;
    @DRIVE@
  endtask

  // Between reset and cycle 0 no channel is valid or ready, and every level is known.
  task compare_init;
    @COMPARE_INIT@
  endtask

  // What counts: valids, readies and levels; the fields of a valid beat; of these, beside an error,
  // only the error, the context and the key.
  task compare;
    @COMPARE@
  endtask

  // --------------------------------------------------------------------------------------------
  // The run. Inputs change on the falling edge; outputs are read just before the rising edge that
  // ends the cycle.
  // --------------------------------------------------------------------------------------------

  initial begin
    in_word = '0;
    out_word = '0;
    in_news = 1'b0;
    drive();
    read_arguments();
    if (!failed) read_files();

    if (!failed) begin
      repeat (RESET_CYCLES) @(negedge clk);
      rst_n = 1'b1;
      #4 compare_init();
      for (int n = 0; n < LONGEST_INIT && init_done !== 1'b1 && !failed; n++) begin
        @(negedge clk);
        #4 compare_init();
      end
      if (init_done !== 1'b1 && !failed) begin
        $display("mismatch: cycle -1 port init_done expected 1 got %b", init_done);
        failed = 1'b1;
      end
    end

    for (cycle = 0; cycle < cycles && !failed; cycle++) begin
      @(negedge clk);
      read_cycle();
      drive();
      #4 compare();
    end

    if (!failed && (in_at != stimulus_words || out_at != expected_words)) begin
      $display("the run is over, and there are words left");
      failed = 1'b1;
    end
    if (failed) $display("FAIL");
    else $display("PASS");
    $finish(0);
  end

endmodule
