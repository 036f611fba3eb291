// Replay testbench of ecn_marker: plays a folder of vector files into it and compares every
// output of every cycle with !==, so that an X is a mismatch. Prints the first mismatch, and PASS or
// FAIL at the end; $finish after PASS, $fatal after FAIL. testbenches/README.md says how to run it.
//
// Written by `congruent testbench generate` from the block's port table: do not edit it.
//
// Plusarg: +folder=DIR. Macros: CONGRUENT_<PARAMETER>, as in a folder's params.f; CONGRUENT_DUT,
// the name of another module; CONGRUENT_NETLIST, where the module has no parameters;
// CONGRUENT_DUMP, for a waveform in ecn_marker_tb.vcd.

`ifndef CONGRUENT_QUEUES
  `define CONGRUENT_QUEUES 64
`endif
`ifndef CONGRUENT_QUEUE_W
  `define CONGRUENT_QUEUE_W 10
`endif
`ifndef CONGRUENT_OCC_W
  `define CONGRUENT_OCC_W 28
`endif
`ifndef CONGRUENT_AVG_FRAC
  `define CONGRUENT_AVG_FRAC 24
`endif
`ifndef CONGRUENT_WEIGHT_FRAC
  `define CONGRUENT_WEIGHT_FRAC 17
`endif
`ifndef CONGRUENT_COUNT_W
  `define CONGRUENT_COUNT_W 32
`endif
`ifndef CONGRUENT_DUT
  `define CONGRUENT_DUT ecn_marker
