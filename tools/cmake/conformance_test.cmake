# SPDX-License-Identifier: Apache-2.0
# Conformance runs as tests of CTest, in any project: with find_package(tiebreak), or with this repository as a folder.
#
#   tiebreak_add_conformance_test(NAME
#     BACKEND target, path of an adapter, or name of an installed one
#     [PROFILE name] [POLICY text] [LEVEL smoke|default|full]
#     [CASES source...] [FILTER glob...]     what is selected; without them the cases of the installation
#     [OPTIONS word...]                      passed to the adapter
#     [BASELINE file]                        known failures, docs/command.md
#     [SHARDS n]                             n tests NAME/1 .. NAME/n, and NAME/report, which merges their reports
#     [JOBS n] [TIMEOUT seconds]             TIMEOUT: of each test, in CTest's hands; ARGUMENTS --timeout is the adapter's
#     [SKIP nothing|inconclusive|never]      which outcome CTest shows as skipped: exit code 4 (default), 5, none
#     [ALLOW_UNSUPPORTED]
#     [ARGUMENTS word...]                    further arguments of `tiebreak check`
#     [FOLDER path])                         for the reports, default <build>/tiebreak/NAME
#
# Exit codes other than 0, and the one shown as skipped, fail the test. Reports: report.json, .xml (JUnit), .html, .md; of a shard
# report-I.json and so on.
include_guard(GLOBAL)

# The command that the project builds, which needs to be told where the pages are, or the one that the package was installed with.
function(tiebreak_conformance_command out_command out_environment)
  get_property(installed GLOBAL PROPERTY tiebreak_command)
  if(TARGET tiebreak)
    set(${out_command} $<TARGET_FILE:tiebreak> PARENT_SCOPE)
    cmake_path(SET pages NORMALIZE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../spec)
    set(${out_environment} TIEBREAK_SPEC=${pages} PARENT_SCOPE)
  elseif(installed)
    set(${out_command} ${installed} PARENT_SCOPE)
    set(${out_environment} "" PARENT_SCOPE)
  else()
    message(FATAL_ERROR "tiebreak_add_conformance_test: the command tiebreak is not installed beside this package")
  endif()
endfunction()

# A target, a path of this folder, or a name that the command looks up.
function(tiebreak_conformance_backend backend out)
  if(TARGET ${backend})
    set(${out} $<TARGET_FILE:${backend}> PARENT_SCOPE)
    return()
  endif()
  cmake_path(ABSOLUTE_PATH backend BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
  if(backend MATCHES "/" OR (EXISTS ${path} AND NOT IS_DIRECTORY ${path}))
    set(${out} ${path} PARENT_SCOPE)
  else()
    set(${out} ${backend} PARENT_SCOPE)
  endif()
endfunction()

function(tiebreak_add_conformance_test name)
  set(single BACKEND PROFILE POLICY LEVEL BASELINE SHARDS JOBS TIMEOUT SKIP FOLDER)
  cmake_parse_arguments(PARSE_ARGV 1 test "ALLOW_UNSUPPORTED" "${single}" "CASES;FILTER;OPTIONS;ARGUMENTS")
  if(test_UNPARSED_ARGUMENTS OR test_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "tiebreak_add_conformance_test(${name}): unknown or empty: ${test_UNPARSED_ARGUMENTS} ${test_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT DEFINED test_BACKEND)
    message(FATAL_ERROR "tiebreak_add_conformance_test(${name}): BACKEND is missing")
  endif()
  foreach(number IN ITEMS SHARDS JOBS)
    if(DEFINED test_${number} AND NOT test_${number} MATCHES "^[1-9][0-9]*$")
      message(FATAL_ERROR "tiebreak_add_conformance_test(${name}): ${number} ${test_${number}} is no number")
    endif()
  endforeach()
  if(NOT DEFINED test_SKIP)
    set(test_SKIP nothing)
  endif()
  set(skip_nothing SKIP_RETURN_CODE 4)
  set(skip_inconclusive SKIP_RETURN_CODE 5)
  set(skip_never "")
  if(NOT DEFINED skip_${test_SKIP})
    message(FATAL_ERROR "tiebreak_add_conformance_test(${name}): SKIP is nothing, inconclusive or never")
  endif()

  tiebreak_conformance_command(command environment)
  tiebreak_conformance_backend(${test_BACKEND} backend)
  set(words --backend ${backend})
  foreach(option IN ITEMS PROFILE POLICY LEVEL JOBS)
    if(DEFINED test_${option})
      string(TOLOWER ${option} lower)
      list(APPEND words --${lower} ${test_${option}})
    endif()
  endforeach()
  if(DEFINED test_BASELINE)
    cmake_path(ABSOLUTE_PATH test_BASELINE BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND words --expect-fail ${test_BASELINE})
  endif()
  foreach(glob IN LISTS test_FILTER)
    list(APPEND words --filter ${glob})
  endforeach()
  foreach(option IN LISTS test_OPTIONS)
    list(APPEND words --backend-option=${option})
  endforeach()
  if(test_ALLOW_UNSUPPORTED)
    list(APPEND words --allow-unsupported)
  endif()
  if(NOT DEFINED test_FOLDER)
    set(test_FOLDER ${CMAKE_CURRENT_BINARY_DIR}/tiebreak/${name})
  endif()
  file(MAKE_DIRECTORY ${test_FOLDER})

  set(properties LABELS conformance WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  if(environment)
    list(APPEND properties ENVIRONMENT ${environment})
  endif()
  set(check_properties ${properties} ${skip_${test_SKIP}})
  if(DEFINED test_JOBS)
    list(APPEND check_properties PROCESSORS ${test_JOBS})
  endif()
  if(DEFINED test_TIMEOUT)
    list(APPEND check_properties TIMEOUT ${test_TIMEOUT})
  endif()

  set(shards ${test_SHARDS})
  if(NOT DEFINED test_SHARDS)
    set(shards 1)
  endif()
  set(parts "")
  set(part_tests "")
  foreach(index RANGE 1 ${shards})
    set(part ${name})
    set(report ${test_FOLDER}/report)
    if(DEFINED test_SHARDS)
      set(part ${name}/${index})
      set(report ${test_FOLDER}/report-${index})
    endif()
    # --shard 1/1, too: the variables of test runners are meant for whoever runs CTest.
    add_test(NAME ${part} COMMAND ${command} check ${test_CASES} ${words} --shard ${index}/${shards} --json=${report}.json --junit ${report}.xml
      --html ${report}.html --markdown ${report}.md ${test_ARGUMENTS})
    set_tests_properties(${part} PROPERTIES ${check_properties})
    list(APPEND parts ${report}.json)
    list(APPEND part_tests ${part})
  endforeach()
  if(DEFINED test_SHARDS)
    add_test(NAME ${name}/report COMMAND ${command} report merge ${parts} --output ${test_FOLDER}/report.json
      --junit ${test_FOLDER}/report.xml --html ${test_FOLDER}/report.html --markdown ${test_FOLDER}/report.md)
    set_tests_properties(${name}/report PROPERTIES ${properties} DEPENDS "${part_tests}")
  endif()
endfunction()
