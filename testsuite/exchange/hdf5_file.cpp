// SPDX-License-Identifier: Apache-2.0
// The one file that includes HDF5. Everything is explicit: types, layouts, creation lists of every object.
#include "testsuite/exchange/hdf5_file.hpp"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "testsuite/exchange/file_memory.hpp"

namespace tiebreak {
namespace {

using Kind = StoredArray::Kind;

/// An HDF5 identifier and the function that gives it back.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t id() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

Handle property_list(hid_t list_class) { return {H5Pcreate(list_class), H5Pclose}; }

/// The innermost message of HDF5's error stack, which says most.
std::string library_message() {
  std::string message;
  const auto keep = [](unsigned, const H5E_error2_t* entry, void* target) -> herr_t {
    if (entry->desc) *static_cast<std::string*>(target) = entry->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep, &message);
  return message.empty() ? "HDF5 gives no reason" : message;
}

/// No stack printed to stderr, no filter loaded from outside.
void quiet_library() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLset_loading_state(0);
}

Handle half_type() {
  Handle type(H5Tcopy(H5T_IEEE_F32LE), H5Tclose);
  H5Tset_fields(type.id(), 15, 10, 5, 0, 10);  // before the size: the other order fails
  H5Tset_size(type.id(), 2);
  H5Tset_ebias(type.id(), 15);
  return type;
}

Handle text_type(std::size_t width) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), width);
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

hid_t integer_type(bool is_signed, std::uint32_t bytes) {
  switch (bytes) {
    case 1: return is_signed ? H5T_STD_I8LE : H5T_STD_U8LE;
    case 2: return is_signed ? H5T_STD_I16LE : H5T_STD_U16LE;
    case 4: return is_signed ? H5T_STD_I32LE : H5T_STD_U32LE;
    case 8: return is_signed ? H5T_STD_I64LE : H5T_STD_U64LE;
    default: return -1;
  }
}

/// The one type for a kind and width, in the file and in memory alike, so that HDF5 converts nothing.
Handle stored_type(Kind kind, std::uint32_t bytes) {
  if (kind == Kind::text) return text_type(bytes);
  if (kind != Kind::floating) return {H5Tcopy(integer_type(kind == Kind::signed_integer, bytes)), H5Tclose};
  if (bytes == 2) return half_type();
  return {H5Tcopy(bytes == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE), H5Tclose};
}

