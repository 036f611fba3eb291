// What a queued packet knows about its destination, one stage later. A destination is looked up
// once, when its packet arrives; from then on this follows the events of each effect stage: an
// entry made for the destination, its release, its replacement, a grant to it (from then until its
// next_send lands it is in flight), next_send landing, and the sweep's clearing of held.
// Combinational.

module pt_follow #(
  parameter int ENTRY_W = 6,
  parameter int DLID_W = 24,
  parameter int PACE_W = 48
) (
  // What is known at the start of the stage.
  input  logic [DLID_W-1:0]  dlid,
  input  logic               tracked,
  input  logic [ENTRY_W-1:0] entry,
  input  logic               in_flight,
  input  logic               held,
  input  logic [PACE_W-1:0]  next_send,

  // Events of the stage.
  input  logic               made,
  input  logic [ENTRY_W-1:0] made_entry,
  input  logic [DLID_W-1:0]  made_dlid,
  input  logic               released,
  input  logic [ENTRY_W-1:0] released_entry,
  input  logic               expired,
  input  logic [ENTRY_W-1:0] expired_entry,
  input  logic               paced,
  input  logic [ENTRY_W-1:0] paced_entry,
  input  logic               landed,
  input  logic [ENTRY_W-1:0] landed_entry,
  input  logic [PACE_W-1:0]  landed_next_send,

  // What is known at the end of the stage.
  output logic               tracked_d,
  output logic [ENTRY_W-1:0] entry_d,
  output logic               in_flight_d,
  output logic               held_d,
  output logic [PACE_W-1:0]  next_send_d
);

  // What is known after the stage's other events: a next_send that lands comes after the sweep's
  // visit. An entry made for the destination is a new one, whatever became of the old one.
  always_comb begin
    tracked_d   = tracked;
    entry_d     = entry;
    in_flight_d = in_flight;
    held_d      = held;
    next_send_d = next_send;
    if (tracked) begin
      if (released) begin
        if (released_entry == entry) tracked_d = 1'b0;
      end
      if (expired) begin
        if (expired_entry == entry) held_d = 1'b0;
      end
      if (paced) begin
        if (paced_entry == entry) in_flight_d = 1'b1;
      end
      if (landed) begin
        if (landed_entry == entry) begin
          in_flight_d = 1'b0;
          held_d      = 1'b1;
          next_send_d = landed_next_send;
        end
      end
    end
    if (made) begin
      if (made_dlid == dlid) begin
        tracked_d   = 1'b1;
        entry_d     = made_entry;
        in_flight_d = 1'b0;
        held_d      = 1'b0;
      end else if (made_entry == entry) begin
        tracked_d = 1'b0;
      end
    end
  end

endmodule
