// Replay testbench of pacing_table: plays a folder of vector files into it and compares every
// output of every cycle with !==, so that an X is a mismatch. Prints the first mismatch, and PASS or
// FAIL at the end; $finish after PASS, $fatal after FAIL. testbenches/README.md says how to run it.
//
// Written by `congruent testbench generate` from the block's port table: do not edit it.
//
// Plusarg: +folder=DIR. Macros: CONGRUENT_<PARAMETER>, as in a folder's params.f; CONGRUENT_DUT,
// the name of another module; CONGRUENT_NETLIST, where the module has no parameters;
// CONGRUENT_DUMP, for a waveform in pacing_table_tb.vcd.

`ifndef CONGRUENT_ENTRIES
  `define CONGRUENT_ENTRIES 64
`endif
`ifndef CONGRUENT_INDEX_W
  `define CONGRUENT_INDEX_W 10
`endif
`ifndef CONGRUENT_DLID_W
  `define CONGRUENT_DLID_W 24
`endif
`ifndef CONGRUENT_QUEUES
  `define CONGRUENT_QUEUES 8
`endif
`ifndef CONGRUENT_QUEUE_W
  `define CONGRUENT_QUEUE_W 4
`endif
`ifndef CONGRUENT_TIME_W
  `define CONGRUENT_TIME_W 32
`endif
`ifndef CONGRUENT_TIME_INIT
  `define CONGRUENT_TIME_INIT -96
`endif
`ifndef CONGRUENT_TIME_FRAC
  `define CONGRUENT_TIME_FRAC 16
`endif
`ifndef CONGRUENT_CCTI_W
  `define CONGRUENT_CCTI_W 10
`endif
`ifndef CONGRUENT_DUT
  `define CONGRUENT_DUT pacing_table
`endif

