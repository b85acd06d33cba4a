#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/fields/input_file.h"
#include "core/io/assets.h"
#include "core/io/files.h"
#include "core/models/model.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

/// Returns the model in a folder, opened once as long as its files stay the same and somebody holds it.
std::shared_ptr<const Model> opened(const std::string& path) {
    struct Known {
        std::map<std::string, FileStamp> stamps;
        std::weak_ptr<const Model> model;
    };
    static std::mutex mutex;
    static std::map<std::string, Known> known;
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(path, error);
    const std::string key = error ? path : canonical.string();
    auto stamps = stamps_in(fs::is_directory(canonical, error) ? canonical : canonical.parent_path());
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end() && found->second.stamps == stamps)
        if (auto model = found->second.model.lock()) return model;
    auto model = open_model(path);
    known[key] = {std::move(stamps), model};
    return model;
}

}  // namespace

std::uint64_t hash_of(const Model& model) {
    return model.hash;
}

void load(ModelFile& file, const FileAccess& access) {
    if (!is_utf8(file.path))
        throw InputError("'" + as_utf8(file.path) + "' is not UTF-8, as names in a scene must be; rename the folder");
    if (file.path.starts_with(bundled_prefix)) {
        const std::string name = file.path.substr(bundled_prefix.size());
        if (name.empty() || name.find_first_of("/\\.") != name.npos)
            throw InputError("'" + file.path + "' must name a folder of the bundled models, such as bundled:induction");
        file.content = opened((assets_folder() / "models" / name).string());
        return;
    }
    if (fs::path(file.path).is_relative()) require_folder(file.path, access);
    const fs::path path = access.path_of(file.path);
    file.content = opened(path.string());
    if (access.reach == FileAccess::Reach::anywhere) file.path = fs::absolute(path).lexically_normal().string();
}

}  // namespace ropewalk
