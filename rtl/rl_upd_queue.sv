// The upd beats of the published reaction point: a visit makes up to three in one cycle, a CNP one;
// they leave in order, one a cycle. The first leaves at once where nothing waits. The sweep visits
// only then, so a visit leaves at most two waiting, and a CNP adds one in a cycle in which one
// leaves: two places are enough.

module rl_upd_queue #(
  parameter int WIDTH = 8,
  parameter int CTX_W = 8
) (
  input  logic             clk,
  input  logic             rst_n,

  // Something waits as of the start of this cycle.
  output logic             waiting,

  // The beats of this cycle, in order: at most the first where something waits.
  input  logic [3:1]       in_valid,
  input  logic [CTX_W-1:0] in_ctx,
  input  logic [WIDTH-1:0] in_1,
  input  logic [WIDTH-1:0] in_2,
  input  logic [WIDTH-1:0] in_3,

  output logic             out_valid,
  output logic [CTX_W-1:0] out_ctx,
  output logic [WIDTH-1:0] out
);

  localparam int PLACE_W = CTX_W + WIDTH;

  logic [2:1]         valid_q, valid_d;
  logic [PLACE_W-1:0] place_1_q, place_2_q, place_1_d, place_2_d, out_d;
  logic               out_valid_d;

  assign waiting = valid_q[1];

  always_comb begin
    if (valid_q[1]) begin
      // One leaves, the rest moves up, and what comes goes behind it.
      out_valid_d = 1'b1;
      out_d       = place_1_q;
      place_1_d   = valid_q[2] ? place_2_q : {in_ctx, in_1};
      place_2_d   = {in_ctx, in_1};
      valid_d     = {valid_q[2] && in_valid[1], valid_q[2] || in_valid[1]};
    end else begin
      out_valid_d = in_valid[1];
      out_d       = {in_ctx, in_1};
      place_1_d   = {in_ctx, in_2};
      place_2_d   = {in_ctx, in_3};
      valid_d     = in_valid[3:2];
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      valid_q   <= '0;
      out_valid <= 1'b0;
    end else begin
      valid_q   <= valid_d;
      out_valid <= out_valid_d;
    end
  end

  always_ff @(posedge clk) begin
    if (valid_d[1])  place_1_q      <= place_1_d;
    if (valid_d[2])  place_2_q      <= place_2_d;
    if (out_valid_d) {out_ctx, out} <= out_d;
  end

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && in_valid != '0) begin
      assert (!waiting || in_valid == 3'b001)
        else $error("rl_upd_queue: more than one beat of queue pair %0d while others wait", in_ctx);
      assert (in_valid == 3'b001 || in_valid == 3'b011 || in_valid == 3'b111)
        else $error("rl_upd_queue: beats of queue pair %0d leave a gap", in_ctx);
    end
    if (rst_n) begin
      assert (valid_q != 2'b10)
        else $error("rl_upd_queue: a beat waits behind nothing");
    end
  end
`endif

endmodule
