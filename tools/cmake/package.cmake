# SPDX-License-Identifier: Apache-2.0
# Debian packages: `cpack -G DEB` in the build folder. One package a component of install.cmake; package_files.cmake adds what Debian
# asks of each (copyright, changelog, compressed manual) where CPack has put its files together.
set(TIEBREAK_MAINTAINER "Tiebreak maintainers <maintainers@tiebreak.invalid>" CACHE STRING "Maintainer of Debian packages: Name <address>")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tiebreak)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${TIEBREAK_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "reference interpreter and conformance suite for quantized operators")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL bin adapters data dev python)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/tools/cmake/package_date.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/tools/cmake/package_files.cmake)

# tiebreak_package(COMPONENT NAME SUMMARY text TEXT text [DEPENDS packages] [LIBRARIES: their packages are found by dpkg-shlibdeps])
macro(tiebreak_package component name)
  cmake_parse_arguments(package LIBRARIES "SUMMARY;TEXT" DEPENDS ${ARGN})
  string(TOUPPER ${component} upper)
  list(JOIN package_DEPENDS ", " package_DEPENDS)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${package_SUMMARY}\n${package_TEXT}")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${package_SUMMARY}\n${package_TEXT}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${package_DEPENDS}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS ${package_LIBRARIES})
endmacro()

set(same "(= ${PROJECT_VERSION})")
tiebreak_package(bin tiebreak LIBRARIES DEPENDS "tiebreak-data ${same}"
  SUMMARY "conformance suite for quantized operators"
  TEXT "Tiebreak says what a quantized operator must compute, to the last bit,
and finds out what a backend really computes. The arithmetic of each
operator stands once, in a specification page that is executed exactly.
.
This package has the command, its manual page and completions, and the
reference backend.")
tiebreak_package(adapters tiebreak-adapters LIBRARIES DEPENDS "tiebreak ${same}" python3:any python3-h5py python3-numpy
  SUMMARY "conformance suite for quantized operators - backends"
  TEXT "Tiebreak says what a quantized operator must compute, to the last bit,
and finds out what a backend really computes.
.
This package has the adapters for the kernel libraries of vendors, each a
program of its own.")
tiebreak_package(data tiebreak-data
  SUMMARY "conformance suite for quantized operators - pages and cases"
  TEXT "Tiebreak says what a quantized operator must compute, to the last bit,
and finds out what a backend really computes.
.
This package has the specification pages, the semantics of named systems,
the cases and the golden files, which other programs can read, too.")
tiebreak_package(dev libtiebreak-dev DEPENDS "tiebreak ${same}" libexpected-dev libfmt-dev libgmp-dev libhdf5-dev libhwy-dev zlib1g-dev libmpfi-dev libmpfr-dev libonnx-dev
    libprotobuf-dev
  SUMMARY "conformance suite for quantized operators - library"
  TEXT "Tiebreak says what a quantized operator must compute, to the last bit,
and finds out what a backend really computes.
.
This package has the headers and static libraries of the interpreter and
the suite, and the package for CMake with tiebreak_add_conformance_test.")
tiebreak_package(python python3-tiebreak DEPENDS "tiebreak ${same}" "python3:any (>= 3.10)" python3-h5py python3-numpy
  SUMMARY "conformance suite for quantized operators - Python"
  TEXT "Tiebreak says what a quantized operator must compute, to the last bit,
and finds out what a backend really computes.
.
This package has the Python module: golden files and records as arrays,
operators evaluated exactly, backends and arrays judged, adapters written in
a few lines, and the pytest fixture tiebreak_check.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-pytest)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/tools/python/debian/postinst ${PROJECT_SOURCE_DIR}/tools/python/debian/prerm)
set(CPACK_DEBIAN_DATA_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_BIN_PACKAGE_RECOMMENDS tiebreak-adapters)

include(CPack)
