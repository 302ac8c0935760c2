// SPDX-License-Identifier: Apache-2.0
// Records: the same question gets the same answer, every other one none, and a folder that is not what was written is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "testsuite/backends/asked_digest.hpp"
#include "testsuite/backends/record_folder.hpp"
#include "testsuite/backends/recorded_backend.hpp"
#include "testsuite/exchange/image.hpp"
#include "testsuite/exchange/whole_file.hpp"
#include "testsuite/unit/backends/fake_adapter.hpp"

namespace tiebreak {
namespace {

namespace fs = std::filesystem;
using sample::quantize_case;

/// Answers in this process: the codes asked for are the places of the elements, moved by `first`.
class Counting : public Backend {
 public:
  Result<BackendDescription> describe() override {
    return BackendDescription{"counting", "1.5", "onnx", {"onnx.*"}, {{"commit", "abc123"}, {"isa", "avx2 fma"}, {"library", "/opt/lib/libcounting.so"}}};
  }
  std::vector<BackendAnswer> run(const std::vector<ExchangeCase>& cases) override {
    std::vector<BackendAnswer> answers;
    for (const ExchangeCase& asked : cases) answers.push_back(answer(asked));
    return answers;
  }
  bool is_parallel() const override { return true; }
  std::uint64_t first = 1;

 private:
  BackendAnswer answer(const ExchangeCase& asked) const {
    if (asked.op == "onnx.Crash") return {BackendAnswer::Kind::inconclusive, "crashed with SIGSEGV", {}};
    if (asked.op != "onnx.QuantizeLinear") return {BackendAnswer::Kind::unsupported, "not this op", {}};
    Tensor y = *Tensor::zeros(asked.outputs[0].tensor.type());
    for (std::int64_t i = 0; i < y.size(); ++i) y.set_code(i, first + static_cast<std::uint64_t>(i));
    return {BackendAnswer::Kind::answered, "", {sample::named("y", y)}};
  }
};

ExchangeCase of_op(const std::string& op) {
  ExchangeCase one = quantize_case("other/" + op, {1}, 1, 0);
  one.op = op;
  return one;
}

std::vector<ExchangeCase> three() { return {quantize_case("a/1", {0.5F, 1.5F}, 1, 0), quantize_case("a/2", {0.5F, 2.5F}, 1, 0), of_op("onnx.Add")}; }

class Recorded : public testing::Test {
 protected:
  std::string path(const std::string& name = "record") const { return folder_.file(name); }

  RecordDescription record(Backend& backend, const std::vector<ExchangeCase>& cases, const std::string& name = "record", bool complete = true) {
    auto recording = RecordingBackend::open(backend, path(name));
    EXPECT_TRUE(recording) << to_text(recording.error());
    (*recording)->run(cases);
    auto written = (*recording)->finish(complete);
    EXPECT_TRUE(written) << to_text(written.error());
    return *written;
  }
  std::string said(const std::vector<ExchangeCase>& cases, const std::string& name = "record") const {
    return sample::to_text(sample::open("recorded:" + path(name))->run(cases));
  }
  Error refused(const std::string& name = "record") const {
    const auto opened = Backend::open("recorded:" + path(name), {});
    return opened ? Error{Errc::internal, "it was opened"} : opened.error();
  }
  /// Files of a folder by name, as bytes.
  std::map<std::string, std::string> bytes(const std::string& name = "record") const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(path(name))) files[entry.path().filename().string()] = sample::read_text(entry.path().string());
    return files;
  }
  std::size_t left_over() const {
    return static_cast<std::size_t>(std::count_if(fs::directory_iterator(folder_.path()), fs::directory_iterator(),
                                                  [](const auto& entry) { return entry.path().string().find(".tmp") != std::string::npos; }));
  }
  static constexpr const char* absent = "not recorded: the record has no answer to this request";

  sample::Folder folder_{};
  Counting counting_{};
};

TEST_F(Recorded, AnswersWhatWasAnswered) {
  record(counting_, three());
  EXPECT_EQ(said(three()), "answered\nanswered\nunsupported: not this op");
  const auto live = counting_.run(three()), again = sample::open("recorded:" + path())->run(three());
  EXPECT_EQ(again[0].outputs[0].name, "y");
  EXPECT_TRUE(std::ranges::equal(again[0].outputs[0].tensor.bytes(), live[0].outputs[0].tensor.bytes()));
  const auto description = *sample::open("recorded:" + path())->describe();
  EXPECT_EQ(description.name, "counting");
  EXPECT_EQ(description.version, "1.5");
  EXPECT_EQ(description.profile, "onnx");
  EXPECT_EQ(description.ops, std::vector<std::string>{"onnx.*"});
  EXPECT_EQ(description.details.at("commit"), "abc123");
  EXPECT_EQ(description.details.at("library"), "libcounting.so") << "no folder of this machine";
  EXPECT_EQ(description.details.at("recorded").substr(0, 12), "by tiebreak ");
}

