// `sweep` with a reset that the test can pull, so that its init sweep is seen too.

module sweep_top #(
  parameter int COUNT = 16,
  parameter int INIT_COUNT = 16,
  parameter int DELAY = 0
) (
  input  logic        clk,
  input  logic        rst_n,
  input  logic        restart,
  input  logic        hold,
  output logic        init_active,
  output logic [11:0] init_index,
  output logic        init_over,
  output logic        running,
  output logic        visit,
  output logic [11:0] index,
  output logic [11:0] index_d
);

  localparam int INDEX_W = (COUNT > 1) ? $clog2(COUNT) : 1;
  localparam int INIT_W = (INIT_COUNT > 1) ? $clog2(INIT_COUNT) : 1;

  logic [INDEX_W-1:0] narrow, narrow_d;
  logic [INIT_W-1:0]  narrow_init;

  sweep #(
    .COUNT      (COUNT),
    .INIT_COUNT (INIT_COUNT),
    .DELAY      (DELAY)
  ) u_sweep (
    .clk         (clk),
    .rst_n       (rst_n && !restart),
    .hold        (hold),
    .init_active (init_active),
    .init_index  (narrow_init),
    .init_done   (init_over),
    .running     (running),
    .visit       (visit),
    .index       (narrow),
    .index_d     (narrow_d)
  );

  assign init_index = 12'(narrow_init);
  assign index      = 12'(narrow);
  assign index_d    = 12'(narrow_d);

endmodule
