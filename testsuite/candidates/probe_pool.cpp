// SPDX-License-Identifier: Apache-2.0
#include "testsuite/candidates/probe_pool.hpp"

#include <algorithm>

#include "testsuite/generate/pseudo_random.hpp"

namespace tiebreak {
namespace {

struct Scales {
  const char *first, *second, *result;
};
/// Dyadic factors make exact ties; small whole divisors make ties that are not binary; decimals are what users have; then factors of many bits,
/// tiny ones, which reach accumulators beyond 2^24, and ones above 1. In the last the product of accumulator and factor has 55 bits, next to a tie.
constexpr Scales three_scales[] = {
    {"1", "1", "2"}, {"1", "1", "1"}, {"1", "1", "4"}, {"1", "1", "256"}, {"0.5", "0.25", "1"}, {"1", "1", "6"}, {"1", "1", "12"}, {"1", "1", "3"},
    {"1", "1", "100"}, {"0.1", "0.3", "0.7"}, {"0.1", "0.01", "0.3"}, {"0.0123", "0.1", "0.01"}, {"0.01", "0.0303", "5"}, {"0.0133", "0.0102", "4.7"},
    {"0.02", "0.03", "0.7"}, {"0.007843138", "0.0039215689", "0.01"}, {"0.0235", "0.0071", "0.0513"}, {"0x1.3404eap-9", "1", "0x1.28f5c2p-4"},
    {"0x1.97ca8cp-12", "1", "1"}, {"0x1.b1a5d3p-7", "0x1.7f3c21p-5", "0x1.0d4c61p-6"}, {"0x1.5a9f17p-11", "0x1.c3b0e9p-9", "0x1.91e2abp-8"},
    {"0x1.fffffep-8", "0x1.000002p-3", "0x1.555556p-2"}, {"0.3", "0.00001", "1"}, {"0.0001", "0.003", "0.7"}, {"0.0000123", "0.01", "1"},
    {"0x1p-25", "1", "1"}, {"0x1.99999ap-14", "0x1.47ae14p-11", "1"}, {"0.00123", "0.00456", "78.9"}, {"0.0001", "0.0001", "0.3"},
    {"0x1p-24", "0x1.8p-1", "1"}, {"3", "1", "1"}, {"1", "1", "0.3"}, {"2", "1", "1"}, {"100", "10", "1"}, {"0x1p30", "1", "1"}, {"1", "1", "0.0123"},
    {"0x1p-31", "1", "1"}, {"0x1p-40", "1", "1"}, {"0x1.233feap-25", "1", "1"}};
constexpr const char* single_scales[] = {"1", "2", "0.5", "256", "0.1", "0.3", "0.7", "0.0123", "0.01", "6", "12", "3", "100", "0.007843138", "0.0235",
                                         "0x1.99999ap-14", "0x1.b1a5d3p-7", "0x1.fffffep-8", "0x1.000002p-3", "0x1.555556p-2", "1.7", "9.99",
                                         "0x1.5a9f17p3", "1e30", "1e-30", "0x1p-126", "0x1.8p-140", "0x1p100"};

Real real_number(const char* text) { return Real::parse(text).value_or(Real(1)); }

/// Multiplier and shift. Plain ones as a converter makes them, from factors that are powers of two, small whole divisors, decimals, of many bits, tiny
/// and above 1; then what no converter makes: ends of both, a mantissa that is not normal, one below zero.
std::vector<ProbeParameters> factor_list() {
  std::vector<ProbeParameters> list;
  const auto add = [&](const Real& multiplier, std::int64_t shift) {
    ProbeParameters parameters;
    parameters.multiplier = multiplier;
    parameters.shift = shift;
    list.push_back(parameters);
  };
  for (const Scales& scales : three_scales) {
    const Real factor = real_number(scales.first) * real_number(scales.second) / real_number(scales.result);
    std::int64_t exponent = factor.exponent();
    while (factor >= Real::power_of_two(exponent)) ++exponent;
    while (factor < Real::power_of_two(exponent - 1)) --exponent;
    const Real mantissa = round_whole(factor * Real::power_of_two(31 - exponent), Rounding::nearest_even);
    if (exponent < -31 || exponent > 30) continue;
    add(min(mantissa, Real((std::int64_t{1} << 31) - 1)), exponent);
  }
  for (const std::int64_t shift : {0, -1, -7, -31, 1, 7}) add(Real((std::int64_t{1} << 31) - 1), shift);
  for (const std::int64_t shift : {-8, 0, 4}) add(Real(std::int64_t{0x4001} << 16), shift);
  add(Real(12345678), 0);
  add(Real(-(std::int64_t{1} << 30)), -3);
  add(Real(0), 0);
  return list;
}

/// Scales of all operands; of ops with one scale that one alone.
std::vector<ProbeParameters> scale_list(const OpRoles& roles) {
  if (roles.find(RoleKind::multiplier, false) != nullptr) return factor_list();
  std::vector<ProbeParameters> list;
  std::size_t inputs = 0, results = 0;
  for (const OperandRole& role : roles.operands) {
    if (role.kind == RoleKind::scale) ++(role.of_result ? results : inputs);
    if (role.expressed) ++inputs;
  }
  if (roles.result && roles.result->expressed) ++results;
  if (inputs + results == 0) return {ProbeParameters{}};
  if (inputs + results == 1) {
    for (const char* text : single_scales) {
      ProbeParameters parameters;
      (results == 1 ? parameters.result : parameters.first) = real_number(text);
      list.push_back(parameters);
    }
    return list;
  }
  for (const Scales& scales : three_scales) {
    ProbeParameters parameters;
    parameters.first = inputs == 2 ? real_number(scales.first) : real_number(scales.first) * real_number(scales.second);
    parameters.second = real_number(scales.second);
    parameters.result = real_number(scales.result);
    list.push_back(parameters);
  }
  return list;
}

/// Zero points of a type: 0, odd, even, the ends. Of a type wider than the codes the ends of the codes.
std::vector<Real> zero_point_choices(const OperandRole* role, const ElementType& codes) {
  if (role == nullptr || role->type.is_float()) return {Real(0)};
  Real low = max(role->type.min(), codes.is_integer() ? codes.min() : role->type.min());
  Real high = min(role->type.max(), codes.is_integer() ? codes.max() : role->type.max());
  std::vector<Real> list{0, 3, 10, low, high, Real(-5)};
  std::erase_if(list, [&](const Real& v) { return v < low || v > high; });
  return list;
}

const OperandRole* zero_point_of(const OpRoles& roles, bool of_result) {
  if (of_result && roles.result && roles.result->expressed) return &*roles.result;
  if (!of_result && roles.data()[0]->expressed) return roles.data()[0];
  return roles.find(RoleKind::zero_point, of_result);
}

/// Codes that leave room on both sides where an unsigned type has no negative ones.
Real middle(const ElementType& type) { return type.is_integer() && !type.integer().is_signed ? Real::power_of_two(type.bits() - 1) : Real(0); }

class Pool {
 public:
  Pool(const OpRoles& roles, const TensorType& result) : roles_(roles), result_(result) {}