`endif

module ecn_marker_tb #(
  parameter int QUEUES = `CONGRUENT_QUEUES,
  parameter int QUEUE_W = `CONGRUENT_QUEUE_W,
  parameter int OCC_W = `CONGRUENT_OCC_W,
  parameter int AVG_FRAC = `CONGRUENT_AVG_FRAC,
  parameter int WEIGHT_FRAC = `CONGRUENT_WEIGHT_FRAC,
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
  localparam int W_CFG_ENABLE_ECN = 1;
  localparam int W_CFG_POLICY = 1;
  localparam int W_CFG_WEIGHT = WEIGHT_FRAC + 1;
  localparam int W_CFG_WEIGHT_SHIFT = 5;
  localparam int W_CFG_LOWER = OCC_W + 1;
  localparam int W_CFG_UPPER = OCC_W + 1;
  localparam int W_CFG_BAND_SHIFT = 5;
  localparam int W_CFG_SLOPE = 24;
  localparam int W_CFG_RANDOM_MODE = 1;
  localparam int W_CFG_LFSR_SEED = 32;
  localparam int W_CFG_CONGESTED_FROM = OCC_W + 1;
  localparam int W_CFG_CONGESTED_BELOW = OCC_W + 1;
  localparam int W_CFG_PACKET_SIZE = 14;
  localparam int W_CFG_MARKING_RATE = 16;
  localparam int W_CFG_VICTIM_MARKING = 1;

  // stimulus.hex: inputs, and above them the gap.
  localparam int W_ENQ_VALID = 1;
  localparam int AT_ENQ_VALID = 0;
  localparam int W_ENQ_QUEUE = QUEUE_W;
  localparam int AT_ENQ_QUEUE = AT_ENQ_VALID + W_ENQ_VALID;
  localparam int W_ENQ_BYTES = 14;
  localparam int AT_ENQ_BYTES = AT_ENQ_QUEUE + W_ENQ_QUEUE;
  localparam int W_DEQ_VALID = 1;
  localparam int AT_DEQ_VALID = AT_ENQ_BYTES + W_ENQ_BYTES;
  localparam int W_DEQ_QUEUE = QUEUE_W;
  localparam int AT_DEQ_QUEUE = AT_DEQ_VALID + W_DEQ_VALID;
  localparam int W_DEQ_BYTES = 14;
  localparam int AT_DEQ_BYTES = AT_DEQ_QUEUE + W_DEQ_QUEUE;
  localparam int W_DEQ_ECN = 2;
  localparam int AT_DEQ_ECN = AT_DEQ_BYTES + W_DEQ_BYTES;
  localparam int W_DEQ_HAS_CREDITS = 1;
  localparam int AT_DEQ_HAS_CREDITS = AT_DEQ_ECN + W_DEQ_ECN;
  localparam int W_PEEK_VALID = 1;
  localparam int AT_PEEK_VALID = AT_DEQ_HAS_CREDITS + W_DEQ_HAS_CREDITS;
  localparam int W_PEEK_QUEUE = QUEUE_W;
  localparam int AT_PEEK_QUEUE = AT_PEEK_VALID + W_PEEK_VALID;
  localparam int STIMULUS_GAP = AT_PEEK_QUEUE + W_PEEK_QUEUE;
  localparam int STIMULUS_BITS = STIMULUS_GAP + GAP_BITS;

  // expected.hex: outputs, and above them the gap.
  localparam int W_MARK_VALID = 1;
  localparam int AT_MARK_VALID = 0;
  localparam int W_MARK_QUEUE = QUEUE_W;
  localparam int AT_MARK_QUEUE = AT_MARK_VALID + W_MARK_VALID;
  localparam int W_MARK_ECN = 2;
  localparam int AT_MARK_ECN = AT_MARK_QUEUE + W_MARK_QUEUE;
  localparam int W_MARK_MARKED = 1;
  localparam int AT_MARK_MARKED = AT_MARK_ECN + W_MARK_ECN;
  localparam int W_MARK_ERROR = 3;
  localparam int AT_MARK_ERROR = AT_MARK_MARKED + W_MARK_MARKED;
  localparam int W_AVG_VALID = 1;
  localparam int AT_AVG_VALID = AT_MARK_ERROR + W_MARK_ERROR;
  localparam int W_AVG_QUEUE = QUEUE_W;
  localparam int AT_AVG_QUEUE = AT_AVG_VALID + W_AVG_VALID;
  localparam int W_AVG_OCCUPANCY = OCC_W;
  localparam int AT_AVG_OCCUPANCY = AT_AVG_QUEUE + W_AVG_QUEUE;
  localparam int W_AVG_AVERAGE = OCC_W + 24;
  localparam int AT_AVG_AVERAGE = AT_AVG_OCCUPANCY + W_AVG_OCCUPANCY;
  localparam int W_AVG_ERROR = 3;
  localparam int AT_AVG_ERROR = AT_AVG_AVERAGE + W_AVG_AVERAGE;
  localparam int W_PEEKED_VALID = 1;
  localparam int AT_PEEKED_VALID = AT_AVG_ERROR + W_AVG_ERROR;
  localparam int W_PEEKED_QUEUE = QUEUE_W;
  localparam int AT_PEEKED_QUEUE = AT_PEEKED_VALID + W_PEEKED_VALID;
  localparam int W_PEEKED_OCCUPANCY = OCC_W;
  localparam int AT_PEEKED_OCCUPANCY = AT_PEEKED_QUEUE + W_PEEKED_QUEUE;
  localparam int W_PEEKED_AVERAGE = OCC_W + 24;
  localparam int AT_PEEKED_AVERAGE = AT_PEEKED_OCCUPANCY + W_PEEKED_OCCUPANCY;
  localparam int W_PEEKED_CONGESTED = 1;
  localparam int AT_PEEKED_CONGESTED = AT_PEEKED_AVERAGE + W_PEEKED_AVERAGE;
  localparam int W_PEEKED_SKIP = 16;
  localparam int AT_PEEKED_SKIP = AT_PEEKED_CONGESTED + W_PEEKED_CONGESTED;
  localparam int W_PEEKED_ACC = 24;
  localparam int AT_PEEKED_ACC = AT_PEEKED_SKIP + W_PEEKED_SKIP;
  localparam int W_PEEKED_MARKED = COUNT_W;
  localparam int AT_PEEKED_MARKED = AT_PEEKED_ACC + W_PEEKED_ACC;
  localparam int W_PEEKED_ELIGIBLE = COUNT_W;
  localparam int AT_PEEKED_ELIGIBLE = AT_PEEKED_MARKED + W_PEEKED_MARKED;
  localparam int W_PEEKED_LFSR = 32;
  localparam int AT_PEEKED_LFSR = AT_PEEKED_ELIGIBLE + W_PEEKED_ELIGIBLE;
  localparam int W_PEEKED_ERROR = 3;
  localparam int AT_PEEKED_ERROR = AT_PEEKED_LFSR + W_PEEKED_LFSR;
  localparam int W_PEEK_READY = 1;
  localparam int AT_PEEK_READY = AT_PEEKED_ERROR + W_PEEKED_ERROR;
  localparam int W_INIT_DONE = 1;
  localparam int AT_INIT_DONE = AT_PEEK_READY + W_PEEK_READY;
  localparam int W_STAT_RANGE = 16;
  localparam int AT_STAT_RANGE = AT_INIT_DONE + W_INIT_DONE;
  localparam int W_STAT_UNDERFLOW = 16;
  localparam int AT_STAT_UNDERFLOW = AT_STAT_RANGE + W_STAT_RANGE;
  localparam int EXPECTED_GAP = AT_STAT_UNDERFLOW + W_STAT_UNDERFLOW;
  localparam int EXPECTED_BITS = EXPECTED_GAP + GAP_BITS;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic [W_CFG_ENABLE_ECN-1:0] cfg_enable_ecn;
  logic [W_CFG_POLICY-1:0] cfg_policy;
  logic [W_CFG_WEIGHT-1:0] cfg_weight;
  logic [W_CFG_WEIGHT_SHIFT-1:0] cfg_weight_shift;
  logic [W_CFG_LOWER-1:0] cfg_lower;
  logic [W_CFG_UPPER-1:0] cfg_upper;
  logic [W_CFG_BAND_SHIFT-1:0] cfg_band_shift;
  logic [W_CFG_SLOPE-1:0] cfg_slope;
  logic [W_CFG_RANDOM_MODE-1:0] cfg_random_mode;
  logic [W_CFG_LFSR_SEED-1:0] cfg_lfsr_seed;
  logic [W_CFG_CONGESTED_FROM-1:0] cfg_congested_from;
  logic [W_CFG_CONGESTED_BELOW-1:0] cfg_congested_below;
  logic [W_CFG_PACKET_SIZE-1:0] cfg_packet_size;
  logic [W_CFG_MARKING_RATE-1:0] cfg_marking_rate;
  logic [W_CFG_VICTIM_MARKING-1:0] cfg_victim_marking;
  logic [W_ENQ_VALID-1:0] enq_valid;
  logic [W_ENQ_QUEUE-1:0] enq_queue;
  logic [W_ENQ_BYTES-1:0] enq_bytes;
  logic [W_DEQ_VALID-1:0] deq_valid;
  logic [W_DEQ_QUEUE-1:0] deq_queue;
  logic [W_DEQ_BYTES-1:0] deq_bytes;
  logic [W_DEQ_ECN-1:0] deq_ecn;
  logic [W_DEQ_HAS_CREDITS-1:0] deq_has_credits;
  logic [W_PEEK_VALID-1:0] peek_valid;
  logic [W_PEEK_QUEUE-1:0] peek_queue;
  logic [W_MARK_VALID-1:0] mark_valid;
  logic [W_MARK_QUEUE-1:0] mark_queue;
  logic [W_MARK_ECN-1:0] mark_ecn;
  logic [W_MARK_MARKED-1:0] mark_marked;
  logic [W_MARK_ERROR-1:0] mark_error;
  logic [W_AVG_VALID-1:0] avg_valid;
  logic [W_AVG_QUEUE-1:0] avg_queue;
  logic [W_AVG_OCCUPANCY-1:0] avg_occupancy;
  logic [W_AVG_AVERAGE-1:0] avg_average;
  logic [W_AVG_ERROR-1:0] avg_error;
  logic [W_PEEKED_VALID-1:0] peeked_valid;
  logic [W_PEEKED_QUEUE-1:0] peeked_queue;
  logic [W_PEEKED_OCCUPANCY-1:0] peeked_occupancy;
  logic [W_PEEKED_AVERAGE-1:0] peeked_average;
  logic [W_PEEKED_CONGESTED-1:0] peeked_congested;
  logic [W_PEEKED_SKIP-1:0] peeked_skip;
  logic [W_PEEKED_ACC-1:0] peeked_acc;
  logic [W_PEEKED_MARKED-1:0] peeked_marked;
  logic [W_PEEKED_ELIGIBLE-1:0] peeked_eligible;
  logic [W_PEEKED_LFSR-1:0] peeked_lfsr;
  logic [W_PEEKED_ERROR-1:0] peeked_error;
  logic [W_PEEK_READY-1:0] peek_ready;
  logic [W_INIT_DONE-1:0] init_done;
  logic [W_STAT_RANGE-1:0] stat_range;
  logic [W_STAT_UNDERFLOW-1:0] stat_underflow;

