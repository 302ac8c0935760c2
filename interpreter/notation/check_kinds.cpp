// SPDX-License-Identifier: Apache-2.0
// N12: a truth value, text, format or pair where a number is needed; a pair that is not taken apart.
// Where the page does not say what a name is (attributes, parameters), nothing is found: the evaluator knows.
#include <algorithm>

#include "interpreter/notation/checker.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {
namespace {

/// What a value is; from `pair` on a tuple, with the number of its parts in place of the word.
enum Kind : std::uint64_t { unknown, number, truth, text, format, list, none, pair };

constexpr int deepest_kind = 3000;

std::string describe(std::uint64_t kind) {
  switch (kind) {
    case truth: return "a truth value";
    case text: return "a text";
    case format: return "a format";
    case list: return "a list";
    case none: return "none";
    case number: return "a number";
    default: return "a pair";
  }
}

bool is_pair(std::uint64_t kind) { return kind >= pair; }

class Kinds {
 public:
  explicit Kinds(Checker& checker) : checker_(checker) {}

  void run() {
    for (const Definition& one : checker_.module.definitions) formula(&one, checker_.names);
    for (const Choice& one : checker_.module.choices) formula(&one, checker_.names);
    for (const Claim& one : checker_.module.claims) claim(one, checker_.names);
    for (std::size_t i = 0; i < checker_.module.ops.size(); ++i)
      for (const Statement& one : checker_.module.ops[i].statements) statement(one, checker_.ops[i]);
  }

 private:
  void statement(const Statement& statement, const Names& names) {
    Frame frame{.names = &names};
    if (const auto* one = std::get_if<Definition>(&statement)) formula(one, names);
    if (const auto* one = std::get_if<Choice>(&statement)) formula(one, names);
    if (const auto* one = std::get_if<Claim>(&statement)) claim(*one, names);
    if (const auto* one = std::get_if<Constraint>(&statement)) need_truth(*one->condition, frame);
    if (const auto* one = std::get_if<Let>(&statement)) taken_apart(one->targets, formula(one, names), one->at);
    if (const auto* one = std::get_if<TypeAlias>(&statement))
      if (const std::uint64_t found = kind(*one->value, frame); found != unknown && found != format) mismatch("a format", found, *one->value);
  }

  void claim(const Claim& claim, const Names& names) {
    Frame frame{.names = &names};
    for (const auto& parameter : claim.parameters)
      frame.locals.push_back({.name = parameter.first, .parameter = true, .value = parameter.second == "bool" ? truth : number});
    need_truth(*claim.condition, frame);
  }

  // Bodies, each once; findings are reported in the module under check alone.
  template <class One>
  std::uint64_t formula(const One* one, const Names& names) {
    if (const auto found = known_.find(one); found != known_.end()) return found->second;
    if (depth_ > deepest_kind) return unknown;
    known_[one] = unknown;
    const bool reporting = std::exchange(reporting_, checker_.resolver.is_own(names));
    const ReportedIn page(checker_, checker_.module.file);
    const std::uint64_t result = bodies(*one, names);
    reporting_ = reporting;
    return known_[one] = result;
  }
  std::uint64_t bodies(const Let& let, const Names& names) { return body(let.body, {.names = &names}); }
  std::uint64_t bodies(const Definition& definition, const Names& names) { return body(definition.body, frame_of(definition.parameters, names)); }
  std::uint64_t bodies(const Choice& choice, const Names& names) {
    std::uint64_t joined = unknown;
    for (std::size_t i = 0; i < choice.alternatives.size(); ++i) {
      const ReportedIn page(checker_, choice.alternatives[i].file);
      const std::uint64_t found = body(choice.alternatives[i].body, frame_of(choice.parameters, names));
      joined = i == 0 ? found : join(joined, found);
    }
    return joined;
  }
  static Frame frame_of(const std::vector<std::string>& parameters, const Names& names) {
    Frame frame{.names = &names};
    for (const std::string& parameter : parameters) frame.locals.push_back({.name = parameter, .parameter = true});
    return frame;
  }
  std::uint64_t body(const Body& body, Frame frame) {
    for (const Binding& binding : body.where) {
      const std::uint64_t bound = kind(*binding.value, frame);
      taken_apart(binding.targets, bound, binding.at);
      for (const std::string& target : binding.targets) frame.locals.push_back({.name = target, .value = binding.targets.size() > 1 ? unknown : bound});
    }
    return kind(*body.value, frame);
  }

