# SPDX-License-Identifier: Apache-2.0
# tiebreak_known_failures(FOLDER): what is known to fail in the adapter of tools/adapters/NAME, its known.json and known-ISA.json, goes beside its program as
# tiebreak-adapter-NAME.known.json and tiebreak-adapter-NAME.known-ISA.json, where `tiebreak check` looks for it.
file(GLOB old_lists ${PROJECT_BINARY_DIR}/tiebreak-adapter-*.known*.json)
if(old_lists)
  file(REMOVE ${old_lists})
endif()

function(tiebreak_known_failures folder)
  cmake_path(GET folder FILENAME name)
  file(GLOB lists CONFIGURE_DEPENDS ${folder}/known*.json)
  if(NOT TARGET tiebreak-adapter-${name})
    return()
  endif()
  foreach(list IN LISTS lists)
    cmake_path(GET list FILENAME file)
    configure_file(${list} ${PROJECT_BINARY_DIR}/tiebreak-adapter-${name}.${file} COPYONLY)
  endforeach()
endfunction()
