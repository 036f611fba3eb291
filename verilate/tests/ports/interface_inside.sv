// An interface that carries the clock, inside only.
interface inner_if (
    input logic ck
);
  logic [3:0] data;
  modport sink(input ck, data);
endinterface

module interface_inside (
    input  logic       clk,
    input  logic [3:0] d,
    output logic [3:0] q
);
  inner_if bus (.ck(clk));
  assign bus.data = d;
  interface_inside_leaf leaf (.bus(bus), .q(q));
endmodule

module interface_inside_leaf (
    inner_if.sink       bus,
    output logic  [3:0] q
);
  always_ff @(posedge bus.ck) q <= bus.data;
endmodule
