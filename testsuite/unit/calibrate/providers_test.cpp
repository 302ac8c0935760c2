// SPDX-License-Identifier: Apache-2.0
// Providers by their words, programs of a user's that misbehave, histograms, and the axis of weights.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "testsuite/backends/temporary_folder.hpp"
#include "testsuite/calibrate/calibrate.hpp"
#include "testsuite/calibrate/divergence.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

Semantics reference() { return {pages(), **pages().find_profile("reference")}; }
Samples two_batches() { return {"x", *ElementType::parse("f32"), {{-1, 0.5, 0.25}, {-2.5, 2, 1}}}; }
const CodeFormat eight_bits{*ElementType::parse("i8"), false};

/// What a program with this body answers, or its error.
Result<Provided> answer_of(const std::string& body, double seconds = 20) {
  const auto folder = TemporaryFolder::create();
  const std::string path = folder->path() + "/provider";
  std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
  ::chmod(path.c_str(), 0755);
  return ask_program(path, two_batches(), eight_bits, {}, seconds);
}

std::string error_of(const std::string& body, double seconds = 20) {
  const auto answer = answer_of(body, seconds);
  if (answer) return "";
  EXPECT_EQ(answer.error().code, Errc::backend);
  EXPECT_NE(answer.error().where.find("tensor x"), std::string::npos);
  return answer.error().what;
}

TEST(ProviderProgram, ReadsSamplesAndAnswers) {
  const auto range = answer_of("grep -q '\"least\": \"-2.5\"' && echo '{\"low\": \"-2.5\", \"high\": 2}'");
  ASSERT_TRUE(range.has_value()) << to_text(range.error());
  EXPECT_EQ(range->range->first, Real::from_double(-2.5));
  const auto parameters = answer_of("echo '{\"scale\": \"0.1\", \"zero_point\": 3}'");
  ASSERT_TRUE(parameters.has_value()) << to_text(parameters.error());
  EXPECT_EQ(parameters->parameters->first, *Real::parse("0.1"));
}

TEST(ProviderProgram, EachFaultIsOneError) {
  EXPECT_EQ(error_of("echo broken >&2; exit 3"), "the provider exited with status 3: broken");
  EXPECT_EQ(error_of("kill -ABRT $$"), "the provider crashed with SIGABRT");
  EXPECT_EQ(error_of("sleep 30", 0.2), "the provider gave no answer after 0.2 s");
  EXPECT_EQ(error_of("echo hello"), "the answer is no JSON object: hello");
  EXPECT_EQ(error_of(":"), "the answer is no JSON object: nothing");
  EXPECT_EQ(error_of("echo '{\"low\": \"nan\", \"high\": 1}'"), "the answer's 'low' is no finite number: nan");
  EXPECT_EQ(error_of("echo '{\"low\": 2, \"high\": 1}'"), "low 2 is greater than high 1");
  EXPECT_EQ(error_of("echo '{\"scale\": 0, \"zero_point\": 1}'"), "the answer's scale is 0, expected a number above zero");
}

TEST(ProviderWord, NamesAPageWithAttributes) {
  const auto provider = find_provider(reference(), "percentile:share=0.5", {});
  ASSERT_TRUE(provider.has_value()) << to_text(provider.error());
  const auto range = provider->ask(two_batches(), eight_bits);  // magnitudes 0.25 0.5 1 1 2 2.5: number 3
  ASSERT_TRUE(range.has_value()) << to_text(range.error());
  EXPECT_EQ(range->range->second, Real(1));
  EXPECT_EQ(find_provider(reference(), "percentil", {}).error().hint, "did you mean 'percentile'?");
  EXPECT_EQ(find_provider(reference(), "percentile:shar=1", {}).error().hint, "did you mean 'share'?");
  EXPECT_FALSE(find_provider(reference(), "percentile:share", {}).has_value());
  EXPECT_FALSE(find_provider(reference(), "torch_histogram:bins=0", {}).has_value());
}

TEST(Samples, ValuesThatNoRangeCoversAreErrors) {
  Samples samples{"x", {}, {}};
  auto tensor = Tensor::zeros({*ElementType::parse("f32"), {2}, {}});
  tensor->set_code(1, 0x7FC00000);
  const auto status = add_batch(samples, *tensor, 4);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().what, "element 1 of x is nan: no range of codes covers it");
  EXPECT_EQ(status.error().where, "batch 4");
}

