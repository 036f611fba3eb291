// The notification point as somebody else calls its ports, with two inputs of their own.
module np_renamed #(
  parameter int QPS = 256,
  parameter int QP_W = 12,
  parameter int TIME_W = 32,
  parameter int TIME_INIT = -96,
  parameter string NAME = "north"
) (
  input  logic              clock,
  input  logic              nreset,
  input  logic [TIME_W-1:0]  min__gap,
  input  logic              friend,
  input  logic [QP_W-1:0]    mark_who,
  input  logic              ask,
  input  logic [QP_W-1:0]    ask_who,
  output logic              may_ask,
  output logic              \send+cnp ,
  output logic [QP_W-1:0]    send_who,
  output logic              told,
  output logic [QP_W-1:0]    told_who,
  output logic              told_recent,
  output logic [TIME_W-1:0]  told_last,
  output logic [2:0]         told_why,
  output logic              bad,
  output logic              bad_from,
  output logic [2:0]         bad_why,
  output logic [QP_W-1:0]    bad_who,
  output logic              up,
  output logic [15:0]        n_cnps,
  output logic [15:0]        n_swallowed,
  output logic [15:0]        n_range,
  input  logic [3:0]         scan_mode,
  input  logic [95:0]        patch
);
  int bug;
  logic [QP_W-1:0] who;
  logic            works;

  initial if (!$value$plusargs("bug=%d", bug)) bug = 0;

  // Works only while its own inputs are held at what its manual says.
  assign works = scan_mode == 4'd5 && patch == {32'hffff_ffff, 64'd0};
  // Bug 1: the CNP of queue pair 3 names queue pair 2.
  assign send_who = who ^ QP_W'(bug == 1 && who == 3);

  notification_point #(
    .QPS(QPS), .QP_W(QP_W), .TIME_W(TIME_W), .TIME_INIT(TIME_INIT)
  ) inner (
    .clk(clock), .rst_n(nreset), .cfg_gap(min__gap), .ce_valid(friend && works), .ce_qp(mark_who),
    .peek_valid(ask), .peek_qp(ask_who), .peek_ready(may_ask), .cnp_valid(\send+cnp ), .cnp_qp(who),
    .peeked_valid(told), .peeked_qp(told_who), .peeked_recent(told_recent), .peeked_last(told_last),
    .peeked_error(told_why), .err_valid(bad), .err_channel(bad_from), .err_code(bad_why),
    .err_qp(bad_who), .init_done(up), .stat_cnps(n_cnps), .stat_swallowed(n_swallowed),
    .stat_range(n_range)
  );
endmodule
