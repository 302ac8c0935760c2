# SPDX-License-Identifier: Apache-2.0
# A room of the house is a folder and a library; its sources are what lies in the folder, so nothing is listed by hand.

# tiebreak_room(NAME FOLDER [ROOMS rooms whose headers its headers include] [EXPORTED_LIBRARIES libraries whose headers they include]
#               [LIBRARIES what only its .cpp files use] [FAMILIES] [UNINSTALLED])
# makes tiebreak_NAME, elsewhere tiebreak::NAME. A folder without sources gives an empty library, so that a room can be built before
# the rooms below it are furnished. FAMILIES: the folder's own folders belong to the room, too.
function(tiebreak_room name folder)
  cmake_parse_arguments(PARSE_ARGV 2 room "FAMILIES;UNINSTALLED" "" "ROOMS;EXPORTED_LIBRARIES;LIBRARIES")
  list(TRANSFORM room_ROOMS PREPEND tiebreak_)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  if(room_FAMILIES)
    file(GLOB further CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*/*.cpp)
    list(APPEND sources ${further})
  endif()
  if(sources)
    add_library(tiebreak_${name} STATIC ${sources})
    target_link_libraries(tiebreak_${name} PUBLIC ${room_ROOMS} ${room_EXPORTED_LIBRARIES}
      PRIVATE ${room_LIBRARIES} fmt::fmt $<BUILD_INTERFACE:tiebreak_options>)
    target_compile_features(tiebreak_${name} PUBLIC cxx_std_20)
    set(scope PUBLIC)
  else()
    add_library(tiebreak_${name} INTERFACE)
    target_link_libraries(tiebreak_${name} INTERFACE ${room_ROOMS} ${room_EXPORTED_LIBRARIES})
    set(scope INTERFACE)
  endif()
  target_include_directories(tiebreak_${name} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/tiebreak>)
  if(NOT room_UNINSTALLED)
    tiebreak_name(${name})
    set_property(GLOBAL APPEND PROPERTY tiebreak_installed_folders ${folder})
  endif()
endfunction()

# One name for several rooms: what a user links.
function(tiebreak_umbrella name)
  list(TRANSFORM ARGN PREPEND tiebreak_)
  add_library(tiebreak_${name} INTERFACE)
  target_link_libraries(tiebreak_${name} INTERFACE ${ARGN})
  tiebreak_name(${name})
endfunction()

# The public name, the same in the build tree, in a parent project and in the installed package.
function(tiebreak_name name)
  add_library(tiebreak::${name} ALIAS tiebreak_${name})
  set_target_properties(tiebreak_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY tiebreak_rooms tiebreak_${name})
endfunction()
