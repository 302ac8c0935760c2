// SPDX-License-Identifier: Apache-2.0
// Golden files through the command, and one changed value found in a file that is otherwise whole.
#include <algorithm>

#include "testsuite/exchange/exchange.hpp"
#include "testsuite/golden/golden_files.hpp"
#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

class CommandGolden : public CommandTest {
 protected:
  std::string built() {
    CommandOutcome outcome = run({"golden", "build", quantize_cases(), "-o", path("golden")});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return path("golden");
  }
  std::string file() const { return path("golden/onnx.QuantizeLinear.onnx.h5"); }
};

TEST_F(CommandGolden, BuildsTheSameBytesForAnyNumberOfJobs) {
  built();
  EXPECT_EQ(run({"golden", "build", quantize_cases(), "-o", path("again"), "-j", "4"}).code, 0);
  for (const char* name : {"onnx.QuantizeLinear.onnx.h5", "manifest.json"}) {
    EXPECT_FALSE(read(std::string("golden/") + name).empty());
    EXPECT_EQ(read(std::string("golden/") + name), read(std::string("again/") + name)) << name;
  }
  EXPECT_EQ(run({"golden", "build", quantize_cases(), "-o", path("golden"), "--check"}).code, 0);
  EXPECT_EQ(run({"golden", "build", quantize_cases(), "-o", path("golden"), "--check", "--profile", "onednn-x64"}).code, 1);
}

/// The cases of an installation, and pages: an op without a case has a file by an example.
TEST_F(CommandGolden, EveryOpWithAnExampleIsInAFile) {
  const auto library = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  ASSERT_TRUE(library) << to_text(library.error());
  const auto examples = examples_of_other_ops(**library, {});
  ASSERT_TRUE(examples) << to_text(examples.error());
  const auto manifest = read_manifest(TIEBREAK_SOURCE_DIR "/golden/manifest.json");
  ASSERT_TRUE(manifest) << to_text(manifest.error());
  std::set<std::string> filed;
  for (const ManifestEntry& entry : manifest->files)
    for (std::string_view rest = entry.op; !rest.empty(); rest.remove_prefix(std::min(rest.size(), rest.find('+') + 1 == 0 ? rest.size() : rest.find('+') + 1)))
      filed.insert(std::string(rest.substr(0, rest.find('+'))));
  for (const Case& example : *examples) EXPECT_TRUE(filed.contains(op_names(example.program)) || example.program.operations.size() > 1) << example.id;
  EXPECT_GT(examples->size(), 350U);
  const auto left = examples_of_other_ops(**library, *examples);
  EXPECT_TRUE(std::ranges::all_of(*left, [](const Case& test) { return test.program.operations.size() > 1; }));
}

TEST_F(CommandGolden, VerifiesByComputingAgain) {
  CommandOutcome outcome = run({"golden", "verify", built()});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("1 file, 2 cases: 2 recomputed, 0 differences"), std::string::npos) << outcome.out;
}

TEST_F(CommandGolden, OneChangedValueIsFoundAndNamed) {
  built();
  ExchangeFile content = *read_exchange(file());
  for (ExchangeCase& test : content.cases) {
    if (test.id == "onnx.QuantizeLinear/plain") test.outputs[0].tensor.set_code(1, 9);
  }
  ASSERT_TRUE(write_exchange(content, file()));
  CommandOutcome alone = run({"golden", "verify", file()});
  EXPECT_EQ(alone.code, 1);
  EXPECT_NE(alone.out.find("onnx.QuantizeLinear/plain: y[1]: 9 (0x09) and 1 (0x01)"), std::string::npos) << alone.out;
  CommandOutcome listed = run({"golden", "verify", path("golden"), "--no-recompute"});
  EXPECT_EQ(listed.code, 1) << "the manifest's checksum";
  EXPECT_NE(listed.out.find("checksum"), std::string::npos) << listed.out;
  CommandOutcome used = run({"check", file(), "--backend", "reference", "--profile", "onnx"});
  EXPECT_EQ(used.code, 2) << "a golden file that contradicts its profile judges nobody";
  EXPECT_NE(used.out.find("the golden file differs from what is computed now"), std::string::npos) << used.out;
}

TEST_F(CommandGolden, DamagedMissingAndUnlistedFiles) {
  std::string folder = built();
  std::string bytes = read("golden/onnx.QuantizeLinear.onnx.h5");
  write("golden/onnx.QuantizeLinear.onnx.h5", bytes.substr(0, bytes.size() / 2));
  CommandOutcome cut = run({"golden", "verify", folder});
  EXPECT_EQ(cut.code, 2) << cut.out;
  EXPECT_NE(cut.err.find("onnx.QuantizeLinear.onnx.h5"), std::string::npos) << cut.err;
  EXPECT_EQ(run({"check", file(), "--backend", "reference"}).code, 2);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
  write("golden/onnx.QuantizeLinear.onnx.h5", bytes);
  EXPECT_EQ(run({"golden", "verify", folder}).code, 2);
  std::filesystem::rename(file(), path("golden/other.h5"));
  CommandOutcome moved = run({"golden", "verify", folder, "--no-recompute"});
  EXPECT_EQ(moved.code, 1);
  EXPECT_NE(moved.out.find("in the manifest, but not in the folder"), std::string::npos) << moved.out;
  EXPECT_NE(moved.out.find("other.h5: not in the manifest"), std::string::npos) << moved.out;
  EXPECT_EQ(run({"golden", "verify", path("nowhere")}).code, 2);
}

