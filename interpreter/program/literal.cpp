// SPDX-License-Identifier: Apache-2.0
// Literals: numbers, nested and flat lists, splats and raw hex strings, checked against a tensor type.
#include <algorithm>

#include "interpreter/program/mlir_parser.hpp"

namespace tiebreak::mlir {
namespace {

constexpr std::size_t digits_limit = 4096;
constexpr int exponent_limit = 2000;  // no format reaches further, and greater powers only cost time

bool is_hex(std::string_view text) { return text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'x'; }

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return text;
}

bool exponent_in_reach(std::string_view text) {
  const std::size_t mark = text.find_first_of(is_hex(without_sign(text)) ? "pP" : "eE");
  if (mark == std::string_view::npos) return true;
  const std::string_view digits = without_sign(text.substr(mark + 1));
  int value = 0;
  for (char c : digits) {
    value = value * 10 + (c - '0');
    if (value > exponent_limit) return false;
  }
  return true;
}

std::string shown(std::string_view text) { return text.size() <= 40 ? std::string(text) : std::string(text.substr(0, 37)) + "..."; }

Result<std::uint64_t> float_bits(const Cursor& cursor, const NumberText& number, const ElementType& element, const std::string& prefix) {
  const std::size_t digits = static_cast<std::size_t>((element.bits() + 3) / 4);
  std::uint64_t code = 0;
  for (char c : number.text.substr(2, 16)) code = code * 16 + static_cast<std::uint64_t>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
  const bool too_wide = element.bits() < 64 && (code >> element.bits()) != 0;
  const bool whole_byte = element.bits() < 8 && number.text.size() == 4;
  if ((number.text.size() != digits + 2 && !whole_byte) || too_wide) {
    return cursor.error_at(number.offset, Errc::type,
                           prefix + shown(number.text) + " is not a bit pattern of " + element.name() + ", which has " + std::to_string(digits) + " hex digits",
                           "a hex float has an exponent: 0x1.8p3");
  }
  return code;
}

Result<std::uint64_t> float_code(const Cursor& cursor, const NumberText& number, const ElementType& element, const std::string& prefix) {
  const bool hex = is_hex(without_sign(number.text));
  if (hex && number.text.find_first_of("pP.") == std::string_view::npos) {
    if (number.text[0] == '0') return float_bits(cursor, number, element, prefix);
    return cursor.error_at(number.offset, Errc::type, prefix + "a bit pattern has no sign: " + shown(number.text));
  }
  TIEBREAK_TRY(value, exact_number(cursor, number));
  const FloatFormat& format = element.floating();
  std::optional<Real> rounded = value;
  if (value.is_finite()) rounded = round_to(value, format);
  const bool below_scale = !format.is_signed() && value.is_finite() && value < format.smallest();
  auto code = rounded && (rounded->is_finite() || !value.is_finite()) && !below_scale ? encode(*rounded, format) : std::nullopt;
  if (!code) return cursor.error_at(number.offset, Errc::type, prefix + shown(number.text) + " is out of the range of " + element.name());
  const bool signed_nan = value.is_nan() && number.text[0] == '-' && format.is_signed() && format.kind != FloatClass::fnuz;
  return signed_nan ? *code | (std::uint64_t{1} << (format.bits() - 1)) : *code;
}

/// Fills a tensor from nested or flat lists; an explicit stack of counts keeps deep nesting off the machine's stack.
class ListReader {
 public:
  ListReader(Cursor& cursor, Tensor& tensor) : cursor_(cursor), tensor_(tensor), shape_(tensor.shape()) {}

  Status run() {
    TIEBREAK_CHECK(open());
    while (!counts_.empty()) {
      if (cursor_.peek() == '[') {
        TIEBREAK_CHECK(open());
        continue;
      }
      if (cursor_.peek() != ']') TIEBREAK_CHECK(element());
      TIEBREAK_CHECK(after_item());
    }
    if (index_ == tensor_.size()) return {};
    return cursor_.error_at(
        start_, Errc::type,
        "the literal has " + std::to_string(index_) + " elements, the type " + to_text(tensor_.type()) + " has " + std::to_string(tensor_.size()));
  }

 private:
  Status open() {
    if (counts_.empty()) start_ = cursor_.offset();
    if (counts_.size() >= static_cast<std::size_t>(nesting_limit)) return cursor_.error_at(cursor_.offset(), Errc::limit, "lists nested deeper than 200");
    if (!cursor_.accept("[")) return cursor_.error("expected a list, found " + cursor_.found());
    counts_.push_back(0);
    return {};
  }

