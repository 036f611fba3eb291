// Non-restoring division, two quotient bits a cycle: floor({i_high, i_low} / i_den), i_high < i_den.
//
// A remainder that fell below 0 is not put back: the next step adds the divisor instead of taking it
// off. Its sign is the quotient bit either way. i_go loads; after n cycles the 2 x n leading bits of
// i_low have become the 2 x n low bits of o_quo.
module nwa_divide #(
  parameter int DenW = 36,
  parameter int NumW = 32     // even
) (
  input  logic            clock,
  input  logic            i_go,
  input  logic [DenW-1:0] i_high,
  input  logic [NumW-1:0] i_low,
  input  logic [DenW-1:0] i_den,
  output logic [NumW-1:0] o_quo
);
  logic signed [DenW+1:0] rest, first, second;
  logic [DenW-1:0]        den;
  logic [NumW-1:0]        num;   // digits to come at the top, quotient from below

  function automatic logic signed [DenW+1:0] step(input logic signed [DenW+1:0] from,
                                                  input logic                   digit,
                                                  input logic [DenW-1:0]        by);
    logic signed [DenW+1:0] twice;
    twice = {from[DenW:0], digit};
    return from[DenW+1] ? twice + $signed({2'b00, by}) : twice - $signed({2'b00, by});
  endfunction

  assign first  = step(rest, num[NumW-1], den);
  assign second = step(first, num[NumW-2], den);
  assign o_quo  = num;

  always_ff @(posedge clock) begin
    if (i_go) begin
      rest <= {2'b00, i_high};
      den  <= i_den;
      num  <= i_low;
    end else begin
      rest <= second;
      num  <= {num[NumW-3:0], !first[DenW+1], !second[DenW+1]};
    end
  end
endmodule
