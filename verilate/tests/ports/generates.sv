// What a parameter generates waits for the clock, and for another reset in each branch.
module generates #(
    parameter bit ASYNC = 1,
    parameter int N     = 3
) (
    input  logic         clk,
    input  logic         rst_n,
    input  logic [N-1:0] d,
    output logic [N-1:0] q
);
  for (genvar i = 0; i < N; i++) begin : g_bit
    if (ASYNC) begin : g_async
      always_ff @(posedge clk or negedge rst_n)
        if (!rst_n) q[i] <= 1'b0;
        else q[i] <= d[i];
    end else begin : g_sync
      always_ff @(posedge clk) q[i] <= rst_n & d[i];
    end
  end
endmodule
