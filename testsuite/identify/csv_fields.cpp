// SPDX-License-Identifier: Apache-2.0
#include "testsuite/identify/observations_csv.hpp"

namespace tiebreak {
namespace {

/// Reads field by field; places count from 1, columns in bytes of the line.
class Fields {
 public:
  Fields(const std::string& text, const std::string& file) : text_(text), file_(file) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = line_start_ = 3;
  }

  Result<std::vector<std::vector<CsvField>>> read() {
    std::vector<std::vector<CsvField>> records;
    while (at_ < text_.size()) {
      std::vector<CsvField> record;
      const std::string start = place();
      do {
        TIEBREAK_TRY(field, at_ < text_.size() && text_[at_] == '"' ? quoted() : plain());
        record.push_back(std::move(field));
      } while (take(','));
      TIEBREAK_CHECK(end_of_record());
      if (!records.empty() && record.size() != records.front().size())
        return fail(Errc::syntax, "the line has " + std::to_string(record.size()) + " fields, the header " + std::to_string(records.front().size()), start);
      records.push_back(std::move(record));
    }
    return records;
  }

 private:
  std::string place() const { return file_ + ":" + std::to_string(line_) + ":" + std::to_string(at_ - line_start_ + 1); }

  bool take(char wanted) {
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void next_line() {
    ++line_;
    line_start_ = at_;
  }

  Status end_of_record() {
    if (at_ >= text_.size()) return {};
    const bool has_return = take('\r');
    if (!take('\n'))
      return fail(Errc::syntax, has_return ? "a carriage return alone ends no line" : "a comma or the end of the line is expected behind the quote", place());
    next_line();
    return {};
  }

  Result<CsvField> plain() {
    CsvField field{"", false, place()};
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r') {
      if (text_[at_] == '"')
        return fail(Errc::syntax, "a quote inside a field that does not begin with one", place(), "\"...\" around the whole field, \"\" for a quote");
      field.text += text_[at_++];
    }
    const std::size_t first = field.text.find_first_not_of(" \t"), last = field.text.find_last_not_of(" \t");
    field.text = first == std::string::npos ? "" : field.text.substr(first, last - first + 1);
    return field;
  }

  Result<CsvField> quoted() {
    CsvField field{"", true, place()};
    ++at_;
    for (;;) {
      if (at_ >= text_.size()) return fail(Errc::syntax, "the quote is never closed", field.where);
      const char c = text_[at_++];
      if (c == '"' && !take('"')) return field;
      field.text += c;
      if (c == '\n') next_line();
    }
  }

  const std::string& text_;
  const std::string& file_;
  std::size_t at_ = 0, line_start_ = 0;
  int line_ = 1;
};

}  // namespace

Result<std::vector<std::vector<CsvField>>> parse_csv(const std::string& text, const std::string& file) { return Fields(text, file).read(); }

}  // namespace tiebreak
