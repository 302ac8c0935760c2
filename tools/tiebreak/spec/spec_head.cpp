// SPDX-License-Identifier: Apache-2.0
// tiebreak spec head: the text's own reading at the head of pages, printed, compared, written.
#include <filesystem>

#include "interpreter/resolve/page_reading.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/text/output_file.hpp"
#include "testsuite/text/text_table.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/spec/spec_show.hpp"
#include "tools/tiebreak/spec/spec_verify.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* spec_head_footer =
    "Examples:\n"
    "  tiebreak spec head onnx.QLinearConv\n"
    "  tiebreak spec head --check\n"
    "  tiebreak spec head --update\n"
    "\n"
    "A page that has choices begins with its ops as the profile `reference` computes them, in a block ```resolved, where that is no\n"
    "longer than 15 rows. Exit codes: 0 every block is what is computed, 1 one is not or is missing, 2 a page cannot be read or written.";

struct SpecHeadArguments {
  std::vector<std::string> pages;
  bool check = false, update = false;
};

Result<std::vector<const Page*>> chosen_pages(const Library& library, const std::vector<std::string>& words) {
  std::vector<const Page*> pages;
  for (const std::string& word : words) {
    TIEBREAK_TRY(page, named_page(library, word));
    pages.push_back(page);
  }
  if (words.empty())
    for (const auto& [name, page] : library.pages()) pages.push_back(&page);
  return pages;
}

/// The file of a page of the first folder; pages of further folders have their path.
std::string path_of(const Page& page) {
  const std::filesystem::path file = page.file;
  if (file.is_absolute()) return page.file;
  std::filesystem::path root = std::filesystem::path(Library::default_directory()).lexically_normal();
  if (!root.has_filename()) root = root.parent_path();
  return (root.parent_path() / file).string();
}

Result<int> run_spec_head(const SpecHeadArguments& options) {
  TIEBREAK_TRY(library, load_library());
  TIEBREAK_TRY(pages, chosen_pages(*library, options.pages));
  std::size_t changed = 0, with_block = 0;
  for (const Page* page : pages) {
    TIEBREAK_TRY(reading, page_reading(*library, *page));
    with_block += reading.empty() ? 0 : 1;
    if (!options.check && !options.update) {
      if (!reading.empty()) TIEBREAK_CHECK(print("# " + page->file + "\n" + reading));
      continue;
    }
    const std::string markdown = with_reading(page->markdown, reading);
    if (markdown == page->markdown) continue;
    ++changed;
    if (options.update) TIEBREAK_CHECK(write_file(path_of(*page), markdown));
    else print_error({Errc::usage, "the head is not what is computed", page->file, "tiebreak spec head --update " + page->name});
  }
  if (options.check || options.update)
    TIEBREAK_CHECK(print(counted(with_block, "page") + " with a reading at the head, " + std::to_string(changed) +
                         (options.update ? " written\n" : " not as computed\n")));
  return options.check && changed > 0 ? finding : success;
}

}  // namespace

void add_spec_head(Verb& group) {
  auto options = std::make_shared<SpecHeadArguments>();
  Verb* sub = group.add_subcommand("head", "Print the text's own reading that stands at the head of pages");
  sub->add_option("PAGE", options->pages, "pages or ops (default: all pages)")->type_name("");
  sub->add_flag("--check", options->check, "compare with what stands in the pages; exit code 1 if a head is missing or differs");
  sub->add_flag("--update", options->update, "write it into the pages");
  sub->footer = spec_head_footer;
  sub->action = [options] { return run_spec_head(*options); };
}

}  // namespace tiebreak::command
