// SPDX-License-Identifier: Apache-2.0
// Models of TensorFlow Lite by way of a file: written, then read.
#pragma once
#include <gtest/gtest.h>

#include "interpreter/lite/lite.hpp"
#include "interpreter/lite/model.hpp"

namespace tiebreak::tflite {

inline Result<Model> read_back(const Model& model) {
  auto bytes = write_model(model);
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  return read_model(*bytes, "m.tflite");
}

inline Result<Program> program_of(const Model& model) {
  auto bytes = write_model(model);
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  return read_tflite(*bytes, "m.tflite");
}

/// Skipped where nothing can be written.
class WrittenModels : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_write()) GTEST_SKIP() << "built without FlatBuffers";
  }
};

}  // namespace tiebreak::tflite
