// SPDX-License-Identifier: Apache-2.0
// A value as text: a line `TYPE`, then the literal. What is read prints as a constant that reads back to the same bytes.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "interpreter/program/program.hpp"

namespace {

using namespace tiebreak;

void check_error(const Error& error) {
  if (error.what.empty() || error.where.empty()) std::abort();
}

/// The program of one constant of the type, as the MLIR reader has it; "" where the type does not read.
std::optional<Program> constant(const std::string& type, const std::string& literal) {
  const auto parsed = parse_mlir("%0 = \"stablehlo.constant\"() {value = dense<" + literal + "> : " + type + "} : () -> " + type, "fuzz.mlir");
  if (!parsed || parsed->functions.size() != 1 || parsed->functions[0].outputs.size() != 1) return std::nullopt;
  return parsed->functions[0];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return 0;
  const auto place = constant(std::string(text.substr(0, end)), "0");
  if (!place) return 0;
  const ProgramValue& value = place->values[static_cast<std::size_t>(place->outputs[0])];
  if (!value.type) return 0;
  if (element_count(value.type->shape).value_or(0) > 1 << 16) return 0;  // longer tensors are slow, not different
  const auto tensor = parse_literal(text.substr(end + 1), *value.type, "fuzz");
  if (!tensor) {
    check_error(tensor.error());
    return 0;
  }
  Program printed;
  printed.values.push_back({"%0", *value.type, *tensor});
  printed.outputs = {0};
  const auto again = parse_mlir(print_mlir(printed), "printed.mlir");
  if (!again) {
    if (again.error().code != Errc::limit) std::abort();
    return 0;
  }
  const Program& read = again->functions.at(0);
  const auto& constant_again = read.values.at(static_cast<std::size_t>(read.outputs.at(0))).constant;
  if (!constant_again || !std::ranges::equal(constant_again->bytes(), tensor->bytes())) std::abort();
  return 0;
}
