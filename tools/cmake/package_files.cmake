# SPDX-License-Identifier: Apache-2.0
# Run by cpack when the files of all packages lie in its folder: what Debian asks of each package, and nothing that it calls a defect.

# Owner reads and writes, everyone reads; programs run.
set(readable OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)

function(tiebreak_debian_files folder name)
  set(doc ${folder}/usr/share/doc/${name})
  string(TIMESTAMP year "%Y" UTC)  # of SOURCE_DATE_EPOCH, as all dates here
  file(WRITE ${doc}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: tiebreak

Files: *
Copyright: ${year} the Tiebreak contributors
License: Apache-2.0
 On Debian systems, the full text of the Apache License, Version 2.0,
 is in /usr/share/common-licenses/Apache-2.0.
")
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE ${doc}/changelog "tiebreak (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n  * Version ${CPACK_PACKAGE_VERSION}.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  tiebreak_compress(${doc}/changelog)
  file(CHMOD ${doc}/copyright ${doc}/changelog.gz PERMISSIONS ${readable})
endfunction()

function(tiebreak_compress)
  execute_process(COMMAND gzip -9nf ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# ELF programs without their symbols; archives without debugging sections and dates.
function(tiebreak_strip folder)
  file(GLOB_RECURSE files ${folder}/usr/bin/* ${folder}/usr/libexec/* ${folder}/usr/lib/*.a)
  foreach(file IN LISTS files)
    file(READ ${file} start LIMIT 4 HEX)
    if(start STREQUAL 7f454c46)
      execute_process(COMMAND strip --remove-section=.comment --remove-section=.note ${file} COMMAND_ERROR_IS_FATAL ANY)
    elseif(file MATCHES "\\.a$")
      execute_process(COMMAND strip --strip-debug --remove-section=.comment --remove-section=.note --enable-deterministic-archives ${file}
        COMMAND_ERROR_IS_FATAL ANY)
    endif()
  endforeach()
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(folder ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component})
  if(NOT IS_DIRECTORY ${folder})
    continue()
  endif()
  string(TOUPPER ${component} upper)
  set(name ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  file(REMOVE ${folder}/usr/share/doc/tiebreak/LICENSE)  # the copyright file says where Debian keeps it
  if(component STREQUAL data)
    file(REMOVE_RECURSE ${folder}/usr/share/doc/tiebreak)  # this package's own folder has another name
  endif()
  tiebreak_debian_files(${folder} ${name})
  tiebreak_strip(${folder})
  file(GLOB manuals ${folder}/usr/share/man/man1/*.1)
  if(manuals)
    tiebreak_compress(${manuals})
  endif()
endforeach()
