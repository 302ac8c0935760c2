// SPDX-License-Identifier: Apache-2.0
// Which element types an op is asked about when nobody says: those that quantized kernels come with.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "testsuite/case/op_roles.hpp"

namespace tiebreak {

using AskedTypes = std::map<std::string, std::string>;  ///< operand, result or attribute -> element type

/// The page's first types, then every mixture of i8 and u8 for codes that go in or come out. Each set of types once; none where no questions can be made.
std::vector<AskedTypes> default_element_types(const Library& library, const std::string& op);

/// Types of the data and of the result alone: `x=u8 w=i8 -> u8`.
std::string short_types(const OpRoles& roles);

}  // namespace tiebreak
