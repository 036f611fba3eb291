// A packed union, alone and in a struct.
typedef union packed {
  logic [15:0] word;
  struct packed {
    logic [7:0] high;
    logic [7:0] low;
  } bytes;
} both_t;
typedef struct packed {
  logic  valid;
  both_t value;
} wrapped_t;

module unions (
    input  both_t    plain,
    output wrapped_t wrapped
);
  assign wrapped = {1'b1, plain};
endmodule
