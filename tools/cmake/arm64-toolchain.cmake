# SPDX-License-Identifier: Apache-2.0
# Adapters for 64-bit ARM on another machine: Debian's cross compiler, and a folder with that machine's packages, which
# tools/adapters/emulated/build-arm64 fills. Programs that are built can be run with QEMU.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

set(TIEBREAK_ARM64_ROOT ${CMAKE_CURRENT_LIST_DIR}/../../build/arm64/root CACHE PATH "the machine's packages, unpacked")
cmake_path(NORMAL_PATH TIEBREAK_ARM64_ROOT)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TIEBREAK_ARM64_ROOT)
set(CMAKE_SYSROOT ${TIEBREAK_ARM64_ROOT})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${TIEBREAK_ARM64_ROOT})

# Libraries, headers and packages of that machine; programs such as protoc of this one.
set(CMAKE_FIND_ROOT_PATH ${TIEBREAK_ARM64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Debian's HDF5 has folders of its own. CMake asks h5cc for them; the one on PATH tells this machine's, so it is not asked.
set(HDF5_C_COMPILER_EXECUTABLE /bin/false CACHE FILEPATH "")
list(APPEND CMAKE_LIBRARY_PATH /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/hdf5/serial)
list(APPEND CMAKE_INCLUDE_PATH /usr/include/hdf5/serial)
