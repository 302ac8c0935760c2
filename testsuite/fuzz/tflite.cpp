// SPDX-License-Identifier: Apache-2.0
// Any bytes: a model of TensorFlow Lite or refused with its place. What is read is written as a model that reads back the same, and prints as MLIR that reads.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "interpreter/lite/lite.hpp"
#include "interpreter/lite/model.hpp"
#include "interpreter/program/program.hpp"

namespace {

void must(bool condition) {
  if (!condition) std::abort();
}

void is_written_as_read(const tiebreak::tflite::Model& model) {
  const auto written = tiebreak::tflite::write_model(model);
  if (!written) return;
  const auto again = tiebreak::tflite::read_model(*written, "written.tflite");
  if (!again) {
    must(again.error().code == tiebreak::Errc::unsupported || again.error().code == tiebreak::Errc::corrupt);
    return;
  }
  must(again->tensors.size() == model.tensors.size() && again->operators.size() == model.operators.size());
  for (std::size_t i = 0; i < model.tensors.size(); ++i)
    must(again->tensors[i].name == model.tensors[i].name && again->tensors[i].type.shape == model.tensors[i].type.shape);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto model = tiebreak::tflite::read_model(bytes, "fuzz.tflite");
  if (!model) {
    must(!model.error().what.empty() && !model.error().where.empty());
    return 0;
  }
  is_written_as_read(*model);
  const auto program = tiebreak::read_tflite(bytes, "fuzz.tflite");
  if (!program) {
    must(!program.error().what.empty() && !program.error().where.empty());
    return 0;
  }
  const std::string printed = tiebreak::print_mlir(*program);
  const auto again = tiebreak::parse_mlir(printed, "printed.mlir");
  // The print of a large model may pass the text reader's own limits; nothing else may go wrong.
  must(again || again.error().code == tiebreak::Errc::limit);
  must(!again || tiebreak::print_mlir(again->functions.at(0)) == printed);
  return 0;
}
