// SPDX-License-Identifier: Apache-2.0
// Folds in every order, by brute force: each tree and each permutation by itself, in plain machine numbers.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tiebreak::oracle {

using Joined = std::function<double(double, double)>;
using Items = std::vector<double>;

/// One order by its name: forward backward reversed start_last start_both no_start pairwise blocks lanes restarted. `items` are not empty where
/// there is no start.
double fold_in_order(const std::string& order, const Items& items, double start, const Joined& join);

/// What each tree over these leaves gives, the leaves in their order.
std::set<double> every_tree(const Items& leaves, const Joined& join);
/// Trees over the items with up to `starts` start values in each gap.
std::set<double> every_tree_with_starts(const Items& items, double start, int starts, const Joined& join);
/// With any number of start values, where the values are few: what is joined is joined again until nothing new comes.
std::set<double> every_tree_with_any_starts(const Items& items, double start, const Joined& join);
/// One after another from the start on, in every order of the items.
std::set<double> every_permutation(Items items, double start, const Joined& join);

double saturating_add_i8(double a, double b);
double add_f32(double a, double b);

}  // namespace tiebreak::oracle
