// Unpacked arrays of one dimension, with a size and with ranges.
module unpacked_1d (
    input  logic       clk,
    input  logic [7:0] by_size  [4],
    input  logic [7:0] down     [3:0],
    output logic       from_two [2:5]
);
  always_ff @(posedge clk) begin
    from_two[2] <= by_size[0][0];
    from_two[3] <= by_size[1][0];
    from_two[4] <= down[2][0];
    from_two[5] <= down[3][0];
  end
endmodule
