// Types of the ports of cnp_throttle.
package ct_pkg;
  localparam int QUEUES = 256;
  localparam int QUEUE_W = 12;

  typedef logic [QUEUE_W-1:0] queue_t;

  typedef struct packed {
    logic   vld;
    queue_t queue;
  } beat_t;

  typedef enum logic [2:0] {
    OK        = 0,
    NO_QUEUE  = 1
  } status_e;

  typedef struct packed {
    logic    vld;
    status_e status;
    queue_t  queue;
  } refusal_t;

  typedef struct packed {
    logic        vld;
    queue_t      queue;
    logic        recent;
    logic [31:0] last;
    status_e     status;
  } state_t;
endpackage