  Status element() {
    const std::size_t at = cursor_.offset();
    if (element_depth_ == 0) element_depth_ = counts_.size();
    const bool flat = element_depth_ == 1;
    if (counts_.size() != element_depth_ || (!flat && element_depth_ != shape_.size())) {
      return cursor_.error_at(
          at, Errc::type,
          "element " + std::to_string(index_) + " stands " + std::to_string(counts_.size()) + " lists deep, but the type is " + to_text(tensor_.type()));
    }
    if (index_ >= tensor_.size()) {
      return cursor_.error_at(at, Errc::type, "more than the " + std::to_string(tensor_.size()) + " elements of " + to_text(tensor_.type()));
    }
    TIEBREAK_TRY(code, scalar(cursor_, tensor_.type(), "element " + std::to_string(index_) + ": "));
    tensor_.set_code(index_++, code);
    ++counts_.back();
    return {};
  }

  /// After an element or an empty list: a comma, or the ends of one or more lists.
  Status after_item() {
    while (!counts_.empty()) {
      if (cursor_.accept(",")) {
        if (cursor_.peek() == ']') return cursor_.error("expected an element after ',', found ']'");
        return {};
      }
      if (!cursor_.accept("]")) return cursor_.error("expected ',' or ']' in a list, found " + cursor_.found());
      TIEBREAK_CHECK(check_extent());
      counts_.pop_back();
      if (!counts_.empty()) ++counts_.back();
    }
    return {};
  }

  Status check_extent() const {
    const std::size_t depth = counts_.size();
    if (depth == 1 && element_depth_ == 1 && shape_.size() != 1) return {};  // flat: only the total counts
    if (depth <= shape_.size() && counts_.back() == shape_[depth - 1]) return {};
    if (depth == 1 && tensor_.size() == 0 && counts_.back() == 0) return {};
    const std::string expected = depth <= shape_.size() ? std::to_string(shape_[depth - 1]) : "no";
    return cursor_.error_at(start_, Errc::type,
                            "a list at depth " + std::to_string(depth) + " has " + std::to_string(counts_.back()) + " items, where " + to_text(tensor_.type()) +
                                " has " + expected);
  }

 public:
  static Result<std::uint64_t> scalar(Cursor& cursor, const TensorType& type, const std::string& prefix) {
    const std::size_t at = cursor.offset();
    if (cursor.accept_word("true") || cursor.accept_word("false")) {
      if (type.element.is_boolean()) return cursor.slice(at, at + 4) == "true" ? 1 : 0;
      return cursor.error_at(at, Errc::type, prefix + "a truth value for the type " + type.element.name());
    }
    if (cursor.peek() == '(') return cursor.error_at(at, Errc::unsupported, prefix + "complex numbers are not supported");
    const auto number = cursor.number();
    if (!number) return cursor.error(prefix + "expected a number, found " + cursor.found());
    TIEBREAK_TRY(code, number_code(cursor, *number, type.element, prefix));
    if (type.quantized) {
      const Real value = type.element.decode(code);
      if (value < type.quantized->storage_min || value > type.quantized->storage_max) {
        return cursor.error_at(at, Errc::type,
                               prefix + value.to_string() + " is outside the storage range " + type.quantized->storage_min.to_string() + ":" +
                                   type.quantized->storage_max.to_string());
      }
    }
    return code;
  }

 private:
  Cursor& cursor_;
  Tensor& tensor_;
  const Shape& shape_;
  std::vector<std::int64_t> counts_{};
  std::size_t element_depth_ = 0;  // how deep the first element stood; 1: flat
  std::size_t start_ = 0;
  std::int64_t index_ = 0;
};

/// MLIR packs raw truth values eight a byte, in newer versions a byte each; one byte for all is 0x00 or 0xFF.
Status fill_truths(Tensor& tensor, const std::vector<std::byte>& raw) {
  const bool splat = raw.size() == 1;
  if (!splat && raw.size() == static_cast<std::size_t>(tensor.size())) {
    for (std::size_t i = 0; i < raw.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), raw[i] != std::byte{0} ? 1 : 0);
    return {};
  }
  if (!splat && raw.size() != static_cast<std::size_t>((tensor.size() + 7) / 8)) return fail(Errc::type, "");
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const auto byte = std::to_integer<unsigned>(raw[splat && tensor.size() > 8 ? 0 : static_cast<std::size_t>(i / 8)]);
    tensor.set_code(i, (byte >> (i % 8)) & 1);
  }
  return {};
}

/// Every element the same: the filled part is doubled.
void fill(Tensor& tensor, std::uint64_t code) {
  if (tensor.size() == 0) return;
  tensor.set_code(0, code);
  const std::span<std::byte> bytes = tensor.bytes();
  for (auto done = static_cast<std::size_t>(tensor.element().storage_bytes()); done < bytes.size(); done *= 2) {
    std::copy_n(bytes.begin(), std::min(done, bytes.size() - done), bytes.begin() + static_cast<std::ptrdiff_t>(done));
  }
}

