// The notification point with two more registers behind every channel and counter; what says that it is
// ready is on time. Its ports are called as in the table: it needs no map.
module np_deep #(
  parameter int QPS = 256,
  parameter int QP_W = 12,
  parameter int TIME_W = 32,
  parameter int TIME_INIT = -96
) (
  input  logic              clk,
  input  logic              rst_n,
  input  logic [TIME_W-1:0]  cfg_gap,
  input  logic              ce_valid,
  input  logic [QP_W-1:0]    ce_qp,
  input  logic              peek_valid,
  input  logic [QP_W-1:0]    peek_qp,
  output logic              peek_ready,
  output logic              cnp_valid,
  output logic [QP_W-1:0]    cnp_qp,
  output logic              peeked_valid,
  output logic [QP_W-1:0]    peeked_qp,
  output logic              peeked_recent,
  output logic [TIME_W-1:0]  peeked_last,
  output logic [2:0]         peeked_error,
  output logic              err_valid,
  output logic              err_channel,
  output logic [2:0]         err_code,
  output logic [QP_W-1:0]    err_qp,
  output logic              init_done,
  output logic [15:0]        stat_cnps,
  output logic [15:0]        stat_swallowed,
  output logic [15:0]        stat_range
);
  int bug;
  logic cnp_valid_0, cnp_valid_1;
  logic [QP_W-1:0] cnp_qp_0, cnp_qp_1;
  logic peeked_valid_0, peeked_valid_1;
  logic [QP_W-1:0] peeked_qp_0, peeked_qp_1;
  logic peeked_recent_0, peeked_recent_1;
  logic [TIME_W-1:0] peeked_last_0, peeked_last_1;
  logic [2:0] peeked_error_0, peeked_error_1;
  logic err_valid_0, err_valid_1;
  logic err_channel_0, err_channel_1;
  logic [2:0] err_code_0, err_code_1;
  logic [QP_W-1:0] err_qp_0, err_qp_1;
  logic [15:0] stat_cnps_0, stat_cnps_1;
  logic [15:0] stat_swallowed_0, stat_swallowed_1;
  logic [15:0] stat_range_0, stat_range_1;

  initial if (!$value$plusargs("bug=%d", bug)) bug = 0;

  always_ff @(posedge clk) begin
    cnp_valid_1 <= cnp_valid_0;
    cnp_qp_1 <= cnp_qp_0;
    peeked_valid_1 <= peeked_valid_0;
    peeked_qp_1 <= peeked_qp_0;
    peeked_recent_1 <= peeked_recent_0;
    peeked_last_1 <= peeked_last_0;
    peeked_error_1 <= peeked_error_0;
    err_valid_1 <= err_valid_0;
    err_channel_1 <= err_channel_0;
    err_code_1 <= err_code_0;
    err_qp_1 <= err_qp_0;
    stat_cnps_1 <= stat_cnps_0;
    stat_swallowed_1 <= stat_swallowed_0;
    stat_range_1 <= stat_range_0;
    cnp_valid <= cnp_valid_1;
    // Bug 1: one of them is missing here.
    cnp_qp <= bug == 1 ? cnp_qp_0 : cnp_qp_1;
    peeked_valid <= peeked_valid_1;
    peeked_qp <= peeked_qp_1;
    peeked_recent <= peeked_recent_1;
    peeked_last <= peeked_last_1;
    peeked_error <= peeked_error_1;
    err_valid <= err_valid_1;
    err_channel <= err_channel_1;
    err_code <= err_code_1;
    err_qp <= err_qp_1;
    stat_cnps <= stat_cnps_1;
    stat_swallowed <= stat_swallowed_1;
    stat_range <= stat_range_1;
  end

  notification_point #(
    .QPS(QPS), .QP_W(QP_W), .TIME_W(TIME_W), .TIME_INIT(TIME_INIT)
  ) inner (
    .clk, .rst_n, .cfg_gap, .ce_valid, .ce_qp, .peek_valid, .peek_qp, .peek_ready,
    .cnp_valid(cnp_valid_0), .cnp_qp(cnp_qp_0), .peeked_valid(peeked_valid_0),
    .peeked_qp(peeked_qp_0), .peeked_recent(peeked_recent_0), .peeked_last(peeked_last_0),
    .peeked_error(peeked_error_0), .err_valid(err_valid_0), .err_channel(err_channel_0),
    .err_code(err_code_0), .err_qp(err_qp_0), .init_done, .stat_cnps(stat_cnps_0),
    .stat_swallowed(stat_swallowed_0), .stat_range(stat_range_0)
  );
endmodule
