// SPDX-License-Identifier: Apache-2.0
// Profiles: what is read, what is inherited, which key wins, and every fault with its place in the JSON.
#include "interpreter/semantics/profile_lookup.hpp"
#include "testsuite/unit/semantics/spec_folder.hpp"

namespace tiebreak {
namespace {

void write_pages(const SpecFolder& folder) {
  folder.page("onnx/QuantizeLinear.md", quantize_page);
  folder.page("quant/fixed.md", fixed_page);
}

/// Uses the module, too.
constexpr const char* second_page = "use quant.fixed\nop quant.second(x: f32) -> y: i8\nstructure elementwise(x)\ny = sat.y(fixed.tie(x))\n";

/// What loading says of one profile, p.json.
std::string problem_of(const std::string& json) {
  const SpecFolder folder;
  write_pages(folder);
  folder.write("systems/s/p.json", json);
  return folder.problem();
}
std::string problem_of_choices(const std::string& choices) { return problem_of("{ \"name\": \"p\", \"choices\": { " + choices + " } }"); }

TEST(Profiles, AreRead) {
  const SpecFolder folder;
  write_pages(folder);
  folder.page("quant/second.md", second_page);
  folder.write("sources.json", R"({ "ort": { "title": "t" } })");
  folder.write("systems/s/p.json", R"json({ "name": "p", // a comment
    "title": "T", "system": "s", "versions": "1 .. 2", "isa": ["x86-64", "-vnni"], "sources": ["ort"],
    "choices": { "quant.fixed/tie": "up",
                 "onnx.QuantizeLinear/fixed.tie": { "if": "x.type == f32 and axis == 1 and scalar(s)", "then": "even", "else": "away" },
                 "onnx.QuantizeLinear/quotient": { "any": ["divide", "single"] },
                 "onnx.QuantizeLinear/order": { "any": "*" } } })json");
  const auto library = folder.load();
  ASSERT_TRUE(library.has_value()) << folder.problem();
  const Profile& p = **(*library)->find_profile("p");
  EXPECT_EQ(p.file, "spec/systems/s/p.json");
  EXPECT_EQ(p.title + p.system + p.versions, "Ts1 .. 2");
  EXPECT_EQ(p.isa, (std::vector<std::string>{"x86-64", "-vnni"}));
  EXPECT_EQ(p.sources, std::vector<std::string>{"ort"});
  EXPECT_EQ(p.choices.at("quant.fixed/tie").alternative, "up");
  const ProfileValue& conditional = p.choices.at("onnx.QuantizeLinear/fixed.tie");
  EXPECT_NE(conditional.condition, nullptr);
  EXPECT_EQ(conditional.then + conditional.otherwise, "evenaway");
  EXPECT_EQ(p.choices.at("onnx.QuantizeLinear/quotient").any, (std::vector<std::string>{"divide", "single"}));
  EXPECT_EQ(p.choices.at("onnx.QuantizeLinear/order").any, std::vector<std::string>{"*"});
  EXPECT_EQ(p.hash.size(), 16u);
}

TEST(Profiles, ReferenceIsThereAlways) {
  const SpecFolder folder;
  write_pages(folder);
  const auto library = folder.load();
  ASSERT_TRUE(library.has_value()) << folder.problem();
  EXPECT_TRUE((*(*library)->find_profile("reference"))->choices.empty());
  EXPECT_EQ(to_text((*library)->find_profile("refernce").error()), "unknown profile 'refernce'\n  hint: did you mean 'reference'?");
  EXPECT_EQ(problem_of(R"({"name": "reference"})"), "N11 the profile 'reference' is built in (spec/systems/s/p.json:/name)");
}

TEST(Profiles, OwnEntriesReplaceInheritedOnes) {
  const SpecFolder folder;
  write_pages(folder);
  folder.write("systems/s/a.json", R"({"name": "a", "extends": "b", "choices": {"quant.fixed/tie": "up"}})");
  folder.write("systems/s/b.json", R"({"name": "b", "extends": "c", "choices": {"quant.fixed/tie": "away", "onnx.QuantizeLinear/order": "before"}})");
  folder.write("systems/s/c.json",
               R"({"name": "c", "extends": "reference", "choices": {"onnx.QuantizeLinear/order": "after", "onnx.QuantizeLinear/quotient": "single"}})");
  const auto library = folder.load();
  ASSERT_TRUE(library.has_value()) << folder.problem();
  const auto& choices = (*(*library)->find_profile("a"))->choices;
  EXPECT_EQ(choices.at("quant.fixed/tie").alternative, "up");
  EXPECT_EQ(choices.at("onnx.QuantizeLinear/order").alternative, "before");
  EXPECT_EQ(choices.at("onnx.QuantizeLinear/quotient").alternative, "single");
  EXPECT_EQ((*(*library)->find_profile("c"))->choices.size(), 2u);
}

TEST(Profiles, HashesFollowTheContentAndTheChain) {
  const SpecFolder folder;
  write_pages(folder);
  const auto hash = [&](const char* name) { return (*(*folder.load())->find_profile(name))->hash; };
  folder.write("systems/s/a.json", R"({"name": "a", "extends": "b"})");
  folder.write("systems/s/b.json", R"({"name": "b", "choices": {"quant.fixed/tie": "up"}})");
  const std::string first = hash("a");
  EXPECT_NE(first, hash("b"));
  folder.write("systems/s/a.json", "{ // moved\n \"extends\": \"b\", \"title\": \"new\", \"name\": \"a\" }");
  EXPECT_EQ(hash("a"), first);
  folder.write("systems/s/b.json", R"({"name": "b", "choices": {"quant.fixed/tie": "away"}})");
  EXPECT_NE(hash("a"), first);
}

TEST(Profiles, TheLongestKeyWins) {
  Profile profile;
  const auto taken = [&](const std::string& module, const std::string& alias, const std::string& choice) {
    const ProfileValue* value = resolve_choice(profile, module, "onnx.Op", alias, choice);
    return value == nullptr ? std::string("nothing") : value->alternative;
  };
  EXPECT_EQ(taken("quant.fixed", "fixed", "tie"), "nothing");
  profile.choices["onnx.Op/tie"].alternative = "own";
  EXPECT_EQ(taken("quant.fixed", "fixed", "tie"), "nothing");  // the op's own choice of that name is another one
  EXPECT_EQ(taken("", "", "tie"), "own");
  profile.choices["quant.fixed/tie"].alternative = "everywhere";
  EXPECT_EQ(taken("quant.fixed", "fixed", "tie"), "everywhere");
  EXPECT_EQ(taken("quant.fixed", "", "tie"), "own");  // the op's page is quant.fixed itself
  profile.choices["onnx.Op/fixed.tie"].alternative = "here";
  EXPECT_EQ(taken("quant.fixed", "fixed", "tie"), "here");
  EXPECT_EQ(taken("quant.fixed", "inner", "tie"), "everywhere");
}

TEST(Profiles, KeysNameTheirChoice) {
  const SpecFolder folder;
  write_pages(folder);
  folder.page("other.md", "use onnx.QuantizeLinear as inner\nop other.op(x) -> y\nstructure elementwise(x)\ny = x * inner.order\n");
  const auto library = folder.load();
  ASSERT_TRUE(library.has_value()) << folder.problem();
  const auto module = [&](const std::string& key) {
    const auto place = find_choice(**library, key);
    return place ? place->module->name + (place->op != nullptr ? " in " + place->op->path : "") : place.error().what;
  };
  EXPECT_EQ(module("quant.fixed/tie"), "quant.fixed");
  EXPECT_EQ(module("onnx.QuantizeLinear/quotient"), "onnx.QuantizeLinear in onnx.QuantizeLinear");
  EXPECT_EQ(module("onnx.QuantizeLinear/order"), "onnx.QuantizeLinear in onnx.QuantizeLinear");
  EXPECT_EQ(module("onnx.QuantizeLinear/fixed.tie"), "quant.fixed in onnx.QuantizeLinear");
  EXPECT_EQ(module("other.op/inner.order"), "onnx.QuantizeLinear in other.op");
  EXPECT_EQ(module("other.op/fixed.tie"), "quant.fixed in other.op");  // through inner
  EXPECT_EQ(choice_keys(**library), (std::vector<std::string>{"onnx.QuantizeLinear/order", "onnx.QuantizeLinear/quotient", "quant.fixed/tie"}));
}

TEST(ProfileFaults, Json) {
  EXPECT_TRUE(problem_of("{ \"name\": \"p\",\n  \"title\" 3 }").starts_with("not JSON: syntax error while parsing object separator"))
      << problem_of("{ \"name\": \"p\",\n  \"title\" 3 }");
  EXPECT_NE(problem_of("{ \"name\": \"p\",\n  \"title\" 3 }").find("(spec/systems/s/p.json:2:11)"), std::string::npos)
      << problem_of("{ \"name\": \"p\",\n  \"title\" 3 }");
  EXPECT_NE(problem_of("").find("(spec/systems/s/p.json:1:1)"), std::string::npos) << problem_of("");
  EXPECT_EQ(problem_of("[1]"), "a profile is a JSON object (spec/systems/s/p.json)");
  EXPECT_EQ(problem_of("{}"), "a profile needs a 'name' (spec/systems/s/p.json)");
  EXPECT_FALSE(problem_of("{\"name\": \"\xff\"}").empty());
  EXPECT_FALSE(problem_of(std::string(100000, '[')).empty());
  EXPECT_FALSE(problem_of("{\"name\": " + std::string(100000, '[') + std::string(100000, ']') + "}").empty());
}

TEST(ProfileFaults, Keys) {
  EXPECT_EQ(problem_of(R"({"name": "p", "extend": "q"})"), "unknown key 'extend' (spec/systems/s/p.json:/extend)\n  hint: did you mean 'extends'?");
  EXPECT_EQ(problem_of(R"({"name": "p", "name": "q"})"), "key 'name' appears twice (spec/systems/s/p.json:/name)");
  EXPECT_EQ(problem_of_choices(R"("quant.fixed/tie": "up", "quant.fixed/tie": "away")"),
            "key 'quant.fixed/tie' appears twice (spec/systems/s/p.json:/choices/quant.fixed~1tie)");
  EXPECT_EQ(problem_of(R"({"name": 3})"), "a string is needed, read number (spec/systems/s/p.json:/name)");
  EXPECT_EQ(problem_of(R"({"name": "p", "isa": "x86"})"), "a list of strings is needed, read string (spec/systems/s/p.json:/isa)");
  EXPECT_EQ(problem_of(R"({"name": "p", "isa": ["a", 1]})"), "a string is needed, read number (spec/systems/s/p.json:/isa/1)");
  EXPECT_EQ(problem_of(R"({"name": "p", "choices": []})"), "an object is needed, with a value for each choice (spec/systems/s/p.json:/choices)");
}

TEST(ProfileFaults, Choices) {
  const std::string place = " (spec/systems/s/p.json:/choices/";
  EXPECT_EQ(problem_of_choices(R"("quant.fixed/tye": "up")"),
            "N11 'quant.fixed' has no choice 'tye'" + place + "quant.fixed~1tye)\n  hint: did you mean 'quant.fixed/tie'?");
  EXPECT_EQ(problem_of_choices(R"("quant.fixd/tie": "up")"),
            "N11 no op or module 'quant.fixd'" + place + "quant.fixd~1tie)\n  hint: did you mean 'quant.fixed'?");
  EXPECT_EQ(problem_of_choices(R"("tie": "up")"), "N11 'tie' is no choice key" + place + "tie)\n  hint: keys are module/choice, op/choice and op/alias.choice");
  EXPECT_EQ(
      problem_of_choices(R"("onnx.QuantizeLinear/quotent": "single")"),
      "N11 'onnx.QuantizeLinear' has no choice 'quotent'" + place + "onnx.QuantizeLinear~1quotent)\n  hint: did you mean 'onnx.QuantizeLinear/quotient'?");
  EXPECT_EQ(problem_of_choices(R"("onnx.QuantizeLinear/fixd.tie": "up")"),
            "N11 'onnx.QuantizeLinear' uses no module as 'fixd'" + place + "onnx.QuantizeLinear~1fixd.tie)");
  EXPECT_EQ(problem_of_choices(R"("onnx.QuantizeLinear/fixed.tiee": "up")"),
            "N11 'quant.fixed' has no choice 'tiee'" + place + "onnx.QuantizeLinear~1fixed.tiee)\n  hint: did you mean 'onnx.QuantizeLinear/fixed.tie'?");
}

TEST(ProfileFaults, Alternatives) {
  const std::string place = " (spec/systems/s/p.json:/choices/quant.fixed~1tie";
  EXPECT_EQ(problem_of_choices(R"("quant.fixed/tie": "evn")"), "N11 choice 'tie' has no alternative 'evn'" + place + ")\n  hint: did you mean 'even'?");
  EXPECT_EQ(problem_of_choices(R"("quant.fixed/tie": {"any": ["up", "evn"]})"),
            "N11 choice 'tie' has no alternative 'evn'" + place + "/any/1)\n  hint: did you mean 'even'?");
  EXPECT_EQ(problem_of_choices(R"("quant.fixed/tie": {"if": "version > 1", "then": "up", "else": "evn"})"),
            "N11 choice 'tie' has no alternative 'evn'" + place + "/else)\n  hint: did you mean 'even'?");
  EXPECT_EQ(problem_of_choices(R"("quant.fixed/tie": {"any": []})"), "'any' needs a list of alternatives, or \"*\"" + place + "/any)");
  EXPECT_EQ(problem_of_choices(R"("quant.fixed/tie": {"if": "true", "then": "up"})"), "'if' without 'else'" + place + ")");
  EXPECT_EQ(problem_of_choices(R"("quant.fixed/tie": 3)"),
            "an alternative, {\"if\": ..., \"then\": ..., \"else\": ...} or {\"any\": ...} is needed" + place + ")");
  EXPECT_EQ(problem_of_choices(R"("quant.fixed/tie": {"any": "*", "an": 1})"), "unknown key 'an'" + place + "/an)\n  hint: did you mean 'any'?");
}

TEST(ProfileFaults, Conditions) {
  const auto problem = [](const std::string& condition) {
    return problem_of_choices("\"onnx.QuantizeLinear/fixed.tie\": {\"if\": \"" + condition + "\", \"then\": \"up\", \"else\": \"even\"}");
  };
  const std::string place = " (spec/systems/s/p.json:/choices/onnx.QuantizeLinear~1fixed.tie/if)";
  EXPECT_EQ(problem("x.type in [f32, f16] and not scalar(s) or y.bits == 8 and version >= 13 and axis != none and x is float"), "");
  EXPECT_EQ(problem("x.shape[0] == 4 * floor(x.shape[0] / 4)"), "");
  const std::string facts = "\n  hint: a condition sees facts: x.type, y.bits, scalar(s), attributes, version";
  EXPECT_EQ(problem("x > 0"), "N11 a condition that is not static: 'x' depends on values" + place + facts);
  EXPECT_EQ(problem("floor(x) == 1"), "N11 a condition that is not static: 'x' depends on values" + place + facts);
  EXPECT_EQ(problem("max(x) == 1"), "N11 a condition that is not static: 'max(x)' depends on values" + place + facts);
  EXPECT_EQ(problem("abs(x.scale) == 1"), "N11 a condition that is not static: 'abs(x.scale)' depends on values" + place + facts);
  EXPECT_EQ(problem("index == 1"), "N11 a condition that is not static: 'index' depends on values" + place + facts);
  EXPECT_EQ(problem("x.tpe == f32"), "N01 unknown fact 'tpe'" + place + "\n  hint: did you mean 'type'?");
  EXPECT_EQ(problem("axs == 1"), "N01 unknown name 'axs' in a condition on 'onnx.QuantizeLinear'" + place + "\n  hint: did you mean 'axis'?");
  EXPECT_EQ(problem("z.type == f32"), "N01 unknown name 'z' in a condition on 'onnx.QuantizeLinear'" + place + "\n  hint: did you mean 'x'?");
  EXPECT_EQ(problem("x.type =="), "N02 expected an expression, read the end of the statement, in \"x.type ==\"" + place);
}

TEST(ProfileFaults, ConditionsOfAModuleNameWhatSomeOpHas) {
  const auto problem = [](const std::string& condition) {
    return problem_of_choices("\"quant.fixed/tie\": {\"if\": \"" + condition + "\", \"then\": \"up\", \"else\": \"even\"}");
  };
  EXPECT_EQ(problem("x.type == f32 and version >= 13"), "");
  EXPECT_EQ(problem("xx.type == f32"),
            "N01 no op has all that the condition 'xx.type == f32' names (spec/systems/s/p.json:/choices/quant.fixed~1tie/if)\n"
            "  hint: operands, results, attributes and types of an op that uses 'quant.fixed'");
}

TEST(ProfileFaults, Chains) {
  EXPECT_EQ(problem_of(R"({"name": "p", "extends": "refrence"})"),
            "N11 unknown profile 'refrence' (spec/systems/s/p.json:/extends)\n  hint: did you mean 'reference'?");
  EXPECT_EQ(problem_of(R"({"name": "p", "extends": "p"})"), "N11 profiles extend each other in a circle: p -> p (spec/systems/s/p.json:/extends)");
  const SpecFolder folder;
  write_pages(folder);
  folder.write("systems/s/a.json", R"({"name": "a", "extends": "b"})");
  folder.write("systems/s/b.json", R"({"name": "b", "extends": "c"})");
  folder.write("systems/s/c.json", R"({"name": "c", "extends": "b"})");
  EXPECT_EQ(folder.problem(), "N11 profiles extend each other in a circle: a -> b -> c -> b (and 2 more) (spec/systems/s/a.json:/extends)");
  folder.write("systems/s/b.json", R"({"name": "b"})");
  folder.write("systems/s/c.json", R"({"name": "b"})");
  EXPECT_EQ(folder.problem(), "N11 a second profile 'b', the first is spec/systems/s/b.json (spec/systems/s/c.json:/name)");
}

TEST(ProfileFaults, Sources) {
  const SpecFolder folder;
  write_pages(folder);
  folder.write("systems/s/p.json", R"({"name": "p", "sources": ["ort", "oort"]})");
  EXPECT_EQ(folder.problem(), "");  // without sources.json nothing is checked
  folder.write("sources.json", R"({"ort": {}})");
  EXPECT_EQ(folder.problem(), "unknown source 'oort' (spec/systems/s/p.json:/sources/1)\n  hint: did you mean 'ort'?");
  folder.write("sources.json", R"({"ort": {}, "ort": {}})");
  EXPECT_EQ(folder.problem(), "key 'ort' appears twice (spec/sources.json:/ort)");
  folder.write("sources.json", "[]");
  EXPECT_EQ(folder.problem(), "an object is needed, with an entry for each source (spec/sources.json)");
}

TEST(Profiles, AKeyThatAnotherHidesIsAnError) {
  EXPECT_EQ(problem_of_choices(R"("quant.fixed/tie": "up", "onnx.QuantizeLinear/fixed.tie": "even")"),
            "N11 'quant.fixed/tie' has no effect: 'onnx.QuantizeLinear/fixed.tie' hides it (spec/systems/s/p.json:/choices/quant.fixed~1tie)\n"
            "  hint: a key of an op goes before that of the module; leave one of them out");
  const SpecFolder folder;
  write_pages(folder);
  folder.page("quant/second.md", second_page);
  folder.write("systems/s/p.json", R"({ "name": "p", "choices": { "quant.fixed/tie": "up", "onnx.QuantizeLinear/fixed.tie": "even" } })");
  EXPECT_EQ(folder.problem(), "") << "it counts for quant.second";
  folder.write("systems/s/child.json", R"({ "name": "child", "extends": "p", "choices": { "quant.second/fixed.tie": "even" } })");
  EXPECT_EQ(folder.problem(), "") << "an inherited key may be hidden";
  folder.write("systems/s/child.json", R"({ "name": "child", "extends": "p", "choices": { "quant.second/fixed.tie": "even", "quant.fixed/tie": "away" } })");
  EXPECT_EQ(folder.problem().substr(0, 87), "N11 'quant.fixed/tie' has no effect: 'onnx.QuantizeLinear/fixed.tie' and 1 more hide it");
}

TEST(Profiles, AKeyOfAModuleThatTheOpDoesNotReachIsAnError) {
  const SpecFolder folder;
  write_pages(folder);
  folder.page("quant/plain.md", "op quant.plain(x: f32) -> y: f32\nstructure elementwise(x)\ny = x\n");
  folder.write("systems/s/p.json", R"({ "name": "p", "choices": { "quant.plain/fixed.tie": "up" } })");
  EXPECT_EQ(folder.problem(),
            "N11 no formula of 'quant.plain' reaches 'fixed.tie' (spec/systems/s/p.json:/choices/quant.plain~1fixed.tie)\n"
            "  hint: 'quant.fixed/tie' holds wherever the module is used");
}

TEST(Profiles, TextIsTrueOrFalse) {
  EXPECT_EQ(problem_of(R"({"name": "p", "text": true})"), "");
  EXPECT_EQ(problem_of(R"({"name": "p", "text": "yes"})"), "true or false is needed, read string (spec/systems/s/p.json:/text)");
}

}  // namespace
}  // namespace tiebreak
