// SPDX-License-Identifier: Apache-2.0
// tiebreak.observations/1: what somebody logged, as evidence. Strict: a key that is not known is an error with its place.
#include <algorithm>
#include <map>
#include <memory>

#include "interpreter/relay/relay.hpp"
#include "testsuite/case/literal_text.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/check/judge.hpp"
#include "testsuite/identify/observations_csv.hpp"
#include "testsuite/identify/observed_log.hpp"
#include "testsuite/sources/case_input.hpp"
#include "testsuite/sources/logged_value.hpp"

namespace tiebreak {
namespace {

using Types = std::map<std::string, std::string>;

class LogReader {
 public:
  LogReader(const Library& library, const LogDefaults& defaults) : library_(library), defaults_(defaults) {}

  Result<ObservedLog> read(const JsonValue& root) {
    TIEBREAK_CHECK(check_object(root, {"schema", "title", "source", "cause", "op", "program", "within", "system", "version", "types", "ranges", "attributes",
                                       "parameters", "observations"}));
    TIEBREAK_TRY(schema, text_at(root, "schema"));
    if (schema != "tiebreak.observations/1")
      return fail(Errc::syntax, "schema '" + schema + "' is not known", root.find("schema")->where, "tiebreak.observations/1");
    TIEBREAK_CHECK(read_subject(root));
    TIEBREAK_TRY(shared, merged(root, {.types = defaults_.types}));
    TIEBREAK_CHECK(read_ranges(root, shared.types));
    TIEBREAK_TRY(list, array_at(root, "observations"));
    for (const JsonValue& item : list->items) TIEBREAK_CHECK(read_observation(item, shared));
    if (list->items.empty()) return fail(Errc::syntax, "there are no observations", list->where);
    const bool some_unnamed = std::ranges::any_of(log_.parts, [](const LoggedPart& part) { return part.name.empty(); });
    if (some_unnamed && log_.parts.size() > 1) return fail(Errc::syntax, "some observations state a 'part', others do not", list->where);
    return std::move(log_);
  }

 private:
  /// What stands at the top holds for every observation that does not state it itself.
  struct Shared {
    Types types{};
    AttributeMap attributes{};
    const JsonValue* parameters = nullptr;
    int version = 0;
  };

  /// The op or the program, and where its values come from.
  Status read_subject(const JsonValue& root) {
    for (const char* key : {"title", "source"})
      if (const JsonValue* note = root.find(key)) TIEBREAK_CHECK(string_of(*note));
    if (const JsonValue* cause = root.find("cause")) {
      TIEBREAK_TRY(causes, cause->is(JsonValue::Kind::string) ? Result<Types>(Types{{"", cause->text}}) : read_texts(*cause));
      log_.causes = std::move(causes);
    }
    if (const JsonValue* system = root.find("system")) {
      TIEBREAK_TRY(word, string_of(*system));
      TIEBREAK_CHECK(check_system(word, system->where));
      log_.system = word;
    }
    if (const JsonValue* within = root.find("within")) {
      TIEBREAK_TRY(name, string_of(*within));
      if (Result<Library::OpPlace> place = library_.find_op(name); !place)
        return fail(place.error().code, place.error().what, within->where, place.error().hint);
      log_.within = name;
    }
    return root.find("program") != nullptr ? read_program(root) : read_op(root);
  }

  Status check_system(const std::string& word, const std::string& where) const {
    std::vector<std::string> known;
    for (const auto& [name, profile] : library_.profiles()) known.push_back(profile.system);
    if (std::ranges::find(known, word) != known.end()) return {};
    const std::string near = nearest(word, known);
    return fail(Errc::unknown_name, "no profile is of a system '" + word + "'", where, near.empty() ? "tiebreak profile list" : "did you mean '" + near + "'?");
  }

  Status read_op(const JsonValue& root) {
    op_ = defaults_.op;
    if (const JsonValue* written = root.find("op")) {
      TIEBREAK_TRY(name, string_of(*written));
      if (!op_.empty() && name != op_) return fail(Errc::usage, "the file observes " + name + ", not " + op_, written->where);
      op_ = name;
    }
    if (op_.empty()) return fail(Errc::usage, "neither the file nor --op says which op was observed", root.where, "\"op\": \"quant.requantize\"");
    Result<Library::OpPlace> place = library_.find_op(op_);
    if (!place) return fail(place.error().code, place.error().what, root.find("op") == nullptr ? "--op" : root.find("op")->where, place.error().hint);
    declared_ = place->op;
    log_.ops = {op_};
    return {};
  }

