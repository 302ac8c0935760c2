// SPDX-License-Identifier: Apache-2.0
// Words of the command line: a value with its name and type, an attribute, a policy, a shard, a semantics. Each is read or refused.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "testsuite/candidates/semantics_word.hpp"
#include "testsuite/case/literal_text.hpp"
#include "testsuite/compare/compare.hpp"
#include "testsuite/fuzz/spec_folder.hpp"
#include "testsuite/sources/selection.hpp"
#include "testsuite/sources/shard.hpp"
#include "tools/tiebreak/line/tensor_argument.hpp"

namespace {

template <class Value>
bool is_read(const tiebreak::Result<Value>& read) {
  if (!read && read.error().what.empty()) std::abort();
  return read.has_value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  if (size > 1 << 12) return 0;  // longer words are slow, not different
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto tensor = command::parse_tensor_argument(text); is_read(tensor)) {
    if (tensor->name.empty()) std::abort();
    for (std::int64_t i = 0; i < tensor->tensor.size(); ++i) tensor->tensor.value(i);
  }
  is_read(command::parse_attribute_argument(text));
  is_read(parse_tensor_type(text, "fuzz"));
  is_read(parse_policy(text));
  is_read(shard_of(text, "", [](const char*) { return std::string(); }));
  is_read(parse_semantics(spec_folder(), "onnx.QLinearConv", text));
  may_match(text, "onnx.QLinearConv");
  return 0;
}
