// SPDX-License-Identifier: Apache-2.0
// What is said of a model that ran layer by layer, in each kind of report.
#pragma once
#include "testsuite/check/model_report.hpp"

namespace tiebreak {

class JsonWriter;
struct JsonValue;

std::string model_text(const ModelReport& model, bool colour);
std::string model_html(const ModelReport& model);

void write_model(JsonWriter& json, const ModelReport& model);
Result<ModelReport> model_of(const JsonValue& json);

}  // namespace tiebreak
