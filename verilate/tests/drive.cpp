// Drives the library of the block `probe`: resets it, sends 4 and asks it to print.
#include "dut.h"

#include <cstdio>

namespace congruent {
std::unique_ptr<Dut> make_CLASS(const Start& start);
}

int main() {
  auto dut = congruent::make_CLASS(congruent::Start{});
  const uint64_t cfg[] = {1};
  dut->configure(cfg);
  uint64_t waited = 0;
  if (dut->reset(4, 100, waited) != congruent::Status::kRunning) return 1;
  uint64_t outputs[6];
  const uint64_t add[] = {1, 0, 4};
  const uint64_t idle[] = {0, 0, 0};
  const uint64_t print[] = {1, 5, 0};
  dut->step(add, outputs);
  dut->step(idle, outputs);
  const auto sum = static_cast<unsigned long long>(outputs[1]);
  const auto odd = static_cast<unsigned>(outputs[0]);
  dut->step(print, outputs);
  dut->finish();
  std::printf("ready after %llu, sum %llu, odd %u, prints: %s", static_cast<unsigned long long>(waited), sum, odd,
              dut->take_text().c_str());
  return 0;
}
