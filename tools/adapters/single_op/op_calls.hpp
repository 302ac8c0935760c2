// SPDX-License-Identifier: Apache-2.0
// A table from ops to the functions that call the vendor's kernels, and the dispatch of a request through it: what every adapter over
// single ops would otherwise repeat.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "tools/adapters/common/adapter.hpp"
#include "tools/adapters/single_op/single_op.hpp"

namespace tiebreak {

/// What a vendor's function gave: the result's elements in storage type, and the kernel's name where the library tells it.
struct OpAnswer {
  std::vector<std::byte> bytes{};
  std::string kernel{};
};

using OpCall = Result<OpAnswer> (*)(const SingleOp&);
using OpCalls = std::map<std::string, OpCall>;

std::vector<std::string> names_of(const OpCalls& calls);
/// The one result of the request's one op. `unsupported` for ops that the table does not have.
AdapterAnswer answer_by(const OpCalls& calls, const ExchangeCase& request);

/// The bytes of a vector of plain numbers.
template <class Number>
OpAnswer answer_of(const std::vector<Number>& numbers, std::string kernel = {}) {
  const auto* first = reinterpret_cast<const std::byte*>(numbers.data());
  return {std::vector<std::byte>(first, first + numbers.size() * sizeof(Number)), std::move(kernel)};
}

}  // namespace tiebreak
