// SPDX-License-Identifier: Apache-2.0
// JSON to a profile as written: every fault with its place.
#include <algorithm>

#include "interpreter/json/json_value.hpp"
#include "interpreter/notation/notation.hpp"
#include "interpreter/semantics/profile_loader.hpp"

namespace tiebreak {
namespace {

using Kind = JsonValue::Kind;

const char* to_word(Kind kind) {
  switch (kind) {
    case Kind::null: return "null";
    case Kind::boolean: return "boolean";
    case Kind::number: return "number";
    case Kind::string: return "string";
    case Kind::array: return "array";
    case Kind::object: return "object";
  }
  return "";
}

class Reader {
 public:
  Reader(const std::string& file, std::vector<Error>& findings) : file_(file), findings_(findings) {}

  Profile read(const JsonValue& object) {
    Profile profile;
    profile.file = file_;
    known_keys(object, {"name", "extends", "title", "system", "versions", "isa", "sources", "choices", "text"});
    if (object.find("name") == nullptr) report(Errc::syntax, "a profile needs a 'name'", file_);
    for (auto [key, target] : {std::pair<const char*, std::string*>{"name", &profile.name},
                               {"extends", &profile.extends},
                               {"title", &profile.title},
                               {"system", &profile.system},
                               {"versions", &profile.versions}})
      if (const JsonValue* value = object.find(key)) *target = string(*value);
    if (const JsonValue* text = object.find("text")) profile.is_text = truth(*text);
    if (const JsonValue* isa = object.find("isa")) profile.isa = strings(*isa);
    if (const JsonValue* sources = object.find("sources")) profile.sources = strings(*sources);
    const JsonValue* choices = object.find("choices");
    if (choices == nullptr) return profile;
    if (!choices->is(Kind::object)) return report(Errc::syntax, "an object is needed, with a value for each choice", choices->where), profile;
    for (std::size_t i = 0; i < choices->keys.size(); ++i) profile.choices[choices->keys[i]] = choice(choices->items[i]);
    return profile;
  }

 private:
  void report(Errc code, const std::string& what, const std::string& where, std::string hint = {}) {
    findings_.push_back({code, what, where, std::move(hint)});
  }

  void known_keys(const JsonValue& object, const std::vector<std::string>& keys) {
    for (std::size_t i = 0; i < object.keys.size(); ++i) {
      if (std::ranges::find(keys, object.keys[i]) != keys.end()) continue;
      const std::string near = nearest(object.keys[i], keys);
      report(Errc::unknown_name, "unknown key '" + object.keys[i] + "'", object.items[i].where, near.empty() ? "" : "did you mean '" + near + "'?");
    }
  }

  std::string string(const JsonValue& value) {
    if (value.is(Kind::string)) return value.text;
    report(Errc::syntax, std::string("a string is needed, read ") + to_word(value.kind), value.where);
    return {};
  }

  bool truth(const JsonValue& value) {
    if (value.is(Kind::boolean)) return value.truth;
    report(Errc::syntax, std::string("true or false is needed, read ") + to_word(value.kind), value.where);
    return false;
  }

  std::vector<std::string> strings(const JsonValue& value) {
    std::vector<std::string> read;
    if (!value.is(Kind::array)) report(Errc::syntax, std::string("a list of strings is needed, read ") + to_word(value.kind), value.where);
    else
      for (const JsonValue& item : value.items) read.push_back(string(item));
    return read;
  }

  ProfileValue choice(const JsonValue& value) {
    ProfileValue read;
    if (value.is(Kind::string)) {
      read.alternative = value.text;
    } else if (const JsonValue* any = value.find("any")) {
      known_keys(value, {"any"});
      read.any = any->is(Kind::string) && any->text == "*" ? std::vector<std::string>{"*"} : strings(*any);
      if (read.any.empty()) report(Errc::syntax, "'any' needs a list of alternatives, or \"*\"", any->where);
    } else if (value.find("if") != nullptr) {
      conditional(value, read);
    } else {
      report(Errc::syntax, "an alternative, {\"if\": ..., \"then\": ..., \"else\": ...} or {\"any\": ...} is needed", value.where);
    }
    return read;
  }

  void conditional(const JsonValue& value, ProfileValue& read) {
    known_keys(value, {"if", "then", "else"});
    for (auto [key, target] : {std::pair<const char*, std::string*>{"then", &read.then}, {"else", &read.otherwise}}) {
      const JsonValue* branch = value.find(key);
      if (branch == nullptr) report(Errc::syntax, std::string("'if' without '") + key + "'", value.where);
      else *target = string(*branch);
    }
    const JsonValue& written = *value.find("if");
    const std::string text = string(written);
    auto condition = notation::parse_expression(text, "condition");
    if (condition) read.condition = *condition;
    else report(Errc::syntax, condition.error().what + ", in \"" + text + "\"", written.where, condition.error().hint);
  }

  const std::string& file_;
  std::vector<Error>& findings_;
};

}  // namespace

std::optional<Profile> read_profile(const std::string& text, const std::string& file, std::vector<Error>& findings) {
  const Result<JsonValue> parsed = parse_json(text, file);
  if (!parsed) return findings.push_back(parsed.error()), std::nullopt;
  if (!parsed->is(Kind::object)) return findings.push_back({Errc::syntax, "a profile is a JSON object", file, {}}), std::nullopt;
  return Reader(file, findings).read(*parsed);
}

/// Ids are the keys of the object, or of its member "sources".
Result<std::set<std::string>> read_sources(const std::string& text, const std::string& file) {
  TIEBREAK_TRY(parsed, parse_json(text, file));
  const JsonValue* listed = parsed.find("sources");
  const JsonValue& entries = listed == nullptr ? parsed : *listed;
  if (!entries.is(Kind::object)) return fail(Errc::syntax, "an object is needed, with an entry for each source", listed == nullptr ? file : listed->where);
  return std::set<std::string>(entries.keys.begin(), entries.keys.end());
}

std::string choice_place(const std::string& file, const std::string& key) { return json_place({.kind = Kind::object, .where = file + ":/choices"}, key); }

}  // namespace tiebreak
