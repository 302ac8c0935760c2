// SPDX-License-Identifier: Apache-2.0
// Reading JSON with places, writing JSON without surprises.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "interpreter/json/json_value.hpp"
#include "interpreter/json/json_writer.hpp"

namespace tiebreak {
namespace {

TEST(JsonValue, KeepsNumbersAsWrittenAndPlaces) {
  JsonValue root = *parse_json("{\"a\": [0.1, 1e-400, 18446744073709551616, -0, 7], // comment\n \"b\": {\"c\": null}}", "f.json");
  const JsonValue& list = *root.find("a");
  EXPECT_EQ(list.items[0].text, "0.1");
  EXPECT_EQ(list.items[1].text, "1e-400");
  EXPECT_EQ(list.items[2].text, "18446744073709551616");
  EXPECT_EQ(list.items[3].text, "-0");
  EXPECT_EQ(list.items[4].text, "7");
  EXPECT_EQ(list.items[2].where, "f.json:/a/2");
  EXPECT_EQ(root.find("b")->find("c")->where, "f.json:/b/c");
  EXPECT_EQ(parse_json("{\"a/b~\": 1}", "f.json")->items.front().where, "f.json:/a~1b~0") << "as RFC 6901 writes it";
}

TEST(JsonValue, ErrorsHaveTheirPlace) {
  Result<JsonValue> duplicate = parse_json("{\"a\": {\"x\": 1, \"x\": 2}}", "f.json");
  ASSERT_FALSE(duplicate);
  EXPECT_EQ(duplicate.error().what, "key 'x' appears twice");
  EXPECT_EQ(duplicate.error().where, "f.json:/a/x");
  Result<JsonValue> broken = parse_json("{\"a\": 1,\n \"b\": }", "f.json");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().where, "f.json:2:7");
  EXPECT_EQ(parse_json("", "f.json").error().where, "f.json:1:1");
  for (const char* bad : {"", "{", "[1,]", "nan", "{\"a\":1} x", "\"\xff\"", "[1e400"}) EXPECT_FALSE(parse_json(bad, "f.json")) << bad;
  EXPECT_FALSE(parse_json(std::string(100000, '['), "f.json"));
  EXPECT_FALSE(read_json_file("/no/such/file.json"));
}

TEST(JsonValue, AVersionIsHeldByAnInt) {
  const auto version = [](const char* text) { return version_of(*parse_json(text, "a.json")); };
  EXPECT_EQ(*version("0"), 0);
  EXPECT_EQ(*version("2147483647"), 2147483647);
  for (const char* text : {"-1", "2147483648", "4294967297", "1.5", "\"13\""}) EXPECT_FALSE(version(text)) << text;
}

TEST(JsonValue, EarlyTextEndsAtTheFirstList) {
  EXPECT_EQ(early_text("{\"a\": {\"op\": \"inner\"}, \"op\": \"onnx.Add\", \"cases\": [{]}", "op"), "onnx.Add") << "what comes after it is not read";
  for (const char* none :
       {"{\"cases\": [], \"op\": \"late\"}", "{\"op\": 5, \"notes\": {\"x\": \"y\"}}", "[\"op\", \"x\"]", "\"op\"", "{\"op\":", "", "{\"op\": {\"x\": \"y\"}}"})
    EXPECT_EQ(early_text(none, "op"), "") << none;
}

TEST(JsonValue, UnknownKeysNameTheNearest) {
  Status status = check_object(*parse_json("{\"shap\": []}", "f.json"), {"type", "shape", "data"});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().where, "f.json:/shap");
  EXPECT_EQ(status.error().hint, "did you mean 'shape'?");
}

TEST(JsonWriter, WritesWhatAnotherParserReads) {
  JsonWriter json;
  json.begin_object().member("text", std::string("a\"b\\c\n\t\x01\xff \xc3\xa9 \xed\xa0\x80 \xf0\x9f\x99\x82"));
  json.member("number", std::int64_t{-5}).member("big", ~std::uint64_t{0}).member("truth", true).key("none").null();
  json.key("list").begin_array().value("x").value(std::int64_t{1}).end_array().key("empty").begin_array().end_array();
  json.member("map", std::map<std::string, std::string>{{"k", "v"}}).end_object();
  nlohmann::json parsed = nlohmann::json::parse(json.text());
  EXPECT_EQ(parsed["text"], "a\"b\\c\n\t\x01\xef\xbf\xbd \xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xf0\x9f\x99\x82");
  EXPECT_EQ(parsed["number"], -5);
  EXPECT_EQ(parsed["big"], 18446744073709551615u);
  EXPECT_EQ(parsed["list"].size(), 2u);
  EXPECT_TRUE(parsed["empty"].empty());
  EXPECT_EQ(parsed["map"]["k"], "v");
}

}  // namespace
}  // namespace tiebreak
