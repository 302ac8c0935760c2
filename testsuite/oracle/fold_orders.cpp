// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/fold_orders.hpp"

#include <algorithm>

namespace tiebreak::oracle {
namespace {

double left_to_right(const Items& values, const Joined& join) {
  double carried = values.front();
  for (std::size_t i = 1; i < values.size(); ++i) carried = join(carried, values[i]);
  return carried;
}

double join_of_halves(const Items& values, const Joined& join) {
  if (values.size() == 1) return values[0];
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() + 1) / 2);
  return join(join_of_halves(Items(values.begin(), middle), join), join_of_halves(Items(middle, values.end()), join));
}

/// All trees, those that give the same again and again: nothing is remembered.
Items trees(const Items& leaves, const Joined& join) {
  if (leaves.size() == 1) return leaves;
  Items all;
  for (std::size_t cut = 1; cut < leaves.size(); ++cut) {
    const auto middle = leaves.begin() + static_cast<std::ptrdiff_t>(cut);
    for (double a : trees(Items(leaves.begin(), middle), join))
      for (double b : trees(Items(middle, leaves.end()), join)) all.push_back(join(a, b));
  }
  return all;
}

void with_starts(const Items& items, std::size_t next, Items leaves, double start, int starts, const Joined& join, std::set<double>& found) {
  for (int n = 0; n <= starts; ++n) {
    if (n > 0) leaves.push_back(start);
    if (next < items.size()) {
      Items more = leaves;
      more.push_back(items[next]);
      with_starts(items, next + 1, more, start, starts, join, found);
    } else if (!leaves.empty()) {
      for (double value : trees(leaves, join)) found.insert(value);
    }
  }
}

Items in_runs(const Items& items, double start, const Joined& join, bool alternate) {
  Items first{start}, second{start}, joined;
  if (alternate) {
    for (std::size_t i = 0; i < items.size(); ++i) (i % 2 == 0 ? first : second).push_back(items[i]);
    joined.push_back(left_to_right(first, join));
    if (second.size() > 1) joined.push_back(left_to_right(second, join));
    return joined;
  }
  for (std::size_t i = 0; i < items.size(); i += 2) joined.push_back(i + 1 < items.size() ? join(join(start, items[i]), items[i + 1]) : join(start, items[i]));
  return joined.empty() ? Items{start} : joined;
}

}  // namespace

double fold_in_order(const std::string& order, const Items& items, double start, const Joined& join) {
  Items values = items;
  if (order == "no_start") return left_to_right(values, join);
  if (order == "blocks" || order == "lanes") return left_to_right(in_runs(items, start, join, order == "lanes"), join);
  if (order == "backward") {
    double carried = start;
    for (std::size_t i = items.size(); i-- > 0;) carried = join(items[i], carried);
    return carried;
  }
  if (order == "restarted") {
    double carried = start;
    for (double item : items) carried = join(join(start, item), carried);
    return carried;
  }
  if (order == "reversed") std::reverse(values.begin(), values.end());
  if (order != "start_last") values.insert(values.begin(), start);
  if (order == "start_last" || order == "start_both") values.push_back(start);
  return order == "pairwise" ? join_of_halves(values, join) : left_to_right(values, join);
}

std::set<double> every_tree(const Items& leaves, const Joined& join) {
  const Items all = trees(leaves, join);
  return {all.begin(), all.end()};
}

std::set<double> every_tree_with_starts(const Items& items, double start, int starts, const Joined& join) {
  std::set<double> found;
  with_starts(items, 0, {}, start, starts, join, found);
  return found;
}

std::set<double> every_tree_with_any_starts(const Items& items, double start, const Joined& join) {
  const std::size_t n = items.size();
  std::vector<std::vector<std::set<double>>> found(n + 1, std::vector<std::set<double>>(n + 1));  // [first][end]
  for (std::size_t i = 0; i <= n; ++i) found[i][i] = {start};
  for (std::size_t i = 0; i < n; ++i) found[i][i + 1] = {items[i]};
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t i = 0; i <= n; ++i)
      for (std::size_t j = i; j <= n; ++j)
        for (std::size_t k = j; k <= n; ++k)
          for (double a : std::set<double>(found[i][j]))
            for (double b : std::set<double>(found[j][k])) grown |= found[i][k].insert(join(a, b)).second;
  }
  return found[0][n];
}

std::set<double> every_permutation(Items items, double start, const Joined& join) {
  std::set<double> found;
  std::sort(items.begin(), items.end());
  do {
    found.insert(fold_in_order("forward", items, start, join));
  } while (std::next_permutation(items.begin(), items.end()));
  return found;
}

double saturating_add_i8(double a, double b) { return std::clamp(a + b, -128.0, 127.0); }

double add_f32(double a, double b) { return static_cast<double>(static_cast<float>(a) + static_cast<float>(b)); }

}  // namespace tiebreak::oracle