  Result<std::vector<ProbeSet>> make() {
    bool contraction = roles_.form != OpRoles::Form::elementwise;
    std::vector<ProbeParameters> scales = scale_list(roles_);
    bool of_result = zero_point_of(roles_, true) != nullptr;
    std::vector<Real> zeros = zero_point_choices(zero_point_of(roles_, of_result), result_.element.is_float() ? roles_.data()[0]->type : result_.element);
    for (std::size_t i = 0; i < scales.size(); ++i) {
      // The plain scales meet every zero point; later ones 0 or an odd one, and one of the others.
      std::vector<std::size_t> chosen_zeros{i % 2 == 0 || zeros.size() < 2 ? std::size_t{0} : std::size_t{1}, i % zeros.size()};
      if (i < 4) chosen_zeros.clear();
      for (std::size_t z = 0; z < zeros.size() && i < 4; ++z) chosen_zeros.push_back(z);
      std::sort(chosen_zeros.begin(), chosen_zeros.end());
      chosen_zeros.erase(std::unique(chosen_zeros.begin(), chosen_zeros.end()), chosen_zeros.end());
      for (std::size_t z : chosen_zeros) {
        ProbeParameters parameters = scales[i];
        (of_result ? parameters.zero_result : parameters.zero_first) = zeros[z];
        if (contraction) TIEBREAK_CHECK(add_accumulators(parameters, i));
        else TIEBREAK_CHECK(add_elements(parameters, i));
      }
    }
    if (contraction) TIEBREAK_CHECK(add_products());
    return std::move(sets_);
  }

