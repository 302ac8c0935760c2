# SPDX-License-Identifier: Apache-2.0
# embed_script(TARGET VARIABLE FILE): the text of FILE as `const char* const tiebreak::node::VARIABLE`, so that an adapter is one file wherever it lies.
function(embed_script target variable file)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${variable}.cpp)
  file(READ ${file} text)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
    "namespace tiebreak::node {\nextern const char* const @variable@;\nconst char* const @variable@ = R\"javascript(@text@)javascript\";\n}  // namespace tiebreak::node\n")
  target_sources(${target} PRIVATE ${source})
endfunction()
