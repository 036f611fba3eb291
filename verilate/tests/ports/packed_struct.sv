// A packed struct from a package.
package packed_struct_pkg;
  typedef struct packed {
    logic        valid;
    logic [11:0] qp;
    logic [23:0] rate;
  } cnp_t;
endpackage

module packed_struct (
    input  logic                    clk,
    input  packed_struct_pkg::cnp_t cnp_i,
    output packed_struct_pkg::cnp_t cnp_o
);
  always_ff @(posedge clk) cnp_o <= cnp_i;
endmodule
