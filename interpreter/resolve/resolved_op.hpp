// SPDX-License-Identifier: Apache-2.0
// An op as one system computes it: choices replaced by what the profile takes, definitions written in place or listed, each line with its places.
// The lines are text of the notation: a page of them alone checks, and has only the choices that the profile leaves open.
#pragma once
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

/// A place that a line comes from.
struct Clause {
  std::string file;
  int line = 0;
  std::string taken{};     ///< onnx.QLinearConv/accumulator=wrap; "" for what is no choice
  bool elsewhere = false;  ///< the alternative stands in another page than its choice
  bool operator==(const Clause&) const = default;
};

enum class LineKind : std::uint8_t { header, types, stage, structure, constraint, formula, definition, open_choice };
std::string to_text(LineKind kind);

struct ResolvedLine {
  LineKind kind = LineKind::formula;
  std::string name;             ///< what it defines: y, tie; the first word of other lines. With the kind, what two views have in common
  std::string text;             ///< one statement; further rows are indented
  std::vector<Clause> clauses;  ///< its own place first
};

struct ResolvedOp {
  std::string op, profile;
  bool has_choices = false;  ///< the op reaches choices
  bool declared = false;     ///< the profile binds one of them
  std::vector<ResolvedLine> lines;
};

Result<ResolvedOp> resolve_op(const Library& library, const Profile& profile, const std::string& op);

}  // namespace tiebreak
