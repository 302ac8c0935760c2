// SPDX-License-Identifier: Apache-2.0
// The parameters of a log: one set for each channel, with the slice of the second tensor that belongs to it, wherever its dimension lies.
#include "testsuite/identify/log_parameter_sets.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {
namespace {

std::vector<OwnSetting> own_settings_of(const std::string& text) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("tiebreak-own-settings-" + std::to_string(getpid()) + ".json");  // tests run side by side
  std::ofstream(path) << text;
  Result<ObservedLog> log = read_observations(pages(), {}, path.string());
  std::filesystem::remove(path);
  EXPECT_TRUE(log) << to_text(log.error());
  return log ? own_settings(pages(), *log, 16).sets : std::vector<OwnSetting>{};
}

/// Two columns of three codes each, which lie in rows where B is transposed.
std::string product_log(int transposed, const std::string& columns) {
  return R"({"schema": "tiebreak.observations/1", "op": "microsoft.QGemm", "attributes": {"transB": )" + std::to_string(transposed) + R"(},
    "types": {"A": "u8", "a_scale": "f32", "a_zero_point": "u8", "B": "i8", "b_scale": "f32", "b_zero_point": "i8", "y_scale": "f32", "y_zero_point": "u8"},
    "parameters": {"a_scale": 1, "a_zero_point": 0, "B": )" +
         columns + R"(, "b_scale": [1, 0.5], "b_zero_point": [0, 0], "y_scale": 4, "y_zero_point": 0},
    "observations": [{"inputs": {"A": [[1, 2, 3]]}, "outputs": {"Y": [[4, 4]]}}]})";
}

TEST(OwnSettings, ColumnsOfAMatrixLieAsTheOpSays) {
  for (const std::string& log : {product_log(0, "[[1, 4], [2, 5], [3, 6]]"), product_log(1, "[[1, 2, 3], [4, 5, 6]]")}) {
    const std::vector<OwnSetting> settings = own_settings_of(log);
    ASSERT_EQ(settings.size(), 2U);
    EXPECT_NE(settings[0].parameters.find("b_scale=1 "), std::string::npos) << settings[0].parameters;
    EXPECT_NE(settings[1].parameters.find("b_scale=0.5 "), std::string::npos) << settings[1].parameters;
    for (std::size_t channel = 0; channel < 2; ++channel) {
      const Tensor& column = *settings[channel].call.operands[3];
      ASSERT_EQ(column.size(), 3);
      EXPECT_EQ(column.value(0), Real(channel == 0 ? 1 : 4));
      EXPECT_EQ(column.value(2), Real(channel == 0 ? 3 : 6));
      EXPECT_TRUE(stairs_at({pages(), **pages().find_profile("onnxruntime-x64")}, settings[channel], {}));
    }
  }
}

TEST(OwnSettings, FiltersLieAlongTheFirstDimension) {
  const std::vector<OwnSetting> settings = own_settings_of(R"({"schema": "tiebreak.observations/1", "op": "onnx.QLinearConv",
    "types": {"x": "u8", "x_scale": "f32", "x_zero_point": "u8", "w": "i8", "w_scale": "f32", "w_zero_point": "i8", "y_scale": "f32", "y_zero_point": "u8"},
    "parameters": {"x_scale": 1, "x_zero_point": 0, "w": [[[3, 1]], [[5, 7]]], "w_scale": [1, 0.25], "w_zero_point": 0, "y_scale": 4, "y_zero_point": 0},
    "observations": [{"inputs": {"x": [[[1, 2]]]}, "outputs": {"y": [[[1], [1]]]}}]})");
  ASSERT_EQ(settings.size(), 2U);
  EXPECT_EQ(settings[1].call.operands[3]->value(0), Real(5));
  EXPECT_EQ(settings[1].varied, "accumulator");
}

TEST(OwnSettings, AMaximumIsNoFunctionOfOneNumber) {
  EXPECT_TRUE(own_settings_of(R"({"schema": "tiebreak.observations/1", "op": "onnx.MaxPool", "attributes": {"kernel_shape": [2]}, "types": {"X": "u8"},
    "observations": [{"inputs": {"X": [[[1, 2]]]}, "outputs": {"Y": [[[2]]]}}]})")
                  .empty());
}

}  // namespace
}  // namespace tiebreak
