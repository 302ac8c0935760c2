// SPDX-License-Identifier: Apache-2.0
// Self-checking test benches: an implementation is linked or compiled in, runs once on the inputs, and its outputs are compared element by element.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "testsuite/export/exported.hpp"

namespace tiebreak {

struct TextFile {
  std::string name, text;
};

/// dut.h, bench.c and reference_dut.c: C99. `dut` takes a pointer to each input and constant, then one to each output. The program ends with 0 where all agree;
/// else with 1, and prints the first element that differs.
std::vector<TextFile> c_bench(const ExportedCase& exported);
/// dut_memories.svh, bench.sv and reference_dut.sv: SystemVerilog. The module `dut` has an array for each tensor, which the bench fills from the memh files; it
/// ends by $fatal at the first element that differs.
std::vector<TextFile> verilog_bench(const ExportedCase& exported);

/// What a bench has to do with a tensor.
struct BenchOutput {
  const ExportedTensor* expected = nullptr;
  const ExportedTensor* mask = nullptr;         ///< nullptr: every element is compared
  std::vector<const ExportedTensor*> beside{};  ///< shown at a difference: inputs with as many elements or one, the output's accumulator
  std::string name{};                           ///< out_y
};
std::vector<const ExportedTensor*> bench_inputs(const ExportedCase& exported);
std::vector<BenchOutput> bench_outputs(const ExportedCase& exported);

}  // namespace tiebreak
