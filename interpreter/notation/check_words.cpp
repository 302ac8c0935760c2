// SPDX-License-Identifier: Apache-2.0
// What each word of a formula stands for: N01 unknown, N02 wrong number of arguments, N04 a format that the conversion does not suit.
#include <algorithm>

#include "interpreter/notation/references.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {

std::vector<std::string> References::candidates() const {
  std::vector<std::string> known;
  for (const Local& local : frame_.locals) known.emplace_back(local.name);
  for (const Names* names = frame_.names; names != nullptr; names = names->outer)
    for (const auto& entry : names->table) known.emplace_back(entry.first);
  for (const Use& use : checker_.module.uses) known.push_back(use.alias);
  std::ranges::sort(known);  // the tables are hashed, messages are not to depend on it
  for (Words words : {rounding_words(), constants(), op_facts()}) known.insert(known.end(), words.begin(), words.end());
  for (const FunctionWord& function : functions()) known.emplace_back(function.word);
  for (const FloatFormat& format : float_formats()) known.emplace_back(format.name);
  return known;
}

void References::unknown(const std::string& what, std::string_view word, Position at, const std::string& written) {
  const std::string near = nearest(std::string(word), candidates());
  std::string kind = what;
  if (what == "name" && contains(rounding_words(), near)) kind = "rounding word";
  if (what == "name" && is_format_word(near)) kind = "format";
  report(Errc::unknown_name, "N01 unknown " + kind + " '" + written + "'", at, near.empty() ? "" : "did you mean '" + near + "'?");
}

bool References::pending(std::string_view path, Position at) {
  const std::string_view head = split_first(path).first;
  if (!pending_.contains(head)) return false;
  report(Errc::syntax, "N03 '" + std::string(head) + "' is used above its definition", at, "names after 'where' see those before them");
  return true;
}

Meaning References::look_up(const std::string& path, Position at) {
  const Meaning meaning = checker_.resolver.resolve(path, frame_);
  if (meaning.module != nullptr) checker_.refer(meaning.module->name, at);
  if (meaning.local != nullptr) used_locals_.insert(meaning.local->name);
  return meaning;
}

void References::use(const Meaning& meaning) {
  if (meaning.named == nullptr || meaning.named->formula() == nullptr || meaning.home->module != &checker_.module) return;
  checker_.used.insert(meaning.named->formula());
  if (formula_ != nullptr) checker_.formulas[formula_].uses.push_back(meaning.named->formula());
}

void References::name(const Expr& expression) {
  const std::string& text = expression.text;
  if (pending(text, expression.at)) return;
  const Meaning meaning = look_up(text, expression.at);
  if (!meaning.fact.empty()) return fact(meaning, expression);
  if (meaning.local != nullptr) return;
  if (meaning.named != nullptr) {
    use(meaning);
    const Named& named = *meaning.named;
    if (named.role == Role::region) report(Errc::unknown_name, "N01 the region '" + text + "' is no value", expression.at, "write fold[" + text + "](...)");
    const std::size_t needed = named.definition != nullptr ? named.definition->parameters.size()
                               : named.choice != nullptr   ? named.choice->parameters.size()
                                                           : 0;
    if (needed > 0) arity(text, needed, needed, 0, expression.at);
    return;
  }
  if (meaning.module != nullptr) {
    std::vector<std::string> members;
    for (const auto& entry : checker_.resolver.names_of_module(*meaning.module).table) members.emplace_back(entry.first);
    std::ranges::sort(members);
    report(Errc::unknown_name, "N01 module '" + meaning.module->name + "' has no '" + std::string(split_last(text).second) + "'", expression.at,
           suggest(split_last(text).second, members));
    return;
  }
  if (is_format_word(text) || contains(op_facts(), text)) return;
  if (contains(rounding_words(), text) || find_function(text) != nullptr) {
    report(Errc::unknown_name, "N01 '" + text + "' is a function, read without its argument", expression.at, "write " + text + "(...)");
    return;
  }
  unknown("name", split_first(text).first, expression.at, text);
}

void References::fact(const Meaning& meaning, const Expr& expression) {
  const std::string name(split_first(expression.text).first);
  Words known = tensor_facts();
  if (meaning.local != nullptr && !meaning.local->parameter) known = {};
  if (!meaning.format.empty()) known = format_facts();
  if (meaning.local != nullptr && meaning.local->parameter) known = facts();
  if (meaning.named != nullptr) {
    static constexpr std::string_view of_attributes[] = {"present", "type"};
    switch (meaning.named->role) {
      using enum Role;
      case operand:
      case result:
      case stage: break;
      case type_variable:
      case type_alias: known = format_facts(); break;
      case attribute: known = of_attributes; break;
      case let:
      case definition:
      case choice: known = {}; break;
      case region: known = region_facts(); break;
    }
    if (meaning.named->role == Role::type_alias) use(meaning);
  }
  if (contains(known, meaning.fact)) return;
  if (!known.empty()) {
    report(Errc::unknown_name, "N01 unknown fact '" + std::string(meaning.fact) + "' of '" + name + "'", expression.at,
           suggest(meaning.fact, {known.begin(), known.end()}));
    return;
  }
  const Module* hidden = checker_.resolver.find_module(std::string(split_last(expression.text).first), *frame_.names);
  report(Errc::unknown_name, "N01 '" + name + "' has no facts, read '" + expression.text + "'", expression.at,
         hidden != nullptr ? "the name hides the module '" + hidden->name + "': write its full path" : "");
}

