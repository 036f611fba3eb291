// The type of a port is a parameter.
package type_param_pkg;
  typedef struct packed {
    logic [1:0] a;
    logic [2:0] b;
  } pair_t;
endpackage

module type_param #(
    parameter type T = type_param_pkg::pair_t,
    parameter type U = logic [8:0],
    parameter int  N = 2
) (
    input  T         in,
    input  U         word,
    output T [N-1:0] out
);
  assign out = {N{in ^ T'(word)}};
endmodule
