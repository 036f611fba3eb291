// `cam_ram` with its init sweep; a match is shown as whether, where, and whether in one place only.

module cam_ram_top #(
  parameter int N = 128,
  parameter int KEY_W = 24,
  parameter int SLICE_W = 6
) (
  input  logic             clk,
  input  logic             rst_n,
  input  logic             a_look,
  input  logic [KEY_W-1:0] a_key,
  input  logic             b_look,
  input  logic [KEY_W-1:0] b_key,
  input  logic             replace,
  input  logic [11:0]      replace_index,
  input  logic [KEY_W-1:0] new_key,
  input  logic [KEY_W-1:0] old_key_1,
  output logic             init_done,
  output logic             a_hit,
  output logic             a_several,
  output logic [11:0]      a_index,
  output logic             b_hit,
  output logic             b_several,
  output logic [11:0]      b_index
);

  localparam int INDEX_W = $clog2(N);

  logic [SLICE_W-1:0] init_index_q;
  logic [N-1:0]       a_match, b_match;
  logic [INDEX_W-1:0] a_narrow, b_narrow;

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      init_done    <= 1'b0;
      init_index_q <= '0;
    end else if (!init_done) begin
      init_done    <= init_index_q == '1;
      init_index_q <= init_index_q + 1'b1;
    end
  end

  cam_ram #(
    .N       (N),
    .KEY_W   (KEY_W),
    .SLICE_W (SLICE_W)
  ) u_cam (
    .clk           (clk),
    .rst_n         (rst_n),
    .init          (!init_done),
    .init_index    (init_index_q),
    .a_look        (a_look),
    .a_key         (a_key),
    .a_match       (a_match),
    .b_look        (b_look),
    .b_key         (b_key),
    .b_match       (b_match),
    .replace       (replace),
    .replace_index (replace_index[INDEX_W-1:0]),
    .new_key       (new_key),
    .old_key_1     (old_key_1)
  );

  onehot_index #(
    .N (N)
  ) u_a_index (
    .onehot (a_match),
    .index  (a_narrow)
  );

  onehot_index #(
    .N (N)
  ) u_b_index (
    .onehot (b_match),
    .index  (b_narrow)
  );

  assign a_hit     = a_match != '0;
  assign a_several = (a_match & (a_match - 1'b1)) != '0;
  assign a_index   = 12'(a_narrow);
  assign b_hit     = b_match != '0;
  assign b_several = (b_match & (b_match - 1'b1)) != '0;
  assign b_index   = 12'(b_narrow);

endmodule
