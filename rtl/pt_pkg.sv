// Constants of the pacing table that its modules share: the formats of its ports and of pacing, the
// depth of its pipes, and what differs above SMALL_ENTRIES entries.

package pt_pkg;

  // Largest table that is kept in registers; above, it is kept in memories.
  localparam int SMALL_ENTRIES = 64;

  // Values of `err_channel`: heads alone can be refused.
  localparam logic [0:0] ErrChannelHead = 1'b0;

  // Bits of a packet's length in bytes, and of `grant_wait`.
  localparam int BYTES_W = 15;
  localparam int WAIT_W = 24;

  // cfg_line_byte_time, UQ5.28 cycles a byte.
  localparam int BYTE_TIME_FRAC = 28;
  localparam int LINE_BYTE_TIME_W = 33;

  // Integer bits of a packet's wire time: 32767 B at 16 cycles a byte stay below 2^19 cycles.
  localparam int PACKET_TIME_INT = 19;

  // A row of the CCT, {shift, multiplier}. A shifted time has as many fraction bits more as the
  // largest shift drops.
  localparam int SHIFT_W = 2;
  localparam int MULTIPLIER_W = 14;
  localparam int SHIFT_FRAC = 3;

  // The effect stage: stages from the pins to the one in which every event takes effect.
  localparam int SMALL_EFFECT_STAGE = 2;
  localparam int LARGE_EFFECT_STAGE = 5;

  // Least cycles from a BECN to the next, from a grant to the next, and from a visit of the sweep
  // to the next above SMALL_ENTRIES entries; 1 up to there.
  localparam int LARGE_BECN_INTERVAL = 4;
  localparam int LARGE_GRANT_INTERVAL = 2;
  localparam int LARGE_SWEEP_INTERVAL = 2;

  // Bits of a destination that address one of cam_ram's memories.
  localparam int CAM_SLICE_W = 6;

  // Stages from the effect stage in which a grant is decided to the one in which its next_send
  // lands. A head for the same entry is eligible from the stage after that on.
  localparam int LAND_STAGE = 5;

  // Initiation interval of peek.
  localparam int PEEK_INTERVAL = 16;

endpackage
