# Writes OUTPUT, a C++ file that holds the files of the list SHADERS. Run as a script: the build has no other tool for it.
set(entries "")
foreach(shader IN LISTS SHADERS)
  get_filename_component(name ${shader} NAME)
  file(READ ${shader} source)
  string(APPEND entries "    {\"${name}\", R\"glsl(${source})glsl\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Made of the files in shaders/.
#include \"core/gpu/shaders.h\"

namespace ropewalk {

const std::map<std::string_view, std::string_view> embedded_shaders{
${entries}};

}  // namespace ropewalk
")
