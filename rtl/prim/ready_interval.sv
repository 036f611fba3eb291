// The ready of a channel with an initiation interval: low before cycle 0, then high, and low for
// INTERVAL - 1 cycles after each beat taken.

module ready_interval #(
  parameter int INTERVAL = 4,
  localparam int COUNT_W = (INTERVAL > 2) ? $clog2(INTERVAL - 1) : 1
) (
  input  logic clk,
  input  logic rst_n,
  // Events are legal from the next cycle on.
  input  logic init_done,
  input  logic valid,
  output logic ready
);

  if (INTERVAL > 1) begin : g_wait
    logic [COUNT_W-1:0] count_q;

    always_ff @(posedge clk) begin
      if (!rst_n) begin
        ready   <= 1'b0;
        count_q <= '0;
      end else if (ready) begin
        if (valid) begin
          ready   <= 1'b0;
          count_q <= COUNT_W'(INTERVAL - 2);
        end
      end else if (count_q != '0) begin
        count_q <= count_q - 1'b1;
      end else begin
        ready <= init_done;
      end
    end
  end else begin : g_always
    logic unused_valid;

    assign unused_valid = valid;

    always_ff @(posedge clk) begin
      if (!rst_n) ready <= 1'b0;
      else        ready <= init_done;
    end
  end

endmodule
