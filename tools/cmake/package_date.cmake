# SPDX-License-Identifier: Apache-2.0
# Read by cpack before anything else: the date of everything in a package is that of the sources, never that of the day.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH source)
  execute_process(COMMAND git -c safe.directory=* -C ${source} log -1 --format=%ct OUTPUT_VARIABLE seconds OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET RESULT_VARIABLE status)
  if(NOT status EQUAL 0)  # no checkout: what the files say
    file(TIMESTAMP ${source}/cmake/package.cmake seconds "%s" UTC)
  endif()
  set(ENV{SOURCE_DATE_EPOCH} ${seconds})
endif()
