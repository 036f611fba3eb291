// Signed ports, alone, in arrays and structs.
typedef struct packed signed {
  logic signed [3:0] delta;
  logic [3:0]        base;
} sum_t;

module signs (
    input  logic signed      [11:0] a,
    input  wire signed       [ 7:0] b,
    input  logic signed [1:0][ 3:0] pair,
    input  sum_t                    sum,
    output logic signed      [12:0] q
);
  assign q = 13'(a) + 13'(b) + 13'(pair) + 13'(sum);
endmodule
