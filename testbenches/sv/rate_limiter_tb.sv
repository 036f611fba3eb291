// Replay testbench of rate_limiter: plays a folder of vector files into it and compares every
// output of every cycle with !==, so that an X is a mismatch. Prints the first mismatch, and PASS or
// FAIL at the end; $finish after PASS, $fatal after FAIL. testbenches/README.md says how to run it.
//
// Written by `congruent testbench generate` from the block's port table: do not edit it.
//
// Plusarg: +folder=DIR. Macros: CONGRUENT_<PARAMETER>, as in a folder's params.f; CONGRUENT_DUT,
// the name of another module; CONGRUENT_NETLIST, where the module has no parameters;
// CONGRUENT_DUMP, for a waveform in rate_limiter_tb.vcd.

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
`ifndef CONGRUENT_RATE_FRAC
  `define CONGRUENT_RATE_FRAC 24
`endif
`ifndef CONGRUENT_EST_FRAC
  `define CONGRUENT_EST_FRAC 16
`endif
`ifndef CONGRUENT_DCQCN
  `define CONGRUENT_DCQCN 0
`endif
`ifndef CONGRUENT_BYTE_W
  `define CONGRUENT_BYTE_W 32
`endif
`ifndef CONGRUENT_DUT
  `define CONGRUENT_DUT rate_limiter
