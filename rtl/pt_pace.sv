// What a grant to a tracked destination costs: packet time, delay by the CCT, and the next
// next_send of the entry, LAND_STAGE stages after the effect stage in which it was granted.
//
// Stage 1 multiplies bytes and byte time and reads the CCT, 2 rounds and shifts, 3 multiplies, 4
// adds up and holds the gap at its largest, 5 lands. While a grant is on its way its entry may be
// released or made anew: then it is no longer alive and does not land.

module pt_pace
  import congruent_pkg::*;
  import pt_pkg::*;
#(
  parameter int EFFECT_STAGE = 2,
  parameter int ENTRY_W = 6,
  parameter int TIME_W = 32,
  parameter int TIME_FRAC = 16,
  parameter int CCTI_W = 10,
  localparam int PACE_W = TIME_W + TIME_FRAC,
  localparam int PACKET_TIME_W = PACKET_TIME_INT + TIME_FRAC
) (
  input  logic                        clk,
  input  logic                        rst_n,
  input  logic [LINE_BYTE_TIME_W-1:0] cfg_line_byte_time,
  input  logic                        cfg_delay_base_mtu,
  input  logic [PACKET_TIME_W-1:0]    cfg_mtu_time,
  input  logic [5:0]                  cfg_pacing_slack,

  // Init sweep over the rows of the CCT.
  input  logic                        init,
  input  logic [CCTI_W-1:0]           init_row,

  // cct.
  input  logic                        cct_valid,
  input  logic [CCTI_W-1:0]           cct_index,
  input  logic [SHIFT_W-1:0]          cct_shift,
  input  logic [MULTIPLIER_W-1:0]     cct_multiplier,

  // Effect stage: its time, the grant, and in the stage after it the ccti at its start.
  input  logic [TIME_W-1:0]           now,
  input  logic                        paced,
  input  logic [ENTRY_W-1:0]          paced_entry,
  input  logic [BYTES_W-1:0]          paced_bytes,
  input  logic                        paced_held,
  input  logic [PACE_W-1:0]           paced_next_send,
  input  logic [CCTI_W-1:0]           paced_ccti_1,

  // Events of the effect stage that end an entry's life.
  input  logic                        made,
  input  logic [ENTRY_W-1:0]          made_entry,
  input  logic                        released,
  input  logic [ENTRY_W-1:0]          released_entry,

  // The entry still lives at the end of the effect stage: the grant is a use of it.
  output logic                        used,

  // Whether a grant to an entry is in flight, landing in this stage included.
  input  logic [ENTRY_W-1:0]          look_entry,
  output logic                        look_in_flight,

  // next_send lands: it is the entry's from the next stage on.
  output logic                        landed,
  output logic [ENTRY_W-1:0]          landed_entry,
  output logic [PACE_W-1:0]           landed_next_send,

  // A peek of the stage before. A grant to its entry that is in flight then is `shown` when it
  // arrives in the last stage, whatever became of its entry since.
  input  logic                        peek,
  input  logic [ENTRY_W-1:0]          peek_entry,
  output logic                        shown
);

  localparam int PRODUCT_W = BYTES_W + LINE_BYTE_TIME_W;
  localparam int SHIFTED_W = PACKET_TIME_W + SHIFT_FRAC;
  localparam int DELAY_W = SHIFTED_W + MULTIPLIER_W;

  // --------------------------------------------------------------------------------------------
  // Which entries the grants on their way are for, and which of them still live. [i]: i stages
  // after the effect stage.
  // --------------------------------------------------------------------------------------------

  logic [LAND_STAGE:1] valid_q, live_q, live_d, shown_q, shown_d;
  logic [ENTRY_W-1:0]  entry_q [1:LAND_STAGE];

  assign used = paced && !(made && made_entry == paced_entry) &&
                !(released && released_entry == paced_entry);

  always_comb begin
    live_d         = live_q;
    shown_d        = shown_q;
    look_in_flight = 1'b0;
    for (int i = 1; i <= LAND_STAGE; i++) begin
      if (live_q[i] && look_entry == entry_q[i]) look_in_flight = 1'b1;
    end
    if (made) begin
      for (int i = 1; i <= LAND_STAGE; i++) begin
        if (made_entry == entry_q[i]) live_d[i] = 1'b0;
      end
    end
    if (released) begin
      for (int i = 1; i <= LAND_STAGE; i++) begin
        if (released_entry == entry_q[i]) live_d[i] = 1'b0;
      end
    end
    if (peek) begin
      for (int i = 1; i <= LAND_STAGE; i++) begin
        if (live_q[i] && peek_entry == entry_q[i]) shown_d[i] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      valid_q <= '0;
      live_q  <= '0;
      shown_q <= '0;
    end else begin
      valid_q <= {valid_q[LAND_STAGE-1:1], paced};
      live_q  <= {live_d[LAND_STAGE-1:1], used};
      shown_q <= {shown_d[LAND_STAGE-1:1], 1'b0};
    end
  end

  always_ff @(posedge clk) begin
    if (paced) entry_q[1] <= paced_entry;
    for (int i = 2; i <= LAND_STAGE; i++) begin
      if (valid_q[i-1]) entry_q[i] <= entry_q[i-1];
    end
  end

  // --------------------------------------------------------------------------------------------
  // The CCT. A write waits until EFFECT_STAGE + 1, so that the grants of the cycle after it are the
  // first to read it.
  // --------------------------------------------------------------------------------------------

  localparam int ROW_W = SHIFT_W + MULTIPLIER_W;
  localparam int CCT_STAGE = EFFECT_STAGE + 1;

  logic [CCT_STAGE:1]      cct_valid_q;
  logic [CCTI_W+ROW_W-1:0] cct_q [1:CCT_STAGE];
  logic [CCTI_W+ROW_W-1:0] cct_last;
  logic                    cct_we;
  logic [CCTI_W-1:0]       cct_waddr;
  logic [ROW_W-1:0]        cct_wdata;
  logic [SHIFT_W-1:0]      shift_2;
  logic [MULTIPLIER_W-1:0] multiplier_2;

  always_ff @(posedge clk) begin
    if (!rst_n) cct_valid_q <= '0;
    else        cct_valid_q <= {cct_valid_q[CCT_STAGE-1:1], cct_valid};
  end

  always_ff @(posedge clk) begin
    if (cct_valid) cct_q[1] <= {cct_index, cct_shift, cct_multiplier};
    for (int i = 2; i <= CCT_STAGE; i++) begin
      if (cct_valid_q[i-1]) cct_q[i] <= cct_q[i-1];
    end
  end

  assign cct_last = cct_q[CCT_STAGE];
  assign cct_we   = cct_valid_q[CCT_STAGE] || init;

  // What is not a channel's write is the init sweep's: the linear table.
  always_comb begin
    cct_waddr = init_row;
    cct_wdata = {SHIFT_W'(0), MULTIPLIER_W'(init_row)};
    if (!init) {cct_waddr, cct_wdata} = cct_last;
  end

  ram_1w1r #(
    .WIDTH  (ROW_W),
    .DEPTH  (1 << CCTI_W),
    .BYPASS (0)
  ) u_cct (
    .clk   (clk),
    .we    (cct_we),
    .waddr (cct_waddr),
    .wdata (cct_wdata),
    .re    (valid_q[1]),
    .raddr (paced_ccti_1),
    .rdata ({shift_2, multiplier_2})
  );

  // --------------------------------------------------------------------------------------------
  // From bytes to the gap.
  // --------------------------------------------------------------------------------------------

  // now - next_send >= PacingSlack, for a now that has reached next_send.
  function automatic logic slack_over(input logic [PACE_W-1:0] difference,
                                      input logic [5:0] slack);
    return 64'(difference) >= 64'({slack, TIME_FRAC'(0)});
  endfunction

  // Wire time of a packet from the product of bytes and byte time, UQ19.TIME_FRAC, rounded half up.
  function automatic logic [PACKET_TIME_W-1:0] packet_time(input logic [PRODUCT_W-1:0] product);
    return PACKET_TIME_W'(round_half_up(64'(product), BYTE_TIME_FRAC - TIME_FRAC));
  endfunction

  // base time >> shift, with the fraction bits that take what is shifted out.
  function automatic logic [SHIFTED_W-1:0] shifted(input logic [PACKET_TIME_W-1:0] base_time,
                                                   input logic [SHIFT_W-1:0] shift);
    return {base_time, SHIFT_FRAC'(0)} >> shift;
  endfunction

  // Packet time and delay, the delay rounded half up; held at 2^(TIME_W-2) cycles.
  function automatic logic [PACE_W-1:0] gap(input logic [PACKET_TIME_W-1:0] packet,
                                            input logic [DELAY_W-1:0] delay);
    logic [63:0] sum, most;
    most = 64'd1 << (TIME_W - 2 + TIME_FRAC);
    sum  = 64'(packet) + round_half_up(64'(delay), SHIFT_FRAC);
    return (sum > most) ? PACE_W'(most) : PACE_W'(sum);
  endfunction

  logic [BYTES_W-1:0]       bytes_1_q;
  logic                     held_1_q;
  logic [PACE_W-1:0]        next_send_1_q, now_1_q, ago_1;
  logic [PRODUCT_W-1:0]     product_2_q;
  logic [PACKET_TIME_W-1:0] packet_time_2, packet_time_3_q, packet_time_4_q;
  logic [SHIFTED_W-1:0]     shifted_3_q;
  logic [MULTIPLIER_W-1:0]  multiplier_3_q;
  logic [DELAY_W-1:0]       delay_4_q;
  logic [PACE_W-1:0]        base_2_q, base_3_q, base_4_q, base_5_q, gap_5_q;

  assign ago_1         = now_1_q - next_send_1_q;
  assign packet_time_2 = packet_time(product_2_q);

  always_ff @(posedge clk) begin
    if (paced) begin
      bytes_1_q     <= paced_bytes;
      held_1_q      <= paced_held;
      next_send_1_q <= paced_next_send;
      now_1_q       <= {now, TIME_FRAC'(0)};
    end
    if (valid_q[1]) begin
      product_2_q <= PRODUCT_W'(bytes_1_q) * PRODUCT_W'(cfg_line_byte_time);
      base_2_q    <= (held_1_q && !slack_over(ago_1, cfg_pacing_slack)) ? next_send_1_q : now_1_q;
    end
    if (valid_q[2]) begin
      packet_time_3_q <= packet_time_2;
      shifted_3_q     <= shifted(cfg_delay_base_mtu ? cfg_mtu_time : packet_time_2, shift_2);
      multiplier_3_q  <= multiplier_2;
      base_3_q        <= base_2_q;
    end
    if (valid_q[3]) begin
      delay_4_q       <= DELAY_W'(shifted_3_q) * DELAY_W'(multiplier_3_q);
      packet_time_4_q <= packet_time_3_q;
      base_4_q        <= base_3_q;
    end
    if (valid_q[4]) begin
      gap_5_q  <= gap(packet_time_4_q, delay_4_q);
      base_5_q <= base_4_q;
    end
  end

  assign landed           = live_d[LAND_STAGE];
  assign landed_entry     = entry_q[LAND_STAGE];
  assign landed_next_send = base_5_q + gap_5_q;
  assign shown            = shown_d[LAND_STAGE];

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && cct_valid) begin
      assert (!init)
        else $error("pt_pace: a write of CCT row %0d before init_done", cct_index);
    end
    if (rst_n && used) begin
      for (int i = 1; i <= LAND_STAGE; i++) begin
        assert (!(live_q[i] && entry_q[i] == paced_entry))
          else $error("pt_pace: a grant to entry %0d while one is in flight", paced_entry);
      end
    end
  end
`endif

endmodule
