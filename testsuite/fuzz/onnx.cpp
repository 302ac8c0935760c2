// SPDX-License-Identifier: Apache-2.0
// Any bytes: an ONNX model or refused. What is read prints as MLIR that reads back, and is written as a model that reads back.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "interpreter/program/program.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto program = tiebreak::read_onnx(std::as_bytes(std::span(data, size)), "fuzz.onnx");
  if (!program) {
    if (program.error().what.empty() || program.error().where.empty()) std::abort();
    return 0;
  }
  const std::string printed = tiebreak::print_mlir(*program);
  const auto again = tiebreak::parse_mlir(printed, "printed.mlir");
  // The print of a large model may pass the text reader's own limits; nothing else may go wrong.
  if (!again && again.error().code != tiebreak::Errc::limit) std::abort();
  if (again && tiebreak::print_mlir(again->functions.at(0)) != printed) std::abort();
  const auto written = tiebreak::write_onnx_model(*program);
  if (written && !tiebreak::read_onnx(*written, "written.onnx")) std::abort();
  return 0;
}