module pacing_table_tb #(
  parameter int ENTRIES = `CONGRUENT_ENTRIES,
  parameter int INDEX_W = `CONGRUENT_INDEX_W,
  parameter int DLID_W = `CONGRUENT_DLID_W,
  parameter int QUEUES = `CONGRUENT_QUEUES,
  parameter int QUEUE_W = `CONGRUENT_QUEUE_W,
  parameter int TIME_W = `CONGRUENT_TIME_W,
  parameter int TIME_INIT = `CONGRUENT_TIME_INIT,
  parameter int TIME_FRAC = `CONGRUENT_TIME_FRAC,
  parameter int CCTI_W = `CONGRUENT_CCTI_W,
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
  localparam int W_CFG_FIRST_CCTI = CCTI_W;
  localparam int W_CFG_INCREASE = 8;
  localparam int W_CFG_LIMIT = CCTI_W;
  localparam int W_CFG_MIN = CCTI_W;
  localparam int W_CFG_TRIGGER_THRESHOLD = CCTI_W;
  localparam int W_CFG_SKIP = 1;
  localparam int W_CFG_PERIOD = TIME_W;
  localparam int W_CFG_REARM = 1;
  localparam int W_CFG_LINE_BYTE_TIME = 33;
  localparam int W_CFG_DELAY_BASE_MTU = 1;
  localparam int W_CFG_MTU_TIME = TIME_FRAC + 19;
  localparam int W_CFG_PACING_SLACK = 6;

  // stimulus.hex: inputs, and above them the gap.
  localparam int W_BECN_VALID = 1;
  localparam int AT_BECN_VALID = 0;
  localparam int W_BECN_DLID = DLID_W;
  localparam int AT_BECN_DLID = AT_BECN_VALID + W_BECN_VALID;
  localparam int W_HEAD_VALID = 1;
  localparam int AT_HEAD_VALID = AT_BECN_DLID + W_BECN_DLID;
  localparam int W_HEAD_QUEUE = QUEUE_W;
  localparam int AT_HEAD_QUEUE = AT_HEAD_VALID + W_HEAD_VALID;
  localparam int W_HEAD_DLID = DLID_W;
  localparam int AT_HEAD_DLID = AT_HEAD_QUEUE + W_HEAD_QUEUE;
  localparam int W_HEAD_BYTES = 15;
  localparam int AT_HEAD_BYTES = AT_HEAD_DLID + W_HEAD_DLID;
  localparam int W_CCT_VALID = 1;
  localparam int AT_CCT_VALID = AT_HEAD_BYTES + W_HEAD_BYTES;
  localparam int W_CCT_INDEX = CCTI_W;
  localparam int AT_CCT_INDEX = AT_CCT_VALID + W_CCT_VALID;
  localparam int W_CCT_SHIFT = 2;
  localparam int AT_CCT_SHIFT = AT_CCT_INDEX + W_CCT_INDEX;
  localparam int W_CCT_MULTIPLIER = 14;
  localparam int AT_CCT_MULTIPLIER = AT_CCT_SHIFT + W_CCT_SHIFT;
  localparam int W_PEEK_VALID = 1;
  localparam int AT_PEEK_VALID = AT_CCT_MULTIPLIER + W_CCT_MULTIPLIER;
  localparam int W_PEEK_INDEX = INDEX_W;
  localparam int AT_PEEK_INDEX = AT_PEEK_VALID + W_PEEK_VALID;
  localparam int W_GRANT_READY = 1;
  localparam int AT_GRANT_READY = AT_PEEK_INDEX + W_PEEK_INDEX;
  localparam int STIMULUS_GAP = AT_GRANT_READY + W_GRANT_READY;
  localparam int STIMULUS_BITS = STIMULUS_GAP + GAP_BITS;

  // expected.hex: outputs, and above them the gap.
  localparam int W_GRANT_VALID = 1;
  localparam int AT_GRANT_VALID = 0;
  localparam int W_GRANT_QUEUE = QUEUE_W;
  localparam int AT_GRANT_QUEUE = AT_GRANT_VALID + W_GRANT_VALID;
  localparam int W_GRANT_DLID = DLID_W;
  localparam int AT_GRANT_DLID = AT_GRANT_QUEUE + W_GRANT_QUEUE;
  localparam int W_GRANT_WAIT = 24;
  localparam int AT_GRANT_WAIT = AT_GRANT_DLID + W_GRANT_DLID;
  localparam int W_UPD_VALID = 1;
  localparam int AT_UPD_VALID = AT_GRANT_WAIT + W_GRANT_WAIT;
  localparam int W_UPD_INDEX = INDEX_W;
  localparam int AT_UPD_INDEX = AT_UPD_VALID + W_UPD_VALID;
  localparam int W_UPD_DLID = DLID_W;
  localparam int AT_UPD_DLID = AT_UPD_INDEX + W_UPD_INDEX;
  localparam int W_UPD_CCTI = CCTI_W;
  localparam int AT_UPD_CCTI = AT_UPD_DLID + W_UPD_DLID;
  localparam int W_EVICT_VALID = 1;
  localparam int AT_EVICT_VALID = AT_UPD_CCTI + W_UPD_CCTI;
  localparam int W_EVICT_DLID = DLID_W;
  localparam int AT_EVICT_DLID = AT_EVICT_VALID + W_EVICT_VALID;
  localparam int W_EVICT_CCTI = CCTI_W;
  localparam int AT_EVICT_CCTI = AT_EVICT_DLID + W_EVICT_DLID;
  localparam int W_LOG_VALID = 1;
  localparam int AT_LOG_VALID = AT_EVICT_CCTI + W_EVICT_CCTI;
  localparam int W_LOG_DLID = DLID_W;
  localparam int AT_LOG_DLID = AT_LOG_VALID + W_LOG_VALID;
  localparam int W_LOG_CCTI = CCTI_W;
  localparam int AT_LOG_CCTI = AT_LOG_DLID + W_LOG_DLID;
  localparam int W_DECAY_VALID = 1;
  localparam int AT_DECAY_VALID = AT_LOG_CCTI + W_LOG_CCTI;
  localparam int W_DECAY_INDEX = INDEX_W;
  localparam int AT_DECAY_INDEX = AT_DECAY_VALID + W_DECAY_VALID;
  localparam int W_DECAY_DLID = DLID_W;
  localparam int AT_DECAY_DLID = AT_DECAY_INDEX + W_DECAY_INDEX;
  localparam int W_DECAY_CCTI = CCTI_W;
  localparam int AT_DECAY_CCTI = AT_DECAY_DLID + W_DECAY_DLID;
  localparam int W_RELEASE_VALID = 1;
  localparam int AT_RELEASE_VALID = AT_DECAY_CCTI + W_DECAY_CCTI;
  localparam int W_RELEASE_DLID = DLID_W;
  localparam int AT_RELEASE_DLID = AT_RELEASE_VALID + W_RELEASE_VALID;
  localparam int W_PEEKED_VALID = 1;
  localparam int AT_PEEKED_VALID = AT_RELEASE_DLID + W_RELEASE_DLID;
  localparam int W_PEEKED_INDEX = INDEX_W;
  localparam int AT_PEEKED_INDEX = AT_PEEKED_VALID + W_PEEKED_VALID;
  localparam int W_PEEKED_TRACKED = 1;
  localparam int AT_PEEKED_TRACKED = AT_PEEKED_INDEX + W_PEEKED_INDEX;
  localparam int W_PEEKED_DLID = DLID_W;
  localparam int AT_PEEKED_DLID = AT_PEEKED_TRACKED + W_PEEKED_TRACKED;
  localparam int W_PEEKED_CCTI = CCTI_W;
  localparam int AT_PEEKED_CCTI = AT_PEEKED_DLID + W_PEEKED_DLID;
  localparam int W_PEEKED_DEADLINE = TIME_W;
  localparam int AT_PEEKED_DEADLINE = AT_PEEKED_CCTI + W_PEEKED_CCTI;
  localparam int W_PEEKED_HELD = 1;
  localparam int AT_PEEKED_HELD = AT_PEEKED_DEADLINE + W_PEEKED_DEADLINE;
  localparam int W_PEEKED_NEXT_SEND = TIME_W + TIME_FRAC;
  localparam int AT_PEEKED_NEXT_SEND = AT_PEEKED_HELD + W_PEEKED_HELD;
  localparam int W_PEEKED_ERROR = 3;
  localparam int AT_PEEKED_ERROR = AT_PEEKED_NEXT_SEND + W_PEEKED_NEXT_SEND;
  localparam int W_ERR_VALID = 1;
  localparam int AT_ERR_VALID = AT_PEEKED_ERROR + W_PEEKED_ERROR;
  localparam int W_ERR_CHANNEL = 1;
  localparam int AT_ERR_CHANNEL = AT_ERR_VALID + W_ERR_VALID;
  localparam int W_ERR_CODE = 3;
  localparam int AT_ERR_CODE = AT_ERR_CHANNEL + W_ERR_CHANNEL;
  localparam int W_ERR_DLID = DLID_W;
  localparam int AT_ERR_DLID = AT_ERR_CODE + W_ERR_CODE;
  localparam int W_BECN_READY = 1;
  localparam int AT_BECN_READY = AT_ERR_DLID + W_ERR_DLID;
  localparam int W_HEAD_READY = QUEUES;
  localparam int AT_HEAD_READY = AT_BECN_READY + W_BECN_READY;
  localparam int W_PEEK_READY = 1;
  localparam int AT_PEEK_READY = AT_HEAD_READY + W_HEAD_READY;
  localparam int W_INIT_DONE = 1;
  localparam int AT_INIT_DONE = AT_PEEK_READY + W_PEEK_READY;
  localparam int W_STALLED = QUEUES;
  localparam int AT_STALLED = AT_INIT_DONE + W_INIT_DONE;
  localparam int W_STAT_BECNS = 16;
  localparam int AT_STAT_BECNS = AT_STALLED + W_STALLED;
  localparam int W_STAT_EVICTIONS = 16;
  localparam int AT_STAT_EVICTIONS = AT_STAT_BECNS + W_STAT_BECNS;
  localparam int W_STAT_RANGE = 16;
  localparam int AT_STAT_RANGE = AT_STAT_EVICTIONS + W_STAT_EVICTIONS;
  localparam int W_STAT_ZERO_LENGTH = 16;
  localparam int AT_STAT_ZERO_LENGTH = AT_STAT_RANGE + W_STAT_RANGE;
  localparam int EXPECTED_GAP = AT_STAT_ZERO_LENGTH + W_STAT_ZERO_LENGTH;
  localparam int EXPECTED_BITS = EXPECTED_GAP + GAP_BITS;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic [W_CFG_FIRST_CCTI-1:0] cfg_first_ccti;
  logic [W_CFG_INCREASE-1:0] cfg_increase;
  logic [W_CFG_LIMIT-1:0] cfg_limit;
  logic [W_CFG_MIN-1:0] cfg_min;
  logic [W_CFG_TRIGGER_THRESHOLD-1:0] cfg_trigger_threshold;
  logic [W_CFG_SKIP-1:0] cfg_skip;
  logic [W_CFG_PERIOD-1:0] cfg_period;
  logic [W_CFG_REARM-1:0] cfg_rearm;
  logic [W_CFG_LINE_BYTE_TIME-1:0] cfg_line_byte_time;
  logic [W_CFG_DELAY_BASE_MTU-1:0] cfg_delay_base_mtu;
  logic [W_CFG_MTU_TIME-1:0] cfg_mtu_time;
  logic [W_CFG_PACING_SLACK-1:0] cfg_pacing_slack;
  logic [W_BECN_VALID-1:0] becn_valid;
  logic [W_BECN_DLID-1:0] becn_dlid;
  logic [W_HEAD_VALID-1:0] head_valid;
  logic [W_HEAD_QUEUE-1:0] head_queue;
  logic [W_HEAD_DLID-1:0] head_dlid;
  logic [W_HEAD_BYTES-1:0] head_bytes;
  logic [W_CCT_VALID-1:0] cct_valid;
  logic [W_CCT_INDEX-1:0] cct_index;
  logic [W_CCT_SHIFT-1:0] cct_shift;
  logic [W_CCT_MULTIPLIER-1:0] cct_multiplier;
  logic [W_PEEK_VALID-1:0] peek_valid;
  logic [W_PEEK_INDEX-1:0] peek_index;
  logic [W_GRANT_READY-1:0] grant_ready;
  logic [W_GRANT_VALID-1:0] grant_valid;
  logic [W_GRANT_QUEUE-1:0] grant_queue;
  logic [W_GRANT_DLID-1:0] grant_dlid;
  logic [W_GRANT_WAIT-1:0] grant_wait;
  logic [W_UPD_VALID-1:0] upd_valid;
  logic [W_UPD_INDEX-1:0] upd_index;
  logic [W_UPD_DLID-1:0] upd_dlid;
  logic [W_UPD_CCTI-1:0] upd_ccti;
  logic [W_EVICT_VALID-1:0] evict_valid;
  logic [W_EVICT_DLID-1:0] evict_dlid;
  logic [W_EVICT_CCTI-1:0] evict_ccti;
  logic [W_LOG_VALID-1:0] log_valid;
  logic [W_LOG_DLID-1:0] log_dlid;
  logic [W_LOG_CCTI-1:0] log_ccti;
  logic [W_DECAY_VALID-1:0] decay_valid;
  logic [W_DECAY_INDEX-1:0] decay_index;
  logic [W_DECAY_DLID-1:0] decay_dlid;
  logic [W_DECAY_CCTI-1:0] decay_ccti;
  logic [W_RELEASE_VALID-1:0] release_valid;
  logic [W_RELEASE_DLID-1:0] release_dlid;
  logic [W_PEEKED_VALID-1:0] peeked_valid;
  logic [W_PEEKED_INDEX-1:0] peeked_index;
  logic [W_PEEKED_TRACKED-1:0] peeked_tracked;
  logic [W_PEEKED_DLID-1:0] peeked_dlid;
  logic [W_PEEKED_CCTI-1:0] peeked_ccti;
  logic [W_PEEKED_DEADLINE-1:0] peeked_deadline;
  logic [W_PEEKED_HELD-1:0] peeked_held;
  logic [W_PEEKED_NEXT_SEND-1:0] peeked_next_send;
  logic [W_PEEKED_ERROR-1:0] peeked_error;
  logic [W_ERR_VALID-1:0] err_valid;
  logic [W_ERR_CHANNEL-1:0] err_channel;
  logic [W_ERR_CODE-1:0] err_code;
  logic [W_ERR_DLID-1:0] err_dlid;
  logic [W_BECN_READY-1:0] becn_ready;
  logic [W_HEAD_READY-1:0] head_ready;
  logic [W_PEEK_READY-1:0] peek_ready;
  logic [W_INIT_DONE-1:0] init_done;
  logic [W_STALLED-1:0] stalled;
  logic [W_STAT_BECNS-1:0] stat_becns;
  logic [W_STAT_EVICTIONS-1:0] stat_evictions;
  logic [W_STAT_RANGE-1:0] stat_range;
  logic [W_STAT_ZERO_LENGTH-1:0] stat_zero_length;

`ifdef CONGRUENT_NETLIST
  `CONGRUENT_DUT dut (
`else
  `CONGRUENT_DUT #(
    .ENTRIES (ENTRIES),
    .INDEX_W (INDEX_W),
    .DLID_W (DLID_W),
    .QUEUES (QUEUES),
    .QUEUE_W (QUEUE_W),
    .TIME_W (TIME_W),
    .TIME_INIT (TIME_INIT),
    .TIME_FRAC (TIME_FRAC),
    .CCTI_W (CCTI_W)
  ) dut (
`endif
    .clk (clk),
    .rst_n (rst_n),
    .cfg_first_ccti (cfg_first_ccti),
    .cfg_increase (cfg_increase),
    .cfg_limit (cfg_limit),
    .cfg_min (cfg_min),
    .cfg_trigger_threshold (cfg_trigger_threshold),
    .cfg_skip (cfg_skip),
    .cfg_period (cfg_period),
    .cfg_rearm (cfg_rearm),
    .cfg_line_byte_time (cfg_line_byte_time),
    .cfg_delay_base_mtu (cfg_delay_base_mtu),
    .cfg_mtu_time (cfg_mtu_time),
    .cfg_pacing_slack (cfg_pacing_slack),
    .becn_valid (becn_valid),
    .becn_dlid (becn_dlid),
    .head_valid (head_valid),
    .head_queue (head_queue),
    .head_dlid (head_dlid),
    .head_bytes (head_bytes),
    .cct_valid (cct_valid),
    .cct_index (cct_index),
    .cct_shift (cct_shift),
    .cct_multiplier (cct_multiplier),
    .peek_valid (peek_valid),
    .peek_index (peek_index),
    .grant_ready (grant_ready),
    .grant_valid (grant_valid),
    .grant_queue (grant_queue),
    .grant_dlid (grant_dlid),
    .grant_wait (grant_wait),
    .upd_valid (upd_valid),
    .upd_index (upd_index),
    .upd_dlid (upd_dlid),
    .upd_ccti (upd_ccti),
    .evict_valid (evict_valid),
    .evict_dlid (evict_dlid),
    .evict_ccti (evict_ccti),
    .log_valid (log_valid),
    .log_dlid (log_dlid),
    .log_ccti (log_ccti),
    .decay_valid (decay_valid),
    .decay_index (decay_index),
    .decay_dlid (decay_dlid),
    .decay_ccti (decay_ccti),
    .release_valid (release_valid),
    .release_dlid (release_dlid),
    .peeked_valid (peeked_valid),
    .peeked_index (peeked_index),
    .peeked_tracked (peeked_tracked),
    .peeked_dlid (peeked_dlid),
    .peeked_ccti (peeked_ccti),
    .peeked_deadline (peeked_deadline),
    .peeked_held (peeked_held),
    .peeked_next_send (peeked_next_send),
    .peeked_error (peeked_error),
    .err_valid (err_valid),
    .err_channel (err_channel),
    .err_code (err_code),
    .err_dlid (err_dlid),
    .becn_ready (becn_ready),
    .head_ready (head_ready),
    .peek_ready (peek_ready),
    .init_done (init_done),
    .stalled (stalled),
    .stat_becns (stat_becns),
    .stat_evictions (stat_evictions),
    .stat_range (stat_range),
    .stat_zero_length (stat_zero_length)
  );

  always #5 clk = !clk;

  // --------------------------------------------------------------------------------------------
  // Files. A word of stimulus and expected stands for one cycle; its gap counts the cycles without
  // a word before it. run.hex says how many words there are, and the values of the cfg_ pins.
  // --------------------------------------------------------------------------------------------

  localparam int FORMAT_VERSION = 2;
  localparam logic [255:0] NAME = "pacing_table";
  localparam int FIRST_PARAM = 10;
  localparam int FIRST_CFG = FIRST_PARAM + 9;
  localparam int RUN_WORDS = FIRST_CFG + 12;

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
      $display("error: %0s is of another block than pacing_table", folder);
      failed = 1'b1;
    end
    check_run("ENTRIES", FIRST_PARAM + 0, ENTRIES);
    check_run("INDEX_W", FIRST_PARAM + 1, INDEX_W);
    check_run("DLID_W", FIRST_PARAM + 2, DLID_W);
    check_run("QUEUES", FIRST_PARAM + 3, QUEUES);
    check_run("QUEUE_W", FIRST_PARAM + 4, QUEUE_W);
    check_run("TIME_W", FIRST_PARAM + 5, TIME_W);
    check_run("TIME_INIT", FIRST_PARAM + 6, TIME_INIT);
    check_run("TIME_FRAC", FIRST_PARAM + 7, TIME_FRAC);
    check_run("CCTI_W", FIRST_PARAM + 8, CCTI_W);
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
    cfg_first_ccti = run[FIRST_CFG + 0][W_CFG_FIRST_CCTI-1:0];
    cfg_increase = run[FIRST_CFG + 1][W_CFG_INCREASE-1:0];
    cfg_limit = run[FIRST_CFG + 2][W_CFG_LIMIT-1:0];
    cfg_min = run[FIRST_CFG + 3][W_CFG_MIN-1:0];
    cfg_trigger_threshold = run[FIRST_CFG + 4][W_CFG_TRIGGER_THRESHOLD-1:0];
    cfg_skip = run[FIRST_CFG + 5][W_CFG_SKIP-1:0];
    cfg_period = run[FIRST_CFG + 6][W_CFG_PERIOD-1:0];
    cfg_rearm = run[FIRST_CFG + 7][W_CFG_REARM-1:0];
    cfg_line_byte_time = run[FIRST_CFG + 8][W_CFG_LINE_BYTE_TIME-1:0];
    cfg_delay_base_mtu = run[FIRST_CFG + 9][W_CFG_DELAY_BASE_MTU-1:0];
    cfg_mtu_time = run[FIRST_CFG + 10][W_CFG_MTU_TIME-1:0];
    cfg_pacing_slack = run[FIRST_CFG + 11][W_CFG_PACING_SLACK-1:0];
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
      in_word[AT_BECN_VALID] = 1'b0;
      in_word[AT_HEAD_VALID] = 1'b0;
      in_word[AT_CCT_VALID] = 1'b0;
      in_word[AT_PEEK_VALID] = 1'b0;
    end
    if (out_at < expected_words && cycle == out_next) begin
      out_word = expected[out_at];
      out_at = out_at + 1;
      if (out_at < expected_words) out_next = cycle + 1 + out_gap(out_at);
    end else begin
      out_word[AT_GRANT_VALID] = 1'b0;
      out_word[AT_UPD_VALID] = 1'b0;
      out_word[AT_EVICT_VALID] = 1'b0;
      out_word[AT_LOG_VALID] = 1'b0;
      out_word[AT_DECAY_VALID] = 1'b0;
      out_word[AT_RELEASE_VALID] = 1'b0;
      out_word[AT_PEEKED_VALID] = 1'b0;
      out_word[AT_ERR_VALID] = 1'b0;
    end
  endtask

  // --------------------------------------------------------------------------------------------
  // Pins.
  // --------------------------------------------------------------------------------------------

  // The payload of a channel whose valid is 0 is X: the block must not look at it.
  task drive;
    becn_valid = in_word[AT_BECN_VALID +: W_BECN_VALID];
    becn_dlid = becn_valid ? in_word[AT_BECN_DLID +: W_BECN_DLID] : 'x;
    head_valid = in_word[AT_HEAD_VALID +: W_HEAD_VALID];
    head_queue = head_valid ? in_word[AT_HEAD_QUEUE +: W_HEAD_QUEUE] : 'x;
    head_dlid = head_valid ? in_word[AT_HEAD_DLID +: W_HEAD_DLID] : 'x;
    head_bytes = head_valid ? in_word[AT_HEAD_BYTES +: W_HEAD_BYTES] : 'x;
    cct_valid = in_word[AT_CCT_VALID +: W_CCT_VALID];
    cct_index = cct_valid ? in_word[AT_CCT_INDEX +: W_CCT_INDEX] : 'x;
    cct_shift = cct_valid ? in_word[AT_CCT_SHIFT +: W_CCT_SHIFT] : 'x;
    cct_multiplier = cct_valid ? in_word[AT_CCT_MULTIPLIER +: W_CCT_MULTIPLIER] : 'x;
    peek_valid = in_word[AT_PEEK_VALID +: W_PEEK_VALID];
    peek_index = peek_valid ? in_word[AT_PEEK_INDEX +: W_PEEK_INDEX] : 'x;
    grant_ready = in_word[AT_GRANT_READY +: W_GRANT_READY];
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
    if (grant_valid !== '0) differs("grant_valid", 64'd0, 64'(grant_valid));
    if (upd_valid !== '0) differs("upd_valid", 64'd0, 64'(upd_valid));
    if (evict_valid !== '0) differs("evict_valid", 64'd0, 64'(evict_valid));
    if (log_valid !== '0) differs("log_valid", 64'd0, 64'(log_valid));
    if (decay_valid !== '0) differs("decay_valid", 64'd0, 64'(decay_valid));
    if (release_valid !== '0) differs("release_valid", 64'd0, 64'(release_valid));
    if (peeked_valid !== '0) differs("peeked_valid", 64'd0, 64'(peeked_valid));
    if (err_valid !== '0) differs("err_valid", 64'd0, 64'(err_valid));
    if (becn_ready !== '0) differs("becn_ready", 64'd0, 64'(becn_ready));
    if (head_ready !== '0) differs("head_ready", 64'd0, 64'(head_ready));
    if (peek_ready !== '0) differs("peek_ready", 64'd0, 64'(peek_ready));
    if (^init_done === 1'bx) unknown("init_done");
    if (^stalled === 1'bx) unknown("stalled");
    if (^stat_becns === 1'bx) unknown("stat_becns");
    if (^stat_evictions === 1'bx) unknown("stat_evictions");
    if (^stat_range === 1'bx) unknown("stat_range");
    if (^stat_zero_length === 1'bx) unknown("stat_zero_length");
  endtask

  // What counts: valids, readies and levels; the fields of a valid beat; of these, beside an error,
  // only the error, the context and the key.
  task compare;
    if (grant_valid !== out_word[AT_GRANT_VALID +: W_GRANT_VALID])
      differs("grant_valid", 64'(out_word[AT_GRANT_VALID +: W_GRANT_VALID]),
              64'(grant_valid));
    if (out_word[AT_GRANT_VALID]) begin
      if (grant_queue !== out_word[AT_GRANT_QUEUE +: W_GRANT_QUEUE])
        differs("grant_queue", 64'(out_word[AT_GRANT_QUEUE +: W_GRANT_QUEUE]),
                64'(grant_queue));
      if (grant_dlid !== out_word[AT_GRANT_DLID +: W_GRANT_DLID])
        differs("grant_dlid", 64'(out_word[AT_GRANT_DLID +: W_GRANT_DLID]),
                64'(grant_dlid));
      if (grant_wait !== out_word[AT_GRANT_WAIT +: W_GRANT_WAIT])
        differs("grant_wait", 64'(out_word[AT_GRANT_WAIT +: W_GRANT_WAIT]),
                64'(grant_wait));
    end
    if (upd_valid !== out_word[AT_UPD_VALID +: W_UPD_VALID])
      differs("upd_valid", 64'(out_word[AT_UPD_VALID +: W_UPD_VALID]),
              64'(upd_valid));
    if (out_word[AT_UPD_VALID]) begin
      if (upd_index !== out_word[AT_UPD_INDEX +: W_UPD_INDEX])
        differs("upd_index", 64'(out_word[AT_UPD_INDEX +: W_UPD_INDEX]),
                64'(upd_index));
      if (upd_dlid !== out_word[AT_UPD_DLID +: W_UPD_DLID])
        differs("upd_dlid", 64'(out_word[AT_UPD_DLID +: W_UPD_DLID]),
                64'(upd_dlid));
      if (upd_ccti !== out_word[AT_UPD_CCTI +: W_UPD_CCTI])
        differs("upd_ccti", 64'(out_word[AT_UPD_CCTI +: W_UPD_CCTI]),
                64'(upd_ccti));
    end
    if (evict_valid !== out_word[AT_EVICT_VALID +: W_EVICT_VALID])
      differs("evict_valid", 64'(out_word[AT_EVICT_VALID +: W_EVICT_VALID]),
              64'(evict_valid));
    if (out_word[AT_EVICT_VALID]) begin
      if (evict_dlid !== out_word[AT_EVICT_DLID +: W_EVICT_DLID])
        differs("evict_dlid", 64'(out_word[AT_EVICT_DLID +: W_EVICT_DLID]),
                64'(evict_dlid));
      if (evict_ccti !== out_word[AT_EVICT_CCTI +: W_EVICT_CCTI])
        differs("evict_ccti", 64'(out_word[AT_EVICT_CCTI +: W_EVICT_CCTI]),
                64'(evict_ccti));
    end
    if (log_valid !== out_word[AT_LOG_VALID +: W_LOG_VALID])
      differs("log_valid", 64'(out_word[AT_LOG_VALID +: W_LOG_VALID]),
              64'(log_valid));
    if (out_word[AT_LOG_VALID]) begin
      if (log_dlid !== out_word[AT_LOG_DLID +: W_LOG_DLID])
        differs("log_dlid", 64'(out_word[AT_LOG_DLID +: W_LOG_DLID]),
                64'(log_dlid));
      if (log_ccti !== out_word[AT_LOG_CCTI +: W_LOG_CCTI])
        differs("log_ccti", 64'(out_word[AT_LOG_CCTI +: W_LOG_CCTI]),
                64'(log_ccti));
    end
    if (decay_valid !== out_word[AT_DECAY_VALID +: W_DECAY_VALID])
      differs("decay_valid", 64'(out_word[AT_DECAY_VALID +: W_DECAY_VALID]),
              64'(decay_valid));
    if (out_word[AT_DECAY_VALID]) begin
      if (decay_index !== out_word[AT_DECAY_INDEX +: W_DECAY_INDEX])
        differs("decay_index", 64'(out_word[AT_DECAY_INDEX +: W_DECAY_INDEX]),
                64'(decay_index));
      if (decay_dlid !== out_word[AT_DECAY_DLID +: W_DECAY_DLID])
        differs("decay_dlid", 64'(out_word[AT_DECAY_DLID +: W_DECAY_DLID]),
                64'(decay_dlid));
      if (decay_ccti !== out_word[AT_DECAY_CCTI +: W_DECAY_CCTI])
        differs("decay_ccti", 64'(out_word[AT_DECAY_CCTI +: W_DECAY_CCTI]),
                64'(decay_ccti));
    end
    if (release_valid !== out_word[AT_RELEASE_VALID +: W_RELEASE_VALID])
      differs("release_valid", 64'(out_word[AT_RELEASE_VALID +: W_RELEASE_VALID]),
              64'(release_valid));
    if (out_word[AT_RELEASE_VALID]) begin
      if (release_dlid !== out_word[AT_RELEASE_DLID +: W_RELEASE_DLID])
        differs("release_dlid", 64'(out_word[AT_RELEASE_DLID +: W_RELEASE_DLID]),
                64'(release_dlid));
    end
    if (peeked_valid !== out_word[AT_PEEKED_VALID +: W_PEEKED_VALID])
      differs("peeked_valid", 64'(out_word[AT_PEEKED_VALID +: W_PEEKED_VALID]),
              64'(peeked_valid));
    if (out_word[AT_PEEKED_VALID]) begin
      if (peeked_index !== out_word[AT_PEEKED_INDEX +: W_PEEKED_INDEX])
        differs("peeked_index", 64'(out_word[AT_PEEKED_INDEX +: W_PEEKED_INDEX]),
                64'(peeked_index));
      if (out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR] == '0) begin
        if (peeked_tracked !== out_word[AT_PEEKED_TRACKED +: W_PEEKED_TRACKED])
          differs("peeked_tracked", 64'(out_word[AT_PEEKED_TRACKED +: W_PEEKED_TRACKED]),
                  64'(peeked_tracked));
      end
      if (peeked_dlid !== out_word[AT_PEEKED_DLID +: W_PEEKED_DLID])
        differs("peeked_dlid", 64'(out_word[AT_PEEKED_DLID +: W_PEEKED_DLID]),
                64'(peeked_dlid));
      if (out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR] == '0) begin
        if (peeked_ccti !== out_word[AT_PEEKED_CCTI +: W_PEEKED_CCTI])
          differs("peeked_ccti", 64'(out_word[AT_PEEKED_CCTI +: W_PEEKED_CCTI]),
                  64'(peeked_ccti));
        if (peeked_deadline !== out_word[AT_PEEKED_DEADLINE +: W_PEEKED_DEADLINE])
          differs("peeked_deadline", 64'(out_word[AT_PEEKED_DEADLINE +: W_PEEKED_DEADLINE]),
                  64'(peeked_deadline));
        if (peeked_held !== out_word[AT_PEEKED_HELD +: W_PEEKED_HELD])
          differs("peeked_held", 64'(out_word[AT_PEEKED_HELD +: W_PEEKED_HELD]),
                  64'(peeked_held));
        if (peeked_next_send !== out_word[AT_PEEKED_NEXT_SEND +: W_PEEKED_NEXT_SEND])
          differs("peeked_next_send", 64'(out_word[AT_PEEKED_NEXT_SEND +: W_PEEKED_NEXT_SEND]),
                  64'(peeked_next_send));
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
      if (err_dlid !== out_word[AT_ERR_DLID +: W_ERR_DLID])
        differs("err_dlid", 64'(out_word[AT_ERR_DLID +: W_ERR_DLID]),
                64'(err_dlid));
    end
    if (becn_ready !== out_word[AT_BECN_READY +: W_BECN_READY])
      differs("becn_ready", 64'(out_word[AT_BECN_READY +: W_BECN_READY]),
              64'(becn_ready));
    if (head_ready !== out_word[AT_HEAD_READY +: W_HEAD_READY])
      differs("head_ready", 64'(out_word[AT_HEAD_READY +: W_HEAD_READY]),
              64'(head_ready));
    if (peek_ready !== out_word[AT_PEEK_READY +: W_PEEK_READY])
      differs("peek_ready", 64'(out_word[AT_PEEK_READY +: W_PEEK_READY]),
              64'(peek_ready));
    if (init_done !== out_word[AT_INIT_DONE +: W_INIT_DONE])
      differs("init_done", 64'(out_word[AT_INIT_DONE +: W_INIT_DONE]),
              64'(init_done));
    if (stalled !== out_word[AT_STALLED +: W_STALLED])
      differs("stalled", 64'(out_word[AT_STALLED +: W_STALLED]),
              64'(stalled));
    if (stat_becns !== out_word[AT_STAT_BECNS +: W_STAT_BECNS])
      differs("stat_becns", 64'(out_word[AT_STAT_BECNS +: W_STAT_BECNS]),
              64'(stat_becns));
    if (stat_evictions !== out_word[AT_STAT_EVICTIONS +: W_STAT_EVICTIONS])
      differs("stat_evictions", 64'(out_word[AT_STAT_EVICTIONS +: W_STAT_EVICTIONS]),
              64'(stat_evictions));
    if (stat_range !== out_word[AT_STAT_RANGE +: W_STAT_RANGE])
      differs("stat_range", 64'(out_word[AT_STAT_RANGE +: W_STAT_RANGE]),
              64'(stat_range));
    if (stat_zero_length !== out_word[AT_STAT_ZERO_LENGTH +: W_STAT_ZERO_LENGTH])
      differs("stat_zero_length", 64'(out_word[AT_STAT_ZERO_LENGTH +: W_STAT_ZERO_LENGTH]),
              64'(stat_zero_length));
  endtask

  // --------------------------------------------------------------------------------------------
  // The run. Inputs change on the falling edge; outputs are read just before the rising edge that
  // ends the cycle.
  // --------------------------------------------------------------------------------------------

  initial begin
`ifdef CONGRUENT_DUMP
    $dumpfile("pacing_table_tb.vcd");
    $dumpvars(0, pacing_table_tb);
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
      $display("FAIL pacing_table %0s", folder);
      $fatal(0, "FAIL");
    end
    $display("PASS pacing_table %0s, %0d cycles", folder, cycles);
    $finish(0);
  end

endmodule