  Status add_elements(const ProbeParameters& parameters, std::size_t place) {
    const OperandRole& data = *roles_.data()[0];
    if (roles_.data().size() == 2) return add_pairs(parameters);
    std::vector<Real> points;
    if (data.type.is_integer() && data.type.bits() <= 8) {
      for (Real v = data.type.min(); v <= data.type.max(); v = v + Real(1)) points.push_back(v);
    } else {
      points = special_points(data.type);
      if (result_.element.is_integer()) {
        Real zero = parameters.zero_result;
        for (const Real& v : tie_points(factor_of(roles_, parameters), data.type, result_.element.min() - zero, result_.element.max() - zero, most_points))
          points.push_back(v);
      } else {
        PseudoRandom random(71);
        for (int i = 0; i < 400; ++i) points.push_back(random_value(random, data.type));
      }
    }
    points = in_order(std::move(points));
    return keep(elementwise_set(roles_, parameters, every(points, most_of(parameters), place)));
  }

  /// All pairs of a grid of codes: the ends, the neighbours of the zero points, and values in between.
  Status add_pairs(const ProbeParameters& parameters) {
    auto grid = [](const ElementType& type) {
      std::vector<Real> values = special_points(type);
      PseudoRandom random(17);
      while (values.size() < 64) values.push_back(random_value(random, type));
      return in_order(std::move(values));
    };
    std::vector<Real> first, second;
    for (const Real& a : grid(roles_.data()[0]->type))
      for (const Real& b : grid(roles_.data()[1]->type)) {
        first.push_back(a);
        second.push_back(b);
      }
    return keep(elementwise_set(roles_, parameters, first, second));
  }

  Status add_accumulators(ProbeParameters parameters, std::size_t place) {
    parameters.zero_first = middle(roles_.data()[0]->type);
    parameters.zero_second = middle(roles_.data()[1]->type);
    ElementType i32 = *ElementType::parse("i32");
    std::vector<Real> points = special_points(i32);
    if (result_.element.is_integer() && result_.element.bits() <= 16) {
      Real zero = parameters.zero_result;
      for (const Real& v : tie_points(factor_of(roles_, parameters), i32, result_.element.min() - zero, result_.element.max() - zero, most_points))
        points.push_back(v);
    }
    points = in_order(std::move(points));
    if (has_bias(roles_)) return keep(accumulator_set(roles_, parameters, every(points, most_of(parameters), place)));
    // Without a bias every accumulator costs a row of codes: a few hundred near ones, and some as far as 2,000 products reach.
    std::vector<Real> near, far;
    for (const Real& v : points) (abs(v) <= Real(60000) ? near : far).push_back(v);
    std::erase_if(far, [](const Real& v) { return abs(v) > Real(30000000); });
    TIEBREAK_CHECK(keep(accumulator_set(roles_, parameters, every(near, 700, place))));
    if (place % 3 != 0 && factor_of(roles_, parameters) > Real::power_of_two(-8)) return {};
    return keep(accumulator_set(roles_, parameters, every(far, 24, place)));
  }