  static std::uint64_t join(std::uint64_t a, std::uint64_t b) { return a == b ? a : unknown; }

  void report(const std::string& what, Position at, std::string hint = {}) {
    if (reporting_) checker_.report(Errc::type, "N12 " + what, at, std::move(hint));
  }
  void mismatch(const std::string& needed, std::uint64_t found, const Expr& expression) {
    if (is_pair(found)) return report("a pair must be taken apart before it is used", expression.at, "write (a, b) = ...");
    report(needed + " is needed, '" + print(expression) + "' is " + describe(found), expression.at);
  }
  void need_number(const Expr& expression, const Frame& frame) {
    if (const std::uint64_t found = kind(expression, frame); found != unknown && found != number) mismatch("a number", found, expression);
  }
  void need_truth(const Expr& expression, const Frame& frame) {
    if (const std::uint64_t found = kind(expression, frame); found != unknown && found != truth) mismatch("a truth value", found, expression);
  }
  std::uint64_t single(const Expr& expression, const Frame& frame) {
    const std::uint64_t found = kind(expression, frame);
    if (is_pair(found)) mismatch("one value", found, expression);
    return found;
  }
  void taken_apart(const std::vector<std::string>& targets, std::uint64_t found, Position at) {
    if (targets.size() == 1 && is_pair(found)) report("'" + targets.front() + "' is a pair and must be taken apart", at, "write (a, b) = ...");
    else if (targets.size() > 1 && found != unknown && found != pair + targets.size())
      report(std::to_string(targets.size()) + " names for " + (is_pair(found) ? std::to_string(found - pair) + " values" : describe(found)), at);
  }

  std::uint64_t kind(const Expr& expression, const Frame& frame) {
    ++depth_;
    const std::uint64_t found = depth_ > deepest_kind ? unknown : kind_of(expression, frame);
    --depth_;
    return found;
  }

  std::uint64_t kind_of(const Expr& expression, const Frame& frame) {
    const std::vector<ExprPtr>& args = expression.args;
    switch (expression.kind) {
      using enum ExprKind;
      case ExprKind::number: return Kind::number;
      case string: return Kind::text;
      case data: return Kind::list;
      case constant: return constant_kind(expression.text);
      case name: return name_kind(expression, frame);
      case call: return call_kind(expression, frame);
      case unary:
        if (expression.text == "not") {
          need_truth(*args[0], frame);
          return Kind::truth;
        }
        need_number(*args[0], frame);
        return Kind::number;
      case binary: return binary_kind(expression, frame);
      case is: single(*args[0], frame); return Kind::truth;
      case conditional: {
        need_truth(*args[0], frame);
        const std::uint64_t then = kind(*args[1], frame), otherwise = kind(*args[2], frame);
        return is_undefined(*args[1]) ? otherwise : is_undefined(*args[2]) ? then : join(then, otherwise);
      }
      case item:
        single(*args[0], frame);
        need_number(*args[1], frame);
        return Kind::unknown;
      case tuple:
      case ExprKind::list:
        for (const ExprPtr& part : args) single(*part, frame);
        return expression.kind == tuple ? Kind::pair + args.size() : Kind::list;
      case aggregate:
        for (const ExprPtr& part : args) need_number(*part, frame);
        for (const Modifier& modifier : expression.modifiers)
          if ((modifier.name == "blocks" || modifier.name == "lanes") && !modifier.args.empty()) need_number(*modifier.args[0], frame);
        return Kind::number;
    }
    return Kind::unknown;
  }

