// SPDX-License-Identifier: Apache-2.0
// tiebreak backend: the adapters of this installation, and what one says of itself.
#include "testsuite/backends/backend.hpp"

#include "interpreter/json/json_writer.hpp"
#include "testsuite/text/output_file.hpp"
#include "testsuite/text/text_table.hpp"
#include "tools/tiebreak/capabilities.hpp"
#include "tools/tiebreak/line/adapter_text.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

struct BackendArguments {
  std::string backend, json;
  AdapterText adapter;
};

Result<int> run_backend_list(const BackendArguments& options) {
  std::vector<std::string> names = Backend::available();
  std::string text;
  for (const std::string& name : names) text += name + "\n";
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.backends/1").member("backends", names).end_object();
  TIEBREAK_CHECK(print(options.json == "-" ? json.text() : text));
  if (!options.json.empty() && options.json != "-") TIEBREAK_CHECK(write_file(options.json, json.text()));
  if (names.empty()) print_note("tiebreak: this installation has no adapters; --backend also takes the path of an executable");
  return names.empty() ? nothing_selected : success;
}

Result<int> run_backend_info(const BackendArguments& options) {
  TIEBREAK_TRY(settings, to_backend_options(options.adapter));
  TIEBREAK_TRY(backend, open_backend(options.backend, settings));
  TIEBREAK_TRY(description, backend->describe());
  TextTable table({"", ""});
  table.add({"name", description.name});
  table.add({"version", description.version});
  table.add({"profile", description.profile.empty() ? "none declared" : description.profile});
  for (const auto& [name, value] : description.details) table.add({name, value});
  const std::string known = known_failures_file(backend->path(), description);
  table.add({"known", known.empty() ? "no list of known failures" : known});
  for (std::size_t i = 0; i < description.ops.size(); ++i) table.add({i == 0 ? "ops" : "", description.ops[i]});
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.backend-info/1").member("name", description.name).member("version", description.version);
  json.member("profile", description.profile).member("ops", description.ops).member("details", description.details);
  json.member("known_failures", known).end_object();
  if (!options.json.empty() && options.json != "-") TIEBREAK_CHECK(write_file(options.json, json.text()));
  TIEBREAK_CHECK(print(options.json == "-" ? json.text() : table.text("", false)));
  return success;
}

}  // namespace

void add_backend(Verb& app) {
  auto options = std::make_shared<BackendArguments>();
  Verb* group = app.add_subcommand("backend", "List adapters and ask one what it is");
  Verb* all = group->add_subcommand("list", "Adapters of this installation");
  all->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  all->action = [options] { return run_backend_list(*options); };
  Verb* one = group->add_subcommand("info", "Name, version, instruction set, declared profile, ops");
  one->add_option("BACKEND", options->backend, "adapter by name, or the path of an executable; options of its own may follow in the same word")
      ->type_name("")
      ->required();
  one->add_option("--backend-option", options->adapter.options, "passed to the adapter; write --backend-option=TEXT, may be repeated")->type_name("=TEXT");
  one->add_option("--timeout", options->adapter.timeout, "seconds the adapter may take (default 60)")->type_name("SECONDS");
  one->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output")->type_name("=FILE");
  one->action = [options] { return run_backend_info(*options); };
  add_capabilities(*group);
}

}  // namespace tiebreak::command
