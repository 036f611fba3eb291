// Visits COUNT contexts in turn, for ever. First the init sweep: from the end of reset it names one
// word a cycle on init_index, from 0 to INIT_COUNT - 1, for its owner to write into memories (a
// shorter memory is written while init_index is below its depth); then init_done rises. Cycle 0 is
// the cycle after the first that shows init_done. DELAY cycles after cycle 0, in the stage where
// its owner's events take effect, `running` rises, and from then on each cycle without `hold` is a
// visit, to context 0 first. A cycle with `hold` is taken by something else: the sweep stands, and
// the next visit is to the same context.
//
// `index` is the context of this cycle's visit; `index_d` is the one that `index` will be in the
// next cycle: the address with which memories are read. Both count only from the cycle before
// `running` on: one register serves them and the init sweep.

module sweep #(
  parameter int COUNT = 16,
  parameter int INIT_COUNT = COUNT,
  parameter int DELAY = 0,
  localparam int INDEX_W = (COUNT > 1) ? $clog2(COUNT) : 1,
  localparam int INIT_W = (INIT_COUNT > 1) ? $clog2(INIT_COUNT) : 1
) (
  input  logic               clk,
  input  logic               rst_n,
  // Nobody is visited in this cycle.
  input  logic               hold,
  output logic               init_active,
  output logic [INIT_W-1:0]  init_index,
  output logic               init_done,
  output logic               running,
  output logic               visit,
  output logic [INDEX_W-1:0] index,
  output logic [INDEX_W-1:0] index_d
);

`ifndef __ICARUS__  // Icarus 11 does not read elaboration tasks
  if (COUNT < 1 || COUNT > 4096) begin : g_check_count
    $fatal(1, "sweep: COUNT must be from 1 to 4096");
  end
  if (INIT_COUNT < COUNT || INIT_COUNT > 65536) begin : g_check_init_count
    $fatal(1, "sweep: INIT_COUNT must be from COUNT to 65536");
  end
  if (DELAY < 0 || DELAY > 31) begin : g_check_delay
    $fatal(1, "sweep: DELAY must be from 0 to 31");
  end
`endif

  localparam logic [INIT_W-1:0] LAST = INIT_W'(COUNT - 1);
  localparam logic [INIT_W-1:0] INIT_LAST = INIT_W'(INIT_COUNT - 1);

  logic [INIT_W-1:0] init_index_d;
  logic [DELAY:0]    run_q;

  assign running = run_q[DELAY];
  assign visit   = running && !hold;
  assign index   = init_index[INDEX_W-1:0];
  assign index_d = init_index_d[INDEX_W-1:0];

  // Both rounds end at their last and begin at 0.
  always_comb begin
    init_index_d = init_index;
    if (init_active || visit) begin
      init_index_d = init_index + 1'b1;
      if (init_index == (init_active ? INIT_LAST : LAST)) init_index_d = '0;
    end
  end

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      init_active <= 1'b1;
      init_done   <= 1'b0;
      init_index  <= '0;
      run_q       <= '0;
    end else begin
      init_index <= init_index_d;
      run_q      <= (DELAY + 1)'({run_q, init_done});
      if (init_active && init_index == INIT_LAST) begin
        init_active <= 1'b0;
        init_done   <= 1'b1;
      end
    end
  end

endmodule
