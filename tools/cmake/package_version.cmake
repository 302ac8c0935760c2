# SPDX-License-Identifier: Apache-2.0
# tiebreak_package_version(TARGET PACKAGE): defines TIEBREAK_PACKAGE_VERSION as the Debian package's version, for libraries that cannot say
# their own; "unknown" where the package is not installed as one.
function(tiebreak_package_version target package)
  set(version "")
  find_program(TIEBREAK_DPKG_QUERY dpkg-query)
  mark_as_advanced(TIEBREAK_DPKG_QUERY)
  set(admindir)
  if(CMAKE_SYSROOT)
    set(admindir --admindir=${CMAKE_SYSROOT}/var/lib/dpkg)  # another machine's packages
  endif()
  if(TIEBREAK_DPKG_QUERY)
    execute_process(COMMAND ${TIEBREAK_DPKG_QUERY} ${admindir} -W -f "\${Version}" ${package} OUTPUT_VARIABLE version ERROR_QUIET)
  endif()
  if(NOT version)
    set(version unknown)
  endif()
  target_compile_definitions(${target} PRIVATE TIEBREAK_PACKAGE_VERSION="${version}")
endfunction()
