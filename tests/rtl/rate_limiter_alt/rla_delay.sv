// A word delayed by `Cycles` cycles, 2 or more: a ring of words with one write and one read a
// cycle, so that nothing is shifted. Words are not reset; whoever uses them carries a valid bit.
module rla_delay #(
  parameter int Width  = 8,
  parameter int Cycles = 4
) (
  input  logic             clock,
  input  logic             reset,
  input  logic [Width-1:0] i_word,
  output logic [Width-1:0] o_word
);
  localparam int PtrW = (Cycles > 2) ? $clog2(Cycles - 1) : 1;
  localparam logic [PtrW-1:0] Last = PtrW'(Cycles - 2);

  logic [Width-1:0] ring [Cycles-1];
  logic [PtrW-1:0]  spot;

  // The word read was written Cycles - 1 cycles ago, in the same spot; its register is the last
  // cycle of the delay.
  always_ff @(posedge clock) begin
    o_word     <= ring[spot];
    ring[spot] <= i_word;
    if (reset || spot == Last) spot <= '0;
    else                       spot <= spot + 1'b1;
  end
endmodule
