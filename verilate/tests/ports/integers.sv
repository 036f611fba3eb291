// Types that have their width in their name.
module integers (
    input  byte             b,
    input  byte unsigned    ub,
    input  shortint         s,
    input  int              i,
    input  longint unsigned l,
    input  integer          g,
    input  time             t,
    output int unsigned     q
);
  assign q = 32'(b) + 32'(ub) + 32'(s) + i + l[31:0] + g + t[31:0];
endmodule
