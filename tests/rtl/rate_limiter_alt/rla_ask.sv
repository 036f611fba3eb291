// What a packet costs: from a request to the time it takes at its queue's speed, four stages.
//
// Holds the cycles a byte (UQ16.28) of every queue that is not at line speed. The loop writes them
// long after its decision, so the new speed paces requests from a fixed number of cycles on.
module rla_ask #(
  parameter int QPS    = 16,
  parameter int QP_W   = 5,
  parameter int TIME_W = 32,
  parameter int BUG    = 0,
  localparam int IdxW  = $clog2(QPS),
  localparam int PaceW = TIME_W + 16
) (
  input  logic             clock,
  input  logic             reset,
  input  logic [32:0]      p_line_cpb,

  input  logic             i_vld,
  input  logic [QP_W-1:0]  i_queue,
  input  logic [13:0]      i_len,

  // New cycles a byte of a queue; i_cpb_line: back to line speed.
  input  logic             i_cpb_vld,
  input  logic             i_cpb_line,
  input  logic [IdxW-1:0]  i_cpb_queue,
  input  logic [43:0]      i_cpb,

  // Five cycles after the request: o_err 0 none, 1 unknown queue, 3 empty packet.
  output logic             o_vld,
  output logic [QP_W-1:0]  o_queue,
  output logic [2:0]       o_err,
  output logic [PaceW-1:0] o_cost       // cycles, UQ TIME_W.16
);
  logic [43:0]    cpb [QPS];
  logic [QPS-1:0] slow;                 // cpb holds; otherwise line speed

  // BUG 6: the end of an episode leaves the last speed in place.
  logic cpb_write;
  assign cpb_write = i_cpb_vld && !(BUG == 6 && i_cpb_line);

  always_ff @(posedge clock) begin
    if (cpb_write) cpb[i_cpb_queue] <= i_cpb;
    if (reset)          slow <= '0;
    else if (cpb_write) slow[i_cpb_queue] <= !i_cpb_line;
  end

  logic [4:0]      vld;
  logic [QP_W-1:0] queue [5];
  logic [2:0]      err   [5];
  logic [13:0]     len   [2];
  logic [43:0]     cpb_q;
  logic [35:0]     cost_low, cost_high;
  logic [57:0]     cost_sum;

  always_ff @(posedge clock) begin
    if (reset) vld <= '0;
    else       vld <= {vld[3:0], i_vld};

    if (i_vld) begin
      queue[0] <= i_queue;
      len[0]   <= i_len;
      err[0]   <= ((i_queue >> IdxW) != '0) ? 3'd1 : (i_len == '0) ? 3'd3 : 3'd0;
    end
    if (vld[0]) begin
      queue[1] <= queue[0];
      err[1]   <= err[0];
      len[1]   <= len[0];
      cpb_q    <= slow[IdxW'(queue[0])] ? cpb[IdxW'(queue[0])] : 44'(p_line_cpb);
    end
    if (vld[1]) begin
      queue[2]  <= queue[1];
      err[2]    <= err[1];
      cost_low  <= 36'(len[1]) * 36'(cpb_q[21:0]);
      cost_high <= 36'(len[1]) * 36'(cpb_q[43:22]);
    end
    if (vld[2]) begin
      queue[3] <= queue[2];
      err[3]   <= err[2];
      cost_sum <= 58'(cost_low) + {cost_high, 22'd0};
    end
    if (vld[3]) begin
      queue[4] <= queue[3];
      err[4]   <= err[3];
      o_cost   <= PaceW'((cost_sum + 58'd2048) >> 12);
    end
  end

  assign o_vld   = vld[4];
  assign o_queue = queue[4];
  assign o_err   = err[4];
endmodule