  Status read_program(const JsonValue& root) {
    const JsonValue& written = *root.find("program");
    if (!defaults_.op.empty()) return fail(Errc::usage, "the file observes a program, not " + defaults_.op, written.where);
    for (const char* key : {"op", "attributes", "version", "within"})
      if (const JsonValue* other = root.find(key)) return fail(Errc::syntax, std::string("'") + key + "' stands beside a program", other->where);
    TIEBREAK_TRY(text, string_of(written));
    TIEBREAK_TRY(parsed, parse_program(text, written.where));
    if (parsed.functions.size() != 1) return fail(Errc::syntax, "the program must be one function", written.where);
    program_ = std::move(parsed.functions[0]);
    for (const Operation& operation : program_->operations) {
      Result<Library::OpPlace> place = library_.find_op(operation.op);
      if (!place) return fail(place.error().code, place.error().what, written.where, place.error().hint);
      if (std::ranges::find(log_.ops, operation.op) == log_.ops.end()) log_.ops.push_back(operation.op);
    }
    return {};
  }

  Result<Shared> merged(const JsonValue& object, Shared shared) {
    if (const JsonValue* types = object.find("types")) {
      TIEBREAK_TRY(all, read_texts(*types, std::move(shared.types)));
      shared.types = all;
    }
    if (const JsonValue* attributes = object.find("attributes")) {
      TIEBREAK_TRY(read, read_attributes(*attributes));
      for (auto& [name, value] : read) shared.attributes[name] = value;
    }
    if (const JsonValue* version = object.find("version")) {
      TIEBREAK_TRY(number, integer_of(*version));
      shared.version = static_cast<int>(number);
    }
    if (const JsonValue* parameters = object.find("parameters")) {
      if (!parameters->is(JsonValue::Kind::object)) return fail(Errc::syntax, "an object {...} is expected here", parameters->where);
      shared.parameters = parameters;
    }
    return shared;
  }

  /// {"acc": [-1000, 1000]}: what the caller can give.
  Status read_ranges(const JsonValue& root, const Types& types) {
    const JsonValue* ranges = root.find("ranges");
    if (ranges == nullptr) return {};
    if (!ranges->is(JsonValue::Kind::object)) return fail(Errc::syntax, "an object {...} is expected here", ranges->where);
    for (std::size_t i = 0; i < ranges->keys.size(); ++i) {
      const JsonValue& ends = ranges->items[i];
      if (!ends.is(JsonValue::Kind::array) || ends.items.size() != 2) return fail(Errc::syntax, "two ends [low, high] are expected here", ends.where);
      TIEBREAK_TRY(type, type_of(ranges->keys[i], types, ends.where));
      TIEBREAK_TRY(both, read_logged_value(ends, type, false));
      log_.ranges[ranges->keys[i]] = {both.tensor.value(0), both.tensor.value(1)};
      if (!(both.tensor.value(0) <= both.tensor.value(1))) return fail(Errc::syntax, "the range is empty", ends.where);
    }
    return {};
  }

  /// The type that `types` states, that the program's argument has, or the only one that the page allows.
  Result<std::string> type_of(const std::string& name, const Types& types, const std::string& where) const {
    if (auto stated = types.find(name); stated != types.end()) return stated->second;
    if (program_) {
      for (ValueId id : program_->inputs) {
        const std::optional<TensorType>& type = program_->values[static_cast<std::size_t>(id)].type;
        if (bare_name(*program_, id) == name && type) return element_text(*type);
      }
    } else if (const auto known = std::ranges::find(declared_->operands, name, &notation::Operand::name); known != declared_->operands.end()) {
      if (known->types.size() == 1 && ElementType::parse(known->types[0])) return known->types[0];
    }
    return fail(Errc::syntax, "the type of '" + name + "' is not stated", where, "\"types\": {\"" + name + "\": \"f32\"}");
  }

  Status add_inputs(const JsonValue& object, const Types& types, std::vector<NamedTensor>& inputs) const {
    if (!object.is(JsonValue::Kind::object)) return fail(Errc::syntax, "an object {...} is expected here", object.where);
    for (std::size_t i = 0; i < object.keys.size(); ++i) {
      if (std::ranges::find(inputs, object.keys[i], &NamedTensor::name) != inputs.end()) continue;
      const JsonValue& value = object.items[i];
      Result<std::string> type = value.is(JsonValue::Kind::object) ? Result<std::string>("") : type_of(object.keys[i], types, value.where);
      if (!type) return tl::unexpected<Error>(type.error());
      TIEBREAK_TRY(read, read_logged_value(value, *type, false));
      inputs.push_back({object.keys[i], std::move(read.tensor)});
    }
    return {};
  }

