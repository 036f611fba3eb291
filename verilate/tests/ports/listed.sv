// Named by a list only, with its macro, parameter, include folder and library.
`include "types/bus.svh"
module listed #(
    parameter int DEPTH = 2
) (
    input  logic                   clk,
    input  beat_t                  beat,
    output logic [      DEPTH-1:0] deep,
    output logic [`FROM_LIST-1:0]  macro,
    output logic [            3:0] q
);
  assign {deep, macro} = '0;
  library_part part (.part_clk(clk), .d(beat[3:0]), .q(q));
endmodule
