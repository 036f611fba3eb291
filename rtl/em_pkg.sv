// Constants of the ECN marker that its modules share: the enumerations of its pins, its formats,
// and the pace of peeks.

package em_pkg;

  // Values of `cfg_policy`.
  typedef enum logic {
    PolicyRed  = 1'b0,
    PolicyFecn = 1'b1
  } policy_e;

  // Values of `cfg_random_mode`.
  typedef enum logic {
    RandomLfsr      = 1'b0,
    RandomDiffusion = 1'b1
  } random_mode_e;

  // CE, the mark of `red`.
  localparam logic [1:0] EcnCe = 2'd3;

  // Bits of a packet's size in bytes.
  localparam int BYTES_W = 14;

  // Fraction bits of an average on the ports, UQ OCC_W.24.
  localparam int AVERAGE_PORT_FRAC = 24;

  // Fraction bits of a position in the band, UQ0.24, of a probability, UQ0.24, and of the slope,
  // UQ2.22.
  localparam int POSITION_FRAC = 24;
  localparam int PROBABILITY_FRAC = 24;
  localparam int SLOPE_FRAC = 22;

  // Bits of a shift count, and of MarkingRate.
  localparam int SHIFT_W = 5;
  localparam int SKIP_W = 16;

  // Initiation interval of peek: one is under way at a time.
  localparam int PEEK_INTERVAL = 8;

endpackage
