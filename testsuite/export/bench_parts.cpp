// SPDX-License-Identifier: Apache-2.0
#include "testsuite/export/benches.hpp"

namespace tiebreak {
namespace {

bool is_read(const ExportedTensor& tensor) { return tensor.role == ExportRole::input || tensor.role == ExportRole::constant; }

}  // namespace

std::vector<const ExportedTensor*> bench_inputs(const ExportedCase& exported) {
  std::vector<const ExportedTensor*> inputs;
  for (const ExportedTensor& tensor : exported.tensors)
    if (is_read(tensor)) inputs.push_back(&tensor);
  return inputs;
}

std::vector<BenchOutput> bench_outputs(const ExportedCase& exported) {
  std::vector<BenchOutput> outputs;
  for (std::size_t i = 0; i < exported.tensors.size(); ++i) {
    const ExportedTensor& expected = exported.tensors[i];
    if (expected.role != ExportRole::expected) continue;
    BenchOutput output{.expected = &expected, .name = "out" + expected.name.substr(std::string(to_word(ExportRole::expected)).size())};
    // The mask stands behind its output: another output may have the same name.
    if (i + 1 < exported.tensors.size() && exported.tensors[i + 1].role == ExportRole::defined) output.mask = &exported.tensors[i + 1];
    for (const ExportedTensor& other : exported.tensors) {
      const bool is_scalar = other.tensor.size() == 1, fits = other.tensor.size() == expected.tensor.size();
      if ((is_read(other) && (is_scalar || fits)) || (other.role == ExportRole::accumulator && other.of == expected.of && fits))
        output.beside.push_back(&other);
    }
    outputs.push_back(std::move(output));
  }
  return outputs;
}

}  // namespace tiebreak
