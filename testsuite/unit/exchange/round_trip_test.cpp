// SPDX-License-Identifier: Apache-2.0
// What is written reads back, and the same value gives the same bytes.
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "testsuite/exchange/crc_table.hpp"
#include "testsuite/exchange/golden.hpp"
#include "testsuite/exchange/image.hpp"
#include "testsuite/unit/exchange/sample.hpp"

namespace tiebreak {
namespace {

using Image = std::vector<std::byte>;

std::string differences(const ExchangeFile& a, const ExchangeFile& b) {
  std::string text;
  for (const StoredDifference& difference : diff_exchange_files(a, b)) text += to_text(difference) + "\n";
  return text;
}

Image image_of(const ExchangeFile& file) {
  auto image = exchange_image(file);
  EXPECT_TRUE(image) << (image ? "" : to_text(image.error()));
  return image ? *image : Image{};
}

TEST(ExchangeRoundTrip, EverythingReadsBack) {
  const sample::Folder folder;
  for (const char* kind : {"golden", "request", "response"}) {
    ExchangeFile file = sample::full_golden();
    file.kind = kind;
    for (ExchangeCase& one : file.cases) one.status = "ok";
    file.cases[0].status = "unsupported";
    file.cases[0].reason = "no such op";
    ASSERT_TRUE(write_exchange(file, folder.file("file.h5")));
    for (const auto& read : {read_exchange(folder.file("file.h5")), read_exchange_isolated(folder.file("file.h5"))}) {
      ASSERT_TRUE(read) << to_text(read.error());
      EXPECT_EQ(differences(file, *read), "");
      ASSERT_EQ(read->cases.size(), file.cases.size());
      EXPECT_EQ(read->cases[0].id, "onnx.QuantizeLinear/ties/2");  // order as written, not of names
      EXPECT_EQ(read->cases[0].reason, "no such op");
      EXPECT_FALSE(read->cases[0].inputs[0].inferred);
      // The bytes are the strongest comparison: exact attributes, every bit of every float.
      EXPECT_EQ(image_of(*read), image_of(file));
    }
  }
}

TEST(ExchangeRoundTrip, AttributesAreExact) {
  const ExchangeFile file = sample::full_golden();
  const auto read = parse_exchange_image(image_of(file), "image", Trust::crcs);
  ASSERT_TRUE(read) << to_text(read.error());
  const AttributeMap& attributes = read->cases[2].attributes;
  ASSERT_EQ(attributes.size(), file.cases[2].attributes.size());
  EXPECT_TRUE(std::get<Real>(attributes.at("tenth").value).identical(*Real::parse("1/10")));
  EXPECT_TRUE(std::get<Real>(attributes.at("minus_zero").value).identical(Real::zero(true)));
  EXPECT_TRUE(std::get<Real>(attributes.at("not_a_number").value).is_nan());
  EXPECT_TRUE(std::get<bool>(attributes.at("truth").value));
  EXPECT_TRUE(attributes.at("none").is_none());
  EXPECT_EQ(std::get<std::string>(attributes.at("zero byte").value), std::string("a\0", 2));
  EXPECT_EQ(std::get<ElementType>(attributes.at("to").value).name(), "f8e4m3fn");
  EXPECT_TRUE(same_type(std::get<Tensor>(attributes.at("quantized").value).type(), std::get<Tensor>(file.cases[2].attributes.at("quantized").value).type()));
  for (const auto& [name, attribute] : file.cases[2].attributes) EXPECT_EQ(to_text(attributes.at(name)), to_text(attribute)) << name;
}

TEST(ExchangeRoundTrip, ManyCasesAndLargeTensors) {
  ExchangeFile file;
  file.kind = "golden";
  for (int i = 0; i < 2000; ++i) file.cases.push_back(sample::quantize_case("op/group." + std::to_string(i % 7) + "/" + std::to_string(i), {1, 2}, 1, 0));
  file.cases.push_back(sample::quantize_case("op/large", std::vector<float>(3'000'000, 0.25F), 1, 0));
  file.cases.back().program.assign(200'000, 'p');
  file.cases.back().op.assign(100'000, 'o');  // attributes beyond the 64 KiB of older formats
  const Image image = image_of(file);
  const auto read = parse_exchange_image(image, "image", Trust::crcs);
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_EQ(differences(file, *read), "");
}

TEST(ExchangeRoundTrip, NoCases) {
  ExchangeFile file;
  file.kind = "response";
  const auto read = parse_exchange_image(image_of(file), "image", Trust::crcs);
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_TRUE(read->cases.empty());
}

TEST(ExchangeRoundTrip, RequestsStoreNoZeros) {
  ExchangeFile file;
  file.kind = "request";
  file.cases = {sample::quantize_case("op/1", {1}, 1, 0)};
  file.cases[0].outputs = {sample::named("y", *Tensor::zeros(sample::type_of("u8", {4096, 4096})))};
  const Image image = image_of(file);
  EXPECT_LT(image.size(), 20'000U);
  const auto read = parse_exchange_image(image, "image", Trust::crcs);
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_EQ(read->cases[0].outputs[0].tensor.shape(), (Shape{4096, 4096}));
}

/// The file's bytes, made in a process whose fresh memory is filled with `fill`.
Image image_with_memory(const ExchangeFile& file, int fill) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::mallopt(M_PERTURB, fill);
    std::vector<std::unique_ptr<char[]>> litter;
    for (std::size_t i = 0; i < 500; ++i) litter.emplace_back(new char[16 + i * static_cast<std::size_t>(fill)]);
    litter.resize(200);
    const auto image = exchange_image(file);
    std::size_t sent = 0;
    while (image && sent < image->size()) {
      const ssize_t now = ::write(ends[1], image->data() + sent, image->size() - sent);
      if (now <= 0) break;
      sent += static_cast<std::size_t>(now);
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  Image image;
  std::array<std::byte, 4096> chunk{};
  for (ssize_t got = 0; (got = ::read(ends[0], chunk.data(), chunk.size())) > 0;) image.insert(image.end(), chunk.begin(), chunk.begin() + got);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return image;
}

TEST(ExchangeDeterminism, NeitherMemoryNorTimeShows) {
  for (const ExchangeFile& file : {sample::small_golden(), sample::full_golden()}) {
    const Image image = image_of(file);
    ASSERT_FALSE(image.empty());
    for (int fill : {1, 0x55, 0xAA, 0xFF}) EXPECT_EQ(image_with_memory(file, fill), image) << fill;
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    EXPECT_EQ(image_of(file), image);
  }
}

TEST(ExchangeDeterminism, EveryNanIsTheSame) {
  ExchangeFile file = sample::small_golden();
  const Image image = image_of(file);
  file.cases[0].outputs[0].distance[3] = -std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(image_of(file), image);
}

TEST(ExchangeDeterminism, ThreadsDoNotMeet) {
  const ExchangeFile file = sample::full_golden();
  const Image image = image_of(file);
  std::vector<Image> images(8);
  {
    std::vector<std::jthread> threads;
    for (Image& target : images) {
      threads.emplace_back([&] {
        target = image_of(file);
        const auto read = parse_exchange_image(target, "image", Trust::none);
        if (!read) target.clear();
      });
    }
  }
  for (const Image& other : images) EXPECT_EQ(other, image);
}

}  // namespace
}  // namespace tiebreak
