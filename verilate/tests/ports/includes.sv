// Included files with a folder in their name; some ports are declared in one.
`include "types/bus.svh"
module includes (
    input  logic  clk,
`include "types/ports.svh"
);
  always_ff @(posedge clk) beat_o <= beat_i;
endmodule
