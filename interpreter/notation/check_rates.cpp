// SPDX-License-Identifier: Apache-2.0
// N07: aggregates of what does not vary over the bag, aggregates without a bag, values per block outside an aggregate.
// A rate is a set of bits: the item of the bag, the block, and one bit for each parameter of the definition at hand.
#include <algorithm>
#include <bit>

#include "interpreter/notation/checker.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {
namespace {

using Rate = std::uint64_t;
constexpr Rate per_item = 1, per_block = 2;
constexpr int first_parameter = 2, parameter_bits = 60;
constexpr int deepest_rate = 3000;

Rate bit_of(std::size_t parameter) { return Rate{1} << (first_parameter + static_cast<int>(std::min<std::size_t>(parameter, parameter_bits))); }

bool is_positional(const Modifier& modifier) { return modifier.name == "blocks" || modifier.name == "lanes"; }

class Rates {
 public:
  explicit Rates(Checker& checker) : checker_(checker) {}

  void run() {
    for (const Definition& one : checker_.module.definitions) formula(&one, checker_.names);
    for (const Choice& one : checker_.module.choices) formula(&one, checker_.names);
    for (std::size_t i = 0; i < checker_.module.ops.size(); ++i) op(checker_.module.ops[i], checker_.ops[i]);
  }

 private:
  /// Members of a variadic operand are a bag.
  static bool names_variadic(const Op& op, const Structure& structure) {
    return std::ranges::any_of(structure.arguments, [&](const Argument& argument) {
      return std::ranges::any_of(op.operands, [&](const Operand& operand) { return operand.variadic && operand.name == argument.name; });
    });
  }

  static bool has_bag(const Op* op) {
    if (op == nullptr) return true;
    for (const Statement& statement : op->statements)
      if (const auto* structure = std::get_if<Structure>(&statement)) {
        const std::string_view name = split_first(structure->path).first;
        if (structure->path == "move.iota") return true;
        if (name == "elementwise" && names_variadic(*op, *structure)) return true;
        return name != "elementwise" && name != "move" && name != "concat" && name != "gather" && name != "control";
      }
    return false;
  }

  void op(const Op& op, const Names& names) {
    for (const Statement& statement : op.statements) {
      if (const auto* one = std::get_if<Definition>(&statement)) formula(one, names);
      if (const auto* one = std::get_if<Choice>(&statement)) formula(one, names);
      if (const auto* one = std::get_if<Constraint>(&statement)) rate(*one->condition, {.names = &names});
      if (const auto* one = std::get_if<Let>(&statement)) {
        const Rate found = formula(one, names);
        const bool result = std::ranges::any_of(one->targets, [&](const std::string& target) {
          const Named* named = names.find(target).named;
          return named != nullptr && named->role == Role::result;
        });
        if (result && (found & per_block) != 0)
          checker_.report(Errc::type, "N07 the result '" + one->targets.front() + "' is made of values per block outside an aggregate", one->at,
                          "put sum(...) around sum[blocks(n)](...)");
      }
    }
  }

  template <class One>
  Rate formula(const One* one, const Names& names) {
    if (const auto found = known_.find(one); found != known_.end()) return found->second;
    if (depth_ > deepest_rate) return per_item;
    known_[one] = 0;
    const bool reporting = std::exchange(reporting_, checker_.resolver.is_own(names));
    const ReportedIn page(checker_, checker_.module.file);
    const Rate result = bodies(*one, names);
    reporting_ = reporting;
    return known_[one] = result;
  }
  Rate bodies(const Let& let, const Names& names) { return body(let.body, {.names = &names}); }
  Rate bodies(const Definition& definition, const Names& names) { return body(definition.body, frame_of(definition.parameters, names)); }
  Rate bodies(const Choice& choice, const Names& names) {
    Rate joined = 0;
    for (const Alternative& alternative : choice.alternatives) {
      const ReportedIn page(checker_, alternative.file);
      joined |= body(alternative.body, frame_of(choice.parameters, names));
    }
    return joined;
  }
  static Frame frame_of(const std::vector<std::string>& parameters, const Names& names) {
    Frame frame{.names = &names};
    for (std::size_t i = 0; i < parameters.size(); ++i) frame.locals.push_back({.name = parameters[i], .parameter = true, .value = bit_of(i)});
    return frame;
  }
  Rate body(const Body& body, Frame frame) {
    for (const Binding& binding : body.where) {
      const Rate bound = rate(*binding.value, frame);
      for (const std::string& target : binding.targets) frame.locals.push_back({.name = target, .value = bound});
    }
    return rate(*body.value, frame);
  }

