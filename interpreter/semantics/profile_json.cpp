// SPDX-License-Identifier: Apache-2.0
// JSON (with // comments) to a profile as written. The JSON library's exceptions end here.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "interpreter/notation/notation.hpp"
#include "interpreter/semantics/profile_loader.hpp"

namespace tiebreak {
namespace {

using nlohmann::json;
using Findings = std::vector<Error>;

/// One step of a JSON pointer, escaped.
std::string step(const std::string& key) {
  std::string text = "/";
  for (char c : key) text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return text;
}

/// Finds keys that an object has twice, which the parser would silently overwrite.
class DuplicateKeys {
 public:
  DuplicateKeys(const std::string& file, Findings& findings) : file_(file), findings_(findings) {}

  bool operator()(int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) open_.emplace_back();
    if (event == json::parse_event_t::object_end) open_.pop_back();
    if (event == json::parse_event_t::key) {
      Object& object = open_.back();
      object.last = parsed.get<std::string>();
      if (!object.keys.insert(object.last).second)
        findings_.push_back({Errc::syntax, "a second '" + object.last + "'", file_ + ":" + pointer(), {}});
    }
    return true;
  }

 private:
  struct Object {
    std::set<std::string> keys{};
    std::string last{};
  };
  std::string pointer() const {
    std::string text;
    for (const Object& object : open_) text += step(object.last);
    return text;
  }
  const std::string& file_;
  Findings& findings_;
  std::vector<Object> open_{};
};

std::optional<json> parse_json(const std::string& text, const std::string& file, Findings& findings) {
  try {
    return json::parse(text, DuplicateKeys(file, findings), true, true);
  } catch (const json::parse_error& error) {
    const std::size_t byte = std::min<std::size_t>(error.byte == 0 ? 0 : error.byte - 1, text.size());
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n') + 1;
    const std::size_t start = byte == 0 ? std::string::npos : text.rfind('\n', byte - 1);
    const std::size_t column = byte - (start == std::string::npos ? 0 : start + 1) + 1;
    std::string what = error.what();  // [json.exception.parse_error.101] parse error at line 1, column 2: syntax error ...
    if (const std::size_t colon = what.find(": "); colon != std::string::npos) what = what.substr(colon + 2);
    findings.push_back({Errc::syntax, "no valid JSON: " + what, file + ":" + std::to_string(line) + ":" + std::to_string(column), {}});
  } catch (const json::exception& error) {
    findings.push_back({Errc::syntax, std::string("no valid JSON: ") + error.what(), file, {}});
  }
  return std::nullopt;
}

class Reader {
 public:
  Reader(const std::string& file, Findings& findings) : file_(file), findings_(findings) {}

  Profile read(const json& object) {
    Profile profile;
    profile.file = file_;
    static const std::vector<std::string> keys{"name", "extends", "title", "system", "versions", "isa", "sources", "choices", "text"};
    known_keys(object, "", keys);
    if (!object.contains("name")) report(Errc::syntax, "a profile needs a 'name'", "");
    for (auto [key, target] : {std::pair<const char*, std::string*>{"name", &profile.name},
                               {"extends", &profile.extends},
                               {"title", &profile.title},
                               {"system", &profile.system},
                               {"versions", &profile.versions}})
      if (object.contains(key)) *target = string(object.at(key), std::string("/") + key);
    if (object.contains("text")) profile.is_text = truth(object.at("text"), "/text");
    if (object.contains("isa")) profile.isa = strings(object.at("isa"), "/isa");
    if (object.contains("sources")) profile.sources = strings(object.at("sources"), "/sources");
    if (!object.contains("choices")) return profile;
    const json& choices = object.at("choices");
    if (!choices.is_object()) {
      report(Errc::syntax, "an object is needed, with a value for each choice", "/choices");
      return profile;
    }
    for (const auto& [key, value] : choices.items()) profile.choices[key] = choice(value, "/choices" + step(key));
    return profile;
  }

 private:
  void report(Errc code, const std::string& what, const std::string& pointer, std::string hint = {}) {
    findings_.push_back({code, what, file_ + (pointer.empty() ? "" : ":" + pointer), std::move(hint)});
  }

