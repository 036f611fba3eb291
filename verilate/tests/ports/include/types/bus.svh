typedef struct packed {
  logic       last;
  logic [8:0] bytes;
} beat_t;
