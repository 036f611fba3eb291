// A model as a process of its own: frames of machine words over stdin and stdout, so that no way
// of dying or looping takes the parent down. Parent and child run on one machine: native byte order.
#include "dut.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace congruent {
// Defined by the generated driver of an executable.
std::unique_ptr<Dut> make_dut(const Start& start);
}  // namespace congruent

namespace {

constexpr uint32_t kMagic = 0x52474e43;  // "CNGR"
constexpr uint32_t kVersion = 1;

enum Op : uint32_t { kConfigure = 1, kReset = 2, kStep = 3, kFinish = 4 };

struct Hello {
  uint32_t magic, version, cfg, inputs, outputs, reserved;
};

// `a` and `b` are: reset: cycles, limit; step: rows, until_refusal. Words follow.
struct Request {
  uint32_t op;
  uint32_t a;
  uint64_t b;
};

// `words` output words follow, then `text` bytes. `rows` is what was stepped, or waited in a reset.
struct Reply {
  uint32_t status;
  uint32_t text;
  uint64_t rows;
  uint64_t words;
};

[[noreturn]] void leave(int code) { _exit(code); }

// False at the end of the input.
bool read_all(void* data, size_t size) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = read(STDIN_FILENO, at, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<size_t>(got);
  }
  return true;
}

void write_all(int out, const void* data, size_t size) {
  const auto* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t put = write(out, at, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) leave(1);
    at += put;
    size -= static_cast<size_t>(put);
  }
}

// A parent that dies closes our stdin; a model that loops would never notice.
void watch_parent() {
  std::thread([] {
    pollfd stdin_fd{STDIN_FILENO, 0, 0};
    while (poll(&stdin_fd, 1, -1) < 0 && errno == EINTR) {
    }
    leave(1);
  }).detach();
}

void reply(int out, congruent::Dut& dut, congruent::Status status, uint64_t rows,
           const std::vector<uint64_t>& words, size_t used) {
  const std::string text = dut.take_text();
  const Reply head{static_cast<uint32_t>(status), static_cast<uint32_t>(text.size()), rows,
                   used};
  write_all(out, &head, sizeof head);
  write_all(out, words.data(), used * sizeof(uint64_t));
  write_all(out, text.data(), text.size());
}

}  // namespace

int main(int argc, char** argv) {
  // What the RTL or its DPI code prints to stdout must not mix with the frames.
  const int out = dup(STDOUT_FILENO);
  if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 1;
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);

  congruent::Start start;
  if (argc > 1) start.fill = static_cast<uint8_t>(std::strtoul(argv[1], nullptr, 10));
  if (argc > 2) start.seed = std::strtoull(argv[2], nullptr, 10);
  start.argc = argc;
  start.argv = argv;
  const std::unique_ptr<congruent::Dut> dut = congruent::make_dut(start);
  const congruent::Shape& shape = dut->shape();
  const Hello hello{kMagic,
                    kVersion,
                    static_cast<uint32_t>(shape.cfg),
                    static_cast<uint32_t>(shape.inputs),
                    static_cast<uint32_t>(shape.outputs),
                    0};
  write_all(out, &hello, sizeof hello);
  watch_parent();

  std::vector<uint64_t> inputs;
  std::vector<uint64_t> outputs;
  Request request;
  while (read_all(&request, sizeof request)) {
    switch (request.op) {
      case kConfigure: {
        inputs.resize(shape.cfg);
        if (!read_all(inputs.data(), inputs.size() * sizeof(uint64_t))) leave(1);
        dut->configure(inputs.data());
        reply(out, *dut, dut->sink().status, 0, outputs, 0);
        break;
      }
      case kReset: {
        uint64_t waited = 0;
        const congruent::Status status = dut->reset(request.a, request.b, waited);
        reply(out, *dut, status, waited, outputs, 0);
        break;
      }
      case kStep: {
        const size_t rows = request.a;
        inputs.resize(rows * shape.inputs);
        outputs.resize(rows * shape.outputs);
        if (!read_all(inputs.data(), inputs.size() * sizeof(uint64_t))) leave(1);
        const size_t done = dut->steps(inputs.data(), outputs.data(), rows, request.b != 0);
        reply(out, *dut, dut->sink().status, done, outputs, done * shape.outputs);
        break;
      }
      case kFinish: {
        dut->finish();
        reply(out, *dut, dut->sink().status, 0, outputs, 0);
        leave(0);
      }
      default:
        leave(2);
    }
  }
  leave(0);
}
