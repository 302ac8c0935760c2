// SPDX-License-Identifier: Apache-2.0
// A table of a FlatBuffers file whose every field is verified where it is read, so that an error names the field and its place. Included by the reader alone.
#pragma once
#include <flatbuffers/flatbuffers.h>

#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/lite/fields.hpp"

namespace tiebreak::tflite {

class FlatTable;

/// A vector of tables; each is verified when it is asked for.
class FlatTables {
 public:
  FlatTables() = default;
  FlatTables(const std::uint8_t* first, std::uint32_t size, flatbuffers::Verifier* verifier) : first_(first), size_(size), verifier_(verifier) {}
  std::size_t size() const { return size_; }
  Result<FlatTable> at(std::size_t index, std::string where) const;

 private:
  const std::uint8_t* first_ = nullptr;
  std::size_t size_ = 0;
  flatbuffers::Verifier* verifier_ = nullptr;
};

class FlatTable {
 public:
  static Result<FlatTable> root(std::span<const std::byte> bytes, flatbuffers::Verifier& verifier, const std::string& where);
  static Result<FlatTable> at(const std::uint8_t* start, flatbuffers::Verifier& verifier, std::string where);

  const std::string& where() const { return where_; }
  bool has(int number) const { return table_->CheckField(place(number)); }
  /// The numbers of the fields that stand in the table.
  std::vector<int> present() const;

  template <class T>
  Result<T> number(const Field& field, T otherwise) const {
    if (!table_->VerifyField<T>(*verifier_, place(field.number), sizeof(T))) return outside(field);
    return table_->GetField<T>(place(field.number), otherwise);
  }
  Result<std::string> text(const Field& field) const;  ///< "" where it is absent
  Result<std::optional<std::span<const std::byte>>> bytes(const Field& field) const;
  Result<std::optional<FlatTable>> table(const Field& field, std::string where) const;
  Result<FlatTables> tables(const Field& field) const;
  /// Numbers of a vector; none where it is absent. Tables may share a vector, so that its length alone bounds nothing: `most` does.
  template <class T>
  Result<std::vector<T>> numbers(const Field& field, std::size_t most) const {
    TIEBREAK_TRY(start, vector_start(field, sizeof(T)));
    if (start == nullptr) return std::vector<T>{};
    if (flatbuffers::ReadScalar<std::uint32_t>(start) > most)
      return fail(Errc::limit, std::string("the field '") + field.name + "' has more than " + std::to_string(most) + " numbers", where_);
    std::vector<T> values(flatbuffers::ReadScalar<std::uint32_t>(start));
    if (!values.empty()) std::memcpy(values.data(), start + sizeof(std::uint32_t), values.size() * sizeof(T));
    return values;
  }

 private:
  FlatTable(const flatbuffers::Table* table, flatbuffers::Verifier& verifier, std::string where)
      : table_(table), verifier_(&verifier), where_(std::move(where)) {}
  static flatbuffers::voffset_t place(int number) { return static_cast<flatbuffers::voffset_t>(4 + 2 * number); }
  tl::unexpected<Error> outside(const Field& field) const {
    return fail(Errc::corrupt, std::string("the field '") + field.name + "' does not lie within the file", where_);
  }
  /// Of a verified vector, at its length; nullptr where it is absent.
  Result<const std::uint8_t*> vector_start(const Field& field, std::size_t element) const;

  const flatbuffers::Table* table_;
  flatbuffers::Verifier* verifier_;
  std::string where_;
};

}  // namespace tiebreak::tflite
