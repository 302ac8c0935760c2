// SPDX-License-Identifier: Apache-2.0
// Whether rounding matters for a model: its outputs under several semantics, on many inputs. inputs -> outputs of each column -> differences from the first
// column -> report.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "testsuite/accuracy/input_list.hpp"
#include "testsuite/accuracy/output_difference.hpp"
#include "testsuite/backends/backend.hpp"

namespace tiebreak {

/// What gives outputs: a profile, or a backend that runs the model as a whole.
struct AccuracyColumn {
  std::string name;            ///< as a user names it: onnx:tie=away, onnxruntime
  Profile profile{};           ///< of a backend the first column's: what the request says
  Backend* backend = nullptr;  ///< nullptr: the profile is evaluated
  std::string version{};       ///< of the backend
  std::string label() const { return (backend == nullptr ? "profile " : "backend ") + name; }
};

struct AccuracyOptions {
  EvaluateOptions evaluate{};
  std::optional<std::int64_t> axis{};  ///< of the arg max; none: the last one
  int jobs = 1;                        ///< never changes a result
  std::vector<std::int64_t> labels{};  ///< what each input shows, as a place along the axis; empty: nothing is known. At least as many as inputs
  std::string labels_origin{};         ///< for messages
  std::function<void(std::size_t done, std::size_t total)> progress{};
  std::function<bool()> interrupted{};
};

/// A column against the first one.
struct ColumnDifference {
  std::size_t column = 1;
  std::vector<OutputDifference> outputs{};  ///< in the order of the program's
  std::size_t unanswered = 0;               ///< inputs that the backend did not answer
  std::string reason{};                     ///< of the first of them
};
/// How often the arg max of an output is the label.
struct LabelHits {
  std::size_t column = 0;
  std::string output{};
  std::int64_t inputs = 0, right = 0;
};
struct AccuracyReport {
  std::string model{};
  std::vector<AccuracyColumn> columns{};
  std::vector<std::string> data{};             ///< where inputs come from
  std::map<std::size_t, std::string> names{};  ///< of the inputs in which something differs
  std::size_t total = 0, done = 0;             ///< inputs
  std::optional<std::int64_t> axis{};
  std::vector<ColumnDifference> differences{};
  std::vector<LabelHits> hits{};
  std::vector<std::string> notes{};
  bool is_incomplete() const { return done < total; }
};

/// The first column is a profile, and there are at least two. An input that cannot be read or evaluated is the error of the first such input, with its name
/// and column. Interrupted, the report has the inputs that were done.
Result<AccuracyReport> measure_accuracy(const Library& library, const Program& program, const InputList& inputs, const std::vector<AccuracyColumn>& columns,
                                        const AccuracyOptions& options);

/// `1,000 inputs, profile a against profile b: 0.31 % of codes differ, by at most 1; 2 of 1,000 arg max change; SQNR 51.2034 dB`: of one output of a column.
std::string accuracy_sentence(const AccuracyReport& report, const ColumnDifference& difference, const OutputDifference& output);
/// Lines of at most `width` columns where names allow it; the sentences may be longer.
std::string accuracy_text(const AccuracyReport& report, std::size_t width);
std::string accuracy_markdown(const AccuracyReport& report);
std::string accuracy_json(const AccuracyReport& report);

/// Label indices: one a line of a text (empty lines and lines that begin with # are passed over), or the whole numbers of a .npy file. Errc::syntax with the
/// line, Errc::type for other numbers.
Result<std::vector<std::int64_t>> read_labels(const std::string& path);

}  // namespace tiebreak
