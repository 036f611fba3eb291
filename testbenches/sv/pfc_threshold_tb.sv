// Replay testbench of pfc_threshold: plays a folder of vector files into it and compares every
// output of every cycle with !==, so that an X is a mismatch. Prints the first mismatch, and PASS or
// FAIL at the end; $finish after PASS, $fatal after FAIL. testbenches/README.md says how to run it.
//
// Written by `congruent testbench generate` from the block's port table: do not edit it.
//
// Plusarg: +folder=DIR. Macros: CONGRUENT_<PARAMETER>, as in a folder's params.f; CONGRUENT_DUT,
// the name of another module; CONGRUENT_NETLIST, where the module has no parameters;
// CONGRUENT_DUMP, for a waveform in pfc_threshold_tb.vcd.

`ifndef CONGRUENT_QUEUES
  `define CONGRUENT_QUEUES 256
`endif
`ifndef CONGRUENT_QUEUE_W
  `define CONGRUENT_QUEUE_W 12
`endif
`ifndef CONGRUENT_BYTES_W
  `define CONGRUENT_BYTES_W 14
`endif
`ifndef CONGRUENT_TIME_W
  `define CONGRUENT_TIME_W 32
`endif
`ifndef CONGRUENT_TIME_INIT
  `define CONGRUENT_TIME_INIT -96
`endif
`ifndef CONGRUENT_COUNT_W
  `define CONGRUENT_COUNT_W 32
`endif
`ifndef CONGRUENT_DUT
  `define CONGRUENT_DUT pfc_threshold
