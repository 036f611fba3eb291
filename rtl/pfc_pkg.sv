// Constants of the PFC threshold block that its modules share: the enumerations of its pins and its
// formats.

package pfc_pkg;

  // Values of `cfg_mode`.
  typedef enum logic {
    ModeDynamic = 1'b0,
    ModeStatic  = 1'b1
  } mode_e;

  // Values of `admit_verdict`.
  typedef enum logic [1:0] {
    VerdictPool     = 2'd0,
    VerdictHeadroom = 2'd1,
    VerdictDropped  = 2'd2
  } verdict_e;

  // Bits of the pool's bytes and of headroom. BufferBytes is at most 2^30, HeadroomBytes at most an
  // eighth of it.
  localparam int POOL_W = 31;
  localparam int HEADROOM_W = 28;

  // Beta, UQ8.7, 1/128 to 128.0.
  localparam int BETA_W = 15;
  localparam int BETA_FRAC = 7;

  // Beta x the pool's free bytes, UQ38.7, is 8 x t_PFC with all of its fraction. The bits from
  // THRESHOLD_FRAC on are t_PFC in whole bytes, rounded down.
  localparam int ROOM_W = POOL_W + BETA_W - 1;
  localparam int THRESHOLD_FRAC = BETA_FRAC + 3;
  localparam int THRESHOLD_W = ROOM_W - THRESHOLD_FRAC;

  // Initiation interval of peek: one is under way at a time.
  localparam int PEEK_INTERVAL = 4;

  // Whether a queue that is not paused is to be: above t_PFC, or StaticXoff. Bytes are whole, so
  // the fraction of t_PFC does not matter.
  function automatic logic above_xoff(input logic                   mode,
                                      input logic [POOL_W-1:0]      q,
                                      input logic [THRESHOLD_W-1:0] threshold,
                                      input logic [POOL_W-1:0]      xoff);
    return (mode == ModeStatic) ? q > xoff : THRESHOLD_W'(q) > threshold;
  endfunction

  // Whether the pool's part allows a paused queue to resume: q <= max(0, t_PFC - ResumeOffset), or
  // StaticXon. The offset is added to q, so that nothing has to be held at 0.
  function automatic logic below_xon(input logic                   mode,
                                     input logic [POOL_W-1:0]      q,
                                     input logic [THRESHOLD_W-1:0] threshold,
                                     input logic [POOL_W-1:0]      resume_offset,
                                     input logic [POOL_W-1:0]      xon);
    if (mode == ModeStatic) return q <= xon;
    return q == '0 || THRESHOLD_W'(q) + THRESHOLD_W'(resume_offset) <= threshold;
  endfunction

endpackage
