// SPDX-License-Identifier: Apache-2.0
// Inputs are taken in chunks by several threads; what a chunk has is added in the order of inputs, and then forgotten.
#include "testsuite/accuracy/accuracy.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <mutex>

#include "testsuite/accuracy/column_outputs.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/text/parallel.hpp"

namespace tiebreak {
namespace {

/// What is kept of one input.
struct InputMeasures {
  std::size_t input = 0;
  std::string name{};
  std::vector<std::vector<OutputDifference>> differences{};              ///< for each column but the first
  std::vector<std::string> unanswered{};                                 ///< the same: why there are none
  std::vector<std::vector<std::optional<std::int64_t>>> first_places{};  ///< arg max of each output of each column; empty of one that did not answer
};

Result<InputMeasures> measures_of(std::size_t index, const InputOutputs& found, const std::vector<AccuracyColumn>& columns, const AccuracyOptions& options) {
  InputMeasures measures{.input = index, .name = found.name};
  const std::vector<ResultTensor>& first = found.columns.front().outputs;
  for (std::size_t c = 0; c < found.columns.size(); ++c) {
    const ColumnOutputs& own = found.columns[c];
    std::vector<OutputDifference> differences;
    std::vector<std::optional<std::int64_t>> places;
    for (std::size_t o = 0; o < own.outputs.size() && o < first.size(); ++o) {
      if (!options.labels.empty()) places.push_back(only_arg_max(own.outputs[o], options.axis));
      if (c == 0) continue;
      auto difference = output_difference(first[o], own.outputs[o], index, options.axis);
      if (!difference)
        return fail(difference.error().code, columns[c].label() + ": " + difference.error().what, found.name + ", " + difference.error().where,
                    "outputs that are compared have one type and one shape");
      differences.push_back(*std::move(difference));
    }
    measures.first_places.push_back(std::move(places));
    if (c == 0) continue;
    measures.differences.push_back(std::move(differences));
    measures.unanswered.push_back(own.unanswered);
  }
  return measures;
}

/// A label that no place has would never be right, and is most likely counted from elsewhere.
Status check_label(std::size_t index, const InputOutputs& found, const AccuracyOptions& options) {
  if (options.labels.empty()) return {};
  const std::int64_t label = options.labels[index];
  for (const ResultTensor& output : found.columns.front().outputs) {
    const std::int64_t places = places_along(output.tensor.shape(), options.axis);
    if (only_arg_max(output, options.axis) && label >= places)
      return fail(Errc::usage,
                  "label " + std::to_string(label) + " of input " + std::to_string(index) + ", but output '" + bare_name(output.name) + "' has " +
                      std::to_string(places) + " places",
                  options.labels_origin, "places count from 0");
  }
  return {};
}

class AccuracyRun {
 public:
  AccuracyRun(const Library& library, const Program& program, const InputList& inputs, const std::vector<AccuracyColumn>& columns,
              const AccuracyOptions& options)
      : runner_(library, program, inputs, columns, options), columns_(columns), options_(options) {
    report_.model = program.file;
    report_.columns = columns;
    report_.data = inputs.origins();
    report_.total = inputs.size();
    report_.axis = options.axis;
    for (std::size_t c = 1; c < columns.size(); ++c) report_.differences.push_back({.column = c});
    for (const ValueId id : program.outputs) output_names_.push_back(bare_name(program, id));
    hits_.resize(columns.size());
  }

  Result<AccuracyReport> run() {
    const std::size_t chunk = runner_.chunk(), chunks = (report_.total + chunk - 1) / chunk;
    // What stands before a failure is still done, so that the error is that of the first input that has one.
    for_each_index(
        options_.jobs, chunks, [this] { return runner_.interrupted(); },
        [&](std::size_t c) {
          if (c < failed_place_.load()) finish(c, take(c * chunk, std::min((c + 1) * chunk, report_.total)));
        });
    if (failure_) return tl::unexpected<Error>(*failure_);
    for (auto& [place, measures] : waiting_) add(measures);  // behind a gap: only after an interrupt
    list_hits();
    note_axis();
    return std::move(report_);
  }

 private:
  Result<std::vector<InputMeasures>> take(std::size_t first, std::size_t last) const {
    TIEBREAK_TRY(found, runner_.run(first, last));
    std::vector<InputMeasures> measures;
    for (std::size_t i = first; i < last; ++i) {
      TIEBREAK_CHECK(check_label(i, found[i - first], options_));
      TIEBREAK_TRY(own, measures_of(i, found[i - first], columns_, options_));
      measures.push_back(std::move(own));
    }
    return measures;
  }

