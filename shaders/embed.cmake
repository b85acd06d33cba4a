# Writes OUTPUT, a C++ file that holds the texts of the list FILES by file name, as the map NAME that HEADER declares. Run as a script: the
# build has no other tool for it.
set(entries "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Made of files; see shaders/embed.cmake.
#include \"${HEADER}\"

namespace ropewalk {

const std::map<std::string_view, std::string_view> ${NAME}{
${entries}};

}  // namespace ropewalk
")
