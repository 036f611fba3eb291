// Replay testbench of hpcc_window: plays a folder of vector files into it and compares every
// output of every cycle with !==, so that an X is a mismatch. Prints the first mismatch, and PASS or
// FAIL at the end; $finish after PASS, $fatal after FAIL. testbenches/README.md says how to run it.
//
// Written by `congruent testbench generate` from the block's port table: do not edit it.
//
// Plusarg: +folder=DIR. Macros: CONGRUENT_<PARAMETER>, as in a folder's params.f; CONGRUENT_DUT,
// the name of another module; CONGRUENT_NETLIST, where the module has no parameters;
// CONGRUENT_DUMP, for a waveform in hpcc_window_tb.vcd.

`ifndef CONGRUENT_FLOWS
  `define CONGRUENT_FLOWS 256
`endif
`ifndef CONGRUENT_FLOW_W
  `define CONGRUENT_FLOW_W 12
`endif
`ifndef CONGRUENT_HOPS
  `define CONGRUENT_HOPS 5
`endif
`ifndef CONGRUENT_TIME_W
  `define CONGRUENT_TIME_W 48
`endif
`ifndef CONGRUENT_TIME_INIT
  `define CONGRUENT_TIME_INIT -96
`endif
`ifndef CONGRUENT_U_FRAC
  `define CONGRUENT_U_FRAC 24
`endif
`ifndef CONGRUENT_W_FRAC
  `define CONGRUENT_W_FRAC 8
`endif
`ifndef CONGRUENT_DUT
  `define CONGRUENT_DUT hpcc_window
`endif