  Rate rate(const Expr& expression, const Frame& frame) {
    ++depth_;
    const Rate found = depth_ > deepest_rate ? per_item : rate_of(expression, frame);
    --depth_;
    return found;
  }

  Rate join(const std::vector<ExprPtr>& parts, const Frame& frame) {
    Rate joined = 0;
    for (const ExprPtr& part : parts) joined |= rate(*part, frame);
    return joined;
  }

  Rate rate_of(const Expr& expression, const Frame& frame) {
    switch (expression.kind) {
      using enum ExprKind;
      case number:
      case string:
      case data: return 0;
      case constant: return expression.text == "index" ? per_item : 0;
      case name: return name_rate(expression, frame);
      case call: return call_rate(expression, frame);
      case aggregate: return aggregate_rate(expression, frame);
      case unary:
      case binary:
      case is:
      case conditional:
      case item:
      case tuple:
      case list: return join(expression.args, frame);
    }
    return 0;
  }

  Rate name_rate(const Expr& expression, const Frame& frame) {
    const Meaning meaning = checker_.resolver.resolve(expression.text, frame);
    if (!meaning.fact.empty())
      return meaning.fact == "scale" || meaning.fact == "zero_point" || meaning.fact == "place" || meaning.fact == "piece" ? per_item : 0;
    if (meaning.local != nullptr) return meaning.local->value;
    if (meaning.named == nullptr) return expression.text.ends_with("weight") ? per_item : 0;
    switch (meaning.named->role) {
      using enum Role;
      case operand: {
        const Operand& declared = *meaning.named->operand;
        return declared.indexed && (declared.indices.empty() || declared.indices.front().name == "*") ? 0 : per_item;
      }
      case result:
      case let:
      case definition:
      case choice: return formula_rate(*meaning.named, *meaning.home);
      case stage: return per_item;
      case attribute:
      case type_variable:
      case type_alias:
      case region: return 0;
    }
    return 0;
  }

  Rate formula_rate(const Named& named, const Names& home) {
    if (named.definition != nullptr) return formula(named.definition, home);
    if (named.choice != nullptr) return formula(named.choice, home);
    return named.let != nullptr ? formula(named.let, home) : per_item;
  }

  /// The rate of a body with the arguments' rates in place of its parameters' bits.
  Rate call_rate(const Expr& expression, const Frame& frame) {
    const Meaning meaning = checker_.resolver.resolve(expression.text, frame);
    const bool defined = meaning.named != nullptr && meaning.fact.empty() && (meaning.named->definition != nullptr || meaning.named->choice != nullptr);
    if (!defined) return join(expression.args, frame);
    const Rate of_body = formula_rate(*meaning.named, *meaning.home);
    Rate result = of_body & (per_item | per_block);
    for (std::size_t i = 0; i < expression.args.size(); ++i)
      if (const Rate argument = rate(*expression.args[i], frame); (of_body & bit_of(i)) != 0) result |= argument;
    return result;
  }

  Rate aggregate_rate(const Expr& expression, const Frame& frame) {
    const auto has = [&](std::string_view word) { return std::ranges::find(expression.modifiers, word, &Modifier::name) != expression.modifiers.end(); };
    const bool whole = has("whole");
    const Rate body = rate(*expression.args[0], frame);
    for (std::size_t i = 1; i < expression.args.size(); ++i) rate(*expression.args[i], frame);
    if (reporting_ && !whole && !has_bag(frame.names->op))
      checker_.report(Errc::type, "N07 '" + expression.text + "' without a bag", expression.at,
                      "rows, dot, convolution, window and scatter have one; max[whole](...) runs over the whole tensor");
    else if (reporting_ && body == 0) checker_.report(Errc::type, "N07 '" + expression.text + "' of a value that does not vary over the bag", expression.at);
    return std::ranges::any_of(expression.modifiers, is_positional) ? per_block : 0;
  }

  Checker& checker_;
  std::unordered_map<const void*, Rate> known_{};
  bool reporting_ = true;
  int depth_ = 0;
};

}  // namespace

void check_rates(Checker& checker) { Rates(checker).run(); }

}  // namespace tiebreak::notation
