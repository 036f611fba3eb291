// Enumerations: named, with values, without a name, stored in an int, as a member, in arrays.
package enums_pkg;
  typedef enum logic [1:0] {RED, GREEN = 2, BLUE} color_t;
  typedef enum {SMALL, LARGE = 7} size_e;
  typedef struct packed {
    color_t     color;
    logic [1:0] same_width;
    size_e      size;
  } thing_t;
endpackage

module enums
  import enums_pkg::*;
(
    input  color_t                     color_i,
    input  logic             [1:0]     bits_i,
    input  enum logic [0:0] {OFF, ON}  power_i,
    input  size_e                      size_i,
    input  thing_t                     thing_i,
    input  color_t           [1:0]     pair_i,
    output color_t                     list_o  [3]
);
  assign list_o = '{color_i, pair_i[0], thing_i.color};
endmodule
