# SPDX-License-Identifier: Apache-2.0
# tiebreak_library_adapter(NAME INCLUDES folders LIBRARIES libraries [PACKAGE debian-package]): the folder of the caller as the program
# tiebreak-adapter-NAME, with a library that has no CMake package. PACKAGE: the library cannot say its version, so that it is the package's.
include(${CMAKE_CURRENT_LIST_DIR}/package_version.cmake)

function(tiebreak_library_adapter name)
  cmake_parse_arguments(PARSE_ARGV 1 adapter "" PACKAGE "INCLUDES;LIBRARIES")
  set(target tiebreak-adapter-${name})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  add_executable(${target} ${sources})
  if(adapter_PACKAGE)
    tiebreak_package_version(${target} ${adapter_PACKAGE})
  endif()
  target_include_directories(${target} SYSTEM PRIVATE ${adapter_INCLUDES})
  target_link_libraries(${target} PRIVATE tiebreak_single_op ${adapter_LIBRARIES} tiebreak_options)
endfunction()
