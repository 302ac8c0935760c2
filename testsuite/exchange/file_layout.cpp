// SPDX-License-Identifier: Apache-2.0
// What writing and reading agree on: ids as paths, where cases are, what checksums cover.
#include "testsuite/exchange/file_layout.hpp"

#include <unordered_map>

#include "interpreter/sha256.hpp"
#include "testsuite/exchange/tree_bytes.hpp"

namespace tiebreak {
namespace {

bool is_id_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '+' || c == '-';
}

/// A case's group says so by its id or, in a response, by its status.
bool is_case(const StoredGroup& group) { return group.attributes.contains("id") || group.attributes.contains("status"); }

Status collect(StoredGroup& group, const std::string& id, const std::string& where, std::vector<FoundCase>& found) {
  for (auto& [name, child] : group.groups) {
    const std::string child_id = id.empty() ? name : id + "/" + name;
    if (is_case(child)) {
      if (found.size() == exchange_limit::cases) return fail(Errc::limit, "more than 1000000 cases", where);
      found.push_back({child_id, &child});
    } else if (child.groups.empty() || !child.datasets.empty()) {
      return fail(Errc::corrupt, "a case without attribute 'status' (responses) or 'id'", where + ":/cases/" + child_id);
    } else {
      TIEBREAK_CHECK(collect(child, child_id, where, found));
    }
  }
  if (!group.datasets.empty()) {
    return fail(Errc::corrupt, "a dataset outside a case", where + ":/cases/" + (id.empty() ? "" : id + "/") + group.datasets.begin()->first);
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> id_parts(const std::string& id) {
  std::vector<std::string> parts(1);
  for (char c : id) {
    if (c == '/') {
      parts.emplace_back();
    } else if (is_id_character(c)) {
      parts.back() += c;
    } else {
      return fail(Errc::usage, "case id '" + id + "': only letters, digits and _ . + - between slashes");
    }
  }
  for (const std::string& part : parts) {
    if (part.empty() || part == "." || part == "..") return fail(Errc::usage, "case id '" + id + "' has the part '" + part + "'");
  }
  if (parts.size() > exchange_limit::depth / 2) return fail(Errc::limit, "case id '" + id + "' has too many parts");
  return parts;
}

std::string case_checksum(const StoredGroup& group) {
  Sha256 checksum;
  const auto add = [&](std::span<const std::byte> bytes) { checksum.add(bytes); };
  StoredAttributes attributes = group.attributes;
  attributes.erase("checksum");
  write_attributes(attributes, add);
  for (const auto& [name, dataset] : group.datasets) {
    checksum.add(name + "\n");
    write_dataset(dataset, add);
  }
  for (const auto& [name, child] : group.groups) {
    checksum.add(name + "/\n");
    write_tree(child, add);
  }
  return checksum.hex();
}

std::string file_checksum(const StoredAttributes& root, const std::vector<std::pair<std::string, std::string>>& cases) {
  Sha256 checksum;
  StoredAttributes attributes = root;
  attributes.erase("checksum");
  write_attributes(attributes, [&](std::span<const std::byte> bytes) { checksum.add(bytes); });
  for (const auto& [id, of_case] : cases) checksum.add(id + " " + of_case + "\n");
  return checksum.hex();
}

Result<std::vector<FoundCase>> find_cases(StoredGroup& tree, const std::string& where) {
  std::vector<FoundCase> found;
  if (const auto cases = tree.groups.find("cases"); cases != tree.groups.end()) {
    TIEBREAK_CHECK(collect(cases->second, "", where, found));
  }
  const auto listed = tree.datasets.find("ids");
  if (listed == tree.datasets.end()) return found;
  const auto ids = listed->second.array.as_texts();
  if (!ids || ids->size() != found.size()) return fail(Errc::corrupt, "the dataset 'ids' does not list the cases", where + ":/ids");
  std::unordered_map<std::string, StoredGroup*> by_id;
  for (const FoundCase& one : found) by_id.emplace(one.id, one.group);
  std::vector<FoundCase> ordered;
  for (const std::string& id : *ids) {
    const auto one = by_id.find(id);
    if (one == by_id.end()) return fail(Errc::corrupt, "'" + id + "' is listed twice or is no case", where + ":/ids");
    ordered.push_back({id, one->second});
    by_id.erase(one);
  }
  return ordered;
}

}  // namespace tiebreak
