// A module that only a library folder has.
module library_user (
    input  logic       clk,
    input  logic [3:0] d,
    output logic [3:0] q
);
  library_part part (.part_clk(clk), .d(d), .q(q));
endmodule
