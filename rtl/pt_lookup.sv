// From what a content-addressed memory answers to an entry: a destination is asked for in stage 1,
// its match stands in stage 3, masked and numbered there; stage 4 has the number, as an address,
// and stage 5, the effect stage, what is known at its start. On the way an entry may be made for
// the destination, released, or replaced.

module pt_lookup #(
  parameter int ENTRIES = 1024,
  parameter int DLID_W = 24,
  localparam int ENTRY_W = $clog2(ENTRIES)
) (
  input  logic               clk,
  input  logic               rst_n,

  input  logic               look,
  input  logic [DLID_W-1:0]  dlid,

  // Stage 3: the keys that match, with all that were replaced before; the entries in use.
  input  logic [ENTRIES-1:0] match_3,
  input  logic [ENTRIES-1:0] valid,

  // Events of the effect stage.
  input  logic               made,
  input  logic [ENTRY_W-1:0] made_entry,
  input  logic [DLID_W-1:0]  made_dlid,
  input  logic               released,
  input  logic [ENTRY_W-1:0] released_entry,

  output logic               look_4,
  output logic [ENTRY_W-1:0] entry_4,
  output logic               look_5,
  output logic [DLID_W-1:0]  dlid_5,
  output logic               tracked_5,
  output logic [ENTRY_W-1:0] entry_5
);

  // Whether the destination still has this entry, after the events of a stage.
  function automatic logic still(input logic tracked, input logic [ENTRY_W-1:0] entry,
                                 input logic made_now, input logic [ENTRY_W-1:0] made_at,
                                 input logic released_now, input logic [ENTRY_W-1:0] released_at);
    return tracked && !(made_now && made_at == entry) &&
           !(released_now && released_at == entry);
  endfunction

  logic [4:1]         look_q;
  logic [DLID_W-1:0]  dlid_2_q, dlid_3_q, dlid_4_q;
  logic [ENTRIES-1:0] hits_3;
  logic [ENTRY_W-1:0] entry_3;
  logic               tracked_4;

  assign hits_3 = match_3 & valid;

  onehot_index #(
    .N (ENTRIES)
  ) u_entry (
    .onehot (hits_3),
    .index  (entry_3)
  );

  always_ff @(posedge clk) begin
    if (!rst_n) look_q <= '0;
    else        look_q <= {look_q[3:1], look};
  end

  always_ff @(posedge clk) begin
    if (look)      dlid_2_q <= dlid;
    if (look_q[1]) dlid_3_q <= dlid_2_q;
    if (look_q[2]) begin
      dlid_4_q  <= dlid_3_q;
      tracked_4 <= still(hits_3 != '0, entry_3, made, made_entry, released, released_entry);
      entry_4   <= entry_3;
      if (made && made_dlid == dlid_3_q) begin
        tracked_4 <= 1'b1;
        entry_4   <= made_entry;
      end
    end
    if (look_q[3]) begin
      dlid_5    <= dlid_4_q;
      tracked_5 <= still(tracked_4, entry_4, made, made_entry, released, released_entry);
      entry_5   <= entry_4;
      if (made && made_dlid == dlid_4_q) begin
        tracked_5 <= 1'b1;
        entry_5   <= made_entry;
      end
    end
  end

  assign look_4 = look_q[3];
  assign look_5 = look_q[4];

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && look_q[2]) begin
      assert ((hits_3 & (hits_3 - 1'b1)) == '0)
        else $error("pt_lookup: destination %0d has more than one entry", dlid_3_q);
    end
  end
`endif

endmodule
