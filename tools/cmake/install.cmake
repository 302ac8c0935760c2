# SPDX-License-Identifier: Apache-2.0
# Install rules, in five components: bin (the command, its manual page and completions, the reference backend), adapters (the other
# backends), data (pages, profiles, cases, golden files), dev (headers, libraries, the CMake package) and python (the Python package).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(data_folder ${CMAKE_INSTALL_DATADIR}/tiebreak)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tiebreak)

if(TARGET tiebreak)
  install(TARGETS tiebreak RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT bin)
endif()
# Manual page and completions are what the command says of itself; one that does not run here (another architecture) gets none.
if(TARGET tiebreak AND NOT CMAKE_CROSSCOMPILING)
  install(CODE "
    set(made \"${PROJECT_BINARY_DIR}/manual\")
    foreach(file IN ITEMS \"man:tiebreak.1\" \"completions bash:tiebreak\" \"completions zsh:_tiebreak\" \"completions fish:tiebreak.fish\")
      string(REGEX MATCH \"^(.*):(.*)\$\" file \${file})
      separate_arguments(words UNIX_COMMAND \${CMAKE_MATCH_1})
      set(name \${CMAKE_MATCH_2})
      execute_process(COMMAND \"$<TARGET_FILE:tiebreak>\" \${words} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
      file(WRITE \"\${made}/\${name}\" \"\${text}\")
    endforeach()
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\" TYPE FILE FILES \${made}/tiebreak.1)
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/bash-completion/completions\" TYPE FILE FILES \${made}/tiebreak)
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions\" TYPE FILE FILES \${made}/_tiebreak)
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d\" TYPE FILE FILES \${made}/tiebreak.fish)
  " COMPONENT bin)
endif()
# Adapters that were built lie beside the command as tiebreak-adapter-NAME; which ones there are depends on the machine. The one that
# misbehaves on purpose stays at home.
set(adapter_components bin adapters)
set(adapter_patterns INCLUDE EXCLUDE)
foreach(component pattern IN ZIP_LISTS adapter_components adapter_patterns)
  install(CODE "
    file(GLOB adapters \"${PROJECT_BINARY_DIR}/tiebreak-adapter-*\")
    list(FILTER adapters EXCLUDE REGEX \"-faulty$\")
    list(FILTER adapters ${pattern} REGEX \"-reference$\")
    set(lists \${adapters})  # of known failures; every program may have some
    list(FILTER lists INCLUDE REGEX \"\\\\.json$\")
    list(FILTER adapters EXCLUDE REGEX \"\\\\.json$\")
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBEXECDIR}/tiebreak\" TYPE PROGRAM FILES \${adapters})
    file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBEXECDIR}/tiebreak\" TYPE FILE FILES \${lists})
    foreach(adapter IN LISTS adapters)  # those of CMake's own rules lose the paths of the build folder, too
      file(READ \"\${adapter}\" start LIMIT 4 HEX)
      if(start STREQUAL 7f454c46)
        cmake_path(GET adapter FILENAME name)
        file(RPATH_REMOVE FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBEXECDIR}/tiebreak/\${name}\")
      endif()
    endforeach()
  " COMPONENT ${component})
endforeach()

install(FILES tools/adapters/python/exchange_case.py DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tiebreak/python COMPONENT bin)

install(FILES ${python_sources} DESTINATION ${TIEBREAK_PYTHON_FOLDER}/tiebreak COMPONENT python)
install(DIRECTORY ${PROJECT_BINARY_DIR}/python/${python_distribution} DESTINATION ${TIEBREAK_PYTHON_FOLDER} COMPONENT python)

install(DIRECTORY spec golden DESTINATION ${data_folder} COMPONENT data)
install(DIRECTORY testsuite/cases testsuite/mutants testsuite/stairs testsuite/deep DESTINATION ${data_folder} COMPONENT data)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT data)

install(DIRECTORY interpreter DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tiebreak COMPONENT dev FILES_MATCHING PATTERN *.hpp)
get_property(suite_folders GLOBAL PROPERTY tiebreak_installed_folders)
list(FILTER suite_folders INCLUDE REGEX "^testsuite/")
install(DIRECTORY ${suite_folders}
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tiebreak/testsuite COMPONENT dev FILES_MATCHING PATTERN *.hpp)
get_property(rooms GLOBAL PROPERTY tiebreak_rooms)
install(TARGETS ${rooms} EXPORT tiebreakTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(EXPORT tiebreakTargets NAMESPACE tiebreak:: DESTINATION ${package_folder} COMPONENT dev)
# These names are found by find_package(tiebreak) and by find_package(Tiebreak).
configure_package_config_file(tools/cmake/tiebreak-config.cmake.in ${PROJECT_BINARY_DIR}/tiebreak-config.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS data_folder CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tiebreak-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tiebreak-config.cmake ${PROJECT_BINARY_DIR}/tiebreak-config-version.cmake tools/cmake/conformance_test.cmake
  DESTINATION ${package_folder} COMPONENT dev)

include(tools/cmake/package.cmake)
