# SPDX-License-Identifier: Apache-2.0
# embed_text(TARGET VARIABLE FILE): the text of FILE as `const char* const tiebreak::embedded::VARIABLE`, so that a program is one file wherever it lies.
function(embed_text target variable file)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}_${variable}.cpp)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  file(READ ${file} text)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
    "namespace tiebreak::embedded {\nextern const char* const @variable@;\nconst char* const @variable@ = R\"embedded(@text@)embedded\";\n}  // namespace tiebreak::embedded\n")
  target_sources(${target} PRIVATE ${source})
endfunction()
