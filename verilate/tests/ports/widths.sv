// From one bit to many thousand.
module widths (
    input  logic           one,
    input  logic [    0:0] one_of_a_range,
    input  logic [   64:0] w65,
    input  logic [  233:0] w234,
    output logic [  511:0] w512,
    output logic [19999:0] w20000
);
  assign w512   = 512'(w234);
  assign w20000 = {19934'(one), w65, one_of_a_range};
endmodule
