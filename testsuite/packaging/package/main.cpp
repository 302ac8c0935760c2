// SPDX-License-Identifier: Apache-2.0
// Loads the installed pages and evaluates one op: 0.5 and 1.5 are ties, and ONNX rounds them to even, 0 and 2.
#include <cstdio>

#include "interpreter/evaluate/evaluate.hpp"

namespace {

tiebreak::Result<tiebreak::Tensor> literal(const char* word, tiebreak::Shape shape, const char* text) {
  const auto element = tiebreak::ElementType::parse(word);
  if (!element) return tiebreak::fail(tiebreak::Errc::unknown_name, word);
  return tiebreak::parse_literal(text, tiebreak::TensorType{*element, std::move(shape)}, "consumer");
}

tiebreak::Result<tiebreak::Tensor> quantize() {
  TIEBREAK_TRY(library, tiebreak::Library::load(SPEC_FOLDER));
  TIEBREAK_TRY(profile, library->find_profile("reference"));
  TIEBREAK_TRY(x, literal("f32", {2}, "[0.25, 0.75]"));
  TIEBREAK_TRY(scale, literal("f32", {}, "0.5"));
  TIEBREAK_TRY(zero_point, literal("u8", {}, "0"));
  const tiebreak::OpCall call{.op = "onnx.QuantizeLinear", .operands = {x, scale, zero_point}, .attributes = {}};
  TIEBREAK_TRY(results, tiebreak::evaluate({*library, *profile}, call));
  return results.at(0).tensor;
}

}  // namespace

int main() {
  const auto y = quantize();
  if (!y) return std::fprintf(stderr, "%s\n", tiebreak::to_text(y.error()).c_str()), 1;
  std::printf("y = [%d, %d]\n", static_cast<int>(y->code(0)), static_cast<int>(y->code(1)));
  return y->size() == 2 && y->code(0) == 0 && y->code(1) == 2 ? 0 : 1;
}
