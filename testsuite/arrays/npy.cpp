// SPDX-License-Identifier: Apache-2.0
#include "testsuite/arrays/npy.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "testsuite/arrays/reorder.hpp"

namespace tiebreak {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";

struct NpyHeader {
  std::string descr;  ///< <f4
  bool column_major = false;
  Shape shape{};
};

/// A walk along the header, which is a Python dictionary with the keys descr, fortran_order and shape.
class HeaderText {
 public:
  HeaderText(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  Result<NpyHeader> read() {
    NpyHeader header;
    int seen = 0;
    if (!take('{')) return damaged();
    while (!take('}')) {
      TIEBREAK_TRY(key, quoted());
      if (!take(':')) return damaged();
      ++seen;
      if (key == "descr") {
        if (peek() != '\'' && peek() != '"') return fail(Errc::unsupported, "an array of structures", where_, "one array for each field");
        TIEBREAK_TRY(descr, quoted());
        header.descr = descr;
      } else if (key == "fortran_order") {
        TIEBREAK_TRY(order, truth());
        header.column_major = order;
      } else if (key == "shape") {
        TIEBREAK_TRY(shape, tuple());
        header.shape = shape;
      } else {
        return damaged();
      }
      take(',');
    }
    if (seen != 3 || header.descr.empty()) return damaged();
    return header;
  }

 private:
  tl::unexpected<Error> damaged() const { return fail(Errc::corrupt, "the header of the array is damaged", where_); }
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    peek();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  Result<std::string> quoted() {
    const char mark = peek();
    if (mark != '\'' && mark != '"') return damaged();
    const std::size_t end = text_.find(mark, at_ + 1);
    if (end == std::string_view::npos) return damaged();
    std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }
  Result<bool> truth() {
    if (take("True")) return true;
    if (take("False")) return false;
    return damaged();
  }
  Result<Shape> tuple() {
    Shape shape;
    if (!take('(')) return damaged();
    while (!take(')')) {
      peek();
      std::int64_t extent = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), extent);
      if (error != std::errc() || extent < 0) return damaged();
      at_ = static_cast<std::size_t>(end - text_.data());
      shape.push_back(extent);
      take(',');
    }
    return shape;
  }

  std::string_view text_;
  const std::string& where_;
  std::size_t at_ = 0;
};

std::size_t little_endian(std::span<const std::byte> bytes) {
  std::size_t number = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) number = number << 8U | std::to_integer<std::size_t>(bytes[i - 1]);
  return number;
}

/// `<f4` is f32. Nothing where the file keeps no number that we know, such as `|V2`, as which NumPy writes the bfloat16 of other packages.
std::optional<ElementType> element_of(char kind, std::size_t width) {
  const std::string bits = std::to_string(8 * width);
  if (kind == 'b' && width == 1) return ElementType::boolean();
  if (kind == 'f' && width <= 8) return ElementType::parse("f" + bits);
  if ((kind == 'i' || kind == 'u') && width <= 8) return ElementType::parse(std::string(1, kind) + bits);
  return std::nullopt;
}

Result<std::size_t> width_of(const std::string& descr, const std::string& where) {
  if (descr.size() < 2 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos)
    return fail(Errc::corrupt, "'" + descr + "' is no type of an array", where);
  if (std::string_view("biufV").find(descr[1]) == std::string_view::npos)
    return fail(Errc::unsupported, "the array's type is '" + descr + "'", where, "whole numbers and floats are read");
  std::size_t width = 0;
  const char* first = descr.data() + 2;
  const auto [end, error] = std::from_chars(first, descr.data() + descr.size(), width);
  const bool is_read = error == std::errc() && end == descr.data() + descr.size();
  if (!is_read) return fail(Errc::corrupt, "'" + descr + "' is no type of an array", where);
  const bool is_known = element_of(descr[1], width) || (descr[1] == 'V' && (width == 1 || width == 2 || width == 4 || width == 8));
  if (!is_known) return fail(Errc::unsupported, "the array's type is '" + descr + "'", where, "numbers of up to 64 bits are read");
  return width;
}

}  // namespace

Result<ArrayOfFile> parse_npy(std::span<const std::byte> bytes, const std::string& where) {
  const auto damaged = [&where](const char* what) { return fail(Errc::corrupt, what, where); };
  if (bytes.size() < 10 || std::memcmp(bytes.data(), npy_magic.data(), npy_magic.size()) != 0) return damaged("this is no .npy file");
  const auto version = std::to_integer<int>(bytes[6]);
  if (version < 1 || version > 3) return damaged("an .npy file of an unknown version");
  const std::size_t counted = version == 1 ? 2 : 4;
  if (bytes.size() < 8 + counted) return damaged("the .npy file is cut off");
  const std::size_t length = little_endian(bytes.subspan(8, counted));
  const std::size_t start = 8 + counted + length;
  if (length > bytes.size() || start > bytes.size()) return damaged("the .npy file is cut off");
  const std::string text(reinterpret_cast<const char*>(bytes.data()) + 8 + counted, length);
  TIEBREAK_TRY(header, HeaderText(text, where).read());
  TIEBREAK_TRY(width, width_of(header.descr, where));
  const Result<std::int64_t> count = element_count(header.shape);
  if (!count) return fail(count.error().code, count.error().what, where);
  const std::span<const std::byte> data = bytes.subspan(start);
  if (data.size() != static_cast<std::size_t>(*count) * width)
    return damaged(data.size() < static_cast<std::size_t>(*count) * width ? "the .npy file is cut off" : "the .npy file has bytes behind its array");

  std::vector<std::byte> stored(data.begin(), data.end());
  if (header.descr[0] == '>' && width > 1)
    for (std::size_t i = 0; i < stored.size(); i += width)
      std::reverse(stored.begin() + static_cast<std::ptrdiff_t>(i), stored.begin() + static_cast<std::ptrdiff_t>(i + width));
  if (header.column_major) stored = row_major_of_column_major(stored, header.shape, width);
  ArrayOfFile array;
  if (const auto element = element_of(header.descr[1], width)) {
    TIEBREAK_TRY(tensor, Tensor::from_bytes({*element, header.shape}, std::move(stored), where));
    array.tensor = std::move(tensor);
  } else {
    array.raw = std::move(stored);
    array.shape = header.shape;
    array.stated = header.descr;
  }
  return array;
}

}  // namespace tiebreak
