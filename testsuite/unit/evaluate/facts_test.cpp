// SPDX-License-Identifier: Apache-2.0
// all(c): a truth about every parameter of a tensor, known before any element is read.
#include "testsuite/unit/helpers/stablehlo_contractions.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

using oracle::stablehlo::Channels;

std::string run_first(const ToyLibrary& toy, const std::string& op, const Channels& channels) {
  const auto size = static_cast<std::int64_t>(channels.each.size());
  auto profile = toy.library->find_profile("reference");
  auto results =
      evaluate({*toy.library, **profile}, {.op = op, .operands = {code_tensor(quantized_type(channels, {size}, 0), Codes(static_cast<std::size_t>(size), 1))}},
               {.engine = Engine::both});
  return results ? texts_of(results->front()).front() : results.error().what;
}

TEST(Facts, AllHoldsForEveryChannel) {
  const ToyLibrary toy(std::map<std::string, std::string>{
      {"t/a",
       "op t.a(x: quant(i8:f32)) -> y: i8\nstructure elementwise(x)\ny = if all(x.zero_point == 0 and abs(x.scale / x.scale[0] - 1) <= 0.5) then 1 else 2\n"
       "op t.b(x: quant(i8:f32)) -> y: i8\nstructure elementwise(x)\ny = if all(x == 1) then 1 else 2\n"
       "op t.c(x: quant(i8:f32)) -> y: i8\nstructure elementwise(x)\ny = if all(x.bits == 8) then 1 else 2\n"}});
  const auto zero = uniform("i8", 1, 0), other = uniform("i8", 1, 3), near = uniform("i8", 1.5, 0), far = uniform("i8", 1.75, 0);
  EXPECT_EQ(run_first(toy, "t.a", {{zero, near, zero}, true}), "1");
  EXPECT_EQ(run_first(toy, "t.a", {{zero, zero, other}, true}), "2");
  EXPECT_EQ(run_first(toy, "t.a", {{zero, far, zero}, true}), "2");
  EXPECT_EQ(run_first(toy, "t.a", {{zero}, false}), "1");
  EXPECT_EQ(run_first(toy, "t.a", {{other}, false}), "2");
  EXPECT_EQ(run_first(toy, "t.c", {{zero, far, zero}, true}), "1");
  EXPECT_NE(run_first(toy, "t.b", {{zero}, false}).find("N11 'all' is about facts"), std::string::npos);
}

/// A type of the header is a name of its page, too.
TEST(Facts, OfATypeThatTheHeaderNames) {
  const ToyLibrary toy(std::map<std::string, std::string>{
      {"t/a", "op t.a(x: quant(Q:f32)) -> y: i8\ntypes Q: i8\nstructure elementwise(x)\ny = if f32.max > 2 ^ 127 then f32.fraction + Q.bits else 2\n"}});
  EXPECT_EQ(run_first(toy, "t.a", {{uniform("i8", 1, 0)}, false}), "31");
}

}  // namespace
}  // namespace tiebreak
