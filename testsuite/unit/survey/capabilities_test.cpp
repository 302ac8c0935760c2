// SPDX-License-Identifier: Apache-2.0
// What a backend takes is what it answers, whatever it says of itself.
#include "testsuite/survey/capabilities.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "testsuite/unit/helpers/planted_backend.hpp"

namespace tiebreak {
namespace {

/// Crashes, hangs: no answer to anything.
class SilentBackend : public PlantedBackend {
 public:
  using PlantedBackend::PlantedBackend;
  std::vector<BackendAnswer> run(const std::vector<ExchangeCase>&) override { return {}; }
};

bool has_input_of(const ExchangeCase& asked, const std::string& type) {
  return std::ranges::any_of(asked.inputs, [&](const ExchangeTensor& input) { return input.tensor.element().name() == type; });
}

class CapabilitiesTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    Result<std::shared_ptr<const Library>> loaded = Library::load(TIEBREAK_SOURCE_DIR "/spec");
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    library = *loaded;
  }
  template <class Planted = PlantedBackend>
  static SurveyedBackend planted(const std::vector<std::string>& ops, const std::function<bool(const ExchangeCase&)>& refuses = {}) {
    auto backend = std::make_unique<Planted>(*library, **library->find_profile("onnx"));
    backend->declared = "onnx";
    backend->ops = ops;
    backend->refuses = refuses;
    SurveyedBackend one;
    one.name = "planted";
    one.description = *backend->describe();
    one.backend = std::move(backend);
    return one;
  }
  static Capabilities found(SurveyedBackend one, const CapabilityOptions& options = {}) {
    std::vector<SurveyedBackend> backends;
    backends.push_back(std::move(one));
    Result<Capabilities> answer = capabilities(*library, std::move(backends), options);
    EXPECT_TRUE(answer) << to_text(answer.error());
    return answer ? *std::move(answer) : Capabilities{};
  }
  static CapabilityOptions of_ids(const std::string& glob) {
    CapabilityOptions options;
    options.selection.globs = {glob};
    return options;
  }
  static std::set<std::string> types_of(const OpCapability& op) {
    std::set<std::string> types;
    for (const FormCapability& one : op.forms) types.insert(one.form.types);
    return types;
  }
  static inline std::shared_ptr<const Library> library;
};

TEST_F(CapabilitiesTest, CasesAreGroupedByForm) {
  const Capabilities answer = found(planted({"onnx.MatMulInteger"}));
  ASSERT_EQ(answer.backends[0].ops.size(), 1u);
  const OpCapability& op = answer.backends[0].ops[0];
  EXPECT_EQ(op.op, "onnx.MatMulInteger");
  EXPECT_EQ(types_of(op), (std::set<std::string>{"A=i8 B=i8 -> i32", "A=i8 B=u8 -> i32", "A=u8 B=i8 -> i32", "A=u8 B=u8 -> i32"}));
  std::set<CaseForm> forms;
  for (const FormCapability& one : op.forms) {
    EXPECT_TRUE(forms.insert(one.form).second) << one.form.types << ": a form stands once";
    EXPECT_GT(one.taken, 0u);
    EXPECT_EQ(one.refused + one.silent, 0u);
  }
  EXPECT_TRUE(std::ranges::any_of(op.forms, [](const FormCapability& one) { return one.form.granularity == Granularity::per_axis; }));
  EXPECT_TRUE(std::ranges::any_of(op.forms, [](const FormCapability& one) { return one.form.granularity == Granularity::none; }));
  EXPECT_EQ(answer.exit_code(), 0);
}

TEST_F(CapabilitiesTest, ARefusedTypeSaysSoAndTheOthersDoNot) {
  const Capabilities answer =
      found(planted({"onnx.QuantizeLinear"}, [](const ExchangeCase& asked) { return has_input_of(asked, "u8"); }), of_ids("onnx.QuantizeLinear/*"));
  std::size_t refused = 0;
  for (const FormCapability& one : answer.backends[0].ops.at(0).forms) {
    const bool is_u8 = one.form.types.find("-> u8") != std::string::npos;
    EXPECT_TRUE(is_u8 || one.refused == 0) << one.form.types;
    EXPECT_EQ(one.refusal, one.refused > 0 ? "refused" : "") << one.form.types;
    refused += one.refused;
  }
  EXPECT_GT(refused, 0u);
  EXPECT_EQ(answer.exit_code(), 0) << "of the op something is taken";
  EXPECT_NE(capabilities_text(answer).find("refused"), std::string::npos);
}

