// Exact unsigned floor division by long division in base 4096, one a cycle, latency 7 + 2 x Digits.
//
// The reciprocal of the divisor is found once (a straight line, then two Newton steps) to better
// than 13 bits and never above the true value. Each digit of the quotient is remainder x reciprocal,
// which is right or one short; the remainder that it leaves tells which. So the result is exact
// whatever the last bits of the reciprocal are.
//
// Divides {i_rem, i_digits} by i_den; i_rem < i_den, and i_den is not 0 (0 gives nonsense).
module rla_divide #(
  parameter int DenW    = 25,   // bits of the divisor and of the leading remainder, up to 32
  parameter int Digits  = 5,    // quotient digits of 12 bits
  parameter int Correct = 1     // 0 leaves a digit that is one short as it is: a planted bug
) (
  input  logic                 clock,
  input  logic                 reset,
  input  logic                 i_vld,
  input  logic [DenW-1:0]      i_rem,
  input  logic [12*Digits-1:0] i_digits,
  input  logic [DenW-1:0]      i_den,
  output logic                 o_vld,
  output logic [12*Digits-1:0] o_quo
);
  // Divisors narrower than the 18 bits that the reciprocal looks at are widened.
  localparam int W      = (DenW < 18) ? 18 : DenW;
  localparam int ShiftW = $clog2(W);
  localparam int NumW   = 12 * Digits;
  localparam int Ahead  = 7;
  localparam int Stages = Ahead + 2 * Digits;

  // The line 48/17 - 32/17 d, UQ2.16: within 1/17 of 1/d for d from 1/2 to 1.
  localparam logic [17:0] LineStart = 18'd185042;
  localparam logic [16:0] LineSlope = 17'd123361;

  // Entry s of each array is what stage s, counted from 1, hands on. A stage moves only when it is
  // given something.
  logic [Stages:1]    vld;
  logic [W-1:0]       den   [1:Stages];
  logic [W-1:0]       rest  [1:Stages];   // remainder so far
  logic [NumW-1:0]    num   [1:Stages];   // digits to come at the top, quotient from below
  logic [ShiftW-1:0]  shift [1:Stages];   // leading zeros of the divisor
  logic [18:0]        recip [Ahead:Stages];   // UQ1.18, at most 1 / d for d in [1/2, 1)

  assign o_vld = vld[Stages];
  assign o_quo = num[Stages];

  always_ff @(posedge clock) begin
    if (reset) vld <= '0;
    else       vld <= {vld[Stages-1:1], i_vld};
  end

  // --- Reciprocal ------------------------------------------------------------------------------
  // Stage 1 counts leading zeros, 2 normalises, 3 is the line, 4 and 5 the first Newton step
  // (r := r x (2 - d x r)), 6 and 7 the second. Everything dropped is dropped so that the
  // reciprocal stays at or below the truth: the divisor is rounded up, the rest down.
  logic [ShiftW-1:0] zeros;
  always_comb begin
    zeros = '0;
    for (int i = 0; i < DenW; i++) begin
      if (i_den[i]) zeros = ShiftW'(W - 1 - i);
    end
  end

  logic [18:0] d2, d3, d4, d5;      // UQ1.18, in (1/2, 1]
  logic [17:0] line2, r3, r4;       // UQ2.16
  logic [18:0] dr3, gap4;           // UQ1.18: d x r, and 2 - d x r
  logic [18:0] dr5, gap6;
  logic [18:0] next4, r5, r6, next6;
  always_comb begin
    line2 = 18'((36'(d2) * 36'(LineSlope)) >> 18);
    dr3   = 19'((37'(d3) * 37'(r3)) >> 16);
    next4 = 19'((37'(r4) * 37'(gap4)) >> 16);
    dr5   = 19'((38'(d5) * 38'(r5)) >> 18);
    next6 = 19'((38'(r6) * 38'(gap6)) >> 18);
  end

  always_ff @(posedge clock) begin
    if (vld[1]) d2 <= 19'(((W+1)'(den[1]) << shift[1]) >> (W - 18)) + 19'd1;
    if (vld[2]) begin
      d3 <= d2;
      r3 <= LineStart - line2 - 18'd1;
    end
    if (vld[3]) begin
      d4   <= d3;
      r4   <= r3;
      gap4 <= ~dr3;
    end
    if (vld[4]) begin
      d5 <= d4;
      r5 <= next4;
    end
    if (vld[5]) begin
      r6   <= r5;
      gap6 <= ~dr5;
    end
    if (vld[6]) recip[Ahead] <= next6;
  end

  always_ff @(posedge clock) begin
    if (i_vld) begin
      den[1]   <= W'(i_den);
      rest[1]  <= W'(i_rem);
      num[1]   <= i_digits;
      shift[1] <= zeros;
    end
  end
  for (genvar s = 1; s < Ahead; s++) begin : g_ahead
    always_ff @(posedge clock) begin
      if (vld[s]) begin
        den[s+1]   <= den[s];
        rest[s+1]  <= rest[s];
        num[s+1]   <= num[s];
        shift[s+1] <= shift[s];
      end
    end
  end

  // --- Digits, two stages each -----------------------------------------------------------------
  for (genvar k = 0; k < Digits; k++) begin : g_digit
    localparam int A = Ahead + 2 * k;
    localparam int B = A + 1;

    // First stage: the digit, right or one short. The scaled remainder is below 4096 x divisor.
    logic [W+11:0] longer, longer_q, scaled;
    logic [11:0]   guess, digit;
    always_comb begin
      longer = {rest[A], num[A][NumW-1 -: 12]};
      scaled = longer << shift[A];
      guess  = 12'(((W+31)'(scaled) * (W+31)'(recip[A])) >> (W + 18));
    end
    always_ff @(posedge clock) begin
      if (vld[A]) begin
        digit    <= guess;
        longer_q <= longer;
        den[B]   <= den[A];
        num[B]   <= num[A] << 12;
        shift[B] <= shift[A];
        recip[B] <= recip[A];
      end
    end

    // Second stage: its remainder, and the correction.
    logic [W:0]   left;
    logic         one_short;
    logic [W-1:0] left_true;
    logic [11:0]  digit_true;
    always_comb begin
      left       = (W+1)'(longer_q - (W+12)'(digit) * (W+12)'(den[B]));
      one_short  = (left >= {1'b0, den[B]}) && (Correct != 0);
      left_true  = one_short ? W'(left - {1'b0, den[B]}) : W'(left);
      digit_true = one_short ? digit + 12'd1 : digit;
    end
    always_ff @(posedge clock) begin
      if (vld[B]) begin
        rest[B+1]  <= left_true;
        num[B+1]   <= num[B] | NumW'(digit_true);
        den[B+1]   <= den[B];
        shift[B+1] <= shift[B];
        recip[B+1] <= recip[B];
      end
    end
  end
endmodule
