// SPDX-License-Identifier: Apache-2.0
#include "testsuite/diff/diff_semantics.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <set>

#include "interpreter/exact/magnitude.hpp"
#include "interpreter/semantics/profile_lookup.hpp"
#include "interpreter/stairs/input_segments.hpp"
#include "interpreter/stairs/scalar_function.hpp"
#include "testsuite/case/request.hpp"
#include "testsuite/diff/function_pair.hpp"
#include "testsuite/text/parallel.hpp"

namespace tiebreak {
namespace {

constexpr std::uint64_t chunk = 64;  // sets one thread takes at a time: neighbours give each other hints

Status set_parameters(ScalarFunction& function, const Sweep& sweep, std::uint64_t set) {
  for (std::size_t axis = 0; axis < sweep.axes().size(); ++axis) TIEBREAK_CHECK(function.set(sweep.axes()[axis].name, sweep.value(set, axis)));
  return {};
}

void add_to(Disagreement& total, const Disagreement& one) {
  total.count += one.count;
  total.undefined += one.undefined;
  total.one_sided += one.one_sided;
  total.total += one.total;
  total.by_minus_one += one.by_minus_one;
  total.by_plus_one += one.by_plus_one;
  total.by_more += one.by_more;
  total.largest = std::max(total.largest, one.largest);
  total.unsaturated += one.unsaturated;
  total.unsaturated_by_one += one.unsaturated_by_one;
  total.saturated += one.saturated;
  total.nan_differs = total.nan_differs || one.nan_differs;
  total.proved = total.proved && one.proved;
}

Result<DiffPoint> compare_set(ScalarFunction& a, ScalarFunction& b, std::uint64_t set, std::vector<std::string>& proofs) {
  TIEBREAK_TRY(pair, compare_pair(a, b));
  proofs = std::move(pair.proofs);
  return DiffPoint{set, std::move(pair.disagreement), pair.steps, std::move(pair.classes)};
}

void keep_compared(std::vector<DiffPoint>& points, const std::vector<std::uint8_t>& compared) {
  std::vector<DiffPoint> kept;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (compared[i] != 0) kept.push_back(std::move(points[i]));
  points = std::move(kept);
}

/// Inputs with the codes of nan, and classes where every set has them.
void sum_codes(DiffReport& report) {
  const std::uint64_t codes = nan_codes(report.input.type);
  FunctionDifference sum;
  bool all = !report.points.empty();
  for (const DiffPoint& point : report.points) {
    const Disagreement& d = point.disagreement;
    report.inputs += point.classes ? point.classes->total : Wide{d.total} + Wide{codes};
    report.differing += point.classes ? point.classes->differing : Wide{d.count} + (d.nan_differs ? Wide{codes} : Wide{0});
    all = all && point.classes.has_value();
    if (!point.classes) continue;
    sum.total += point.classes->total;
    sum.differing += point.classes->differing;
    sum.undefined += point.classes->undefined;
    sum.one_sided += point.classes->one_sided;
    for (std::size_t i = 0; i < input_classes; ++i) sum.by_class[i] += point.classes->by_class[i];
  }
  if (!all) return;
  const auto at = std::ranges::find(report.points, report.witness_set, &DiffPoint::set);
  if (at != report.points.end()) sum.witness = at->classes->witness;
  report.classes = sum;
}

/// The inputs of least magnitude that two semantics tell apart, over all sets.
void sum_up(DiffReport& report) {
  std::uint64_t most = 0;
  for (const DiffPoint& point : report.points) {
    add_to(report.total, point.disagreement);
    if (point.disagreement.equal()) continue;
    ++report.differing_sets;
    if (point.disagreement.count > most) {
      most = point.disagreement.count;
      report.worst_set = point.set;
    }
    const auto& witness = point.disagreement.witness;
    if (witness && (!report.total.witness || magnitude(*witness) < magnitude(*report.total.witness))) {
      report.total.witness = witness;
      report.total.witness_first = point.disagreement.witness_first;
      report.total.witness_second = point.disagreement.witness_second;
      report.witness_set = point.set;
    }
  }
}

/// Least squares on logarithms, over the sets that differ. What saturates, and differences by more than one, which come of wraps, are covered by no law of
/// rounding: where two ranges end one code apart, half of all inputs may differ by one.
RateLaw fit_law(const DiffReport& report) {
  RateLaw law;
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const DiffPoint& point : report.points) {
    const Disagreement& d = point.disagreement;
    const double differing = static_cast<double>(d.unsaturated_by_one);
    if (differing == 0 || d.unsaturated == 0 || point.steps < 3) continue;
    const double stairs = static_cast<double>(point.steps - 1), inputs = static_cast<double>(d.unsaturated);
    const double x = std::log2(stairs / inputs), y = std::log2(differing / inputs);
    law.a_stair += differing / stairs;
    n += 1;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  if (n == 0) return law;
  law.known = true;
  law.a_stair /= n;
  const double spread = sxx - sx * sx / n;
  law.exponent = spread > 1e-9 * n ? (sxy - sx * sy / n) / spread : 1;
  law.factor = std::exp2((sy - law.exponent * sx) / n);
  return law;
}

}  // namespace

std::vector<std::string> parting_choices(const Library& library, const std::string& op, const Profile& first, const Profile& second) {
  std::vector<std::string> parting;
  for (const OpChoice& choice : choices_of(library, op)) {
    auto place = find_choice(library, choice.key);
    auto word = [&](const Profile& profile) {
      const ProfileValue* bound = resolve_choice(profile, choice.module, op, choice.alias, choice.own_name);
      if (bound == nullptr) return choice.alternatives.front();
      if (bound->condition) return bound->then + " or " + bound->otherwise;
      return bound->alternative.empty() ? std::string("open") : bound->alternative;
    };
    const std::string a = word(first), b = word(second);
    if (a == b) continue;
    auto where = [&](const std::string& alternative) -> std::string {
      if (!place || place->choice == nullptr) return "";
      for (const notation::Alternative& candidate : place->choice->alternatives)
        if (candidate.name == alternative) {
          const std::string& file = candidate.file.empty() ? place->module->file : candidate.file;
          return " (" + file + ":" + std::to_string(candidate.at.line) + ")";
        }
      return "";
    };
    parting.push_back(choice.name + ": " + a + where(a) + " | " + b + where(b));
  }
  return parting;
}

Result<DiffReport> diff_semantics(const Library& library, const Profile& first, const Profile& second, const DiffQuestion& question) {
  DiffReport report;
  report.first = first.name;
  report.second = second.name;
  report.parting = parting_choices(library, question.call.op, first, second);
  report.points.resize(static_cast<std::size_t>(question.sweep.size()));
  std::vector<std::uint8_t> compared(report.points.size(), 0);
  std::mutex guard;
  std::set<std::string> proofs;
  std::optional<Error> failed;
  const std::uint64_t sets = question.sweep.size();
  const std::size_t chunks = static_cast<std::size_t>((sets + chunk - 1) / chunk);
  auto stop = [&] { return failed.has_value() || (question.interrupted && question.interrupted()); };
  auto run_chunk = [&](std::size_t number) -> Status {
    TIEBREAK_TRY(a, ScalarFunction::compile({library, first}, question.call, question.varied));
    TIEBREAK_TRY(b, ScalarFunction::compile({library, second}, question.call, question.varied));
    for (std::uint64_t set = number * chunk; set < std::min(sets, (number + 1) * chunk) && !stop(); ++set) {
      TIEBREAK_CHECK(set_parameters(a, question.sweep, set));
      TIEBREAK_CHECK(set_parameters(b, question.sweep, set));
      std::vector<std::string> known;
      TIEBREAK_TRY(point, compare_set(a, b, set, known));
      if (stop()) return {};
      report.points[static_cast<std::size_t>(set)] = point;
      compared[static_cast<std::size_t>(set)] = 1;
      const std::lock_guard lock(guard);
      proofs.insert(known.begin(), known.end());
      report.input = a.input();
      report.output = a.output();
    }
    return {};
  };
  for_each_index(question.jobs, chunks, stop, [&](std::size_t number) {
    if (Status done = run_chunk(number); !done) {
      const std::lock_guard lock(guard);
      if (!failed) failed = done.error();
    }
  });
  report.incomplete = question.interrupted && question.interrupted();
  if (failed && !report.incomplete) return tl::unexpected<Error>(*failed);
  if (report.incomplete) keep_compared(report.points, compared);
  report.proofs = {proofs.begin(), proofs.end()};
  sum_up(report);
  sum_codes(report);
  report.law = fit_law(report);
  return report;
}

namespace {

/// What is known of all pairs after some parameter sets.
struct PairCounts {
  std::vector<std::vector<std::uint64_t>> differing{}, one_sided{};
  std::vector<std::string> failures{};  ///< of each semantics, "" where it can be compared
  std::vector<bool> without_stairs{};
  std::map<std::string, std::string> without_proof{};
  std::uint64_t inputs = 0;

