// SPDX-License-Identifier: Apache-2.0
#include "testsuite/accuracy/input_list.hpp"

#include <algorithm>
#include <filesystem>

#include "testsuite/accuracy/array_files.hpp"
#include "testsuite/arrays/array_rows.hpp"
#include "testsuite/case/value_name.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

constexpr std::size_t kept_beside_inputs = 2;

bool has_sets(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder / "input_0.pb", error)) return true;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (fs::exists(entry.path() / "input_0.pb", error)) return true;
  return false;
}

/// By name, in the order of bytes.
std::vector<std::string> array_files_in(const fs::path& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.is_regular_file(error) && is_array_file(entry.path().string())) paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  return paths;
}

/// The files of a batch, each once.
std::string joined_origins(const std::vector<std::string>& origins) {
  std::vector<std::string> once;
  std::string text;
  for (const std::string& origin : origins) {
    if (std::ranges::find(once, origin) != once.end()) continue;
    once.push_back(origin);
    text += (text.empty() ? "" : ", ") + origin;
  }
  return text;
}

/// A program that takes the inputs and computes nothing: enough to draw them.
Program signature_of(const Program& program) {
  Program signature;
  signature.name = program.name;
  signature.file = program.file;
  for (const ValueId id : program.inputs) {
    const ProgramValue& input = program.values[static_cast<std::size_t>(id)];
    signature.inputs.push_back(static_cast<ValueId>(signature.values.size()));
    signature.values.push_back({input.name, input.type, {}, {}});
  }
  return signature;
}

}  // namespace

class InputListMaker {
 public:
  InputListMaker(const Program& program, const std::string& path, const InputListOptions& options) : options_(options) {
    list_.signature_ = signature_of(program);
    list_.path_ = path;
    list_.stop_ = options.stop;
    columns_.resize(list_.signature_.values.size());
    list_.files_ = std::make_shared<ArrayFiles>(columns_.size() + kept_beside_inputs);
  }

  Result<InputList> make() {
    if (options_.given.empty()) TIEBREAK_CHECK(add_without_data());
    for (const std::string& word : options_.given) {
      if (enough()) break;
      TIEBREAK_CHECK(add_word(word));
    }
    TIEBREAK_CHECK(close_columns());
    if (options_.limit && list_.entries_.size() > *options_.limit) list_.entries_.resize(*options_.limit);
    if (list_.entries_.empty()) return fail(Errc::usage, "there is no input", options_.given.empty() ? list_.path_ : options_.given.front());
    return std::move(list_);
  }

 private:
  Status add_without_data() {
    if (!options_.samples && !data_sets_beside(list_.path_).empty()) {
      list_.origins_.push_back("the data sets beside the model");
      return add_batches({});
    }
    list_.origins_.push_back("drawn, seed " + std::to_string(options_.seed));
    const std::size_t count = std::min(options_.samples.value_or(options_.drawn_otherwise), options_.limit.value_or(static_cast<std::size_t>(-1)));
    for (std::size_t i = 0; i < count; ++i) list_.entries_.push_back({.seed = options_.seed + between_batches * i});
    return {};
  }

  /// Data sets and cases; of nothing those beside the model. What stands before them comes before them.
  Status add_batches(std::vector<std::string> given) {
    TIEBREAK_CHECK(close_columns());
    TIEBREAK_TRY(batches, load_batches(list_.signature_, list_.path_,
                                       {.given = std::move(given), .seed = options_.seed, .shapes_can_be_given = true, .stop = options_.stop}));
    for (Batch& batch : batches) list_.entries_.push_back({.batch = std::make_shared<const Batch>(std::move(batch))});
    return {};
  }

  Status add_word(const std::string& word) {
    std::error_code error;
    if (!fs::exists(word, error)) return fail(Errc::io, "no such file or folder", word);
    list_.origins_.push_back(word);
    const bool is_folder = fs::is_directory(word, error);
    if (is_folder ? has_sets(word) : word.ends_with(".h5")) return add_batches({word});
    if (!is_folder) return add_file(word, single_files_++);
    const std::vector<std::string> files = array_files_in(word);
    if (files.empty())
      return fail(Errc::usage, "no input in this folder", word, ".npy .npz .pb .h5 .raw .bin files, and folders with input_0.pb, input_1.pb ... are read");
    for (const std::string& file : files) {
      if (enough()) break;
      if (file.ends_with(".h5")) TIEBREAK_CHECK(add_batches({file}));
      else TIEBREAK_CHECK(add_file(file, std::nullopt));
    }
    return {};
  }