  void known_keys(const json& object, const std::string& pointer, const std::vector<std::string>& keys) {
    for (const auto& [key, value] : object.items()) {
      if (std::ranges::find(keys, key) != keys.end()) continue;
      const std::string near = nearest(key, keys);
      report(Errc::unknown_name, "unknown key '" + key + "'", pointer + step(key), near.empty() ? "" : "did you mean '" + near + "'?");
    }
  }

  std::string string(const json& value, const std::string& pointer) {
    if (value.is_string()) return value.get<std::string>();
    report(Errc::syntax, std::string("a string is needed, read ") + value.type_name(), pointer);
    return {};
  }

  bool truth(const json& value, const std::string& pointer) {
    if (value.is_boolean()) return value.get<bool>();
    report(Errc::syntax, std::string("true or false is needed, read ") + value.type_name(), pointer);
    return false;
  }

  std::vector<std::string> strings(const json& value, const std::string& pointer) {
    std::vector<std::string> read;
    if (!value.is_array()) {
      report(Errc::syntax, std::string("a list of strings is needed, read ") + value.type_name(), pointer);
      return read;
    }
    for (std::size_t i = 0; i < value.size(); ++i) read.push_back(string(value[i], pointer + "/" + std::to_string(i)));
    return read;
  }

  ProfileValue choice(const json& value, const std::string& pointer) {
    ProfileValue read;
    if (value.is_string()) {
      read.alternative = value.get<std::string>();
    } else if (value.is_object() && value.contains("any")) {
      known_keys(value, pointer, {"any"});
      const json& any = value.at("any");
      read.any = any == json("*") ? std::vector<std::string>{"*"} : strings(any, pointer + "/any");
      if (read.any.empty()) report(Errc::syntax, "'any' needs a list of alternatives, or \"*\"", pointer + "/any");
    } else if (value.is_object() && value.contains("if")) {
      conditional(value, pointer, read);
    } else {
      report(Errc::syntax, "an alternative, {\"if\": ..., \"then\": ..., \"else\": ...} or {\"any\": ...} is needed", pointer);
    }
    return read;
  }

  void conditional(const json& value, const std::string& pointer, ProfileValue& read) {
    known_keys(value, pointer, {"if", "then", "else"});
    for (const char* key : {"then", "else"})
      if (!value.contains(key)) report(Errc::syntax, std::string("'if' without '") + key + "'", pointer);
    if (value.contains("then")) read.then = string(value.at("then"), pointer + "/then");
    if (value.contains("else")) read.otherwise = string(value.at("else"), pointer + "/else");
    const std::string text = string(value.at("if"), pointer + "/if");
    auto condition = notation::parse_expression(text, "condition");
    if (condition) read.condition = *condition;
    else report(Errc::syntax, condition.error().what + ", in \"" + text + "\"", pointer + "/if", condition.error().hint);
  }

  const std::string& file_;
  Findings& findings_;
};

}  // namespace

std::optional<Profile> read_profile(const std::string& text, const std::string& file, std::vector<Error>& findings) {
  try {
    const std::optional<json> parsed = parse_json(text, file, findings);
    if (!parsed) return std::nullopt;
    if (!parsed->is_object()) {
      findings.push_back({Errc::syntax, "a profile is a JSON object", file, {}});
      return std::nullopt;
    }
    return Reader(file, findings).read(*parsed);
  } catch (const json::exception& error) {
    findings.push_back({Errc::syntax, std::string("no valid profile: ") + error.what(), file, {}});
    return std::nullopt;
  }
}

/// Ids are the keys of the object, or of its member "sources".
Result<std::set<std::string>> read_sources(const std::string& text, const std::string& file) {
  Findings findings;
  std::set<std::string> ids;
  try {
    const std::optional<json> parsed = parse_json(text, file, findings);
    if (!findings.empty()) return tl::unexpected<Error>(findings.front());
    if (!parsed || !parsed->is_object()) return fail(Errc::syntax, "an object is needed, with an entry for each source", file);
    const json& entries = parsed->contains("sources") ? parsed->at("sources") : *parsed;
    if (!entries.is_object()) return fail(Errc::syntax, "an object is needed, with an entry for each source", file + ":/sources");
    for (const auto& [id, entry] : entries.items()) ids.insert(id);
  } catch (const json::exception& error) {
    return fail(Errc::syntax, std::string("no valid JSON: ") + error.what(), file);
  }
  return ids;
}

std::string choice_place(const std::string& file, const std::string& key) { return file + ":/choices" + step(key); }

}  // namespace tiebreak