  explicit PairCounts(std::size_t n) : differing(n, std::vector<std::uint64_t>(n, 0)), one_sided(differing), failures(n), without_stairs(n, false) {}
};

/// The pairs of which one side has no stairs, by periods. What cannot be compared either is left out.
void compare_without_stairs(std::vector<ScalarFunction>& functions, PairCounts& counts) {
  std::vector<std::string>& failures = counts.failures;
  for (std::size_t i = 0; i < functions.size(); ++i)
    for (std::size_t j = i + 1; j < functions.size(); ++j) {
      if ((!counts.without_stairs[i] && !counts.without_stairs[j]) || !failures[i].empty() || !failures[j].empty()) continue;
      auto found = compare_functions(functions[i], functions[j]);
      if (!found) {
        failures[counts.without_stairs[j] ? j : i] = found.error().what;
        continue;
      }
      counts.differing[i][j] += capped(found->differing);
      counts.one_sided[i][j] += capped(found->one_sided);
    }
}

Status add_set(std::vector<ScalarFunction>& functions, const std::vector<std::string>& names, const DiffQuestion& question, std::uint64_t set,
               PairCounts& counts) {
  const std::size_t n = functions.size();
  std::vector<Staircase> stairs(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!counts.failures[i].empty()) continue;
    TIEBREAK_CHECK(set_parameters(functions[i], question.sweep, set));
    auto made = staircase(functions[i], i > 0 && counts.failures[0].empty() ? &stairs[0] : nullptr);
    if (made) stairs[i] = std::move(*made);
    else if (has_no_stairs(made.error())) counts.without_stairs[i] = true;
    else counts.failures[i] = made.error().what + " at " + question.sweep.text(set);
  }
  for_each_index(
      question.jobs, n, [] { return false; },
      [&](std::size_t i) {
        for (std::size_t j = i + 1; j < n; ++j) {
          if (!counts.failures[i].empty() || !counts.failures[j].empty() || counts.without_stairs[i] || counts.without_stairs[j]) continue;
          const Disagreement d = compare(stairs[i], stairs[j]);
          counts.differing[i][j] += d.count + (d.nan_differs ? 1 : 0);
          counts.one_sided[i][j] += d.one_sided;
        }
      });
  compare_without_stairs(functions, counts);
  for (std::size_t i = 0; i < n; ++i)
    if (counts.failures[i].empty() && !counts.without_stairs[i] && stairs[i].proof == StairProof::sampled)
      counts.without_proof.emplace(names[i], stairs[i].reason);
  if (n > 0 && counts.failures[0].empty()) counts.inputs += functions[0].input().count();
  return {};
}

/// Semantics that no input told apart are a class.
void make_classes(const std::vector<std::string>& names, const PairCounts& counts, DiffMatrix& matrix) {
  std::vector<std::size_t> representatives;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!counts.failures[i].empty()) {
      matrix.left_out.emplace_back(names[i], counts.failures[i]);
      continue;
    }
    auto same = std::ranges::find_if(representatives, [&](std::size_t r) { return counts.differing[r][i] == 0 && counts.one_sided[r][i] == 0; });
    if (same != representatives.end()) {
      matrix.classes[static_cast<std::size_t>(same - representatives.begin())].push_back(names[i]);
      continue;
    }
    representatives.push_back(i);
    matrix.classes.push_back({names[i]});
  }
  for (std::size_t i : representatives) {
    std::vector<std::uint64_t> row;
    for (std::size_t j : representatives) row.push_back(counts.differing[std::min(i, j)][std::max(i, j)]);
    matrix.counts.push_back(row);
  }
}

}  // namespace

