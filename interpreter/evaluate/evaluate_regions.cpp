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
};
constexpr Entry ways[] = {
    // every other one is a fold
    {"move.sort", sort},
    {"control.map", map},
    {"control.branch", branch},
    {"control.loop", loop},
    {"control.widened", widened},
    {"control.cholesky", cholesky},
    {"control.triangular_solve", triangular_solve},
};

}  // namespace

std::vector<ResultTensor> Context::operands(const std::string& name) const {
  std::vector<ResultTensor> found;
  if (auto positions = header.operands.find(name); positions != header.operands.end())
    for (std::size_t position : positions->second) {
      ResultTensor value{.name = name, .tensor = *call.operands[position]};
      if (position < call.undefined.size()) value.undefined = call.undefined[position];
      found.push_back(std::move(value));
    }
  return found;
}

const std::string& Context::argument(std::size_t position) const { return structure->arguments[position].name; }

}  // namespace regions

Result<std::vector<ResultTensor>> evaluate_regions(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options) {
  TIEBREAK_TRY(header, bind_header(semantics, call));
  regions::Context context{.library = semantics.library, .profile = semantics.profile, .call = call, .options = options, .header = std::move(header)};
  context.options.explain_values = false;  // the value before the last rounding is that of the last run, of no use by itself
  context.structure = notation::structure_of(*context.header.op);
  const std::string path = context.structure == nullptr ? "" : context.structure->path;
  const auto* way = std::ranges::find(regions::ways, path, [](const regions::Entry& entry) { return std::string(entry.path); });
  TIEBREAK_TRY(results, way == std::end(regions::ways) ? regions::fold(context) : way->way(context));
  for (std::size_t i = 0; i < results.size(); ++i) {
    const TensorType& stated = context.header.results[i];
    results[i].name =
        context.header.op->results.front().variadic ? member_name(context.header.op->results.front().name, i) : context.header.op->results.front().name;
    if (!same_type(results[i].tensor.type(), stated))
      return fail(Errc::type,
                  fmt::format("{}: result {} has type {}, its regions and operands give {}", call.op, i, to_text(stated), to_text(results[i].tensor.type())),
                  call.where);
  }
  return results;
}

}  // namespace tiebreak
