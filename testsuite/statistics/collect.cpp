// SPDX-License-Identifier: Apache-2.0
// The reference and each form on each batch; what the same value is on both sides goes into its statistics.
#include <algorithm>
#include <cmath>

#include "testsuite/case/value_name.hpp"
#include "testsuite/statistics/add_values.hpp"
#include "testsuite/statistics/growth.hpp"
#include "testsuite/statistics/side_values.hpp"

namespace tiebreak {
namespace {

/// A value of the reference and the values of a form that stand for it.
struct MatchedValue {
  ValueId reference = -1, form = -1, codes = -1;
  const QuantizedType* read_by = nullptr;  ///< parameters of codes without a type of their own
  const QuantizedType* range_of = nullptr;
  std::size_t node = 0;  ///< place in the report
};

/// Results of the reference's operations that the form has, by name; where it has none of them, outputs by order.
std::vector<MatchedValue> matched_values(const Program& reference, const Program& form, const ParameterSet& parameters) {
  std::vector<MatchedValue> found;
  for (const Operation& operation : reference.operations)
    for (const ValueId id : operation.results) {
      if (id < 0) continue;
      const std::string name = bare_name(reference, id);
      MatchedValue matched{.reference = id, .form = value_named(form, name), .codes = value_named(form, name + ".q")};
      const TensorParameters* given = parameters.find(name);
      if (given != nullptr) matched.range_of = &given->type;
      if (matched.form < 0 && matched.codes >= 0 && given != nullptr) {
        matched.form = matched.codes;
        matched.read_by = &given->type;
      }
      if (matched.form >= 0) found.push_back(matched);
    }
  for (std::size_t i = 0; found.empty() && i < std::min(reference.outputs.size(), form.outputs.size()); ++i)
    found.push_back({.reference = reference.outputs[i], .form = form.outputs[i]});
  return found;
}

/// The files of a batch, each once.
std::string origin_text(const Batch& batch) {
  std::string text;
  for (const std::string& origin : batch.origins)
    if (text.find(origin) == std::string::npos) text += (text.empty() ? "" : ", ") + origin;
  return text;
}

class Collector {
 public:
  Collector(const Library& library, const StatisticsSide& reference, const std::vector<StatisticsSide>& forms, const ParameterSet& parameters,
            const StatisticsOptions& options)
      : library_(library), reference_(reference), forms_(forms), parameters_(parameters), options_(options) {
    report_.reference = reference.name;
    report_.reference_profile = reference.profile.name;
    for (const StatisticsSide& form : forms) report_.forms.emplace_back(form.name, form.profile.name);
  }

  Result<StatisticsReport> run(const std::vector<Batch>& batches) {
    prepare();
    StatisticsOptions plain = options_;
    plain.ties = false;
    for (std::size_t b = 0; b < batches.size(); ++b) {
      report_.batches.push_back(origin_text(batches[b]));
      TIEBREAK_TRY(values, side_values({library_, reference_.profile}, reference_.program, batches[b].inputs, plain));
      add_pictures(values);
      for (std::size_t f = 0; f < forms_.size(); ++f) TIEBREAK_CHECK(add_form(f, b, batches[b], values));
    }
    return std::move(report_);
  }

 private:
  void prepare() {
    matched_.resize(forms_.size());
    for (std::size_t f = 0; f < forms_.size(); ++f) {
      matched_[f] = matched_values(reference_.program, forms_[f].program, parameters_);
      if (matched_[f].empty()) report_.notes.push_back("no value of " + forms_[f].name + " has a name of the reference, and it has no output to compare");
    }
    for (const Operation& operation : reference_.program.operations)
      for (const ValueId id : operation.results) {
        if (id < 0) continue;
        const std::string name = bare_name(reference_.program, id);
        report_.pictures.push_back(picture_of(name, operation.op));
        pictured_.push_back(id);
        for (std::size_t f = 0; f < forms_.size(); ++f)
          for (MatchedValue& matched : matched_[f])
            if (matched.reference == id) add_node(f, matched, name, operation);
      }
  }

