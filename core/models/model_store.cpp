#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "core/fields/input_file.h"
#include "core/io/assets.h"
#include "core/io/files.h"
#include "core/models/files/model_folder.h"
#include "core/models/open_model.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

using Stamps = std::map<std::string, FileStamp>;

/// Returns the stamps of the files in a folder, and of others that its index names.
Stamps stamps_of_model(const fs::path& folder, const std::set<std::string>& indexed) {
    Stamps stamps = stamps_in(folder);
    for (const std::string& file : indexed)
        if (const auto stamp = stamp_of(file)) stamps[file] = *stamp;
    return stamps;
}

}  // namespace

std::shared_ptr<const Model> shared_model(const std::string& path, const Cancel& cancel,
                                          const ModelPartBegins& begins) {
    struct Known {
        std::set<std::string> indexed;
        Stamps stamps;
        std::weak_ptr<const Model> model;
    };
    static std::mutex mutex;  // not held while a model is opened, so that others need not wait for it
    static std::map<std::string, Known> known;
    // Kept, because a figure that compares heads of several models asks for each of them in every frame.
    static std::deque<std::shared_ptr<const Model>> latest;
    constexpr std::size_t most_latest = 4;
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(path, error);
    const std::string key = error ? path : canonical.string();
    const fs::path folder = fs::is_directory(canonical, error) ? canonical : canonical.parent_path();
    const auto keep = [&](const std::shared_ptr<const Model>& model) {
        std::erase(latest, model);
        latest.push_front(model);
        if (latest.size() > most_latest) latest.pop_back();
    };
    const auto find = [&]() -> std::shared_ptr<const Model> {
        const auto found = known.find(key);
        if (found == known.end()) return nullptr;
        const auto& [indexed, stamps, opened] = found->second;
        auto model = stamps == stamps_of_model(folder, indexed) ? opened.lock() : nullptr;
        if (model) keep(model);
        return model;
    };
    {
        const std::lock_guard lock(mutex);
        if (auto model = find()) return model;
    }
    std::set<std::string> indexed = indexed_files({folder});
    Stamps stamps = stamps_of_model(folder, indexed);
    auto model = open_model(path, cancel, begins);
    const std::lock_guard lock(mutex);
    if (auto other = find()) return other;  // opened meanwhile
    known[key] = {std::move(indexed), std::move(stamps), model};
    keep(model);
    return model;
}

std::string path_of_model(const std::string& name) {
    if (!name.starts_with(bundled_prefix)) return name;
    const std::string bundled = name.substr(bundled_prefix.size());
    if (bundled.empty() || bundled.find_first_of("/\\.") != bundled.npos)
        throw InputError("'" + name + "' must name a folder of the bundled models, such as bundled:induction");
    return (assets_folder() / "models" / bundled).string();
}

std::uint64_t hash_of(const Model& model) {
    return model.hash;
}

std::uint64_t version_of(const Model& model) {
    return model.version;
}

void load(ModelFile& file, const FileAccess& access) {
    if (!is_utf8(file.path))
        throw InputError("'" + as_utf8(file.path) + "' is not UTF-8, as names in a scene must be; rename the folder");
    if (file.path.starts_with(bundled_prefix)) {
        file.content = shared_model(path_of_model(file.path));
        return;
    }
    if (fs::path(file.path).is_relative()) require_folder(file.path, access);
    const fs::path path = access.path_of(file.path);
    file.content = shared_model(path.string());
    if (access.reach == FileAccess::Reach::anywhere) file.path = fs::absolute(path).lexically_normal().string();
}

}  // namespace ropewalk