`endif

module rate_limiter_tb #(
  parameter int QPS = `CONGRUENT_QPS,
  parameter int QP_W = `CONGRUENT_QP_W,
  parameter int TIME_W = `CONGRUENT_TIME_W,
  parameter int TIME_INIT = `CONGRUENT_TIME_INIT,
  parameter int RATE_FRAC = `CONGRUENT_RATE_FRAC,
  parameter int EST_FRAC = `CONGRUENT_EST_FRAC,
  parameter int DCQCN = `CONGRUENT_DCQCN,
  parameter int BYTE_W = `CONGRUENT_BYTE_W,
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
  localparam int W_CFG_HALF = TIME_W;
  localparam int W_CFG_WEIGHT = EST_FRAC + 1;
  localparam int W_CFG_FIRST_ESTIMATE = EST_FRAC + 1;
  localparam int W_CFG_FIRST_RATE = RATE_FRAC + 1;
  localparam int W_CFG_ADDITIVE_STEP = RATE_FRAC + 1;
  localparam int W_CFG_FLOOR = RATE_FRAC + 1;
  localparam int W_CFG_END_RATE = RATE_FRAC + 1;
  localparam int W_CFG_FAST_RECOVERY_ATTEMPT = 4;
  localparam int W_CFG_LOOPS_PER_INCREASE = 8;
  localparam int W_CFG_LINE_BYTE_TIME = 33;
  localparam int W_CFG_PACING_SLACK = 6;
  localparam int W_CFG_INITIAL_ALPHA = EST_FRAC + 1;
  localparam int W_CFG_FIRST_CNP_RATE = RATE_FRAC + 1;
  localparam int W_CFG_ALPHA_GAIN = 10;
  localparam int W_CFG_ALPHA_PERIOD = TIME_W;
  localparam int W_CFG_INCREASE_PERIOD = TIME_W;
  localparam int W_CFG_BYTE_RESET = BYTE_W;
  localparam int W_CFG_THRESHOLD = 5;
  localparam int W_CFG_AI_RATE = RATE_FRAC + 1;
  localparam int W_CFG_HAI_RATE = RATE_FRAC + 1;
  localparam int W_CFG_CUT_BY_ALPHA = 1;
  localparam int W_CFG_MIN_DEC_FAC = 17;
  localparam int W_CFG_MIN_RATE = RATE_FRAC + 1;
  localparam int W_CFG_MONITOR_PERIOD = TIME_W;
  localparam int W_CFG_CLAMP_TARGET = 1;

  // stimulus.hex: inputs, and above them the gap.
  localparam int W_CNP_VALID = 1;
  localparam int AT_CNP_VALID = 0;
  localparam int W_CNP_QP = QP_W;
  localparam int AT_CNP_QP = AT_CNP_VALID + W_CNP_VALID;
  localparam int W_REQ_VALID = 1;
  localparam int AT_REQ_VALID = AT_CNP_QP + W_CNP_QP;
  localparam int W_REQ_QP = QP_W;
  localparam int AT_REQ_QP = AT_REQ_VALID + W_REQ_VALID;
  localparam int W_REQ_BYTES = 14;
  localparam int AT_REQ_BYTES = AT_REQ_QP + W_REQ_QP;
  localparam int W_PEEK_VALID = 1;
  localparam int AT_PEEK_VALID = AT_REQ_BYTES + W_REQ_BYTES;
  localparam int W_PEEK_QP = QP_W;
  localparam int AT_PEEK_QP = AT_PEEK_VALID + W_PEEK_VALID;
  localparam int STIMULUS_GAP = AT_PEEK_QP + W_PEEK_QP;
  localparam int STIMULUS_BITS = STIMULUS_GAP + GAP_BITS;

  // expected.hex: outputs, and above them the gap.
  localparam int W_RSP_VALID = 1;
  localparam int AT_RSP_VALID = 0;
  localparam int W_RSP_QP = QP_W;
  localparam int AT_RSP_QP = AT_RSP_VALID + W_RSP_VALID;
  localparam int W_RSP_GRANT = 1;
  localparam int AT_RSP_GRANT = AT_RSP_QP + W_RSP_QP;
  localparam int W_RSP_WAIT = 24;
  localparam int AT_RSP_WAIT = AT_RSP_GRANT + W_RSP_GRANT;
  localparam int W_RSP_ERROR = 3;
  localparam int AT_RSP_ERROR = AT_RSP_WAIT + W_RSP_WAIT;
  localparam int W_UPD_VALID = 1;
  localparam int AT_UPD_VALID = AT_RSP_ERROR + W_RSP_ERROR;
  localparam int W_UPD_QP = QP_W;
  localparam int AT_UPD_QP = AT_UPD_VALID + W_UPD_VALID;
  localparam int W_UPD_CAUSE = 4;
  localparam int AT_UPD_CAUSE = AT_UPD_QP + W_UPD_QP;
  localparam int W_UPD_RATE = RATE_FRAC + 1;
  localparam int AT_UPD_RATE = AT_UPD_CAUSE + W_UPD_CAUSE;
  localparam int W_UPD_TARGET = RATE_FRAC + 1;
  localparam int AT_UPD_TARGET = AT_UPD_RATE + W_UPD_RATE;
  localparam int W_UPD_ESTIMATE = EST_FRAC + 1;
  localparam int AT_UPD_ESTIMATE = AT_UPD_TARGET + W_UPD_TARGET;
  localparam int W_UPD_RECOVERY = 5;
  localparam int AT_UPD_RECOVERY = AT_UPD_ESTIMATE + W_UPD_ESTIMATE;
  localparam int W_UPD_CONGESTED = 1;
  localparam int AT_UPD_CONGESTED = AT_UPD_RECOVERY + W_UPD_RECOVERY;
  localparam int W_PEEKED_VALID = 1;
  localparam int AT_PEEKED_VALID = AT_UPD_CONGESTED + W_UPD_CONGESTED;
  localparam int W_PEEKED_QP = QP_W;
  localparam int AT_PEEKED_QP = AT_PEEKED_VALID + W_PEEKED_VALID;
  localparam int W_PEEKED_CONGESTED = 1;
  localparam int AT_PEEKED_CONGESTED = AT_PEEKED_QP + W_PEEKED_QP;
  localparam int W_PEEKED_RATE = RATE_FRAC + 1;
  localparam int AT_PEEKED_RATE = AT_PEEKED_CONGESTED + W_PEEKED_CONGESTED;
  localparam int W_PEEKED_TARGET = RATE_FRAC + 1;
  localparam int AT_PEEKED_TARGET = AT_PEEKED_RATE + W_PEEKED_RATE;
  localparam int W_PEEKED_ESTIMATE = EST_FRAC + 1;
  localparam int AT_PEEKED_ESTIMATE = AT_PEEKED_TARGET + W_PEEKED_TARGET;
  localparam int W_PEEKED_RECOVERY = 5;
  localparam int AT_PEEKED_RECOVERY = AT_PEEKED_ESTIMATE + W_PEEKED_ESTIMATE;
  localparam int W_PEEKED_PHASE = 1;
  localparam int AT_PEEKED_PHASE = AT_PEEKED_RECOVERY + W_PEEKED_RECOVERY;
  localparam int W_PEEKED_SKIPPED = 8;
  localparam int AT_PEEKED_SKIPPED = AT_PEEKED_PHASE + W_PEEKED_PHASE;
  localparam int W_PEEKED_DEADLINE = TIME_W;
  localparam int AT_PEEKED_DEADLINE = AT_PEEKED_SKIPPED + W_PEEKED_SKIPPED;
  localparam int W_PEEKED_CNPS = TIME_W;
  localparam int AT_PEEKED_CNPS = AT_PEEKED_DEADLINE + W_PEEKED_DEADLINE;
  localparam int W_PEEKED_PACKETS = TIME_W;
  localparam int AT_PEEKED_PACKETS = AT_PEEKED_CNPS + W_PEEKED_CNPS;
  localparam int W_PEEKED_TIMER_STAGE = 5;
  localparam int AT_PEEKED_TIMER_STAGE = AT_PEEKED_PACKETS + W_PEEKED_PACKETS;
  localparam int W_PEEKED_BYTE_STAGE = 5;
  localparam int AT_PEEKED_BYTE_STAGE = AT_PEEKED_TIMER_STAGE + W_PEEKED_TIMER_STAGE;
  localparam int W_PEEKED_ALPHA_DEADLINE = TIME_W;
  localparam int AT_PEEKED_ALPHA_DEADLINE = AT_PEEKED_BYTE_STAGE + W_PEEKED_BYTE_STAGE;
  localparam int W_PEEKED_WAITING_BYTES = BYTE_W;
  localparam int AT_PEEKED_WAITING_BYTES = AT_PEEKED_ALPHA_DEADLINE + W_PEEKED_ALPHA_DEADLINE;
  localparam int W_PEEKED_LAST_CUT = TIME_W;
  localparam int AT_PEEKED_LAST_CUT = AT_PEEKED_WAITING_BYTES + W_PEEKED_WAITING_BYTES;
  localparam int W_PEEKED_RECENT_CUT = 1;
  localparam int AT_PEEKED_RECENT_CUT = AT_PEEKED_LAST_CUT + W_PEEKED_LAST_CUT;
  localparam int W_PEEKED_INCREASED = 1;
  localparam int AT_PEEKED_INCREASED = AT_PEEKED_RECENT_CUT + W_PEEKED_RECENT_CUT;
  localparam int W_PEEKED_HELD = 1;
  localparam int AT_PEEKED_HELD = AT_PEEKED_INCREASED + W_PEEKED_INCREASED;
  localparam int W_PEEKED_NEXT_SEND = TIME_W + 16;
  localparam int AT_PEEKED_NEXT_SEND = AT_PEEKED_HELD + W_PEEKED_HELD;
  localparam int W_PEEKED_ERROR = 3;
  localparam int AT_PEEKED_ERROR = AT_PEEKED_NEXT_SEND + W_PEEKED_NEXT_SEND;
  localparam int W_ERR_VALID = 1;
  localparam int AT_ERR_VALID = AT_PEEKED_ERROR + W_PEEKED_ERROR;
  localparam int W_ERR_CHANNEL = 2;
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
  localparam int W_STAT_RANGE = 16;
  localparam int AT_STAT_RANGE = AT_STAT_CNPS + W_STAT_CNPS;
  localparam int W_STAT_ZERO_LENGTH = 16;
  localparam int AT_STAT_ZERO_LENGTH = AT_STAT_RANGE + W_STAT_RANGE;
  localparam int EXPECTED_GAP = AT_STAT_ZERO_LENGTH + W_STAT_ZERO_LENGTH;
  localparam int EXPECTED_BITS = EXPECTED_GAP + GAP_BITS;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic [W_CFG_ENABLE_ECN-1:0] cfg_enable_ecn;
  logic [W_CFG_HALF-1:0] cfg_half;
  logic [W_CFG_WEIGHT-1:0] cfg_weight;
  logic [W_CFG_FIRST_ESTIMATE-1:0] cfg_first_estimate;
  logic [W_CFG_FIRST_RATE-1:0] cfg_first_rate;
  logic [W_CFG_ADDITIVE_STEP-1:0] cfg_additive_step;
  logic [W_CFG_FLOOR-1:0] cfg_floor;
  logic [W_CFG_END_RATE-1:0] cfg_end_rate;
  logic [W_CFG_FAST_RECOVERY_ATTEMPT-1:0] cfg_fast_recovery_attempt;
  logic [W_CFG_LOOPS_PER_INCREASE-1:0] cfg_loops_per_increase;
  logic [W_CFG_LINE_BYTE_TIME-1:0] cfg_line_byte_time;
  logic [W_CFG_PACING_SLACK-1:0] cfg_pacing_slack;
  logic [W_CFG_INITIAL_ALPHA-1:0] cfg_initial_alpha;
  logic [W_CFG_FIRST_CNP_RATE-1:0] cfg_first_cnp_rate;
  logic [W_CFG_ALPHA_GAIN-1:0] cfg_alpha_gain;
  logic [W_CFG_ALPHA_PERIOD-1:0] cfg_alpha_period;
  logic [W_CFG_INCREASE_PERIOD-1:0] cfg_increase_period;
  logic [W_CFG_BYTE_RESET-1:0] cfg_byte_reset;
  logic [W_CFG_THRESHOLD-1:0] cfg_threshold;
  logic [W_CFG_AI_RATE-1:0] cfg_ai_rate;
  logic [W_CFG_HAI_RATE-1:0] cfg_hai_rate;
  logic [W_CFG_CUT_BY_ALPHA-1:0] cfg_cut_by_alpha;
  logic [W_CFG_MIN_DEC_FAC-1:0] cfg_min_dec_fac;
  logic [W_CFG_MIN_RATE-1:0] cfg_min_rate;
  logic [W_CFG_MONITOR_PERIOD-1:0] cfg_monitor_period;
  logic [W_CFG_CLAMP_TARGET-1:0] cfg_clamp_target;
  logic [W_CNP_VALID-1:0] cnp_valid;
  logic [W_CNP_QP-1:0] cnp_qp;
  logic [W_REQ_VALID-1:0] req_valid;
  logic [W_REQ_QP-1:0] req_qp;
  logic [W_REQ_BYTES-1:0] req_bytes;
  logic [W_PEEK_VALID-1:0] peek_valid;
  logic [W_PEEK_QP-1:0] peek_qp;
  logic [W_RSP_VALID-1:0] rsp_valid;
  logic [W_RSP_QP-1:0] rsp_qp;
  logic [W_RSP_GRANT-1:0] rsp_grant;
  logic [W_RSP_WAIT-1:0] rsp_wait;
  logic [W_RSP_ERROR-1:0] rsp_error;
  logic [W_UPD_VALID-1:0] upd_valid;
  logic [W_UPD_QP-1:0] upd_qp;
  logic [W_UPD_CAUSE-1:0] upd_cause;
  logic [W_UPD_RATE-1:0] upd_rate;
  logic [W_UPD_TARGET-1:0] upd_target;
  logic [W_UPD_ESTIMATE-1:0] upd_estimate;
  logic [W_UPD_RECOVERY-1:0] upd_recovery;
  logic [W_UPD_CONGESTED-1:0] upd_congested;
  logic [W_PEEKED_VALID-1:0] peeked_valid;
  logic [W_PEEKED_QP-1:0] peeked_qp;
  logic [W_PEEKED_CONGESTED-1:0] peeked_congested;
  logic [W_PEEKED_RATE-1:0] peeked_rate;
  logic [W_PEEKED_TARGET-1:0] peeked_target;
  logic [W_PEEKED_ESTIMATE-1:0] peeked_estimate;
  logic [W_PEEKED_RECOVERY-1:0] peeked_recovery;
  logic [W_PEEKED_PHASE-1:0] peeked_phase;
  logic [W_PEEKED_SKIPPED-1:0] peeked_skipped;
  logic [W_PEEKED_DEADLINE-1:0] peeked_deadline;
  logic [W_PEEKED_CNPS-1:0] peeked_cnps;
  logic [W_PEEKED_PACKETS-1:0] peeked_packets;
  logic [W_PEEKED_TIMER_STAGE-1:0] peeked_timer_stage;
  logic [W_PEEKED_BYTE_STAGE-1:0] peeked_byte_stage;
  logic [W_PEEKED_ALPHA_DEADLINE-1:0] peeked_alpha_deadline;
  logic [W_PEEKED_WAITING_BYTES-1:0] peeked_waiting_bytes;
  logic [W_PEEKED_LAST_CUT-1:0] peeked_last_cut;
  logic [W_PEEKED_RECENT_CUT-1:0] peeked_recent_cut;
  logic [W_PEEKED_INCREASED-1:0] peeked_increased;
  logic [W_PEEKED_HELD-1:0] peeked_held;
  logic [W_PEEKED_NEXT_SEND-1:0] peeked_next_send;
  logic [W_PEEKED_ERROR-1:0] peeked_error;
  logic [W_ERR_VALID-1:0] err_valid;
  logic [W_ERR_CHANNEL-1:0] err_channel;
  logic [W_ERR_CODE-1:0] err_code;
  logic [W_ERR_QP-1:0] err_qp;
  logic [W_PEEK_READY-1:0] peek_ready;
  logic [W_INIT_DONE-1:0] init_done;
  logic [W_STAT_CNPS-1:0] stat_cnps;
  logic [W_STAT_RANGE-1:0] stat_range;
  logic [W_STAT_ZERO_LENGTH-1:0] stat_zero_length;

`ifdef CONGRUENT_NETLIST
  `CONGRUENT_DUT dut (
`else
  `CONGRUENT_DUT #(
    .QPS (QPS),
    .QP_W (QP_W),
    .TIME_W (TIME_W),
    .TIME_INIT (TIME_INIT),
    .RATE_FRAC (RATE_FRAC),
    .EST_FRAC (EST_FRAC),
    .DCQCN (DCQCN),
    .BYTE_W (BYTE_W)
  ) dut (
`endif
    .clk (clk),
    .rst_n (rst_n),
    .cfg_enable_ecn (cfg_enable_ecn),
    .cfg_half (cfg_half),
    .cfg_weight (cfg_weight),
    .cfg_first_estimate (cfg_first_estimate),
    .cfg_first_rate (cfg_first_rate),
    .cfg_additive_step (cfg_additive_step),
    .cfg_floor (cfg_floor),
    .cfg_end_rate (cfg_end_rate),
    .cfg_fast_recovery_attempt (cfg_fast_recovery_attempt),
    .cfg_loops_per_increase (cfg_loops_per_increase),
    .cfg_line_byte_time (cfg_line_byte_time),
    .cfg_pacing_slack (cfg_pacing_slack),
    .cfg_initial_alpha (cfg_initial_alpha),
    .cfg_first_cnp_rate (cfg_first_cnp_rate),
    .cfg_alpha_gain (cfg_alpha_gain),
    .cfg_alpha_period (cfg_alpha_period),
    .cfg_increase_period (cfg_increase_period),
    .cfg_byte_reset (cfg_byte_reset),
    .cfg_threshold (cfg_threshold),
    .cfg_ai_rate (cfg_ai_rate),
    .cfg_hai_rate (cfg_hai_rate),
    .cfg_cut_by_alpha (cfg_cut_by_alpha),
    .cfg_min_dec_fac (cfg_min_dec_fac),
    .cfg_min_rate (cfg_min_rate),
    .cfg_monitor_period (cfg_monitor_period),
    .cfg_clamp_target (cfg_clamp_target),
    .cnp_valid (cnp_valid),
    .cnp_qp (cnp_qp),
    .req_valid (req_valid),
    .req_qp (req_qp),
    .req_bytes (req_bytes),
    .peek_valid (peek_valid),
    .peek_qp (peek_qp),
    .rsp_valid (rsp_valid),
    .rsp_qp (rsp_qp),
    .rsp_grant (rsp_grant),
    .rsp_wait (rsp_wait),
    .rsp_error (rsp_error),
    .upd_valid (upd_valid),
    .upd_qp (upd_qp),
    .upd_cause (upd_cause),
    .upd_rate (upd_rate),
    .upd_target (upd_target),
    .upd_estimate (upd_estimate),
    .upd_recovery (upd_recovery),
    .upd_congested (upd_congested),
    .peeked_valid (peeked_valid),
    .peeked_qp (peeked_qp),
    .peeked_congested (peeked_congested),
    .peeked_rate (peeked_rate),
    .peeked_target (peeked_target),
    .peeked_estimate (peeked_estimate),
    .peeked_recovery (peeked_recovery),
    .peeked_phase (peeked_phase),
    .peeked_skipped (peeked_skipped),
    .peeked_deadline (peeked_deadline),
    .peeked_cnps (peeked_cnps),
    .peeked_packets (peeked_packets),
    .peeked_timer_stage (peeked_timer_stage),
    .peeked_byte_stage (peeked_byte_stage),
    .peeked_alpha_deadline (peeked_alpha_deadline),
    .peeked_waiting_bytes (peeked_waiting_bytes),
    .peeked_last_cut (peeked_last_cut),
    .peeked_recent_cut (peeked_recent_cut),
    .peeked_increased (peeked_increased),
    .peeked_held (peeked_held),
    .peeked_next_send (peeked_next_send),
    .peeked_error (peeked_error),
    .err_valid (err_valid),
    .err_channel (err_channel),
    .err_code (err_code),
    .err_qp (err_qp),
    .peek_ready (peek_ready),
    .init_done (init_done),
    .stat_cnps (stat_cnps),
    .stat_range (stat_range),
    .stat_zero_length (stat_zero_length)
  );

  always #5 clk = !clk;

  // --------------------------------------------------------------------------------------------
  // Files. A word of stimulus and expected stands for one cycle; its gap counts the cycles without
  // a word before it. run.hex says how many words there are, and the values of the cfg_ pins.
  // --------------------------------------------------------------------------------------------

  localparam int FORMAT_VERSION = 2;
  localparam logic [255:0] NAME = "rate_limiter";
  localparam int FIRST_PARAM = 10;
  localparam int FIRST_CFG = FIRST_PARAM + 8;
  localparam int RUN_WORDS = FIRST_CFG + 26;

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
      $display("error: %0s is of another block than rate_limiter", folder);
      failed = 1'b1;
    end
    check_run("QPS", FIRST_PARAM + 0, QPS);
    check_run("QP_W", FIRST_PARAM + 1, QP_W);
    check_run("TIME_W", FIRST_PARAM + 2, TIME_W);
    check_run("TIME_INIT", FIRST_PARAM + 3, TIME_INIT);
    check_run("RATE_FRAC", FIRST_PARAM + 4, RATE_FRAC);
    check_run("EST_FRAC", FIRST_PARAM + 5, EST_FRAC);
    check_run("DCQCN", FIRST_PARAM + 6, DCQCN);
    check_run("BYTE_W", FIRST_PARAM + 7, BYTE_W);
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
    cfg_half = run[FIRST_CFG + 1][W_CFG_HALF-1:0];
    cfg_weight = run[FIRST_CFG + 2][W_CFG_WEIGHT-1:0];
    cfg_first_estimate = run[FIRST_CFG + 3][W_CFG_FIRST_ESTIMATE-1:0];
    cfg_first_rate = run[FIRST_CFG + 4][W_CFG_FIRST_RATE-1:0];
    cfg_additive_step = run[FIRST_CFG + 5][W_CFG_ADDITIVE_STEP-1:0];
    cfg_floor = run[FIRST_CFG + 6][W_CFG_FLOOR-1:0];
    cfg_end_rate = run[FIRST_CFG + 7][W_CFG_END_RATE-1:0];
    cfg_fast_recovery_attempt = run[FIRST_CFG + 8][W_CFG_FAST_RECOVERY_ATTEMPT-1:0];
    cfg_loops_per_increase = run[FIRST_CFG + 9][W_CFG_LOOPS_PER_INCREASE-1:0];
    cfg_line_byte_time = run[FIRST_CFG + 10][W_CFG_LINE_BYTE_TIME-1:0];
    cfg_pacing_slack = run[FIRST_CFG + 11][W_CFG_PACING_SLACK-1:0];
    cfg_initial_alpha = run[FIRST_CFG + 12][W_CFG_INITIAL_ALPHA-1:0];
    cfg_first_cnp_rate = run[FIRST_CFG + 13][W_CFG_FIRST_CNP_RATE-1:0];
    cfg_alpha_gain = run[FIRST_CFG + 14][W_CFG_ALPHA_GAIN-1:0];
    cfg_alpha_period = run[FIRST_CFG + 15][W_CFG_ALPHA_PERIOD-1:0];
    cfg_increase_period = run[FIRST_CFG + 16][W_CFG_INCREASE_PERIOD-1:0];
    cfg_byte_reset = run[FIRST_CFG + 17][W_CFG_BYTE_RESET-1:0];
    cfg_threshold = run[FIRST_CFG + 18][W_CFG_THRESHOLD-1:0];
    cfg_ai_rate = run[FIRST_CFG + 19][W_CFG_AI_RATE-1:0];
    cfg_hai_rate = run[FIRST_CFG + 20][W_CFG_HAI_RATE-1:0];
    cfg_cut_by_alpha = run[FIRST_CFG + 21][W_CFG_CUT_BY_ALPHA-1:0];
    cfg_min_dec_fac = run[FIRST_CFG + 22][W_CFG_MIN_DEC_FAC-1:0];
    cfg_min_rate = run[FIRST_CFG + 23][W_CFG_MIN_RATE-1:0];
    cfg_monitor_period = run[FIRST_CFG + 24][W_CFG_MONITOR_PERIOD-1:0];
    cfg_clamp_target = run[FIRST_CFG + 25][W_CFG_CLAMP_TARGET-1:0];
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
      in_word[AT_CNP_VALID] = 1'b0;
      in_word[AT_REQ_VALID] = 1'b0;
      in_word[AT_PEEK_VALID] = 1'b0;
    end
    if (out_at < expected_words && cycle == out_next) begin
      out_word = expected[out_at];
      out_at = out_at + 1;
      if (out_at < expected_words) out_next = cycle + 1 + out_gap(out_at);
    end else begin
      out_word[AT_RSP_VALID] = 1'b0;
      out_word[AT_UPD_VALID] = 1'b0;
      out_word[AT_PEEKED_VALID] = 1'b0;
      out_word[AT_ERR_VALID] = 1'b0;
    end
  endtask

  // --------------------------------------------------------------------------------------------
  // Pins.
  // --------------------------------------------------------------------------------------------

  // The payload of a channel whose valid is 0 is X: the block must not look at it.
  task drive;
    cnp_valid = in_word[AT_CNP_VALID +: W_CNP_VALID];
    cnp_qp = cnp_valid ? in_word[AT_CNP_QP +: W_CNP_QP] : 'x;
    req_valid = in_word[AT_REQ_VALID +: W_REQ_VALID];
    req_qp = req_valid ? in_word[AT_REQ_QP +: W_REQ_QP] : 'x;
    req_bytes = req_valid ? in_word[AT_REQ_BYTES +: W_REQ_BYTES] : 'x;
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
    if (rsp_valid !== '0) differs("rsp_valid", 64'd0, 64'(rsp_valid));
    if (upd_valid !== '0) differs("upd_valid", 64'd0, 64'(upd_valid));
    if (peeked_valid !== '0) differs("peeked_valid", 64'd0, 64'(peeked_valid));
    if (err_valid !== '0) differs("err_valid", 64'd0, 64'(err_valid));
    if (peek_ready !== '0) differs("peek_ready", 64'd0, 64'(peek_ready));
    if (^init_done === 1'bx) unknown("init_done");
    if (^stat_cnps === 1'bx) unknown("stat_cnps");
    if (^stat_range === 1'bx) unknown("stat_range");
    if (^stat_zero_length === 1'bx) unknown("stat_zero_length");
  endtask

  // What counts: valids, readies and levels; the fields of a valid beat; of these, beside an error,
  // only the error, the context and the key.
  task compare;
    if (rsp_valid !== out_word[AT_RSP_VALID +: W_RSP_VALID])
      differs("rsp_valid", 64'(out_word[AT_RSP_VALID +: W_RSP_VALID]),
              64'(rsp_valid));
    if (out_word[AT_RSP_VALID]) begin
      if (rsp_qp !== out_word[AT_RSP_QP +: W_RSP_QP])
        differs("rsp_qp", 64'(out_word[AT_RSP_QP +: W_RSP_QP]),
                64'(rsp_qp));
      if (out_word[AT_RSP_ERROR +: W_RSP_ERROR] == '0) begin
        if (rsp_grant !== out_word[AT_RSP_GRANT +: W_RSP_GRANT])
          differs("rsp_grant", 64'(out_word[AT_RSP_GRANT +: W_RSP_GRANT]),
                  64'(rsp_grant));
        if (rsp_wait !== out_word[AT_RSP_WAIT +: W_RSP_WAIT])
          differs("rsp_wait", 64'(out_word[AT_RSP_WAIT +: W_RSP_WAIT]),
                  64'(rsp_wait));
      end
      if (rsp_error !== out_word[AT_RSP_ERROR +: W_RSP_ERROR])
        differs("rsp_error", 64'(out_word[AT_RSP_ERROR +: W_RSP_ERROR]),
                64'(rsp_error));
    end
    if (upd_valid !== out_word[AT_UPD_VALID +: W_UPD_VALID])
      differs("upd_valid", 64'(out_word[AT_UPD_VALID +: W_UPD_VALID]),
              64'(upd_valid));
    if (out_word[AT_UPD_VALID]) begin
      if (upd_qp !== out_word[AT_UPD_QP +: W_UPD_QP])
        differs("upd_qp", 64'(out_word[AT_UPD_QP +: W_UPD_QP]),
                64'(upd_qp));
      if (upd_cause !== out_word[AT_UPD_CAUSE +: W_UPD_CAUSE])
        differs("upd_cause", 64'(out_word[AT_UPD_CAUSE +: W_UPD_CAUSE]),
                64'(upd_cause));
      if (upd_rate !== out_word[AT_UPD_RATE +: W_UPD_RATE])
        differs("upd_rate", 64'(out_word[AT_UPD_RATE +: W_UPD_RATE]),
                64'(upd_rate));
      if (upd_target !== out_word[AT_UPD_TARGET +: W_UPD_TARGET])
        differs("upd_target", 64'(out_word[AT_UPD_TARGET +: W_UPD_TARGET]),
                64'(upd_target));
      if (upd_estimate !== out_word[AT_UPD_ESTIMATE +: W_UPD_ESTIMATE])
        differs("upd_estimate", 64'(out_word[AT_UPD_ESTIMATE +: W_UPD_ESTIMATE]),
                64'(upd_estimate));
      if (upd_recovery !== out_word[AT_UPD_RECOVERY +: W_UPD_RECOVERY])
        differs("upd_recovery", 64'(out_word[AT_UPD_RECOVERY +: W_UPD_RECOVERY]),
                64'(upd_recovery));
      if (upd_congested !== out_word[AT_UPD_CONGESTED +: W_UPD_CONGESTED])
        differs("upd_congested", 64'(out_word[AT_UPD_CONGESTED +: W_UPD_CONGESTED]),
                64'(upd_congested));
    end
    if (peeked_valid !== out_word[AT_PEEKED_VALID +: W_PEEKED_VALID])
      differs("peeked_valid", 64'(out_word[AT_PEEKED_VALID +: W_PEEKED_VALID]),
              64'(peeked_valid));
    if (out_word[AT_PEEKED_VALID]) begin
      if (peeked_qp !== out_word[AT_PEEKED_QP +: W_PEEKED_QP])
        differs("peeked_qp", 64'(out_word[AT_PEEKED_QP +: W_PEEKED_QP]),
                64'(peeked_qp));
      if (out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR] == '0) begin
        if (peeked_congested !== out_word[AT_PEEKED_CONGESTED +: W_PEEKED_CONGESTED])
          differs("peeked_congested", 64'(out_word[AT_PEEKED_CONGESTED +: W_PEEKED_CONGESTED]),
                  64'(peeked_congested));
        if (peeked_rate !== out_word[AT_PEEKED_RATE +: W_PEEKED_RATE])
          differs("peeked_rate", 64'(out_word[AT_PEEKED_RATE +: W_PEEKED_RATE]),
                  64'(peeked_rate));
        if (peeked_target !== out_word[AT_PEEKED_TARGET +: W_PEEKED_TARGET])
          differs("peeked_target", 64'(out_word[AT_PEEKED_TARGET +: W_PEEKED_TARGET]),
                  64'(peeked_target));
        if (peeked_estimate !== out_word[AT_PEEKED_ESTIMATE +: W_PEEKED_ESTIMATE])
          differs("peeked_estimate", 64'(out_word[AT_PEEKED_ESTIMATE +: W_PEEKED_ESTIMATE]),
                  64'(peeked_estimate));
        if (peeked_recovery !== out_word[AT_PEEKED_RECOVERY +: W_PEEKED_RECOVERY])
          differs("peeked_recovery", 64'(out_word[AT_PEEKED_RECOVERY +: W_PEEKED_RECOVERY]),
                  64'(peeked_recovery));
        if (peeked_phase !== out_word[AT_PEEKED_PHASE +: W_PEEKED_PHASE])
          differs("peeked_phase", 64'(out_word[AT_PEEKED_PHASE +: W_PEEKED_PHASE]),
                  64'(peeked_phase));
        if (peeked_skipped !== out_word[AT_PEEKED_SKIPPED +: W_PEEKED_SKIPPED])
          differs("peeked_skipped", 64'(out_word[AT_PEEKED_SKIPPED +: W_PEEKED_SKIPPED]),
                  64'(peeked_skipped));
        if (peeked_deadline !== out_word[AT_PEEKED_DEADLINE +: W_PEEKED_DEADLINE])
          differs("peeked_deadline", 64'(out_word[AT_PEEKED_DEADLINE +: W_PEEKED_DEADLINE]),
                  64'(peeked_deadline));
        if (peeked_cnps !== out_word[AT_PEEKED_CNPS +: W_PEEKED_CNPS])
          differs("peeked_cnps", 64'(out_word[AT_PEEKED_CNPS +: W_PEEKED_CNPS]),
                  64'(peeked_cnps));
        if (peeked_packets !== out_word[AT_PEEKED_PACKETS +: W_PEEKED_PACKETS])
          differs("peeked_packets", 64'(out_word[AT_PEEKED_PACKETS +: W_PEEKED_PACKETS]),
                  64'(peeked_packets));
        if (peeked_timer_stage !== out_word[AT_PEEKED_TIMER_STAGE +: W_PEEKED_TIMER_STAGE])
          differs("peeked_timer_stage", 64'(out_word[AT_PEEKED_TIMER_STAGE +: W_PEEKED_TIMER_STAGE]),
                  64'(peeked_timer_stage));
        if (peeked_byte_stage !== out_word[AT_PEEKED_BYTE_STAGE +: W_PEEKED_BYTE_STAGE])
          differs("peeked_byte_stage", 64'(out_word[AT_PEEKED_BYTE_STAGE +: W_PEEKED_BYTE_STAGE]),
                  64'(peeked_byte_stage));
        if (peeked_alpha_deadline !== out_word[AT_PEEKED_ALPHA_DEADLINE +: W_PEEKED_ALPHA_DEADLINE])
          differs("peeked_alpha_deadline", 64'(out_word[AT_PEEKED_ALPHA_DEADLINE +: W_PEEKED_ALPHA_DEADLINE]),
                  64'(peeked_alpha_deadline));
        if (peeked_waiting_bytes !== out_word[AT_PEEKED_WAITING_BYTES +: W_PEEKED_WAITING_BYTES])
          differs("peeked_waiting_bytes", 64'(out_word[AT_PEEKED_WAITING_BYTES +: W_PEEKED_WAITING_BYTES]),
                  64'(peeked_waiting_bytes));
        if (peeked_last_cut !== out_word[AT_PEEKED_LAST_CUT +: W_PEEKED_LAST_CUT])
          differs("peeked_last_cut", 64'(out_word[AT_PEEKED_LAST_CUT +: W_PEEKED_LAST_CUT]),
                  64'(peeked_last_cut));
        if (peeked_recent_cut !== out_word[AT_PEEKED_RECENT_CUT +: W_PEEKED_RECENT_CUT])
          differs("peeked_recent_cut", 64'(out_word[AT_PEEKED_RECENT_CUT +: W_PEEKED_RECENT_CUT]),
                  64'(peeked_recent_cut));
        if (peeked_increased !== out_word[AT_PEEKED_INCREASED +: W_PEEKED_INCREASED])
          differs("peeked_increased", 64'(out_word[AT_PEEKED_INCREASED +: W_PEEKED_INCREASED]),
                  64'(peeked_increased));
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
    $dumpfile("rate_limiter_tb.vcd");
    $dumpvars(0, rate_limiter_tb);
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
      $display("FAIL rate_limiter %0s", folder);
      $fatal(0, "FAIL");
    end
    $display("PASS rate_limiter %0s, %0d cycles", folder, cycles);
    $finish(0);
  end

endmodule
