// A model as a process of its own: frames of machine words over stdin and stdout, so that no way
// of dying or looping takes the parent down. Parent and child run on one machine: native byte order.
//
// What it is doing is kept in a ledger, a mapped file that the parent reads when the process is
// gone: rows that were done with their outputs, and what was printed, are there however it ended.
#include "dut.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <sys/mman.h>
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
constexpr uint32_t kVersion = 2;

enum Op : uint32_t { kConfigure = 1, kReset = 2, kStep = 3, kFinish = 4, kTrace = 5 };

struct Hello {
  uint32_t magic, version, cfg, inputs, outputs, reserved;
};

// `a` and `b` are: reset: cycles, limit; step: rows, until_refusal; trace: bytes of the path, 0 to
// end it. Words follow; the path is padded to whole ones.
struct Request {
  uint32_t op;
  uint32_t a;
  uint64_t b;
};

// `words` output words follow, then `text` bytes. `rows` is what was stepped, or waited in a reset;
// of a trace it is 1 if it is written. Above the eight bits of the status: whether the last of the
// rows is the one in which the model ended.
struct Reply {
  uint32_t status;
  uint32_t text;
  uint64_t rows;
  uint64_t words;
};

[[noreturn]] void leave(int code) { _exit(code); }

// False at the end of the input.
bool read_all(int in, void* data, size_t size) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = read(in, at, size);
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

// The ledger: progress, what was printed, outputs of the rows of a step. As in ledger.rs.
constexpr size_t kTextAt = 64;
constexpr size_t kOutputsAt = 128 * 1024;
constexpr size_t kTextSize = kOutputsAt - kTextAt;

class Ledger {
 public:
  explicit Ledger(const char* path) : file_(open(path, O_RDWR | O_CLOEXEC)) {
    if (file_ < 0) leave(1);
    grow(0);
  }

  congruent::Progress& progress() { return *static_cast<congruent::Progress*>(base_); }
  uint64_t* outputs() { return reinterpret_cast<uint64_t*>(bytes() + kOutputsAt); }

  // Makes room for so many words of outputs.
  void grow(size_t words) {
    const size_t size = kOutputsAt + words * sizeof(uint64_t);
    if (size <= size_) return;
    if (base_ != nullptr) munmap(base_, size_);
    base_ = MAP_FAILED;
    if (make_room(static_cast<off_t>(size)))
      base_ = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (base_ == MAP_FAILED) {
      perror("cannot keep the outputs of a batch");
      leave(1);
    }
    size_ = size;
  }

  // A request begins: what the last one left is no longer of interest.
  void begin(congruent::Progress::Phase phase) {
    congruent::Progress& told = progress();
    told.text.store(0);
    told.rows.store(0);
    told.phase.store(phase);
    told.frame.fetch_add(1);
  }

  void print(const char* data, size_t size) {
    congruent::Progress& told = progress();
    const size_t used = told.text.load();
    const size_t part = std::min(size, kTextSize - used);
    std::memcpy(bytes() + kTextAt + used, data, part);
    told.text.store(used + part);
  }

 private:
  char* bytes() { return static_cast<char*>(base_); }

  // Where there is no room that is to be known now, not as a bus error in the middle of a row.
  bool make_room(off_t size) {
#ifdef __linux__
    errno = posix_fallocate(file_, 0, size);
    return errno == 0;
#else
    return ftruncate(file_, size) == 0;
#endif
  }

  int file_;
  void* base_ = nullptr;
  size_t size_ = 0;
};

static_assert(sizeof(congruent::Progress) <= kTextAt, "the progress is in front of the text");

Ledger* ledger = nullptr;

// A model that takes more and more memory must not take that of all others: it may have half.
void limit_memory(bool limited) {
  rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  limit.rlim_cur = limit.rlim_max;
  if (limited && pages > 0 && page > 0) {
    const rlim_t half = static_cast<rlim_t>(pages) * static_cast<rlim_t>(page) / 2;
    limit.rlim_cur = std::min(half, limit.rlim_max);
  }
  setrlimit(RLIMIT_DATA, &limit);
}

// Runs a piece of work in which the model may throw what nobody has caught so far.
template <typename Work>
void guarded(congruent::Dut& dut, Work work) {
  congruent::Sink& sink = dut.sink();
  try {
    work();
  } catch (const std::bad_alloc&) {
    // The message needs some.
    limit_memory(false);
    sink.row_complete = false;
    sink.end(congruent::Status::kMemory, nullptr, 0, "out of memory: it may have half of the machine's");
  } catch (const std::exception& error) {
    sink.row_complete = false;
    sink.end(congruent::Status::kException, nullptr, 0, error.what());
  } catch (...) {
    sink.row_complete = false;
    sink.end(congruent::Status::kException, nullptr, 0, "thrown was something that is no std::exception");
  }
}