Handle stored_space(const StoredArray& array) {
  if (array.is_scalar || array.shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  const std::vector<hsize_t> extents(array.shape.begin(), array.shape.end());
  return {H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose};
}

class Writer {
 public:
  bool attributes(hid_t object, const StoredAttributes& attributes) const {
    for (const auto& [name, array] : attributes) {
      const Handle type = stored_type(array.kind, array.bytes);
      const Handle space = stored_space(array);
      const Handle attribute(H5Acreate2(object, name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
      if (!attribute) return false;
      if (!array.data.empty() && H5Awrite(attribute.id(), type.id(), array.data.data()) < 0) return false;
    }
    return true;
  }

  bool dataset(hid_t parent, const std::string& name, const StoredDataset& dataset) const {
    const StoredArray& array = dataset.array;
    const Handle type = stored_type(array.kind, array.bytes);
    const Handle space = stored_space(array);
    const Handle list = property_list(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(list.id(), false);
    H5Pset_layout(list.id(), H5D_CONTIGUOUS);
    H5Pset_dset_no_attrs_hint(list.id(), dataset.attributes.empty());  // no room kept for what does not come
    H5Pset_alloc_time(list.id(), array.is_declared ? H5D_ALLOC_TIME_LATE : H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(list.id(), H5D_FILL_TIME_IFSET);
    const Handle created(H5Dcreate2(parent, name.c_str(), type.id(), space.id(), H5P_DEFAULT, list.id(), H5P_DEFAULT), H5Dclose);
    if (!created || !attributes(created.id(), dataset.attributes)) return false;
    if (array.data.empty() || array.is_declared) return true;
    return H5Dwrite(created.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, array.data.data()) >= 0;
  }

  /// Room in a group's header for the links that will come.
  static void reserve_links(hid_t list, const StoredGroup& group) {
    const std::size_t links = group.datasets.size() + group.groups.size();
    H5Pset_est_link_info(list, static_cast<unsigned>(std::min<std::size_t>(links, 65535)), 8);
  }

  bool group(hid_t object, const StoredGroup& group) const {
    if (!attributes(object, group.attributes)) return false;
    for (const auto& [name, child] : group.datasets) {
      if (!dataset(object, name, child)) return false;
    }
    for (const auto& [name, child] : group.groups) {
      const Handle list = property_list(H5P_GROUP_CREATE);
      H5Pset_obj_track_times(list.id(), false);
      reserve_links(list.id(), child);
      const Handle created(H5Gcreate2(object, name.c_str(), H5P_DEFAULT, list.id(), H5P_DEFAULT), H5Gclose);
      if (!created || !this->group(created.id(), child)) return false;
    }
    return true;
  }
};

using Images = H5FD_file_image_callbacks_t;
using Operation = H5FD_file_image_op_t;

/// `step`: by so many bytes the memory of the file grows.
Handle image_access(std::size_t step, Images asked) {
  Handle access = property_list(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access.id(), step, false);
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18);
  H5Pset_file_image_callbacks(access.id(), &asked);
  return access;
}

/// What HDF5 asks for the bytes of a file; nothing that `target` has is copied or given back.
Images callbacks(void* target, decltype(Images::image_malloc) room, decltype(Images::image_memcpy) copy, decltype(Images::image_realloc) grow) {
  return {room, copy, grow, [](void*, Operation, void*) -> herr_t { return 0; }, [](void* same) { return same; }, [](void*) -> herr_t { return 0; }, target};
}

/// Memory while it makes a file, which it leaves behind when it closes the file.
Images callbacks_into(FileMemory& memory) {
  return callbacks(
      &memory, [](std::size_t size, Operation, void* target) { return static_cast<FileMemory*>(target)->grow(size); },
      [](void* to, const void* from, std::size_t size, Operation, void*) { return std::memcpy(to, from, size); },
      [](void*, std::size_t size, Operation, void* target) { return static_cast<FileMemory*>(target)->grow(size); });
}

/// A file that is only read lies where it lies: HDF5 would copy it twice.
Images callbacks_over(std::span<const std::byte> image) {
  return callbacks(
      const_cast<std::byte*>(image.data()), [](std::size_t, Operation, void* bytes) { return bytes; },
      [](void* to, const void*, std::size_t, Operation, void*) { return to; }, [](void*, std::size_t, Operation, void*) -> void* { return nullptr; });
}

class Reader {
 public:
  explicit Reader(std::string where) : where_(std::move(where)) {}

  Result<StoredGroup> group(hid_t object, const std::string& path, std::size_t depth) {
    TIEBREAK_CHECK(count_objects(depth, path));
    StoredGroup result;
    TIEBREAK_TRY(stored, attributes(object, path));
    result.attributes = std::move(stored);
    TIEBREAK_TRY(links, link_names(object, path));
    for (const std::string& name : links) {
      const std::string child_path = path + "/" + name;
      const Handle child(H5Oopen(object, name.c_str(), H5P_DEFAULT), H5Oclose);
      if (!child) return damaged(child_path);
      const H5I_type_t type = H5Iget_type(child.id());
      if (type == H5I_GROUP) {
        TIEBREAK_TRY(read, group(child.id(), child_path, depth + 1));
        result.groups.emplace(name, std::move(read));
      } else if (type == H5I_DATASET) {
        TIEBREAK_TRY(read, dataset(child.id(), child_path));
        result.datasets.emplace(name, std::move(read));
      } else {
        return fail(Errc::corrupt, "neither a group nor a dataset", where_ + ":" + child_path);
      }
    }
    return result;
  }

 private:
  tl::unexpected<Error> damaged(const std::string& path) const { return fail(Errc::corrupt, library_message(), where_ + ":" + path); }

  Status count_objects(std::size_t depth, const std::string& path) {
    if (depth > exchange_limit::depth) return fail(Errc::limit, "groups are nested too deeply", where_ + ":" + path);
    if (++objects_ > exchange_limit::objects) return fail(Errc::limit, "more objects than the limit", where_ + ":" + path);
    return {};
  }

  struct Names {
    std::vector<std::string> names{};
    bool has_other_links = false;
  };

  Result<std::vector<std::string>> link_names(hid_t object, const std::string& path) {
    Names found;
    const auto keep = [](hid_t, const char* name, const H5L_info_t* link, void* target) -> herr_t {
      auto& names = *static_cast<Names*>(target);
      if (link->type != H5L_TYPE_HARD) names.has_other_links = true;
      names.names.emplace_back(name);
      return names.names.size() > exchange_limit::cases ? -1 : 0;
    };
    if (H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &found) < 0) return damaged(path);
    if (found.has_other_links) return fail(Errc::corrupt, "soft and external links are not followed", where_ + ":" + path);
    return std::move(found.names);
  }

  Result<StoredAttributes> attributes(hid_t object, const std::string& path) {
    Names found;
    const auto keep = [](hid_t, const char* name, const H5A_info_t*, void* target) -> herr_t {
      static_cast<Names*>(target)->names.emplace_back(name);
      return 0;
    };
    if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, keep, &found) < 0) return damaged(path);
    StoredAttributes result;
    for (const std::string& name : found.names) {
      const std::string attribute_path = path + "@" + name;
      TIEBREAK_CHECK(count_objects(0, attribute_path));
      const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
      if (!attribute) return damaged(attribute_path);
      const Handle type(H5Aget_type(attribute.id()), H5Tclose);
      const Handle space(H5Aget_space(attribute.id()), H5Sclose);
      const auto read = [&](hid_t memory, void* data) { return H5Aread(attribute.id(), memory, data); };
      TIEBREAK_TRY(array, contents(type, space, read, attribute_path));
      result.emplace(name, std::move(array));
    }
    return result;
  }

  Result<StoredDataset> dataset(hid_t object, const std::string& path) {
    TIEBREAK_CHECK(count_objects(0, path));
    StoredDataset result;
    TIEBREAK_TRY(stored, attributes(object, path));
    result.attributes = std::move(stored);
    const Handle list(H5Dget_create_plist(object), H5Pclose);
    if (!list) return damaged(path);
    const H5D_layout_t layout = H5Pget_layout(list.id());
    const bool is_elsewhere = layout == H5D_VIRTUAL || (layout == H5D_CONTIGUOUS && H5Pget_external_count(list.id()) != 0);
    if (is_elsewhere || layout < 0) return fail(Errc::corrupt, "the data must lie in this file", where_ + ":" + path);
    const Handle type(H5Dget_type(object), H5Tclose);
    const Handle space(H5Dget_space(object), H5Sclose);
    const auto read = [&](hid_t memory, void* data) { return H5Dread(object, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data); };
    TIEBREAK_TRY(array, contents(type, space, read, path));
    result.array = std::move(array);
    return result;
  }

  template <class Read>
  Result<StoredArray> contents(const Handle& type, const Handle& space, const Read& read, const std::string& path) {
    if (!type || !space) return damaged(path);
    TIEBREAK_TRY(array, shaped(space, path));
    if (H5Tget_class(type.id()) == H5T_STRING && H5Tis_variable_str(type.id()) > 0) {
      TIEBREAK_CHECK(variable_texts(array, type, space, read, path));
      return std::move(array);
    }
    if (!classify(type.id(), array)) {
      return fail(Errc::corrupt, "a type that is not read: little-endian integers and IEEE floats of whole bytes, truth values and texts are",
                  where_ + ":" + path);
    }
    TIEBREAK_TRY(count, element_count(array.shape));
    TIEBREAK_CHECK(reserve(static_cast<std::size_t>(count), array, path));
    array.data.resize(static_cast<std::size_t>(count) * array.bytes);
    const Handle memory = array.kind == Kind::truth ? Handle(H5Tcopy(type.id()), H5Tclose) : stored_type(array.kind, array.bytes);
    if (!array.data.empty() && read(memory.id(), array.data.data()) < 0) return damaged(path);
    return std::move(array);
  }

  Result<StoredArray> shaped(const Handle& space, const std::string& path) const {
    StoredArray array;
    const H5S_class_t space_class = H5Sget_simple_extent_type(space.id());
    array.is_scalar = space_class == H5S_SCALAR;
    if (space_class == H5S_NULL) array.shape = {0};
    if (space_class != H5S_SIMPLE) return array;
    const int rank = H5Sget_simple_extent_ndims(space.id());
    if (rank < 0) return damaged(path);
    std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr);
    for (hsize_t extent : extents) {
      if (!std::in_range<std::int64_t>(extent)) return fail(Errc::limit, "a dimension is beyond the limit", where_ + ":" + path);
      array.shape.push_back(static_cast<std::int64_t>(extent));
    }
    return array;
  }

  /// Kind and width of a type that can be read as it stands.
  static bool classify(hid_t type, StoredArray& array) {
    const std::size_t width = H5Tget_size(type);
    if (width == 0 || width > exchange_limit::text_bytes) return false;
    array.bytes = static_cast<std::uint32_t>(width);
    switch (H5Tget_class(type)) {
      case H5T_STRING: array.kind = Kind::text; return true;
      case H5T_INTEGER: array.kind = H5Tget_sign(type) == H5T_SGN_NONE ? Kind::unsigned_integer : Kind::signed_integer; break;
      case H5T_FLOAT: array.kind = Kind::floating; break;
      case H5T_ENUM:  // h5py's bool: an enumeration of two names over one byte
        array.kind = Kind::truth;
        return width == 1 && H5Tget_nmembers(type) == 2;
      default: return false;
    }
    if (width > 8 || (width & (width - 1)) != 0 || (array.kind == Kind::floating && width == 1)) return false;
    return H5Tequal(type, stored_type(array.kind, array.bytes).id()) > 0;
  }

  Status reserve(std::size_t count, const StoredArray& array, const std::string& path) {
    const std::size_t left = exchange_limit::total_bytes - total_;
    if (count > left / array.bytes) return fail(Errc::limit, "more than 2 GiB of data", where_ + ":" + path);
    total_ += count * array.bytes;
    return {};
  }

  /// Texts of variable length, as other programs write them, become padded ones.
  template <class Read>
  Status variable_texts(StoredArray& array, const Handle& type, const Handle& space, const Read& read, const std::string& path) {
    TIEBREAK_TRY(count, element_count(array.shape));
    if (static_cast<std::size_t>(count) > exchange_limit::cases) return fail(Errc::limit, "too many texts", where_ + ":" + path);
    std::vector<char*> pointers(static_cast<std::size_t>(count), nullptr);
    if (count > 0 && read(type.id(), pointers.data()) < 0) return damaged(path);
    std::vector<std::string> texts;
    std::size_t longest = 1;
    for (const char* text : pointers) longest = std::max(longest, texts.emplace_back(text ? text : "").size());
    if (count > 0) H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, pointers.data());
    if (longest > exchange_limit::text_bytes) return fail(Errc::limit, "a text is longer than 16 MiB", where_ + ":" + path);
    Shape shape = std::move(array.shape);
    const bool is_scalar = array.is_scalar;
    array.kind = Kind::text;
    array.bytes = static_cast<std::uint32_t>(longest);
    TIEBREAK_CHECK(reserve(texts.size(), array, path));
    array = StoredArray::texts(texts);
    array.shape = std::move(shape);
    array.is_scalar = is_scalar;
    return {};
  }

  std::string where_;
  std::size_t total_ = 0;
  std::size_t objects_ = 0;
};

}  // namespace

