// SPDX-License-Identifier: Apache-2.0
#include "testsuite/models/small_models.hpp"

#include <fstream>

namespace tiebreak::models {

std::vector<SmallModel> small_models() {
  return {{"cnn.qdq", cnn_qdq},
          {"cnn.qoperator", cnn_qoperator},
          {"segmenter.qdq", segmenter_qdq},
          {"transformer.qdq", transformer_qdq},
          {"transformer.dynamic", transformer_dynamic}};
}

Status write_model(const std::string& folder, const Program& program) {
  TIEBREAK_TRY(bytes, write_onnx_model(program));
  const std::string path = folder + "/" + program.name + ".onnx";
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) return fail(Errc::io, "cannot write the model", path);
  return {};
}

Status write_small_models(const std::string& folder) {
  for (const SmallModel& model : small_models()) TIEBREAK_CHECK(write_model(folder, model.make()));
  for (int opset = oldest_forms; opset <= newest_forms; ++opset) TIEBREAK_CHECK(write_model(folder, older_forms(opset)));
  return {};
}

}  // namespace tiebreak::models
