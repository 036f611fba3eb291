// Words of C++ that are names here.
module cpp_keywords (
    input  logic       namespace,
    input  logic [1:0] template,
    input  logic       short,
    output logic [1:0] delete,
    output logic       operator
);
  always_ff @(posedge namespace) delete <= template;
  assign operator = short;
endmodule