Result<std::vector<std::byte>> write_hdf5(const StoredGroup& tree, std::size_t user_block, const Hdf5Lock&) {
  quiet_library();
  FileMemory memory;
  {
    const Handle access = image_access(about_file_bytes(tree), callbacks_into(memory));
    const Handle creation = property_list(H5P_FILE_CREATE);
    H5Pset_obj_track_times(creation.id(), false);
    if (user_block > 0) H5Pset_userblock(creation.id(), user_block);
    const Handle file(H5Fcreate("tiebreak.h5", H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose);
    if (!file) return fail(Errc::io, library_message());
    const Handle root(H5Gopen2(file.id(), "/", H5P_DEFAULT), H5Gclose);
    if (!root || !Writer().group(root.id(), tree) || H5Fflush(file.id(), H5F_SCOPE_GLOBAL) < 0) return fail(Errc::io, library_message());
  }
  return memory.closed_file(user_block);
}

Result<StoredGroup> read_hdf5(std::span<const std::byte> image, const std::string& where, const Hdf5Lock&) {
  quiet_library();
  const Handle access = image_access(std::size_t{1} << 16, callbacks_over(image));
  H5Pset_file_image(access.id(), const_cast<std::byte*>(image.data()), image.size());
  const Handle file(H5Fopen("tiebreak.h5", H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (!file) return fail(Errc::corrupt, "not a readable HDF5 file: " + library_message(), where);
  const Handle root(H5Gopen2(file.id(), "/", H5P_DEFAULT), H5Gclose);
  if (!root) return fail(Errc::corrupt, library_message(), where);
  try {
    return Reader(where).group(root.id(), "", 0);
  } catch (const std::exception& exception) {
    return fail(Errc::limit, std::string("out of memory: ") + exception.what(), where);
  }
}

}  // namespace tiebreak
