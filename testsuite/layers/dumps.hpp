// SPDX-License-Identifier: Apache-2.0
// Tensors that a device wrote while it ran a model (docs/dumps.md): which array of which file is which value of the program.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/program/program.hpp"
#include "testsuite/arrays/array_of_file.hpp"

namespace tiebreak {

class Dumps {
 public:
  /// `path`: a folder, of which every array file is read, those in folders of it too, or one such file. `map`: a file tiebreak.dumps/1 that says which file is
  /// which tensor, "" for none. Errc::io, Errc::corrupt, Errc::usage with the file; a folder without arrays is an error.
  static Result<Dumps> load(const std::string& path, const std::string& map);

  /// Gives each value of the program the array of its name: the name as it stands, else with everything but letters, digits, `.`, `_` and `-` as `_` and
  /// without these in front, as names of files have to be. Errc::usage: an array that is two values', two arrays for one, a name of the map that is no value's,
  /// no value found at all.
  Status match(const Program& program);

  bool has(ValueId id) const { return found_.contains(id); }
  const std::string& origin(ValueId id) const { return arrays_[found_.at(id)].origin; }
  /// The array of a value that has one, as a tensor of this type; of no type: as the file states it.
  Result<Tensor> tensor(ValueId id, const std::optional<TensorType>& type) const;
  /// Arrays that are no value's, by their names, sorted.
  std::vector<std::string> unused() const;

 private:
  struct MapEntry {
    std::string where;
    std::string array{};  ///< of a file with several
    std::optional<TensorType> type{};
    std::vector<std::int64_t> transpose{};
    std::string file{};
  };
  static Result<std::map<std::string, MapEntry>> read_map(const std::string& path);
  Status take_mapped(const Program& program);
  Status read_entry(const std::string& name, const MapEntry& entry);

  std::string path_{};
  std::vector<ArrayOfFile> arrays_{};
  std::map<std::string, MapEntry> map_{};
  std::map<std::string, std::size_t> mapped_{};  ///< tensor -> array
  std::map<ValueId, std::size_t> found_{};
};

}  // namespace tiebreak
