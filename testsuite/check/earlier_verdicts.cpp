// SPDX-License-Identifier: Apache-2.0
#include "testsuite/check/earlier_verdicts.hpp"

#include <algorithm>

#include "testsuite/check/run_identity.hpp"

namespace tiebreak {
namespace {

/// Judged by values. What was refused, crashed or was not reached is asked again.
bool is_verdict(CaseStatus status) {
  switch (status) {
    case CaseStatus::conform:
    case CaseStatus::fail:
    case CaseStatus::not_declared:
    case CaseStatus::nothing_compared: return true;
    default: return false;
  }
}

/// Neither more nor fewer mismatches than this run would keep.
bool keeps(const Comparison& comparison, std::size_t show) { return comparison.first.size() == std::min(show, static_cast<std::size_t>(comparison.different)); }

}  // namespace

EarlierVerdicts::EarlierVerdicts(CheckReport report, std::string file) : report_(std::move(report)), file_(std::move(file)) {
  for (const CaseReport& test : report_.cases) cases_.emplace(test.id, &test);
  for (const ModelReport& model : report_.models)
    for (const ModelLayer& layer : model.layers) layers_.emplace(layer.id, &layer);
}

tl::unexpected<Error> EarlierVerdicts::other(const std::string& what, const std::string& there, const std::string& here) const {
  return fail(Errc::usage, "the report is of a run with another " + what + ": '" + there + "', and here '" + here + "'", file_,
              "a run goes on under what it began with; without --resume it begins anew");
}

Status EarlierVerdicts::agrees_with(const std::map<std::string, std::string>& context) const {
  std::map<std::string, std::string> all = report_.context;
  all.insert(context.begin(), context.end());  // every key of either
  for (const auto& [key, text] : all) {
    const auto here = context.find(key);
    const std::string now = here == context.end() ? "" : here->second;
    if (rests_on(key) && report_.context_of(key) != now) return other(key, report_.context_of(key), now);
  }
  return {};
}

Status EarlierVerdicts::agrees_with_pages(const std::map<std::string, std::string>& op_hashes) const {
  const std::map<std::string, std::string> there = report_.op_hashes.value_or(std::map<std::string, std::string>());
  for (const auto& [op, hash] : op_hashes)
    if (const auto found = there.find(op); found != there.end() && found->second != hash) return other("page of " + op, found->second, hash);
  return {};
}

Status EarlierVerdicts::agrees_with_model(const ModelReport& model) const {
  const auto found = std::ranges::find(report_.models, model.name, &ModelReport::name);
  if (found == report_.models.end()) return fail(Errc::usage, "the report has no model '" + model.name + "'", file_, "it is made by check --per-layer");
  if (found->inputs.size() != model.inputs.size()) return other("number of inputs", std::to_string(found->inputs.size()), std::to_string(model.inputs.size()));
  for (std::size_t i = 0; i < model.inputs.size(); ++i)
    if (found->inputs[i].digest != model.inputs[i].digest) return other("input " + model.inputs[i].name, found->inputs[i].digest, model.inputs[i].digest);
  if (found->digest != model.digest) return other("model " + model.name, found->digest, model.digest);
  return {};
}

const CaseReport* EarlierVerdicts::judged(const std::string& id, std::size_t show) const {
  const auto found = cases_.find(id);
  if (found == cases_.end() || !is_verdict(found->second->status)) return nullptr;
  const CaseReport& test = *found->second;
  return std::ranges::all_of(test.outputs, [show](const auto& output) { return keeps(output.second, show); }) ? &test : nullptr;
}

const ModelLayer* EarlierVerdicts::layer(const std::string& id) const {
  const auto found = layers_.find(id);
  return found == layers_.end() ? nullptr : found->second;
}

}  // namespace tiebreak