Result<DiffMatrix> diff_matrix(const Library& library, const std::vector<Profile>& semantics, const DiffQuestion& question) {
  DiffMatrix matrix;
  std::vector<ScalarFunction> functions;
  std::vector<std::string> names;
  const auto interrupted = [&] { return question.interrupted && question.interrupted(); };
  for (const Profile& profile : semantics) {
    auto function = ScalarFunction::compile({library, profile}, question.call, question.varied);
    if (!function) {
      if (!interrupted()) matrix.left_out.emplace_back(profile.name, function.error().what);
      continue;
    }
    functions.push_back(std::move(*function));
    names.push_back(profile.name);
  }
  PairCounts counts(functions.size());
  for (; matrix.sets < question.sweep.size() && !interrupted(); ++matrix.sets) {
    PairCounts next = counts;  // what an interrupt leaves of a set is no count
    const Status added = add_set(functions, names, question, matrix.sets, next);
    if (interrupted()) break;
    if (!added) return tl::unexpected<Error>(added.error());
    counts = std::move(next);
  }
  matrix.incomplete = matrix.sets < question.sweep.size();
  matrix.inputs = counts.inputs;
  matrix.without_proof = counts.without_proof;
  if (matrix.sets > 0) make_classes(names, counts, matrix);
  return matrix;
}

}  // namespace tiebreak
