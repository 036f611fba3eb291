// What a Verilated block looks like to whoever drives it: one abstract class, without any type of
// Verilator or of the Rust bridge in it, so that the linked build and the child process share it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace congruent {

// How a model stands. Numbers are part of the child's protocol and of the bridge.
enum class Status : uint8_t {
  kRunning = 0,
  kFinish = 1,     // $finish
  kStop = 2,       // $stop, $error or a failed assertion
  kFatal = 3,      // $fatal (5.006 reports it as kStop), or the runtime gave up
  kNotReady = 4,   // reset only: init_done did not rise within the limit; the model still runs
  kUnsettled = 5,  // the runtime gave up on logic that does not converge
  kException = 6,  // a C++ exception that nobody caught (child process only)
  kMemory = 7,     // no memory is left of what the process may have (child process only)
};

// Where a model stands, for whoever watches it from outside: the child process keeps it in a file
// that outlives every way of dying.
struct Progress {
  // What is being done; numbers are part of the child's protocol.
  enum Phase : uint64_t { kMake = 0, kConfigure = 1, kReset = 2, kInit = 3, kRows = 4, kFinal = 5 };
  std::atomic<uint64_t> frame;  // the request that is worked on, from 1
  std::atomic<uint64_t> phase;
  std::atomic<uint64_t> rows;   // of this phase that are done
  std::atomic<uint64_t> text;   // bytes printed since the last reply
};

// What a model starts from.
struct Start {
  // Values of registers and memories before anything is driven.
  uint8_t fill = 0;  // 0: all zeros, 1: all ones, 2: random from `seed`
  uint64_t seed = 1; // used by fill 2 only
  // Command line in which the RTL looks for its plusargs; it outlives the start.
  int argc = 0;
  char** argv = nullptr;
};

// Where a model's prints and its end go. A failed model is never touched again, so the first end
// is the one that stays.
struct Sink {
  Status status = Status::kRunning;
  bool row_complete = true;  // whether the outputs of the row in which it ended were copied
  std::string text;          // what the model printed, cut at a limit
  void (*tee)(const char* data, size_t size) = nullptr;  // told of every print, if set
  void print(const char* data, size_t size);
  void end(Status how, const char* file, int line, const char* what);
};

// Thrown through the model by its runtime where returning would loop for ever; caught in step().
struct Fatal {};

// An input channel with ready: its beat is refused in a row with valid and not ready.
struct Handshake {
  size_t valid;  // word of the inputs
  size_t ready;  // word of the outputs
  ptrdiff_t by;  // word of the inputs that picks the bit of ready, or -1: there is one bit
  uint64_t bits;  // of ready; a value beyond them is always taken
};

// Words of the three slices, and the places that batches look at.
struct Shape {
  size_t cfg;
  size_t inputs;
  size_t outputs;
  ptrdiff_t init_done;  // word of the outputs, or -1 where the block has none
  const Handshake* handshakes;
  size_t handshake_count;
};

class Dut {
 public:
  explicit Dut(const Shape& shape) : shape_(shape) {}
  virtual ~Dut() = default;
  Dut(const Dut&) = delete;
  Dut& operator=(const Dut&) = delete;

  // Drives the cfg_* pins; they take effect in the next step.
  virtual void configure(const uint64_t* cfg) = 0;
  // Drives the reset pin; it takes effect in the next step.
  virtual void drive_reset(bool asserted) = 0;
  // One cycle: inputs go to the pins and settle, outputs are copied as they stand before the
  // rising edge, then the edge. Once the status is not kRunning nothing happens any more.
  virtual Status step(const uint64_t* inputs, uint64_t* outputs) = 0;
  // The plain loop that benchmarks compare with: drives rows of inputs as a testbench written by
  // hand would, reads nothing, looks at the status at the end only.
  virtual Status bare(const uint64_t* inputs, size_t rows) = 0;
  // Runs final blocks, unless the model failed.
  virtual void finish() = 0;

  // From the next step on a VCD of the model's inside is written to `path`, until the next call; a
  // null ends it. The n-th row from there is at 10n ns (settled, before the edge) and 10n + 5 ns
  // (after it), and is in the file when the step is over. False if the model was built without
  // tracing or the file cannot be written.
  virtual bool trace(const char* path) { return path == nullptr; }

  // Steps `rows` rows laid end to end; returns how many were completed. With `until_refusal` it
  // stops after a row in which a beat was refused (that row is counted). The second form counts
  // them in `progress` as they are done.
  size_t steps(const uint64_t* inputs, uint64_t* outputs, size_t rows, bool until_refusal);
  size_t steps(const uint64_t* inputs, uint64_t* outputs, size_t rows, bool until_refusal,
               Progress& progress);
  // Asserts reset for `cycles`, releases it and steps idle until init_done is seen: the next step
  // is cycle 0. kNotReady after `limit` idle cycles without it. `waited` counts the idle cycles.
  Status reset(uint32_t cycles, uint64_t limit, uint64_t& waited, Progress* progress = nullptr);

  const Shape& shape() const { return shape_; }
  const Sink& sink() const { return sink_; }
  Sink& sink() { return sink_; }
  // What the model printed since the last call.
  std::string take_text();

 protected:
  Sink sink_;

 private:
  template <typename Done>
  size_t batch(const uint64_t* inputs, uint64_t* outputs, size_t rows, bool until_refusal,
               Done done);

  Shape shape_;
};

// The sink of the model that this thread is stepping; drivers set it before they touch a model.
extern thread_local Sink* current;

}  // namespace congruent
