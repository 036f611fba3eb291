// A type that only the module itself knows.
module local_types (in, out);
  typedef struct packed {
    logic [1:0] x;
    logic       y;
  } mine_t;
  input mine_t in;
  output mine_t out;
  assign out = in;
endmodule
