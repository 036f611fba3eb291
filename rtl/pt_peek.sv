// Answers peeks of the pacing table, one at a time: keeps ready low while one is under way, has the
// table read one stage after the peek's effect stage, when all of its cycle's effects stand, and
// waits for the next_send of a grant that was in flight then.

module pt_peek
  import congruent_pkg::*;
  import pt_pkg::*;
#(
  parameter int EFFECT_STAGE = 2,
  parameter int ENTRIES = 64,
  parameter int INDEX_W = 10,
  parameter int ENTRY_W = 6,
  parameter int DLID_W = 24,
  parameter int TIME_W = 32,
  parameter int TIME_FRAC = 16,
  parameter int CCTI_W = 10,
  localparam int PACE_W = TIME_W + TIME_FRAC
) (
  input  logic               clk,
  input  logic               rst_n,

  // Events are legal from the next cycle on.
  input  logic               init_done,

  // peek.
  input  logic               peek_valid,
  input  logic [INDEX_W-1:0] peek_index,
  output logic               peek_ready,

  // The table is read in this stage, and shows what it read from the next one on.
  output logic               read,
  output logic [ENTRY_W-1:0] read_entry,
  input  logic               seen_valid,
  input  logic [DLID_W-1:0]  seen_dlid,
  input  logic [CCTI_W-1:0]  seen_ccti,
  input  logic [TIME_W-1:0]  seen_deadline,
  input  logic               seen_held,
  input  logic [PACE_W-1:0]  seen_next_send,

  // The next_send of a grant that was in flight at the read.
  input  logic               shown,
  input  logic [PACE_W-1:0]  landed_next_send,

  // peeked.
  output logic               peeked_valid,
  output logic [INDEX_W-1:0] peeked_index,
  output logic               peeked_tracked,
  output logic [DLID_W-1:0]  peeked_dlid,
  output logic [CCTI_W-1:0]  peeked_ccti,
  output logic [TIME_W-1:0]  peeked_deadline,
  output logic               peeked_held,
  output logic [PACE_W-1:0]  peeked_next_send,
  output logic [2:0]         peeked_error,
  // The answer of the next cycle carries error range: for the counters.
  output logic               peeked_range_d
);

  // Stages from the pins to the read, and to the answer: after the read, LAND_STAGE stages are one
  // in which each grant in flight arrives.
  localparam int READ_STAGE = EFFECT_STAGE + 1;
  localparam int ANSWER_STAGE = READ_STAGE + LAND_STAGE;

  logic [ANSWER_STAGE:1] busy_q;
  logic                  accepted, seen, fresh_q;

  assign accepted = peek_valid && peek_ready;

  ready_interval #(
    .INTERVAL (PEEK_INTERVAL)
  ) u_ready (
    .clk       (clk),
    .rst_n     (rst_n),
    .init_done (init_done),
    .valid     (peek_valid),
    .ready     (peek_ready)
  );

  always_ff @(posedge clk) begin
    if (!rst_n) busy_q <= '0;
    else        busy_q <= {busy_q[ANSWER_STAGE-1:1], accepted};
  end

  assign read       = busy_q[READ_STAGE];
  assign read_entry = ENTRY_W'(peeked_index);

  // There is such an entry, and it tracks a destination: an index outside the table shows nothing.
  assign seen = seen_valid && peeked_error == ErrorNone;

  // The answer's index stands still until the next peek.
  always_ff @(posedge clk) begin
    if (accepted) peeked_index <= peek_index;
    if (busy_q[READ_STAGE]) begin
      peeked_error <= (32'(peeked_index) < 32'(ENTRIES)) ? ErrorNone : ErrorRange;
      fresh_q      <= 1'b0;
    end
    if (busy_q[READ_STAGE+1]) begin
      peeked_tracked  <= seen;
      peeked_dlid     <= seen ? seen_dlid : '0;
      peeked_ccti     <= seen ? seen_ccti : '0;
      peeked_deadline <= seen ? seen_deadline : '0;
      if (!fresh_q) begin
        peeked_held      <= seen && seen_held;
        peeked_next_send <= (seen && seen_held) ? seen_next_send : '0;
      end
    end
    // What lands is newer than what was read.
    if (shown) begin
      peeked_held      <= 1'b1;
      peeked_next_send <= landed_next_send;
      fresh_q          <= 1'b1;
    end
  end

  assign peeked_valid   = busy_q[ANSWER_STAGE];
  assign peeked_range_d = busy_q[ANSWER_STAGE-1] && peeked_error == ErrorRange;

`ifdef CONGRUENT_ASSERT
  logic legal_q;

  always_ff @(posedge clk) begin
    legal_q <= rst_n && init_done;
  end

  always @(posedge clk) begin
    if (rst_n && peek_valid) begin
      assert (legal_q)
        else $error("pt_peek: a peek before the cycle after init_done");
    end
  end
`endif

endmodule
