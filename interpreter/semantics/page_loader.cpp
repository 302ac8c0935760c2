// SPDX-License-Identifier: Apache-2.0
#include "interpreter/semantics/page_loader.hpp"

#include <array>
#include <cstdio>
#include <memory>

#include "interpreter/notation/notation.hpp"

namespace tiebreak {
namespace {

/// ``` or more, after at most three spaces: the number of backticks, else 0.
std::size_t fence_length(std::string_view line) {
  std::size_t start = line.find_first_not_of(' ');
  if (start == std::string_view::npos || start > 3) return 0;
  std::size_t end = start;
  while (end < line.size() && line[end] == '`') ++end;
  return end - start >= 3 ? end - start : 0;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r' || text.back() == '\t')) text.remove_suffix(1);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return text;
}

/// The first word after the backticks.
std::string_view fence_word(std::string_view line) {
  std::string_view text = trim(line);
  text.remove_prefix(std::min(text.find_first_not_of('`'), text.size()));
  text = trim(text);
  return text.substr(0, text.find(' '));
}

/// The languages that programs are written in.
bool is_program(std::string_view word) { return word == "mlir" || word == "relay"; }

class Blocks {
 public:
  explicit Blocks(const std::string& file) : file_(file) {}

  void take(std::string_view line) {
    ++line_;
    const std::size_t length = fence_length(line);
    const bool closes = open_ > 0 && length >= open_ && fence_word(line).empty();
    if (open_ == 0 && length > 0) {
      open_ = length;
      opened_at_ = line_;
      word_ = fence_word(line);
      if (is_program(word_)) blocks_.examples.push_back({"", line_ + 1});
      blocks_.has_semantics = blocks_.has_semantics || word_ == "semantics";
    } else if (closes) {
      open_ = 0;
      word_.clear();
    } else if (open_ == 0) {
      if (blocks_.title.empty() && line.starts_with("# ")) blocks_.title = std::string(trim(line.substr(2)));
    } else if (word_ == "semantics") {
      blocks_.semantics += line;
    } else if (is_program(word_)) {
      blocks_.examples.back().text += line;
      blocks_.examples.back().text += '\n';
    }
    blocks_.semantics += '\n';
  }

  Result<PageBlocks> finish() {
    if (open_ > 0) return fail(Errc::syntax, "N02 a block that is never closed", file_ + ":" + std::to_string(opened_at_) + ":1", "end it with ```");
    return std::move(blocks_);
  }

 private:
  const std::string& file_;
  PageBlocks blocks_{};
  std::size_t open_ = 0;  ///< backticks of the open fence
  int line_ = 0, opened_at_ = 0;
  std::string word_{};
};

}  // namespace

Result<PageBlocks> read_blocks(std::string_view markdown, const std::string& file) {
  Blocks blocks(file);
  while (!markdown.empty()) {
    const std::size_t end = markdown.find('\n');
    std::string_view line = markdown.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    blocks.take(line);
    markdown.remove_prefix(end == std::string_view::npos ? markdown.size() : end + 1);
  }
  return blocks.finish();
}

Result<std::optional<Page>> read_page(std::string markdown, std::string name, std::string file) {
  TIEBREAK_TRY(blocks, read_blocks(markdown, file));
  const bool of_system = name.starts_with("systems.") && !blocks.examples.empty();  // that a system computes what a page has needs examples alone
  if (!blocks.has_semantics && !of_system) return std::optional<Page>{};
  TIEBREAK_TRY(module, notation::parse_module(blocks.semantics, name, file));
  Page page;
  page.name = std::move(name);
  page.file = std::move(file);
  page.title = std::move(blocks.title);
  page.markdown = std::move(markdown);
  page.module = std::move(module);
  page.examples = std::move(blocks.examples);
  return std::optional<Page>(std::move(page));
}

Result<std::string> read_text(const std::string& path, const std::string& shown, std::size_t limit) {
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file) return fail(Errc::io, "cannot read the file", shown);
  std::string text;
  std::array<char, 16384> part{};
  for (std::size_t got = part.size(); got == part.size() && text.size() <= limit; text.append(part.data(), got))
    got = std::fread(part.data(), 1, part.size(), file.get());
  if (std::ferror(file.get()) != 0) return fail(Errc::io, "cannot read the file", shown);
  if (text.size() > limit) return fail(Errc::limit, "the file has more than " + std::to_string(limit) + " bytes", shown);
  return text;
}

}  // namespace tiebreak
