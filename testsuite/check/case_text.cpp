// SPDX-License-Identifier: Apache-2.0
// Inputs and commands of a case as a reader of the report needs them.
#include <algorithm>
#include <optional>

#include "interpreter/notation/walk.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// Flat index of the element of `shape` that is broadcast to output element `index`; nullopt if the shapes do not broadcast.
std::optional<std::int64_t> broadcast_index(const Shape& shape, const Shape& output, std::int64_t index) {
  if (shape.size() > output.size()) return std::nullopt;
  std::int64_t flat = 0, stride = 1;
  for (std::size_t back = 1; back <= shape.size(); ++back) {
    std::int64_t extent = shape[shape.size() - back];
    std::int64_t wanted = output[output.size() - back];
    if (extent != wanted && extent != 1) return std::nullopt;
    if (extent != 1) flat += (index % wanted) * stride;
    stride *= extent;
    index /= std::max<std::int64_t>(wanted, 1);
  }
  return flat;
}

/// Of a vector along one dimension of the output, or of a tensor with a value for each block of positions.
std::optional<std::int64_t> axis_parameter_index(const Shape& shape, const Shape& output, std::int64_t index, std::int64_t axis) {
  auto rank = static_cast<std::int64_t>(output.size());
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return std::nullopt;
  std::vector<std::int64_t> position(output.size());
  for (std::size_t back = 1; back <= output.size(); ++back) {
    std::int64_t extent = std::max<std::int64_t>(output[output.size() - back], 1);
    position[output.size() - back] = index % extent;
    index /= extent;
  }
  auto dimension = static_cast<std::size_t>(axis);
  if (shape.size() == 1 && shape[0] == output[dimension]) return position[dimension];
  if (shape.size() != output.size()) return std::nullopt;
  std::int64_t flat = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] < 1 || (d != dimension && shape[d] != output[d])) return std::nullopt;
    std::int64_t block = (output[d] + shape[d] - 1) / shape[d];
    flat = flat * shape[d] + position[d] / std::max<std::int64_t>(block, 1);
  }
  return flat;
}

bool is_elementwise(const Library& library, const Program& program) {
  for (const Operation& operation : program.operations) {
    Result<Library::OpPlace> place = library.find_op(operation.op);
    if (!place) return false;
    const notation::Structure* structure = notation::structure_of(*place->op);
    if (structure != nullptr && !structure->path.starts_with("elementwise")) return false;
  }
  return true;
}

bool is_plain_word(const std::string& word) {
  return !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-/=:,@%") == std::string::npos;
}

}  // namespace

std::string inputs_at(const Library& library, const Case& test, const Shape& output_shape, std::int64_t index) {
  bool elementwise = is_elementwise(library, test.program);
  std::int64_t axis = 1;
  bool has_axis = false;
  if (test.program.operations.size() == 1) {
    const AttributeMap& attributes = test.program.operations[0].attributes;
    if (auto found = attributes.find("axis"); found != attributes.end()) {
      axis = found->second.as_integer().value_or(axis);
      has_axis = true;
    }
  }
  std::string text;
  for (std::size_t i = 0; i < test.inputs.size(); ++i) {
    const Tensor& input = test.inputs[i];
    std::optional<std::int64_t> at;
    if (input.size() == 1) at = 0;
    // A vector beside an axis runs along it, even where plain broadcasting would fit as well.
    if (!at && !elementwise) continue;
    if (!at && (has_axis || input.shape().size() == 1)) at = axis_parameter_index(input.shape(), output_shape, index, axis);
    if (!at) at = broadcast_index(input.shape(), output_shape, index);
    if (!at || *at >= input.size()) continue;
    text += (text.empty() ? "" : " ") + input_name(test, i) + "=" + value_text(input.value(*at));
  }
  return text;
}

std::string shell_quoted(const std::string& word) {
  if (is_plain_word(word)) return word;
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string reproduce_command(const Case& test, const CheckOptions& options) {
  std::string command = "tiebreak check " + shell_quoted(test.source) + " -k " + shell_quoted(test.id);
  if (!options.reproduce_arguments.empty()) command += " " + options.reproduce_arguments;
  command += " --profile " + shell_quoted(options.profile);
  if (options.policy.kind != Policy::Kind::exact) command += " --policy " + shell_quoted(options.policy.text);
  return command;
}

std::string explain_command(const Case& test, const std::string& output, std::int64_t index, const std::string& profile) {
  return "tiebreak explain " + shell_quoted(test.id + ":" + output + ":" + std::to_string(index)) + " --source " + shell_quoted(test.source) + " --profile " +
         shell_quoted(profile);
}

}  // namespace tiebreak