Status fill_raw(Cursor& cursor, Tensor& tensor) {
  const std::size_t at = cursor.offset();
  TIEBREAK_TRY(text, cursor.string());
  if (!text.starts_with("0x") || text.size() % 2 != 0 || !std::all_of(text.begin() + 2, text.end(), [](char c) { return is_hex_digit(c); })) {
    return cursor.error_at(at, Errc::syntax, "raw elements are a string \"0x...\" with two hex digits a byte");
  }
  std::vector<std::byte> raw;
  raw.reserve(text.size() / 2);
  for (std::size_t i = 2; i < text.size(); i += 2) raw.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
  const auto width = static_cast<std::size_t>(tensor.element().storage_bytes());
  const std::size_t expected = static_cast<std::size_t>(tensor.size()) * width;
  const bool truths = tensor.element().is_boolean();
  if (truths && !raw.empty() && fill_truths(tensor, raw)) return {};
  if (truths || (raw.size() != expected && raw.size() != width)) {
    return cursor.error_at(at, Errc::type,
                           std::to_string(raw.size()) + " raw bytes for " + to_text(tensor.type()) + ", which takes " +
                               std::to_string(truths ? static_cast<std::size_t>((tensor.size() + 7) / 8) : expected));
  }
  std::vector<std::byte> bytes;
  bytes.reserve(expected);
  while (bytes.size() < expected) bytes.insert(bytes.end(), raw.begin(), raw.end());
  TIEBREAK_TRY(filled, Tensor::from_bytes(tensor.type(), std::move(bytes), cursor.where(at)));
  tensor = std::move(filled);
  return {};
}

}  // namespace

Result<Real> exact_number(const Cursor& cursor, const NumberText& number) {
  if (number.text.size() > digits_limit || !exponent_in_reach(number.text)) {
    return cursor.error_at(number.offset, Errc::limit, "the number " + shown(number.text) + " has too many digits or too large an exponent");
  }
  const bool minus = number.text.starts_with('-');
  auto value = Real::parse(without_sign(number.text));
  if (!value) return cursor.error_at(number.offset, Errc::syntax, "not a number: " + shown(number.text));
  return minus ? -*value : *value;
}

Result<std::uint64_t> number_code(const Cursor& cursor, const NumberText& number, const ElementType& element, const std::string& prefix) {
  if (element.is_float()) return float_code(cursor, number, element, prefix);
  TIEBREAK_TRY(value, exact_number(cursor, number));
  if (const auto code = element.encode(value)) return *code;
  return cursor.error_at(
      number.offset, Errc::type,
      prefix + shown(number.text) + " is not a value of " + element.name() + " (" + element.min().to_string() + ".." + element.max().to_string() + ")");
}

Result<Tensor> read_elements(Cursor cursor, const TensorType& type) {
  const std::size_t at = cursor.offset();
  auto count = element_count(type.shape);
  if (!count) return cursor.error_at(at, count.error().code, count.error().what);
  if (*count > literal_limit) {
    return cursor.error_at(at, Errc::limit, "a literal of " + std::to_string(*count) + " elements; the limit is " + std::to_string(literal_limit));
  }
  TIEBREAK_TRY(tensor, Tensor::zeros(type));
  if (cursor.peek() == '[') {
    TIEBREAK_CHECK(ListReader(cursor, tensor).run());
  } else if (cursor.peek() == '"') {
    TIEBREAK_CHECK(fill_raw(cursor, tensor));
  } else if (cursor.at_end()) {
    if (tensor.size() != 0) return cursor.error("expected a value for " + to_text(type));
  } else {
    TIEBREAK_TRY(code, ListReader::scalar(cursor, type, ""));
    fill(tensor, code);
  }
  if (!cursor.at_end()) return cursor.error("unexpected " + cursor.found() + " after a literal");
  return tensor;
}

}  // namespace tiebreak::mlir

namespace tiebreak {

Result<Tensor> parse_literal(std::string_view text, const TensorType& type, const std::string& where) {
  if (text.size() > mlir::text_limit) return fail(Errc::limit, "a literal of more than 16 MiB", where);
  mlir::Cursor cursor = mlir::Cursor::fixed(text, where);
  if (!cursor.accept("dense<")) return mlir::read_elements(std::move(cursor), type);
  TIEBREAK_TRY(end, cursor.closing('<', '>'));
  mlir::Cursor content = cursor.part(cursor.offset(), end);
  // A type after the elements may stand there, as in MLIR; the type asked for is the one that counts.
  cursor.rewind(end + 1);
  if (!cursor.at_end() && cursor.peek() != ':') return cursor.error("unexpected " + cursor.found() + " after dense<...>");
  return mlir::read_elements(std::move(content), type);
}

}  // namespace tiebreak
