// Ranges that count up, and some that do not end at 0.
module ascending (
    input  logic [0:7]      up,
    input  logic [31:8]     shifted,
    input  logic [7:-8]     fraction,
    input  logic [0:3][1:4] both,
    output logic [0:0]      one
);
  assign one = ^{up, shifted, fraction, both};
endmodule
