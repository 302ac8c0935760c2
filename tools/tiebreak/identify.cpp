// SPDX-License-Identifier: Apache-2.0
// tiebreak identify: which semantics a backend, or a log of values, follows.
#include "testsuite/identify/identify_log.hpp"
#include "testsuite/identify/log_of_dumps.hpp"
#include "testsuite/sources/case_readers.hpp"

#include <algorithm>

#include "tools/tiebreak/identify_all_ops.hpp"
#include "tools/tiebreak/line/adapter_text.hpp"
#include "tools/tiebreak/line/console.hpp"
#include "tools/tiebreak/line/deliver.hpp"
#include "tools/tiebreak/line/interrupt.hpp"
#include "tools/tiebreak/line/recording.hpp"
#include "tools/tiebreak/verbs.hpp"

namespace tiebreak::command {
namespace {

constexpr const char* identify_footer =
    "Examples:\n"
    "  tiebreak identify --backend onnxruntime --op onnx.QLinearConv --confirm 100000\n"
    "  tiebreak identify --backend ./adapter --op onnx.QuantizeLinear --types x=f16,y_scale=f16,y=i8\n"
    "  tiebreak identify --backend reference --backend-option=--profile --backend-option=onednn-x64 --op onnx.QuantizeLinear\n"
    "  tiebreak identify --observations log.json --json    # exit 5: several explain it\n"
    "  tiebreak identify --op quant.requantize --observations log.csv    # exit 5\n"
    "  tiebreak identify --model model.onnx --dumps device/ --op onnx.QuantizeLinear    # exit 5\n"
    "  tiebreak identify --backend xnnpack --backend 'onednn --isa AVX2' --confirm 100000 --markdown identified.md\n"
    "  tiebreak identify --installed --op 'onnx.QLinear*'\n"
    "\n"
    "Without --op, with several backends or with a glob as op the answers are a table: every op that the backends list, with the usual types.\n"
    "\n"
    "Exit codes: 0 one profile, or one class of equal ones, explains every answer (of a table: the declared profile of each backend);\n"
    "1 none does (or only a new combination of choices; of a table: or another than the declared one); 2 usage or data, 3 internal,\n"
    "4 no backend lists an op of the table,\n"
    "5 inconclusive: no answers, or several explain a log (of a table: a backend, or an op that one lists by name, gave no answer).\n"
    "File format and table: docs/identify.md.";

struct IdentifyArguments {
  std::vector<std::string> backends;
  bool installed = false, quiet = false;
  std::string model, dumps, dump_map;
  std::vector<std::string> inputs, layers;
  std::string markdown, record, op, types, probes = "64", confirm = "0", seed = "1", json, observations, colour = "auto";
  AdapterText adapter;
};

/// `x=u8,w=i8`.
Result<std::map<std::string, std::string>> parse_types(const std::string& text) {
  std::map<std::string, std::string> types;
  for (std::size_t start = 0; start < text.size();) {
    std::size_t end = std::min(text.find(',', start), text.size());
    std::string part = text.substr(start, end - start);
    std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0) return fail(Errc::usage, "'" + part + "' is not name=type", "--types", "--types x=u8,w=i8");
    types[part.substr(0, equals)] = part.substr(equals + 1);
    start = end + 1;
  }
  return types;
}

Result<IdentifyOptions> identify_settings(const IdentifyArguments& options) {
  IdentifyOptions settings;
  settings.op = options.op;
  TIEBREAK_TRY(types, parse_types(options.types));
  settings.types = types;
  TIEBREAK_TRY(probes, parse_count(options.probes, "--probes"));
  if (probes == 0 || probes > 4096) return fail(Errc::usage, "--probes takes 1 to 4096", "--probes " + options.probes);
  settings.probes = probes;
  TIEBREAK_TRY(confirm, parse_count(options.confirm, "--confirm"));
  settings.confirm = confirm;
  TIEBREAK_TRY(seed, parse_count(options.seed, "--seed"));
  settings.seed = seed;
  settings.interrupted = [] { return interrupted(); };
  return settings;
}

/// What the device gave in the layers that are selected.
Result<ObservedLog> dumped_log(const Library& library, const IdentifyArguments& options) {
  TIEBREAK_TRY(dumps, Dumps::load(options.dumps, options.dump_map));
  TIEBREAK_TRY(model, load_model(options.model, options.inputs, 0, &dumps));
  TIEBREAK_TRY(reference, library.find_profile("reference"));
  TIEBREAK_CHECK(take_branches({library, *reference}, model));
  TIEBREAK_CHECK(dumps.match(model.test.program));
  return log_of_dumps(library, model, dumps, filter_of(options.layers), options.op);
}

Result<LogIdentification> identify_with(const Library& library, const IdentifyArguments& options, const IdentifyOptions& settings) {
  if (!options.dumps.empty()) {
    TIEBREAK_TRY(log, dumped_log(library, options));
    return identify_log(library, log, settings);
  }
  if (!options.observations.empty()) {
    TIEBREAK_TRY(log, read_observations(library, {options.op, settings.types}, options.observations));
    return identify_log(library, log, settings);
  }
  TIEBREAK_TRY(adapter, to_backend_options(options.adapter));
  TIEBREAK_TRY(backend, open_backend(options.backends.front(), adapter));
  TIEBREAK_TRY(recording, recording_of(*backend, options.record));
  TIEBREAK_TRY(found, identify(library, recording ? *recording : *backend, settings));
  TIEBREAK_CHECK(finish_record(recording.get(), !interrupted(), options.record));
  return LogIdentification{{std::move(found)}};
}

/// More than one answer is wanted.
bool is_survey(const IdentifyArguments& options) {
  return options.installed || options.backends.size() > 1 || options.op.empty() || options.op.find_first_of("*?") != std::string::npos;
}

Status check_sources(const IdentifyArguments& options) {
  const bool asks = options.installed || !options.backends.empty();
  if (int{asks} + int{!options.observations.empty()} + int{!options.dumps.empty()} != 1)
    return fail(Errc::usage, "one of a backend, a file of observations and dumps is needed", "--backend, --observations, --dumps", "tiebreak backend list");
  if (options.dumps.empty() != options.model.empty() ||
      (options.dumps.empty() && !(options.dump_map.empty() && options.layers.empty() && options.inputs.empty())))
    return fail(Errc::usage, "--model, --dumps, --dump-map, --inputs and --layer go together", "--dumps",
                "tiebreak identify --model model.onnx --dumps device/ --op onnx.Conv");
  if (!options.dumps.empty() && !options.types.empty()) return fail(Errc::usage, "the model states the types", "--types");
  if (!options.record.empty() && (!asks || is_survey(options)))
    return fail(Errc::usage, "--record keeps what one backend answers of one op", "--record", "name both");
  if (!asks || !is_survey(options)) {
    if (!options.markdown.empty()) return fail(Errc::usage, "--markdown is of a table: of several ops or backends", "--markdown");
    return {};
  }
  if (!options.types.empty()) return fail(Errc::usage, "--types is of one op of one backend", "--types", "name both");
  return {};
}

Result<int> run_identify(const IdentifyArguments& options) {
  TIEBREAK_CHECK(check_sources(options));
  TIEBREAK_TRY(settings, identify_settings(options));
  if (options.observations.empty() && options.dumps.empty() && is_survey(options))
    return run_survey({options.backends, options.installed, options.json, options.markdown, options.quiet}, options.adapter, settings);
  TIEBREAK_TRY(colour, use_colour(options.colour));
  TIEBREAK_TRY(files, OutputFiles::open({options.json}));
  TIEBREAK_TRY(library, load_library());
  Result<LogIdentification> answer = identify_with(*library, options, settings);
  if (!answer && interrupted()) print_note("tiebreak: interrupted before the first answer");
  TIEBREAK_TRY(found, std::move(answer));
  for (Identification& part : found.parts) part.context["command"] = command_line();
  TIEBREAK_CHECK(deliver(files, log_text(found, colour), {{options.json, [&] { return log_json(found); }}}));
  return found.exit_code();
}

}  // namespace

