// Types of np_structs.
package np_types;
  typedef struct packed {
    logic        valid;
    logic [15:0] who;
  } mark_t;

  typedef enum logic [1:0] {NOTHING = 2'd0, STATE = 2'd2} kind_t;

  // Between fields that the table does not know.
  typedef struct packed {
    logic [39:0] reserved;
    kind_t       kind;
    struct packed {
      logic        recent;
      logic [31:0] last;
    } state;
    logic [2:0]  why;
    mark_t       of;
  } answer_t;
endpackage
