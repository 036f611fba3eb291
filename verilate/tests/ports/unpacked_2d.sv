// Unpacked arrays of two dimensions of packed arrays.
module unpacked_2d (
    input  logic [1:0][6:0] in [0:2][1:0],
    output logic      [3:0] out[2][3]
);
  for (genvar i = 0; i < 2; i++) begin : g_row
    for (genvar j = 0; j < 3; j++) begin : g_column
      assign out[i][j] = in[j][i][0][3:0];
    end
  end
endmodule