void add_identify(Verb& app) {
  auto options = std::make_shared<IdentifyArguments>();
  Verb* sub = app.add_subcommand("identify", "Find the semantics that a backend, or a log of values, follows");
  sub->add_option("-b,--backend", options->backends,
                  "adapter of this installation by name, or the path of an executable; options of its own may follow\n"
                  "in the same word; may be repeated")
      ->type_name("BACKEND");
  sub->add_flag("--installed", options->installed, "every adapter of this installation");
  sub->add_option("--op", options->op, "the op, as its page is called, or a glob (default: all that the backend lists)")->type_name("OP");
  sub->add_option("--observations", options->observations,
                  "inputs, parameters and outputs that were seen: JSON, or CSV where the name ends with .csv (docs/identify.md)")
      ->type_name("FILE");
  sub->add_option("--model", options->model, "the model that a device ran, with --dumps")->type_name("MODEL");
  sub->add_option("--dumps", options->dumps,
                  "tensors that a device wrote while it ran the model: the layers of one op of which operands and results\nare there (docs/dumps.md)")
      ->type_name("PATH");
  sub->add_option("--dump-map", options->dump_map, "JSON that says which dump is which tensor")->type_name("FILE");
  sub->add_option("--inputs", options->inputs, "the model's inputs, where they were not dumped; may be repeated")->type_name("PATH");
  sub->add_option("--layer", options->layers, "only these layers, globs over the ids that `check --per-layer --list` prints; may be repeated")
      ->type_name("GLOB");
  sub->add_option("--types", options->types, "element types of operands, results and attributes: x=u8,w=i8,y=u8 (default: the page's first)")
      ->type_name("NAME=TYPE,...");
  sub->add_option("--probes", options->probes, "elements the backend is asked at most (default 64)")->type_name("N");
  sub->add_option("--confirm", options->confirm, "ask N further elements, most of them at ties; all must be explained (default 0)")->type_name("N");
  sub->add_option("--seed", options->seed, "of these (default 1)")->type_name("N");
  sub->add_option("--backend-option", options->adapter.options, "passed to the adapter; write --backend-option=TEXT, may be repeated")->type_name("=TEXT");
  add_record_option(*sub, options->record);
  sub->add_option("--timeout", options->adapter.timeout, "seconds a batch may take in the backend (default 60)")->type_name("SECONDS");
  sub->add_option("--memory", options->adapter.memory, "MiB of address space the adapter may use (default: no limit)")->type_name("MIB");
  sub->add_option("--json", options->json, "as JSON: --json=FILE, or to standard output instead of the text")->type_name("=FILE");
  sub->add_option("--markdown", options->markdown, "the table as Markdown, without times")->type_name("FILE");
  sub->add_flag("-q,--quiet", options->quiet, "of a table: no progress on standard error");
  sub->add_option("--color", options->colour, "auto (default), always, never")->type_name("WHEN");
  sub->footer = identify_footer;
  sub->action = [options] { return run_identify(*options); };
}

}  // namespace tiebreak::command
