// Replay testbench of nscc_window: plays a folder of vector files into it and compares every
// output of every cycle with !==, so that an X is a mismatch. Prints the first mismatch, and PASS or
// FAIL at the end; $finish after PASS, $fatal after FAIL. testbenches/README.md says how to run it.
//
// Written by `congruent testbench generate` from the block's port table: do not edit it.
//
// Plusarg: +folder=DIR. Macros: CONGRUENT_<PARAMETER>, as in a folder's params.f; CONGRUENT_DUT,
// the name of another module; CONGRUENT_NETLIST, where the module has no parameters;
// CONGRUENT_DUMP, for a waveform in nscc_window_tb.vcd.

`ifndef CONGRUENT_DESTS
  `define CONGRUENT_DESTS 256
`endif
`ifndef CONGRUENT_DST_W
  `define CONGRUENT_DST_W 12
`endif
`ifndef CONGRUENT_UET
  `define CONGRUENT_UET 0
`endif
`ifndef CONGRUENT_TIME_W
  `define CONGRUENT_TIME_W 32
`endif
`ifndef CONGRUENT_TIME_INIT
  `define CONGRUENT_TIME_INIT -96
`endif
`ifndef CONGRUENT_CWND_FRAC
  `define CONGRUENT_CWND_FRAC 8
`endif
`ifndef CONGRUENT_RTT_W
  `define CONGRUENT_RTT_W 20
`endif
`ifndef CONGRUENT_DUT
  `define CONGRUENT_DUT nscc_window
`endif

