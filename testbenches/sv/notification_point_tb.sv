// Replay testbench of notification_point: plays a folder of vector files into it and compares every
// output of every cycle with !==, so that an X is a mismatch. Prints the first mismatch, and PASS or
// FAIL at the end; $finish after PASS, $fatal after FAIL. testbenches/README.md says how to run it.
//
// Written by `congruent testbench generate` from the block's port table: do not edit it.
//
// Plusarg: +folder=DIR. Macros: CONGRUENT_<PARAMETER>, as in a folder's params.f; CONGRUENT_DUT,
// the name of another module; CONGRUENT_NETLIST, where the module has no parameters;
// CONGRUENT_DUMP, for a waveform in notification_point_tb.vcd.

`ifndef CONGRUENT_QPS
  `define CONGRUENT_QPS 256
`endif
`ifndef CONGRUENT_QP_W
  `define CONGRUENT_QP_W 12
`endif
`ifndef CONGRUENT_TIME_W
  `define CONGRUENT_TIME_W 32
`endif
`ifndef CONGRUENT_TIME_INIT
  `define CONGRUENT_TIME_INIT -96
`endif
`ifndef CONGRUENT_DUT
  `define CONGRUENT_DUT notification_point
`endif

module notification_point_tb #(
  parameter int QPS = `CONGRUENT_QPS,
  parameter int QP_W = `CONGRUENT_QP_W,
  parameter int TIME_W = `CONGRUENT_TIME_W,
  parameter int TIME_INIT = `CONGRUENT_TIME_INIT,
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

  localparam int GAP_BITS = 16;

  // Pins of the configuration.
  localparam int W_CFG_GAP = TIME_W;

  // stimulus.hex: inputs, and above them the gap.
  localparam int W_CE_VALID = 1;
  localparam int AT_CE_VALID = 0;
  localparam int W_CE_QP = QP_W;
  localparam int AT_CE_QP = AT_CE_VALID + W_CE_VALID;
  localparam int W_PEEK_VALID = 1;
  localparam int AT_PEEK_VALID = AT_CE_QP + W_CE_QP;
  localparam int W_PEEK_QP = QP_W;
  localparam int AT_PEEK_QP = AT_PEEK_VALID + W_PEEK_VALID;
  localparam int STIMULUS_GAP = AT_PEEK_QP + W_PEEK_QP;
  localparam int STIMULUS_BITS = STIMULUS_GAP + GAP_BITS;

  // expected.hex: outputs, and above them the gap.
  localparam int W_CNP_VALID = 1;
  localparam int AT_CNP_VALID = 0;
  localparam int W_CNP_QP = QP_W;
  localparam int AT_CNP_QP = AT_CNP_VALID + W_CNP_VALID;
  localparam int W_PEEKED_VALID = 1;
  localparam int AT_PEEKED_VALID = AT_CNP_QP + W_CNP_QP;
  localparam int W_PEEKED_QP = QP_W;
  localparam int AT_PEEKED_QP = AT_PEEKED_VALID + W_PEEKED_VALID;
  localparam int W_PEEKED_RECENT = 1;
  localparam int AT_PEEKED_RECENT = AT_PEEKED_QP + W_PEEKED_QP;
  localparam int W_PEEKED_LAST = TIME_W;
  localparam int AT_PEEKED_LAST = AT_PEEKED_RECENT + W_PEEKED_RECENT;
  localparam int W_PEEKED_ERROR = 3;
  localparam int AT_PEEKED_ERROR = AT_PEEKED_LAST + W_PEEKED_LAST;
  localparam int W_ERR_VALID = 1;
  localparam int AT_ERR_VALID = AT_PEEKED_ERROR + W_PEEKED_ERROR;
  localparam int W_ERR_CHANNEL = 1;
  localparam int AT_ERR_CHANNEL = AT_ERR_VALID + W_ERR_VALID;
  localparam int W_ERR_CODE = 3;
  localparam int AT_ERR_CODE = AT_ERR_CHANNEL + W_ERR_CHANNEL;
  localparam int W_ERR_QP = QP_W;
  localparam int AT_ERR_QP = AT_ERR_CODE + W_ERR_CODE;
  localparam int W_PEEK_READY = 1;
  localparam int AT_PEEK_READY = AT_ERR_QP + W_ERR_QP;
  localparam int W_INIT_DONE = 1;
  localparam int AT_INIT_DONE = AT_PEEK_READY + W_PEEK_READY;
  localparam int W_STAT_CNPS = 16;
  localparam int AT_STAT_CNPS = AT_INIT_DONE + W_INIT_DONE;
  localparam int W_STAT_SWALLOWED = 16;
  localparam int AT_STAT_SWALLOWED = AT_STAT_CNPS + W_STAT_CNPS;
  localparam int W_STAT_RANGE = 16;
  localparam int AT_STAT_RANGE = AT_STAT_SWALLOWED + W_STAT_SWALLOWED;
  localparam int EXPECTED_GAP = AT_STAT_RANGE + W_STAT_RANGE;
  localparam int EXPECTED_BITS = EXPECTED_GAP + GAP_BITS;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic [W_CFG_GAP-1:0] cfg_gap;
  logic [W_CE_VALID-1:0] ce_valid;
  logic [W_CE_QP-1:0] ce_qp;
  logic [W_PEEK_VALID-1:0] peek_valid;
  logic [W_PEEK_QP-1:0] peek_qp;
  logic [W_CNP_VALID-1:0] cnp_valid;
  logic [W_CNP_QP-1:0] cnp_qp;
  logic [W_PEEKED_VALID-1:0] peeked_valid;
  logic [W_PEEKED_QP-1:0] peeked_qp;
  logic [W_PEEKED_RECENT-1:0] peeked_recent;
  logic [W_PEEKED_LAST-1:0] peeked_last;
  logic [W_PEEKED_ERROR-1:0] peeked_error;
  logic [W_ERR_VALID-1:0] err_valid;
  logic [W_ERR_CHANNEL-1:0] err_channel;
  logic [W_ERR_CODE-1:0] err_code;
  logic [W_ERR_QP-1:0] err_qp;
  logic [W_PEEK_READY-1:0] peek_ready;
  logic [W_INIT_DONE-1:0] init_done;
  logic [W_STAT_CNPS-1:0] stat_cnps;
  logic [W_STAT_SWALLOWED-1:0] stat_swallowed;
  logic [W_STAT_RANGE-1:0] stat_range;

`ifdef CONGRUENT_NETLIST
  `CONGRUENT_DUT dut (
`else
  `CONGRUENT_DUT #(
    .QPS (QPS),
    .QP_W (QP_W),
    .TIME_W (TIME_W),
    .TIME_INIT (TIME_INIT)
  ) dut (
`endif
    .clk (clk),
    .rst_n (rst_n),
    .cfg_gap (cfg_gap),
    .ce_valid (ce_valid),
    .ce_qp (ce_qp),
    .peek_valid (peek_valid),
    .peek_qp (peek_qp),
    .cnp_valid (cnp_valid),
    .cnp_qp (cnp_qp),
    .peeked_valid (peeked_valid),
    .peeked_qp (peeked_qp),
    .peeked_recent (peeked_recent),
    .peeked_last (peeked_last),
    .peeked_error (peeked_error),
    .err_valid (err_valid),
    .err_channel (err_channel),
    .err_code (err_code),
    .err_qp (err_qp),
    .peek_ready (peek_ready),
    .init_done (init_done),
    .stat_cnps (stat_cnps),
    .stat_swallowed (stat_swallowed),
    .stat_range (stat_range)
  );

  always #5 clk = !clk;

  // --------------------------------------------------------------------------------------------
  // Files. A word of stimulus and expected stands for one cycle; its gap counts the cycles without
  // a word before it. run.hex says how many words there are, and the values of the cfg_ pins.
  // --------------------------------------------------------------------------------------------

  localparam int FORMAT_VERSION = 2;
  localparam logic [255:0] NAME = "notification_point";
  localparam int FIRST_PARAM = 10;
  localparam int FIRST_CFG = FIRST_PARAM + 4;
  localparam int RUN_WORDS = FIRST_CFG + 1;

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
      $display("error: %0s is of another block than notification_point", folder);
      failed = 1'b1;
    end
    check_run("QPS", FIRST_PARAM + 0, QPS);
    check_run("QP_W", FIRST_PARAM + 1, QP_W);
    check_run("TIME_W", FIRST_PARAM + 2, TIME_W);
    check_run("TIME_INIT", FIRST_PARAM + 3, TIME_INIT);
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
    cfg_gap = run[FIRST_CFG + 0][W_CFG_GAP-1:0];
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
      in_word[AT_CE_VALID] = 1'b0;
      in_word[AT_PEEK_VALID] = 1'b0;
    end
    if (out_at < expected_words && cycle == out_next) begin
      out_word = expected[out_at];
      out_at = out_at + 1;
      if (out_at < expected_words) out_next = cycle + 1 + out_gap(out_at);
    end else begin
      out_word[AT_CNP_VALID] = 1'b0;
      out_word[AT_PEEKED_VALID] = 1'b0;
      out_word[AT_ERR_VALID] = 1'b0;
    end
  endtask

  // --------------------------------------------------------------------------------------------
  // Pins.
  // --------------------------------------------------------------------------------------------

  // The payload of a channel whose valid is 0 is X: the block must not look at it.
  task drive;
    ce_valid = in_word[AT_CE_VALID +: W_CE_VALID];
    ce_qp = ce_valid ? in_word[AT_CE_QP +: W_CE_QP] : 'x;
    peek_valid = in_word[AT_PEEK_VALID +: W_PEEK_VALID];
    peek_qp = peek_valid ? in_word[AT_PEEK_QP +: W_PEEK_QP] : 'x;
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
    if (cnp_valid !== '0) differs("cnp_valid", 64'd0, 64'(cnp_valid));
    if (peeked_valid !== '0) differs("peeked_valid", 64'd0, 64'(peeked_valid));
    if (err_valid !== '0) differs("err_valid", 64'd0, 64'(err_valid));
    if (peek_ready !== '0) differs("peek_ready", 64'd0, 64'(peek_ready));
    if (^init_done === 1'bx) unknown("init_done");
    if (^stat_cnps === 1'bx) unknown("stat_cnps");
    if (^stat_swallowed === 1'bx) unknown("stat_swallowed");
    if (^stat_range === 1'bx) unknown("stat_range");
  endtask

  // What counts: valids, readies and levels; the fields of a valid beat; of these, beside an error,
  // only the error, the context and the key.
  task compare;
    if (cnp_valid !== out_word[AT_CNP_VALID +: W_CNP_VALID])
      differs("cnp_valid", 64'(out_word[AT_CNP_VALID +: W_CNP_VALID]),
              64'(cnp_valid));
    if (out_word[AT_CNP_VALID]) begin
      if (cnp_qp !== out_word[AT_CNP_QP +: W_CNP_QP])
        differs("cnp_qp", 64'(out_word[AT_CNP_QP +: W_CNP_QP]),
                64'(cnp_qp));
    end
    if (peeked_valid !== out_word[AT_PEEKED_VALID +: W_PEEKED_VALID])
      differs("peeked_valid", 64'(out_word[AT_PEEKED_VALID +: W_PEEKED_VALID]),
              64'(peeked_valid));
    if (out_word[AT_PEEKED_VALID]) begin
      if (peeked_qp !== out_word[AT_PEEKED_QP +: W_PEEKED_QP])
        differs("peeked_qp", 64'(out_word[AT_PEEKED_QP +: W_PEEKED_QP]),
                64'(peeked_qp));
      if (out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR] == '0) begin
        if (peeked_recent !== out_word[AT_PEEKED_RECENT +: W_PEEKED_RECENT])
          differs("peeked_recent", 64'(out_word[AT_PEEKED_RECENT +: W_PEEKED_RECENT]),
                  64'(peeked_recent));
        if (peeked_last !== out_word[AT_PEEKED_LAST +: W_PEEKED_LAST])
          differs("peeked_last", 64'(out_word[AT_PEEKED_LAST +: W_PEEKED_LAST]),
                  64'(peeked_last));
      end
      if (peeked_error !== out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR])
        differs("peeked_error", 64'(out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR]),
                64'(peeked_error));
    end
    if (err_valid !== out_word[AT_ERR_VALID +: W_ERR_VALID])
      differs("err_valid", 64'(out_word[AT_ERR_VALID +: W_ERR_VALID]),
              64'(err_valid));
    if (out_word[AT_ERR_VALID]) begin
      if (err_channel !== out_word[AT_ERR_CHANNEL +: W_ERR_CHANNEL])
        differs("err_channel", 64'(out_word[AT_ERR_CHANNEL +: W_ERR_CHANNEL]),
                64'(err_channel));
      if (err_code !== out_word[AT_ERR_CODE +: W_ERR_CODE])
        differs("err_code", 64'(out_word[AT_ERR_CODE +: W_ERR_CODE]),
                64'(err_code));
      if (err_qp !== out_word[AT_ERR_QP +: W_ERR_QP])
        differs("err_qp", 64'(out_word[AT_ERR_QP +: W_ERR_QP]),
                64'(err_qp));
    end
    if (peek_ready !== out_word[AT_PEEK_READY +: W_PEEK_READY])
      differs("peek_ready", 64'(out_word[AT_PEEK_READY +: W_PEEK_READY]),
              64'(peek_ready));
    if (init_done !== out_word[AT_INIT_DONE +: W_INIT_DONE])
      differs("init_done", 64'(out_word[AT_INIT_DONE +: W_INIT_DONE]),
              64'(init_done));
    if (stat_cnps !== out_word[AT_STAT_CNPS +: W_STAT_CNPS])
      differs("stat_cnps", 64'(out_word[AT_STAT_CNPS +: W_STAT_CNPS]),
              64'(stat_cnps));
    if (stat_swallowed !== out_word[AT_STAT_SWALLOWED +: W_STAT_SWALLOWED])
      differs("stat_swallowed", 64'(out_word[AT_STAT_SWALLOWED +: W_STAT_SWALLOWED]),
              64'(stat_swallowed));
    if (stat_range !== out_word[AT_STAT_RANGE +: W_STAT_RANGE])
      differs("stat_range", 64'(out_word[AT_STAT_RANGE +: W_STAT_RANGE]),
              64'(stat_range));
  endtask

  // --------------------------------------------------------------------------------------------
  // The run. Inputs change on the falling edge; outputs are read just before the rising edge that
  // ends the cycle.
  // --------------------------------------------------------------------------------------------

  initial begin
`ifdef CONGRUENT_DUMP
    $dumpfile("notification_point_tb.vcd");
    $dumpvars(0, notification_point_tb);
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
      $display("FAIL notification_point %0s", folder);
      $fatal(0, "FAIL");
    end
    $display("PASS notification_point %0s, %0d cycles", folder, cycles);
    $finish(0);
  end

endmodule