  Status read_observation(const JsonValue& item, const Shared& defaults) {
    TIEBREAK_CHECK(check_object(item, {"inputs", "parameters", "attributes", "types", "version", "part", "outputs"}));
    TIEBREAK_TRY(shared, merged(item, defaults));
    TIEBREAK_TRY(written, member(item, "inputs"));
    std::vector<NamedTensor> inputs;
    TIEBREAK_CHECK(add_inputs(*written, shared.types, inputs));
    const std::size_t varied = inputs.size();
    if (shared.parameters != nullptr) TIEBREAK_CHECK(add_inputs(*shared.parameters, shared.types, inputs));
    if (defaults.parameters != nullptr) TIEBREAK_CHECK(add_inputs(*defaults.parameters, shared.types, inputs));
    LoggedCase logged;
    for (std::size_t i = varied; i < inputs.size(); ++i) logged.fixed.push_back(inputs[i].name);
    logged.test.id = item.where;
    TIEBREAK_TRY(results, program_ ? program_case(item, std::move(inputs), logged.test) : op_case(item, shared, std::move(inputs), logged.test));
    Observation observation;
    observation.test = logged.test;
    TIEBREAK_CHECK(add_outputs(item, shared, results, observation));
    auto test = std::make_shared<const Case>(logged.test);
    std::vector<Shape> shapes;
    for (const ResultTensor& answer : observation.answers) shapes.push_back(answer.tensor.shape());
    observation.inputs = [this_library = &library_, test, shapes](std::size_t output, std::int64_t element) {
      return inputs_at(*this_library, *test, shapes[output], element);
    };
    log_.cases.push_back(std::move(logged));
    return add_to_parts(item, std::move(observation));
  }

  Result<std::vector<ResultTensor>> program_case(const JsonValue& item, std::vector<NamedTensor> inputs, Case& test) const {
    for (const char* key : {"attributes", "version"})
      if (const JsonValue* other = item.find(key)) return fail(Errc::syntax, std::string("'") + key + "' stands in the program", other->where);
    test.program = *program_;
    for (ValueId id : program_->inputs) {
      const auto found = std::ranges::find(inputs, bare_name(*program_, id), &NamedTensor::name);
      if (found == inputs.end()) return fail(Errc::syntax, "program input '" + bare_name(*program_, id) + "' has no value", item.where);
      test.inputs.push_back(found->tensor);
    }
    for (const NamedTensor& input : inputs)
      if (std::ranges::none_of(program_->inputs, [&](ValueId id) { return bare_name(*program_, id) == input.name; }))
        return fail(Errc::unknown_name, "the program has no input '" + input.name + "'", item.where);
    return results_of(test, item.where);
  }

  /// Types of results are stated where the log has them and the op leaves them open.
  Result<std::vector<ResultTensor>> op_case(const JsonValue& item, const Shared& shared, std::vector<NamedTensor> inputs, Case& test) const {
    OpInputs call{op_, std::move(inputs), shared.attributes, {}, shared.version, item.where};
    TIEBREAK_TRY(stated, stated_results(item, shared));
    const bool some_quantized = std::ranges::any_of(stated, [](const TensorType& type) { return type.quantized.has_value(); });
    if (some_quantized) call.result_types = stated;
    Case plain_case = test;
    TIEBREAK_CHECK(build(call, item, plain_case));
    Result<std::vector<ResultTensor>> results = results_of(plain_case, item.where);
    if (results || some_quantized || stated.empty()) {
      test = std::move(plain_case);
      return results;
    }
    call.result_types = stated;
    TIEBREAK_CHECK(build(call, item, test));
    return results_of(test, item.where);
  }

  Status build(OpInputs call, const JsonValue& item, Case& test) const {
    Result<void> built = build_op_case(library_, std::move(call), test);
    return built ? built : fail(built.error().code, built.error().what, item.where, built.error().hint);
  }

  Result<std::vector<ResultTensor>> results_of(const Case& test, const std::string& where) const {
    TIEBREAK_TRY(reference, library_.find_profile("reference"));
    Result<std::vector<ResultTensor>> results = evaluate({library_, *reference}, test.program, test.inputs);
    if (!results) return fail(results.error().code, results.error().what, where, results.error().hint);
    return results;
  }

  /// In the page's order, up to the first result whose type the log does not have.
  Result<std::vector<TensorType>> stated_results(const JsonValue& item, const Shared& shared) const {
    TIEBREAK_TRY(outputs, member(item, "outputs"));
    std::vector<TensorType> types;
    for (const notation::Operand& result : declared_->results) {
      const auto type = shared.types.find(result.name);
      const JsonValue* value = outputs->find(result.name);
      if (value == nullptr) break;
      if (value->is(JsonValue::Kind::object)) {
        TIEBREAK_TRY(whole, read_tensor(*value));
        types.push_back(whole.type());
        continue;
      }
      if (type == shared.types.end()) break;
      TIEBREAK_TRY(stated, parse_element_text(type->second, shape_of_value(*value), value->where));
      types.push_back(stated);
    }
    return types;
  }

