// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/capabilities.hpp"

#include "testsuite/survey/capabilities.hpp"
#include "tools/tiebreak/identify_all_ops.hpp"
#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/line/interrupt.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* backend_capabilities_footer =
    "Examples:\n"
    "  tiebreak backend capabilities onednn\n"
    "  tiebreak backend capabilities onnxruntime -k 'onnx.QLinear*' --most 8\n"
    "  tiebreak backend capabilities --installed --markdown capabilities.md\n"
    "\n"
    "A cell has the ranks that are taken: `1-3, partly 4, not 5`. A wrong answer is an answer.\n"
    "\n"
    "Exit codes: 0 every op that a backend lists by name is taken in some form, 2 usage or data, 3 internal, 4 no case of an op that a backend lists is "
    "selected,\n"
    "5 a backend cannot be asked, a case got no answer (a crash, a hang), or of an op that one lists by name nothing is taken.";

struct BackendCapabilitiesArguments {
  std::vector<std::string> backends, sources, globs;
  bool installed = false, quiet = false;
  std::string most = "2", json, markdown;
  AdapterText adapter;
};

Result<CapabilityOptions> backend_capabilities_settings(const BackendCapabilitiesArguments& options) {
  CapabilityOptions settings;
  settings.selection.sources = options.sources;
  settings.selection.globs = options.globs;
  TIEBREAK_TRY(most, parse_count(options.most, "--most"));
  if (most == 0 || most > 1000) return fail(Errc::usage, "--most takes 1 to 1000", "--most " + options.most);
  settings.most = most;
  settings.interrupted = [] { return interrupted(); };
  return settings;
}

Result<int> run_backend_capabilities(const BackendCapabilitiesArguments& options) {
  if (options.backends.empty() && !options.installed) return fail(Errc::usage, "no backend is named", "BACKEND", "tiebreak backend list, or --installed");
  TIEBREAK_TRY(settings, backend_capabilities_settings(options));
  TIEBREAK_TRY(files, OutputFiles::open({options.json, options.markdown}));
  TIEBREAK_TRY(backends, open_all(options.backends, options.installed, options.adapter));
  TIEBREAK_TRY(library, load_library());
  Progress progress("cases asked", !options.quiet);
  settings.progress = [&](std::size_t done, std::size_t total) { progress(done, total); };
  TIEBREAK_TRY(found, capabilities(*library, std::move(backends), settings));
  progress.clear();
  if (found.is_empty()) {
    print_error({Errc::usage, "nothing is selected: there is no case of an op that a backend named here lists", "",
                 "tiebreak backend info BACKEND prints the ops that it lists; -k takes globs of case ids, such as 'onnx.Q*'"});
    return nothing_selected;
  }
  found.context["command"] = command_line();
  TIEBREAK_CHECK(deliver(files, capabilities_text(found),
                         {{options.json, [&] { return capabilities_json(found); }}, {options.markdown, [&] { return capabilities_markdown(found); }}}));
  return found.exit_code();
}

}  // namespace

void add_capabilities(Verb& group) {
  auto options = std::make_shared<BackendCapabilitiesArguments>();
  Verb* sub = group.add_subcommand("capabilities", "Ask what it takes: element types, per tensor, per axis, per block, ranks; and why not");
  sub->add_option("BACKEND", options->backends, "adapter by name, or the path of an executable; options of its own may follow in the same word")->type_name("");
  sub->add_flag("--installed", options->installed, "every adapter of this installation");
  sub->add_option("-k,--filter", options->globs, "only cases whose id matches this glob; may be repeated, any of them counts")->type_name("GLOB");
  sub->add_option("--source", options->sources, "where the cases come from (default: those of this installation and those in the backend's own forms)")
      ->type_name("SOURCE");
  sub->add_option("--most", options->most, "cases to ask of each form (default 2); where all are refused, up to four times as many further ones")
      ->type_name("N");
  sub->add_option("--backend-option", options->adapter.options, "passed to the adapter; write --backend-option=TEXT, may be repeated")->type_name("=TEXT");
  sub->add_option("--timeout", options->adapter.timeout, "seconds a batch may take in the backend (default 60)")->type_name("SECONDS");
  sub->add_option("--memory", options->adapter.memory, "MiB of address space the adapter may use (default: no limit)")->type_name("MIB");
  sub->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output instead of the text")->type_name("=FILE");
  sub->add_option("--markdown", options->markdown, "the tables as Markdown")->type_name("FILE");
  sub->add_flag("-q,--quiet", options->quiet, "no progress on standard error");
  sub->footer = backend_capabilities_footer;
  sub->action = [options] { return run_backend_capabilities(*options); };
}

}  // namespace tiebreak::command
