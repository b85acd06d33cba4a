#include "core/gpu/shaders.h"

#include "core/error.h"
#include "core/io/descriptor.h"
#include "core/io/files.h"

namespace ropewalk {

std::string shader_source(std::string_view name, const std::filesystem::path& folder) {
    constexpr std::uint64_t most_bytes = 1 << 20;
    if (!folder.empty() && is_there(folder / name)) return read_file((folder / name).string(), most_bytes);
    const auto embedded = embedded_shaders.find(name);
    ensure(embedded != embedded_shaders.end(), "a requested shader must be in shaders/");
    return std::string(embedded->second);
}

}  // namespace ropewalk
