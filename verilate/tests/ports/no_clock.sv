// Nothing but logic.
module no_clock (
    input  logic [3:0] a,
    input  logic [3:0] b,
    output logic [4:0] sum
);
  assign sum = 5'(a) + 5'(b);
endmodule
