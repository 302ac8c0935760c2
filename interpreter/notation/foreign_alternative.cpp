// SPDX-License-Identifier: Apache-2.0
#include "interpreter/notation/foreign_alternative.hpp"

#include <algorithm>
#include <set>

#include "interpreter/notation/lexer.hpp"
#include "interpreter/notation/names.hpp"
#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {
namespace {

class Attachment {
 public:
  Attachment(const Module& page, const ChoiceHome& home, std::vector<Error>& findings)
      : page_(page), home_(home), findings_(findings), own_(names_of(page, ignored_)), module_(names_of(home.module, ignored_)) {
    if (home.op != nullptr) op_ = names_of(*home.op, module_, ignored_);
    locals_.insert(home.choice.parameters.begin(), home.choice.parameters.end());
  }

  Alternative run(Alternative alternative) {
    alternative.file = page_.file;
    for (Binding& binding : alternative.body.where) {
      binding.value = expression(binding.value);
      locals_.insert(binding.targets.begin(), binding.targets.end());
    }
    alternative.body.value = expression(alternative.body.value);
    return alternative;
  }

 private:
  ExprPtr expression(const ExprPtr& original) {
    if (!original) return original;
    Expr copy = *original;
    if (copy.kind == ExprKind::name || copy.kind == ExprKind::call) copy.text = path(copy.text, copy.at);
    for (ExprPtr& part : copy.args) part = expression(part);
    for (Modifier& modifier : copy.modifiers) {
      modifier.name = path(modifier.name, modifier.at);
      for (ExprPtr& argument : modifier.args) argument = expression(argument);
    }
    return std::make_shared<const Expr>(std::move(copy));
  }

  /// The path as the choice's page has to write it.
  std::string path(const std::string& written, Position at) {
    const std::string head(split_first(written).first);
    if (locals_.contains(head)) return written;
    if (const Named* named = own_.find(head).named; named != nullptr && head == written) {
      if (const Names::Found other = of_choice().find(head); other.named != nullptr)
        clash({head, to_text(named->role), named->at}, {to_text(other.named->role), other.named->at}, at);
      return page_.name + "." + written;
    }
    const auto [prefix, last] = split_last(written);
    const auto use = std::ranges::find(page_.uses, prefix, &Use::alias);
    return prefix.empty() || use == page_.uses.end() ? written : member(*use, written, at);
  }

  std::string member(const Use& use, const std::string& written, Position at) {
    if (const Names::Found other = of_choice().find(use.alias); other.named != nullptr)
      clash({use.alias, "an alias", use.at}, {to_text(other.named->role), other.named->at}, at);
    const auto theirs = std::ranges::find(home_.module.uses, use.alias, &Use::alias);
    const bool taken = theirs != home_.module.uses.end(), has_alias = taken && theirs->module == use.module;
    if (taken && !has_alias) clash({use.alias, "an alias", use.at}, {"an alias", theirs->at}, at);
    if (!use.readings.empty() && (!has_alias || theirs->readings != use.readings))
      report("the readings of 'use " + use.module + "(...)' hold for definitions of this page, not for the choice '" + home_.choice.name + "'", at,
             "put what names '" + use.alias + "' into a definition of this page");
    return has_alias ? written : use.module + "." + std::string(split_last(written).second);
  }

  struct Own {
    std::string_view name, what;
    Position at;
  };
  struct Theirs {
    std::string_view what;
    Position at;
  };
  void clash(const Own& own, const Theirs& theirs, Position at) {
    report("'" + std::string(own.name) + "' is " + std::string(own.what) + " at " + place(page_.file, own.at) + " and " + std::string(theirs.what) + " at " +
               place(home_.module.file, theirs.at),
           at, "give the one in " + page_.file + " another name");
  }

  void report(const std::string& what, Position at, std::string hint) {
    findings_.push_back({Errc::syntax, "N03 " + what, place(page_.file, at), std::move(hint)});
  }

  const Names& of_choice() const { return home_.op != nullptr ? op_ : module_; }

  const Module& page_;
  const ChoiceHome& home_;
  std::vector<Error>& findings_;
  std::vector<Error> ignored_{};  ///< reported where these pages are checked
  Names own_, module_, op_{};
  std::set<std::string> locals_{};
};

}  // namespace

Alternative attach(const Alternative& alternative, const Module& page, const ChoiceHome& home, std::vector<Error>& findings) {
  return Attachment(page, home, findings).run(alternative);
}

}  // namespace tiebreak::notation
