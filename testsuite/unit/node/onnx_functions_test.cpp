// SPDX-License-Identifier: Apache-2.0
// Functions of ONNX models by somebody else: ONNX Runtime runs the file as it is, and gives what the program gives in which functions stand in the place of
// their calls. The numbers of these models are such that nothing is rounded, and so no profile matters.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/program/program.hpp"
#include "interpreter/semantics/library.hpp"
#include "tools/adapters/onnxruntime/find_library.hpp"
#include "tools/adapters/onnxruntime/ort_library.hpp"
#include "tools/adapters/onnxruntime/ort_tensor.hpp"

namespace tiebreak::ort {
namespace {

std::vector<std::byte> bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

Tensor four(const std::vector<double>& values) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse("f32"), {4}, {}});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), *tensor.element().encode(Real::from_double(values[i])));
  return tensor;
}

struct Model {
  std::string name;
  int graph_level = 99;
};

TEST(OnnxFunctionsInOnnxRuntime, GiveTheSame) {
  const auto path = find_library({});
  if (!path) GTEST_SKIP() << path.error().what;
  const auto library = Library::open(*path);
  ASSERT_TRUE(library) << to_text(library.error());
  const auto pages = tiebreak::Library::load(TIEBREAK_SOURCE_DIR "/spec");
  ASSERT_TRUE(pages);
  const Semantics semantics{**pages, **(*pages)->find_profile("onnx")};
  // Of the last the optimizer of 1.30.0 gives another result than without it (docs/bugs-found.md).
  const bool is_wrong = (*library)->version() == "1.30.0";
  for (const auto& [name, level] : std::vector<Model>{{"functions-attributes"}, {"functions-branches"}, {"functions-nested", is_wrong ? 0 : 99}}) {
    const std::vector<std::byte> model = bytes_of(TIEBREAK_SOURCE_DIR "/testsuite/fuzz/corpus/onnx/" + name);
    const auto program = read_onnx(model, name);
    ASSERT_TRUE(program) << to_text(program.error());
    const auto session = (*library)->load(model, SessionSettings{.graph_level = level});
    ASSERT_TRUE(session) << to_text(session.error());
    for (const auto& values : std::vector<std::vector<double>>{{1, -2, 3.5, 0.25}, {-8, 0.5, -1.75, 2}, {64, -64, 0, 12.5}, {0, 0, 0, 0}}) {
      const Tensor x = four(values);
      std::vector<RawTensor> inputs{*to_raw(x)};
      const auto theirs = (*session)->run(inputs);
      ASSERT_TRUE(theirs) << to_text(theirs.error());
      const auto ours = evaluate(semantics, *program, {x});
      ASSERT_TRUE(ours) << to_text(ours.error());
      const auto given = from_raw(theirs->at(0), name);
      ASSERT_TRUE(given);
      for (std::int64_t i = 0; i < x.size(); ++i) EXPECT_EQ(ours->at(0).tensor.value(i).to_double(), given->value(i).to_double()) << name << " " << i;
    }
  }
}

}  // namespace
}  // namespace tiebreak::ort
