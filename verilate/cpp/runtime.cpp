// Compiled once with Verilator's runtime: prints and ends of every model, and batches of steps.
#include "dut.h"
#include "runtime.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <vector>

namespace congruent {

thread_local Sink* current = nullptr;

namespace {
// A model that prints in every cycle must not fill the memory.
constexpr size_t kTextLimit = 64 * 1024;
constexpr const char* kCut = "\n(further text dropped)\n";
}  // namespace

void Sink::print(const char* data, size_t size) {
  if (tee != nullptr) tee(data, size);
  if (text.size() >= kTextLimit) return;
  text.append(data, size);
  if (text.size() >= kTextLimit) {
    text.resize(kTextLimit);
    text += kCut;
  }
}

void Sink::end(Status how, const char* file, int line, const char* what) {
  if (status != Status::kRunning) return;
  status = how;
  // Past the limit on purpose: why it ended is the one thing that must not be dropped.
  std::string why;
  if (file != nullptr && *file != '\0') why = std::string(file) + ":" + std::to_string(line) + ": ";
  why += std::string(what) + "\n";
  if (tee != nullptr) tee(why.data(), why.size());
  text += why;
}

std::string Dut::take_text() {
  std::string taken;
  taken.swap(sink_.text);
  return taken;
}

template <typename Done>
inline size_t Dut::batch(const uint64_t* inputs, uint64_t* outputs, size_t rows,
                         bool until_refusal, Done done) {
  if (sink_.status != Status::kRunning) return 0;
  const bool watch = until_refusal && shape_.handshake_count != 0;
  for (size_t row = 0; row < rows; ++row) {
    if (step(inputs, outputs) != Status::kRunning) return row + (sink_.row_complete ? 1 : 0);
    done(row + 1);
    if (watch) {
      for (size_t i = 0; i < shape_.handshake_count; ++i) {
        const Handshake& h = shape_.handshakes[i];
        if ((inputs[h.valid] & 1) == 0) continue;
        const uint64_t bit = h.by < 0 ? 0 : inputs[h.by];
        if (bit < h.bits && (outputs[h.ready] >> bit & 1) == 0) return row + 1;
      }
    }
    inputs += shape_.inputs;
    outputs += shape_.outputs;
  }
  return rows;
}

size_t Dut::steps(const uint64_t* inputs, uint64_t* outputs, size_t rows, bool until_refusal) {
  return batch(inputs, outputs, rows, until_refusal, [](size_t) {});
}

size_t Dut::steps(const uint64_t* inputs, uint64_t* outputs, size_t rows, bool until_refusal,
                  Progress& progress) {
  // The outputs of a row are written before it counts.
  return batch(inputs, outputs, rows, until_refusal,
               [&](size_t done) { progress.rows.store(done, std::memory_order_release); });
}

Status Dut::reset(uint32_t cycles, uint64_t limit, uint64_t& waited, Progress* progress) {
  const std::vector<uint64_t> idle(shape_.inputs, 0);
  std::vector<uint64_t> outputs(shape_.outputs, 0);
  Progress none{};
  Progress& told = progress != nullptr ? *progress : none;
  waited = 0;
  drive_reset(true);
  for (uint32_t i = 0; i < cycles; ++i) {
    const Status status = step(idle.data(), outputs.data());
    if (status != Status::kRunning) return status;
    told.rows.store(i + 1);
  }
  drive_reset(false);
  if (shape_.init_done < 0) return Status::kRunning;
  told.rows.store(0);
  told.phase.store(Progress::kInit);
  while (waited < limit) {
    const Status status = step(idle.data(), outputs.data());
    if (status != Status::kRunning) return status;
    ++waited;
    told.rows.store(waited);
    if (outputs[static_cast<size_t>(shape_.init_done)] != 0) return Status::kRunning;
  }
  return Status::kNotReady;
}

}  // namespace congruent

int congruent_printf(const char* format, ...) {
  va_list args;
  va_start(args, format);
  va_list again;
  va_copy(again, args);
  const int size = vsnprintf(nullptr, 0, format, args);
  va_end(args);
  if (size > 0) {
    std::vector<char> buffer(static_cast<size_t>(size) + 1);
    vsnprintf(buffer.data(), buffer.size(), format, again);
    congruent::Sink* const sink = congruent::current;
    if (sink != nullptr) {
      sink->print(buffer.data(), static_cast<size_t>(size));
    } else {
      fputs(buffer.data(), stderr);
    }
  }
  va_end(again);
  return size;
}

// Verilator's hooks. The model finishes the evaluation it is in; step() then reads the status.
void vl_finish(const char* file, int line, const char*) {
  if (congruent::current != nullptr)
    congruent::current->end(congruent::Status::kFinish, file, line, "$finish");
}

void vl_stop(const char* file, int line, const char*) {
  if (congruent::current != nullptr)
    congruent::current->end(congruent::Status::kStop, file, line, "stopped");
}

// `maybe` is false for $fatal (from 5.04x on; before, $fatal cannot be told from $error).
void vl_stop_maybe(const char* file, int line, const char* hier, bool maybe) {
  if (maybe) return vl_stop(file, line, hier);
  if (congruent::current != nullptr)
    congruent::current->end(congruent::Status::kFatal, file, line, "$fatal");
}

// The runtime calls this where it cannot go on, inside loops that would never end: it must not
// return.
void vl_fatal(const char* file, int line, const char*, const char* message) {
  if (congruent::current != nullptr) {
    const bool unsettled = strstr(message, "converge") != nullptr;
    const auto how = unsettled ? congruent::Status::kUnsettled : congruent::Status::kFatal;
    congruent::current->end(how, file, line, message);
  }
  throw congruent::Fatal{};
}
