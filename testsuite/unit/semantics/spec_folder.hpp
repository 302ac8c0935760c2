// SPDX-License-Identifier: Apache-2.0
// A spec folder written for one test, removed at its end.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "interpreter/semantics/library.hpp"

namespace tiebreak {

class SpecFolder {
 public:
  SpecFolder() {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    root_ = std::filesystem::temp_directory_path() / ("tiebreak-" + test + "-" + std::to_string(getpid()) + "-" + std::to_string(++count()));
    std::filesystem::create_directories(path() + "/systems");
  }
  ~SpecFolder() { std::filesystem::remove_all(root_); }
  SpecFolder(const SpecFolder&) = delete;
  SpecFolder& operator=(const SpecFolder&) = delete;

  std::string path() const { return (root_ / "spec").string(); }
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = std::filesystem::path(path()) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  /// A page of formulas alone; they begin in line 4.
  void page(const std::string& name, const std::string& formulas) const { write(name, "# " + name + "\n\n```semantics\n" + formulas + "```\n"); }

  Result<std::shared_ptr<const Library>> load() const { return Library::load(path()); }
  /// `what (where)` and the hint, or "" where it loads.
  std::string problem() const {
    const auto library = load();
    return library ? "" : to_text(library.error());
  }

 private:
  static int& count() {
    static int number = 0;
    return number;
  }
  std::filesystem::path root_{};
};

inline const char* const quantize_page =
    "use quant.fixed(tie = away)\n"
    "choice order: after = 1 | before = 2\n"
    "op onnx.QuantizeLinear(x: f32, s: f32[]) {axis = 1} -> y: i8\n"
    "structure elementwise(x)\n"
    "choice quotient: divide = x / s | single = f32(x / s)\n"
    "y = sat.y(fixed.tie(quotient * order))\n";
inline const char* const fixed_page = "choice tie(v): even = rne(v) | away = rna(v) | up = rhu(v)\n";

}  // namespace tiebreak
