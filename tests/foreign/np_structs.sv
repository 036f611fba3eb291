// The notification point with its channels as packed structs, its counters as an unpacked array, and
// its refusals as a lane of one.
module np_structs
  import np_types::*;
#(
  parameter int QPS = 256,
  parameter int QP_W = 12,
  parameter int TIME_W = 32,
  parameter int TIME_INIT = -96
) (
  input  logic              clk,
  input  logic              rst_n,
  input  logic [TIME_W-1:0] cfg_gap,
  // Lane 1 is for peeks, lane 0 for marks.
  input  mark_t [1:0]       in_i,
  output logic              peek_ready,
  output mark_t             cnp_o,
  output answer_t           answer_o,
  output logic [QP_W+4:0]   refused_o [2:3],
  output logic [15:0]       count_o [3][0:0],
  output logic              init_done
);
  int bug;
  logic ce_valid, peek_valid, cnp_valid, peeked_valid, recent, err_valid, err_channel;
  logic [QP_W-1:0] ce_qp, peek_qp, cnp_qp, peeked_qp, err_qp;
  logic [TIME_W-1:0] last;
  logic [2:0] peeked_error, err_code;
  logic [15:0] cnps, swallowed, range;

  initial if (!$value$plusargs("bug=%d", bug)) bug = 0;

  assign ce_valid = in_i[0].valid;
  assign ce_qp = QP_W'(in_i[0].who);
  assign peek_valid = in_i[1].valid;
  assign peek_qp = QP_W'(in_i[1].who);

  assign cnp_o = '{valid: cnp_valid, who: 16'(cnp_qp)};
  always_comb begin
    answer_o = '1;
    answer_o.of = '{valid: peeked_valid, who: 16'(peeked_qp)};
    answer_o.kind = peeked_valid ? STATE : NOTHING;
    answer_o.state.recent = recent;
    // Bug 1: a bit above our own is not 0.
    answer_o.state.last = {bug == 1, 31'(last)};
    answer_o.why = peeked_error;
  end
  assign refused_o[2] = '1;
  // Bug 2: the queue pair that is refused is that of a peek.
  assign refused_o[3] = {err_valid, bug == 2 ? peek_qp : err_qp, err_code, err_channel};
  assign count_o[0][0] = cnps;
  // Bug 3: two counters are exchanged.
  assign count_o[1][0] = bug == 3 ? range : swallowed;
  assign count_o[2][0] = bug == 3 ? swallowed : range;

  notification_point #(
    .QPS(QPS), .QP_W(QP_W), .TIME_W(TIME_W), .TIME_INIT(TIME_INIT)
  ) inner (
    .clk, .rst_n, .cfg_gap, .ce_valid, .ce_qp, .peek_valid, .peek_qp, .peek_ready, .cnp_valid,
    .cnp_qp, .peeked_valid, .peeked_qp, .peeked_recent(recent), .peeked_last(last), .peeked_error,
    .err_valid, .err_channel, .err_code, .err_qp, .init_done, .stat_cnps(cnps),
    .stat_swallowed(swallowed), .stat_range(range)
  );
endmodule
