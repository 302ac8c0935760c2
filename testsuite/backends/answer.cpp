// SPDX-License-Identifier: Apache-2.0
// The expected names, types and shapes are those of the request's outputs; a request without any takes what comes.
#include "testsuite/backends/answer.hpp"

#include <algorithm>
#include <unordered_map>

#include "testsuite/backends/child_process.hpp"

namespace tiebreak {
namespace {

/// Whether a dataset without a stated type can be of the wanted one: same width in storage and, for whole-byte integers and IEEE floats,
/// same kind.
bool can_be(const ElementType& storage, const ElementType& wanted) {
  if (storage.storage_bytes() != wanted.storage_bytes()) return false;
  if (wanted.is_boolean()) return storage.is_boolean() || (storage.is_integer() && !storage.integer().is_signed);
  if (wanted.is_integer()) return storage.is_integer() && storage.integer().is_signed == wanted.integer().is_signed;
  const std::string name = wanted.name();
  if (name == "f16" || name == "f32" || name == "f64") return storage == wanted;
  return storage.is_integer() && !storage.integer().is_signed;  // codes
}

/// The tensor under the wanted type, or why it cannot have it.
Result<Tensor> as_wanted(ExchangeTensor& answered, const TensorType& wanted) {
  const TensorType& type = answered.tensor.type();
  const std::string output = "output " + answered.name;
  if (type.shape != wanted.shape) return fail(Errc::backend, output + " has shape " + to_text(type.shape) + ", not " + to_text(wanted.shape));
  const bool fits = answered.inferred ? can_be(type.element, wanted.element) : type.element == wanted.element;
  if (!fits) return fail(Errc::backend, output + " has type " + type.element.name() + ", not " + wanted.element.name());
  if (!answered.inferred && same_type(type, wanted)) return std::move(answered.tensor);
  const auto bytes = answered.tensor.bytes();
  auto tensor = Tensor::from_bytes(wanted, {bytes.begin(), bytes.end()}, output);
  if (!tensor) return fail(Errc::backend, output + ": " + tensor.error().what);
  return tensor;
}

BackendAnswer check_outputs(const ExchangeCase& asked, ExchangeCase& answered) {
  BackendAnswer answer;
  answer.kind = BackendAnswer::Kind::answered;
  if (asked.outputs.empty()) {  // nothing was said of the outputs: the caller's to check
    answer.outputs = std::move(answered.outputs);
    return answer;
  }
  for (const ExchangeTensor& wanted : asked.outputs) {
    const auto found = std::find_if(answered.outputs.begin(), answered.outputs.end(), [&](const ExchangeTensor& one) { return one.name == wanted.name; });
    if (found == answered.outputs.end()) return inconclusive("output " + wanted.name + " is missing");
    auto tensor = as_wanted(*found, wanted.tensor.type());
    if (!tensor) return inconclusive(tensor.error().what);
    ExchangeTensor output;
    output.name = wanted.name;
    output.tensor = std::move(*tensor);
    output.undefined = found->undefined;
    answer.outputs.push_back(std::move(output));
  }
  for (const ExchangeTensor& extra : answered.outputs) {
    const bool is_wanted = std::any_of(asked.outputs.begin(), asked.outputs.end(), [&](const ExchangeTensor& one) { return one.name == extra.name; });
    if (!is_wanted) return inconclusive("output " + printable(extra.name) + " was not asked for");
  }
  return answer;
}

BackendAnswer check_case(const ExchangeCase& asked, ExchangeCase& answered) {
  const std::string reason = printable(answered.reason);
  if (answered.status == "ok") {
    BackendAnswer answer = check_outputs(asked, answered);
    if (says_undefined(answer)) answer.reason = reason;
    return answer;
  }
  if (answered.status == "unsupported") return {BackendAnswer::Kind::unsupported, reason.empty() ? "no reason given" : reason, {}};
  return inconclusive(reason.empty() ? "error without a reason" : "error: " + reason);
}

}  // namespace

bool says_undefined(const BackendAnswer& answer) {
  const auto is_marked = [](const ExchangeTensor& output) {
    return !output.undefined.empty() && std::ranges::all_of(output.undefined, [](std::uint8_t flag) { return flag != 0; });
  };
  return answer.kind == BackendAnswer::Kind::answered && !answer.outputs.empty() && std::ranges::all_of(answer.outputs, is_marked);
}

BackendAnswer inconclusive(std::string reason) { return {BackendAnswer::Kind::inconclusive, std::move(reason), {}}; }

Result<std::vector<BackendAnswer>> check_response(const std::vector<ExchangeCase>& asked, ExchangeFile response) {
  if (response.kind != "response") return fail(Errc::backend, "the response file is a " + response.kind);
  std::unordered_map<std::string, ExchangeCase*> answered;
  for (ExchangeCase& one : response.cases) answered.emplace(one.id, &one);
  std::vector<BackendAnswer> answers;
  for (const ExchangeCase& one : asked) {
    const auto found = answered.find(one.id);
    answers.push_back(found == answered.end() ? inconclusive("no answer for this case") : check_case(one, *found->second));
    if (found != answered.end()) answered.erase(found);
  }
  for (const ExchangeCase& one : response.cases) {
    if (answered.contains(one.id)) return fail(Errc::backend, "case '" + one.id + "' was answered but not asked");
  }
  return answers;
}

}  // namespace tiebreak