module hpcc_window_tb #(
  parameter int FLOWS = `CONGRUENT_FLOWS,
  parameter int FLOW_W = `CONGRUENT_FLOW_W,
  parameter int HOPS = `CONGRUENT_HOPS,
  parameter int TIME_W = `CONGRUENT_TIME_W,
  parameter int TIME_INIT = `CONGRUENT_TIME_INIT,
  parameter int U_FRAC = `CONGRUENT_U_FRAC,
  parameter int W_FRAC = `CONGRUENT_W_FRAC,
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
  localparam int W_CFG_INT_FORMAT = 1;
  localparam int W_CFG_BASE_RTT = 30;
  localparam int W_CFG_INVERSE_RTT = 25;
  localparam int W_CFG_INVERSE_RTT_SHIFT = 5;
  localparam int W_CFG_ETA = 25;
  localparam int W_CFG_MAX_STAGE = 8;
  localparam int W_CFG_WAI = W_FRAC + 28;
  localparam int W_CFG_FIRST_WINDOW = W_FRAC + 28;
  localparam int W_CFG_PACKET = 15;
  localparam int W_CFG_AGE = TIME_W;

  // stimulus.hex: inputs, and above them the gap.
  localparam int W_ACK_VALID = 1;
  localparam int AT_ACK_VALID = 0;
  localparam int W_ACK_FLOW = FLOW_W;
  localparam int AT_ACK_FLOW = AT_ACK_VALID + W_ACK_VALID;
  localparam int W_ACK_SEQ = 32;
  localparam int AT_ACK_SEQ = AT_ACK_FLOW + W_ACK_FLOW;
  localparam int W_ACK_SND_NXT = 32;
  localparam int AT_ACK_SND_NXT = AT_ACK_SEQ + W_ACK_SEQ;
  localparam int W_ACK_PATH = 12;
  localparam int AT_ACK_PATH = AT_ACK_SND_NXT + W_ACK_SND_NXT;
  localparam int W_ACK_HOPS = 4;
  localparam int AT_ACK_HOPS = AT_ACK_PATH + W_ACK_PATH;
  localparam int W_HOP_VALID = 1;
  localparam int AT_HOP_VALID = AT_ACK_HOPS + W_ACK_HOPS;
  localparam int W_HOP_RATE = 11;
  localparam int AT_HOP_RATE = AT_HOP_VALID + W_HOP_VALID;
  localparam int W_HOP_TS = 48;
  localparam int AT_HOP_TS = AT_HOP_RATE + W_HOP_RATE;
  localparam int W_HOP_TX_BYTES = 48;
  localparam int AT_HOP_TX_BYTES = AT_HOP_TS + W_HOP_TS;
  localparam int W_HOP_QLEN = 48;
  localparam int AT_HOP_QLEN = AT_HOP_TX_BYTES + W_HOP_TX_BYTES;
  localparam int W_OPEN_VALID = 1;
  localparam int AT_OPEN_VALID = AT_HOP_QLEN + W_HOP_QLEN;
  localparam int W_OPEN_FLOW = FLOW_W;
  localparam int AT_OPEN_FLOW = AT_OPEN_VALID + W_OPEN_VALID;
  localparam int W_CLOSE_VALID = 1;
  localparam int AT_CLOSE_VALID = AT_OPEN_FLOW + W_OPEN_FLOW;
  localparam int W_CLOSE_FLOW = FLOW_W;
  localparam int AT_CLOSE_FLOW = AT_CLOSE_VALID + W_CLOSE_VALID;
  localparam int W_PEEK_VALID = 1;
  localparam int AT_PEEK_VALID = AT_CLOSE_FLOW + W_CLOSE_FLOW;
  localparam int W_PEEK_FLOW = FLOW_W;
  localparam int AT_PEEK_FLOW = AT_PEEK_VALID + W_PEEK_VALID;
  localparam int STIMULUS_GAP = AT_PEEK_FLOW + W_PEEK_FLOW;
  localparam int STIMULUS_BITS = STIMULUS_GAP + GAP_BITS;

  // expected.hex: outputs, and above them the gap.
  localparam int W_WIN_VALID = 1;
  localparam int AT_WIN_VALID = 0;
  localparam int W_WIN_FLOW = FLOW_W;
  localparam int AT_WIN_FLOW = AT_WIN_VALID + W_WIN_VALID;
  localparam int W_WIN_WINDOW = W_FRAC + 28;
  localparam int AT_WIN_WINDOW = AT_WIN_FLOW + W_WIN_FLOW;
  localparam int W_WIN_RATE = 27;
  localparam int AT_WIN_RATE = AT_WIN_WINDOW + W_WIN_WINDOW;
  localparam int W_WIN_U = U_FRAC + 12;
  localparam int AT_WIN_U = AT_WIN_RATE + W_WIN_RATE;
  localparam int W_WIN_STAGE = 8;
  localparam int AT_WIN_STAGE = AT_WIN_U + W_WIN_U;
  localparam int W_WIN_BRANCH = 2;
  localparam int AT_WIN_BRANCH = AT_WIN_STAGE + W_WIN_STAGE;
  localparam int W_WIN_ERROR = 3;
  localparam int AT_WIN_ERROR = AT_WIN_BRANCH + W_WIN_BRANCH;
  localparam int W_ERR_OPEN_VALID = 1;
  localparam int AT_ERR_OPEN_VALID = AT_WIN_ERROR + W_WIN_ERROR;
  localparam int W_ERR_OPEN_FLOW = FLOW_W;
  localparam int AT_ERR_OPEN_FLOW = AT_ERR_OPEN_VALID + W_ERR_OPEN_VALID;
  localparam int W_ERR_OPEN_ERROR = 3;
  localparam int AT_ERR_OPEN_ERROR = AT_ERR_OPEN_FLOW + W_ERR_OPEN_FLOW;
  localparam int W_ERR_CLOSE_VALID = 1;
  localparam int AT_ERR_CLOSE_VALID = AT_ERR_OPEN_ERROR + W_ERR_OPEN_ERROR;
  localparam int W_ERR_CLOSE_FLOW = FLOW_W;
  localparam int AT_ERR_CLOSE_FLOW = AT_ERR_CLOSE_VALID + W_ERR_CLOSE_VALID;
  localparam int W_ERR_CLOSE_ERROR = 3;
  localparam int AT_ERR_CLOSE_ERROR = AT_ERR_CLOSE_FLOW + W_ERR_CLOSE_FLOW;
  localparam int W_PEEKED_VALID = 1;
  localparam int AT_PEEKED_VALID = AT_ERR_CLOSE_ERROR + W_ERR_CLOSE_ERROR;
  localparam int W_PEEKED_FLOW = FLOW_W;
  localparam int AT_PEEKED_FLOW = AT_PEEKED_VALID + W_PEEKED_VALID;
  localparam int W_PEEKED_OPEN = 1;
  localparam int AT_PEEKED_OPEN = AT_PEEKED_FLOW + W_PEEKED_FLOW;
  localparam int W_PEEKED_WINDOW = W_FRAC + 28;
  localparam int AT_PEEKED_WINDOW = AT_PEEKED_OPEN + W_PEEKED_OPEN;
  localparam int W_PEEKED_REFERENCE = W_FRAC + 28;
  localparam int AT_PEEKED_REFERENCE = AT_PEEKED_WINDOW + W_PEEKED_WINDOW;
  localparam int W_PEEKED_U = U_FRAC + 12;
  localparam int AT_PEEKED_U = AT_PEEKED_REFERENCE + W_PEEKED_REFERENCE;
  localparam int W_PEEKED_STAGE = 8;
  localparam int AT_PEEKED_STAGE = AT_PEEKED_U + W_PEEKED_U;
  localparam int W_PEEKED_LAST_UPDATE_SEQ = 32;
  localparam int AT_PEEKED_LAST_UPDATE_SEQ = AT_PEEKED_STAGE + W_PEEKED_STAGE;
  localparam int W_PEEKED_STORED = 1;
  localparam int AT_PEEKED_STORED = AT_PEEKED_LAST_UPDATE_SEQ + W_PEEKED_LAST_UPDATE_SEQ;
  localparam int W_PEEKED_STORED_AT = TIME_W;
  localparam int AT_PEEKED_STORED_AT = AT_PEEKED_STORED + W_PEEKED_STORED;
  localparam int W_PEEKED_PATH = 12;
  localparam int AT_PEEKED_PATH = AT_PEEKED_STORED_AT + W_PEEKED_STORED_AT;
  localparam int W_PEEKED_HOPS = 3;
  localparam int AT_PEEKED_HOPS = AT_PEEKED_PATH + W_PEEKED_PATH;
  localparam int W_PEEKED_TS0 = 48;
  localparam int AT_PEEKED_TS0 = AT_PEEKED_HOPS + W_PEEKED_HOPS;
  localparam int W_PEEKED_TX0 = 48;
  localparam int AT_PEEKED_TX0 = AT_PEEKED_TS0 + W_PEEKED_TS0;
  localparam int W_PEEKED_QLEN0 = 48;
  localparam int AT_PEEKED_QLEN0 = AT_PEEKED_TX0 + W_PEEKED_TX0;
  localparam int W_PEEKED_TS1 = 48;
  localparam int AT_PEEKED_TS1 = AT_PEEKED_QLEN0 + W_PEEKED_QLEN0;
  localparam int W_PEEKED_TX1 = 48;
  localparam int AT_PEEKED_TX1 = AT_PEEKED_TS1 + W_PEEKED_TS1;
  localparam int W_PEEKED_QLEN1 = 48;
  localparam int AT_PEEKED_QLEN1 = AT_PEEKED_TX1 + W_PEEKED_TX1;
  localparam int W_PEEKED_TS2 = 48;
  localparam int AT_PEEKED_TS2 = AT_PEEKED_QLEN1 + W_PEEKED_QLEN1;
  localparam int W_PEEKED_TX2 = 48;
  localparam int AT_PEEKED_TX2 = AT_PEEKED_TS2 + W_PEEKED_TS2;
  localparam int W_PEEKED_QLEN2 = 48;
  localparam int AT_PEEKED_QLEN2 = AT_PEEKED_TX2 + W_PEEKED_TX2;
  localparam int W_PEEKED_TS3 = 48;
  localparam int AT_PEEKED_TS3 = AT_PEEKED_QLEN2 + W_PEEKED_QLEN2;
  localparam int W_PEEKED_TX3 = 48;
  localparam int AT_PEEKED_TX3 = AT_PEEKED_TS3 + W_PEEKED_TS3;
  localparam int W_PEEKED_QLEN3 = 48;
  localparam int AT_PEEKED_QLEN3 = AT_PEEKED_TX3 + W_PEEKED_TX3;
  localparam int W_PEEKED_TS4 = 48;
  localparam int AT_PEEKED_TS4 = AT_PEEKED_QLEN3 + W_PEEKED_QLEN3;
  localparam int W_PEEKED_TX4 = 48;
  localparam int AT_PEEKED_TX4 = AT_PEEKED_TS4 + W_PEEKED_TS4;
  localparam int W_PEEKED_QLEN4 = 48;
  localparam int AT_PEEKED_QLEN4 = AT_PEEKED_TX4 + W_PEEKED_TX4;
  localparam int W_PEEKED_ERROR = 3;
  localparam int AT_PEEKED_ERROR = AT_PEEKED_QLEN4 + W_PEEKED_QLEN4;
  localparam int W_ACK_READY = 1;
  localparam int AT_ACK_READY = AT_PEEKED_ERROR + W_PEEKED_ERROR;
  localparam int W_HOP_READY = 1;
  localparam int AT_HOP_READY = AT_ACK_READY + W_ACK_READY;
  localparam int W_PEEK_READY = 1;
  localparam int AT_PEEK_READY = AT_HOP_READY + W_HOP_READY;
  localparam int W_INIT_DONE = 1;
  localparam int AT_INIT_DONE = AT_PEEK_READY + W_PEEK_READY;
  localparam int W_STAT_ACKS = 16;
  localparam int AT_STAT_ACKS = AT_INIT_DONE + W_INIT_DONE;
  localparam int W_STAT_RANGE = 16;
  localparam int AT_STAT_RANGE = AT_STAT_ACKS + W_STAT_ACKS;
  localparam int W_STAT_CLOSED = 16;
  localparam int AT_STAT_CLOSED = AT_STAT_RANGE + W_STAT_RANGE;
  localparam int W_STAT_HOPS = 16;
  localparam int AT_STAT_HOPS = AT_STAT_CLOSED + W_STAT_CLOSED;
  localparam int W_STAT_STORED = 16;
  localparam int AT_STAT_STORED = AT_STAT_HOPS + W_STAT_HOPS;
  localparam int W_STAT_STALE = 16;
  localparam int AT_STAT_STALE = AT_STAT_STORED + W_STAT_STORED;
  localparam int W_STAT_BAD_RATE = 16;
  localparam int AT_STAT_BAD_RATE = AT_STAT_STALE + W_STAT_STALE;
  localparam int EXPECTED_GAP = AT_STAT_BAD_RATE + W_STAT_BAD_RATE;
  localparam int EXPECTED_BITS = EXPECTED_GAP + GAP_BITS;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic [W_CFG_INT_FORMAT-1:0] cfg_int_format;
  logic [W_CFG_BASE_RTT-1:0] cfg_base_rtt;
  logic [W_CFG_INVERSE_RTT-1:0] cfg_inverse_rtt;
  logic [W_CFG_INVERSE_RTT_SHIFT-1:0] cfg_inverse_rtt_shift;
  logic [W_CFG_ETA-1:0] cfg_eta;
  logic [W_CFG_MAX_STAGE-1:0] cfg_max_stage;
  logic [W_CFG_WAI-1:0] cfg_wai;
  logic [W_CFG_FIRST_WINDOW-1:0] cfg_first_window;
  logic [W_CFG_PACKET-1:0] cfg_packet;
  logic [W_CFG_AGE-1:0] cfg_age;
  logic [W_ACK_VALID-1:0] ack_valid;
  logic [W_ACK_FLOW-1:0] ack_flow;
  logic [W_ACK_SEQ-1:0] ack_seq;
  logic [W_ACK_SND_NXT-1:0] ack_snd_nxt;
  logic [W_ACK_PATH-1:0] ack_path;
  logic [W_ACK_HOPS-1:0] ack_hops;
  logic [W_HOP_VALID-1:0] hop_valid;
  logic [W_HOP_RATE-1:0] hop_rate;
  logic [W_HOP_TS-1:0] hop_ts;
  logic [W_HOP_TX_BYTES-1:0] hop_tx_bytes;
  logic [W_HOP_QLEN-1:0] hop_qlen;
  logic [W_OPEN_VALID-1:0] open_valid;
  logic [W_OPEN_FLOW-1:0] open_flow;
  logic [W_CLOSE_VALID-1:0] close_valid;
  logic [W_CLOSE_FLOW-1:0] close_flow;
  logic [W_PEEK_VALID-1:0] peek_valid;
  logic [W_PEEK_FLOW-1:0] peek_flow;
  logic [W_WIN_VALID-1:0] win_valid;
  logic [W_WIN_FLOW-1:0] win_flow;
  logic [W_WIN_WINDOW-1:0] win_window;
  logic [W_WIN_RATE-1:0] win_rate;
  logic [W_WIN_U-1:0] win_u;
  logic [W_WIN_STAGE-1:0] win_stage;
  logic [W_WIN_BRANCH-1:0] win_branch;
  logic [W_WIN_ERROR-1:0] win_error;
  logic [W_ERR_OPEN_VALID-1:0] err_open_valid;
  logic [W_ERR_OPEN_FLOW-1:0] err_open_flow;
  logic [W_ERR_OPEN_ERROR-1:0] err_open_error;
  logic [W_ERR_CLOSE_VALID-1:0] err_close_valid;
  logic [W_ERR_CLOSE_FLOW-1:0] err_close_flow;
  logic [W_ERR_CLOSE_ERROR-1:0] err_close_error;
  logic [W_PEEKED_VALID-1:0] peeked_valid;
  logic [W_PEEKED_FLOW-1:0] peeked_flow;
  logic [W_PEEKED_OPEN-1:0] peeked_open;
  logic [W_PEEKED_WINDOW-1:0] peeked_window;
  logic [W_PEEKED_REFERENCE-1:0] peeked_reference;
  logic [W_PEEKED_U-1:0] peeked_u;
  logic [W_PEEKED_STAGE-1:0] peeked_stage;
  logic [W_PEEKED_LAST_UPDATE_SEQ-1:0] peeked_last_update_seq;
  logic [W_PEEKED_STORED-1:0] peeked_stored;
  logic [W_PEEKED_STORED_AT-1:0] peeked_stored_at;
  logic [W_PEEKED_PATH-1:0] peeked_path;
  logic [W_PEEKED_HOPS-1:0] peeked_hops;
  logic [W_PEEKED_TS0-1:0] peeked_ts0;
  logic [W_PEEKED_TX0-1:0] peeked_tx0;
  logic [W_PEEKED_QLEN0-1:0] peeked_qlen0;
  logic [W_PEEKED_TS1-1:0] peeked_ts1;
  logic [W_PEEKED_TX1-1:0] peeked_tx1;
  logic [W_PEEKED_QLEN1-1:0] peeked_qlen1;
  logic [W_PEEKED_TS2-1:0] peeked_ts2;
  logic [W_PEEKED_TX2-1:0] peeked_tx2;
  logic [W_PEEKED_QLEN2-1:0] peeked_qlen2;
  logic [W_PEEKED_TS3-1:0] peeked_ts3;
  logic [W_PEEKED_TX3-1:0] peeked_tx3;
  logic [W_PEEKED_QLEN3-1:0] peeked_qlen3;
  logic [W_PEEKED_TS4-1:0] peeked_ts4;
  logic [W_PEEKED_TX4-1:0] peeked_tx4;
  logic [W_PEEKED_QLEN4-1:0] peeked_qlen4;
  logic [W_PEEKED_ERROR-1:0] peeked_error;
  logic [W_ACK_READY-1:0] ack_ready;
  logic [W_HOP_READY-1:0] hop_ready;
  logic [W_PEEK_READY-1:0] peek_ready;
  logic [W_INIT_DONE-1:0] init_done;
  logic [W_STAT_ACKS-1:0] stat_acks;
  logic [W_STAT_RANGE-1:0] stat_range;
  logic [W_STAT_CLOSED-1:0] stat_closed;
  logic [W_STAT_HOPS-1:0] stat_hops;
  logic [W_STAT_STORED-1:0] stat_stored;
  logic [W_STAT_STALE-1:0] stat_stale;
  logic [W_STAT_BAD_RATE-1:0] stat_bad_rate;

`ifdef CONGRUENT_NETLIST
  `CONGRUENT_DUT dut (
`else
  `CONGRUENT_DUT #(
    .FLOWS (FLOWS),
    .FLOW_W (FLOW_W),
    .HOPS (HOPS),
    .TIME_W (TIME_W),
    .TIME_INIT (TIME_INIT),
    .U_FRAC (U_FRAC),
    .W_FRAC (W_FRAC)
  ) dut (
`endif
    .clk (clk),
    .rst_n (rst_n),
    .cfg_int_format (cfg_int_format),
    .cfg_base_rtt (cfg_base_rtt),
    .cfg_inverse_rtt (cfg_inverse_rtt),
    .cfg_inverse_rtt_shift (cfg_inverse_rtt_shift),
    .cfg_eta (cfg_eta),
    .cfg_max_stage (cfg_max_stage),
    .cfg_wai (cfg_wai),
    .cfg_first_window (cfg_first_window),
    .cfg_packet (cfg_packet),
    .cfg_age (cfg_age),
    .ack_valid (ack_valid),
    .ack_flow (ack_flow),
    .ack_seq (ack_seq),
    .ack_snd_nxt (ack_snd_nxt),
    .ack_path (ack_path),
    .ack_hops (ack_hops),
    .hop_valid (hop_valid),
    .hop_rate (hop_rate),
    .hop_ts (hop_ts),
    .hop_tx_bytes (hop_tx_bytes),
    .hop_qlen (hop_qlen),
    .open_valid (open_valid),
    .open_flow (open_flow),
    .close_valid (close_valid),
    .close_flow (close_flow),
    .peek_valid (peek_valid),
    .peek_flow (peek_flow),
    .win_valid (win_valid),
    .win_flow (win_flow),
    .win_window (win_window),
    .win_rate (win_rate),
    .win_u (win_u),
    .win_stage (win_stage),
    .win_branch (win_branch),
    .win_error (win_error),
    .err_open_valid (err_open_valid),
    .err_open_flow (err_open_flow),
    .err_open_error (err_open_error),
    .err_close_valid (err_close_valid),
    .err_close_flow (err_close_flow),
    .err_close_error (err_close_error),
    .peeked_valid (peeked_valid),
    .peeked_flow (peeked_flow),
    .peeked_open (peeked_open),
    .peeked_window (peeked_window),
    .peeked_reference (peeked_reference),
    .peeked_u (peeked_u),
    .peeked_stage (peeked_stage),
    .peeked_last_update_seq (peeked_last_update_seq),
    .peeked_stored (peeked_stored),
    .peeked_stored_at (peeked_stored_at),
    .peeked_path (peeked_path),
    .peeked_hops (peeked_hops),
    .peeked_ts0 (peeked_ts0),
    .peeked_tx0 (peeked_tx0),
    .peeked_qlen0 (peeked_qlen0),
    .peeked_ts1 (peeked_ts1),
    .peeked_tx1 (peeked_tx1),
    .peeked_qlen1 (peeked_qlen1),
    .peeked_ts2 (peeked_ts2),
    .peeked_tx2 (peeked_tx2),
    .peeked_qlen2 (peeked_qlen2),
    .peeked_ts3 (peeked_ts3),
    .peeked_tx3 (peeked_tx3),
    .peeked_qlen3 (peeked_qlen3),
    .peeked_ts4 (peeked_ts4),
    .peeked_tx4 (peeked_tx4),
    .peeked_qlen4 (peeked_qlen4),
    .peeked_error (peeked_error),
    .ack_ready (ack_ready),
    .hop_ready (hop_ready),
    .peek_ready (peek_ready),
    .init_done (init_done),
    .stat_acks (stat_acks),
    .stat_range (stat_range),
    .stat_closed (stat_closed),
    .stat_hops (stat_hops),
    .stat_stored (stat_stored),
    .stat_stale (stat_stale),
    .stat_bad_rate (stat_bad_rate)
  );

  always #5 clk = !clk;

  // --------------------------------------------------------------------------------------------
  // Files. A word of stimulus and expected stands for one cycle; its gap counts the cycles without
  // a word before it. run.hex says how many words there are, and the values of the cfg_ pins.
  // --------------------------------------------------------------------------------------------

  localparam int FORMAT_VERSION = 2;
  localparam logic [255:0] NAME = "hpcc_window";
  localparam int FIRST_PARAM = 10;
  localparam int FIRST_CFG = FIRST_PARAM + 7;
  localparam int RUN_WORDS = FIRST_CFG + 10;

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
      $display("error: %0s is of another block than hpcc_window", folder);
      failed = 1'b1;
    end
    check_run("FLOWS", FIRST_PARAM + 0, FLOWS);
    check_run("FLOW_W", FIRST_PARAM + 1, FLOW_W);
    check_run("HOPS", FIRST_PARAM + 2, HOPS);
    check_run("TIME_W", FIRST_PARAM + 3, TIME_W);
    check_run("TIME_INIT", FIRST_PARAM + 4, TIME_INIT);
    check_run("U_FRAC", FIRST_PARAM + 5, U_FRAC);
    check_run("W_FRAC", FIRST_PARAM + 6, W_FRAC);
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
    cfg_int_format = run[FIRST_CFG + 0][W_CFG_INT_FORMAT-1:0];
    cfg_base_rtt = run[FIRST_CFG + 1][W_CFG_BASE_RTT-1:0];
    cfg_inverse_rtt = run[FIRST_CFG + 2][W_CFG_INVERSE_RTT-1:0];
    cfg_inverse_rtt_shift = run[FIRST_CFG + 3][W_CFG_INVERSE_RTT_SHIFT-1:0];
    cfg_eta = run[FIRST_CFG + 4][W_CFG_ETA-1:0];
    cfg_max_stage = run[FIRST_CFG + 5][W_CFG_MAX_STAGE-1:0];
    cfg_wai = run[FIRST_CFG + 6][W_CFG_WAI-1:0];
    cfg_first_window = run[FIRST_CFG + 7][W_CFG_FIRST_WINDOW-1:0];
    cfg_packet = run[FIRST_CFG + 8][W_CFG_PACKET-1:0];
    cfg_age = run[FIRST_CFG + 9][W_CFG_AGE-1:0];
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
      in_word[AT_ACK_VALID] = 1'b0;
      in_word[AT_HOP_VALID] = 1'b0;
      in_word[AT_OPEN_VALID] = 1'b0;
      in_word[AT_CLOSE_VALID] = 1'b0;
      in_word[AT_PEEK_VALID] = 1'b0;
    end
    if (out_at < expected_words && cycle == out_next) begin
      out_word = expected[out_at];
      out_at = out_at + 1;
      if (out_at < expected_words) out_next = cycle + 1 + out_gap(out_at);
    end else begin
      out_word[AT_WIN_VALID] = 1'b0;
      out_word[AT_ERR_OPEN_VALID] = 1'b0;
      out_word[AT_ERR_CLOSE_VALID] = 1'b0;
      out_word[AT_PEEKED_VALID] = 1'b0;
    end
  endtask

  // --------------------------------------------------------------------------------------------
  // Pins.
  // --------------------------------------------------------------------------------------------

  // The payload of a channel whose valid is 0 is X: the block must not look at it.
  task drive;
    ack_valid = in_word[AT_ACK_VALID +: W_ACK_VALID];
    ack_flow = ack_valid ? in_word[AT_ACK_FLOW +: W_ACK_FLOW] : 'x;
    ack_seq = ack_valid ? in_word[AT_ACK_SEQ +: W_ACK_SEQ] : 'x;
    ack_snd_nxt = ack_valid ? in_word[AT_ACK_SND_NXT +: W_ACK_SND_NXT] : 'x;
    ack_path = ack_valid ? in_word[AT_ACK_PATH +: W_ACK_PATH] : 'x;
    ack_hops = ack_valid ? in_word[AT_ACK_HOPS +: W_ACK_HOPS] : 'x;
    hop_valid = in_word[AT_HOP_VALID +: W_HOP_VALID];
    hop_rate = hop_valid ? in_word[AT_HOP_RATE +: W_HOP_RATE] : 'x;
    hop_ts = hop_valid ? in_word[AT_HOP_TS +: W_HOP_TS] : 'x;
    hop_tx_bytes = hop_valid ? in_word[AT_HOP_TX_BYTES +: W_HOP_TX_BYTES] : 'x;
    hop_qlen = hop_valid ? in_word[AT_HOP_QLEN +: W_HOP_QLEN] : 'x;
    open_valid = in_word[AT_OPEN_VALID +: W_OPEN_VALID];
    open_flow = open_valid ? in_word[AT_OPEN_FLOW +: W_OPEN_FLOW] : 'x;
    close_valid = in_word[AT_CLOSE_VALID +: W_CLOSE_VALID];
    close_flow = close_valid ? in_word[AT_CLOSE_FLOW +: W_CLOSE_FLOW] : 'x;
    peek_valid = in_word[AT_PEEK_VALID +: W_PEEK_VALID];
    peek_flow = peek_valid ? in_word[AT_PEEK_FLOW +: W_PEEK_FLOW] : 'x;
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
    if (err_open_valid !== '0) differs("err_open_valid", 64'd0, 64'(err_open_valid));
    if (err_close_valid !== '0) differs("err_close_valid", 64'd0, 64'(err_close_valid));
    if (peeked_valid !== '0) differs("peeked_valid", 64'd0, 64'(peeked_valid));
    if (ack_ready !== '0) differs("ack_ready", 64'd0, 64'(ack_ready));
    if (hop_ready !== '0) differs("hop_ready", 64'd0, 64'(hop_ready));
    if (peek_ready !== '0) differs("peek_ready", 64'd0, 64'(peek_ready));
    if (^init_done === 1'bx) unknown("init_done");
    if (^stat_acks === 1'bx) unknown("stat_acks");
    if (^stat_range === 1'bx) unknown("stat_range");
    if (^stat_closed === 1'bx) unknown("stat_closed");
    if (^stat_hops === 1'bx) unknown("stat_hops");
    if (^stat_stored === 1'bx) unknown("stat_stored");
    if (^stat_stale === 1'bx) unknown("stat_stale");
    if (^stat_bad_rate === 1'bx) unknown("stat_bad_rate");
  endtask

  // What counts: valids, readies and levels; the fields of a valid beat; of these, beside an error,
  // only the error, the context and the key.
  task compare;
    if (win_valid !== out_word[AT_WIN_VALID +: W_WIN_VALID])
      differs("win_valid", 64'(out_word[AT_WIN_VALID +: W_WIN_VALID]),
              64'(win_valid));
    if (out_word[AT_WIN_VALID]) begin
      if (win_flow !== out_word[AT_WIN_FLOW +: W_WIN_FLOW])
        differs("win_flow", 64'(out_word[AT_WIN_FLOW +: W_WIN_FLOW]),
                64'(win_flow));
      if (out_word[AT_WIN_ERROR +: W_WIN_ERROR] == '0) begin
        if (win_window !== out_word[AT_WIN_WINDOW +: W_WIN_WINDOW])
          differs("win_window", 64'(out_word[AT_WIN_WINDOW +: W_WIN_WINDOW]),
                  64'(win_window));
        if (win_rate !== out_word[AT_WIN_RATE +: W_WIN_RATE])
          differs("win_rate", 64'(out_word[AT_WIN_RATE +: W_WIN_RATE]),
                  64'(win_rate));
        if (win_u !== out_word[AT_WIN_U +: W_WIN_U])
          differs("win_u", 64'(out_word[AT_WIN_U +: W_WIN_U]),
                  64'(win_u));
        if (win_stage !== out_word[AT_WIN_STAGE +: W_WIN_STAGE])
          differs("win_stage", 64'(out_word[AT_WIN_STAGE +: W_WIN_STAGE]),
                  64'(win_stage));
        if (win_branch !== out_word[AT_WIN_BRANCH +: W_WIN_BRANCH])
          differs("win_branch", 64'(out_word[AT_WIN_BRANCH +: W_WIN_BRANCH]),
                  64'(win_branch));
      end
      if (win_error !== out_word[AT_WIN_ERROR +: W_WIN_ERROR])
        differs("win_error", 64'(out_word[AT_WIN_ERROR +: W_WIN_ERROR]),
                64'(win_error));
    end
    if (err_open_valid !== out_word[AT_ERR_OPEN_VALID +: W_ERR_OPEN_VALID])
      differs("err_open_valid", 64'(out_word[AT_ERR_OPEN_VALID +: W_ERR_OPEN_VALID]),
              64'(err_open_valid));
    if (out_word[AT_ERR_OPEN_VALID]) begin
      if (err_open_flow !== out_word[AT_ERR_OPEN_FLOW +: W_ERR_OPEN_FLOW])
        differs("err_open_flow", 64'(out_word[AT_ERR_OPEN_FLOW +: W_ERR_OPEN_FLOW]),
                64'(err_open_flow));
      if (err_open_error !== out_word[AT_ERR_OPEN_ERROR +: W_ERR_OPEN_ERROR])
        differs("err_open_error", 64'(out_word[AT_ERR_OPEN_ERROR +: W_ERR_OPEN_ERROR]),
                64'(err_open_error));
    end
    if (err_close_valid !== out_word[AT_ERR_CLOSE_VALID +: W_ERR_CLOSE_VALID])
      differs("err_close_valid", 64'(out_word[AT_ERR_CLOSE_VALID +: W_ERR_CLOSE_VALID]),
              64'(err_close_valid));
    if (out_word[AT_ERR_CLOSE_VALID]) begin
      if (err_close_flow !== out_word[AT_ERR_CLOSE_FLOW +: W_ERR_CLOSE_FLOW])
        differs("err_close_flow", 64'(out_word[AT_ERR_CLOSE_FLOW +: W_ERR_CLOSE_FLOW]),
                64'(err_close_flow));
      if (err_close_error !== out_word[AT_ERR_CLOSE_ERROR +: W_ERR_CLOSE_ERROR])
        differs("err_close_error", 64'(out_word[AT_ERR_CLOSE_ERROR +: W_ERR_CLOSE_ERROR]),
                64'(err_close_error));
    end
    if (peeked_valid !== out_word[AT_PEEKED_VALID +: W_PEEKED_VALID])
      differs("peeked_valid", 64'(out_word[AT_PEEKED_VALID +: W_PEEKED_VALID]),
              64'(peeked_valid));
    if (out_word[AT_PEEKED_VALID]) begin
      if (peeked_flow !== out_word[AT_PEEKED_FLOW +: W_PEEKED_FLOW])
        differs("peeked_flow", 64'(out_word[AT_PEEKED_FLOW +: W_PEEKED_FLOW]),
                64'(peeked_flow));
      if (out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR] == '0) begin
        if (peeked_open !== out_word[AT_PEEKED_OPEN +: W_PEEKED_OPEN])
          differs("peeked_open", 64'(out_word[AT_PEEKED_OPEN +: W_PEEKED_OPEN]),
                  64'(peeked_open));
        if (peeked_window !== out_word[AT_PEEKED_WINDOW +: W_PEEKED_WINDOW])
          differs("peeked_window", 64'(out_word[AT_PEEKED_WINDOW +: W_PEEKED_WINDOW]),
                  64'(peeked_window));
        if (peeked_reference !== out_word[AT_PEEKED_REFERENCE +: W_PEEKED_REFERENCE])
          differs("peeked_reference", 64'(out_word[AT_PEEKED_REFERENCE +: W_PEEKED_REFERENCE]),
                  64'(peeked_reference));
        if (peeked_u !== out_word[AT_PEEKED_U +: W_PEEKED_U])
          differs("peeked_u", 64'(out_word[AT_PEEKED_U +: W_PEEKED_U]),
                  64'(peeked_u));
        if (peeked_stage !== out_word[AT_PEEKED_STAGE +: W_PEEKED_STAGE])
          differs("peeked_stage", 64'(out_word[AT_PEEKED_STAGE +: W_PEEKED_STAGE]),
                  64'(peeked_stage));
        if (peeked_last_update_seq !== out_word[AT_PEEKED_LAST_UPDATE_SEQ +: W_PEEKED_LAST_UPDATE_SEQ])
          differs("peeked_last_update_seq", 64'(out_word[AT_PEEKED_LAST_UPDATE_SEQ +: W_PEEKED_LAST_UPDATE_SEQ]),
                  64'(peeked_last_update_seq));
        if (peeked_stored !== out_word[AT_PEEKED_STORED +: W_PEEKED_STORED])
          differs("peeked_stored", 64'(out_word[AT_PEEKED_STORED +: W_PEEKED_STORED]),
                  64'(peeked_stored));
        if (peeked_stored_at !== out_word[AT_PEEKED_STORED_AT +: W_PEEKED_STORED_AT])
          differs("peeked_stored_at", 64'(out_word[AT_PEEKED_STORED_AT +: W_PEEKED_STORED_AT]),
                  64'(peeked_stored_at));
        if (peeked_path !== out_word[AT_PEEKED_PATH +: W_PEEKED_PATH])
          differs("peeked_path", 64'(out_word[AT_PEEKED_PATH +: W_PEEKED_PATH]),
                  64'(peeked_path));
        if (peeked_hops !== out_word[AT_PEEKED_HOPS +: W_PEEKED_HOPS])
          differs("peeked_hops", 64'(out_word[AT_PEEKED_HOPS +: W_PEEKED_HOPS]),
                  64'(peeked_hops));
        if (peeked_ts0 !== out_word[AT_PEEKED_TS0 +: W_PEEKED_TS0])
          differs("peeked_ts0", 64'(out_word[AT_PEEKED_TS0 +: W_PEEKED_TS0]),
                  64'(peeked_ts0));
        if (peeked_tx0 !== out_word[AT_PEEKED_TX0 +: W_PEEKED_TX0])
          differs("peeked_tx0", 64'(out_word[AT_PEEKED_TX0 +: W_PEEKED_TX0]),
                  64'(peeked_tx0));
        if (peeked_qlen0 !== out_word[AT_PEEKED_QLEN0 +: W_PEEKED_QLEN0])
          differs("peeked_qlen0", 64'(out_word[AT_PEEKED_QLEN0 +: W_PEEKED_QLEN0]),
                  64'(peeked_qlen0));
        if (peeked_ts1 !== out_word[AT_PEEKED_TS1 +: W_PEEKED_TS1])
          differs("peeked_ts1", 64'(out_word[AT_PEEKED_TS1 +: W_PEEKED_TS1]),
                  64'(peeked_ts1));
        if (peeked_tx1 !== out_word[AT_PEEKED_TX1 +: W_PEEKED_TX1])
          differs("peeked_tx1", 64'(out_word[AT_PEEKED_TX1 +: W_PEEKED_TX1]),
                  64'(peeked_tx1));
        if (peeked_qlen1 !== out_word[AT_PEEKED_QLEN1 +: W_PEEKED_QLEN1])
          differs("peeked_qlen1", 64'(out_word[AT_PEEKED_QLEN1 +: W_PEEKED_QLEN1]),
                  64'(peeked_qlen1));
        if (peeked_ts2 !== out_word[AT_PEEKED_TS2 +: W_PEEKED_TS2])
          differs("peeked_ts2", 64'(out_word[AT_PEEKED_TS2 +: W_PEEKED_TS2]),
                  64'(peeked_ts2));
        if (peeked_tx2 !== out_word[AT_PEEKED_TX2 +: W_PEEKED_TX2])
          differs("peeked_tx2", 64'(out_word[AT_PEEKED_TX2 +: W_PEEKED_TX2]),
                  64'(peeked_tx2));
        if (peeked_qlen2 !== out_word[AT_PEEKED_QLEN2 +: W_PEEKED_QLEN2])
          differs("peeked_qlen2", 64'(out_word[AT_PEEKED_QLEN2 +: W_PEEKED_QLEN2]),
                  64'(peeked_qlen2));
        if (peeked_ts3 !== out_word[AT_PEEKED_TS3 +: W_PEEKED_TS3])
          differs("peeked_ts3", 64'(out_word[AT_PEEKED_TS3 +: W_PEEKED_TS3]),
                  64'(peeked_ts3));
        if (peeked_tx3 !== out_word[AT_PEEKED_TX3 +: W_PEEKED_TX3])
          differs("peeked_tx3", 64'(out_word[AT_PEEKED_TX3 +: W_PEEKED_TX3]),
                  64'(peeked_tx3));
        if (peeked_qlen3 !== out_word[AT_PEEKED_QLEN3 +: W_PEEKED_QLEN3])
          differs("peeked_qlen3", 64'(out_word[AT_PEEKED_QLEN3 +: W_PEEKED_QLEN3]),
                  64'(peeked_qlen3));
        if (peeked_ts4 !== out_word[AT_PEEKED_TS4 +: W_PEEKED_TS4])
          differs("peeked_ts4", 64'(out_word[AT_PEEKED_TS4 +: W_PEEKED_TS4]),
                  64'(peeked_ts4));
        if (peeked_tx4 !== out_word[AT_PEEKED_TX4 +: W_PEEKED_TX4])
          differs("peeked_tx4", 64'(out_word[AT_PEEKED_TX4 +: W_PEEKED_TX4]),
                  64'(peeked_tx4));
        if (peeked_qlen4 !== out_word[AT_PEEKED_QLEN4 +: W_PEEKED_QLEN4])
          differs("peeked_qlen4", 64'(out_word[AT_PEEKED_QLEN4 +: W_PEEKED_QLEN4]),
                  64'(peeked_qlen4));
      end
      if (peeked_error !== out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR])
        differs("peeked_error", 64'(out_word[AT_PEEKED_ERROR +: W_PEEKED_ERROR]),
                64'(peeked_error));
    end
    if (ack_ready !== out_word[AT_ACK_READY +: W_ACK_READY])
      differs("ack_ready", 64'(out_word[AT_ACK_READY +: W_ACK_READY]),
              64'(ack_ready));
    if (hop_ready !== out_word[AT_HOP_READY +: W_HOP_READY])
      differs("hop_ready", 64'(out_word[AT_HOP_READY +: W_HOP_READY]),
              64'(hop_ready));
    if (peek_ready !== out_word[AT_PEEK_READY +: W_PEEK_READY])
      differs("peek_ready", 64'(out_word[AT_PEEK_READY +: W_PEEK_READY]),
              64'(peek_ready));
    if (init_done !== out_word[AT_INIT_DONE +: W_INIT_DONE])
      differs("init_done", 64'(out_word[AT_INIT_DONE +: W_INIT_DONE]),
              64'(init_done));
    if (stat_acks !== out_word[AT_STAT_ACKS +: W_STAT_ACKS])
      differs("stat_acks", 64'(out_word[AT_STAT_ACKS +: W_STAT_ACKS]),
              64'(stat_acks));
    if (stat_range !== out_word[AT_STAT_RANGE +: W_STAT_RANGE])
      differs("stat_range", 64'(out_word[AT_STAT_RANGE +: W_STAT_RANGE]),
              64'(stat_range));
    if (stat_closed !== out_word[AT_STAT_CLOSED +: W_STAT_CLOSED])
      differs("stat_closed", 64'(out_word[AT_STAT_CLOSED +: W_STAT_CLOSED]),
              64'(stat_closed));
    if (stat_hops !== out_word[AT_STAT_HOPS +: W_STAT_HOPS])
      differs("stat_hops", 64'(out_word[AT_STAT_HOPS +: W_STAT_HOPS]),
              64'(stat_hops));
    if (stat_stored !== out_word[AT_STAT_STORED +: W_STAT_STORED])
      differs("stat_stored", 64'(out_word[AT_STAT_STORED +: W_STAT_STORED]),
              64'(stat_stored));
    if (stat_stale !== out_word[AT_STAT_STALE +: W_STAT_STALE])
      differs("stat_stale", 64'(out_word[AT_STAT_STALE +: W_STAT_STALE]),
              64'(stat_stale));
    if (stat_bad_rate !== out_word[AT_STAT_BAD_RATE +: W_STAT_BAD_RATE])
      differs("stat_bad_rate", 64'(out_word[AT_STAT_BAD_RATE +: W_STAT_BAD_RATE]),
              64'(stat_bad_rate));
  endtask

  // --------------------------------------------------------------------------------------------
  // The run. Inputs change on the falling edge; outputs are read just before the rising edge that
  // ends the cycle.
  // --------------------------------------------------------------------------------------------

  initial begin
`ifdef CONGRUENT_DUMP
    $dumpfile("hpcc_window_tb.vcd");
    $dumpvars(0, hpcc_window_tb);
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
      $display("FAIL hpcc_window %0s", folder);
      $fatal(0, "FAIL");
    end
    $display("PASS hpcc_window %0s, %0d cycles", folder, cycles);
    $finish(0);
  end

endmodule