TEST_F(Recorded, KeepsWhatIsKnownOfTheCodes) {
  ExchangeCase asked = three()[0];
  const ElementType u8 = *ElementType::parse("u8");
  const QuantizedType type{u8, u8.min(), Real(200), *ElementType::parse("f32"), {}, {}, {{Real(1)}}, {{Real(0)}}};
  asked.outputs[0].parameters = ExchangeParameters{"x", type, "recovered: y_scale of onnx.QuantizeLinear"};
  record(counting_, {asked});
  const auto kept = read_record(path());
  ASSERT_TRUE(kept) << to_text(kept.error());
  ASSERT_EQ(kept->answers.size(), 1u);
  const auto& parameters = kept->answers.begin()->second.outputs[0].parameters;
  ASSERT_TRUE(parameters);
  EXPECT_EQ(to_text(*parameters), "x: !quant.uniform<u8<0:200>:f32, 1.0> from recovered: y_scale of onnx.QuantizeLinear");
  EXPECT_EQ(said({three()[0]}), "answered") << "what is known beside a question is no part of it";
}

TEST_F(Recorded, AQuestionIsWhatIsAskedAndNothingElse) {
  record(counting_, three());
  const ExchangeCase asked = three()[0];
  const auto changed = [&](auto change) {
    ExchangeCase one = asked;
    change(one);
    return said({one});
  };
  for (auto same : {+[](ExchangeCase& one) { one.id = "another/name"; }, +[](ExchangeCase& one) { one.profile = "reference"; },
                    +[](ExchangeCase& one) { one.inputs[0].operand = "x"; }})
    EXPECT_EQ(changed(same), "answered");
  for (auto other : {+[](ExchangeCase& one) { one.inputs[0].tensor.set_code(1, one.inputs[0].tensor.code(1) ^ 1U); },
                     +[](ExchangeCase& one) { one.inputs[1].tensor = sample::floats({1}, {1}); }, +[](ExchangeCase& one) { one.attributes.clear(); },
                     +[](ExchangeCase& one) { one.version = 22; }, +[](ExchangeCase& one) { one.program += " "; },
                     +[](ExchangeCase& one) { one.inputs[2].tensor = sample::bytes("i8", {0}, {}); }, +[](ExchangeCase& one) { one.op = "onnx.Cast"; },
                     +[](ExchangeCase& one) { one.outputs[0].tensor = *Tensor::zeros(sample::type_of("i8", {2})); }})
    EXPECT_EQ(changed(other), absent);
}

TEST_F(Recorded, TheSameAnswersAreTheSameBytesInAnyOrder) {
  std::vector<ExchangeCase> cases = three();
  for (int i = 0; i < 20; ++i) cases.push_back(quantize_case("b/" + std::to_string(i), {static_cast<float>(i), 7}, 1, 0));
  record(counting_, cases);
  auto recording = RecordingBackend::open(counting_, path("threads"));
  ASSERT_TRUE(recording);
  {
    std::vector<std::jthread> threads;
    for (std::size_t part = 0; part < 4; ++part)
      threads.emplace_back([&, part] {
        for (std::size_t i = cases.size(); i-- > 0;) {
          ExchangeCase one = cases[i];
          one.id = "renamed/" + std::to_string(i);
          if (i % 4 == part) (*recording)->run({one});
        }
      });
  }
  ASSERT_TRUE((*recording)->finish(true));
  EXPECT_EQ(bytes(), bytes("threads"));
  EXPECT_EQ(bytes().size(), 3U) << "recorded.json and a file an op";
}

TEST_F(Recorded, WhatGotNoAnswerOrSeveralIsCountedAndNotThere) {
  auto recording = RecordingBackend::open(counting_, path());
  ASSERT_TRUE(recording);
  std::vector<ExchangeCase> cases = three();
  cases.push_back(of_op("onnx.Crash"));
  (*recording)->run(cases);
  counting_.first = 2;
  (*recording)->run({cases[0]});
  const auto written = (*recording)->finish(true);
  ASSERT_TRUE(written);
  EXPECT_EQ(written->unanswered, 1);
  EXPECT_EQ(written->contradicted, 1);
  const std::string why = std::string(absent) + "; 2 requests got none, or several that differ";
  EXPECT_EQ(said(cases), why + "\nanswered\nunsupported: not this op\n" + why);
}

