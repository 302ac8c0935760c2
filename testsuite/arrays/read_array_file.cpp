// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "interpreter/json/json_value.hpp"
#include "interpreter/program/program.hpp"
#include "testsuite/arrays/array_of_file.hpp"
#include "testsuite/arrays/npy.hpp"
#include "testsuite/arrays/zip.hpp"
#include "testsuite/exchange/exchange.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

using Arrays = std::vector<ArrayOfFile>;

std::span<const std::byte> as_bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

Result<Arrays> read_npy(const std::string& path) {
  TIEBREAK_TRY(text, read_text_file(path));
  TIEBREAK_TRY(array, parse_npy(as_bytes(text), path));
  array.name = fs::path(path).stem().string();
  array.origin = path;
  return Arrays{std::move(array)};
}

Result<Arrays> read_npz(const std::string& path) {
  TIEBREAK_TRY(text, read_text_file(path));
  TIEBREAK_TRY(members, read_zip(as_bytes(text), path));
  Arrays arrays;
  for (const ZipMember& member : members) {
    if (!member.name.ends_with(".npy")) continue;
    TIEBREAK_TRY(array, parse_npy(member.bytes, path + ":" + member.name));
    array.name = member.name.substr(0, member.name.size() - 4);
    array.origin = path + ":" + array.name;
    arrays.push_back(std::move(array));
  }
  if (arrays.empty()) return fail(Errc::corrupt, "no array in this archive", path);
  return arrays;
}

Result<Arrays> read_pb(const std::string& path) {
  ArrayOfFile array;
  TIEBREAK_TRY(tensor, read_onnx_tensor_file(path, &array.name));
  if (array.name.empty()) array.name = fs::path(path).stem().string();
  array.origin = path;
  array.tensor = std::move(tensor);
  return Arrays{std::move(array)};
}

Result<Arrays> read_h5(const std::string& path) {
  TIEBREAK_TRY(file, read_exchange(path));
  if (file.cases.empty()) return fail(Errc::usage, "no case in this file", path);
  Arrays arrays;
  for (ExchangeTensor& output : file.cases.front().outputs)
    arrays.push_back({.name = output.name, .origin = path + ":" + output.name, .tensor = std::move(output.tensor)});
  return arrays;
}

Result<Arrays> read_raw(const std::string& path) {
  TIEBREAK_TRY(text, read_text_file(path));
  const std::span<const std::byte> bytes = as_bytes(text);
  return Arrays{ArrayOfFile{.name = fs::path(path).stem().string(), .origin = path, .raw = {bytes.begin(), bytes.end()}}};
}

struct ArrayFormat {
  const char* ending;
  Result<Arrays> (*read)(const std::string&);
};
constexpr ArrayFormat array_formats[] = {{".npy", read_npy}, {".npz", read_npz}, {".pb", read_pb}, {".h5", read_h5}, {".raw", read_raw}, {".bin", read_raw}};

}  // namespace

bool is_array_file(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  for (const ArrayFormat& format : array_formats)
    if (ending == format.ending) return true;
  return false;
}

Result<Arrays> read_array_file(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  for (const ArrayFormat& format : array_formats)
    if (ending == format.ending) return format.read(path);
  return fail(Errc::usage, "the name of the file does not say how it keeps a tensor", path, ".npy .npz .pb .h5 .raw .bin are read");
}

}  // namespace tiebreak
