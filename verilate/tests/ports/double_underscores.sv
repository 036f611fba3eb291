// Two underscores in a row, in front, within, at the end.
module double_underscores (
    input  logic       __clk,
    input  logic [2:0] in__data,
    output logic [2:0] out__,
    output logic       a__b__c
);
  always_ff @(posedge __clk) out__ <= in__data;
  assign a__b__c = ^in__data;
endmodule