  /// Few points where ties are plain, all of them where a difference is rare: tiny factors, whose accumulators do not fit f32.
  std::size_t most_of(const ProbeParameters& parameters) const {
    bool has_factor = roles_.find(RoleKind::scale, false) != nullptr || roles_.find(RoleKind::multiplier, false) != nullptr;
    bool is_rare = has_factor && factor_of(roles_, parameters) < Real::power_of_two(-13);
    return is_rare ? 4 * most_points : 500;
  }

  static std::vector<Real> every(const std::vector<Real>& points, std::size_t most, std::size_t place) {
    if (points.size() <= most) return points;
    std::vector<Real> fewer;
    std::size_t step = points.size() / most + 1;
    for (std::size_t i = place % step; i < points.size(); i += step) fewer.push_back(points[i]);
    return fewer;
  }

  /// Products at the ends of the codes, which a 16-bit sum of two cannot hold; sums of 25 bits; with a bias, sums beyond 32 bits. At last,
  /// sums of so many products (66,412 of u8 by i8) that they leave 32 bits by themselves.
  Status add_products() {
    const OperandRole &row = row_operand(roles_), &shared = shared_operand(roles_);
    for (bool with_zero_points : {false, true}) {
      for (std::int64_t depth : {1, 2, 3, 4, 8, 33, 520}) TIEBREAK_CHECK(add_extremes(row, shared, depth, with_zero_points));
    }
    // A bias reaches the ends of 32 bits at less cost.
    Real deepest = round_whole(Real::power_of_two(31) / (row.type.max() * shared.type.max()), Rounding::up) + Real(100);
    return has_bias(roles_) ? Status{} : add_extremes(row, shared, deepest.to_int64().value_or(66400), false);
  }

  Status add_extremes(const OperandRole& row, const OperandRole& shared, std::int64_t depth, bool with_zero_points) {
    ProbeParameters parameters;
    if (with_zero_points) {
      bool row_is_first = row.name == roles_.data()[0]->name;
      (row_is_first ? parameters.zero_first : parameters.zero_second) = row.type.integer().is_signed ? Real(0) : Real(3);
      (row_is_first ? parameters.zero_second : parameters.zero_first) = shared.type.integer().is_signed ? Real(0) : Real(131);
    }
    // The result shows the sum: its largest magnitude comes near the end of the codes.
    Real product = max(abs(row.type.min()), row.type.max()) * max(abs(shared.type.min()), shared.type.max());
    parameters.result = Real::power_of_two(std::max<std::int64_t>(0, (product * Real(depth)).exponent() - 6));
    PseudoRandom random(static_cast<std::uint64_t>(depth));
    ContractionRows rows;
    bool signed_shared = shared.type.integer().is_signed;
    for (std::int64_t i = 0; i < depth; ++i) rows.shared.push_back(depth > 1000 || (i / 4) % 2 == 0 || !signed_shared ? shared.type.max() : shared.type.min());
    int most = depth > 1000 ? 3 : 48;
    for (int r = 0; r < most; ++r) {
      std::vector<Real> one;
      for (std::int64_t i = 0; i < depth; ++i) {
        std::uint64_t drawn = random.below(8);
        bool high = depth > 1000 ? r == 0 || (r == 1) == ((i / 4) % 2 == 0) : r < 2 ? r == 0 : drawn < 4;
        Real value = high ? row.type.max() : row.type.min();
        if (r >= 8 && drawn % 4 == 0) value = round_whole(value / Real(static_cast<std::int64_t>(1 + random.below(9))), Rounding::toward_zero);
        one.push_back(value);
      }
      rows.rows.push_back(std::move(one));
      if (has_bias(roles_)) rows.biases.push_back(r % 3 == 0 ? Real(0) : bias_for(random, r));
    }
    // What stands in the rows are codes, not differences.
    return keep(contraction_set(roles_, parameters, as_differences(std::move(rows), row, shared, parameters)));
  }

