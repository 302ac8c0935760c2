// SPDX-License-Identifier: Apache-2.0
// Which profile ONNX Runtime's adapter declares on processors that are not this one.
#include <gtest/gtest.h>

#include "tools/adapters/onnxruntime/declared_profile.hpp"

namespace tiebreak::ort {
namespace {

const Cpu nehalem{"x64", {"sse4.1"}};
const Cpu haswell{"x64", {"sse4.1", "avx", "fma", "avx2"}};
const Cpu skylake_server{"x64", {"sse4.1", "avx", "fma", "avx2", "avx512f", "avx512bw"}};
const Cpu cascade_lake{"x64", {"sse4.1", "avx", "fma", "avx2", "avx512f", "avx512bw", "avx512_vnni"}};
const Cpu alder_lake{"x64", {"sse4.1", "avx", "fma", "avx2", "avx_vnni"}};

TEST(DeclaredProfile, GoesByTheInstructionForSums) {
  EXPECT_EQ(declared_profile(nehalem, "1.30.0"), "onnxruntime-x64-sse");
  EXPECT_EQ(declared_profile(haswell, "1.30.0"), "onnxruntime-x64-avx2");
  EXPECT_EQ(declared_profile(cascade_lake, "1.30.0"), "onnxruntime-x64");
  EXPECT_EQ(declared_profile(alder_lake, "1.30.0"), "onnxruntime-x64");
}

TEST(DeclaredProfile, Avx512WithoutDotProductsIsAvx2) { EXPECT_EQ(declared_profile(skylake_server, "1.30.0"), "onnxruntime-x64-avx2"); }

TEST(DeclaredProfile, OlderReleasesHaveTheirOwn) {
  EXPECT_EQ(declared_profile(skylake_server, "1.22.0"), "onnxruntime-x64-avx2-1.22");
  EXPECT_EQ(declared_profile(cascade_lake, "1.14.1"), "onnxruntime-x64-1.22");
  EXPECT_EQ(declared_profile(cascade_lake, "1.23.0"), "onnxruntime-x64");
  EXPECT_EQ(declared_profile(cascade_lake, ""), "onnxruntime-x64");
}

TEST(DeclaredProfile, OtherMachines) {
  EXPECT_EQ(declared_profile({"arm64", {"asimd"}}, "1.30.0"), "onnxruntime-arm64");
  EXPECT_EQ(declared_profile({"other", {}}, "1.30.0"), "");
}

}  // namespace
}  // namespace tiebreak::ort
