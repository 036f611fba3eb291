// Structs in structs, one of them without a name, and an array in one.
package nested_struct_pkg;
  typedef struct packed {
    logic [2:0]      kind;
    logic [1:0][4:0] lanes;
  } inner_t;
  typedef struct packed {
    inner_t first;
    logic   gap;
    inner_t second;
    struct packed {
      logic signed [5:0] offset;
      logic              sign;
    } tail;
  } outer_t;
endpackage

module nested_struct
  import nested_struct_pkg::*;
(
    input  outer_t in,
    output inner_t out
);
  assign out = in.second;
endmodule
