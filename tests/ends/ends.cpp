// Ways to end a process from the C++ that RTL calls.
#include "numbers.h"
#include "svdpi.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <unistd.h>
#include <vector>

namespace {

int nested(volatile int* depth) {
  volatile char much[4096];
  much[0] = static_cast<char>(*depth);
  ++*depth;
  return *depth < 0 ? 0 : nested(depth) + much[0];
}

}  // namespace

extern "C" void end_in_cpp(int how) {
  std::printf("C++ is asked for %d\n", how);
  volatile int zero = 0;
  switch (how) {
    case kNull: *reinterpret_cast<volatile int*>(zero) = 1; break;
    case kStack: nested(&zero); break;
    case kAbort: std::abort();
    case kDivision: zero = how / zero; break;
    case kExit: std::exit(3);
    case kLeave: _exit(4);
    case kThrow: throw std::runtime_error("nobody catches this");
    case kMemory: {
      // Asked for and not touched: it is the asking that is limited.
      std::vector<std::vector<char>> all;
      for (;;) all.emplace_back().reserve(64u << 20);
    }
    case kKill: std::raise(SIGKILL); break;
    default: break;
  }
}
