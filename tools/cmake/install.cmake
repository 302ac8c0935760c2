# SPDX-License-Identifier: Apache-2.0
# Install rules, in three components: bin (the command and its adapters), data (pages, profiles, cases, golden files) and
# dev (headers, libraries, the CMake package).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(data_folder ${CMAKE_INSTALL_DATADIR}/tiebreak)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tiebreak)

if(TARGET tiebreak)
  install(TARGETS tiebreak RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT bin)
endif()
# Adapters that were built lie beside the command as tiebreak-adapter-NAME; which ones there are depends on the machine. The one that
# misbehaves on purpose stays at home.
install(CODE "
  file(GLOB adapters \"${PROJECT_BINARY_DIR}/tiebreak-adapter-*\")
  list(FILTER adapters EXCLUDE REGEX \"-faulty$\")
  file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBEXECDIR}/tiebreak\" TYPE PROGRAM FILES \${adapters})
" COMPONENT bin)

install(DIRECTORY spec golden DESTINATION ${data_folder} COMPONENT data)
install(DIRECTORY testsuite/cases testsuite/mutants DESTINATION ${data_folder} COMPONENT data)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT data)

install(DIRECTORY interpreter DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tiebreak COMPONENT dev FILES_MATCHING PATTERN *.hpp)
install(DIRECTORY testsuite/exchange testsuite/backends testsuite/generate testsuite/harness
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tiebreak/testsuite COMPONENT dev FILES_MATCHING PATTERN *.hpp)
get_property(rooms GLOBAL PROPERTY tiebreak_rooms)
install(TARGETS ${rooms} EXPORT tiebreakTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(EXPORT tiebreakTargets NAMESPACE tiebreak:: DESTINATION ${package_folder} COMPONENT dev)
configure_package_config_file(tools/cmake/tiebreakConfig.cmake.in ${PROJECT_BINARY_DIR}/tiebreakConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS data_folder)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tiebreakConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tiebreakConfig.cmake ${PROJECT_BINARY_DIR}/tiebreakConfigVersion.cmake
  DESTINATION ${package_folder} COMPONENT dev)