`ifdef CONGRUENT_NETLIST
  `CONGRUENT_DUT dut (
`else
  `CONGRUENT_DUT #(
    .QUEUES (QUEUES),
    .QUEUE_W (QUEUE_W),
    .OCC_W (OCC_W),
    .AVG_FRAC (AVG_FRAC),
    .WEIGHT_FRAC (WEIGHT_FRAC),
    .COUNT_W (COUNT_W)
  ) dut (
`endif
    .clk (clk),
    .rst_n (rst_n),
    .cfg_enable_ecn (cfg_enable_ecn),
    .cfg_policy (cfg_policy),
    .cfg_weight (cfg_weight),
    .cfg_weight_shift (cfg_weight_shift),
    .cfg_lower (cfg_lower),
    .cfg_upper (cfg_upper),
    .cfg_band_shift (cfg_band_shift),
    .cfg_slope (cfg_slope),
    .cfg_random_mode (cfg_random_mode),
    .cfg_lfsr_seed (cfg_lfsr_seed),
    .cfg_congested_from (cfg_congested_from),
    .cfg_congested_below (cfg_congested_below),
    .cfg_packet_size (cfg_packet_size),
    .cfg_marking_rate (cfg_marking_rate),
    .cfg_victim_marking (cfg_victim_marking),
    .enq_valid (enq_valid),
    .enq_queue (enq_queue),
    .enq_bytes (enq_bytes),
    .deq_valid (deq_valid),
    .deq_queue (deq_queue),
    .deq_bytes (deq_bytes),
    .deq_ecn (deq_ecn),
    .deq_has_credits (deq_has_credits),
    .peek_valid (peek_valid),
    .peek_queue (peek_queue),
    .mark_valid (mark_valid),
    .mark_queue (mark_queue),
    .mark_ecn (mark_ecn),
    .mark_marked (mark_marked),
    .mark_error (mark_error),
    .avg_valid (avg_valid),
    .avg_queue (avg_queue),
    .avg_occupancy (avg_occupancy),
    .avg_average (avg_average),
    .avg_error (avg_error),
    .peeked_valid (peeked_valid),
    .peeked_queue (peeked_queue),
    .peeked_occupancy (peeked_occupancy),
    .peeked_average (peeked_average),
    .peeked_congested (peeked_congested),
    .peeked_skip (peeked_skip),
    .peeked_acc (peeked_acc),
    .peeked_marked (peeked_marked),
    .peeked_eligible (peeked_eligible),
    .peeked_lfsr (peeked_lfsr),
    .peeked_error (peeked_error),
    .peek_ready (peek_ready),
    .init_done (init_done),
    .stat_range (stat_range),
    .stat_underflow (stat_underflow)
  );

  always #5 clk = !clk;

  // --------------------------------------------------------------------------------------------
  // Files. A word of stimulus and expected stands for one cycle; its gap counts the cycles without
  // a word before it. run.hex says how many words there are, and the values of the cfg_ pins.
  // --------------------------------------------------------------------------------------------

  localparam int FORMAT_VERSION = 2;
  localparam logic [255:0] NAME = "ecn_marker";
  localparam int FIRST_PARAM = 10;
  localparam int FIRST_CFG = FIRST_PARAM + 6;
  localparam int RUN_WORDS = FIRST_CFG + 15;

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
      $display("error: %0s is of another block than ecn_marker", folder);
      failed = 1'b1;
    end
    check_run("QUEUES", FIRST_PARAM + 0, QUEUES);
    check_run("QUEUE_W", FIRST_PARAM + 1, QUEUE_W);
    check_run("OCC_W", FIRST_PARAM + 2, OCC_W);
    check_run("AVG_FRAC", FIRST_PARAM + 3, AVG_FRAC);
    check_run("WEIGHT_FRAC", FIRST_PARAM + 4, WEIGHT_FRAC);
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
    cfg_enable_ecn = run[FIRST_CFG + 0][W_CFG_ENABLE_ECN-1:0];
    cfg_policy = run[FIRST_CFG + 1][W_CFG_POLICY-1:0];
    cfg_weight = run[FIRST_CFG + 2][W_CFG_WEIGHT-1:0];
    cfg_weight_shift = run[FIRST_CFG + 3][W_CFG_WEIGHT_SHIFT-1:0];
    cfg_lower = run[FIRST_CFG + 4][W_CFG_LOWER-1:0];
    cfg_upper = run[FIRST_CFG + 5][W_CFG_UPPER-1:0];
    cfg_band_shift = run[FIRST_CFG + 6][W_CFG_BAND_SHIFT-1:0];
    cfg_slope = run[FIRST_CFG + 7][W_CFG_SLOPE-1:0];
    cfg_random_mode = run[FIRST_CFG + 8][W_CFG_RANDOM_MODE-1:0];
    cfg_lfsr_seed = run[FIRST_CFG + 9][W_CFG_LFSR_SEED-1:0];
    cfg_congested_from = run[FIRST_CFG + 10][W_CFG_CONGESTED_FROM-1:0];
    cfg_congested_below = run[FIRST_CFG + 11][W_CFG_CONGESTED_BELOW-1:0];
    cfg_packet_size = run[FIRST_CFG + 12][W_CFG_PACKET_SIZE-1:0];
    cfg_marking_rate = run[FIRST_CFG + 13][W_CFG_MARKING_RATE-1:0];
    cfg_victim_marking = run[FIRST_CFG + 14][W_CFG_VICTIM_MARKING-1:0];
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
      out_word[AT_MARK_VALID] = 1'b0;
      out_word[AT_AVG_VALID] = 1'b0;
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
    deq_ecn = deq_valid ? in_word[AT_DEQ_ECN +: W_DEQ_ECN] : 'x;
    deq_has_credits = deq_valid ? in_word[AT_DEQ_HAS_CREDITS +: W_DEQ_HAS_CREDITS] : 'x;
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
    if (mark_valid !== '0) differs("mark_valid", 64'd0, 64'(mark_valid));
    if (avg_valid !== '0) differs("avg_valid", 64'd0, 64'(avg_valid));
    if (peeked_valid !== '0) differs("peeked_valid", 64'd0, 64'(peeked_valid));
    if (peek_ready !== '0) differs("peek_ready", 64'd0, 64'(peek_ready));
    if (^init_done === 1'bx) unknown("init_done");
    if (^stat_range === 1'bx) unknown("stat_range");
    if (^stat_underflow === 1'bx) unknown("stat_underflow");
  endtask

  // What counts: valids, readies and levels; the fields of a valid beat; of these, beside an error,
  // only the error, the context and the key.
  task compare;
    if (mark_valid !== out_word[AT_MARK_VALID +: W_MARK_VALID])
      differs("mark_valid", 64'(out_word[AT_MARK_VALID +: W_MARK_VALID]),
              64'(mark_valid));
    if (out_word[AT_MARK_VALID]) begin
      if (mark_queue !== out_word[AT_MARK_QUEUE +: W_MARK_QUEUE])
        differs("mark_queue", 64'(out_word[AT_MARK_QUEUE +: W_MARK_QUEUE]),
                64'(mark_queue));
      if (out_word[AT_MARK_ERROR +: W_MARK_ERROR] == '0) begin
        if (mark_ecn !== out_word[AT_MARK_ECN +: W_MARK_ECN])
          differs("mark_ecn", 64'(out_word[AT_MARK_ECN +: W_MARK_ECN]),
                  64'(mark_ecn));
        if (mark_marked !== out_word[AT_MARK_MARKED +: W_MARK_MARKED])
          differs("mark_marked", 64'(out_word[AT_MARK_MARKED +: W_MARK_MARKED]),
                  64'(mark_marked));
      end
      if (mark_error !== out_word[AT_MARK_ERROR +: W_MARK_ERROR])
        differs("mark_error", 64'(out_word[AT_MARK_ERROR +: W_MARK_ERROR]),
                64'(mark_error));
    end
    if (avg_valid !== out_word[AT_AVG_VALID +: W_AVG_VALID])
      differs("avg_valid", 64'(out_word[AT_AVG_VALID +: W_AVG_VALID]),
              64'(avg_valid));
    if (out_word[AT_AVG_VALID]) begin
      if (avg_queue !== out_word[AT_AVG_QUEUE +: W_AVG_QUEUE])
        differs("avg_queue", 64'(out_word[AT_AVG_QUEUE +: W_AVG_QUEUE]),
                64'(avg_queue));
      if (out_word[AT_AVG_ERROR +: W_AVG_ERROR] == '0) begin
        if (avg_occupancy !== out_word[AT_AVG_OCCUPANCY +: W_AVG_OCCUPANCY])
          differs("avg_occupancy", 64'(out_word[AT_AVG_OCCUPANCY +: W_AVG_OCCUPANCY]),
                  64'(avg_occupancy));
        if (avg_average !== out_word[AT_AVG_AVERAGE +: W_AVG_AVERAGE])
          differs("avg_average", 64'(out_word[AT_AVG_AVERAGE +: W_AVG_AVERAGE]),
                  64'(avg_average));
      end
      if (avg_error !== out_word[AT_AVG_ERROR +: W_AVG_ERROR])
        differs("avg_error", 64'(out_word[AT_AVG_ERROR +: W_AVG_ERROR]),
                64'(avg_error));
    end
    if (peeked_valid !== out_word[AT_PEEKED_VALID +: W_PEEKED_VALID])
      differs("peeked_valid", 64'(out_word[AT_PEEKED_VALID +: W_PEEKED_VALID]),
              64'(peeked_valid));
    if (out_word[AT_PEEKED_VALID]) begin
      if (peeked_queue !== out_word[AT_PEEKED_QUEUE +: W_PEEKED_QUEUE])
        differs("peeked_queue", 64'(out_word[AT_PEEKED_QUEUE +: W_PEEKED_QUEUE]),
                64'(peeked_queue));
      if (out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR] == '0) begin
        if (peeked_occupancy !== out_word[AT_PEEKED_OCCUPANCY +: W_PEEKED_OCCUPANCY])
          differs("peeked_occupancy", 64'(out_word[AT_PEEKED_OCCUPANCY +: W_PEEKED_OCCUPANCY]),
                  64'(peeked_occupancy));
        if (peeked_average !== out_word[AT_PEEKED_AVERAGE +: W_PEEKED_AVERAGE])
          differs("peeked_average", 64'(out_word[AT_PEEKED_AVERAGE +: W_PEEKED_AVERAGE]),
                  64'(peeked_average));
        if (peeked_congested !== out_word[AT_PEEKED_CONGESTED +: W_PEEKED_CONGESTED])
          differs("peeked_congested", 64'(out_word[AT_PEEKED_CONGESTED +: W_PEEKED_CONGESTED]),
                  64'(peeked_congested));
        if (peeked_skip !== out_word[AT_PEEKED_SKIP +: W_PEEKED_SKIP])
          differs("peeked_skip", 64'(out_word[AT_PEEKED_SKIP +: W_PEEKED_SKIP]),
                  64'(peeked_skip));
        if (peeked_acc !== out_word[AT_PEEKED_ACC +: W_PEEKED_ACC])
          differs("peeked_acc", 64'(out_word[AT_PEEKED_ACC +: W_PEEKED_ACC]),
                  64'(peeked_acc));
        if (peeked_marked !== out_word[AT_PEEKED_MARKED +: W_PEEKED_MARKED])
          differs("peeked_marked", 64'(out_word[AT_PEEKED_MARKED +: W_PEEKED_MARKED]),
                  64'(peeked_marked));
        if (peeked_eligible !== out_word[AT_PEEKED_ELIGIBLE +: W_PEEKED_ELIGIBLE])
          differs("peeked_eligible", 64'(out_word[AT_PEEKED_ELIGIBLE +: W_PEEKED_ELIGIBLE]),
                  64'(peeked_eligible));
        if (peeked_lfsr !== out_word[AT_PEEKED_LFSR +: W_PEEKED_LFSR])
          differs("peeked_lfsr", 64'(out_word[AT_PEEKED_LFSR +: W_PEEKED_LFSR]),
                  64'(peeked_lfsr));
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
    if (stat_range !== out_word[AT_STAT_RANGE +: W_STAT_RANGE])
      differs("stat_range", 64'(out_word[AT_STAT_RANGE +: W_STAT_RANGE]),
              64'(stat_range));
    if (stat_underflow !== out_word[AT_STAT_UNDERFLOW +: W_STAT_UNDERFLOW])
      differs("stat_underflow", 64'(out_word[AT_STAT_UNDERFLOW +: W_STAT_UNDERFLOW]),
              64'(stat_underflow));
  endtask

  // --------------------------------------------------------------------------------------------
  // The run. Inputs change on the falling edge; outputs are read just before the rising edge that
  // ends the cycle.
  // --------------------------------------------------------------------------------------------

  initial begin
`ifdef CONGRUENT_DUMP
    $dumpfile("ecn_marker_tb.vcd");
    $dumpvars(0, ecn_marker_tb);
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
      $display("FAIL ecn_marker %0s", folder);
      $fatal(0, "FAIL");
    end
    $display("PASS ecn_marker %0s, %0d cycles", folder, cycles);
    $finish(0);
  end

endmodule
