// Widths from a function; its arguments are no ports.
module function_widths #(
    parameter int ENTRIES = 100
) (
    input  logic [bits(ENTRIES)-1:0]      index,
    output logic [bits(ENTRIES * 16)-1:0] address
);
  function automatic int bits(input int n);
    bits = 1;
    while ((1 << bits) < n) bits++;
  endfunction
  assign address = {index, 4'b0};
endmodule
