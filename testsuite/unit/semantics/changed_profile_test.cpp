// SPDX-License-Identifier: Apache-2.0
// A profile with choices taken otherwise goes to another process as a text, and means the same there.
#include "interpreter/semantics/changed_profile.hpp"

#include <gtest/gtest.h>

namespace tiebreak {
namespace {

const Library& pages() {
  static const auto library = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  return **library;
}

TEST(ChangedProfile, ComesBackAsItWas) {
  Profile changed = **pages().find_profile("onnxruntime-x64");
  changed.name = "onnxruntime-x64:requantize.tie=floor";
  changed.choices["onnx.QLinearConv/requantize.tie"] = {.alternative = "floor"};
  changed.choices["onnx.QuantizeLinear/tie"] = {.alternative = "away"};
  const std::string text = changed_profile_text({pages(), changed});
  EXPECT_EQ(text, "onnxruntime-x64:onnx.QLinearConv/requantize.tie=floor,onnx.QuantizeLinear/tie=away");
  const Result<Profile> read = read_changed_profile(pages(), text);
  ASSERT_TRUE(read) << to_text(read.error());
  ASSERT_EQ(read->choices.size(), changed.choices.size());
  for (const auto& [key, value] : changed.choices) EXPECT_EQ(read->choices.at(key).alternative, value.alternative) << key;
  EXPECT_EQ(changed_profile_text({pages(), **pages().find_profile("onnxruntime-x64")}), "onnxruntime-x64");
}

TEST(ChangedProfile, WhatIsNotKnownIsNamedWithTheNearest) {
  const auto hint = [](const std::string& text) {
    const Result<Profile> read = read_changed_profile(pages(), text);
    return read ? std::string("read") : to_text(read.error());
  };
  EXPECT_NE(hint("onxn:onnx.QuantizeLinear/tie=away").find("did you mean 'onnx'?"), std::string::npos);
  EXPECT_NE(hint("onnx:onnx.QuantizeLinear/tei=away").find("did you mean 'onnx.QuantizeLinear/tie'?"), std::string::npos);
  EXPECT_NE(hint("onnx:onnx.QuantizeLinear/tie=awya").find("did you mean 'away'?"), std::string::npos);
  EXPECT_NE(hint("onnx:onnx.QuantizeLinear/tie").find("is no choice=alternative"), std::string::npos);
  EXPECT_EQ(hint("onnx"), "read");
}

}  // namespace
}  // namespace tiebreak
