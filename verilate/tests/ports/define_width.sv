// A macro says how wide.
`ifndef WIDTH
`define WIDTH 8
`endif
module define_width (
    input  logic [`WIDTH-1:0] in,
`ifdef WITH_EXTRA
    input  logic              extra,
`endif
    output logic [`WIDTH-1:0] out
);
  assign out = in;
endmodule