  void finish(std::size_t place, Result<std::vector<InputMeasures>> measures) {
    const std::lock_guard lock(mutex_);
    if (!measures) {
      if (runner_.interrupted() && measures.error().code == Errc::usage) return;
      if (place < failed_place_) {
        failure_ = measures.error();
        failed_place_ = place;
      }
      return;
    }
    waiting_.emplace(place, *std::move(measures));
    for (auto next = waiting_.find(next_); next != waiting_.end(); next = waiting_.find(++next_)) {
      add(next->second);
      waiting_.erase(next);
    }
    if (options_.progress) options_.progress(report_.done, report_.total);
  }

  void add(const std::vector<InputMeasures>& measures) {
    for (const InputMeasures& own : measures) {
      ++report_.done;
      if (std::ranges::any_of(own.differences, differs)) report_.names.emplace(own.input, own.name);
      for (std::size_t d = 0; d < report_.differences.size(); ++d) add_difference(own.differences[d], own.unanswered[d], report_.differences[d]);
      for (std::size_t c = 0; c < own.first_places.size(); ++c)
        add_hits(own.first_places[c], options_.labels.empty() ? -1 : options_.labels[own.input], hits_[c]);
    }
  }

  static bool differs(const std::vector<OutputDifference>& outputs) {
    return std::ranges::any_of(outputs, [](const OutputDifference& output) { return output.different > 0; });
  }

  static void add_difference(const std::vector<OutputDifference>& own, const std::string& unanswered, ColumnDifference& all) {
    if (!unanswered.empty() && all.unanswered++ == 0) all.reason = unanswered;
    if (all.outputs.size() < own.size()) all.outputs.resize(own.size());
    for (std::size_t o = 0; o < own.size(); ++o) all.outputs[o].add(own[o]);
  }

  static void add_hits(const std::vector<std::optional<std::int64_t>>& places, std::int64_t label, std::vector<std::pair<std::int64_t, std::int64_t>>& hits) {
    if (hits.size() < places.size()) hits.resize(places.size());
    for (std::size_t o = 0; o < places.size(); ++o) {
      if (!places[o]) continue;
      ++hits[o].first;
      hits[o].second += *places[o] == label ? 1 : 0;
    }
  }

  void list_hits() {
    for (std::size_t o = 0; o < output_names_.size(); ++o)
      for (std::size_t c = 0; c < columns_.size(); ++c)
        if (o < hits_[c].size() && hits_[c][o].first > 0) report_.hits.push_back({c, output_names_[o], hits_[c][o].first, hits_[c][o].second});
    if (!options_.labels.empty() && report_.hits.empty() && report_.done > 0)
      report_.notes.emplace_back("no output has one row of at least two places for each input: nothing is compared with the labels");
  }

  /// An axis that is named is one that decides something.
  void note_axis() {
    const auto has_rows = [](const ColumnDifference& difference) {
      return std::ranges::any_of(difference.outputs, [](const auto& output) { return output.rows > 0; });
    };
    if (options_.axis && report_.done > 0 && std::ranges::none_of(report_.differences, has_rows))
      report_.notes.push_back("no output has two places along axis " + std::to_string(*options_.axis) + ": there is no arg max");
  }

  ColumnRunner runner_;
  const std::vector<AccuracyColumn>& columns_;
  const AccuracyOptions& options_;
  AccuracyReport report_{};
  std::vector<std::string> output_names_{};
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> hits_{};  ///< of each column and output: inputs, right ones
  std::mutex mutex_{};
  std::map<std::size_t, std::vector<InputMeasures>> waiting_{};  ///< by chunk, behind one that is not done
  std::size_t next_ = 0;
  std::atomic<std::size_t> failed_place_{std::numeric_limits<std::size_t>::max()};
  std::optional<Error> failure_{};
};

}  // namespace

Result<AccuracyReport> measure_accuracy(const Library& library, const Program& program, const InputList& inputs, const std::vector<AccuracyColumn>& columns,
                                        const AccuracyOptions& options) {
  if (columns.size() < 2 || columns.front().backend != nullptr) return fail(Errc::usage, "a profile, and what is compared with it");
  if (!options.labels.empty() && options.labels.size() < inputs.size())
    return fail(Errc::usage, std::to_string(options.labels.size()) + " labels for " + std::to_string(inputs.size()) + " inputs", options.labels_origin);
  return AccuracyRun(library, program, inputs, columns, options).run();
}

}  // namespace tiebreak
