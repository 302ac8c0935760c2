// SPDX-License-Identifier: Apache-2.0
// A spec folder made of a few lines, for tests of the evaluator that must not depend on the real pages.
#pragma once
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

using Pages = std::map<std::string, std::string>;  ///< path below spec/ without .md -> semantics text

class ToyLibrary {
 public:
  /// profiles: name -> JSON text.
  explicit ToyLibrary(const Pages& pages, const std::map<std::string, std::string>& profiles = {}) {
    static int number = 0;
    root_ = std::filesystem::path(testing::TempDir()) / ("toy_spec_" + std::to_string(::getpid()) + "_" + std::to_string(number++));
    for (const auto& [name, text] : pages) write(root_ / (name + ".md"), "# " + name + "\n\n```semantics\n" + text + "\n```\n");
    for (const auto& [name, text] : profiles) write(root_ / "systems" / "toy" / (name + ".json"), text);
    auto loaded = Library::load(root_.string());
    EXPECT_TRUE(loaded) << (loaded ? "" : to_text(loaded.error()));
    if (loaded) library = *loaded;
  }
  ~ToyLibrary() { std::filesystem::remove_all(root_); }
  ToyLibrary(const ToyLibrary&) = delete;
  ToyLibrary& operator=(const ToyLibrary&) = delete;

  std::shared_ptr<const Library> library;

 private:
  static void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  std::filesystem::path root_;
};

/// A tensor of exact values; they must be representable.
inline Tensor tensor_of(const std::string& type, Shape shape, const std::vector<std::string>& values) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), std::move(shape), {}});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), *tensor.element().encode(*Real::parse(values[i])));
  return tensor;
}

inline std::vector<std::string> texts_of(const ResultTensor& result) {
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < result.tensor.size(); ++i) {
    const bool undefined = !result.undefined.empty() && result.undefined[static_cast<std::size_t>(i)] != 0;
    texts.push_back(undefined ? "undefined" : result.tensor.value(i).to_string());
  }
  return texts;
}

}  // namespace tiebreak
