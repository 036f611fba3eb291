module library_part (
    input  logic       part_clk,
    input  logic [3:0] d,
    output logic [3:0] q
);
  always_ff @(posedge part_clk) q <= d;
endmodule
