// SPDX-License-Identifier: Apache-2.0
#include "interpreter/stairs/monotone_pieces.hpp"

#include "interpreter/stairs/piece_analysis.hpp"

namespace tiebreak {
namespace {

Result<Finding> analyse(ScalarFunction::Parts& parts, const InputRun& run, std::size_t limit, bool periods) {
  PieceAnalysis analysis(parts, run, limit, periods);
  for (const FormulaRequire& requirement : parts.formula.requires_) {
    TIEBREAK_TRY(held, analysis.of(requirement.node));
    if (!held.settled()) return held;
  }
  return analysis.of(parts.root);
}

Result<MonotonePieces> cut(ScalarFunction::Parts& parts, InputRun run, std::size_t limit, bool periods) {
  TIEBREAK_CHECK(parts.make_plan());
  // Where periods count, pieces are few and their number is not what limits them.
  const std::size_t most = periods ? limit * 64 : limit;
  MonotonePieces result;
  std::vector<std::pair<std::int64_t, std::int64_t>> waiting{{run.first, run.last}};
  while (!waiting.empty()) {
    const auto [first, last] = waiting.back();
    waiting.pop_back();
    run.first = first;
    run.last = last;
    TIEBREAK_TRY(finding, analyse(parts, run, limit, periods));
    if (finding.unknown >= 0) return MonotonePieces{{}, parts.formula[finding.unknown].text};
    if (finding.cut) {
      if (result.pieces.size() + waiting.size() >= most) return MonotonePieces{{}, "more cuts than the limit"};
      waiting.emplace_back(*finding.cut, last);
      waiting.emplace_back(first, *finding.cut - 1);
      continue;
    }
    result.pieces.push_back({first, last, finding.direction, finding.periodic});
  }
  return result;
}

}  // namespace

Result<MonotonePieces> monotone_pieces(ScalarFunction::Parts& parts, std::size_t limit) {
  return cut(parts, {[&parts](std::int64_t ordinal) { return parts.input.value(ordinal); }, parts.input.first, parts.input.last}, limit, false);
}

Result<MonotonePieces> monotone_pieces(ScalarFunction::Parts& parts, const InputRun& run, std::size_t limit) { return cut(parts, run, limit, true); }

}  // namespace tiebreak