`endif

module pfc_threshold_tb #(
  parameter int QUEUES = `CONGRUENT_QUEUES,
  parameter int QUEUE_W = `CONGRUENT_QUEUE_W,
  parameter int BYTES_W = `CONGRUENT_BYTES_W,
  parameter int TIME_W = `CONGRUENT_TIME_W,
  parameter int TIME_INIT = `CONGRUENT_TIME_INIT,
  parameter int COUNT_W = `CONGRUENT_COUNT_W,
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
  localparam int W_CFG_MODE = 1;
  localparam int W_CFG_POOL_BYTES = 31;
  localparam int W_CFG_HEADROOM_BYTES = 28;
  localparam int W_CFG_BETA = 15;
  localparam int W_CFG_RESUME_OFFSET = 31;
  localparam int W_CFG_XOFF = 31;
  localparam int W_CFG_XON = 31;
  localparam int W_CFG_HALF = TIME_W;

  // stimulus.hex: inputs, and above them the gap.
  localparam int W_ENQ_VALID = 1;
  localparam int AT_ENQ_VALID = 0;
  localparam int W_ENQ_QUEUE = QUEUE_W;
  localparam int AT_ENQ_QUEUE = AT_ENQ_VALID + W_ENQ_VALID;
  localparam int W_ENQ_BYTES = BYTES_W;
  localparam int AT_ENQ_BYTES = AT_ENQ_QUEUE + W_ENQ_QUEUE;
  localparam int W_DEQ_VALID = 1;
  localparam int AT_DEQ_VALID = AT_ENQ_BYTES + W_ENQ_BYTES;
  localparam int W_DEQ_QUEUE = QUEUE_W;
  localparam int AT_DEQ_QUEUE = AT_DEQ_VALID + W_DEQ_VALID;
  localparam int W_DEQ_BYTES = BYTES_W;
  localparam int AT_DEQ_BYTES = AT_DEQ_QUEUE + W_DEQ_QUEUE;
  localparam int W_PEEK_VALID = 1;
  localparam int AT_PEEK_VALID = AT_DEQ_BYTES + W_DEQ_BYTES;
  localparam int W_PEEK_QUEUE = QUEUE_W;
  localparam int AT_PEEK_QUEUE = AT_PEEK_VALID + W_PEEK_VALID;
  localparam int STIMULUS_GAP = AT_PEEK_QUEUE + W_PEEK_QUEUE;
  localparam int STIMULUS_BITS = STIMULUS_GAP + GAP_BITS;

  // expected.hex: outputs, and above them the gap.
  localparam int W_ADMIT_VALID = 1;
  localparam int AT_ADMIT_VALID = 0;
  localparam int W_ADMIT_QUEUE = QUEUE_W;
  localparam int AT_ADMIT_QUEUE = AT_ADMIT_VALID + W_ADMIT_VALID;
  localparam int W_ADMIT_VERDICT = 2;
  localparam int AT_ADMIT_VERDICT = AT_ADMIT_QUEUE + W_ADMIT_QUEUE;
  localparam int W_ADMIT_ERROR = 3;
  localparam int AT_ADMIT_ERROR = AT_ADMIT_VERDICT + W_ADMIT_VERDICT;
  localparam int W_GONE_VALID = 1;
  localparam int AT_GONE_VALID = AT_ADMIT_ERROR + W_ADMIT_ERROR;
  localparam int W_GONE_QUEUE = QUEUE_W;
  localparam int AT_GONE_QUEUE = AT_GONE_VALID + W_GONE_VALID;
  localparam int W_GONE_ERROR = 3;
  localparam int AT_GONE_ERROR = AT_GONE_QUEUE + W_GONE_QUEUE;
  localparam int W_PAUSE_VALID = 1;
  localparam int AT_PAUSE_VALID = AT_GONE_ERROR + W_GONE_ERROR;
  localparam int W_PAUSE_QUEUE = QUEUE_W;
  localparam int AT_PAUSE_QUEUE = AT_PAUSE_VALID + W_PAUSE_VALID;
  localparam int W_PAUSE_XOFF = 1;
  localparam int AT_PAUSE_XOFF = AT_PAUSE_QUEUE + W_PAUSE_QUEUE;
  localparam int W_PAUSE_REFRESH = 1;
  localparam int AT_PAUSE_REFRESH = AT_PAUSE_XOFF + W_PAUSE_XOFF;
  localparam int W_PEEKED_VALID = 1;
  localparam int AT_PEEKED_VALID = AT_PAUSE_REFRESH + W_PAUSE_REFRESH;
  localparam int W_PEEKED_QUEUE = QUEUE_W;
  localparam int AT_PEEKED_QUEUE = AT_PEEKED_VALID + W_PEEKED_VALID;
  localparam int W_PEEKED_Q = 31;
  localparam int AT_PEEKED_Q = AT_PEEKED_QUEUE + W_PEEKED_QUEUE;
  localparam int W_PEEKED_H = 28;
  localparam int AT_PEEKED_H = AT_PEEKED_Q + W_PEEKED_Q;
  localparam int W_PEEKED_PAUSED = 1;
  localparam int AT_PEEKED_PAUSED = AT_PEEKED_H + W_PEEKED_H;
  localparam int W_PEEKED_OWED = 1;
  localparam int AT_PEEKED_OWED = AT_PEEKED_PAUSED + W_PEEKED_PAUSED;
  localparam int W_PEEKED_DEADLINE = TIME_W;
  localparam int AT_PEEKED_DEADLINE = AT_PEEKED_OWED + W_PEEKED_OWED;
  localparam int W_PEEKED_DROPS = COUNT_W;
  localparam int AT_PEEKED_DROPS = AT_PEEKED_DEADLINE + W_PEEKED_DEADLINE;
  localparam int W_PEEKED_PAUSES = COUNT_W;
  localparam int AT_PEEKED_PAUSES = AT_PEEKED_DROPS + W_PEEKED_DROPS;
  localparam int W_PEEKED_ERROR = 3;
  localparam int AT_PEEKED_ERROR = AT_PEEKED_PAUSES + W_PEEKED_PAUSES;
  localparam int W_PEEK_READY = 1;
  localparam int AT_PEEK_READY = AT_PEEKED_ERROR + W_PEEKED_ERROR;
  localparam int W_INIT_DONE = 1;
  localparam int AT_INIT_DONE = AT_PEEK_READY + W_PEEK_READY;
  localparam int W_POOL = 31;
  localparam int AT_POOL = AT_INIT_DONE + W_INIT_DONE;
  localparam int W_STAT_RANGE = 16;
  localparam int AT_STAT_RANGE = AT_POOL + W_POOL;
  localparam int W_STAT_UNDERFLOW = 16;
  localparam int AT_STAT_UNDERFLOW = AT_STAT_RANGE + W_STAT_RANGE;
  localparam int W_STAT_DROPS = 16;
  localparam int AT_STAT_DROPS = AT_STAT_UNDERFLOW + W_STAT_UNDERFLOW;
  localparam int W_STAT_OWED = 16;
  localparam int AT_STAT_OWED = AT_STAT_DROPS + W_STAT_DROPS;
  localparam int EXPECTED_GAP = AT_STAT_OWED + W_STAT_OWED;
  localparam int EXPECTED_BITS = EXPECTED_GAP + GAP_BITS;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic [W_CFG_MODE-1:0] cfg_mode;
  logic [W_CFG_POOL_BYTES-1:0] cfg_pool_bytes;
  logic [W_CFG_HEADROOM_BYTES-1:0] cfg_headroom_bytes;
  logic [W_CFG_BETA-1:0] cfg_beta;
  logic [W_CFG_RESUME_OFFSET-1:0] cfg_resume_offset;
  logic [W_CFG_XOFF-1:0] cfg_xoff;
  logic [W_CFG_XON-1:0] cfg_xon;
  logic [W_CFG_HALF-1:0] cfg_half;
  logic [W_ENQ_VALID-1:0] enq_valid;
  logic [W_ENQ_QUEUE-1:0] enq_queue;
  logic [W_ENQ_BYTES-1:0] enq_bytes;
  logic [W_DEQ_VALID-1:0] deq_valid;
  logic [W_DEQ_QUEUE-1:0] deq_queue;
  logic [W_DEQ_BYTES-1:0] deq_bytes;
  logic [W_PEEK_VALID-1:0] peek_valid;
  logic [W_PEEK_QUEUE-1:0] peek_queue;
  logic [W_ADMIT_VALID-1:0] admit_valid;
  logic [W_ADMIT_QUEUE-1:0] admit_queue;
  logic [W_ADMIT_VERDICT-1:0] admit_verdict;
  logic [W_ADMIT_ERROR-1:0] admit_error;
  logic [W_GONE_VALID-1:0] gone_valid;
  logic [W_GONE_QUEUE-1:0] gone_queue;
  logic [W_GONE_ERROR-1:0] gone_error;
  logic [W_PAUSE_VALID-1:0] pause_valid;
  logic [W_PAUSE_QUEUE-1:0] pause_queue;
  logic [W_PAUSE_XOFF-1:0] pause_xoff;
  logic [W_PAUSE_REFRESH-1:0] pause_refresh;
  logic [W_PEEKED_VALID-1:0] peeked_valid;
  logic [W_PEEKED_QUEUE-1:0] peeked_queue;
  logic [W_PEEKED_Q-1:0] peeked_q;
  logic [W_PEEKED_H-1:0] peeked_h;
  logic [W_PEEKED_PAUSED-1:0] peeked_paused;
  logic [W_PEEKED_OWED-1:0] peeked_owed;
  logic [W_PEEKED_DEADLINE-1:0] peeked_deadline;
  logic [W_PEEKED_DROPS-1:0] peeked_drops;
  logic [W_PEEKED_PAUSES-1:0] peeked_pauses;
  logic [W_PEEKED_ERROR-1:0] peeked_error;
  logic [W_PEEK_READY-1:0] peek_ready;
  logic [W_INIT_DONE-1:0] init_done;
  logic [W_POOL-1:0] pool;
  logic [W_STAT_RANGE-1:0] stat_range;
  logic [W_STAT_UNDERFLOW-1:0] stat_underflow;
  logic [W_STAT_DROPS-1:0] stat_drops;
  logic [W_STAT_OWED-1:0] stat_owed;

`ifdef CONGRUENT_NETLIST
  `CONGRUENT_DUT dut (
`else
  `CONGRUENT_DUT #(
    .QUEUES (QUEUES),
    .QUEUE_W (QUEUE_W),
    .BYTES_W (BYTES_W),
    .TIME_W (TIME_W),
    .TIME_INIT (TIME_INIT),
    .COUNT_W (COUNT_W)
  ) dut (
`endif
    .clk (clk),
    .rst_n (rst_n),
    .cfg_mode (cfg_mode),
    .cfg_pool_bytes (cfg_pool_bytes),
    .cfg_headroom_bytes (cfg_headroom_bytes),
    .cfg_beta (cfg_beta),
    .cfg_resume_offset (cfg_resume_offset),
    .cfg_xoff (cfg_xoff),
    .cfg_xon (cfg_xon),
    .cfg_half (cfg_half),
    .enq_valid (enq_valid),
    .enq_queue (enq_queue),
    .enq_bytes (enq_bytes),
    .deq_valid (deq_valid),
    .deq_queue (deq_queue),
    .deq_bytes (deq_bytes),
    .peek_valid (peek_valid),
    .peek_queue (peek_queue),
    .admit_valid (admit_valid),
    .admit_queue (admit_queue),
    .admit_verdict (admit_verdict),
    .admit_error (admit_error),
    .gone_valid (gone_valid),
    .gone_queue (gone_queue),
    .gone_error (gone_error),
    .pause_valid (pause_valid),
    .pause_queue (pause_queue),
    .pause_xoff (pause_xoff),
    .pause_refresh (pause_refresh),
    .peeked_valid (peeked_valid),
    .peeked_queue (peeked_queue),
    .peeked_q (peeked_q),
    .peeked_h (peeked_h),
    .peeked_paused (peeked_paused),
    .peeked_owed (peeked_owed),
    .peeked_deadline (peeked_deadline),
    .peeked_drops (peeked_drops),
    .peeked_pauses (peeked_pauses),
    .peeked_error (peeked_error),
    .peek_ready (peek_ready),
    .init_done (init_done),
    .pool (pool),
    .stat_range (stat_range),
    .stat_underflow (stat_underflow),
    .stat_drops (stat_drops),
    .stat_owed (stat_owed)
  );

  always #5 clk = !clk;

  // --------------------------------------------------------------------------------------------
  // Files. A word of stimulus and expected stands for one cycle; its gap counts the cycles without
  // a word before it. run.hex says how many words there are, and the values of the cfg_ pins.
  // --------------------------------------------------------------------------------------------

  localparam int FORMAT_VERSION = 2;
  localparam logic [255:0] NAME = "pfc_threshold";
  localparam int FIRST_PARAM = 10;
  localparam int FIRST_CFG = FIRST_PARAM + 6;
  localparam int RUN_WORDS = FIRST_CFG + 8;

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
      $display("error: %0s is of another block than pfc_threshold", folder);
      failed = 1'b1;
    end
    check_run("QUEUES", FIRST_PARAM + 0, QUEUES);
    check_run("QUEUE_W", FIRST_PARAM + 1, QUEUE_W);
    check_run("BYTES_W", FIRST_PARAM + 2, BYTES_W);
    check_run("TIME_W", FIRST_PARAM + 3, TIME_W);
    check_run("TIME_INIT", FIRST_PARAM + 4, TIME_INIT);
    check_run("COUNT_W", FIRST_PARAM + 5, COUNT_W);
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
    cfg_mode = run[FIRST_CFG + 0][W_CFG_MODE-1:0];
    cfg_pool_bytes = run[FIRST_CFG + 1][W_CFG_POOL_BYTES-1:0];
    cfg_headroom_bytes = run[FIRST_CFG + 2][W_CFG_HEADROOM_BYTES-1:0];
    cfg_beta = run[FIRST_CFG + 3][W_CFG_BETA-1:0];
    cfg_resume_offset = run[FIRST_CFG + 4][W_CFG_RESUME_OFFSET-1:0];
    cfg_xoff = run[FIRST_CFG + 5][W_CFG_XOFF-1:0];
    cfg_xon = run[FIRST_CFG + 6][W_CFG_XON-1:0];
    cfg_half = run[FIRST_CFG + 7][W_CFG_HALF-1:0];
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
      in_word[AT_ENQ_VALID] = 1'b0;
      in_word[AT_DEQ_VALID] = 1'b0;
      in_word[AT_PEEK_VALID] = 1'b0;
    end
    if (out_at < expected_words && cycle == out_next) begin
      out_word = expected[out_at];
      out_at = out_at + 1;
      if (out_at < expected_words) out_next = cycle + 1 + out_gap(out_at);
    end else begin
      out_word[AT_ADMIT_VALID] = 1'b0;
      out_word[AT_GONE_VALID] = 1'b0;
      out_word[AT_PAUSE_VALID] = 1'b0;
      out_word[AT_PEEKED_VALID] = 1'b0;
    end
  endtask

  // --------------------------------------------------------------------------------------------
  // Pins.
  // --------------------------------------------------------------------------------------------

  // The payload of a channel whose valid is 0 is X: the block must not look at it.
  task drive;
    enq_valid = in_word[AT_ENQ_VALID +: W_ENQ_VALID];
    enq_queue = enq_valid ? in_word[AT_ENQ_QUEUE +: W_ENQ_QUEUE] : 'x;
    enq_bytes = enq_valid ? in_word[AT_ENQ_BYTES +: W_ENQ_BYTES] : 'x;
    deq_valid = in_word[AT_DEQ_VALID +: W_DEQ_VALID];
    deq_queue = deq_valid ? in_word[AT_DEQ_QUEUE +: W_DEQ_QUEUE] : 'x;
    deq_bytes = deq_valid ? in_word[AT_DEQ_BYTES +: W_DEQ_BYTES] : 'x;
    peek_valid = in_word[AT_PEEK_VALID +: W_PEEK_VALID];
    peek_queue = peek_valid ? in_word[AT_PEEK_QUEUE +: W_PEEK_QUEUE] : 'x;
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
    if (admit_valid !== '0) differs("admit_valid", 64'd0, 64'(admit_valid));
    if (gone_valid !== '0) differs("gone_valid", 64'd0, 64'(gone_valid));
    if (pause_valid !== '0) differs("pause_valid", 64'd0, 64'(pause_valid));
    if (peeked_valid !== '0) differs("peeked_valid", 64'd0, 64'(peeked_valid));
    if (peek_ready !== '0) differs("peek_ready", 64'd0, 64'(peek_ready));
    if (^init_done === 1'bx) unknown("init_done");
    if (^pool === 1'bx) unknown("pool");
    if (^stat_range === 1'bx) unknown("stat_range");
    if (^stat_underflow === 1'bx) unknown("stat_underflow");
    if (^stat_drops === 1'bx) unknown("stat_drops");
    if (^stat_owed === 1'bx) unknown("stat_owed");
  endtask

  // What counts: valids, readies and levels; the fields of a valid beat; of these, beside an error,
  // only the error, the context and the key.
  task compare;
    if (admit_valid !== out_word[AT_ADMIT_VALID +: W_ADMIT_VALID])
      differs("admit_valid", 64'(out_word[AT_ADMIT_VALID +: W_ADMIT_VALID]),
              64'(admit_valid));
    if (out_word[AT_ADMIT_VALID]) begin
      if (admit_queue !== out_word[AT_ADMIT_QUEUE +: W_ADMIT_QUEUE])
        differs("admit_queue", 64'(out_word[AT_ADMIT_QUEUE +: W_ADMIT_QUEUE]),
                64'(admit_queue));
      if (out_word[AT_ADMIT_ERROR +: W_ADMIT_ERROR] == '0) begin
        if (admit_verdict !== out_word[AT_ADMIT_VERDICT +: W_ADMIT_VERDICT])
          differs("admit_verdict", 64'(out_word[AT_ADMIT_VERDICT +: W_ADMIT_VERDICT]),
                  64'(admit_verdict));
      end
      if (admit_error !== out_word[AT_ADMIT_ERROR +: W_ADMIT_ERROR])
        differs("admit_error", 64'(out_word[AT_ADMIT_ERROR +: W_ADMIT_ERROR]),
                64'(admit_error));
    end
    if (gone_valid !== out_word[AT_GONE_VALID +: W_GONE_VALID])
      differs("gone_valid", 64'(out_word[AT_GONE_VALID +: W_GONE_VALID]),
              64'(gone_valid));
    if (out_word[AT_GONE_VALID]) begin
      if (gone_queue !== out_word[AT_GONE_QUEUE +: W_GONE_QUEUE])
        differs("gone_queue", 64'(out_word[AT_GONE_QUEUE +: W_GONE_QUEUE]),
                64'(gone_queue));
      if (gone_error !== out_word[AT_GONE_ERROR +: W_GONE_ERROR])
        differs("gone_error", 64'(out_word[AT_GONE_ERROR +: W_GONE_ERROR]),
                64'(gone_error));
    end
    if (pause_valid !== out_word[AT_PAUSE_VALID +: W_PAUSE_VALID])
      differs("pause_valid", 64'(out_word[AT_PAUSE_VALID +: W_PAUSE_VALID]),
              64'(pause_valid));
    if (out_word[AT_PAUSE_VALID]) begin
      if (pause_queue !== out_word[AT_PAUSE_QUEUE +: W_PAUSE_QUEUE])
        differs("pause_queue", 64'(out_word[AT_PAUSE_QUEUE +: W_PAUSE_QUEUE]),
                64'(pause_queue));
      if (pause_xoff !== out_word[AT_PAUSE_XOFF +: W_PAUSE_XOFF])
        differs("pause_xoff", 64'(out_word[AT_PAUSE_XOFF +: W_PAUSE_XOFF]),
                64'(pause_xoff));
      if (pause_refresh !== out_word[AT_PAUSE_REFRESH +: W_PAUSE_REFRESH])
        differs("pause_refresh", 64'(out_word[AT_PAUSE_REFRESH +: W_PAUSE_REFRESH]),
                64'(pause_refresh));
    end
    if (peeked_valid !== out_word[AT_PEEKED_VALID +: W_PEEKED_VALID])
      differs("peeked_valid", 64'(out_word[AT_PEEKED_VALID +: W_PEEKED_VALID]),
              64'(peeked_valid));
    if (out_word[AT_PEEKED_VALID]) begin
      if (peeked_queue !== out_word[AT_PEEKED_QUEUE +: W_PEEKED_QUEUE])
        differs("peeked_queue", 64'(out_word[AT_PEEKED_QUEUE +: W_PEEKED_QUEUE]),
                64'(peeked_queue));
      if (out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR] == '0) begin
        if (peeked_q !== out_word[AT_PEEKED_Q +: W_PEEKED_Q])
          differs("peeked_q", 64'(out_word[AT_PEEKED_Q +: W_PEEKED_Q]),
                  64'(peeked_q));
        if (peeked_h !== out_word[AT_PEEKED_H +: W_PEEKED_H])
          differs("peeked_h", 64'(out_word[AT_PEEKED_H +: W_PEEKED_H]),
                  64'(peeked_h));
        if (peeked_paused !== out_word[AT_PEEKED_PAUSED +: W_PEEKED_PAUSED])
          differs("peeked_paused", 64'(out_word[AT_PEEKED_PAUSED +: W_PEEKED_PAUSED]),
                  64'(peeked_paused));
        if (peeked_owed !== out_word[AT_PEEKED_OWED +: W_PEEKED_OWED])
          differs("peeked_owed", 64'(out_word[AT_PEEKED_OWED +: W_PEEKED_OWED]),
                  64'(peeked_owed));
        if (peeked_deadline !== out_word[AT_PEEKED_DEADLINE +: W_PEEKED_DEADLINE])
          differs("peeked_deadline", 64'(out_word[AT_PEEKED_DEADLINE +: W_PEEKED_DEADLINE]),
                  64'(peeked_deadline));
        if (peeked_drops !== out_word[AT_PEEKED_DROPS +: W_PEEKED_DROPS])
          differs("peeked_drops", 64'(out_word[AT_PEEKED_DROPS +: W_PEEKED_DROPS]),
                  64'(peeked_drops));
        if (peeked_pauses !== out_word[AT_PEEKED_PAUSES +: W_PEEKED_PAUSES])
          differs("peeked_pauses", 64'(out_word[AT_PEEKED_PAUSES +: W_PEEKED_PAUSES]),
                  64'(peeked_pauses));
      end
      if (peeked_error !== out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR])
        differs("peeked_error", 64'(out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR]),
                64'(peeked_error));
    end
    if (peek_ready !== out_word[AT_PEEK_READY +: W_PEEK_READY])
      differs("peek_ready", 64'(out_word[AT_PEEK_READY +: W_PEEK_READY]),
              64'(peek_ready));
    if (init_done !== out_word[AT_INIT_DONE +: W_INIT_DONE])
      differs("init_done", 64'(out_word[AT_INIT_DONE +: W_INIT_DONE]),
              64'(init_done));
    if (pool !== out_word[AT_POOL +: W_POOL])
      differs("pool", 64'(out_word[AT_POOL +: W_POOL]),
              64'(pool));
    if (stat_range !== out_word[AT_STAT_RANGE +: W_STAT_RANGE])
      differs("stat_range", 64'(out_word[AT_STAT_RANGE +: W_STAT_RANGE]),
              64'(stat_range));
    if (stat_underflow !== out_word[AT_STAT_UNDERFLOW +: W_STAT_UNDERFLOW])
      differs("stat_underflow", 64'(out_word[AT_STAT_UNDERFLOW +: W_STAT_UNDERFLOW]),
              64'(stat_underflow));
    if (stat_drops !== out_word[AT_STAT_DROPS +: W_STAT_DROPS])
      differs("stat_drops", 64'(out_word[AT_STAT_DROPS +: W_STAT_DROPS]),
              64'(stat_drops));
    if (stat_owed !== out_word[AT_STAT_OWED +: W_STAT_OWED])
      differs("stat_owed", 64'(out_word[AT_STAT_OWED +: W_STAT_OWED]),
              64'(stat_owed));
  endtask

  // --------------------------------------------------------------------------------------------
  // The run. Inputs change on the falling edge; outputs are read just before the rising edge that
  // ends the cycle.
  // --------------------------------------------------------------------------------------------

  initial begin
`ifdef CONGRUENT_DUMP
    $dumpfile("pfc_threshold_tb.vcd");
    $dumpvars(0, pfc_threshold_tb);
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
      $display("FAIL pfc_threshold %0s", folder);
      $fatal(0, "FAIL");
    end
    $display("PASS pfc_threshold %0s, %0d cycles", folder, cycles);
    $finish(0);
  end

endmodule