  TensorPicture picture_of(const std::string& name, const std::string& op) const {
    TensorPicture picture{name, op};
    if (const TensorParameters* given = parameters_.find(name); given != nullptr) mark_range(given->type, picture);
    return picture;
  }

  static void mark_range(const QuantizedType& type, TensorPicture& picture) {
    if (!type.is_per_tensor() || picture.low) return;
    picture.low = (type.storage_min - type.zero_points[0].value) * type.scales[0].value;
    picture.high = (type.storage_max - type.zero_points[0].value) * type.scales[0].value;
  }

  /// Codes whose type has parameters tell the range where no set of parameters does; of several forms the first.
  void mark_range_of(const Tensor& codes, const std::string& name) {
    if (!codes.type().quantized) return;
    for (TensorPicture& picture : report_.pictures)
      if (picture.node == name) mark_range(*codes.type().quantized, picture);
  }

  void add_node(std::size_t f, MatchedValue& matched, const std::string& name, const Operation& operation) {
    matched.node = report_.nodes.size();
    NodeStatistics node;
    node.node = name;
    node.op = operation.op;
    node.where = operation.where;
    node.form = f;
    node.from = bare_name(forms_[f].program, matched.form);
    report_.nodes.push_back(std::move(node));
  }

  void add_pictures(const SideValues& values) {
    for (std::size_t p = 0; p < pictured_.size(); ++p) {
      const auto& value = values[static_cast<std::size_t>(pictured_[p])];
      if (!value) continue;
      for (const double number : real_values(value->tensor, nullptr))
        if (std::isfinite(number)) report_.pictures[p].histogram.add(number);
    }
  }

  Status add_form(std::size_t f, std::size_t b, const Batch& batch, const SideValues& reference) {
    const StatisticsSide& form = forms_[f];
    const Semantics semantics{library_, form.profile};
    TIEBREAK_TRY(inputs, inputs_of_form(reference_.program, batch, form.program, form.name));
    TIEBREAK_TRY(values, side_values(semantics, form.program, inputs, options_));
    for (const MatchedValue& matched : matched_[f]) {
      const auto &expected = reference[static_cast<std::size_t>(matched.reference)], &actual = values[static_cast<std::size_t>(matched.form)];
      if (!expected || !actual) continue;
      NodeStatistics& node = report_.nodes[matched.node];
      TIEBREAK_CHECK(add_values(*expected, *actual, matched.read_by, b, form.name, node));
      add_arg_max(*expected, *actual, matched.read_by, options_.axis, node);
      const ValueId codes = matched.codes >= 0 ? matched.codes : has_codes(actual->tensor) ? matched.form : -1;
      if (codes < 0 || !values[static_cast<std::size_t>(codes)]) continue;
      const ResultTensor& found = *values[static_cast<std::size_t>(codes)];
      add_codes(found, bare_name(form.program, codes), matched.range_of, node);
      mark_range_of(found.tensor, node.node);
    }
    if (!options_.growth || b > 0) return {};
    TIEBREAK_TRY(lines, growth_of(semantics, form.program, values, f, options_));
    std::ranges::move(lines, std::back_inserter(report_.growth));
    return {};
  }

  const Library& library_;
  const StatisticsSide& reference_;
  const std::vector<StatisticsSide>& forms_;
  const ParameterSet& parameters_;
  const StatisticsOptions& options_;
  StatisticsReport report_{};
  std::vector<std::vector<MatchedValue>> matched_{};
  std::vector<ValueId> pictured_{};
};

}  // namespace

Result<StatisticsReport> collect_statistics(const Library& library, const StatisticsSide& reference, const std::vector<StatisticsSide>& forms,
                                            const ParameterSet& parameters, const std::vector<Batch>& batches, const StatisticsOptions& options) {
  return Collector(library, reference, forms, parameters, options).run(batches);
}

}  // namespace tiebreak
