// SPDX-License-Identifier: Apache-2.0
// Factorizations: recurrences over a matrix that no formula of a page can say. What is computed is the exact real answer, rounded once to the arithmetic's
// type: a Cholesky factor is a rational times the square root of a rational, a triangular solution is rational.
#include <fmt/format.h>

#include "interpreter/evaluate/regions.hpp"

namespace tiebreak::regions {
namespace {

using Matrix = std::vector<Real>;  ///< row-major

TensorType float_type(const TensorType& type) { return {type.quantized ? type.quantized->expressed : type.element, type.shape, {}}; }

/// A quantized tensor as floats of its expressed type.
Result<ResultTensor> as_floats(const Context& context, const ResultTensor& value) {
  if (!value.tensor.type().quantized) return value;
  return run_op(context, "stablehlo.uniform_dequantize", {value}, {}, float_type(value.tensor.type()));
}

/// Floats in the result's type.
Results finished(const Context& context, ResultTensor floats) {
  TIEBREAK_TRY(result, convert_element(context, floats, *context.header.results.front()));
  return std::vector<ResultTensor>{std::move(result)};
}

Result<Matrix> matrix_of(const ResultTensor& value, std::int64_t first, std::int64_t size) {
  Matrix matrix;
  for (std::int64_t i = first; i < first + size; ++i) {
    const Real element = value.tensor.value(i);
    matrix.push_back(value.is_undefined(i) || !element.is_finite() ? Real::nan() : element);
  }
  return matrix;
}

Status put_value(ResultTensor& to, std::int64_t index, const std::optional<Computable>& value) {
  if (value) {
    TIEBREAK_TRY(rounded, value->round_to(to.tensor.element().floating(), Rounding::nearest_even, Overflow::format));
    if (rounded) return to.tensor.set_code(index, *to.tensor.element().encode(*rounded)), Status{};
  }
  if (to.undefined.empty()) to.undefined.resize(static_cast<std::size_t>(to.tensor.size()));
  to.undefined[static_cast<std::size_t>(index)] = 1;
  return {};
}

/// a = U D U^T with ones on the diagonal of the lower triangular U and D diagonal: exact. Nothing where a is not positive definite or not symmetric.
struct Factors {
  Matrix unit{}, diagonal{};
};
std::optional<Factors> factors_of(const Matrix& a, std::size_t n) {
  Factors factors{Matrix(n * n), Matrix(n)};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      if (a[i * n + j].is_nan() || !(a[i * n + j] == a[j * n + i])) return std::nullopt;
      Real rest = a[i * n + j];
      for (std::size_t k = 0; k < j; ++k) rest = rest - factors.unit[i * n + k] * factors.unit[j * n + k] * factors.diagonal[k];
      if (i == j) {
        if (rest.sign() <= 0) return std::nullopt;
        factors.diagonal[i] = rest;
        factors.unit[i * n + i] = Real(1);
      } else {
        factors.unit[i * n + j] = rest / factors.diagonal[j];
      }
    }
  return factors;
}

/// value * sqrt(d), as one square root so that a rounding can decide it.
Computable scaled_root(const Real& value, const Real& d) {
  const Computable square[] = {Computable(value * value * d)};
  const Computable root = Computable::apply(RealFunction::sqrt, square);
  return value.sign() < 0 ? -root : root;
}

}  // namespace

/// The other triangle is the implementation's: undefined. So is everything where a matrix is not positive definite.
Results cholesky(const Context& context) {
  TIEBREAK_TRY(a, as_floats(context, context.operands(context.argument(0)).front()));
  const Shape& shape = a.tensor.shape();
  const std::size_t n = static_cast<std::size_t>(shape.back());
  const std::int64_t size = static_cast<std::int64_t>(n * n);
  const bool lower = context.flag("lower", false);
  TIEBREAK_TRY(tensor, Tensor::zeros(a.tensor.type()));
  ResultTensor result{.name = "", .tensor = std::move(tensor)};
  for (std::int64_t first = 0; size > 0 && first < a.tensor.size(); first += size) {
    TIEBREAK_TRY(matrix, matrix_of(a, first, size));
    const auto factors = factors_of(matrix, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t row = lower ? i : j, column = lower ? j : i;
        const bool known = factors && column <= row;
        TIEBREAK_CHECK(put_value(result, first + static_cast<std::int64_t>(i * n + j),
                                 known ? std::optional(scaled_root(factors->unit[row * n + column], factors->diagonal[column])) : std::nullopt));
      }
  }
  return finished(context, std::move(result));
}

/// Only the triangle that `lower` names is read; a diagonal of ones is taken, not read. A zero on the diagonal leaves its system undefined.
Results triangular_solve(const Context& context) {
  TIEBREAK_TRY(a, as_floats(context, context.operands(context.argument(0)).front()));
  TIEBREAK_TRY(b, as_floats(context, context.operands(context.argument(1)).front()));
  const bool left = context.flag("left_side", true), unit = context.flag("unit_diagonal", false);
  const bool turned = context.word("transpose_a", "NO_TRANSPOSE") != "NO_TRANSPOSE";
  // x * op(a) = b is op(a)^T * x^T = b^T: one more transposition, and b is read by its other dimension.
  const bool swap = turned != !left;
  const bool lower = context.flag("lower", false) != swap;
  const Shape& shape = b.tensor.shape();
  const std::size_t n = static_cast<std::size_t>(a.tensor.shape().back());
  const std::int64_t rows = shape[shape.size() - 2], columns = shape.back();
  const std::int64_t systems = left ? columns : rows;
  TIEBREAK_TRY(tensor, Tensor::zeros(b.tensor.type()));
  ResultTensor result{.name = "", .tensor = std::move(tensor)};
  const std::int64_t size = static_cast<std::int64_t>(n * n), volume = rows * columns;
  for (std::int64_t batch = 0; volume > 0 && batch * volume < b.tensor.size(); ++batch) {
    TIEBREAK_TRY(matrix, matrix_of(a, batch * size, size));
    TIEBREAK_TRY(given, matrix_of(b, batch * volume, volume));
    const auto coefficient = [&](std::size_t i, std::size_t j) -> Real { return unit && i == j ? Real(1) : swap ? matrix[j * n + i] : matrix[i * n + j]; };
    for (std::int64_t s = 0; s < systems; ++s) {
      const auto place = [&](std::size_t k) { return left ? static_cast<std::int64_t>(k) * columns + s : s * columns + static_cast<std::int64_t>(k); };
      std::vector<Real> x(n);
      bool known = true;
      for (std::size_t step = 0; step < n; ++step) {
        const std::size_t i = lower ? step : n - 1 - step;
        Real rest = given[static_cast<std::size_t>(place(i))];
        for (std::size_t done = 0; done < step; ++done) {
          const std::size_t j = lower ? done : n - 1 - done;
          rest = rest - coefficient(i, j) * x[j];
        }
        x[i] = rest / coefficient(i, i);
        known = known && x[i].is_finite();
      }
      for (std::size_t k = 0; k < n; ++k)
        TIEBREAK_CHECK(put_value(result, batch * volume + place(k), known ? std::optional<Computable>(Computable(x[k])) : std::nullopt));
    }
  }
  return finished(context, std::move(result));
}

}  // namespace tiebreak::regions
