// A string decides about a width.
module string_param #(
    parameter string MODE  = "narrow",
    parameter        LABEL = "x y"
) (
    input  logic [(MODE == "wide" ? 63 : 7):0] in,
    output logic                               out
);
  assign out = ^in;
endmodule
