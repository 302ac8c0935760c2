// SPDX-License-Identifier: Apache-2.0
// What cannot be written or read is one clear error, and leaves nothing behind.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <random>

#include "testsuite/exchange/attribute_text.hpp"
#include "testsuite/exchange/file_layout.hpp"
#include "testsuite/exchange/hdf5_file.hpp"
#include "testsuite/exchange/image.hpp"
#include "testsuite/exchange/read_in_child.hpp"
#include "testsuite/exchange/tree_bytes.hpp"
#include "testsuite/exchange/whole_file.hpp"
#include "testsuite/unit/exchange/sample.hpp"

namespace tiebreak {
namespace {

Error error_of(const ExchangeFile& file) {
  const auto image = exchange_image(file);
  return image ? Error{Errc::internal, "it was written"} : image.error();
}

TEST(Refusal, Ids) {
  for (const char* id : {"", "/", "a//b", "a/", "/a", "a b", "a/../b", "a/.", "\xc3\xa9", "a\nb"}) {
    ExchangeFile file = sample::small_golden();
    file.cases[0].id = id;
    EXPECT_EQ(error_of(file).code, Errc::usage) << id;
  }
  for (const auto& [first, second] : {std::pair{"a/b", "a/b"}, std::pair{"a/b", "a/b/c"}, std::pair{"a/b/c", "a/b"}, std::pair{"a", "a/outputs"}}) {
    ExchangeFile file = sample::small_golden();
    file.cases[0].id = first;
    file.cases[1].id = second;
    EXPECT_EQ(error_of(file).code, Errc::usage) << first << " " << second;
  }
}

TEST(Refusal, Values) {
  const auto changed = [](auto change) {
    ExchangeFile file = sample::small_golden();
    change(file);
    return error_of(file).code;
  };
  EXPECT_EQ(changed([](ExchangeFile& file) { file.kind = "silver"; }), Errc::usage);
  EXPECT_EQ(changed([](ExchangeFile& file) { file.context["checksum"] = "0"; }), Errc::usage);
  EXPECT_EQ(changed([](ExchangeFile& file) { file.context[""] = "0"; }), Errc::usage);
  EXPECT_EQ(changed([](ExchangeFile& file) { file.cases[0].clauses = {"a, b"}; }), Errc::usage);
  EXPECT_EQ(changed([](ExchangeFile& file) { file.cases[0].outputs[0].undefined.pop_back(); }), Errc::usage);
  EXPECT_EQ(changed([](ExchangeFile& file) { file.cases[0].outputs[0].distance.pop_back(); }), Errc::usage);
  EXPECT_EQ(changed([](ExchangeFile& file) { file.cases[0].outputs[0].before.pop_back(); }), Errc::usage);
  EXPECT_EQ(changed([](ExchangeFile& file) { file.cases[0].inputs[0].undefined = {0, 0, 0, 0}; }), Errc::usage);
  EXPECT_EQ(changed([](ExchangeFile& file) { file.cases[0].inputs[1].name = "x"; }), Errc::usage);
  EXPECT_EQ(changed([](ExchangeFile& file) { file.cases[0].inputs[0].tensor = sample::counted(sample::type_of("u8", Shape(17, 1))); }), Errc::limit);
  EXPECT_EQ(changed([](ExchangeFile& file) { file.cases[0].program.assign((std::size_t{16} << 20) + 1, 'p'); }), Errc::limit);
}

/// A change of the tree of a good file, and what the reader says.
template <class Change>
Error error_of_tree(const std::string& kind, Change change) {
  ExchangeFile file = sample::small_golden();
  file.kind = kind;
  for (ExchangeCase& one : file.cases) one.status = "ok";
  StoredGroup tree = *encode_file(file);
  StoredGroup& one = tree.groups["cases"].groups["onnx.QuantizeLinear"].groups["ties"].groups["1"];
  one.attributes.erase("checksum");
  tree.attributes.erase("checksum");
  change(tree, one);
  const auto read = decode_file(std::move(tree), "file");
  return read ? Error{Errc::internal, "it was read"} : read.error();
}

TEST(Refusal, Layouts) {
  const auto said = [](auto change) {
    const Error error = error_of_tree("response", change);
    EXPECT_EQ(error.code, Errc::corrupt) << error.what;
    return error.what;
  };
  using Tree = StoredGroup&;
  EXPECT_EQ(said([](Tree tree, Tree) { tree.attributes.erase("format"); }), "no attribute 'format': not an exchange file");
  EXPECT_EQ(said([](Tree tree, Tree) { tree.attributes["format"] = StoredArray::text("tiebreak.exchange/3"); }),
            "format 'tiebreak.exchange/3' is not 'tiebreak.exchange/2'");
  EXPECT_EQ(said([](Tree tree, Tree) { tree.attributes["kind"] = StoredArray::text("x"); }), "kind 'x'");
  EXPECT_EQ(said([](Tree tree, Tree) { tree.groups["case"]; }), "unknown group 'case'");
  EXPECT_EQ(said([](Tree, Tree one) { one.groups["output"]; }), "unknown group 'output'");
  EXPECT_EQ(said([](Tree, Tree one) { one.attributes["reasons"] = StoredArray::text(""); }), "unknown attribute 'reasons'");
  EXPECT_EQ(said([](Tree, Tree one) { one.attributes["status"] = StoredArray::text("good"); }), "status 'good'");
  EXPECT_EQ(said([](Tree, Tree one) { one.attributes["status"] = StoredArray::integer(1); }), "not a text");
  EXPECT_EQ(said([](Tree, Tree one) { one.attributes["id"] = StoredArray::text("other"); }), "attribute 'id' says 'other'");
  EXPECT_EQ(said([](Tree, Tree one) { one.attributes["checksum"] = StoredArray::text("00"); }).substr(0, 42), "the contents are not what was written: che");
  EXPECT_EQ(said([](Tree tree, Tree) { tree.datasets["ids"].array = StoredArray::texts({"a"}); }), "the dataset 'ids' does not list the cases");
  EXPECT_EQ(said([](Tree tree, Tree) { tree.groups["cases"].datasets["x"]; }), "a dataset outside a case");
  const auto dataset = [&](auto change) { return said([&](Tree, Tree one) { change(one.groups["outputs"].datasets["y"]); }); };
  EXPECT_EQ(dataset([](StoredDataset& y) { y.attributes["type"] = StoredArray::text("u9"); }), "elements of type u9 are not stored as u8");
  EXPECT_EQ(dataset([](StoredDataset& y) { y.attributes["type"] = StoredArray::text("float9"); }), "unknown element type 'float9'");
  EXPECT_EQ(dataset([](StoredDataset& y) { y.attributes["scales"] = StoredArray::real(1); }), "unknown attribute 'scales'");
  EXPECT_EQ(dataset([](StoredDataset& y) { y.attributes["expressed_type"] = StoredArray::text("f32"); }), "attribute 'storage_min' is missing");
  EXPECT_EQ(dataset([](StoredDataset& y) { y.array = StoredArray::text("3"); }), "elements of type u8 are not stored as text");
  EXPECT_EQ(said([](Tree, Tree one) { one.groups["distance"].datasets["y"].array = StoredArray::reals({1, 2}, {2}); }), "distance has shape [2], not [1]");
  EXPECT_EQ(said([](Tree, Tree one) { one.groups["distance"].datasets["z"].array = StoredArray::real(1); }), "unknown output 'z'");
}

TEST(Refusal, GoldenFilesNeedTheirChecksums) {
  EXPECT_EQ(error_of_tree("golden", [](StoredGroup&, StoredGroup&) {}).what, "the checksum is missing");
  const auto plain = write_hdf5(*encode_file(sample::small_golden()), 0, Hdf5Lock());
  ASSERT_TRUE(plain);
  const auto read = parse_exchange_image(*plain, "plain.h5", Trust::crcs);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().what, "a golden file without its CRC table: not written by Tiebreak");
}

TEST(Refusal, OnlyGoldenFilesHaveChecksums) {
  ExchangeFile file = sample::small_golden();
  EXPECT_TRUE(encode_file(file)->attributes.contains("checksum"));
  file.kind = "request";
  StoredGroup tree = *encode_file(file);
  EXPECT_FALSE(tree.attributes.contains("checksum"));
  const std::vector<FoundCase> cases = *find_cases(tree, "request");
  for (const FoundCase& one : cases) EXPECT_FALSE(one.group->attributes.contains("checksum")) << one.id;
}

TEST(Refusal, AttributeTexts) {
  for (const char* text :
       {"", "{", "}", "{\"a\" = }", "{\"a\" = 1", "{\"a\" = 1}x", "{\"a\" = 1, \"a\" = 2}", "{a = 1}", "{\"a\" = stored}", "{\"a\" = type(x)}",
        "{\"a\" = tensor(i8, [2], 01)}", "{\"a\" = tensor(i8, [-1], )}", "{\"a\" = \"\\x4\"}", "{\"a\" = [1 2]}", "{\"a\" = 1e999999999}"}) {
    EXPECT_FALSE(parse_attribute_map(text, {}, "text")) << text;
  }
  EXPECT_FALSE(parse_attribute_map("{\"a\" = " + std::string(100'000, '['), {}, "text"));
  EXPECT_TRUE(parse_attribute_map("{\"a\" = tensor(i8, [2], 01ff)}", {}, "text"));
}

TEST(TreeBytes, ReadBackAndNoPrefixDoes) {
  const StoredGroup tree = *encode_file(sample::small_golden());
  std::vector<std::byte> bytes;
  write_tree(tree, [&](std::span<const std::byte> more) { bytes.insert(bytes.end(), more.begin(), more.end()); });
  const auto read = parse_tree(bytes, "bytes");
  ASSERT_TRUE(read) << to_text(read.error());
  EXPECT_TRUE(decode_file(*read, "bytes"));
  for (std::size_t size = 0; size < bytes.size(); size += 3) EXPECT_FALSE(parse_tree(std::span(bytes).first(size), "bytes")) << size;
  bytes.push_back({});
  EXPECT_FALSE(parse_tree(bytes, "bytes"));
}

/// Data far larger than what one read takes crosses as it is, from memory and from a file.
TEST(Isolation, LargeDataCrosses) {
  const sample::Folder folder;
  ExchangeFile file;
  file.kind = "response";
  ExchangeCase one;
  one.id = "op/large";
  one.status = "ok";
  for (const std::int64_t size : {3, 65535, 65536, 65537, 5'000'001}) {
    ExchangeTensor& output = one.outputs.emplace_back();
    output.name = std::to_string(size);
    output.tensor = *Tensor::zeros({*ElementType::parse("u8"), {size}, {}});
    std::mt19937 random(static_cast<unsigned>(size));
    for (std::byte& byte : output.tensor.bytes()) byte = static_cast<std::byte>(random());
  }
  file.cases.push_back(one);
  for (const Durability durability : {Durability::at_hand, Durability::on_disk}) {
    ASSERT_TRUE(write_exchange(file, folder.file("large.h5"), durability));
    const auto image = read_whole_file(folder.file("large.h5"));
    ASSERT_TRUE(image);
    for (const auto& read : {read_exchange_isolated(folder.file("large.h5")), parse_exchange_image(*image, "large.h5", Trust::none)}) {
      ASSERT_TRUE(read) << to_text(read.error());
      ASSERT_EQ(read->cases.front().outputs.size(), one.outputs.size());
      for (std::size_t i = 0; i < one.outputs.size(); ++i)
        EXPECT_TRUE(std::ranges::equal(read->cases.front().outputs[i].tensor.bytes(), one.outputs[i].tensor.bytes())) << one.outputs[i].name;
    }
  }
}

TEST(Isolation, LengthsThatClaimTooMuchAreRefused) {
  std::vector<std::byte> bytes;
  StoredGroup tree;
  tree.datasets["d"].array = StoredArray::integers({1, 2, 3});
  write_tree(tree, [&](std::span<const std::byte> more) { bytes.insert(bytes.end(), more.begin(), more.end()); });
  ASSERT_TRUE(parse_tree(bytes, "bytes"));
  // How many attributes, datasets, bytes of a name, attributes of the dataset, dimensions, their extent, bytes of data, and groups.
  for (const std::size_t at : {0, 8, 16, 25, 57, 65, 73, 105}) {
    std::vector<std::byte> claims = bytes;
    claims.at(at + 4) = std::byte{0x40};  // 2^38 more
    EXPECT_FALSE(parse_tree(claims, "bytes")) << at;
  }
}

/// HDF5 files without a CRC table, damaged at random: a value or an error, and this process goes on.
TEST(Isolation, DamagedHdf5) {
  ExchangeFile file = sample::full_golden();
  file.kind = "response";
  for (ExchangeCase& one : file.cases) one.status = "ok";
  const auto plain = write_hdf5(*encode_file(file), 0, Hdf5Lock());
  ASSERT_TRUE(plain);
  ASSERT_TRUE(parse_exchange_image(*plain, "plain.h5", Trust::crcs));
  std::mt19937 random(1);
  std::size_t errors = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<std::byte> damaged = *plain;
    for (int change = 0; change < 1 + round % 4; ++change) damaged[8 + random() % (damaged.size() - 8)] = static_cast<std::byte>(random());
    if (round % 5 == 0) damaged.resize(random() % damaged.size());
    if (!parse_exchange_image(damaged, "damaged.h5", Trust::crcs, 20)) ++errors;
  }
  EXPECT_GT(errors, 50U);
}

/// The file lies in memory that cannot be read: whoever looks at it dies.
TEST(Isolation, ACrashIsAnError) {
  void* page = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  const auto read = read_hdf5_isolated(std::span(static_cast<const std::byte*>(page), 4096), "file.h5", 20);
  ::munmap(page, 4096);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Errc::corrupt);
  EXPECT_EQ(read.error().what, "the file crashes the HDF5 reader: Segmentation fault");
}

TEST(Isolation, TimeIsLimited) {
  const auto plain = write_hdf5(*encode_file(sample::small_golden()), 0, Hdf5Lock());
  const auto read = read_hdf5_isolated(*plain, "file.h5", 0);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().what, "the file could not be read in time");
}

std::size_t entries(const sample::Folder& folder) {
  const std::filesystem::directory_iterator begin(folder.path());
  return static_cast<std::size_t>(std::distance(begin, std::filesystem::directory_iterator()));
}

/// As on a full disk: the file system takes the beginning and refuses the rest.
TEST(WholeFile, FailureLeavesTheOldFileAlone) {
  const sample::Folder folder;
  sample::write_text(folder.file("golden.h5"), "old");
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const Status status = write_exchange(sample::small_golden(), folder.file("golden.h5"));
    ::_exit(!status && status.error().code == Errc::io && status.error().where == folder.file("golden.h5") ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(sample::read_text(folder.file("golden.h5")), "old");
  EXPECT_EQ(entries(folder), 1U);
}

TEST(WholeFile, PlacesThatCannotBeWritten) {
  const sample::Folder folder;
  for (const std::string& path : {folder.file("no/such/folder.h5"), folder.path().string(), std::string("/dev/null")}) {
    const Status status = write_exchange(sample::small_golden(), path);
    ASSERT_FALSE(status) << path;
    EXPECT_EQ(status.error().code, Errc::io);
  }
  EXPECT_EQ(entries(folder), 0U);
}

}  // namespace
}  // namespace tiebreak
