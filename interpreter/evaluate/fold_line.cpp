// SPDX-License-Identifier: Apache-2.0
#include "interpreter/evaluate/fold_line.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/evaluate/regions.hpp"
#include "interpreter/notation/notation.hpp"

namespace tiebreak::regions {
namespace {

using notation::Expr;
using notation::ExprKind;

struct KindWord {
  const char* word;
  FoldKind kind;
};
constexpr KindWord kind_words[] = {{"backward", FoldKind::backward},     {"reversed", FoldKind::reversed}, {"start_last", FoldKind::start_last},
                                   {"start_both", FoldKind::start_both}, {"pairwise", FoldKind::pairwise}, {"restarted", FoldKind::restarted},
                                   {"blocks", FoldKind::blocks},         {"lanes", FoldKind::lanes}};

/// A name that is a choice of the op stands for the alternative that is taken.
const Expr* formula_of(const Context& context, const Expr& value) {
  if (value.kind != ExprKind::name) return &value;
  const auto taken = context.header.choices.find(value.text);
  return taken == context.header.choices.end() || !taken->second->body.where.empty() ? nullptr : taken->second->body.value.get();
}

bool read_modifier(const notation::Modifier& modifier, FoldOrder& order) {
  if (modifier.name == "any") order.set = FoldSet::trees;
  if (modifier.name == "permuted") order.set = FoldSet::permutations;
  if (order.set != FoldSet::one) return true;
  const auto* known = std::ranges::find(kind_words, modifier.name, [](const KindWord& one) { return std::string(one.word); });
  if (known == std::end(kind_words)) return false;
  order.kind = known->kind;
  if (modifier.args.empty()) return true;
  const auto size = modifier.args[0]->kind == ExprKind::number && modifier.args.size() == 1 ? modifier.args[0]->value.to_int64() : std::nullopt;
  order.size = size.value_or(0);
  return order.size > 0;
}

bool is_in_runs(const FoldOrder& order) { return order.kind == FoldKind::blocks || order.kind == FoldKind::lanes; }

std::optional<FoldLine> read_fold(const Context& context, const Expr& fold) {
  const notation::Op& op = *context.header.op;
  if (fold.kind != ExprKind::aggregate || fold.text != "fold" || fold.modifiers.empty() || fold.modifiers.size() > 2) return std::nullopt;
  const auto region = std::ranges::find(op.regions, fold.modifiers[0].name);
  if (region == op.regions.end()) return std::nullopt;
  const Expr& inner = *fold.args[0];
  if (inner.kind == ExprKind::aggregate) {  // fold[body](fold[body, lanes(2)](items, start)): what runs give is folded again
    const bool same = fold.modifiers.size() == 1 && fold.args.size() == 1 && !inner.modifiers.empty() && inner.modifiers[0].name == fold.modifiers[0].name;
    const auto line = same ? read_fold(context, inner) : std::nullopt;
    return line && is_in_runs(line->order) ? line : std::nullopt;
  }
  for (const notation::ExprPtr& operand : fold.args)
    if (!context.header.operands.contains(operand->text)) return std::nullopt;
  FoldLine line{.region = static_cast<std::size_t>(region - op.regions.begin()), .source = fold.args[0]->text};
  if (fold.args.size() > 1) line.start = fold.args[1]->text;
  line.order.has_start = fold.args.size() > 1;
  if (fold.modifiers.size() > 1 && !read_modifier(fold.modifiers[1], line.order)) return std::nullopt;
  const bool needs_start = line.order.kind != FoldKind::forward && line.order.kind != FoldKind::pairwise && line.order.kind != FoldKind::backward &&
                           line.order.kind != FoldKind::reversed;
  return needs_start && !line.order.has_start ? std::nullopt : std::optional(line);
}

}  // namespace

Result<FoldLine> fold_line(const Context& context) {
  for (const notation::Statement& statement : context.header.op->statements) {
    const auto* let = std::get_if<notation::Let>(&statement);
    if (let == nullptr || let->targets.size() != 1 || let->targets[0] != context.header.op->results.front().name) continue;
    const Expr* formula = formula_of(context, *let->body.value);
    if (formula == nullptr) break;
    const auto line = read_fold(context, *formula);
    if (line && (!is_in_runs(line->order) || formula->args[0]->kind == ExprKind::aggregate)) return *line;
  }
  return fail(Errc::unsupported, fmt::format("{}: its formula is not of the form fold[body, order](operand, operand)", context.call.op), context.call.where,
              "one order: pairwise, backward, reversed, start_last, start_both, restarted, any, permuted; fold[body](fold[body, lanes(n)](operand, operand)), "
              "blocks(n) alike");
}

}  // namespace tiebreak::regions