module nscc_window_tb #(
  parameter int DESTS = `CONGRUENT_DESTS,
  parameter int DST_W = `CONGRUENT_DST_W,
  parameter int UET = `CONGRUENT_UET,
  parameter int TIME_W = `CONGRUENT_TIME_W,
  parameter int TIME_INIT = `CONGRUENT_TIME_INIT,
  parameter int CWND_FRAC = `CONGRUENT_CWND_FRAC,
  parameter int RTT_W = `CONGRUENT_RTT_W,
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
  localparam int W_CFG_PASS_THROUGH = 1;
  localparam int W_CFG_DISABLE_QUICK_ADAPT = 1;
  localparam int W_CFG_DELAY_TRIGGER = 1;
  localparam int W_CFG_WINDOW_FIXED = 1;
  localparam int W_CFG_QUICK_ADAPT_GATE = 5;
  localparam int W_CFG_QUICK_ADAPT_THRESHOLD = RTT_W + 4;
  localparam int W_CFG_PACKET = 15;
  localparam int W_CFG_BASE_RTT = RTT_W + 4;
  localparam int W_CFG_TARGET = RTT_W + 4;
  localparam int W_CFG_MARGIN = RTT_W + 4;
  localparam int W_CFG_FIRST_WINDOW = CWND_FRAC + 24;
  localparam int W_CFG_WINDOW_RATE = 36;
  localparam int W_CFG_ALPHA = 40;
  localparam int W_CFG_FAIR = 40;
  localparam int W_CFG_ETA = CWND_FRAC + 24;
  localparam int W_CFG_FAST = 32;
  localparam int W_CFG_DELAY_ALPHA = 25;
  localparam int W_CFG_GAMMA = 25;
  localparam int W_CFG_SMALLEST_KEEP = 25;

  // stimulus.hex: inputs, and above them the gap.
  localparam int W_EVT_VALID = 1;
  localparam int AT_EVT_VALID = 0;
  localparam int W_EVT_KIND = 3;
  localparam int AT_EVT_KIND = AT_EVT_VALID + W_EVT_VALID;
  localparam int W_EVT_DST = DST_W;
  localparam int AT_EVT_DST = AT_EVT_KIND + W_EVT_KIND;
  localparam int W_EVT_BYTES = 24;
  localparam int AT_EVT_BYTES = AT_EVT_DST + W_EVT_DST;
  localparam int W_EVT_FLIGHT = 24;
  localparam int AT_EVT_FLIGHT = AT_EVT_BYTES + W_EVT_BYTES;
  localparam int W_EVT_RTT_VALID = 1;
  localparam int AT_EVT_RTT_VALID = AT_EVT_FLIGHT + W_EVT_FLIGHT;
  localparam int W_EVT_RTT = RTT_W + 4;
  localparam int AT_EVT_RTT = AT_EVT_RTT_VALID + W_EVT_RTT_VALID;
  localparam int W_EVT_TRIMMED = 1;
  localparam int AT_EVT_TRIMMED = AT_EVT_RTT + W_EVT_RTT;
  localparam int W_EVT_ECN = 1;
  localparam int AT_EVT_ECN = AT_EVT_TRIMMED + W_EVT_TRIMMED;
  localparam int W_EVT_PENALTY = 7;
  localparam int AT_EVT_PENALTY = AT_EVT_ECN + W_EVT_ECN;
  localparam int W_EVT_RESTORE = 1;
  localparam int AT_EVT_RESTORE = AT_EVT_PENALTY + W_EVT_PENALTY;
  localparam int W_PEEK_VALID = 1;
  localparam int AT_PEEK_VALID = AT_EVT_RESTORE + W_EVT_RESTORE;
  localparam int W_PEEK_DST = DST_W;
  localparam int AT_PEEK_DST = AT_PEEK_VALID + W_PEEK_VALID;
  localparam int STIMULUS_GAP = AT_PEEK_DST + W_PEEK_DST;
  localparam int STIMULUS_BITS = STIMULUS_GAP + GAP_BITS;

  // expected.hex: outputs, and above them the gap.
  localparam int W_WIN_VALID = 1;
  localparam int AT_WIN_VALID = 0;
  localparam int W_WIN_KIND = 3;
  localparam int AT_WIN_KIND = AT_WIN_VALID + W_WIN_VALID;
  localparam int W_WIN_DST = DST_W;
  localparam int AT_WIN_DST = AT_WIN_KIND + W_WIN_KIND;
  localparam int W_WIN_CWND = CWND_FRAC + 24;
  localparam int AT_WIN_CWND = AT_WIN_DST + W_WIN_DST;
  localparam int W_WIN_IN_FLIGHT = 24;
  localparam int AT_WIN_IN_FLIGHT = AT_WIN_CWND + W_WIN_CWND;
  localparam int W_WIN_BASE_RTT = RTT_W + 4;
  localparam int AT_WIN_BASE_RTT = AT_WIN_IN_FLIGHT + W_WIN_IN_FLIGHT;
  localparam int W_WIN_AVG_DELAY = RTT_W + 12;
  localparam int AT_WIN_AVG_DELAY = AT_WIN_BASE_RTT + W_WIN_BASE_RTT;
  localparam int W_WIN_ROUTINE = 4;
  localparam int AT_WIN_ROUTINE = AT_WIN_AVG_DELAY + W_WIN_AVG_DELAY;
  localparam int W_WIN_GRANTED = 1;
  localparam int AT_WIN_GRANTED = AT_WIN_ROUTINE + W_WIN_ROUTINE;
  localparam int W_WIN_WANTS_CACK = 1;
  localparam int AT_WIN_WANTS_CACK = AT_WIN_GRANTED + W_WIN_GRANTED;
  localparam int W_WIN_QA_FIRED = 1;
  localparam int AT_WIN_QA_FIRED = AT_WIN_WANTS_CACK + W_WIN_WANTS_CACK;
  localparam int W_WIN_ERROR = 3;
  localparam int AT_WIN_ERROR = AT_WIN_QA_FIRED + W_WIN_QA_FIRED;
  localparam int W_PEEKED_VALID = 1;
  localparam int AT_PEEKED_VALID = AT_WIN_ERROR + W_WIN_ERROR;
  localparam int W_PEEKED_DST = DST_W;
  localparam int AT_PEEKED_DST = AT_PEEKED_VALID + W_PEEKED_VALID;
  localparam int W_PEEKED_OPEN = 1;
  localparam int AT_PEEKED_OPEN = AT_PEEKED_DST + W_PEEKED_DST;
  localparam int W_PEEKED_CWND = CWND_FRAC + 24;
  localparam int AT_PEEKED_CWND = AT_PEEKED_OPEN + W_PEEKED_OPEN;
  localparam int W_PEEKED_IN_FLIGHT = 24;
  localparam int AT_PEEKED_IN_FLIGHT = AT_PEEKED_CWND + W_PEEKED_CWND;
  localparam int W_PEEKED_BASE_RTT = RTT_W + 4;
  localparam int AT_PEEKED_BASE_RTT = AT_PEEKED_IN_FLIGHT + W_PEEKED_IN_FLIGHT;
  localparam int W_PEEKED_AVG_DELAY = RTT_W + 12;
  localparam int AT_PEEKED_AVG_DELAY = AT_PEEKED_BASE_RTT + W_PEEKED_BASE_RTT;
  localparam int W_PEEKED_MAX_WINDOW = CWND_FRAC + 24;
  localparam int AT_PEEKED_MAX_WINDOW = AT_PEEKED_AVG_DELAY + W_PEEKED_AVG_DELAY;
  localparam int W_PEEKED_PENDING = 52;
  localparam int AT_PEEKED_PENDING = AT_PEEKED_MAX_WINDOW + W_PEEKED_MAX_WINDOW;
  localparam int W_PEEKED_RECEIVED = 24;
  localparam int AT_PEEKED_RECEIVED = AT_PEEKED_PENDING + W_PEEKED_PENDING;
  localparam int W_PEEKED_ETA_DUE = 1;
  localparam int AT_PEEKED_ETA_DUE = AT_PEEKED_RECEIVED + W_PEEKED_RECEIVED;
  localparam int W_PEEKED_LAST_ETA = TIME_W;
  localparam int AT_PEEKED_LAST_ETA = AT_PEEKED_ETA_DUE + W_PEEKED_ETA_DUE;
  localparam int W_PEEKED_FAST_COUNT = 24;
  localparam int AT_PEEKED_FAST_COUNT = AT_PEEKED_LAST_ETA + W_PEEKED_LAST_ETA;
  localparam int W_PEEKED_FAST_ON = 1;
  localparam int AT_PEEKED_FAST_ON = AT_PEEKED_FAST_COUNT + W_PEEKED_FAST_COUNT;
  localparam int W_PEEKED_QA_OPEN = 1;
  localparam int AT_PEEKED_QA_OPEN = AT_PEEKED_FAST_ON + W_PEEKED_FAST_ON;
  localparam int W_PEEKED_QA_OVER = 1;
  localparam int AT_PEEKED_QA_OVER = AT_PEEKED_QA_OPEN + W_PEEKED_QA_OPEN;
  localparam int W_PEEKED_QA_END = TIME_W;
  localparam int AT_PEEKED_QA_END = AT_PEEKED_QA_OVER + W_PEEKED_QA_OVER;
  localparam int W_PEEKED_QA_BYTES = 24;
  localparam int AT_PEEKED_QA_BYTES = AT_PEEKED_QA_END + W_PEEKED_QA_END;
  localparam int W_PEEKED_QA_TRIGGER = 1;
  localparam int AT_PEEKED_QA_TRIGGER = AT_PEEKED_QA_BYTES + W_PEEKED_QA_BYTES;
  localparam int W_PEEKED_IGNORE_LEFT = 24;
  localparam int AT_PEEKED_IGNORE_LEFT = AT_PEEKED_QA_TRIGGER + W_PEEKED_QA_TRIGGER;
  localparam int W_PEEKED_CUT_HELD = 1;
  localparam int AT_PEEKED_CUT_HELD = AT_PEEKED_IGNORE_LEFT + W_PEEKED_IGNORE_LEFT;
  localparam int W_PEEKED_LAST_CUT = TIME_W;
  localparam int AT_PEEKED_LAST_CUT = AT_PEEKED_CUT_HELD + W_PEEKED_CUT_HELD;
  localparam int W_PEEKED_SAVED_CWND = CWND_FRAC + 24;
  localparam int AT_PEEKED_SAVED_CWND = AT_PEEKED_LAST_CUT + W_PEEKED_LAST_CUT;
  localparam int W_PEEKED_ERROR = 3;
  localparam int AT_PEEKED_ERROR = AT_PEEKED_SAVED_CWND + W_PEEKED_SAVED_CWND;
  localparam int W_EVT_READY = 1;
  localparam int AT_EVT_READY = AT_PEEKED_ERROR + W_PEEKED_ERROR;
  localparam int W_PEEK_READY = 1;
  localparam int AT_PEEK_READY = AT_EVT_READY + W_EVT_READY;
  localparam int W_INIT_DONE = 1;
  localparam int AT_INIT_DONE = AT_PEEK_READY + W_PEEK_READY;
  localparam int W_STAT_EVENTS = 16;
  localparam int AT_STAT_EVENTS = AT_INIT_DONE + W_INIT_DONE;
  localparam int W_STAT_RANGE = 16;
  localparam int AT_STAT_RANGE = AT_STAT_EVENTS + W_STAT_EVENTS;
  localparam int W_STAT_CLOSED = 16;
  localparam int AT_STAT_CLOSED = AT_STAT_RANGE + W_STAT_RANGE;
  localparam int W_STAT_UNDERFLOW = 16;
  localparam int AT_STAT_UNDERFLOW = AT_STAT_CLOSED + W_STAT_CLOSED;
  localparam int W_STAT_QUICK_ADAPTS = 16;
  localparam int AT_STAT_QUICK_ADAPTS = AT_STAT_UNDERFLOW + W_STAT_UNDERFLOW;
  localparam int W_STAT_FAST_INCREASES = 16;
  localparam int AT_STAT_FAST_INCREASES = AT_STAT_QUICK_ADAPTS + W_STAT_QUICK_ADAPTS;
  localparam int EXPECTED_GAP = AT_STAT_FAST_INCREASES + W_STAT_FAST_INCREASES;
  localparam int EXPECTED_BITS = EXPECTED_GAP + GAP_BITS;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic [W_CFG_PASS_THROUGH-1:0] cfg_pass_through;
  logic [W_CFG_DISABLE_QUICK_ADAPT-1:0] cfg_disable_quick_adapt;
  logic [W_CFG_DELAY_TRIGGER-1:0] cfg_delay_trigger;
  logic [W_CFG_WINDOW_FIXED-1:0] cfg_window_fixed;
  logic [W_CFG_QUICK_ADAPT_GATE-1:0] cfg_quick_adapt_gate;
  logic [W_CFG_QUICK_ADAPT_THRESHOLD-1:0] cfg_quick_adapt_threshold;
  logic [W_CFG_PACKET-1:0] cfg_packet;
  logic [W_CFG_BASE_RTT-1:0] cfg_base_rtt;
  logic [W_CFG_TARGET-1:0] cfg_target;
  logic [W_CFG_MARGIN-1:0] cfg_margin;
  logic [W_CFG_FIRST_WINDOW-1:0] cfg_first_window;
  logic [W_CFG_WINDOW_RATE-1:0] cfg_window_rate;
  logic [W_CFG_ALPHA-1:0] cfg_alpha;
  logic [W_CFG_FAIR-1:0] cfg_fair;
  logic [W_CFG_ETA-1:0] cfg_eta;
  logic [W_CFG_FAST-1:0] cfg_fast;
  logic [W_CFG_DELAY_ALPHA-1:0] cfg_delay_alpha;
  logic [W_CFG_GAMMA-1:0] cfg_gamma;
  logic [W_CFG_SMALLEST_KEEP-1:0] cfg_smallest_keep;
  logic [W_EVT_VALID-1:0] evt_valid;
  logic [W_EVT_KIND-1:0] evt_kind;
  logic [W_EVT_DST-1:0] evt_dst;
  logic [W_EVT_BYTES-1:0] evt_bytes;
  logic [W_EVT_FLIGHT-1:0] evt_flight;
  logic [W_EVT_RTT_VALID-1:0] evt_rtt_valid;
  logic [W_EVT_RTT-1:0] evt_rtt;
  logic [W_EVT_TRIMMED-1:0] evt_trimmed;
  logic [W_EVT_ECN-1:0] evt_ecn;
  logic [W_EVT_PENALTY-1:0] evt_penalty;
  logic [W_EVT_RESTORE-1:0] evt_restore;
  logic [W_PEEK_VALID-1:0] peek_valid;
  logic [W_PEEK_DST-1:0] peek_dst;
  logic [W_WIN_VALID-1:0] win_valid;
  logic [W_WIN_KIND-1:0] win_kind;
  logic [W_WIN_DST-1:0] win_dst;
  logic [W_WIN_CWND-1:0] win_cwnd;
  logic [W_WIN_IN_FLIGHT-1:0] win_in_flight;
  logic [W_WIN_BASE_RTT-1:0] win_base_rtt;
  logic [W_WIN_AVG_DELAY-1:0] win_avg_delay;
  logic [W_WIN_ROUTINE-1:0] win_routine;
  logic [W_WIN_GRANTED-1:0] win_granted;
  logic [W_WIN_WANTS_CACK-1:0] win_wants_cack;
  logic [W_WIN_QA_FIRED-1:0] win_qa_fired;
  logic [W_WIN_ERROR-1:0] win_error;
  logic [W_PEEKED_VALID-1:0] peeked_valid;
  logic [W_PEEKED_DST-1:0] peeked_dst;
  logic [W_PEEKED_OPEN-1:0] peeked_open;
  logic [W_PEEKED_CWND-1:0] peeked_cwnd;
  logic [W_PEEKED_IN_FLIGHT-1:0] peeked_in_flight;
  logic [W_PEEKED_BASE_RTT-1:0] peeked_base_rtt;
  logic [W_PEEKED_AVG_DELAY-1:0] peeked_avg_delay;
  logic [W_PEEKED_MAX_WINDOW-1:0] peeked_max_window;
  logic [W_PEEKED_PENDING-1:0] peeked_pending;
  logic [W_PEEKED_RECEIVED-1:0] peeked_received;
  logic [W_PEEKED_ETA_DUE-1:0] peeked_eta_due;
  logic [W_PEEKED_LAST_ETA-1:0] peeked_last_eta;
  logic [W_PEEKED_FAST_COUNT-1:0] peeked_fast_count;
  logic [W_PEEKED_FAST_ON-1:0] peeked_fast_on;
  logic [W_PEEKED_QA_OPEN-1:0] peeked_qa_open;
  logic [W_PEEKED_QA_OVER-1:0] peeked_qa_over;
  logic [W_PEEKED_QA_END-1:0] peeked_qa_end;
  logic [W_PEEKED_QA_BYTES-1:0] peeked_qa_bytes;
  logic [W_PEEKED_QA_TRIGGER-1:0] peeked_qa_trigger;
  logic [W_PEEKED_IGNORE_LEFT-1:0] peeked_ignore_left;
  logic [W_PEEKED_CUT_HELD-1:0] peeked_cut_held;
  logic [W_PEEKED_LAST_CUT-1:0] peeked_last_cut;
  logic [W_PEEKED_SAVED_CWND-1:0] peeked_saved_cwnd;
  logic [W_PEEKED_ERROR-1:0] peeked_error;
  logic [W_EVT_READY-1:0] evt_ready;
  logic [W_PEEK_READY-1:0] peek_ready;
  logic [W_INIT_DONE-1:0] init_done;
  logic [W_STAT_EVENTS-1:0] stat_events;
  logic [W_STAT_RANGE-1:0] stat_range;
  logic [W_STAT_CLOSED-1:0] stat_closed;
  logic [W_STAT_UNDERFLOW-1:0] stat_underflow;
  logic [W_STAT_QUICK_ADAPTS-1:0] stat_quick_adapts;
  logic [W_STAT_FAST_INCREASES-1:0] stat_fast_increases;

`ifdef CONGRUENT_NETLIST
  `CONGRUENT_DUT dut (
`else
  `CONGRUENT_DUT #(
    .DESTS (DESTS),
    .DST_W (DST_W),
    .UET (UET),
    .TIME_W (TIME_W),
    .TIME_INIT (TIME_INIT),
    .CWND_FRAC (CWND_FRAC),
    .RTT_W (RTT_W)
  ) dut (
`endif
    .clk (clk),
    .rst_n (rst_n),
    .cfg_pass_through (cfg_pass_through),
    .cfg_disable_quick_adapt (cfg_disable_quick_adapt),
    .cfg_delay_trigger (cfg_delay_trigger),
    .cfg_window_fixed (cfg_window_fixed),
    .cfg_quick_adapt_gate (cfg_quick_adapt_gate),
    .cfg_quick_adapt_threshold (cfg_quick_adapt_threshold),
    .cfg_packet (cfg_packet),
    .cfg_base_rtt (cfg_base_rtt),
    .cfg_target (cfg_target),
    .cfg_margin (cfg_margin),
    .cfg_first_window (cfg_first_window),
    .cfg_window_rate (cfg_window_rate),
    .cfg_alpha (cfg_alpha),
    .cfg_fair (cfg_fair),
    .cfg_eta (cfg_eta),
    .cfg_fast (cfg_fast),
    .cfg_delay_alpha (cfg_delay_alpha),
    .cfg_gamma (cfg_gamma),
    .cfg_smallest_keep (cfg_smallest_keep),
    .evt_valid (evt_valid),
    .evt_kind (evt_kind),
    .evt_dst (evt_dst),
    .evt_bytes (evt_bytes),
    .evt_flight (evt_flight),
    .evt_rtt_valid (evt_rtt_valid),
    .evt_rtt (evt_rtt),
    .evt_trimmed (evt_trimmed),
    .evt_ecn (evt_ecn),
    .evt_penalty (evt_penalty),
    .evt_restore (evt_restore),
    .peek_valid (peek_valid),
    .peek_dst (peek_dst),
    .win_valid (win_valid),
    .win_kind (win_kind),
    .win_dst (win_dst),
    .win_cwnd (win_cwnd),
    .win_in_flight (win_in_flight),
    .win_base_rtt (win_base_rtt),
    .win_avg_delay (win_avg_delay),
    .win_routine (win_routine),
    .win_granted (win_granted),
    .win_wants_cack (win_wants_cack),
    .win_qa_fired (win_qa_fired),
    .win_error (win_error),
    .peeked_valid (peeked_valid),
    .peeked_dst (peeked_dst),
    .peeked_open (peeked_open),
    .peeked_cwnd (peeked_cwnd),
    .peeked_in_flight (peeked_in_flight),
    .peeked_base_rtt (peeked_base_rtt),
    .peeked_avg_delay (peeked_avg_delay),
    .peeked_max_window (peeked_max_window),
    .peeked_pending (peeked_pending),
    .peeked_received (peeked_received),
    .peeked_eta_due (peeked_eta_due),
    .peeked_last_eta (peeked_last_eta),
    .peeked_fast_count (peeked_fast_count),
    .peeked_fast_on (peeked_fast_on),
    .peeked_qa_open (peeked_qa_open),
    .peeked_qa_over (peeked_qa_over),
    .peeked_qa_end (peeked_qa_end),
    .peeked_qa_bytes (peeked_qa_bytes),
    .peeked_qa_trigger (peeked_qa_trigger),
    .peeked_ignore_left (peeked_ignore_left),
    .peeked_cut_held (peeked_cut_held),
    .peeked_last_cut (peeked_last_cut),
    .peeked_saved_cwnd (peeked_saved_cwnd),
    .peeked_error (peeked_error),
    .evt_ready (evt_ready),
    .peek_ready (peek_ready),
    .init_done (init_done),
    .stat_events (stat_events),
    .stat_range (stat_range),
    .stat_closed (stat_closed),
    .stat_underflow (stat_underflow),
    .stat_quick_adapts (stat_quick_adapts),
    .stat_fast_increases (stat_fast_increases)
  );

  always #5 clk = !clk;

  // --------------------------------------------------------------------------------------------
  // Files. A word of stimulus and expected stands for one cycle; its gap counts the cycles without
  // a word before it. run.hex says how many words there are, and the values of the cfg_ pins.
  // --------------------------------------------------------------------------------------------

  localparam int FORMAT_VERSION = 2;
  localparam logic [255:0] NAME = "nscc_window";
  localparam int FIRST_PARAM = 10;
  localparam int FIRST_CFG = FIRST_PARAM + 7;
  localparam int RUN_WORDS = FIRST_CFG + 19;

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
      $display("error: %0s is of another block than nscc_window", folder);
      failed = 1'b1;
    end
    check_run("DESTS", FIRST_PARAM + 0, DESTS);
    check_run("DST_W", FIRST_PARAM + 1, DST_W);
    check_run("UET", FIRST_PARAM + 2, UET);
    check_run("TIME_W", FIRST_PARAM + 3, TIME_W);
    check_run("TIME_INIT", FIRST_PARAM + 4, TIME_INIT);
    check_run("CWND_FRAC", FIRST_PARAM + 5, CWND_FRAC);
    check_run("RTT_W", FIRST_PARAM + 6, RTT_W);
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
    cfg_pass_through = run[FIRST_CFG + 0][W_CFG_PASS_THROUGH-1:0];
    cfg_disable_quick_adapt = run[FIRST_CFG + 1][W_CFG_DISABLE_QUICK_ADAPT-1:0];
    cfg_delay_trigger = run[FIRST_CFG + 2][W_CFG_DELAY_TRIGGER-1:0];
    cfg_window_fixed = run[FIRST_CFG + 3][W_CFG_WINDOW_FIXED-1:0];
    cfg_quick_adapt_gate = run[FIRST_CFG + 4][W_CFG_QUICK_ADAPT_GATE-1:0];
    cfg_quick_adapt_threshold = run[FIRST_CFG + 5][W_CFG_QUICK_ADAPT_THRESHOLD-1:0];
    cfg_packet = run[FIRST_CFG + 6][W_CFG_PACKET-1:0];
    cfg_base_rtt = run[FIRST_CFG + 7][W_CFG_BASE_RTT-1:0];
    cfg_target = run[FIRST_CFG + 8][W_CFG_TARGET-1:0];
    cfg_margin = run[FIRST_CFG + 9][W_CFG_MARGIN-1:0];
    cfg_first_window = run[FIRST_CFG + 10][W_CFG_FIRST_WINDOW-1:0];
    cfg_window_rate = run[FIRST_CFG + 11][W_CFG_WINDOW_RATE-1:0];
    cfg_alpha = run[FIRST_CFG + 12][W_CFG_ALPHA-1:0];
    cfg_fair = run[FIRST_CFG + 13][W_CFG_FAIR-1:0];
    cfg_eta = run[FIRST_CFG + 14][W_CFG_ETA-1:0];
    cfg_fast = run[FIRST_CFG + 15][W_CFG_FAST-1:0];
    cfg_delay_alpha = run[FIRST_CFG + 16][W_CFG_DELAY_ALPHA-1:0];
    cfg_gamma = run[FIRST_CFG + 17][W_CFG_GAMMA-1:0];
    cfg_smallest_keep = run[FIRST_CFG + 18][W_CFG_SMALLEST_KEEP-1:0];
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
      in_word[AT_EVT_VALID] = 1'b0;
      in_word[AT_PEEK_VALID] = 1'b0;
    end
    if (out_at < expected_words && cycle == out_next) begin
      out_word = expected[out_at];
      out_at = out_at + 1;
      if (out_at < expected_words) out_next = cycle + 1 + out_gap(out_at);
    end else begin
      out_word[AT_WIN_VALID] = 1'b0;
      out_word[AT_PEEKED_VALID] = 1'b0;
    end
  endtask

  // --------------------------------------------------------------------------------------------
  // Pins.
  // --------------------------------------------------------------------------------------------

  // The payload of a channel whose valid is 0 is X: the block must not look at it.
  task drive;
    evt_valid = in_word[AT_EVT_VALID +: W_EVT_VALID];
    evt_kind = evt_valid ? in_word[AT_EVT_KIND +: W_EVT_KIND] : 'x;
    evt_dst = evt_valid ? in_word[AT_EVT_DST +: W_EVT_DST] : 'x;
    evt_bytes = evt_valid ? in_word[AT_EVT_BYTES +: W_EVT_BYTES] : 'x;
    evt_flight = evt_valid ? in_word[AT_EVT_FLIGHT +: W_EVT_FLIGHT] : 'x;
    evt_rtt_valid = evt_valid ? in_word[AT_EVT_RTT_VALID +: W_EVT_RTT_VALID] : 'x;
    evt_rtt = evt_valid ? in_word[AT_EVT_RTT +: W_EVT_RTT] : 'x;
    evt_trimmed = evt_valid ? in_word[AT_EVT_TRIMMED +: W_EVT_TRIMMED] : 'x;
    evt_ecn = evt_valid ? in_word[AT_EVT_ECN +: W_EVT_ECN] : 'x;
    evt_penalty = evt_valid ? in_word[AT_EVT_PENALTY +: W_EVT_PENALTY] : 'x;
    evt_restore = evt_valid ? in_word[AT_EVT_RESTORE +: W_EVT_RESTORE] : 'x;
    peek_valid = in_word[AT_PEEK_VALID +: W_PEEK_VALID];
    peek_dst = peek_valid ? in_word[AT_PEEK_DST +: W_PEEK_DST] : 'x;
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
    if (win_valid !== '0) differs("win_valid", 64'd0, 64'(win_valid));
    if (peeked_valid !== '0) differs("peeked_valid", 64'd0, 64'(peeked_valid));
    if (evt_ready !== '0) differs("evt_ready", 64'd0, 64'(evt_ready));
    if (peek_ready !== '0) differs("peek_ready", 64'd0, 64'(peek_ready));
    if (^init_done === 1'bx) unknown("init_done");
    if (^stat_events === 1'bx) unknown("stat_events");
    if (^stat_range === 1'bx) unknown("stat_range");
    if (^stat_closed === 1'bx) unknown("stat_closed");
    if (^stat_underflow === 1'bx) unknown("stat_underflow");
    if (^stat_quick_adapts === 1'bx) unknown("stat_quick_adapts");
    if (^stat_fast_increases === 1'bx) unknown("stat_fast_increases");
  endtask

  // What counts: valids, readies and levels; the fields of a valid beat; of these, beside an error,
  // only the error, the context and the key.
  task compare;
    if (win_valid !== out_word[AT_WIN_VALID +: W_WIN_VALID])
      differs("win_valid", 64'(out_word[AT_WIN_VALID +: W_WIN_VALID]),
              64'(win_valid));
    if (out_word[AT_WIN_VALID]) begin
      if (out_word[AT_WIN_ERROR +: W_WIN_ERROR] == '0) begin
        if (win_kind !== out_word[AT_WIN_KIND +: W_WIN_KIND])
          differs("win_kind", 64'(out_word[AT_WIN_KIND +: W_WIN_KIND]),
                  64'(win_kind));
      end
      if (win_dst !== out_word[AT_WIN_DST +: W_WIN_DST])
        differs("win_dst", 64'(out_word[AT_WIN_DST +: W_WIN_DST]),
                64'(win_dst));
      if (out_word[AT_WIN_ERROR +: W_WIN_ERROR] == '0) begin
        if (win_cwnd !== out_word[AT_WIN_CWND +: W_WIN_CWND])
          differs("win_cwnd", 64'(out_word[AT_WIN_CWND +: W_WIN_CWND]),
                  64'(win_cwnd));
        if (win_in_flight !== out_word[AT_WIN_IN_FLIGHT +: W_WIN_IN_FLIGHT])
          differs("win_in_flight", 64'(out_word[AT_WIN_IN_FLIGHT +: W_WIN_IN_FLIGHT]),
                  64'(win_in_flight));
        if (win_base_rtt !== out_word[AT_WIN_BASE_RTT +: W_WIN_BASE_RTT])
          differs("win_base_rtt", 64'(out_word[AT_WIN_BASE_RTT +: W_WIN_BASE_RTT]),
                  64'(win_base_rtt));
        if (win_avg_delay !== out_word[AT_WIN_AVG_DELAY +: W_WIN_AVG_DELAY])
          differs("win_avg_delay", 64'(out_word[AT_WIN_AVG_DELAY +: W_WIN_AVG_DELAY]),
                  64'(win_avg_delay));
        if (win_routine !== out_word[AT_WIN_ROUTINE +: W_WIN_ROUTINE])
          differs("win_routine", 64'(out_word[AT_WIN_ROUTINE +: W_WIN_ROUTINE]),
                  64'(win_routine));
        if (win_granted !== out_word[AT_WIN_GRANTED +: W_WIN_GRANTED])
          differs("win_granted", 64'(out_word[AT_WIN_GRANTED +: W_WIN_GRANTED]),
                  64'(win_granted));
        if (win_wants_cack !== out_word[AT_WIN_WANTS_CACK +: W_WIN_WANTS_CACK])
          differs("win_wants_cack", 64'(out_word[AT_WIN_WANTS_CACK +: W_WIN_WANTS_CACK]),
                  64'(win_wants_cack));
        if (win_qa_fired !== out_word[AT_WIN_QA_FIRED +: W_WIN_QA_FIRED])
          differs("win_qa_fired", 64'(out_word[AT_WIN_QA_FIRED +: W_WIN_QA_FIRED]),
                  64'(win_qa_fired));
      end
      if (win_error !== out_word[AT_WIN_ERROR +: W_WIN_ERROR])
        differs("win_error", 64'(out_word[AT_WIN_ERROR +: W_WIN_ERROR]),
                64'(win_error));
    end
    if (peeked_valid !== out_word[AT_PEEKED_VALID +: W_PEEKED_VALID])
      differs("peeked_valid", 64'(out_word[AT_PEEKED_VALID +: W_PEEKED_VALID]),
              64'(peeked_valid));
    if (out_word[AT_PEEKED_VALID]) begin
      if (peeked_dst !== out_word[AT_PEEKED_DST +: W_PEEKED_DST])
        differs("peeked_dst", 64'(out_word[AT_PEEKED_DST +: W_PEEKED_DST]),
                64'(peeked_dst));
      if (out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR] == '0) begin
        if (peeked_open !== out_word[AT_PEEKED_OPEN +: W_PEEKED_OPEN])
          differs("peeked_open", 64'(out_word[AT_PEEKED_OPEN +: W_PEEKED_OPEN]),
                  64'(peeked_open));
        if (peeked_cwnd !== out_word[AT_PEEKED_CWND +: W_PEEKED_CWND])
          differs("peeked_cwnd", 64'(out_word[AT_PEEKED_CWND +: W_PEEKED_CWND]),
                  64'(peeked_cwnd));
        if (peeked_in_flight !== out_word[AT_PEEKED_IN_FLIGHT +: W_PEEKED_IN_FLIGHT])
          differs("peeked_in_flight", 64'(out_word[AT_PEEKED_IN_FLIGHT +: W_PEEKED_IN_FLIGHT]),
                  64'(peeked_in_flight));
        if (peeked_base_rtt !== out_word[AT_PEEKED_BASE_RTT +: W_PEEKED_BASE_RTT])
          differs("peeked_base_rtt", 64'(out_word[AT_PEEKED_BASE_RTT +: W_PEEKED_BASE_RTT]),
                  64'(peeked_base_rtt));
        if (peeked_avg_delay !== out_word[AT_PEEKED_AVG_DELAY +: W_PEEKED_AVG_DELAY])
          differs("peeked_avg_delay", 64'(out_word[AT_PEEKED_AVG_DELAY +: W_PEEKED_AVG_DELAY]),
                  64'(peeked_avg_delay));
        if (peeked_max_window !== out_word[AT_PEEKED_MAX_WINDOW +: W_PEEKED_MAX_WINDOW])
          differs("peeked_max_window", 64'(out_word[AT_PEEKED_MAX_WINDOW +: W_PEEKED_MAX_WINDOW]),
                  64'(peeked_max_window));
        if (peeked_pending !== out_word[AT_PEEKED_PENDING +: W_PEEKED_PENDING])
          differs("peeked_pending", 64'(out_word[AT_PEEKED_PENDING +: W_PEEKED_PENDING]),
                  64'(peeked_pending));
        if (peeked_received !== out_word[AT_PEEKED_RECEIVED +: W_PEEKED_RECEIVED])
          differs("peeked_received", 64'(out_word[AT_PEEKED_RECEIVED +: W_PEEKED_RECEIVED]),
                  64'(peeked_received));
        if (peeked_eta_due !== out_word[AT_PEEKED_ETA_DUE +: W_PEEKED_ETA_DUE])
          differs("peeked_eta_due", 64'(out_word[AT_PEEKED_ETA_DUE +: W_PEEKED_ETA_DUE]),
                  64'(peeked_eta_due));
        if (peeked_last_eta !== out_word[AT_PEEKED_LAST_ETA +: W_PEEKED_LAST_ETA])
          differs("peeked_last_eta", 64'(out_word[AT_PEEKED_LAST_ETA +: W_PEEKED_LAST_ETA]),
                  64'(peeked_last_eta));
        if (peeked_fast_count !== out_word[AT_PEEKED_FAST_COUNT +: W_PEEKED_FAST_COUNT])
          differs("peeked_fast_count", 64'(out_word[AT_PEEKED_FAST_COUNT +: W_PEEKED_FAST_COUNT]),
                  64'(peeked_fast_count));
        if (peeked_fast_on !== out_word[AT_PEEKED_FAST_ON +: W_PEEKED_FAST_ON])
          differs("peeked_fast_on", 64'(out_word[AT_PEEKED_FAST_ON +: W_PEEKED_FAST_ON]),
                  64'(peeked_fast_on));
        if (peeked_qa_open !== out_word[AT_PEEKED_QA_OPEN +: W_PEEKED_QA_OPEN])
          differs("peeked_qa_open", 64'(out_word[AT_PEEKED_QA_OPEN +: W_PEEKED_QA_OPEN]),
                  64'(peeked_qa_open));
        if (peeked_qa_over !== out_word[AT_PEEKED_QA_OVER +: W_PEEKED_QA_OVER])
          differs("peeked_qa_over", 64'(out_word[AT_PEEKED_QA_OVER +: W_PEEKED_QA_OVER]),
                  64'(peeked_qa_over));
        if (peeked_qa_end !== out_word[AT_PEEKED_QA_END +: W_PEEKED_QA_END])
          differs("peeked_qa_end", 64'(out_word[AT_PEEKED_QA_END +: W_PEEKED_QA_END]),
                  64'(peeked_qa_end));
        if (peeked_qa_bytes !== out_word[AT_PEEKED_QA_BYTES +: W_PEEKED_QA_BYTES])
          differs("peeked_qa_bytes", 64'(out_word[AT_PEEKED_QA_BYTES +: W_PEEKED_QA_BYTES]),
                  64'(peeked_qa_bytes));
        if (peeked_qa_trigger !== out_word[AT_PEEKED_QA_TRIGGER +: W_PEEKED_QA_TRIGGER])
          differs("peeked_qa_trigger", 64'(out_word[AT_PEEKED_QA_TRIGGER +: W_PEEKED_QA_TRIGGER]),
                  64'(peeked_qa_trigger));
        if (peeked_ignore_left !== out_word[AT_PEEKED_IGNORE_LEFT +: W_PEEKED_IGNORE_LEFT])
          differs("peeked_ignore_left", 64'(out_word[AT_PEEKED_IGNORE_LEFT +: W_PEEKED_IGNORE_LEFT]),
                  64'(peeked_ignore_left));
        if (peeked_cut_held !== out_word[AT_PEEKED_CUT_HELD +: W_PEEKED_CUT_HELD])
          differs("peeked_cut_held", 64'(out_word[AT_PEEKED_CUT_HELD +: W_PEEKED_CUT_HELD]),
                  64'(peeked_cut_held));
        if (peeked_last_cut !== out_word[AT_PEEKED_LAST_CUT +: W_PEEKED_LAST_CUT])
          differs("peeked_last_cut", 64'(out_word[AT_PEEKED_LAST_CUT +: W_PEEKED_LAST_CUT]),
                  64'(peeked_last_cut));
        if (peeked_saved_cwnd !== out_word[AT_PEEKED_SAVED_CWND +: W_PEEKED_SAVED_CWND])
          differs("peeked_saved_cwnd", 64'(out_word[AT_PEEKED_SAVED_CWND +: W_PEEKED_SAVED_CWND]),
                  64'(peeked_saved_cwnd));
      end
      if (peeked_error !== out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR])
        differs("peeked_error", 64'(out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR]),
                64'(peeked_error));
    end
    if (evt_ready !== out_word[AT_EVT_READY +: W_EVT_READY])
      differs("evt_ready", 64'(out_word[AT_EVT_READY +: W_EVT_READY]),
              64'(evt_ready));
    if (peek_ready !== out_word[AT_PEEK_READY +: W_PEEK_READY])
      differs("peek_ready", 64'(out_word[AT_PEEK_READY +: W_PEEK_READY]),
              64'(peek_ready));
    if (init_done !== out_word[AT_INIT_DONE +: W_INIT_DONE])
      differs("init_done", 64'(out_word[AT_INIT_DONE +: W_INIT_DONE]),
              64'(init_done));
    if (stat_events !== out_word[AT_STAT_EVENTS +: W_STAT_EVENTS])
      differs("stat_events", 64'(out_word[AT_STAT_EVENTS +: W_STAT_EVENTS]),
              64'(stat_events));
    if (stat_range !== out_word[AT_STAT_RANGE +: W_STAT_RANGE])
      differs("stat_range", 64'(out_word[AT_STAT_RANGE +: W_STAT_RANGE]),
              64'(stat_range));
    if (stat_closed !== out_word[AT_STAT_CLOSED +: W_STAT_CLOSED])
      differs("stat_closed", 64'(out_word[AT_STAT_CLOSED +: W_STAT_CLOSED]),
              64'(stat_closed));
    if (stat_underflow !== out_word[AT_STAT_UNDERFLOW +: W_STAT_UNDERFLOW])
      differs("stat_underflow", 64'(out_word[AT_STAT_UNDERFLOW +: W_STAT_UNDERFLOW]),
              64'(stat_underflow));
    if (stat_quick_adapts !== out_word[AT_STAT_QUICK_ADAPTS +: W_STAT_QUICK_ADAPTS])
      differs("stat_quick_adapts", 64'(out_word[AT_STAT_QUICK_ADAPTS +: W_STAT_QUICK_ADAPTS]),
              64'(stat_quick_adapts));
    if (stat_fast_increases !== out_word[AT_STAT_FAST_INCREASES +: W_STAT_FAST_INCREASES])
      differs("stat_fast_increases", 64'(out_word[AT_STAT_FAST_INCREASES +: W_STAT_FAST_INCREASES]),
              64'(stat_fast_increases));
  endtask

  // --------------------------------------------------------------------------------------------
  // The run. Inputs change on the falling edge; outputs are read just before the rising edge that
  // ends the cycle.
  // --------------------------------------------------------------------------------------------

  initial begin
`ifdef CONGRUENT_DUMP
    $dumpfile("nscc_window_tb.vcd");
    $dumpvars(0, nscc_window_tb);
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
      $display("FAIL nscc_window %0s", folder);
      $fatal(0, "FAIL");
    end
    $display("PASS nscc_window %0s, %0d cycles", folder, cycles);
    $finish(0);
  end

endmodule