  static bool is_undefined(const Expr& expression) { return expression.kind == ExprKind::constant && expression.text == "undefined"; }

  static std::uint64_t constant_kind(const std::string& word) {
    if (word == "true" || word == "false") return truth;
    if (word == "none") return none;
    return word == "undefined" ? unknown : number;
  }

  std::uint64_t binary_kind(const Expr& expression, const Frame& frame) {
    const std::string& word = expression.text;
    const Expr &left = *expression.args[0], &right = *expression.args[1];
    if (word == "and" || word == "or") {
      need_truth(left, frame);
      need_truth(right, frame);
      return truth;
    }
    if (word == "==" || word == "!=" || word == "in") {
      single(left, frame);
      const std::uint64_t found = single(right, frame);
      if (word == "in" && found != unknown && found != list && !is_pair(found))
        report("'in' needs a list, '" + print(right) + "' is " + describe(found), right.at);
      return truth;
    }
    need_number(left, frame);
    need_number(right, frame);
    return word.front() == '<' || word.front() == '>' ? truth : number;
  }

  std::uint64_t name_kind(const Expr& expression, const Frame& frame) {
    const Meaning meaning = checker_.resolver.resolve(expression.text, frame);
    if (!meaning.fact.empty()) {
      const std::string_view fact = meaning.fact;
      if (fact == "type" || fact == "expressed") return format;
      if (fact == "present" || fact == "constant" || fact == "alike" || fact == "blocked") return truth;
      if (meaning.named != nullptr && meaning.named->role == Role::region) return fact == "bodies" ? number : truth;
      if (fact == "axis") return unknown;  // a number, or none
      return fact == "shape" ? list : number;
    }
    if (meaning.local != nullptr) return meaning.local->value;
    if (meaning.named == nullptr) return is_format_word(expression.text) ? format : unknown;
    const Named& named = *meaning.named;
    switch (named.role) {
      using enum Role;
      case operand: return operand_kind(*named.operand);
      case type_variable:
      case type_alias: return format;
      case result:
      case let:
      case definition:
      case choice: return formula_kind(named, *meaning.home);
      case attribute:
      case stage:
      case region: return unknown;
    }
    return unknown;
  }

  static std::uint64_t operand_kind(const Operand& operand) {
    if (operand.quantized || operand.types.empty()) return unknown;
    // The numbers of an integer or float tensor; formats ask for its type by the same name (y is quant, Q is int).
    return operand.types.size() == 1 && operand.types.front() == "bool" ? truth : unknown;
  }

  std::uint64_t formula_kind(const Named& named, const Names& home) {
    if (named.definition != nullptr) return formula(named.definition, home);
    if (named.choice != nullptr) return formula(named.choice, home);
    if (named.let == nullptr) return unknown;
    return named.let->targets.size() == 1 ? formula(named.let, home) : unknown;
  }

  std::uint64_t call_kind(const Expr& expression, const Frame& frame) {
    const Meaning meaning = checker_.resolver.resolve(expression.text, frame);
    if (meaning.named != nullptr && meaning.fact.empty() && (meaning.named->definition != nullptr || meaning.named->choice != nullptr)) {
      for (const ExprPtr& part : expression.args) single(*part, frame);
      return formula_kind(*meaning.named, *meaning.home);
    }
    if (expression.text == "scalar") {
      for (const ExprPtr& part : expression.args) single(*part, frame);
      return truth;
    }
    if (expression.text == "all") {
      for (const ExprPtr& part : expression.args) need_truth(*part, frame);
      return truth;
    }
    for (const ExprPtr& part : expression.args) {
      const std::uint64_t found = kind(*part, frame);
      if (found != unknown && found != number) mismatch("a number", found, *part);
    }
    return expression.text == "isnan" ? truth : number;
  }

  Checker& checker_;
  std::unordered_map<const void*, std::uint64_t> known_{};
  bool reporting_ = true;
  int depth_ = 0;
};

}  // namespace

void check_kinds(Checker& checker) { Kinds(checker).run(); }

}  // namespace tiebreak::notation
