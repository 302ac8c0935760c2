// SPDX-License-Identifier: Apache-2.0
// PyTorch's observers on tensors made from seeds: what torch_observers.py recorded of them, or what $TIEBREAK_TORCH_OBSERVERS names.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "testsuite/calibrate/calibrate.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t channels = 3, batches = 4;

/// As torch_observers.py makes them.
class SeededValues {
 public:
  explicit SeededValues(std::uint32_t seed) : state_(seed * 2654435761U) {}
  std::vector<std::vector<double>> all() {
    const std::uint32_t size = 1 + draw() % 40;
    const double scale = std::ldexp(1.0, static_cast<int>(draw() % 40) - 56);
    const std::uint32_t shift = draw() % 3;
    std::vector<std::vector<double>> made(batches);
    for (auto& batch : made)
      for (std::size_t i = 0; i < channels * size; ++i) {
        const double number = static_cast<double>(draw()) - (shift == 0 ? 8388608.0 : shift == 1 ? 0.0 : 16777216.0);
        batch.push_back(number * scale / (draw() % 5 == 0 ? 1 : 16));
      }
    return made;
  }

 private:
  std::uint32_t draw() {
    state_ = state_ * 1664525U + 1013904223U;
    return state_ >> 8;
  }
  std::uint32_t state_;
};

nlohmann::json observers() {
  const char* given = std::getenv("TIEBREAK_TORCH_OBSERVERS");
  std::ifstream file(given != nullptr ? given : TIEBREAK_SOURCE_DIR "/testsuite/unit/calibrate/torch_observers.json");
  return nlohmann::json::parse(file);
}

TEST(TorchObservers, ParametersAreThoseOfTorch) {
  const auto library = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  ASSERT_TRUE(library.has_value());
  std::size_t compared = 0;
  const nlohmann::json recorded = observers();
  for (const auto& observer : recorded["observers"]) {
    const bool symmetric = observer["symmetric"];
    const auto profile = (*library)->find_profile(symmetric ? "pytorch-observer-symmetric" : "pytorch-observer");
    ASSERT_TRUE(profile.has_value());
    const Semantics semantics{**library, **profile};
    const std::string name = observer["provider"];
    const auto provider = find_provider(semantics, name, {});
    ASSERT_TRUE(provider.has_value()) << to_text(provider.error());
    const CodeFormat format{*ElementType::parse(observer["signed"] ? "i8" : "u8"), false};
    const bool by_channel = observer["by_channel"];
    for (std::size_t i = 0; i < observer["scales"].size(); ++i) {
      const Samples samples{"x", *ElementType::parse("f32"), SeededValues(static_cast<std::uint32_t>(i + 1)).all()};
      std::vector<Samples> parts{samples};
      if (by_channel) {
        const auto size = static_cast<std::int64_t>(samples.batches[0].size() / channels);
        parts = *samples_by_channel(samples, std::vector<Shape>(batches, Shape{channels, size}), 0);
      }
      std::vector<Provided> provided;
      for (const Samples& part : parts) {
        auto one = provider->ask(part, format);
        ASSERT_TRUE(one.has_value()) << to_text(one.error());
        provided.push_back(*one);
      }
      const auto type = type_of_ranges(semantics, provided, *ElementType::parse("f32"), format, places_along(by_channel ? 0 : -1, provided.size()), "x");
      ASSERT_TRUE(type.has_value()) << to_text(type.error());
      for (std::size_t c = 0; c < type->scales.size(); ++c) {
        const std::string where = name + (symmetric ? ", symmetric, " : ", affine, ") + format.storage.name() + ", seed " + std::to_string(i + 1);
        EXPECT_EQ(type->scales[c].value, *Real::parse(observer["scales"][i][c].get<std::string>())) << where;
        EXPECT_EQ(type->zero_points[c].value, Real(observer["zero_points"][i][c].get<std::int64_t>())) << where;
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 200U);
}

}  // namespace
}  // namespace tiebreak
