// A beat, so many cycles later: valid bits are reset, payload is not.

module pta_delay #(
  parameter int W = 1,
  parameter int CYCLES = 1
) (
  input  logic         clock,
  input  logic         reset,
  input  logic         i_vld,
  input  logic [W-1:0] i_data,
  output logic         o_vld,
  output logic [W-1:0] o_data
);

  logic [CYCLES-1:0] vld;
  logic [W-1:0]      data [CYCLES];

  always_ff @(posedge clock) begin
    vld[0]  <= i_vld && !reset;
    data[0] <= i_data;
    for (int n = 1; n < CYCLES; n++) begin
      vld[n]  <= vld[n-1] && !reset;
      data[n] <= data[n-1];
    end
  end

  assign o_vld  = vld[CYCLES-1];
  assign o_data = data[CYCLES-1];

endmodule
