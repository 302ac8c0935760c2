// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/quantized/block_products.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "testsuite/oracle/float_sums.hpp"

namespace tiebreak::oracle {
namespace {

constexpr std::size_t block_length = 32;
using Register = std::array<float, 4>;

Register operator+(const Register& a, const Register& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]}; }

/// The upper half of four onto the lower, then the upper of what is left.
float folded(const Register& r) {
  const float low = r[0] + r[2], high = r[1] + r[3];
  return low + high;
}
float added_beside(const Register& r) {
  const float left = r[0] + r[1], right = r[2] + r[3];
  return left + right;
}

class Product {
 public:
  Product(const BlockRow& x, const BlockRow& w, const BlockProduct& how) : x_(x), w_(w), how_(how), blocks_(x.scales.size()) {}

  float run() const {
    if (how_.order == "blocks") return one_by_one();
    float sum = how_.order == "lanes_8" ? eight() : by_two();
    if (w_.beside.empty()) return sum;
    float minima = 0;
    for (std::size_t b = 0; b < blocks_; ++b) minima = onto(minima, w_.beside[b], x_.beside[b]);
    return sum + minima;
  }

 private:
  float onto(float sum, float a, float b) const {
    if (how_.fused) return std::fma(a, b, sum);
    const float product = a * b;
    return sum + product;
  }

  std::int32_t turned(std::size_t i) const {
    const std::int32_t code = w_.codes[i], other = x_.codes[i];
    if (!how_.wraps || code >= 0 || other != -128) return code * other;
    return std::abs(code) * -128;
  }

  /// Four neighbours for each lane, beginning with the item `from` of the block, onto one register.
  void take(Register& sums, std::size_t b, std::size_t from, bool and_second_half = false) const {
    const float scale = x_.scales[b] * w_.scales[b];
    for (std::size_t l = 0; l < 4; ++l) {
      std::int32_t whole = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        whole += turned(b * block_length + from + 4 * l + i);
        if (and_second_half) whole += turned(b * block_length + 16 + 4 * l + i);
      }
      sums[l] = onto(sums[l], scale, static_cast<float>(whole));
    }
  }

  std::int32_t whole(std::size_t b) const {
    std::int32_t sum = 0;
    for (std::size_t i = b * block_length; i < (b + 1) * block_length; ++i) sum += w_.codes[i] * x_.codes[i];
    return sum;
  }

  float with_block(float sum, std::size_t b) const {
    if (!how_.in_turn) return onto(sum, static_cast<float>(whole(b)), x_.scales[b] * w_.scales[b]);
    const float once = static_cast<float>(whole(b)) * w_.scales[b];
    return onto(sum, once, x_.scales[b]);
  }

  float one_by_one() const {
    float sum = 0;
    for (std::size_t b = 0; b < blocks_; ++b) {
      if (w_.beside.empty()) sum = with_block(sum, b);
      else sum += with_block(w_.beside[b] * x_.beside[b], b);
    }
    return sum;
  }

  float eight() const {
    Register low{}, high{};
    for (std::size_t b = 0; b < blocks_; ++b) {
      take(low, b, 0);
      take(high, b, 16);
    }
    return folded(low + high);
  }

  float by_two() const {
    std::array<Register, 4> sums{};  // low and high lanes of the first block, then of the second
    std::size_t b = 0;
    for (; b + 1 < blocks_; b += 2)
      for (std::size_t second = 0; second < 2; ++second) {
        if (how_.order == "lanes_2x4") {
          take(sums[second], b + second, 0, true);
        } else {
          take(sums[2 * second], b + second, 0);
          take(sums[2 * second + 1], b + second, 16);
        }
      }
    float sum = 0;
    if (how_.order == "lanes_2x4") sum = folded(sums[0] + sums[1]);
    else if (how_.order == "lanes_2x8") sum = folded((sums[0] + sums[2]) + (sums[1] + sums[3]));
    else sum = (added_beside(sums[0]) + added_beside(sums[1])) + (added_beside(sums[2]) + added_beside(sums[3]));
    return b < blocks_ ? with_block(sum, b) : sum;
  }

  const BlockRow& x_;
  const BlockRow& w_;
  const BlockProduct& how_;
  std::size_t blocks_;
};

}  // namespace

float block_product(const BlockRow& x, const BlockRow& w, const BlockProduct& how) { return Product(x, w, how).run(); }

float exact_block_product(const BlockRow& x, const BlockRow& w) {
  std::vector<float> left, right;
  for (std::size_t i = 0; i < x.codes.size(); ++i) {
    left.push_back(static_cast<float>(x.codes[i] * w.codes[i]));
    right.push_back(x.scales[i / block_length] * w.scales[i / block_length]);
  }
  for (std::size_t b = 0; b < w.beside.size(); ++b) {
    left.push_back(w.beside[b]);
    right.push_back(x.beside[b]);
  }
  return exact_sum(left, right).value_or(std::numeric_limits<float>::quiet_NaN());
}

}  // namespace tiebreak::oracle
