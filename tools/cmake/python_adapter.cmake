# SPDX-License-Identifier: Apache-2.0
# tiebreak_python_adapter(NAME): the folder of the caller, a Python program, and what Python adapters share, as one executable archive
# tiebreak-adapter-NAME beside the other programs. It runs under the distribution's own Python, which is the one that sees its packages.
set(TIEBREAK_ADAPTER_PYTHON /usr/bin/python3)
set(tiebreak_python_common ${CMAKE_CURRENT_LIST_DIR}/../adapters/python/exchange_case.py)

function(tiebreak_python_adapter name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.py)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.folder)
  set(program ${PROJECT_BINARY_DIR}/tiebreak-adapter-${name})
  add_custom_command(OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} -E copy ${sources} ${tiebreak_python_common} ${folder}
    COMMAND ${TIEBREAK_ADAPTER_PYTHON} -m zipapp ${folder} -o ${program} -p ${TIEBREAK_ADAPTER_PYTHON}
    DEPENDS ${sources} ${tiebreak_python_common} VERBATIM)
  add_custom_target(tiebreak-adapter-${name} ALL DEPENDS ${program})
endfunction()

# Whether the distribution's Python has these modules; the answer goes to the variable.
function(tiebreak_python_has variable)
  set(${variable} FALSE PARENT_SCOPE)
  list(JOIN ARGN "', '" modules)
  execute_process(COMMAND ${TIEBREAK_ADAPTER_PYTHON} -c "import importlib.util, sys; sys.exit(any(importlib.util.find_spec(m) is None for m in ['${modules}']))"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(${variable} TRUE PARENT_SCOPE)
  endif()
endfunction()
