// SPDX-License-Identifier: Apache-2.0
// {"protocol": 1, "name": ..., "version": ..., "profile": ..., "ops": [...], "details": {...}}
#include "testsuite/backends/description.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace tiebreak {
namespace {

using Json = nlohmann::json;
constexpr std::int64_t protocol_version = 1;
const std::vector<std::string> keys{"protocol", "name", "version", "profile", "ops", "details"};

/// The library keeps the last of two equal keys without a word; this callback sees both.
class RepeatedKeys {
 public:
  bool operator()(int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event == Json::parse_event_t::key && !open_.back().insert(parsed.get<std::string>()).second && found_->empty())
      *found_ = parsed.get<std::string>();
    return true;
  }
  explicit RepeatedKeys(std::string* found) : found_(found) {}

 private:
  std::vector<std::set<std::string>> open_{};
  std::string* found_;
};

Status check_keys(const Json& json, const std::string& where) {
  for (const auto& [key, value] : json.items()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    const std::string near = nearest(key, keys);
    return fail(Errc::backend, "unknown key '" + key + "'", where + ":/" + key,
                near.empty() ? "further facts go into 'details'" : "did you mean '" + near + "'?");
  }
  return {};
}

Result<std::string> text(const Json& json, const std::string& key, bool is_wanted, const std::string& where) {
  const auto found = json.find(key);
  if (found == json.end() && !is_wanted) return std::string();
  if (found == json.end()) return fail(Errc::backend, "key '" + key + "' is missing", where);
  if (!found->is_string()) return fail(Errc::backend, "not a text", where + ":/" + key);
  return found->get<std::string>();
}

Status check_protocol(const Json& json, const std::string& where) {
  const auto found = json.find("protocol");
  if (found == json.end()) return fail(Errc::backend, "key 'protocol' is missing", where);
  if (found->is_number_integer() && *found == protocol_version) return {};
  return fail(Errc::backend, "protocol " + found->dump(-1, ' ', true, Json::error_handler_t::replace) + " is not 1", where + ":/protocol");
}

Result<BackendDescription> from_json(const Json& json, const std::string& where) {
  if (!json.is_object()) return fail(Errc::backend, "the description is not a JSON object", where);
  TIEBREAK_CHECK(check_keys(json, where));
  TIEBREAK_CHECK(check_protocol(json, where));
  BackendDescription description;
  TIEBREAK_TRY(name, text(json, "name", true, where));
  TIEBREAK_TRY(version, text(json, "version", true, where));
  TIEBREAK_TRY(profile, text(json, "profile", false, where));
  description.name = std::move(name);
  description.version = std::move(version);
  description.profile = std::move(profile);
  const auto ops = json.find("ops");
  if (ops == json.end() || !ops->is_array()) return fail(Errc::backend, "'ops' is not a list of op names", where + ":/ops");
  for (const Json& op : *ops) {
    if (!op.is_string()) return fail(Errc::backend, "'ops' is not a list of op names", where + ":/ops");
    description.ops.push_back(op.get<std::string>());
  }
  if (const auto details = json.find("details"); details != json.end()) {
    if (!details->is_object()) return fail(Errc::backend, "'details' is not an object of texts", where + ":/details");
    for (const auto& [key, value] : details->items()) {
      if (!value.is_string()) return fail(Errc::backend, "not a text", where + ":/details/" + key);
      description.details.emplace(key, value.get<std::string>());
    }
  }
  return description;
}

}  // namespace

Result<BackendDescription> parse_description(std::string_view json_text, const std::string& where) {
  try {
    std::string repeated;
    const Json json = Json::parse(json_text, RepeatedKeys(&repeated));
    if (!repeated.empty()) return fail(Errc::backend, "key '" + repeated + "' stands twice", where);
    return from_json(json, where);
  } catch (const Json::exception& exception) {
    return fail(Errc::backend, std::string("the description is not JSON: ") + exception.what(), where);
  }
}

std::string description_text(const BackendDescription& description) {
  const Json json{{"protocol", protocol_version},   {"name", description.name}, {"version", description.version},
                  {"profile", description.profile}, {"ops", description.ops},   {"details", description.details}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tiebreak
