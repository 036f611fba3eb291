// Takes ACKs of the HPCC window unit: a header, then its records, one a cycle. One ACK is
// collected at a time; a header without records holds the next one off for a cycle. So headers are
// two cycles apart at least, and so are the cycles in which ACKs take effect, but for one: an ACK
// without records right behind the last record of another.
//
// Stage 1 shows what came: the header's fields stand from there until the next header's.
// `effect_1` is the cycle of an ACK's last beat, in which it takes effect.

module hpcc_collect
  import hpcc_pkg::*;
#(
  parameter int FLOW_W = 12
) (
  input  logic                   clk,
  input  logic                   rst_n,
  // Events are legal from the next cycle on.
  input  logic                   init_done,

  // A header.
  input  logic                   ack_valid,
  input  logic [FLOW_W-1:0]      ack_flow,
  input  logic [SEQ_W-1:0]       ack_seq,
  input  logic [SEQ_W-1:0]       ack_snd_nxt,
  input  logic [PATH_W-1:0]      ack_path,
  input  logic [HOP_COUNT_W-1:0] ack_hops,
  output logic                   ack_ready,

  // A record.
  input  logic                   hop_valid,
  input  logic [GBPS_W-1:0]      hop_rate,
  input  logic [TELEMETRY_W-1:0] hop_ts,
  input  logic [TELEMETRY_W-1:0] hop_tx_bytes,
  input  logic [TELEMETRY_W-1:0] hop_qlen,
  output logic                   hop_ready,

  // Stage 1.
  output logic                   header_1,
  output logic [FLOW_W-1:0]      flow_1,
  output logic [SEQ_W-1:0]       seq_1,
  output logic [SEQ_W-1:0]       snd_nxt_1,
  output logic [PATH_W-1:0]      path_1,
  output logic [HOP_COUNT_W-1:0] hops_1,
  output logic                   record_1,
  output logic [HOP_COUNT_W-1:0] index_1,
  output logic [GBPS_W-1:0]      rate_1,
  output logic [TELEMETRY_W-1:0] ts_1,
  output logic [TELEMETRY_W-1:0] tx_bytes_1,
  output logic [TELEMETRY_W-1:0] qlen_1,
  output logic                   effect_1
);

  logic              header, record, last;
  // Records that are missing, and the number of the next one.
  logic [HOP_COUNT_W-1:0] left_q, index_q;

  assign header = ack_valid && ack_ready;
  assign record = hop_valid && hop_ready;
  assign last   = record && left_q == HOP_COUNT_W'(1);

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      ack_ready <= 1'b0;
      hop_ready <= 1'b0;
      header_1  <= 1'b0;
      record_1  <= 1'b0;
      effect_1  <= 1'b0;
    end else begin
      header_1 <= header;
      record_1 <= record;
      effect_1 <= last || (header && ack_hops == '0);
      if (header) begin
        ack_ready <= 1'b0;
        hop_ready <= ack_hops != '0;
      end else if (last) begin
        ack_ready <= 1'b1;
        hop_ready <= 1'b0;
      end else if (!hop_ready) begin
        ack_ready <= init_done;
      end
    end
  end

  always_ff @(posedge clk) begin
    if (header) begin
      left_q    <= ack_hops;
      index_q   <= '0;
      flow_1    <= ack_flow;
      seq_1     <= ack_seq;
      snd_nxt_1 <= ack_snd_nxt;
      path_1    <= ack_path;
      hops_1    <= ack_hops;
    end
    if (record) begin
      left_q     <= left_q - 1'b1;
      index_q    <= index_q + 1'b1;
      index_1    <= index_q;
      rate_1     <= hop_rate;
      ts_1       <= hop_ts;
      tx_bytes_1 <= hop_tx_bytes;
      qlen_1     <= hop_qlen;
    end
  end

`ifdef CONGRUENT_ASSERT
  always @(posedge clk) begin
    if (rst_n && header) begin
      assert (!hop_ready)
        else $error("hpcc_collect: a header of flow %0d while records are missing", ack_flow);
    end
    if (rst_n && record) begin
      assert (left_q != '0)
        else $error("hpcc_collect: a record that no header asked for");
    end
  end
`endif

endmodule
