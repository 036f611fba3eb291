// Names that are none without a backslash.
module escaped (
    input  logic       \clk.main ,
    input  logic [3:0] \data[in] ,
    output logic [3:0] \a+b
);
  always_ff @(posedge \clk.main ) \a+b <= \data[in] ;
endmodule
