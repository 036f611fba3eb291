// Constants and fixed-point steps of the HPCC window unit that its modules share: the enumerations
// of its ports, its formats, its pipeline. The functions carry the names of
// hw/src/hpcc_window/core.rs and compute the same.

package hpcc_pkg;

  // Values of `win_branch`. Before its branch is known a measured ACK counts as BranchAdditive.
  typedef enum logic [1:0] {
    BranchStored         = 2'd0,
    BranchStale          = 2'd1,
    BranchMultiplicative = 2'd2,
    BranchAdditive       = 2'd3
  } branch_e;

  // Values of `cfg_int_format`.
  localparam logic FORMAT_WIDE = 1'b1;

  // Bits of sequence numbers, path ids, hop counts, and of a record's fields on the ports.
  localparam int SEQ_W = 32;
  localparam int PATH_W = 12;
  localparam int HOP_COUNT_W = 4;
  localparam int GBPS_W = 11;
  localparam int TELEMETRY_W = 48;
  // Hops of which a peek shows the telemetry.
  localparam int MOST_HOPS = 5;
  // The packed format: bits of its fields, and its units of 2^7 and 80 bytes.
  localparam int PAPER_TS_W = 24;
  localparam int PAPER_TX_W = 20;
  localparam int PAPER_QLEN_W = 16;
  localparam int PAPER_TX_SHIFT = 7;

  // Bits of a queue length in bytes; a longer one reads all ones.
  localparam int QUEUE_W = 32;
  // A rate of bytes: UQ12.20 bytes a ns.
  localparam int RATE_INT = 12;
  localparam int RATE_FRAC = 20;
  localparam int RATE_W = RATE_INT + RATE_FRAC;
  // Bits that are left of the time between two stamps when it divides.
  localparam int DIVISOR_W = 24;
  // One hop's utilisation: UQ12.24; U: UQ12.U_FRAC.
  localparam int U_INT = 12;
  localparam int HOP_U_FRAC = 24;
  localparam int HOP_U_W = U_INT + HOP_U_FRAC;
  // The smallest U that divides: 2^-16.
  localparam int U_FLOOR_SHIFT = 16;
  // tau / T: UQ1.27.
  localparam int WEIGHT_FRAC = 27;
  localparam int WEIGHT_W = WEIGHT_FRAC + 1;
  // T in ns; 1 / T as a mantissa UQ1.24 and a shift.
  localparam int RTT_W = 30;
  localparam int INVERSE_FRAC = 24;
  localparam int INVERSE_W = INVERSE_FRAC + 1;
  localparam int INVERSE_SHIFT_W = 5;
  // Eta: UQ1.24.
  localparam int ETA_FRAC = 24;
  localparam int ETA_W = ETA_FRAC + 1;
  // U's mantissa when it divides, the quotient Eta / mantissa UQ2.26, and its shift.
  localparam int MANTISSA_W = 24;
  localparam int RATIO_FRAC = 26;
  localparam int RATIO_W = RATIO_FRAC + 2;
  localparam int RATIO_SHIFT_W = 6;
  // Whole bits of a window, bits of PacketBytes, of inc_stage, and a pacing rate UQ11.16 Gbps.
  localparam int BYTES_W = 28;
  localparam int PACKET_W = 15;
  localparam int STAGE_W = 8;
  localparam int PACE_FRAC = 16;
  localparam int PACE_W = GBPS_W + PACE_FRAC;

  // The pipeline, in cycles after the one in which a record, or an ACK's last beat, is taken. Each
  // division makes DIV_BITS bits of its quotient a stage.
  localparam int DIV_BITS = 4;
  // An ACK takes effect on what is open and stored.
  localparam int EFFECT_STAGE = 2;
  // Bytes by time begins; its sum with the queue, by the link's rate, begins; a hop's u is there.
  localparam int RATE_STAGE = 5;
  localparam int HOP_STAGE = RATE_STAGE + RATE_W / DIV_BITS + 1;
  localparam int FOLD_STAGE = HOP_STAGE + HOP_U_W / DIV_BITS;
  // U is read; two stages later it is written.
  localparam int U_READ_STAGE = FOLD_STAGE + 3;
  localparam int U_STAGE = U_READ_STAGE + 2;
  // Eta / U begins; Wc is read, one stage before the quotient is there; it is written.
  localparam int RATIO_STAGE = U_STAGE + 2;
  localparam int WINDOW_READ_STAGE = RATIO_STAGE + RATIO_W / DIV_BITS - 1;
  localparam int WINDOW_STAGE = WINDOW_READ_STAGE + 2;
  // The answer's last stage: its registers are the pins.
  localparam int ANSWER_STAGE = WINDOW_STAGE + 2;

  // Bits that a value takes; 0 takes none.
  function automatic logic [5:0] bit_length(input logic [TELEMETRY_W-1:0] value);
    logic [TELEMETRY_W-1:0] rest;
    logic [5:0]             length;
    rest   = value;
    length = '0;
    for (int b = 5; b >= 0; b--) begin
      if ((rest >> (1 << b)) != '0) begin
        rest      = rest >> (1 << b);
        length[b] = 1'b1;
      end
    end
    return length + 6'(rest[0]);
  endfunction

  // What of a record's fields is stored: the format's bits.
  function automatic logic [TELEMETRY_W-1:0] ts_bits(input logic                   format,
                                                     input logic [TELEMETRY_W-1:0] value);
    return (format == FORMAT_WIDE) ? value : TELEMETRY_W'(value[PAPER_TS_W-1:0]);
  endfunction

  function automatic logic [TELEMETRY_W-1:0] tx_bits(input logic                   format,
                                                     input logic [TELEMETRY_W-1:0] value);
    return (format == FORMAT_WIDE) ? value : TELEMETRY_W'(value[PAPER_TX_W-1:0]);
  endfunction

  function automatic logic [TELEMETRY_W-1:0] qlen_bits(input logic                   format,
                                                       input logic [TELEMETRY_W-1:0] value);
    return (format == FORMAT_WIDE) ? value : TELEMETRY_W'(value[PAPER_QLEN_W-1:0]);
  endfunction

  // Rate of a hop's link, Gbps; 0: none, the hop is skipped.
  function automatic logic [GBPS_W-1:0] gbps(input logic              format,
                                             input logic [GBPS_W-1:0] rate);
    logic [GBPS_W-1:0] coded;
    case (rate[3:0])
      4'd0:    coded = GBPS_W'(25);
      4'd1:    coded = GBPS_W'(40);
      4'd2:    coded = GBPS_W'(50);
      4'd3:    coded = GBPS_W'(100);
      4'd4:    coded = GBPS_W'(200);
      4'd5:    coded = GBPS_W'(400);
      4'd6:    coded = GBPS_W'(800);
      default: coded = '0;
    endcase
    return (format == FORMAT_WIDE) ? rate : coded;
  endfunction

  // TS' - TS, modulo the format's width, ns.
  function automatic logic [TELEMETRY_W-1:0] elapsed(input logic                   format,
                                                     input logic [TELEMETRY_W-1:0] newest,
                                                     input logic [TELEMETRY_W-1:0] old);
    return ts_bits(format, newest - old);
  endfunction

  // Whether a difference of stamps reads as older: half the range or more.
  function automatic logic older(input logic format, input logic [TELEMETRY_W-1:0] dt);
    return (format == FORMAT_WIDE) ? dt[TELEMETRY_W-1] : dt[PAPER_TS_W-1];
  endfunction

  // txBytes' - txBytes, modulo the format's width, in bytes.
  function automatic logic [TELEMETRY_W-1:0] sent(input logic                   format,
                                                  input logic [TELEMETRY_W-1:0] newest,
                                                  input logic [TELEMETRY_W-1:0] old);
    logic [TELEMETRY_W-1:0] units;
    units = tx_bits(format, newest - old);
    return (format == FORMAT_WIDE) ? units : units << PAPER_TX_SHIFT;
  endfunction

  // The smaller of two queue readings, bytes, saturating.
  function automatic logic [QUEUE_W-1:0] queue(input logic                   format,
                                               input logic [TELEMETRY_W-1:0] newest,
                                               input logic [TELEMETRY_W-1:0] old);
    logic [TELEMETRY_W-1:0] units;
    units = (newest < old) ? newest : old;
    if (format != FORMAT_WIDE) begin
      return QUEUE_W'({units[PAPER_QLEN_W-1:0], 6'd0})
             + QUEUE_W'({units[PAPER_QLEN_W-1:0], 4'd0});
    end
    return ((units >> QUEUE_W) != '0) ? '1 : units[QUEUE_W-1:0];
  endfunction

  // seq > last_update_seq, modulo: ahead by less than half the range. Exactly half is not.
  function automatic logic is_full(input logic [SEQ_W-1:0] seq,
                                   input logic [SEQ_W-1:0] last_update_seq);
    logic [SEQ_W-1:0] ahead;
    ahead = seq - last_update_seq;
    return ahead != '0 && !ahead[SEQ_W-1];
  endfunction

  // max(min(W, W_init), PacketBytes), all in a window's format.
  function automatic logic [63:0] bound(input logic [63:0] window, input logic [63:0] first_window,
                                        input logic [63:0] floor);
    logic [63:0] capped;
    capped = (window > first_window) ? first_window : window;
    return (capped < floor) ? floor : capped;
  endfunction

endpackage
