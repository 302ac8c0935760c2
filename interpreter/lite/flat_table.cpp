// SPDX-License-Identifier: Apache-2.0
#if __has_include(<flatbuffers/flatbuffers.h>)
#include "interpreter/lite/flat_table.hpp"

namespace tiebreak::tflite {
namespace {

constexpr std::size_t identifier_place = 4, identifier_size = 4;

}  // namespace

Result<FlatTable> FlatTables::at(std::size_t index, std::string where) const {
  const std::uint8_t* entry = first_ + index * sizeof(flatbuffers::uoffset_t);
  if (verifier_->VerifyOffset(entry, 0) == 0) return fail(Errc::corrupt, "it does not lie within the file", std::move(where));
  return FlatTable::at(entry + flatbuffers::ReadScalar<flatbuffers::uoffset_t>(entry), *verifier_, std::move(where));
}

Result<FlatTable> FlatTable::root(std::span<const std::byte> bytes, flatbuffers::Verifier& verifier, const std::string& where) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  if (bytes.size() <= identifier_place + identifier_size || std::memcmp(data + identifier_place, file_identifier, identifier_size) != 0)
    return fail(Errc::corrupt, std::string("no model of TensorFlow Lite: its identifier is not ") + file_identifier, where);
  if (verifier.VerifyOffset(data, 0) == 0) return fail(Errc::corrupt, "the model does not lie within the file", where);
  return at(data + flatbuffers::ReadScalar<flatbuffers::uoffset_t>(data), verifier, where);
}

Result<FlatTable> FlatTable::at(const std::uint8_t* start, flatbuffers::Verifier& verifier, std::string where) {
  const bool fits = verifier.VerifyTableStart(start);
  verifier.EndTable();  // the schema bounds the depth; what is left to count are the tables
  if (!fits) return fail(Errc::corrupt, "its table does not lie within the file, or there are too many tables", std::move(where));
  return FlatTable(reinterpret_cast<const flatbuffers::Table*>(start), verifier, std::move(where));
}

std::vector<int> FlatTable::present() const {
  std::vector<int> numbers;
  const std::uint8_t* vtable = table_->GetVTable();
  const int count = (flatbuffers::ReadScalar<flatbuffers::voffset_t>(vtable) - 4) / 2;
  for (int number = 0; number < count; ++number)
    if (has(number)) numbers.push_back(number);
  return numbers;
}

Result<const std::uint8_t*> FlatTable::vector_start(const Field& field, std::size_t element) const {
  if (!has(field.number)) return nullptr;
  if (!table_->VerifyOffset(*verifier_, place(field.number))) return outside(field);
  const auto* start = table_->GetPointer<const std::uint8_t*>(place(field.number));
  if (!verifier_->VerifyVectorOrString(start, element)) return outside(field);
  return start;
}

Result<std::string> FlatTable::text(const Field& field) const {
  TIEBREAK_TRY(start, vector_start(field, 1));
  if (start == nullptr) return std::string();
  return std::string(reinterpret_cast<const char*>(start + sizeof(std::uint32_t)), flatbuffers::ReadScalar<std::uint32_t>(start));
}

Result<std::optional<std::span<const std::byte>>> FlatTable::bytes(const Field& field) const {
  using Bytes = std::span<const std::byte>;
  TIEBREAK_TRY(start, vector_start(field, 1));
  if (start == nullptr) return std::optional<Bytes>{};
  return std::optional(Bytes(reinterpret_cast<const std::byte*>(start + sizeof(std::uint32_t)), flatbuffers::ReadScalar<std::uint32_t>(start)));
}

Result<std::optional<FlatTable>> FlatTable::table(const Field& field, std::string where) const {
  if (!has(field.number)) return std::optional<FlatTable>{};
  if (!table_->VerifyOffset(*verifier_, place(field.number))) return outside(field);
  TIEBREAK_TRY(found, at(table_->GetPointer<const std::uint8_t*>(place(field.number)), *verifier_, std::move(where)));
  return std::optional(std::move(found));
}

Result<FlatTables> FlatTable::tables(const Field& field) const {
  TIEBREAK_TRY(start, vector_start(field, sizeof(flatbuffers::uoffset_t)));
  if (start == nullptr) return FlatTables();
  return FlatTables(start + sizeof(std::uint32_t), flatbuffers::ReadScalar<std::uint32_t>(start), verifier_);
}

}  // namespace tiebreak::tflite
#endif