  /// `place`: of a file that is named by itself, among those.
  Status add_file(const std::string& path, std::optional<std::size_t> place) {
    TIEBREAK_CHECK(options_.stop.check());
    const std::size_t file = list_.files_->add(path);
    TIEBREAK_TRY(arrays, list_.files_->read(file));
    for (std::size_t a = 0; a < arrays->size(); ++a) {
      const ArrayOfFile& array = (*arrays)[a];
      const auto input = input_of(array, arrays->size() > 1 ? std::optional(a) : place);
      if (!input) return fail(Errc::usage, "no input of the model is called '" + array.name + "'", array.origin, inputs_text());
      const std::optional<TensorType>& type = list_.signature_.values[*input].type;
      TIEBREAK_TRY(rows, type ? row_count(array, *type) : Result<std::size_t>(1));
      for (std::size_t row = 0; row < rows; ++row) columns_[*input].push_back({file, a, rows, row});
    }
    return {};
  }

  /// The input of the array's name, else the only one, else the one at the place. nullopt: none.
  std::optional<std::size_t> input_of(const ArrayOfFile& array, std::optional<std::size_t> place) const {
    const Program& signature = list_.signature_;
    for (std::size_t i = 0; i < signature.inputs.size(); ++i)
      if (bare_name(array.name) == bare_name(signature, signature.inputs[i])) return i;
    if (signature.inputs.size() == 1) return 0;
    return place && *place < signature.inputs.size() ? place : std::nullopt;
  }

  std::string inputs_text() const {
    std::string text;
    for (const ProgramValue& input : list_.signature_.values) text += (text.empty() ? "" : ", ") + bare_name(input.name);
    return "its inputs are " + (text.empty() ? "none" : text) + "; a file is called like one, or is a .npz of all of them";
  }

  bool enough() const {
    if (!options_.limit) return false;
    std::size_t least = static_cast<std::size_t>(-1);
    for (const auto& column : columns_) least = std::min(least, column.size());
    return list_.entries_.size() + (columns_.empty() ? 0 : least) >= *options_.limit;
  }

  /// The arrays so far are inputs: the first tensor of each column, then the second ...
  Status close_columns() {
    std::size_t count = 0;
    for (const auto& column : columns_) count = std::max(count, column.size());
    if (count == 0) return {};
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::size_t own = columns_[i].size();
      const std::string where = list_.path_ + ": input '" + bare_name(list_.signature_.values[i].name) + "'";
      if (own == 0) return fail(Errc::usage, "no file has this input, of others there are " + std::to_string(count), where, inputs_text());
      if (own != 1 && own != count && !enough())
        return fail(Errc::usage, std::to_string(own) + " tensors for this input, of another there are " + std::to_string(count), where,
                    "as many of each, or one that serves for all");
      if (own != 1) count = std::min(count, own);  // with a limit not all files were read
    }
    for (std::size_t n = 0; n < count; ++n) {
      InputList::Entry entry;
      for (const auto& column : columns_) entry.rows.push_back(column[column.size() == 1 ? 0 : n]);
      list_.entries_.push_back(std::move(entry));
    }
    for (auto& column : columns_) column.clear();
    return {};
  }

  const InputListOptions& options_;
  InputList list_{};
  std::vector<std::vector<InputList::Row>> columns_{};  ///< tensors of each input, of files of arrays
  std::size_t single_files_ = 0;
};

Result<InputList> InputList::open(const Program& program, const std::string& path, const InputListOptions& options) {
  return InputListMaker(program, path, options).make();
}

Result<NamedInput> InputList::load(std::size_t index) const {
  const Entry& entry = entries_[index];
  if (entry.batch) return NamedInput{joined_origins(entry.batch->origins), entry.batch->inputs};
  if (entry.seed) {
    TIEBREAK_TRY(batch, draw_batch(signature_, path_, *entry.seed, stop_));
    return NamedInput{"drawn, seed " + std::to_string(*entry.seed), std::move(batch.inputs)};
  }
  NamedInput input;
  std::vector<std::string> origins;
  for (std::size_t i = 0; i < entry.rows.size(); ++i) {
    const Row& row = entry.rows[i];
    TIEBREAK_TRY(arrays, files_->read(row.file));
    if (row.array >= arrays->size()) return fail(Errc::corrupt, "the file was changed while it was read", files_->path(row.file));
    const ArrayOfFile& array = (*arrays)[row.array];
    const std::optional<TensorType>& type = signature_.values[i].type;
    TIEBREAK_TRY(rows, type ? row_count(array, *type) : Result<std::size_t>(1));
    if (rows != row.rows) return fail(Errc::corrupt, "the file was changed while it was read", files_->path(row.file));
    TIEBREAK_TRY(tensor, type ? row_of(array, *type, row.rows, row.row) : tensor_of(array));
    origins.push_back(array.origin + (row.rows == 1 ? "" : "[" + std::to_string(row.row) + "]"));
    input.tensors.push_back(std::move(tensor));
  }
  input.name = joined_origins(origins);
  return input;
}

}  // namespace tiebreak