  static Real bias_for(PseudoRandom& random, int row) {
    if (row % 3 == 1) return Real(static_cast<std::int64_t>(row % 2 == 0 ? INT32_MAX : INT32_MIN) + (row % 2 == 0 ? -row : row));
    return Real(static_cast<std::int64_t>(random.below(std::uint64_t{1} << 26)) - (1 << 25));
  }

  ContractionRows as_differences(ContractionRows rows, const OperandRole& row, const OperandRole& shared, const ProbeParameters& parameters) const {
    auto zero = [&](const OperandRole& role) {
      bool has_one = role.expressed || zero_point_of(roles_, false) != nullptr;
      return !has_one ? Real(0) : role.name == roles_.data()[0]->name ? parameters.zero_first : parameters.zero_second;
    };
    for (Real& v : rows.shared) v = v - zero(shared);
    for (std::vector<Real>& one : rows.rows)
      for (Real& v : one) v = v - zero(row);
    return rows;
  }

  static Real random_value(PseudoRandom& random, const ElementType& type) {
    for (;;) {
      Real v = type.decode(random.next());
      if (v.is_finite()) return v;
    }
  }

  std::vector<ProbeSet>& sets() { return sets_; }

 private:
  static constexpr std::size_t most_points = 1600;
  Status keep(Result<ProbeSet> set) {
    // Parameters that an op's types cannot hold (an unsigned zero point in the middle) leave that set out, not the others.
    if (!set && set.error().code == Errc::internal) return tl::unexpected<Error>(set.error());
    if (set && set->count > 0) sets_.push_back(*std::move(set));
    return {};
  }

  const OpRoles& roles_;
  const TensorType& result_;
  std::vector<ProbeSet> sets_{};
};

Real random_scale(PseudoRandom& random, int least, int most) {
  std::int64_t exponent = least + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most - least + 1)));
  switch (random.below(4)) {
    case 0: return Real::power_of_two(exponent);
    case 1: return Real(static_cast<std::int64_t>(1 + random.below(999))) / Real(1000) * Real::power_of_two(exponent + 1);
    case 2: return Real::dyadic(static_cast<std::int64_t>(1 + 2 * random.below(64)), exponent - 6);
    default: return Real::dyadic(static_cast<std::int64_t>((1 << 23) + random.below(1 << 23)), exponent - 23);
  }
}

ProbeParameters random_parameters(PseudoRandom& random, const OpRoles& roles, const TensorType& result) {
  ProbeParameters parameters{random_scale(random, -12, 1), random_scale(random, -10, 1), random_scale(random, -9, 3)};
  auto zero = [&](const OperandRole* role, const ElementType& codes) {
    std::vector<Real> some = zero_point_choices(role, codes);
    Real low = some[0], high = some[0];
    for (const Real& v : some) {
      low = min(low, v);
      high = max(high, v);
    }
    auto span = (high - low).to_int64().value_or(0);
    return random.below(2) == 0 ? some[random.below(some.size())] : low + Real(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(span) + 1)));
  };
  if (roles.find(RoleKind::multiplier, false) != nullptr) {
    parameters.multiplier = Real(static_cast<std::int64_t>((1 << 30) + random.below(1 << 30)));
    parameters.shift = static_cast<std::int64_t>(random.below(20)) - 15;
  }
  parameters.zero_result = zero(zero_point_of(roles, true), result.element);
  parameters.zero_first = zero(zero_point_of(roles, false), roles.data()[0]->type);
  return parameters;
}

