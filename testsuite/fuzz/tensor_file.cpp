// SPDX-License-Identifier: Apache-2.0
// Any bytes: a tensor as ONNX node tests keep it, or refused. What is read is written, and then reads back to the same.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "interpreter/program/onnx_tensor_file.hpp"
#include "interpreter/program/program.hpp"
#include "testsuite/fuzz/input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  static InputFile first("input_0.pb"), second("again.pb");
  std::string name;
  const auto tensor = read_onnx_tensor_file(first.holding(data, size), &name);
  if (!tensor) {
    if (tensor.error().what.empty() || tensor.error().where.empty()) std::abort();
    return 0;
  }
  const auto written = write_onnx_tensor(*tensor, name);
  if (!written) return 0;  // a type that ONNX has not
  const auto again = read_onnx_tensor_file(second.holding(reinterpret_cast<const std::uint8_t*>(written->data()), written->size()));
  if (!again || to_text(again->type()) != to_text(tensor->type()) || !std::ranges::equal(again->bytes(), tensor->bytes())) std::abort();
  return 0;
}
