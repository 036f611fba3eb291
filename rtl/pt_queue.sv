// One transmit queue of the pacing table: the packet at its head and the one behind, each with what
// is known about its destination's entry. Says in each effect stage whether the head is eligible,
// and counts how long it was not.

module pt_queue
  import pt_pkg::*;
#(
  parameter int ENTRY_W = 6,
  parameter int DLID_W = 24,
  parameter int TIME_W = 32,
  parameter int TIME_FRAC = 16,
  localparam int PACE_W = TIME_W + TIME_FRAC
) (
  input  logic               clk,
  input  logic               rst_n,

  // Time of the effect stage.
  input  logic [TIME_W-1:0]  now,

  // A packet for this queue arrives in this stage, with what is known at its start.
  input  logic               arrive,
  input  logic [DLID_W-1:0]  arrive_dlid,
  input  logic [BYTES_W-1:0] arrive_bytes,
  input  logic               arrive_tracked,
  input  logic [ENTRY_W-1:0] arrive_entry,
  input  logic               arrive_in_flight,
  input  logic               arrive_held,
  input  logic [PACE_W-1:0]  arrive_next_send,

  // The head goes in this stage.
  input  logic               go,

  // Events of the stage, and whether there is any.
  input  logic               eventful,
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

  // The head, at the start of the stage.
  output logic               waiting,
  output logic               eligible,
  output logic [DLID_W-1:0]  dlid,
  output logic [BYTES_W-1:0] bytes,
  output logic               tracked,
  output logic [ENTRY_W-1:0] entry,
  output logic               held,
  output logic [PACE_W-1:0]  next_send,
  output logic [WAIT_W-1:0]  wait_cycles
);

  // Whether now has reached a time: their difference, read as signed, is not negative.
  function automatic logic reached(input logic [PACE_W-1:0] difference);
    return !difference[PACE_W-1];
  endfunction

  logic               in_flight;

  // The packet behind the head.
  logic               behind_q;
  logic [DLID_W-1:0]  behind_dlid_q;
  logic [BYTES_W-1:0] behind_bytes_q;
  logic               behind_tracked_q, behind_in_flight_q, behind_held_q;
  logic [ENTRY_W-1:0] behind_entry_q;
  logic [PACE_W-1:0]  behind_next_send_q;

  // --------------------------------------------------------------------------------------------
  // Eligible on the state at the start of the stage.
  // --------------------------------------------------------------------------------------------

  logic [PACE_W-1:0] ago;

  assign ago      = {now, TIME_FRAC'(0)} - next_send;
  assign eligible = waiting && (!tracked || (!in_flight && (!held || reached(ago))));

  always_ff @(posedge clk) begin
    if (!waiting || go) begin
      wait_cycles <= '0;
    end else if (!eligible && wait_cycles != '1) begin
      wait_cycles <= wait_cycles + 1'b1;
    end
  end

  // --------------------------------------------------------------------------------------------
  // Who has which place at the end of the stage: where the head goes, the one behind moves up, and
  // a packet that arrives takes the head's place if nobody is left before it.
  // --------------------------------------------------------------------------------------------

  logic keep, move_up, to_head, to_behind;

  assign keep      = waiting && !go;
  assign move_up   = go && behind_q;
  assign to_head   = arrive && !keep && !move_up;
  assign to_behind = arrive && !to_head;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      waiting  <= 1'b0;
      behind_q <= 1'b0;
    end else begin
      waiting  <= keep || move_up || to_head;
      behind_q <= (behind_q && !go) || to_behind;
    end
  end

  // --------------------------------------------------------------------------------------------
  // The head of the next stage, whoever that is, follows the events of this one.
  // --------------------------------------------------------------------------------------------

  logic               head_tracked, head_tracked_d, head_in_flight, head_in_flight_d;
  logic               head_held, head_held_d;
  logic [DLID_W-1:0]  head_dlid;
  logic [ENTRY_W-1:0] head_entry, head_entry_d;
  logic [PACE_W-1:0]  head_next_send, head_next_send_d;

  always_comb begin
    head_dlid      = dlid;
    head_tracked   = tracked;
    head_entry     = entry;
    head_in_flight = in_flight;
    head_held      = held;
    head_next_send = next_send;
    if (move_up) begin
      head_dlid      = behind_dlid_q;
      head_tracked   = behind_tracked_q;
      head_entry     = behind_entry_q;
      head_in_flight = behind_in_flight_q;
      head_held      = behind_held_q;
      head_next_send = behind_next_send_q;
    end else if (to_head) begin
      head_dlid      = arrive_dlid;
      head_tracked   = arrive_tracked;
      head_entry     = arrive_entry;
      head_in_flight = arrive_in_flight;
      head_held      = arrive_held;
      head_next_send = arrive_next_send;
    end
  end

  pt_follow #(
    .ENTRY_W (ENTRY_W),
    .DLID_W  (DLID_W),
    .PACE_W  (PACE_W)
  ) u_follow_head (
    .dlid             (head_dlid),
    .tracked          (head_tracked),
    .entry            (head_entry),
    .in_flight        (head_in_flight),
    .held             (head_held),
    .next_send        (head_next_send),
    .made             (made),
    .made_entry       (made_entry),
    .made_dlid        (made_dlid),
    .released         (released),
    .released_entry   (released_entry),
    .expired          (expired),
    .expired_entry    (expired_entry),
    .paced            (paced),
    .paced_entry      (paced_entry),
    .landed           (landed),
    .landed_entry     (landed_entry),
    .landed_next_send (landed_next_send),
    .tracked_d        (head_tracked_d),
    .entry_d          (head_entry_d),
    .in_flight_d      (head_in_flight_d),
    .held_d           (head_held_d),
    .next_send_d      (head_next_send_d)
  );

  always_ff @(posedge clk) begin
    if (move_up || to_head) begin
      dlid  <= head_dlid;
      bytes <= move_up ? behind_bytes_q : arrive_bytes;
    end
    if (move_up || to_head || eventful) begin
      tracked   <= head_tracked_d;
      entry     <= head_entry_d;
      in_flight <= head_in_flight_d;
      held      <= head_held_d;
      next_send <= head_next_send_d;
    end
  end

  // --------------------------------------------------------------------------------------------
  // So does the packet behind it.
  // --------------------------------------------------------------------------------------------

  logic               next_tracked, next_tracked_d, next_in_flight, next_in_flight_d;
  logic               next_held, next_held_d;
  logic [DLID_W-1:0]  next_dlid;
  logic [ENTRY_W-1:0] next_entry, next_entry_d;
  logic [PACE_W-1:0]  next_next_send, next_next_send_d;

  always_comb begin
    next_dlid      = behind_dlid_q;
    next_tracked   = behind_tracked_q;
    next_entry     = behind_entry_q;
    next_in_flight = behind_in_flight_q;
    next_held      = behind_held_q;
    next_next_send = behind_next_send_q;
    if (to_behind) begin
      next_dlid      = arrive_dlid;
      next_tracked   = arrive_tracked;
      next_entry     = arrive_entry;
      next_in_flight = arrive_in_flight;
      next_held      = arrive_held;
      next_next_send = arrive_next_send;
    end
  end

  pt_follow #(
    .ENTRY_W (ENTRY_W),
    .DLID_W  (DLID_W),
    .PACE_W  (PACE_W)
  ) u_follow_behind (
    .dlid             (next_dlid),
    .tracked          (next_tracked),
    .entry            (next_entry),
    .in_flight        (next_in_flight),
    .held             (next_held),
    .next_send        (next_next_send),
    .made             (made),
    .made_entry       (made_entry),
    .made_dlid        (made_dlid),
    .released         (released),
    .released_entry   (released_entry),
    .expired          (expired),
    .expired_entry    (expired_entry),
    .paced            (paced),
    .paced_entry      (paced_entry),
    .landed           (landed),
    .landed_entry     (landed_entry),
    .landed_next_send (landed_next_send),
    .tracked_d        (next_tracked_d),
    .entry_d          (next_entry_d),
    .in_flight_d      (next_in_flight_d),
    .held_d           (next_held_d),
    .next_send_d      (next_next_send_d)
  );

  always_ff @(posedge clk) begin
    if (to_behind) begin
      behind_dlid_q  <= arrive_dlid;
      behind_bytes_q <= arrive_bytes;
    end
    if (to_behind || eventful) begin
      behind_tracked_q   <= next_tracked_d;
      behind_entry_q     <= next_entry_d;
      behind_in_flight_q <= next_in_flight_d;
      behind_held_q      <= next_held_d;
      behind_next_send_q <= next_next_send_d;
    end
  end

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && arrive) begin
      assert (!behind_q)
        else $error("pt_queue: a packet for %0d arrives and both places are taken", arrive_dlid);
    end
    if (rst_n && go) begin
      assert (eligible)
        else $error("pt_queue: a packet for %0d goes that is not eligible", dlid);
    end
  end
`endif

endmodule
