#include "core/training/training_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <type_traits>

#include "core/fields/fields_io.h"
#include "core/io/files.h"
#include "core/numbers/hash.h"
#include "core/version.h"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_file_bytes = std::uint64_t{64} << 20, most_folder_bytes = std::uint64_t{512} << 20;
constexpr std::size_t most_kept_bytes = std::size_t{16} << 20;
constexpr auto ending = ".run";
constexpr int arithmetic = 2;  // increased whenever a recipe gives other numbers than before

/// What a file must be about: the program that trained, and the recipe.
std::string subject(const Recipe& recipe) {
    return fmt::format("Ropewalk {} training run {}\n{}\n", version(), arithmetic, to_json(recipe).dump());
}

fs::path path_in(const std::string& folder, const Recipe& recipe) {
    return fs::path(folder) / fmt::format("{:016x}{}", hash_fields(recipe), ending);
}

/// Writes numbers one after the other.
struct Bytes {
    std::string all;

    template <class T>
    requires std::is_trivially_copyable_v<T>
    void add(const T* values, std::size_t count) {
        all.append(reinterpret_cast<const char*>(values), count * sizeof(T));
    }
    void add(std::uint64_t number) { add(&number, 1); }
};

/// Reads numbers one after the other; false once there are too few bytes.
struct Reader {
    std::string_view rest;

    template <class T>
    requires std::is_trivially_copyable_v<T>
    bool read(T* values, std::size_t count) {
        if (count > rest.size() / sizeof(T)) return false;
        std::memcpy(values, rest.data(), count * sizeof(T));
        rest.remove_prefix(count * sizeof(T));
        return true;
    }
    bool read(std::uint64_t& number) { return read(&number, 1); }
};

std::optional<TrainingRecord> parse_record(std::string_view bytes, const Recipe& recipe) {
    std::uint64_t sum = 0, scores = 0, snapshots = 0;
    if (bytes.size() < sizeof(sum)) return std::nullopt;
    std::memcpy(&sum, bytes.data() + bytes.size() - sizeof(sum), sizeof(sum));
    bytes.remove_suffix(sizeof(sum));
    const std::string about = subject(recipe);
    if (!bytes.starts_with(about) || hash_text(bytes) != sum) return std::nullopt;
    Reader reader{bytes.substr(about.size())};
    const auto count = static_cast<std::size_t>(parameter_count(recipe));
    TrainingRecord record;
    if (!reader.read(scores) || scores != static_cast<std::uint64_t>(recipe.steps)) return std::nullopt;
    record.scores.resize(scores);
    if (!reader.read(record.scores.data(), scores) || !reader.read(snapshots)) return std::nullopt;
    for (std::uint64_t i = 0; i < snapshots; ++i) {
        std::uint64_t step = 0;
        if (!reader.read(step) || step > scores) return std::nullopt;
        TrainingState state{.step = static_cast<int>(step)};
        for (std::vector<float>* part : {&state.parameters, &state.first_moments, &state.second_moments}) {
            if (count > reader.rest.size() / sizeof(float)) return std::nullopt;
            part->resize(count);
            reader.read(part->data(), count);
        }
        record.snapshots[state.step] = std::make_shared<const TrainingState>(std::move(state));
    }
    if (!record.snapshots.contains(0) || !record.snapshots.contains(recipe.steps)) return std::nullopt;
    return record;
}

/// Returns the snapshots to keep, evenly spaced: the first, the last, and as many between as fit.
std::vector<std::shared_ptr<const TrainingState>> thinned(const TrainingRecord& record) {
    std::vector<std::shared_ptr<const TrainingState>> all;
    for (const auto& [step, state] : record.snapshots) all.push_back(state);
    const std::size_t one = 3 * all.front()->parameters.size() * sizeof(float);
    const std::size_t most = std::max<std::size_t>(2, most_kept_bytes / std::max<std::size_t>(1, one));
    if (all.size() <= most) return all;
    std::vector<std::shared_ptr<const TrainingState>> kept;
    for (std::size_t i = 0; i < most; ++i) kept.push_back(all[i * (all.size() - 1) / (most - 1)]);
    return kept;
}

/// Removes the files that were used longest ago until the folder is within its share.
void clear_oldest(const fs::path& folder) {
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    std::uintmax_t bytes = 0;
    std::error_code error;
    for (const std::string& name : names_in(folder)) {
        const fs::path path = folder / name;
        if (path.extension() != ending) continue;
        files.emplace_back(fs::last_write_time(path, error), path);
        if (const auto size = fs::file_size(path, error); !error) bytes += size;
    }
    std::sort(files.begin(), files.end());
    for (const auto& [time, path] : files) {
        if (bytes <= most_folder_bytes) return;
        if (const auto size = fs::file_size(path, error); !error) bytes -= size;
        fs::remove(path, error);
    }
}

}  // namespace

std::optional<TrainingRecord> read_training(const std::string& folder, const Recipe& recipe) {
    if (folder.empty()) return std::nullopt;
    try {
        const fs::path path = path_in(folder, recipe);
        if (!fs::exists(path)) return std::nullopt;
        auto record = parse_record(read_file(path.string(), most_file_bytes), recipe);
        std::error_code error;
        if (record) fs::last_write_time(path, fs::file_time_type::clock::now(), error);
        return record;
    } catch (const std::exception&) {
        return std::nullopt;  // it is trained again
    }
}

void write_training(const std::string& folder, const Recipe& recipe, const TrainingRecord& record) {
    if (folder.empty()) return;
    try {
        Bytes bytes{subject(recipe)};
        bytes.add(record.scores.size());
        bytes.add(record.scores.data(), record.scores.size());
        const auto kept = thinned(record);
        bytes.add(kept.size());
        for (const auto& state : kept) {
            bytes.add(static_cast<std::uint64_t>(state->step));
            for (const std::vector<float>* part : {&state->parameters, &state->first_moments, &state->second_moments})
                bytes.add(part->data(), part->size());
        }
        bytes.add(hash_text(bytes.all));
        if (bytes.all.size() > most_file_bytes) return;
        fs::create_directories(folder);
        atomic_write(path_in(folder, recipe).string(), bytes.all);
        clear_oldest(folder);
    } catch (const std::exception&) {  // the run is complete without it
    }
}

}  // namespace ropewalk
