// Packed arrays of several dimensions.
module multi_packed (
    input  logic [3:0][7:0]      two,
    input  logic [1:0][2:0][4:0] three,
    output logic [0:1][15:0]     mixed
);
  assign mixed = two;
endmodule
