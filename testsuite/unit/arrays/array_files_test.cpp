// SPDX-License-Identifier: Apache-2.0
// The files beside this test were written by NumPy 1.24.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "testsuite/arrays/npy.hpp"
#include "testsuite/arrays/zip.hpp"
#include "testsuite/unit/helpers/text_tensor.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

const std::string files = std::string(TIEBREAK_SOURCE_DIR) + "/testsuite/unit/arrays/files/";

std::string content(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}
std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }
bool equal(const Tensor& a, const Tensor& b) { return same_type(a.type(), b.type()) && std::ranges::equal(a.bytes(), b.bytes()); }

Tensor only(const std::string& name) {
  auto arrays = read_array_file(files + name);
  EXPECT_TRUE(arrays) << to_text(arrays.error());
  EXPECT_TRUE(arrays && arrays->size() == 1 && arrays->front().tensor);
  return arrays ? *arrays->front().tensor : Tensor();
}

TEST(ArrayFiles, NumpysOrdersAreRowMajorLittleEndian) {
  const Tensor rows = text_tensor("f32", {2, 3}, {"1.5", "-2.25", "3", "4", "5", "-6"});
  EXPECT_TRUE(equal(only("rows_f32.npy"), rows));
  EXPECT_TRUE(equal(only("columns_f32.npy"), rows));
  EXPECT_TRUE(equal(only("big_endian_i32.npy"), text_tensor("i32", {2, 3}, {"1", "-2", "70000", "4", "5", "-6"})));
  EXPECT_TRUE(equal(only("scalar_i64.npy"), text_tensor("i64", {}, {"-7"})));
  EXPECT_EQ(only("flags.npy").element().name(), "bool");
}

TEST(ArrayFiles, ArchivesHaveAllTheirMembers) {
  const auto stored = read_array_file(files + "stored.npz");
  ASSERT_TRUE(stored) << to_text(stored.error());
  ASSERT_EQ(stored->size(), 2U);
  EXPECT_EQ((*stored)[0].name, "codes");
  EXPECT_TRUE(equal(*(*stored)[0].tensor, text_tensor("i8", {2, 3}, {"-3", "-2", "-1", "0", "1", "2"})));
  const auto deflated = read_array_file(files + "deflated.npz");
  ASSERT_TRUE(deflated) << to_text(deflated.error());
  EXPECT_EQ((*deflated)[0].tensor->size(), 256);
  EXPECT_TRUE(equal(*(*deflated)[1].tensor, text_tensor("f16", {2, 3}, {"1.5", "-2.25", "3", "4", "5", "-6"})));
}

TEST(ArrayFiles, BytesWithoutATypeTakeTheTensors) {
  const auto arrays = read_array_file(files + "bytes_v2.npy");
  ASSERT_TRUE(arrays) << to_text(arrays.error());
  EXPECT_FALSE(tensor_of(arrays->front()));
  const auto tensor = tensor_of(arrays->front(), TensorType{*ElementType::parse("bf16"), {2}});
  ASSERT_TRUE(tensor) << to_text(tensor.error());
  EXPECT_TRUE(equal(*tensor, text_tensor("bf16", {2}, {"1", "-2"})));
}

TEST(ArrayFiles, WhatIsNoNumberIsRefused) {
  for (const char* name : {"object.npy", "complex.npy"}) {
    const auto arrays = read_array_file(files + name);
    ASSERT_FALSE(arrays) << name;
    EXPECT_EQ(arrays.error().code, Errc::unsupported) << to_text(arrays.error());
    EXPECT_NE(arrays.error().where.find(name), std::string::npos);
  }
  EXPECT_EQ(read_array_file("x.csv").error().code, Errc::usage);
  EXPECT_EQ(read_array_file("absent.npy").error().code, Errc::io);
}

/// A file that ends anywhere before its end is an error, and so is one with a byte more.
TEST(ArrayFiles, CutOffAnywhereIsAnError) {
  const std::string npy = content(files + "rows_f32.npy"), npz = content(files + "deflated.npz");
  for (std::size_t length = 0; length < npy.size(); ++length) EXPECT_FALSE(parse_npy(bytes_of(npy.substr(0, length)), "x.npy")) << length;
  EXPECT_FALSE(parse_npy(bytes_of(npy + "x"), "x.npy"));
  for (std::size_t length = 0; length < npz.size(); ++length) EXPECT_FALSE(read_zip(bytes_of(npz.substr(0, length)), "x.npz")) << length;
  EXPECT_TRUE(read_zip(bytes_of(npz), "x.npz"));
}

/// A flipped bit of an archive is found by its checksum, or lies where nothing is read (names, dates, unused sizes).
TEST(ArrayFiles, AFlippedBitNeverChangesANumber) {
  std::string npz = content(files + "deflated.npz");
  const auto sound = read_zip(bytes_of(npz), "x.npz");
  ASSERT_TRUE(sound);
  for (std::size_t bit = 0; bit < npz.size() * 8; ++bit) {
    npz[bit / 8] = static_cast<char>(npz[bit / 8] ^ (1 << (bit % 8)));
    const auto read = read_zip(bytes_of(npz), "x.npz");
    for (std::size_t i = 0; read && i < read->size(); ++i) EXPECT_EQ((*read)[i].bytes, (*sound)[i].bytes) << bit;
    npz[bit / 8] = static_cast<char>(npz[bit / 8] ^ (1 << (bit % 8)));
  }
}

TEST(ArrayFiles, AreWrittenAsNumpyWritesThem) {
  for (const char* name : {"rows_f32.npy", "scalar_i64.npy", "flags.npy"}) EXPECT_EQ(npy_bytes(only(name)), content(files + name)) << name;
  EXPECT_EQ(npy_bytes(text_tensor("bf16", {2}, {"1", "-2"})), content(files + "bytes_v2.npy"));
}

}  // namespace
}  // namespace tiebreak
