// SPDX-License-Identifier: Apache-2.0
// The node process that stays: what goes in comes out, and what becomes of one that refuses, throws, ends, traps or writes garbage.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tools/adapters/node/packages.hpp"
#include "tools/adapters/node/worker.hpp"

namespace tiebreak::node {
namespace {

/// Answers with its inputs; the model's first byte says what happens instead.
constexpr const char* echo_script = R"javascript(
let count = 0;
await serve(async ({ greeting }) => ({
  version: '1.2', details: { greeting },
  run({ model, inputs }) {
    console.log('on stderr, where it does no harm');
    count += 1;
    if (model[0] === 1) throw new Refusal('not this');
    if (model[0] === 2) throw new Error('it broke');
    if (model[0] === 3) process.exit(7);
    if (model[0] === 4) throw new WebAssembly.RuntimeError('unreachable');
    if (model[0] === 5) writeAll(new TextEncoder().encode('garbage that is no frame'));
    if (model[0] === 6) return { outputs: [], remark: String(count) };
    if (model[0] === 7) return { outputs: [{ name: 'y', type: 'f32', shape: [3], data: new Float32Array(2) }] };
    return { outputs: inputs };
  },
}));
)javascript";

class NodeWorker : public testing::Test {
 protected:
  void SetUp() override {
    if (find_node().empty()) GTEST_SKIP() << "there is no node on PATH";
  }
  Result<Worker::Answer> ask(int what) {
    ExchangeTensor input;
    input.name = "%x";
    input.tensor = *Tensor::zeros({*ElementType::parse("i16"), {2, 3}, {}});
    input.tensor.set_code(4, 0x8001);
    return worker.run(std::vector<std::byte>{static_cast<std::byte>(what)}, {input});
  }
  Worker worker{Script{echo_script, R"({"greeting": "hello"})", {}}};
};

TEST_F(NodeWorker, SaysWhoItIsAndEchoes) {
  const auto identity = worker.identity();
  ASSERT_TRUE(identity) << to_text(identity.error());
  EXPECT_EQ(identity->version, "1.2");
  EXPECT_EQ(identity->details.at("greeting"), "hello");
  EXPECT_TRUE(identity->details.contains("node"));
  const auto answer = ask(0);
  ASSERT_TRUE(answer) << to_text(answer.error());
  EXPECT_EQ(answer->outputs.at(0).name, "%x");
  EXPECT_EQ(answer->outputs.at(0).tensor.shape(), (Shape{2, 3}));
  EXPECT_EQ(answer->outputs.at(0).tensor.code(4), 0x8001U);
}

TEST_F(NodeWorker, KeepsItsProcessThroughRefusalsAndErrors) {
  const auto refused = ask(1), broken = ask(2);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::unsupported);
  EXPECT_EQ(refused.error().what, "not this");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, Errc::backend);
  EXPECT_EQ(ask(6)->remark, "3") << "the same process";
}

TEST_F(NodeWorker, StartsAnotherAfterAnEndOrATrap) {
  for (int what : {3, 4}) {
    ASSERT_TRUE(ask(0));
    const auto answer = ask(what);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, Errc::backend) << what;
    const auto next = ask(6);
    ASSERT_TRUE(next) << what << to_text(next.error());
    EXPECT_EQ(next->remark, "1") << "another process";
  }
}

TEST_F(NodeWorker, GarbageIsAnErrorAndDoesNotStay) {
  for (int what : {5, 7}) {
    EXPECT_FALSE(ask(what)) << what;
    const auto next = ask(0);
    ASSERT_TRUE(next) << what << to_text(next.error());
    EXPECT_EQ(next->outputs.at(0).tensor.code(4), 0x8001U) << what;
  }
}

TEST_F(NodeWorker, RefusesTypesWithoutAnArray) {
  ExchangeTensor input;
  input.tensor = *Tensor::zeros({*ElementType::parse("i4"), {2}, {}});
  const auto answer = worker.run({}, {input});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::unsupported);
}

TEST(NodePackages, NamesWhatIsMissing) {
  const auto missing = find_package("no-such-package", "1.0", "some_backend");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().what, "the npm package no-such-package 1.0 is not installed");
  EXPECT_EQ(missing.error().hint, "tools/setup-backends some_backend");
}

}  // namespace
}  // namespace tiebreak::node