void References::arity(const std::string& text, std::size_t least, std::size_t most, std::size_t given, Position at) {
  if (given >= least && given <= most) return;
  const std::string needed = least == most ? std::to_string(least) : std::to_string(least) + " or more";
  report(Errc::syntax,
         "N02 '" + text + "' takes " + needed + (needed == "1" ? " argument, " : " arguments, ") + (given == 0 ? "none" : std::to_string(given)) + " given",
         at);
}

/// A result's bare name handed to a definition, or before `is`, stands for the tensor (its scale, its range), most often not for its
/// values: that is no circle. Where it is one after all, the evaluator says so.
bool References::is_tensor_argument(const Expr& argument) {
  if (argument.kind != ExprKind::name || frame_.local(argument.text) != nullptr) return false;
  const Named* named = frame_.names->find(argument.text).named;
  if (named == nullptr || named->role != Role::result) return false;
  if (named->let != nullptr) checker_.used.insert(named->let);
  return true;
}

void References::call(const Expr& expression) {
  const std::string& text = expression.text;
  const std::size_t given = expression.args.size();
  if (pending(text, expression.at)) return;
  const Meaning meaning = look_up(text, expression.at);
  const bool defined = meaning.named != nullptr && meaning.fact.empty() && (meaning.named->definition != nullptr || meaning.named->choice != nullptr);
  for (const ExprPtr& argument : expression.args)
    if (!defined || !is_tensor_argument(*argument)) this->expression(*argument);
  if (meaning.found() || meaning.module != nullptr) return call_meaning(meaning, expression);
  if (contains(rounding_words(), text)) return arity(text, 1, 1, given, expression.at);
  if (const FunctionWord* function = find_function(text))
    return arity(text, static_cast<std::size_t>(function->least), static_cast<std::size_t>(function->most), given, expression.at);
  const std::size_t needed = text.starts_with("any.") ? 2 : 1;
  if (conversion(text, expression.at)) return arity(text, needed, needed, given, expression.at);
}

void References::call_meaning(const Meaning& meaning, const Expr& expression) {
  const std::string& text = expression.text;
  if (!meaning.fact.empty()) return fact(meaning, expression);
  if (meaning.local != nullptr) {
    if (meaning.local->parameter) return arity(text, 1, 1, expression.args.size(), expression.at);
    report(Errc::unknown_name, "N01 '" + text + "' is a name and takes no arguments", expression.at);
    return;
  }
  if (meaning.named == nullptr) return name(expression);
  const Named& named = *meaning.named;
  if (named.definition == nullptr && named.choice == nullptr) {
    if (is_target(text, frame_)) {
      if (named.role == Role::type_alias) use(meaning);
      conversion_class(text, text, expression.at);
      return arity(text, 1, 1, expression.args.size(), expression.at);
    }
    report(Errc::unknown_name, "N01 '" + text + "' is " + std::string(to_text(named.role)) + " and takes no arguments", expression.at);
    return;
  }
  use(meaning);
  const std::size_t needed = named.definition != nullptr ? named.definition->parameters.size() : named.choice->parameters.size();
  if (needed == 0) report(Errc::syntax, "N02 '" + text + "' takes no arguments", expression.at, "write " + text + " without parentheses");
  else arity(text, needed, needed, expression.args.size(), expression.at);
}

/// A conversion word, or N01. N04 where its format does not suit.
bool References::conversion(const std::string& text, Position at) {
  const std::optional<Conversion> parts = split_conversion(text);
  if (parts && is_target(parts->target, frame_)) {
    const Meaning target = look_up(std::string(parts->target), at);
    if (target.named != nullptr && target.named->role == Role::type_alias) use(target);
    conversion_class(text, parts->target, at);
    return true;
  }
  const auto [head, rest] = split_first(text);
  if (parts && (parts->verb != ConversionVerb::none || parts->rounding != nullptr)) unknown("format", parts->target, at, std::string(parts->target));
  else if (contains(conversion_verbs(), head))
    report(Errc::unknown_name, "N01 unknown conversion '" + text + "'", at, "a conversion is F, rtz.F, sat.F, sat.rtz.F, wrap.I, trap.I, each.F or any.F");
  else if (is_target(split_last(text).second, frame_) && !rest.empty())
    report(Errc::unknown_name, "N01 unknown rounding word '" + std::string(head) + "'", at, suggest(head, {rounding_words().begin(), rounding_words().end()}));
  else unknown("name", head, at, text);
  return false;
}

