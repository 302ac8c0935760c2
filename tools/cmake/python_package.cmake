# SPDX-License-Identifier: Apache-2.0
# The Python package of tools/python: in the build folder below python/, where it finds build/tiebreak and the module of adapters beside itself; installed as
# component python. What pytest looks for is beside it, the entry point of a distribution.
set(TIEBREAK_PYTHON_FOLDER lib/python3/dist-packages CACHE STRING "where the Python package is installed, below the prefix: bin/tiebreak is looked for three folders above it")

file(GLOB python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/python/tiebreak/*.py)
set(python_distribution tiebreak-${PROJECT_VERSION}.dist-info)
file(GLOB old_modules ${PROJECT_BINARY_DIR}/python/tiebreak/*.py ${PROJECT_BINARY_DIR}/python/*.dist-info)
foreach(old IN LISTS old_modules)  # one that was renamed must not be found beside the new ones
  cmake_path(GET old FILENAME name)
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/tools/python/tiebreak/${name} AND NOT name STREQUAL python_distribution)
    file(REMOVE_RECURSE ${old})
  endif()
endforeach()
foreach(source IN LISTS python_sources)
  cmake_path(GET source FILENAME name)
  configure_file(${source} ${PROJECT_BINARY_DIR}/python/tiebreak/${name} COPYONLY)
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/tools/python/METADATA.in ${PROJECT_BINARY_DIR}/python/${python_distribution}/METADATA @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/tools/python/entry_points.txt ${PROJECT_BINARY_DIR}/python/${python_distribution}/entry_points.txt COPYONLY)
