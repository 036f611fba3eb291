// Between cxx's types and congruent::Dut, which knows none of them.
#pragma once

#include "dut.h"
#include "rust/cxx.h"

#include <string_view>

namespace congruent {

// Written by build.rs.
std::unique_ptr<Dut> make_in_tree(std::string_view name, const Start& start);

inline std::unique_ptr<Dut> make(rust::Str name, uint8_t fill, uint64_t seed) {
  return make_in_tree(std::string_view(name.data(), name.size()), Start{fill, seed, 0, nullptr});
}

inline void configure(Dut& dut, rust::Slice<const uint64_t> cfg) { dut.configure(cfg.data()); }

inline uint8_t reset(Dut& dut, uint32_t cycles, uint64_t limit) {
  uint64_t waited = 0;
  return static_cast<uint8_t>(dut.reset(cycles, limit, waited));
}

inline uint8_t step(Dut& dut, rust::Slice<const uint64_t> inputs, rust::Slice<uint64_t> outputs) {
  return static_cast<uint8_t>(dut.step(inputs.data(), outputs.data()));
}

inline size_t steps(Dut& dut, rust::Slice<const uint64_t> inputs, rust::Slice<uint64_t> outputs,
                    size_t rows, bool until_refusal) {
  return dut.steps(inputs.data(), outputs.data(), rows, until_refusal);
}

inline uint8_t bare(Dut& dut, rust::Slice<const uint64_t> inputs, size_t rows) {
  return static_cast<uint8_t>(dut.bare(inputs.data(), rows));
}

inline uint8_t status(const Dut& dut) { return static_cast<uint8_t>(dut.sink().status); }

inline bool row_complete(const Dut& dut) { return dut.sink().row_complete; }

// The text may hold anything that a model printed.
inline rust::String take_text(Dut& dut) { return rust::String::lossy(dut.take_text()); }

inline void finish(Dut& dut) { dut.finish(); }

}  // namespace congruent
