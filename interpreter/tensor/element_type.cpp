// SPDX-License-Identifier: Apache-2.0
// Element types: one table of spellings, and codes by way of the exact integer and float formats.
#include "interpreter/tensor/element_type.hpp"

#include <array>

namespace tiebreak {
namespace {

struct Spelling {
  std::string_view notation;
  std::string_view mlir;
  std::string_view onnx;
};

constexpr std::array<Spelling, 15> float_spellings{{
    {"f64", "f64", "double"},
    {"f32", "f32", "float"},
    {"tf32", "tf32", ""},
    {"f16", "f16", "float16"},
    {"bf16", "bf16", "bfloat16"},
    {"f8e5m2", "f8E5M2", "float8e5m2"},
    {"f8e4m3", "f8E4M3", ""},
    {"f8e3m4", "f8E3M4", ""},
    {"f8e4m3fn", "f8E4M3FN", "float8e4m3fn"},
    {"f8e4m3fnuz", "f8E4M3FNUZ", "float8e4m3fnuz"},
    {"f8e5m2fnuz", "f8E5M2FNUZ", "float8e5m2fnuz"},
    {"f8e4m3b11fnuz", "f8E4M3B11FNUZ", ""},
    {"f6e3m2", "f6E3M2FN", ""},
    {"f6e2m3", "f6E2M3FN", ""},
    {"f4e2m1", "f4E2M1FN", "float4e2m1"},
}};
constexpr Spelling scale_spelling{"f8e8m0", "f8E8M0FNU", "float8e8m0"};

const FloatFormat* find_float(std::string_view word) {
  if (word == "float32") word = "f32";
  if (word == "float64") word = "f64";
  if (word == scale_spelling.mlir || word == scale_spelling.onnx) word = scale_spelling.notation;
  for (const Spelling& spelling : float_spellings) {
    if (word == spelling.mlir || (!spelling.onnx.empty() && word == spelling.onnx)) word = spelling.notation;
  }
  return find_float_format(word);
}

/// int8, uint4: ONNX words, as the notation's i8, u4.
std::optional<IntegerFormat> find_integer(std::string_view word) {
  if (word.starts_with("int")) return parse_integer_format("i" + std::string(word.substr(3)));
  if (word.starts_with("uint")) return parse_integer_format("u" + std::string(word.substr(4)));
  return parse_integer_format(word);
}

}  // namespace

ElementType ElementType::boolean() {
  ElementType type(IntegerFormat{false, 1});
  type.kind_ = Kind::boolean;
  return type;
}

std::optional<ElementType> ElementType::parse(std::string_view word) {
  if (word.empty() || word.size() > 24) return std::nullopt;
  if (word == "bool" || word == "i1") return boolean();
  if (const FloatFormat* format = find_float(word)) return ElementType(format);
  if (auto format = find_integer(word)) return ElementType(*format);
  return std::nullopt;
}

int ElementType::bits() const { return is_float() ? float_->bits() : integer_.bits; }

int ElementType::storage_bytes() const {
  const int width = bits();
  return width <= 8 ? 1 : width <= 16 ? 2 : width <= 32 ? 4 : 8;
}

std::string ElementType::name() const {
  if (is_boolean()) return "bool";
  return is_float() ? std::string(float_->name) : integer_.name();
}

std::string ElementType::mlir_name() const {
  if (is_boolean()) return "i1";
  if (is_integer()) {
    const std::string width = std::to_string(integer_.bits);
    if (!integer_.is_signed) return "ui" + width;
    return (integer_.bits == 1 ? "si" : "i") + width;  // a plain i1 is the truth value
  }
  if (float_->name == scale_spelling.notation) return std::string(scale_spelling.mlir);
  for (const Spelling& spelling : float_spellings) {
    if (float_->name == spelling.notation) return std::string(spelling.mlir);
  }
  return std::string(float_->name);
}

Real ElementType::min() const { return is_float() ? float_->lowest() : integer_.min(); }
Real ElementType::max() const { return is_float() ? float_->largest() : integer_.max(); }

Real ElementType::decode(std::uint64_t code) const {
  if (is_boolean()) return Real(static_cast<std::int64_t>(code & 1));
  return is_float() ? tiebreak::decode(code, *float_) : tiebreak::decode(code, integer_);
}

std::optional<std::uint64_t> ElementType::encode(const Real& v) const {
  if (is_float()) return tiebreak::encode(v, *float_);
  if (!v.is_whole() || !fits(v, integer_)) return std::nullopt;
  return tiebreak::encode(v, integer_);
}

bool ElementType::operator==(const ElementType& other) const {
  if (kind_ != other.kind_) return false;
  return is_float() ? float_->name == other.float_->name : integer_ == other.integer_;
}

}  // namespace tiebreak