void References::conversion_class(const std::string& text, std::string_view target, Position at) {
  const FormatClass format = class_of_target(target, frame_);
  const std::optional<Conversion> parts = split_conversion(text);
  if (!parts) return;
  const std::string name(target);
  using enum ConversionVerb;
  if (format == FormatClass::integer && parts->verb == each) report(Errc::type, "N04 'each' needs a float format, '" + name + "' is an integer format", at);
  else if (format == FormatClass::integer && parts->rounding != nullptr)
    report(Errc::type, "N04 the integer format '" + name + "' with a rounding word", at,
           "round first: " + std::string(parts->verb == sat ? "sat." : "trap.") + name + "(" + std::string(to_word(*parts->rounding)) + "(...))");
  else if (format == FormatClass::integer && parts->verb == none)
    report(Errc::type, "N04 the integer format '" + name + "' without sat, wrap or trap", at,
           "write sat." + name + "(...), wrap." + name + "(...) or trap." + name + "(...)");
  else if (format == FormatClass::floating && (parts->verb == wrap || parts->verb == trap))
    report(Errc::type, "N04 '" + text.substr(0, 4) + "' needs an integer format, '" + name + "' is a float format", at,
           "write " + name + "(...) or sat." + name + "(...)");
}

void References::aggregate(const Expr& expression) {
  int definitions = 0;
  for (const Modifier& one : expression.modifiers) modifier(expression, one, definitions);
  if (expression.text == "fold" && definitions == 0 && expression.modifiers.empty())
    report(Errc::syntax, "N02 'fold' without what it folds with", expression.at, "write fold[f](...) with a definition of two arguments or a region");
  for (const ExprPtr& part : expression.args) this->expression(*part);
}

void References::modifier(const Expr& expression, const Modifier& modifier, int& definitions) {
  const std::string& word = modifier.name;
  const std::size_t given = modifier.args.size();
  if (!contains(modifier_words(), word)) {
    if (given > 0) report(Errc::syntax, "N02 the step '" + word + "' is written without arguments", modifier.at);
    return step(expression, modifier, definitions);
  }
  if (word == "order") {
    if (given == 0) report(Errc::syntax, "N02 'order' takes the indices, slowest first", modifier.at, "write order(feature, spatial)");
    return index_arguments(modifier, 0);
  }
  const bool sized = word == "blocks" || word == "lanes";
  const std::size_t most = word == "blocks" ? 2 : sized ? 1 : 0;
  if (given < (sized ? 1u : 0u) || given > most) {
    report(Errc::syntax,
           "N02 '" + word + "' takes " +
               (most == 0   ? "no arguments"
                : most == 1 ? "a number"
                            : "a number and perhaps an index") +
               ", " + std::to_string(given) + " given",
           modifier.at);
    return;
  }
  if (sized) this->expression(*modifier.args[0]);
  index_arguments(modifier, 1);
}

void References::index_arguments(const Modifier& modifier, std::size_t first) {
  for (std::size_t i = first; i < modifier.args.size(); ++i) {
    const Expr& argument = *modifier.args[i];
    if (argument.kind == ExprKind::name && contains(index_words(), argument.text)) continue;
    report(Errc::unknown_name, "N01 unknown index '" + print(argument) + "' in '" + modifier.name + "'", argument.at,
           suggest(argument.text, {index_words().begin(), index_words().end()}));
  }
}

/// What is applied after each item: a conversion or a definition of one argument; for `fold` a definition of two or a region.
void References::step(const Expr& expression, const Modifier& modifier, int& definitions) {
  const std::string& word = modifier.name;
  ++definitions;
  const std::size_t needed = expression.text == "fold" ? 2 : 1;
  const Meaning meaning = look_up(word, modifier.at);
  const Named* named = meaning.named;
  if (named != nullptr && meaning.fact.empty() && (named->definition != nullptr || named->choice != nullptr)) {
    use(meaning);
    const std::size_t taken = named->definition != nullptr ? named->definition->parameters.size() : named->choice->parameters.size();
    if (taken != needed)
      report(Errc::syntax,
             "N02 '" + expression.text + "' needs a step of " + std::to_string(needed) + (needed == 1 ? " argument, '" : " arguments, '") + word + "' takes " +
                 std::to_string(taken),
             modifier.at);
    return;
  }
  if (named != nullptr && named->role == Role::region && needed == 2) return;
  if (meaning.module != nullptr || !meaning.fact.empty()) {
    report(Errc::unknown_name, "N01 unknown step '" + word + "'", modifier.at);
    return;
  }
  if (needed == 2) {
    report(Errc::syntax, "N02 'fold' needs a definition of two arguments or a region, read '" + word + "'", modifier.at);
    return;
  }
  if (contains(rounding_words(), word)) return;
  if (named != nullptr && !is_target(word, frame_)) {
    report(Errc::unknown_name, "N01 '" + word + "' is " + std::string(to_text(named->role)) + ", no step", modifier.at);
    return;
  }
  if (split_conversion(word) && !is_target(split_conversion(word)->target, frame_) && word.find('.') == std::string::npos) {
    std::vector<std::string> known = candidates();
    known.insert(known.end(), modifier_words().begin(), modifier_words().end());
    report(Errc::unknown_name, "N01 unknown modifier '" + word + "'", modifier.at, suggest(word, known));
    return;
  }
  conversion(word, modifier.at);
}

}  // namespace tiebreak::notation