TEST_F(Recorded, AnInterruptedRunLeavesWhatItHas) {
  record(counting_, {three()[0]}, "record", false);
  EXPECT_EQ(said(three()), "answered\n" + std::string(absent) + "; it is incomplete\n" + absent + "; it is incomplete");
  EXPECT_TRUE(sample::open("recorded:" + path())->describe()->details.at("recorded").ends_with("; incomplete"));
}

TEST_F(Recorded, IsWrittenWholeOrNotAtAll) {
  {
    auto recording = RecordingBackend::open(counting_, path());
    ASSERT_TRUE(recording);
    EXPECT_EQ(left_over(), 1U);
    (*recording)->run(three());
  }
  EXPECT_FALSE(fs::exists(path()));
  record(counting_, three());
  const auto before = bytes();
  {
    auto recording = RecordingBackend::open(counting_, path());
    ASSERT_TRUE(recording);
    (*recording)->run({three()[0]});
  }
  EXPECT_EQ(bytes(), before) << "a run that does not end leaves the old record";
  record(counting_, {three()[0]});
  EXPECT_EQ(bytes().size(), 2U) << "nothing of the old record";
  EXPECT_EQ(left_over(), 0U);
}

TEST_F(Recorded, NothingElseIsReplaced) {
  const auto opened = [&](const std::string& name) {
    auto recording = RecordingBackend::open(counting_, path(name));
    return recording ? Error{Errc::internal, "opened"} : recording.error();
  };
  fs::create_directory(path("mine"));
  sample::write_text(path("mine/notes.txt"), "notes");
  EXPECT_EQ(opened("mine").what, "the folder is not empty and no record alone: notes.txt lies in it");
  record(counting_, three());
  sample::write_text(path("record/notes.txt"), "notes");
  EXPECT_EQ(opened("record").code, Errc::usage);
  EXPECT_EQ(opened("mine/notes.txt").what, "a record is a folder, and a file lies there");
  EXPECT_EQ(opened("no/such/folder").code, Errc::io);
  EXPECT_EQ(sample::read_text(path("mine/notes.txt")), "notes");
}

TEST_F(Recorded, ARecordIsNotRecordedAgain) {
  record(counting_, three());
  const auto backend = sample::open("recorded:" + path());
  const auto again = RecordingBackend::open(*backend, path("copy"));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Errc::usage);
}

TEST_F(Recorded, EveryChangedByteIsRefused) {
  record(counting_, {three()[0]});
  for (const auto& [name, content] : bytes()) {
    const std::size_t step = name == "recorded.json" ? 1 : 13;
    for (std::size_t at = 0; at < content.size(); at += step) {
      std::string changed = content;
      changed[at] = static_cast<char>(changed[at] ^ 1);
      sample::write_text(path("record/" + name), changed);
      const Error error = refused();
      ASSERT_NE(error.code, Errc::internal) << name << " byte " << at << ": " << error.what;
      ASSERT_NE(error.code, Errc::backend) << name << " byte " << at;
      ASSERT_NE(error.where.find(name), std::string::npos) << name << " byte " << at << ": " << to_text(error);
    }
    sample::write_text(path("record/" + name), content);
  }
  EXPECT_EQ(said({three()[0]}), "answered");
}

TEST_F(Recorded, FoldersThatAreNoRecord) {
  EXPECT_EQ(refused().what, "no such recorded folder");
  EXPECT_EQ(refused().code, Errc::io);
  fs::create_directory(path("empty"));
  EXPECT_EQ(refused("empty").what, "not a recorded folder: recorded.json is missing");
  record(counting_, three());
  const std::string file = path("record/onnx.QuantizeLinear.h5"), whole = sample::read_text(file);
  sample::write_text(file, whole.substr(0, whole.size() / 2));
  EXPECT_EQ(refused().what.substr(0, 21), "truncated or extended");
  fs::remove(file);
  EXPECT_EQ(refused().what, "a file of the record is missing");
  fs::copy_file(path("record/onnx.Add.h5"), file);
  EXPECT_EQ(refused().what, "not the file that recorded.json names: its digest is another");
  sample::write_text(file, whole);
  sample::write_text(path("record/further.h5"), whole);
  EXPECT_EQ(refused().what, "a file that recorded.json does not name");
  fs::remove(path("record/further.h5"));
  EXPECT_EQ(said(three()), "answered\nanswered\nunsupported: not this op");
  const auto with_options = Backend::open("recorded:" + path(), {.arguments = {"--isa"}});
  ASSERT_FALSE(with_options);
  EXPECT_EQ(with_options.error().code, Errc::usage);
}

}  // namespace
}  // namespace tiebreak
