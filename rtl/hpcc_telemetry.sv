// The stored telemetry of the HPCC window unit's flows, and whether an ACK can be measured against
// it.
//
// A flow has two banks of records. A record is written in stage 1 into the bank that does not
// count, while the one of the same hop is read from the bank that does. An ACK that stores only
// changes which bank counts; so one that is stale or refused leaves no trace. What a flow has
// stored (which bank, path, hop count, time) is read with the header in stage 1, and written in
// stage 2 of the last beat: a memory's bypass hands it to a header that comes right behind.
//
// Telemetry counts while `stored` differs from `lapsed`, and for a flow that its last open has not
// made fresh: `seen` is the mark of that open. The sweep visits a flow a cycle and makes `lapsed`
// equal where the telemetry is too old, long before time could wrap. Every ACK and peek compares
// the age itself, so nothing shows when the sweep passed.

module hpcc_telemetry
  import hpcc_pkg::*;
#(
  parameter int FLOWS = 256,
  parameter int HOPS = 5,
  parameter int TIME_W = 48,
  localparam int CTX_W = $clog2(FLOWS)
) (
  input  logic                   clk,
  input  logic [TIME_W-1:0]      cfg_age,

  // The init sweep writes `index`; the endless one visits it, and read `index_d` in the cycle
  // before. Time of stage 2.
  input  logic                   init,
  input  logic                   visit,
  input  logic [CTX_W-1:0]       index,
  input  logic [CTX_W-1:0]       index_d,
  input  logic [TIME_W-1:0]      now,

  // Stage 1: a header or a record, in the format's bits.
  input  logic                   header_1,
  input  logic                   record_1,
  input  logic [CTX_W-1:0]       ctx_1,
  input  logic [HOP_COUNT_W-1:0] index_1,
  input  logic [TELEMETRY_W-1:0] ts_1,
  input  logic [TELEMETRY_W-1:0] tx_1,
  input  logic [TELEMETRY_W-1:0] qlen_1,

  // Stage 2: what is stored of the record's hop.
  output logic [TELEMETRY_W-1:0] old_ts_2,
  output logic [TELEMETRY_W-1:0] old_tx_2,
  output logic [TELEMETRY_W-1:0] old_qlen_2,

  // Stage 2: the ACK so far, the mark of its flow's last open. Is the flow fresh, can it be
  // measured? Where it takes effect: it stores.
  input  logic [CTX_W-1:0]       ctx_2,
  input  logic [PATH_W-1:0]      path_2,
  input  logic [HOP_COUNT_W-1:0] hops_2,
  input  logic                   mark_2,
  output logic                   fresh_2,
  output logic                   matches_2,
  input  logic                   stores_2,

  // A peek: stage 2 reads, stage 3 knows; then records are fetched, each seen one stage later.
  input  logic                   peek_read,
  input  logic [CTX_W-1:0]       peek_ctx,
  output logic                   peek_seen,
  output logic                   peek_stored,
  output logic [TIME_W-1:0]      peek_stored_at,
  output logic [PATH_W-1:0]      peek_path,
  output logic [2:0]             peek_hops,
  input  logic                   peek_fetch,
  input  logic [2:0]             peek_index,
  output logic [TELEMETRY_W-1:0] peek_ts,
  output logic [TELEMETRY_W-1:0] peek_tx,
  output logic [TELEMETRY_W-1:0] peek_qlen
);

  localparam int HOP_W = (HOPS > 1) ? $clog2(HOPS) : 1;
  localparam int RECORDS = FLOWS * 2 * (1 << HOP_W);
  localparam int WORD_W = 3 + 3 + PATH_W + TIME_W;

  // Whether telemetry of a time is too old.
  function automatic logic too_old(input logic [TIME_W-1:0] at_time,
                                   input logic [TIME_W-1:0] stored_at,
                                   input logic [TIME_W-1:0] age);
    return TIME_W'(at_time - stored_at) > age;
  endfunction

  // --------------------------------------------------------------------------------------------
  // Stage 2.
  // --------------------------------------------------------------------------------------------

  logic              stored, seen, bank, lapsed;
  logic [2:0]        hops;
  logic [PATH_W-1:0] path;
  logic [TIME_W-1:0] stored_at;

  assign fresh_2   = mark_2 != seen;
  assign matches_2 = !fresh_2 && stored != lapsed && !too_old(now, stored_at, cfg_age)
                     && path_2 == path && hops_2 == HOP_COUNT_W'(hops);

  // --------------------------------------------------------------------------------------------
  // The sweep. A flow that an ACK stores for in the same cycle is not too old.
  // --------------------------------------------------------------------------------------------

  logic              swept_stored, lapses;
  logic [TIME_W-1:0] swept_at;

  assign lapses = visit && too_old(now, swept_at, cfg_age) && !(stores_2 && ctx_2 == index);

  // --------------------------------------------------------------------------------------------
  // Memories. What is not an event's write is the init sweep's.
  // --------------------------------------------------------------------------------------------

  logic              word_we;
  logic [CTX_W-1:0]  word_waddr;
  logic [WORD_W-1:0] word_wdata;
  logic              peek_bank, peek_stored_read, peek_lapsed;
  logic [TIME_W-1:0] peek_now_q;

  assign word_we    = stores_2 || init;
  assign word_waddr = init ? index : ctx_2;
  assign word_wdata = init ? '0 : {!lapsed, mark_2, !bank, hops_2[2:0], path_2, now};

  ram_1w2r #(
    .WIDTH (WORD_W),
    .DEPTH (FLOWS)
  ) u_word (
    .clk     (clk),
    .we      (word_we),
    .waddr   (word_waddr),
    .wdata   (word_wdata),
    .a_re    (header_1),
    .a_raddr (ctx_1),
    .a_rdata ({stored, seen, bank, hops, path, stored_at}),
    .b_re    (peek_read),
    .b_raddr (peek_ctx),
    .b_rdata ({peek_stored_read, peek_seen, peek_bank, peek_hops, peek_path, peek_stored_at})
  );

  ram_1w1r #(
    .WIDTH (1 + TIME_W),
    .DEPTH (FLOWS)
  ) u_swept (
    .clk   (clk),
    .we    (word_we),
    .waddr (word_waddr),
    .wdata ({word_wdata[WORD_W-1], word_wdata[TIME_W-1:0]}),
    .re    (!init),
    .raddr (index_d),
    .rdata ({swept_stored, swept_at})
  );

  ram_1w2r #(
    .WIDTH (1),
    .DEPTH (FLOWS)
  ) u_lapsed (
    .clk     (clk),
    .we      (lapses || init),
    .waddr   (index),
    .wdata   (!init && swept_stored),
    .a_re    (header_1 || record_1),
    .a_raddr (ctx_1),
    .a_rdata (lapsed),
    .b_re    (peek_read),
    .b_raddr (peek_ctx),
    .b_rdata (peek_lapsed)
  );

  // Records. In stage 1 `bank` is there: the header was read a cycle before at the latest.
  logic                     keeps;
  logic [CTX_W+HOP_W:0]     keep_address, old_address, peek_address;

  assign keeps        = record_1 && index_1 < HOP_COUNT_W'(HOPS);
  assign keep_address = {ctx_1, !bank, index_1[HOP_W-1:0]};
  assign old_address  = {ctx_1, bank, index_1[HOP_W-1:0]};
  assign peek_address = {peek_ctx, peek_bank, peek_index[HOP_W-1:0]};

  ram_1w2r #(
    .WIDTH (TELEMETRY_W),
    .DEPTH (RECORDS)
  ) u_ts (
    .clk     (clk),
    .we      (keeps),
    .waddr   (keep_address),
    .wdata   (ts_1),
    .a_re    (keeps),
    .a_raddr (old_address),
    .a_rdata (old_ts_2),
    .b_re    (peek_fetch),
    .b_raddr (peek_address),
    .b_rdata (peek_ts)
  );

  ram_1w2r #(
    .WIDTH (TELEMETRY_W),
    .DEPTH (RECORDS)
  ) u_tx (
    .clk     (clk),
    .we      (keeps),
    .waddr   (keep_address),
    .wdata   (tx_1),
    .a_re    (keeps),
    .a_raddr (old_address),
    .a_rdata (old_tx_2),
    .b_re    (peek_fetch),
    .b_raddr (peek_address),
    .b_rdata (peek_tx)
  );

  ram_1w2r #(
    .WIDTH (TELEMETRY_W),
    .DEPTH (RECORDS)
  ) u_qlen (
    .clk     (clk),
    .we      (keeps),
    .waddr   (keep_address),
    .wdata   (qlen_1),
    .a_re    (keeps),
    .a_raddr (old_address),
    .a_rdata (old_qlen_2),
    .b_re    (peek_fetch),
    .b_raddr (peek_address),
    .b_rdata (peek_qlen)
  );

  // --------------------------------------------------------------------------------------------
  // A peek. Its records are read before an ACK behind the next one of the flow could overwrite
  // them.
  // --------------------------------------------------------------------------------------------

  always_ff @(posedge clk) begin
    if (peek_read) peek_now_q <= now;
  end

  assign peek_stored = peek_stored_read != peek_lapsed
                       && !too_old(peek_now_q, peek_stored_at, cfg_age);

  // Of the numbers of hops the low bits address.
  logic unused_index;
  assign unused_index = ^{index_1, peek_index};

endmodule
