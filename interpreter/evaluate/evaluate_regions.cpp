// SPDX-License-Identifier: Apache-2.0
// Which way an op with regions is run: its page's structure line says.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/evaluate/regions.hpp"
#include "interpreter/notation/walk.hpp"

namespace tiebreak {
namespace regions {
namespace {

using Way = Results (*)(const Context&);
struct Entry {
  const char* path;
  Way way;
  bool finds_types = false;  ///< the types of its results need not be stated
};
constexpr Entry ways[] = {
    // every other one is a fold
    {"move.sort", sort},
    {"control.map", map},
    {"control.branch", branch, true},
    {"control.loop", loop, true},
    {"control.counted_loop", counted_loop, true},
    {"control.scan", scan, true},
    {"control.rnn", rnn, true},
    {"control.gru", gru, true},
    {"control.lstm", lstm, true},
    {"control.sequence_lstm", sequence_lstm, true},
    {"control.widened", widened},
    {"control.cholesky", cholesky},
    {"control.triangular_solve", triangular_solve},
};

/// What the call states of its results, against what was run.
Status check_results(const Context& context, const std::vector<ResultTensor>& results) {
  const auto& stated = context.header.results;
  if (stated.size() > results.size()) return context.refused(Errc::type, fmt::format("{} results, its regions give {}", stated.size(), results.size()));
  for (std::size_t i = 0; i < stated.size(); ++i) {
    if (!stated[i]) continue;
    const TensorType& given = results[i].tensor.type();
    TensorType closed = *stated[i];
    closed.shape = completed(closed.shape, given.shape);
    if (!same_type(given, closed))
      return context.refused(Errc::type, fmt::format("result {} has type {}, its regions and operands give {}", i, to_text(*stated[i]), to_text(given)));
  }
  return {};
}

}  // namespace

std::vector<ResultTensor> Context::operands(const std::string& name) const {
  std::vector<ResultTensor> found;
  if (auto positions = header.operands.find(name); positions != header.operands.end())
    for (std::size_t position : positions->second) {
      if (position >= call.operands.size() || !call.operands[position]) continue;
      ResultTensor value{.name = name, .tensor = *call.operands[position]};
      if (position < call.undefined.size()) value.undefined = call.undefined[position];
      found.push_back(std::move(value));
    }
  return found;
}

std::optional<ResultTensor> Context::operand(const std::string& name) const {
  auto found = operands(name);
  return found.empty() ? std::optional<ResultTensor>() : std::optional(std::move(found.front()));
}

Status Context::check_shape(const std::string& name, const Shape& shape) const {
  const auto value = operand(name);
  if (!value || value->tensor.shape() == shape) return {};
  return refused(Errc::constraint, fmt::format("{} is {}, its shape must be {}", name, to_text(value->tensor.type()), to_text(shape)));
}

const std::string& Context::argument(std::size_t position) const { return structure->arguments[position].name; }

const Attribute* Context::attribute(const std::string& name) const {
  const auto found = call.attributes.find(name);
  return found == call.attributes.end() || found->second.is_none() ? nullptr : &found->second;
}

bool Context::flag(const std::string& name, bool fallback) const {
  const Attribute* given = attribute(name);
  if (given == nullptr) return fallback;
  if (const bool* truth = std::get_if<bool>(&given->value)) return *truth;
  const auto number = given->as_integer();
  return number ? *number != 0 : fallback;
}

std::string Context::word(const std::string& name, const std::string& fallback) const {
  const Attribute* given = attribute(name);
  return given == nullptr ? fallback : given->as_string().value_or(fallback);
}

tl::unexpected<Error> Context::refused(Errc code, const std::string& what) const { return fail(code, fmt::format("{}: {}", call.op, what), call.where); }

}  // namespace regions

Result<std::vector<ResultTensor>> evaluate_regions(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options) {
  TIEBREAK_TRY(header, bind_header(semantics, call));
  regions::Context context{.library = semantics.library, .profile = semantics.profile, .call = call, .options = options, .header = std::move(header)};
  context.options.explain_values = false;  // the value before the last rounding is that of the last run, of no use by itself
  context.structure = notation::structure_of(*context.header.op);
  const std::string path = context.structure == nullptr ? "" : context.structure->path;
  const auto* way = std::ranges::find(regions::ways, path, [](const regions::Entry& entry) { return std::string(entry.path); });
  const bool is_fold = way == std::end(regions::ways);
  if (is_fold || !way->finds_types) {
    const auto open = std::ranges::find_if(context.header.results, [](const auto& type) { return !type; });
    if (open != context.header.results.end())
      return context.refused(Errc::type, fmt::format("the type of result {} must be stated", open - context.header.results.begin()));
  }
  TIEBREAK_TRY(results, is_fold ? regions::fold(context) : way->way(context));
  TIEBREAK_CHECK(regions::check_results(context, results));
  const notation::Operand& declared = context.header.op->results.front();
  for (std::size_t i = 0; i < results.size(); ++i) results[i].name = declared.variadic ? member_name(declared.name, i) : declared.name;
  return results;
}

}  // namespace tiebreak
