// Arrays of structs, packed and unpacked.
package struct_arrays_pkg;
  typedef struct packed {
    logic [3:0] tag;
    logic       hit;
  } entry_t;
endpackage

module struct_arrays (
    input  struct_arrays_pkg::entry_t [2:0] row,
    output struct_arrays_pkg::entry_t       table_o[2]
);
  assign table_o = '{row[0], row[2]};
endmodule
