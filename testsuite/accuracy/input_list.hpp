// SPDX-License-Identifier: Apache-2.0
// Many inputs of one model, which are read when they are asked for: data sets of all kinds, and arrays that hold many inputs.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testsuite/arrays/array_of_file.hpp"
#include "testsuite/sources/batches.hpp"

namespace tiebreak {

struct InputListOptions {
  /// Data sets and cases (as load_batches reads them, one input each), files of arrays that hold one input or many, folders of such files.
  std::vector<std::string> given{};
  std::optional<std::size_t> samples{};  ///< drawn, whatever lies beside the model; none: the data sets beside it, else `drawn_otherwise`
  std::size_t drawn_otherwise = 10;
  std::uint64_t seed = 0;
  std::optional<std::size_t> limit{};  ///< only the first so many
  Stop stop{};
};

/// The tensors of one input of the list, and what reports call it.
struct NamedInput {
  std::string name;  ///< pixels.npy[17]
  std::vector<Tensor> tensors;
};

class ArrayFiles;  // reads files of arrays and keeps the last ones

class InputList {
 public:
  /// What `given` holds for the program at `path`, in its order. A folder without data sets stands for its files of arrays, by name. An array belongs to the
  /// input of its name, else to the only input, else to the input at its place in its file or on the command line. All inputs of a program have as many
  /// tensors; one alone serves for all. Errc::usage where an input has none, or there is no input at all; Errc::type for a shape that does not fit.
  static Result<InputList> open(const Program& program, const std::string& path, const InputListOptions& options);

  std::size_t size() const { return entries_.size(); }
  /// From several threads at once. The same errors as load_batches, and those of files that were changed since.
  Result<NamedInput> load(std::size_t index) const;
  /// `data/`, `drawn, seed 0`: where they come from, for a report.
  const std::vector<std::string>& origins() const { return origins_; }

 private:
  friend class InputListMaker;
  /// A tensor of an array of a file.
  struct Row {
    std::size_t file = 0, array = 0, rows = 1, row = 0;
  };
  struct Entry {
    std::shared_ptr<const Batch> batch{};  ///< read, and small
    std::vector<Row> rows{};               ///< for each of the program's inputs
    std::optional<std::uint64_t> seed{};   ///< drawn when asked for
  };
  Program signature_{};  ///< the program's inputs alone: input i is value i
  Stop stop_{};
  std::string path_{};
  std::vector<Entry> entries_{};
  std::vector<std::string> origins_{};
  std::shared_ptr<ArrayFiles> files_{};
};

}  // namespace tiebreak