TEST(Samples, TheLastBinHasItsUpperEnd) {
  const Histogram histogram = histogram_between({"x", {}, {{0, 0.5, 1, 1.5, 2, 3}}}, 2, 0, 2);
  EXPECT_EQ(histogram.counts, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(histogram.edges, (std::vector<double>{0, 1, 2}));
}

/// Computed by numpy in f32 after TVM's source, for bins of width one about zero.
TEST(Divergence, ThresholdsOfTwoHistograms) {
  Histogram steep{{}, {}}, steps{{}, {}};
  for (int edge = 0; edge <= 41; ++edge) steep.edges.push_back(edge - 20.5), steps.edges.push_back(edge - 20.5);
  for (int bin = 0; bin < 41; ++bin) {
    steep.counts.push_back(static_cast<std::int64_t>(std::pow(3, std::max(0, 9 - std::abs(bin - 20)))));
    steps.counts.push_back(bin * 7919 % 13 * (bin > 12 && bin < 28 ? 10 : 1));
  }
  EXPECT_EQ(threshold_of_least_divergence(steep, 7), 7.5F);
  EXPECT_EQ(threshold_of_least_divergence(steep, 15), 8.5F);
  EXPECT_EQ(threshold_of_least_divergence(steps, 7), 7.5F);
  EXPECT_EQ(threshold_of_least_divergence(steps, 15), 18.5F);
}

/// The second operand of a product has a scale for each column; biases have none.
TEST(Calibrate, WeightsHaveAScaleForEachChannel) {
  const auto parsed = parse_mlir(R"(
    %w = stablehlo.constant dense<[[0.5, -4.0], [1.5, 0.125]]> : tensor<2x2xf32>
    %b = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
    %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    %y = stablehlo.add %d, %b : tensor<1x2xf32>)",
                                 "test.mlir");
  ASSERT_TRUE(parsed.has_value()) << to_text(parsed.error());
  auto x = Tensor::zeros({*ElementType::parse("f32"), {1, 2}, {}});
  x->set_code(0, 0x3F800000);
  const Semantics semantics{pages(), **pages().find_profile("pytorch-observer-symmetric")};
  CalibrateOptions options;
  options.parameters = &semantics.profile;
  options.activations = options.weights = eight_bits;
  options.per_axis = true;
  const auto found = calibrate(reference(), parsed->functions[0], {{{*x}, {""}}}, options);
  ASSERT_TRUE(found.has_value()) << to_text(found.error());
  std::vector<std::string> names;
  for (const CalibratedTensor& tensor : found->tensors) names.push_back(tensor.parameters.tensor);
  EXPECT_EQ(names, (std::vector<std::string>{"x", "w", "d", "b", "y"}));
  const QuantizedType& weights = found->tensors[1].parameters.type;
  ASSERT_EQ(weights.scales.size(), 2U);
  EXPECT_EQ(weights.dimensions[0].axis, 1);
  EXPECT_EQ(weights.scales[1].value, Real::from_double(static_cast<double>(8.0F / 255.0F)));
  EXPECT_TRUE(found->tensors[3].parameters.type.is_per_tensor());
}

/// x = 1 under codes of step 2 (power of two of 256 values): what follows sees 0 or 2, not 1.
TEST(Calibrate, ErrorsOfEarlierTensorsPropagate) {
  const auto parsed = parse_mlir("%y = stablehlo.add %x, %x : tensor<1xf32>", "test.mlir");
  auto x = Tensor::zeros({*ElementType::parse("f32"), {1}, {}});
  x->set_code(0, 0x40400000);  // 3
  CalibrateOptions options;
  options.provider = "global_scale:global_scale=256";
  options.parameters = &reference().profile;
  options.activations = options.weights = eight_bits;
  for (const bool propagate : {false, true}) {
    options.propagate = propagate;
    const auto found = calibrate(reference(), parsed->functions[0], {{{*x}, {""}}}, options);
    ASSERT_TRUE(found.has_value()) << to_text(found.error());
    EXPECT_EQ(found->tensors[1].batches[0].second, propagate ? 8 : 6);  // 3 / 2 is a tie, and to even
  }
}

}  // namespace
}  // namespace tiebreak