  Status add_outputs(const JsonValue& item, const Shared& shared, const std::vector<ResultTensor>& results, Observation& observation) const {
    TIEBREAK_TRY(outputs, member(item, "outputs"));
    std::vector<std::string> names;
    for (const ResultTensor& result : results) names.push_back(bare_name(result.name));
    TIEBREAK_CHECK(check_object(*outputs, names));
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Tensor& expected = results[i].tensor;
      TIEBREAK_TRY(value, member(*outputs, names[i]));
      const auto stated = shared.types.find(names[i]);
      TIEBREAK_TRY(read, read_logged_value(*value, stated != shared.types.end() ? stated->second : element_text(expected.type()), true));
      if (read.tensor.shape() != expected.shape() || !(read.tensor.element() == expected.element()))
        return fail(
            Errc::type,
            "output " + names[i] + " is " + to_text(read.tensor.type()) + ", " + (program_ ? "the program" : "the op") + " gives " + to_text(expected.type()),
            value->where);
      observation.answers.push_back({.name = results[i].name, .tensor = std::move(read.tensor)});
      observation.left_out.push_back(std::move(read.unseen));
    }
    return {};
  }

  Status add_to_parts(const JsonValue& item, Observation observation) {
    const JsonValue* part = item.find("part");
    if (part == nullptr || part->is(JsonValue::Kind::string)) {
      part_called(part == nullptr ? "" : part->text).add(std::move(observation));
      return {};
    }
    if (!part->is(JsonValue::Kind::object) || part->keys.empty())
      return fail(Errc::syntax, "a name, or an object {\"body\": \"0 .. 63\", ...} is expected here", part->where);
    std::vector<std::vector<std::uint8_t>> taken;
    for (const ResultTensor& answer : observation.answers) taken.emplace_back(static_cast<std::size_t>(answer.tensor.size()), 0);
    for (std::size_t i = 0; i < part->keys.size(); ++i) {
      Observation own = observation;
      TIEBREAK_TRY(elements, read_elements(part->items[i]));
      for (std::size_t output = 0; output < taken.size(); ++output)
        TIEBREAK_CHECK(keep_only(elements, part->items[i].where, taken[output], own.left_out[output]));
      part_called(part->keys[i]).add(std::move(own));
    }
    for (const std::vector<std::uint8_t>& one : taken)
      if (const auto free = std::ranges::find(one, std::uint8_t{0}); free != one.end())
        return fail(Errc::syntax, "element " + std::to_string(free - one.begin()) + " is in no part", part->where);
    return {};
  }

  static Status keep_only(const std::vector<std::int64_t>& elements, const std::string& where, std::vector<std::uint8_t>& taken,
                          std::vector<std::uint8_t>& left_out) {
    std::vector<std::uint8_t> others(taken.size(), 1);
    for (std::int64_t element : elements) {
      if (element < 0 || element >= static_cast<std::int64_t>(taken.size()))
        return fail(Errc::syntax, "element " + std::to_string(element) + " lies outside the result, which has " + std::to_string(taken.size()), where);
      auto at = static_cast<std::size_t>(element);
      if (taken[at] != 0) return fail(Errc::syntax, "element " + std::to_string(element) + " is in two parts", where);
      taken[at] = 1;
      others[at] = left_out.empty() ? 0 : left_out[at];
    }
    left_out = std::move(others);
    return {};
  }

  Evidence& part_called(const std::string& name) {
    auto found = std::ranges::find(log_.parts, name, &LoggedPart::name);
    if (found != log_.parts.end()) return found->evidence;
    log_.parts.push_back({name, Evidence(library_)});
    return log_.parts.back().evidence;
  }

  const Library& library_;
  const LogDefaults& defaults_;
  std::string op_{};
  const notation::Op* declared_ = nullptr;
  std::optional<Program> program_{};
  ObservedLog log_{};
};

}  // namespace

std::string ObservedLog::op_text() const {
  std::string text;
  for (const std::string& op : ops) text += (text.empty() ? "" : "+") + op;
  return text;
}

Result<ObservedLog> read_observations(const Library& library, const LogDefaults& defaults, const std::string& path) {
  if (!path.ends_with(".csv")) {
    TIEBREAK_TRY(root, read_json_file(path));
    return LogReader(library, defaults).read(root);
  }
  TIEBREAK_TRY(text, read_text_file(path));
  TIEBREAK_TRY(root, observations_of_csv(library, defaults.op, text, path));
  return LogReader(library, defaults).read(root);
}

}  // namespace tiebreak
