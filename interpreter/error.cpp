// SPDX-License-Identifier: Apache-2.0
#include "interpreter/error.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tiebreak {

std::string to_text(const Error& error) {
  std::string text = error.what;
  if (!error.where.empty()) text += " (" + error.where + ")";
  if (!error.hint.empty()) text += "\n  hint: " + error.hint;
  return text;
}

const char* to_word(Errc code) {
  switch (code) {
    using enum Errc;
    case usage: return "usage";
    case unknown_name: return "unknown name";
    case syntax: return "syntax";
    case type: return "type";
    case constraint: return "constraint";
    case limit: return "limit";
    case io: return "io";
    case corrupt: return "corrupt";
    case undecided: return "undecided";
    case unsupported: return "unsupported";
    case backend: return "backend";
    case internal: return "internal";
  }
  return "internal";
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace tiebreak