// A parent that dies closes our stdin; a model that loops would never notice.
void watch_parent(int in) {
  std::thread([in] {
    pollfd closed{in, 0, 0};
    while (poll(&closed, 1, -1) < 0 && errno == EINTR) {
    }
    leave(1);
  }).detach();
}

void reply(int out, congruent::Dut& dut, congruent::Status status, uint64_t rows,
           const uint64_t* words = nullptr, size_t used = 0) {
  const std::string text = dut.take_text();
  const bool in_last = rows > 0 && dut.sink().row_complete;
  const Reply head{static_cast<uint32_t>(status) | (in_last ? 1u << 8 : 0),
                   static_cast<uint32_t>(text.size()), rows, used};
  write_all(out, &head, sizeof head);
  write_all(out, words, used * sizeof(uint64_t));
  write_all(out, text.data(), text.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) leave(2);
  // What the RTL or its DPI code prints to stdout must not mix with the frames, nor what it reads;
  // and programs that it starts must not keep the pipes open.
  const int in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  const int nothing = open("/dev/null", O_RDONLY);
  if (in < 0 || out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 1;
  if (nothing >= 0) {
    dup2(nothing, STDIN_FILENO);
    close(nothing);
  }
  // A line that was printed before a crash is not lost with the buffer.
  setvbuf(stdout, nullptr, _IOLBF, 0);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  limit_memory(true);

  Ledger book(argv[3]);
  ledger = &book;
  congruent::Start start;
  start.fill = static_cast<uint8_t>(std::strtoul(argv[1], nullptr, 10));
  start.seed = std::strtoull(argv[2], nullptr, 10);
  start.argc = argc;
  start.argv = argv;
  watch_parent(in);
  const std::unique_ptr<congruent::Dut> dut = congruent::make_dut(start);
  dut->sink().tee = [](const char* data, size_t size) { ledger->print(data, size); };
  const congruent::Shape& shape = dut->shape();
  const Hello hello{kMagic,
                    kVersion,
                    static_cast<uint32_t>(shape.cfg),
                    static_cast<uint32_t>(shape.inputs),
                    static_cast<uint32_t>(shape.outputs),
                    0};
  write_all(out, &hello, sizeof hello);

  std::vector<uint64_t> inputs;
  const auto read_words = [&](size_t count) {
    inputs.resize(count);
    if (!read_all(in, inputs.data(), count * sizeof(uint64_t))) leave(1);
  };
  Request request;
  while (read_all(in, &request, sizeof request)) {
    switch (request.op) {
      case kConfigure: {
        read_words(shape.cfg);
        book.begin(congruent::Progress::kConfigure);
        guarded(*dut, [&] { dut->configure(inputs.data()); });
        reply(out, *dut, dut->sink().status, 0);
        break;
      }
      case kReset: {
        book.begin(congruent::Progress::kReset);
        uint64_t waited = 0;
        congruent::Status status = congruent::Status::kRunning;
        guarded(*dut, [&] { status = dut->reset(request.a, request.b, waited, &book.progress()); });
        if (dut->sink().status != congruent::Status::kRunning) status = dut->sink().status;
        reply(out, *dut, status, 0);
        break;
      }
      case kStep: {
        const size_t rows = request.a;
        read_words(rows * shape.inputs);
        book.grow(rows * shape.outputs);
        book.begin(congruent::Progress::kRows);
        size_t done = 0;
        guarded(*dut, [&] {
          done = dut->steps(inputs.data(), book.outputs(), rows, request.b != 0, book.progress());
        });
        // What was thrown took the count with it.
        done = std::max<size_t>(done, book.progress().rows.load());
        reply(out, *dut, dut->sink().status, done, book.outputs(), done * shape.outputs);
        break;
      }
      case kFinish: {
        book.begin(congruent::Progress::kFinal);
        guarded(*dut, [&] { dut->finish(); });
        reply(out, *dut, dut->sink().status, 0);
        leave(0);
      }
      case kTrace: {
        read_words((request.a + sizeof(uint64_t) - 1) / sizeof(uint64_t));
        const std::string path(reinterpret_cast<const char*>(inputs.data()), request.a);
        book.begin(congruent::Progress::kConfigure);
        bool traced = false;
        guarded(*dut, [&] { traced = dut->trace(path.empty() ? nullptr : path.c_str()); });
        reply(out, *dut, dut->sink().status, traced ? 1 : 0);
        break;
      }
      default:
        leave(2);
    }
  }
  leave(0);
}
