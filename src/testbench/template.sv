// Replay testbench of @BLOCK@: plays a folder of vector files into it and compares every
// output of every cycle with !==, so that an X is a mismatch. Prints the first mismatch, and PASS or
// FAIL at the end; $finish after PASS, $fatal after FAIL. testbenches/README.md says how to run it.
//
// Written by `congruent testbench generate` from the block's port table: do not edit it.
//
// Plusarg: +folder=DIR. Macros: CONGRUENT_<PARAMETER>, as in a folder's params.f; CONGRUENT_DUT,
// the name of another module; CONGRUENT_NETLIST, where the module has no parameters;
// CONGRUENT_DUMP, for a waveform in @BLOCK@_tb.vcd.

@MACROS@
`ifndef CONGRUENT_DUT
  `define CONGRUENT_DUT @BLOCK@
`endif

module @BLOCK@_tb #(
  @PARAMETERS@
  // Words of a hex file that there is room for.
  parameter int MOST_WORDS = 32768,
  // Cycles that init_done may take.
  parameter int LONGEST_INIT = 20000
);

  localparam int RESET_CYCLES = 4;

  // --------------------------------------------------------------------------------------------
  // Ports: W_ is the width, AT_ the lowest bit in a word of the file. Bits of a word follow from
  // the parameters, as the ports do.
  // --------------------------------------------------------------------------------------------

  localparam int GAP_BITS = @GAP_BITS@;

  // Pins of the configuration.
  @CFG_PLACES@

  // stimulus.hex: inputs, and above them the gap.
  @INPUT_PLACES@
  localparam int STIMULUS_GAP = @INPUT_END@;
  localparam int STIMULUS_BITS = STIMULUS_GAP + GAP_BITS;

  // expected.hex: outputs, and above them the gap.
  @OUTPUT_PLACES@
  localparam int EXPECTED_GAP = @OUTPUT_END@;
  localparam int EXPECTED_BITS = EXPECTED_GAP + GAP_BITS;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  @DECLARATIONS@

`ifdef CONGRUENT_NETLIST
  `CONGRUENT_DUT dut (
`else
  `CONGRUENT_DUT #(
    @PARAMETER_CONNECTIONS@
  ) dut (
`endif
    .clk (clk),
    .rst_n (rst_n),
    @CONNECTIONS@
  );

  always #5 clk = !clk;

  // --------------------------------------------------------------------------------------------
  // Files. A word of stimulus and expected stands for one cycle; its gap counts the cycles without
  // a word before it. run.hex says how many words there are, and the values of the cfg_ pins.
  // --------------------------------------------------------------------------------------------

  localparam int FORMAT_VERSION = @FORMAT_VERSION@;
  localparam logic [255:0] NAME = "@BLOCK@";
  localparam int FIRST_PARAM = 10;
  localparam int FIRST_CFG = FIRST_PARAM + @PARAMS@;
  localparam int RUN_WORDS = FIRST_CFG + @CFGS@;

  localparam int RUN_DIGITS = 16;
  localparam int STIMULUS_DIGITS = (STIMULUS_BITS + 3) / 4;
  localparam int EXPECTED_DIGITS = (EXPECTED_BITS + 3) / 4;
  // The longest line, its end, and a character that is too many.
  localparam int LINE_BYTES = RUN_DIGITS + STIMULUS_DIGITS + EXPECTED_DIGITS + 2;

  logic [63:0] run [0:RUN_WORDS-1];
  logic [STIMULUS_BITS-1:0] stimulus [0:MOST_WORDS-1];
  logic [EXPECTED_BITS-1:0] expected [0:MOST_WORDS-1];
  string folder;
  int cycles, stimulus_words, expected_words;

  // -1 stands for every cycle before cycle 0.
  int cycle = -1;
  logic failed = 1'b0;

  // Counts the lines of a file. Each must hold so many digits and a line end, since $readmemh drops
  // a line without an end and cuts a word that is too long, in some simulators silently.
  task count_lines(input string name, input int digits, output int lines);
    int file, bytes;
    logic [8*LINE_BYTES-1:0] line;
    lines = 0;
    file = $fopen({folder, "/", name}, "r");
    if (file == 0) begin
      $display("error: %0s/%0s cannot be opened: +folder=DIR names the folder", folder, name);
      failed = 1'b1;
    end else begin
      bytes = $fgets(line, file);
      while (bytes != 0 && !failed) begin
        lines = lines + 1;
        if (bytes != digits + 1 || line[7:0] != 8'h0a) begin
          $display("error: %0s/%0s, line %0d: accepted is %0d hex digits and LF",
                   folder, name, lines, digits);
          failed = 1'b1;
        end
        bytes = $fgets(line, file);
      end
      $fclose(file);
    end
  endtask

  task check_words(input string name, input int lines, input int words);
    if (!failed && lines != words) begin
      $display("error: %0s/%0s holds %0d words: accepted is %0d", folder, name, lines, words);
      failed = 1'b1;
    end
    if (!failed && lines > MOST_WORDS) begin
      $display("error: %0s/%0s holds %0d words: make MOST_WORDS larger, now %0d",
               folder, name, lines, MOST_WORDS);
      failed = 1'b1;
    end
  endtask

  task check_run(input string name, input int at, input int value);
    logic signed [63:0] wide;
    wide = 64'(value);
    if (!failed && run[at] !== wide) begin
      $display("error: %0s/run.hex: %0s is %0d, and the testbench has %0d",
               folder, name, $signed(run[at]), value);
      failed = 1'b1;
    end
  endtask

  task read_run;
    int lines;
    count_lines("run.hex", RUN_DIGITS, lines);
    if (!failed) begin
      $readmemh({folder, "/run.hex"}, run, 0, (lines < RUN_WORDS ? lines : RUN_WORDS) - 1);
      check_run("format_version", 0, FORMAT_VERSION);
    end
    if (!failed && {run[1], run[2], run[3], run[4]} !== NAME) begin
      $display("error: %0s is of another block than @BLOCK@", folder);
      failed = 1'b1;
    end
    @PARAMETER_CHECKS@
    check_run("bits of a word of stimulus.hex", 7, STIMULUS_BITS);
    check_run("bits of a word of expected.hex", 9, EXPECTED_BITS);
    check_words("run.hex", lines, RUN_WORDS);
    for (int n = 0; n < RUN_WORDS; n++) if (^run[n] === 1'bx) unreadable("run.hex", n);
    cycles = int'(run[5][31:0]);
    stimulus_words = int'(run[6][31:0]);
    expected_words = int'(run[8][31:0]);
    if (!failed && cycles < 1) begin
      $display("error: %0s/run.hex: %0d cycles: accepted is 1 and more", folder, cycles);
      failed = 1'b1;
    end
    @CFG_VALUES@
  endtask

  task read_words;
    int lines;
    count_lines("stimulus.hex", STIMULUS_DIGITS, lines);
    check_words("stimulus.hex", lines, stimulus_words);
    if (!failed) count_lines("expected.hex", EXPECTED_DIGITS, lines);
    check_words("expected.hex", lines, expected_words);
    if (!failed) begin
      if (lines > 0) $readmemh({folder, "/expected.hex"}, expected, 0, lines - 1);
      for (int n = 0; n < lines; n++) if (^expected[n] === 1'bx) unreadable("expected.hex", n);
      lines = stimulus_words;
      if (lines > 0) $readmemh({folder, "/stimulus.hex"}, stimulus, 0, lines - 1);
      for (int n = 0; n < lines; n++) if (^stimulus[n] === 1'bx) unreadable("stimulus.hex", n);
    end
  endtask

  task unreadable(input string name, input int n);
    if (!failed) $display("error: %0s/%0s, line %0d: no number", folder, name, n + 1);
    failed = 1'b1;
  endtask

  // --------------------------------------------------------------------------------------------
  // The words of this cycle. Between two words valids are 0, all else stays.
  // --------------------------------------------------------------------------------------------

  // Set here and not in the run, where Verilator 5.006 takes them for constants.
  logic [STIMULUS_BITS-1:0] in_word = '0;
  logic [EXPECTED_BITS-1:0] out_word = '0;
  int in_at = 0;
  int out_at = 0;
  // The cycles that the next words are for.
  int in_next, out_next;

  function automatic int in_gap(input int n);
    return int'(stimulus[n][STIMULUS_GAP +: GAP_BITS]);
  endfunction

  function automatic int out_gap(input int n);
    return int'(expected[n][EXPECTED_GAP +: GAP_BITS]);
  endfunction

  task next_words;
    if (in_at < stimulus_words && cycle == in_next) begin
      in_word = stimulus[in_at];
      in_at = in_at + 1;
      if (in_at < stimulus_words) in_next = cycle + 1 + in_gap(in_at);
    end else begin
      @QUIET_INPUTS@
    end
    if (out_at < expected_words && cycle == out_next) begin
      out_word = expected[out_at];
      out_at = out_at + 1;
      if (out_at < expected_words) out_next = cycle + 1 + out_gap(out_at);
    end else begin
      @QUIET_OUTPUTS@
    end
  endtask

  // --------------------------------------------------------------------------------------------
  // Pins.
  // --------------------------------------------------------------------------------------------

  // The payload of a channel whose valid is 0 is X: the block must not look at it.
  task drive;
    @DRIVE@
  endtask

  task differs(input string port, input logic [63:0] shall, input logic [63:0] is);
    if (!failed)
      $display("mismatch: cycle %0d port %0s expected %0h got %0h", cycle, port, shall, is);
    failed = 1'b1;
  endtask

  task unknown(input string port);
    if (!failed)
      $display("mismatch: cycle %0d port %0s expected known got x", cycle, port);
    failed = 1'b1;
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
`ifdef CONGRUENT_DUMP
    $dumpfile("@BLOCK@_tb.vcd");
    $dumpvars(0, @BLOCK@_tb);
`endif
    if (!$value$plusargs("folder=%s", folder)) folder = ".";
    read_run();
    if (!failed) read_words();
    in_next = in_gap(0);
    out_next = out_gap(0);
    drive();

    if (!failed) begin
      repeat (RESET_CYCLES) @(negedge clk);
      rst_n = 1'b1;
      #4 compare_init();
      for (int n = 0; n < LONGEST_INIT && init_done !== 1'b1 && !failed; n++) begin
        @(negedge clk);
        #4 compare_init();
      end
      if (init_done !== 1'b1) differs("init_done", 64'd1, 64'(init_done));
    end

    cycle = 0;
    while (cycle < cycles && !failed) begin
      @(negedge clk);
      next_words();
      drive();
      #4 compare();
      cycle = cycle + 1;
    end

    if (!failed && (in_at != stimulus_words || out_at != expected_words)) begin
      $display("error: %0s: words are left after cycle %0d", folder, cycles);
      failed = 1'b1;
    end
    if (failed) begin
      $display("FAIL @BLOCK@ %0s", folder);
      $fatal(0, "FAIL");
    end
    $display("PASS @BLOCK@ %0s, %0d cycles", folder, cycles);
    $finish(0);
  end

endmodule
