// A small block for the tests of the harness: adds values, and ends in every way that RTL can.
`include "probe.svh"
module probe #(
  parameter int W = 40,
  parameter int INIT = -3
) (
  input  logic         clk,
  input  logic         rst_n,
  input  logic [7:0]   cfg_bias,
  input  logic         op_valid,
  input  logic [3:0]   op_kind,
  input  logic [8:0]   op_value,
  output logic         op_ready,
  output logic         sum_valid,
  output logic [W-1:0] sum_total,
  output logic         sum__odd,
  output logic         init_done,
  output logic [7:0]   start
);
  logic [2:0] init_q;
  logic [7:0] never_reset;
  logic       loop;
  logic       beat;

  assign beat  = op_valid && op_ready;
  assign start = never_reset;
  // Does not settle while a beat of kind 7 is there.
  assign loop = (op_valid && op_kind == 4'd7) ? !loop : 1'b0;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      init_q    <= '0;
      init_done <= 1'b0;
      op_ready  <= 1'b1;
      sum_valid <= 1'b0;
      sum_total <= W'(INIT);
    end else begin
      if (init_q != 3'd7) init_q <= init_q + 3'd1;
      init_done <= init_q == 3'd7;
      op_ready  <= !beat;
      sum_valid <= beat;
      if (beat) begin
        sum_total <= sum_total + W'(op_value) + W'(cfg_bias) + W'(`PROBE_OFFSET) - W'(1);
        sum__odd  <= op_value[0];
        never_reset <= never_reset + 8'(loop);
        case (op_kind)
          4'd1: $finish;
          4'd2: $stop;
          4'd3: $fatal(1, "fatal at %0d", sum_total);
          4'd5: $display("total was %0d", sum_total);
          4'd6: while (op_kind == 4'd6) sum_total <= sum_total + 1;
          4'd8: $system("kill -SEGV $PPID; sleep 1");
          default: ;
        endcase
      end
`ifdef CONGRUENT_ASSERT
      no_four: assert (!(beat && op_kind == 4'd4)) else $error("kind four with %0d", op_value);
`endif
    end
  end
endmodule