/// A part of the points, spread over all of them.
std::vector<Real> thinned(PseudoRandom& random, std::vector<Real> points, std::size_t most) {
  if (points.size() <= most) return points;
  std::vector<Real> fewer;
  for (std::size_t i = 0; i < most; ++i) {
    std::size_t low = i * points.size() / most, high = std::max(low + 1, (i + 1) * points.size() / most);
    fewer.push_back(points[low + random.below(high - low)]);
  }
  return fewer;
}

Result<ProbeSet> random_set(PseudoRandom& random, const OpRoles& roles, const TensorType& result, std::size_t most, bool one_scale) {
  ProbeParameters parameters = random_parameters(random, roles, result);
  if (one_scale) parameters.second = 1;
  bool contraction = roles.form != OpRoles::Form::elementwise;
  ElementType data = contraction ? *ElementType::parse("i32") : roles.data()[0]->type;
  std::vector<Real> points;
  if (result.element.is_integer() && result.element.bits() <= 16) {
    Real zero = parameters.zero_result;
    points = thinned(random, tie_points(factor_of(roles, parameters), data, result.element.min() - zero, result.element.max() - zero, 4 * most), most * 3 / 4);
  }
  // Without a bias an accumulator is a row of codes: most sets keep to short ones.
  bool is_row = contraction && !has_bias(roles);
  std::int64_t reach = !is_row ? INT32_MAX : random.below(8) == 0 ? 2000000 : 60000;
  auto drawn = [&] {
    if (!contraction) return Pool::random_value(random, data);
    std::int64_t bits = 1 + static_cast<std::int64_t>(random.below(31));
    return Real((static_cast<std::int64_t>(random.below(std::uint64_t{1} << 33)) - (std::int64_t{1} << 32)) >> (32 - bits)) * Real(1);
  };
  while (points.size() < most) points.push_back(drawn());
  if (contraction) {
    std::erase_if(points, [&](const Real& v) { return abs(v) > Real(reach); });
    parameters.zero_first = middle(roles.data()[0]->type);
    parameters.zero_second = middle(roles.data()[1]->type);
    return accumulator_set(roles, parameters, points);
  }
  std::vector<Real> others;
  for (std::size_t i = 0; roles.data().size() == 2 && i < points.size(); ++i) others.push_back(Pool::random_value(random, roles.data()[1]->type));
  return elementwise_set(roles, parameters, points, others);
}

}  // namespace

Result<TensorType> result_type_of(const Library& library, const OpRoles& roles) {
  ProbeParameters parameters;
  Result<ProbeSet> set = roles.form == OpRoles::Form::elementwise ? elementwise_set(roles, parameters, {Real(1)}, {Real(1)})
                                                                  : contraction_set(roles, parameters, {{Real(1)}, {{Real(1)}}, {}});
  if (!set) return tl::unexpected<Error>(set.error());
  TIEBREAK_TRY(test, case_of(library, set->call, roles.op));
  TIEBREAK_TRY(reference, library.find_profile("reference"));
  TIEBREAK_TRY(results, results_under(library, *reference, test));
  return results.at(0).tensor.type();
}

Result<std::vector<ProbeSet>> probe_pool(const Library& library, const OpRoles& roles) {
  TIEBREAK_TRY(result, result_type_of(library, roles));
  return Pool(roles, result).make();
}

Result<std::vector<ProbeSet>> random_sets(const Library& library, const OpRoles& roles, std::uint64_t seed, std::int64_t count, bool one_scale) {
  TIEBREAK_TRY(result, result_type_of(library, roles));
  PseudoRandom random(seed);
  std::vector<ProbeSet> sets;
  bool rows = roles.form != OpRoles::Form::elementwise && !has_bias(roles);
  for (std::int64_t made = 0; made < count;) {
    std::size_t most = static_cast<std::size_t>(std::min<std::int64_t>(rows ? 256 : 2048, count - made));
    TIEBREAK_TRY(set, random_set(random, roles, result, std::max<std::size_t>(most, 4), one_scale));
    if (set.count == 0) continue;
    made += set.count;
    sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace tiebreak
