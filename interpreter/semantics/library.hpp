// SPDX-License-Identifier: Apache-2.0
// The spec folder in memory: pages, their modules and examples, and the profiles. Nothing here computes.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/exact/real.hpp"
#include "interpreter/notation/syntax.hpp"
#include "interpreter/stop.hpp"

namespace tiebreak {

/// An `mlir` block of a page: executed by `spec verify`.
struct Example {
  std::string text;  ///< without the fence
  int line = 0;      ///< of its first line in the page
};

/// A list of numbers beside a page: `data "file.json"`.
struct DataFile {
  std::string digest;                                 ///< SHA-256 of the file
  std::shared_ptr<const std::vector<Real>> values{};  ///< as written, exactly
};

struct Page {
  std::string name;      ///< onnx.QuantizeLinear
  std::string file;      ///< spec/onnx/QuantizeLinear.md
  std::string title;     ///< first heading
  std::string markdown;  ///< whole text
  notation::Module module;
  std::vector<Example> examples;
  std::map<std::string, DataFile> tables{};  ///< each data file that a formula names, by that name
};

/// Condition of a conditional profile entry, in notation over facts.
struct ProfileValue {
  std::string alternative;         ///< when unconditional
  std::vector<std::string> any{};  ///< {"any": [...]}: left open; {"any": "*"} is {"*"}
  notation::ExprPtr condition{};   ///< {"if": ..., "then": ..., "else": ...}
  std::string then{}, otherwise{};
};

/// One system's semantics: a value for each choice key `page.module/choice`, `op/choice` or `op/alias.choice`.
struct Profile {
  std::string name;
  std::string extends;  ///< "" or "reference" at the end of the chain
  std::string file;
  std::string system, versions, title;
  std::vector<std::string> isa, sources;
  std::map<std::string, ProfileValue> choices;  ///< own and inherited, own replacing inherited keys
  std::string hash;                             ///< of the canonical content, chain included
  bool is_text = false;                         ///< of a text itself: what it does not bind, the pages' own readings say. Not inherited
};

class Library {
 public:
  /// Loads `directory`/**.md and systems/**.json, checks every module. All findings are reported in one error (first place in `where`). Whatever is
  /// evaluated with this library ends with an error as soon as `stop` is requested.
  static Result<std::shared_ptr<const Library>> load(const std::string& directory, Stop stop = {});
  /// The same of several folders. A file of a further folder with a fault is left out, and with it what needs it: left_out().
  static Result<std::shared_ptr<const Library>> load(const std::vector<std::string>& directories, Stop stop = {});
  /// The folders of $TIEBREAK_SPEC, or the one beside the executable's source or install tree, which an empty element stands for, too. That one is
  /// the first.
  static std::vector<std::string> default_directories();
  static std::string default_directory() { return default_directories().front(); }

  const std::map<std::string, Page>& pages() const { return pages_; }
  const std::map<std::string, Profile>& profiles() const { return profiles_; }
  const notation::Module* find_module(const std::string& name) const;
  /// The op by its path (onnx.QuantizeLinear) and the page that has it.
  struct OpPlace {
    const Page* page;
    const notation::Op* op;
  };
  const std::map<std::string, OpPlace>& ops() const { return ops_; }
  std::optional<OpPlace> op_place(const std::string& path) const;  ///< nothing where no page has it
  Result<OpPlace> find_op(const std::string& path) const;          ///< the same as an error with the nearest name, which takes long to find
  /// `reference` exists always. A name with a slash, or one that ends in .json, is a file; once read, its profile is found by name, too.
  Result<const Profile*> find_profile(const std::string& name) const;
  std::vector<std::string> op_paths() const;
  const std::string& hash() const { return hash_; }  ///< of all pages, 16 hex digits
  const Stop& stop() const { return stop_; }
  const std::vector<Error>& left_out() const { return left_out_; }  ///< a fault for each file of a further folder that was not loaded
  /// The same library with another module in place of the one of that name; the module must be checked. Profiles of this library
  /// hold for it, too. Without a page of that name it is a copy.
  std::shared_ptr<const Library> with_module(notation::Module module) const;

 private:
  friend class LibraryLoader;
  Result<const Profile*> profile_of_file(const std::string& path) const;

  std::map<std::string, Page> pages_;
  std::map<std::string, Profile> profiles_;
  std::map<std::string, OpPlace> ops_;
  std::string hash_;
  Stop stop_{};
  std::optional<std::set<std::string>> sources_{};  ///< ids; nullopt where no folder has sources.json
  std::vector<Error> left_out_{};
  std::map<std::string, std::string> profile_paths_{};  ///< of loaded files, by the profile's name
  mutable std::mutex files_guard_{};
  mutable std::map<std::string, Profile> profiles_of_files_{};  ///< by path
};

/// What ops compute: the pages, and the alternatives that one profile of theirs takes. Refers to both.
struct Semantics {
  const Library& library;
  const Profile& profile;
};

}  // namespace tiebreak
