// SPDX-License-Identifier: Apache-2.0
// Calibrators of ONNX Runtime and of NVIDIA's toolkit on tensors made from seeds: what histogram_calibrators.py, which is written with NumPy, found of them,
// or what $TIEBREAK_HISTOGRAM_CALIBRATORS names.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "testsuite/calibrate/provider.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

/// As histogram_calibrators.py makes them.
std::vector<std::vector<double>> grown_batches(std::uint32_t seed) {
  std::uint32_t state = seed * 2654435761U;
  const auto draw = [&] {
    state = state * 1664525U + 1013904223U;
    return static_cast<int>(state >> 19);
  };
  const int shift = draw() % 3;
  std::vector<std::vector<double>> batches(3);
  for (auto& batch : batches) {
    const int size = 50 + draw() % 500, factor = 1 + draw() % 7;
    for (int i = 0; i < size; ++i) {
      int sum = shift != 0 ? -24576 : 0;
      for (int term = 0; term < 6; ++term) sum += draw();
      batch.push_back(std::ldexp(sum * factor, -14));
    }
  }
  return batches;
}

nlohmann::json recorded_calibrators() {
  const char* given = std::getenv("TIEBREAK_HISTOGRAM_CALIBRATORS");
  std::ifstream file(given != nullptr ? given : TIEBREAK_SOURCE_DIR "/testsuite/unit/calibrate/histogram_calibrators.json");
  return nlohmann::json::parse(file);
}

TEST(HistogramCalibrators, RangesAreThoseOfNumPy) {
  const Semantics semantics{pages(), **pages().find_profile("reference")};
  std::size_t compared = 0;
  const nlohmann::json recorded = recorded_calibrators();
  for (const auto& calibrator : recorded["calibrators"]) {
    const std::string name = calibrator["provider"];
    const auto provider = find_provider(semantics, name, {});
    ASSERT_TRUE(provider.has_value()) << to_text(provider.error());
    const CodeFormat format{.storage = *ElementType::parse(calibrator["storage"].get<std::string>())};
    for (std::size_t i = 0; i < calibrator["ranges"].size(); ++i) {
      const Samples samples{"x", *ElementType::parse("f32"), grown_batches(static_cast<std::uint32_t>(i + 1))};
      const auto found = provider->ask(samples, format);
      ASSERT_TRUE(found.has_value()) << to_text(found.error());
      EXPECT_EQ(found->range->first, *Real::parse(calibrator["ranges"][i][0].get<std::string>())) << name << ", seed " << i + 1;
      EXPECT_EQ(found->range->second, *Real::parse(calibrator["ranges"][i][1].get<std::string>())) << name << ", seed " << i + 1;
      ++compared;
    }
  }
  EXPECT_GE(compared, 18U);  // two tensors of each calibrator, as calibrate/numpy asks
}

/// Settings that no search can use.
TEST(HistogramCalibrators, SettingsAreChecked) {
  const Semantics semantics{pages(), **pages().find_profile("reference")};
  const Samples samples{"x", *ElementType::parse("f32"), {{-1, 0.5}}};
  for (const char* word : {"onnxruntime_divergence:bins=64,codes=128", "onnxruntime_percentile:percentile=101", "onnxruntime_percentile:sides=3",
                           "tensorrt_divergence:bins=100", "tensorrt_squared_error:start=4096"}) {
    const auto provider = find_provider(semantics, word, {});
    ASSERT_TRUE(provider.has_value()) << to_text(provider.error());
    const auto found = provider->ask(samples, {.storage = *ElementType::parse("i8")});
    ASSERT_FALSE(found.has_value()) << word;
    EXPECT_EQ(found.error().code, Errc::usage) << word;
    EXPECT_NE(found.error().where.find("tensor x"), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace tiebreak