TEST_F(CapabilitiesTest, ACellHasTheRanksThatAreTaken) {
  const auto refuses = [](const ExchangeCase& asked) { return asked.inputs.at(0).tensor.shape().size() == 3 || has_input_of(asked, "f16"); };
  const Capabilities answer = found(planted({"onnx.QuantizeLinear"}, refuses));
  const std::string text = capabilities_text(answer);
  const auto line = [&](const std::string& start) {
    const std::size_t at = text.find("    " + start);
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_NE(line("x=f32 -> i16 ").find(", not 3"), std::string::npos) << text;
  EXPECT_NE(line("x=f16 -> i8, scale f16 ").find(" no "), std::string::npos) << text;
  EXPECT_EQ(line("x=f16 -> i8, scale f16 ").find("not"), std::string::npos) << text;
  const std::string page = capabilities_markdown(answer);
  EXPECT_NE(page.find("<code>refused</code>"), std::string::npos) << page;
  EXPECT_EQ(page, capabilities_markdown(found(planted({"onnx.QuantizeLinear"}, refuses)))) << "the same answers, the same bytes";
  EXPECT_NE(capabilities_json(answer).find("\"tiebreak.capabilities/1\""), std::string::npos);
}

/// Bounded; but where the first of a form are refused, others are asked before it counts as refused.
TEST_F(CapabilitiesTest, ARefusedCaseIsNotYetARefusedForm) {
  std::map<std::string, std::size_t> asked;
  const auto answer_of = [&](std::size_t refused) {
    asked.clear();
    CapabilityOptions options = of_ids("onnx.QuantizeLinear/*");
    options.most = 1;
    return found(
        planted({"onnx.QuantizeLinear"},
                [&, refused](const ExchangeCase& one) { return asked[one.inputs.at(0).tensor.element().name()]++ < refused && has_input_of(one, "f16"); }),
        options);
  };
  const Capabilities none = answer_of(1000000);
  const std::size_t all = asked["f16"];
  const Capabilities every = answer_of(0);
  EXPECT_GT(all, asked["f16"]);
  EXPECT_LE(all, 5 * asked["f16"]) << "four further ones of each at most";
  const auto taken = [](const Capabilities& answer) {
    std::size_t count = 0;
    for (const FormCapability& one : answer.backends[0].ops.at(0).forms) count += one.form.types.starts_with("x=f16") && one.taken > 0 ? 1 : 0;
    return count;
  };
  EXPECT_EQ(taken(none), 0u);
  EXPECT_GT(taken(answer_of(asked["f16"])), 0u) << "the first of every form are refused, what follows is not";
}

TEST_F(CapabilitiesTest, AWrongAnswerIsAnAnswer) {
  SurveyedBackend wrong = planted({"onnx.QuantizeLinear"});
  static_cast<PlantedBackend&>(*wrong.backend).disturb = [](const ExchangeCase&, Tensor& tensor) {
    for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, 1);
  };
  const Capabilities answer = found(std::move(wrong));
  for (const FormCapability& one : answer.backends[0].ops.at(0).forms) EXPECT_EQ(one.refused + one.silent, 0u) << one.form.types;
  EXPECT_EQ(answer.exit_code(), 0);
}

TEST_F(CapabilitiesTest, NoAnswerIsNoRefusal) {
  const Capabilities answer = found(planted<SilentBackend>({"onnx.QuantizeLinear"}));
  ASSERT_FALSE(answer.backends[0].ops.empty());
  for (const FormCapability& one : answer.backends[0].ops[0].forms) {
    EXPECT_EQ(one.taken + one.refused, 0u) << one.form.types;
    EXPECT_GT(one.silent, 0u);
  }
  EXPECT_NE(capabilities_text(answer).find("no answer: the backend gave no answer"), std::string::npos) << capabilities_text(answer);
  EXPECT_EQ(answer.exit_code(), 5);
}

/// A glob promises none of its ops; a name does.
TEST_F(CapabilitiesTest, AnOpOfWhichNothingIsTaken) {
  const auto refuses = [](const ExchangeCase& asked) { return asked.op == "onnx.MatMulInteger"; };
  const Capabilities by_glob = found(planted({"onnx.*"}, refuses), of_ids("onnx.*Integer/*"));
  EXPECT_EQ(by_glob.exit_code(), 0);
  ASSERT_EQ(by_glob.backends[0].ops.size(), 2u) << "ConvInteger and MatMulInteger";
  EXPECT_NE(capabilities_text(by_glob).find("onnx.MatMulInteger  nothing: refused"), std::string::npos) << capabilities_text(by_glob);
  EXPECT_NE(capabilities_markdown(by_glob).find("Of these ops nothing is taken"), std::string::npos);
  const Capabilities by_name = found(planted({"onnx.MatMulInteger"}, refuses));
  EXPECT_EQ(by_name.exit_code(), 5);
  EXPECT_EQ(capabilities_text(by_name).find("nothing:"), std::string::npos);
}

TEST_F(CapabilitiesTest, WhatIsSelectedIsAskedAndNothingElse) {
  EXPECT_TRUE(found(planted({"onnx.QuantizeLinear"}), of_ids("onnx.MatMulInteger/*")).is_empty()) << "not listed";
  const Capabilities one = found(planted({"onnx.QuantizeLinear", "onnx.MatMulInteger"}), of_ids("onnx.Mat*"));
  ASSERT_EQ(one.backends[0].ops.size(), 1u);
  EXPECT_EQ(one.backends[0].ops[0].op, "onnx.MatMulInteger");
  EXPECT_TRUE(one.backends[0].without_cases.empty()) << "of a selection nothing is missing";
}

TEST_F(CapabilitiesTest, OpsWithoutPlainCasesTakeDeepOnesAndTheOthersAreNamed) {
  const Capabilities answer = found(planted({"quant.add", "onnx.NoSuchOp"}));
  ASSERT_EQ(answer.backends[0].ops.size(), 1u);
  EXPECT_EQ(answer.backends[0].ops[0].op, "quant.add");
  EXPECT_EQ(answer.backends[0].without_cases, std::vector<std::string>{"onnx.NoSuchOp"});
}

TEST_F(CapabilitiesTest, ABackendThatCannotBeAskedSaysSo) {
  SurveyedBackend absent;
  absent.name = "absent";
  absent.trouble = "its library is not installed";
  const Capabilities answer = found(std::move(absent));
  EXPECT_NE(capabilities_text(answer).find("absent  not asked: its library"), std::string::npos);
  EXPECT_FALSE(answer.is_empty());
  EXPECT_EQ(answer.exit_code(), 5);
}

}  // namespace
}  // namespace tiebreak