TEST_F(CommandGolden, ReadsBackAsCases) {
  built();
  CommandOutcome outcome = run({"check", file(), "--backend", "faulty", "--profile", "onnx"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  CommandOutcome info = run({"golden", "info", path("golden")});
  EXPECT_EQ(info.code, 0);
  EXPECT_NE(info.out.find("out  y: tensor<300xi8>"), std::string::npos) << info.out;
}

TEST_F(CommandGolden, DiffNamesWhatDiffers) {
  built();
  EXPECT_EQ(run({"golden", "build", quantize_cases(), "-o", path("other"), "--profile", "onednn-x64"}).code, 0);
  CommandOutcome outcome = run({"golden", "diff", file(), path("other/onnx.QuantizeLinear.onednn-x64.h5")});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("onnx.QuantizeLinear/ties: y["), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("2 cases compared"), std::string::npos) << outcome.out;
  EXPECT_EQ(run({"golden", "diff", file(), file()}).code, 0);
}

TEST_F(CommandGolden, DiffTakesFolders) {
  built();
  EXPECT_EQ(run({"golden", "build", quantize_cases(), "-o", path("other"), "--profile", "onnx", "--profile", "onednn-x64"}).code, 0);
  CommandOutcome one_more = run({"golden", "diff", path("golden"), path("other")});
  EXPECT_EQ(one_more.code, 1);
  EXPECT_NE(one_more.out.find("onnx.QuantizeLinear.onednn-x64.h5: only in the second"), std::string::npos) << one_more.out;
  EXPECT_NE(one_more.out.find("2 cases compared, 1 difference"), std::string::npos) << one_more.out;
  EXPECT_EQ(run({"golden", "diff", path("golden"), path("golden")}).code, 0);
  CommandOutcome mixed = run({"golden", "diff", path("golden"), file()});
  EXPECT_EQ(mixed.code, 2);
  EXPECT_NE(mixed.err.find("a folder and a file cannot be compared"), std::string::npos) << mixed.err;
}

/// A copy of the tree's pages, which a test changes.
class GoldenOfOtherPages : public CommandGolden {
 protected:
  void SetUp() override {
    CommandGolden::SetUp();
    std::filesystem::copy(TIEBREAK_SOURCE_DIR "/spec", path("spec"), std::filesystem::copy_options::recursive);
    environment = {"TIEBREAK_SPEC=" + path("spec")};
    built();
  }
  /// 0: equal byte for byte, 1: some file has moved.
  int moved() {
    const CommandOutcome outcome = run({"golden", "build", quantize_cases(), "-o", path("golden"), "--check"});
    EXPECT_EQ(outcome.err, "");
    return outcome.code;
  }
  void change(const std::string& page, const std::string& from, const std::string& to) {
    std::string text = read("spec/" + page);
    const std::size_t place = text.find(from, text.find("```semantics"));
    ASSERT_NE(place, std::string::npos) << page;
    write("spec/" + page, text.replace(place, from.size(), to));
  }
};

TEST_F(GoldenOfOtherPages, NewPagesProfilesAndAlternativesMoveNothing) {
  write("spec/onnx/Unheard.md", "# onnx.Unheard\n\n```semantics\nop onnx.Unheard(x: f32) -> y: f32\nstructure elementwise(x)\ny = f32(x)\n```\n");
  EXPECT_EQ(moved(), 0);
  std::filesystem::create_directories(path("spec/systems/unheard"));
  write("spec/systems/unheard/quantize.md", "# Unheard\n\n```semantics\nalternative onnx.QuantizeLinear/tie: unheard = floor(v)\n```\n");
  EXPECT_EQ(moved(), 0);
  write("spec/systems/unheard/unheard.json", R"({"name": "unheard", "choices": {"onnx.QuantizeLinear/tie": "unheard"}})");
  EXPECT_EQ(moved(), 0);
  EXPECT_EQ(run({"golden", "build", quantize_cases(), "-o", path("golden"), "--check", "--profile", "unheard"}).code, 1) << "it is taken there";
}

TEST_F(GoldenOfOtherPages, AFormulaOfTheOpMovesItsFile) {
  const std::string before = read("golden/manifest.json");
  change("onnx/QuantizeLinear.md", "rne(", "rna(");
  EXPECT_EQ(moved(), 1);
  built();
  EXPECT_NE(read("golden/manifest.json"), before);
  EXPECT_EQ(before.find("profile_hash"), std::string::npos);
}

TEST_F(CommandGolden, ReadsManifestsOfTheVersionBefore) {
  built();
  std::string text = read("golden/manifest.json");
  for (auto [from, to] : {std::pair<std::string, std::string>{"tiebreak.golden/2\",", "tiebreak.golden/1\", \"spec_hash\": \"0123456789abcdef\","},
                          {"\"spec_hash\": \"", "\"profile_hash\": \""}}) {
    ASSERT_NE(text.rfind(from), std::string::npos);
    text.replace(text.rfind(from), from.size(), to);
  }
  write("golden/manifest.json", text);
  EXPECT_EQ(run({"golden", "verify", path("golden")}).code, 0);
}

}  // namespace
}  // namespace tiebreak
