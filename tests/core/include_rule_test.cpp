// Who may include whom: compares the #include lines with what each folder may include.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/io/files.h"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

struct Source {
    std::string path;
    std::vector<std::string> includes;
    int lines = 0;
};

std::vector<Source> sources_below(const std::string& folder) {
    std::vector<Source> sources;
    static const std::regex include(R"(^\s*#\s*include\s*[<"]?([^>"\s]+))");  // FreeType's are macros
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ROPEWALK_SOURCE_DIR) / folder)) {
        if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
        Source source{fs::relative(entry.path(), ROPEWALK_SOURCE_DIR).string(), {}, 0};
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line); ++source.lines)
            if (std::smatch match; std::regex_search(line, match, include)) source.includes.push_back(match[1]);
        sources.push_back(std::move(source));
    }
    return sources;
}

/// What files whose path begins so may include besides the standard library, by how it begins.
struct Rule {
    const char* files;
    std::vector<const char*> may_include;
};
const std::vector<Rule> rules{
    // The floors of core, from the lowest up.
    {"core/",
     {"core/cancel.h", "core/error.h", "core/memo.h", "core/owned.h", "core/stage_time.h", "core/version.h",
      "core/visit.h", "fmt/"}},
    {"core/text/", {"core/text/"}},
    {"core/numbers/", {"core/numbers/"}},
    {"core/machine/", {"core/machine/"}},
    {"core/machine/parallel.cpp", {"tbb/"}},
    {"core/machine/cache.cpp", {"unistd.h"}},
    {"core/machine/memory.cpp", {"unistd.h"}},
    {"core/machine/large_array.cpp", {"malloc.h", "sys/mman.h"}},
    {"core/io/", {"core/io/", "core/numbers/", "core/text/", "nlohmann/"}},
    {"core/io/descriptor", {"fcntl.h", "sys/stat.h", "sys/types.h", "unistd.h"}},
    {"core/io/files.cpp", {"dirent.h", "fcntl.h", "sys/file.h", "sys/stat.h", "unistd.h"}},
    {"core/io/run_program.cpp", {"fcntl.h", "spawn.h", "sys/mman.h", "sys/stat.h", "sys/wait.h", "unistd.h"}},
    {"core/io/temporaries.cpp", {"fcntl.h", "sys/file.h", "sys/stat.h", "unistd.h"}},
    {"core/io/mapped_file.cpp", {"sys/mman.h", "unistd.h"}},
    {"core/io/zip_file.cpp", {"zip.h"}},
    {"core/fields/", {"core/fields/", "core/io/", "core/numbers/", "core/text/"}},
    {"core/fields/fields_io.h", {"nlohmann/"}},
    {"core/fields/item_list.h", {"nlohmann/"}},
    {"core/models/tokenizer/", {"core/models/tokenizer/", "core/io/", "core/text/"}},
    {"core/models/tokenizer/normalizer.cpp", {"utf8proc.h"}},
    {"core/models/tokenizer/regex.cpp", {"oniguruma.h"}},
    {"core/models/tokenizer/token_id.h", {"nlohmann/"}},
    {"core/models/tokenizer/tokenizer.cpp", {"utf8proc.h"}},
    {"core/encodings/", {"core/encodings/", "core/fields/", "core/io/npy.h", "core/numbers/"}},
    {"core/constructions/",
     {"core/constructions/", "core/encodings/lowered_encoding.h", "core/fields/", "core/models/", "core/numbers/",
      "core/text/words.h", "core/training/"}},
    {"core/training/",
     {"core/training/", "core/encodings/", "core/fields/", "core/numbers/", "core/text/number.h", "core/text/split.h"}},
    {"core/training/kernels/", {"hwy/", "core/machine/targets.h"}},
    {"core/training/network/", {"core/machine/large_array.h"}},
    {"core/training/trainer.cpp", {"core/machine/"}},
    {"core/training/trained_model", {"core/models/model.h"}},
    {"core/training/training_cache.cpp", {"core/io/files.h"}},
    {"core/training/training_run.h", {"core/models/model.h"}},
    {"core/experiment/",
     {"core/experiment/", "core/constructions/", "core/encodings/", "core/fields/", "core/io/", "core/models/",
      "core/text/"}},
    {"core/experiment/scene_io.h", {"nlohmann/"}},
    {"core/attention/",
     {"core/attention/", "core/constructions/", "core/encodings/", "core/experiment/", "core/fields/shape.h",
      "core/machine/", "core/numbers/"}},
    {"core/series/",
     {"core/series/", "core/attention/attention.h", "core/encodings/lowered_encoding.h", "core/machine/",
      "core/numbers/", "hwy/", "tbb/"}},
    {"core/cpu/",
     {"core/cpu/", "core/attention/", "core/constructions/head_inputs.h", "core/encodings/lowered_encoding.h",
      "core/machine/", "core/numbers/", "core/series/", "hwy/", "tbb/"}},
    {"core/models/",
     {"core/models/", "core/encodings/", "core/fields/input_file.h", "core/io/", "core/machine/", "core/numbers/",
      "core/text/", "nlohmann/"}},
    {"core/models/run/", {"core/cpu/kernels/products-inl.h", "hwy/"}},
    {"core/models/run/intervention", {"core/fields/"}},
    {"core/gpu/",
     {"core/gpu/", "core/attention/", "core/cpu/", "core/io/", "core/numbers/", "core/series/", "epoxy/gl.h", "tbb/"}},
    {"core/gpu/egl_context.cpp", {"epoxy/egl.h", "sys/resource.h"}},
    {"core/analysis/",
     {"core/analysis/", "core/attention/", "core/encodings/", "core/experiment/", "core/machine/parallel.h",
      "core/numbers/", "core/series/"}},
    {"core/analysis/fit/band_fit.cpp", {"Eigen/"}},
    {"core/analysis/models/", {"core/models/"}},
    {"core/analysis/training/", {"core/training/"}},
    {"core/analysis/models/head_atlas.cpp", {"Eigen/"}},
    {"core/evaluation/", {"core/evaluation/", "core/analysis/", "core/attention/"}},
    {"core/evaluation/affordable.cpp", {"core/constructions/", "core/training/"}},
    {"core/evaluation/open_backend.cpp", {"core/cpu/", "core/gpu/"}},
    // The floors of app: plots, figures, lessons, then the window and the command line side by side.
    {"app/plot/", {"app/plot/", "core/", "fmt/"}},
    {"app/plot/cairo_canvas.cpp", {"cairo"}},
    {"app/plot/math/font_subset.cpp", {"hb"}},
    {"app/plot/fonts.cpp", {"fontconfig/", "ft2build.h", "FT_"}},
    {"app/plot/png.cpp", {"png.h"}},
    {"app/figures/parts/", {"app/figures/parts/", "app/figures/figure.h"}},
    {"app/figures/heads/", {"app/figures/heads/", "app/figures/parts/"}},
    {"app/figures/encodings/", {"app/figures/encodings/", "app/figures/parts/"}},
    {"app/figures/models/", {"app/figures/models/", "app/figures/parts/"}},
    {"app/figures/training/",
     {"app/figures/training/", "app/figures/figure.h", "app/figures/models/model_map.h", "app/figures/parts/"}},
    {"app/figures/page/", {"app/figures/page/", "app/figures/parts/", "app/figures/figure"}},
    {"app/figures/figure", {"app/figures/"}},
    {"app/figures/", {"app/plot/", "core/", "fmt/"}},
    {"app/lessons/", {"app/lessons/", "app/figures/", "app/plot/", "core/", "fmt/"}},
    {"app/window_options.h", {"core/"}},
    {"app/window/", {"app/lessons/", "app/figures/", "app/plot/", "core/", "fmt/"}},
    {"app/window/surface/", {"app/window/surface/", "imgui", "epoxy/gl.h"}},
    {"app/window/surface/glfw_surface.cpp", {"GLFW/"}},
    {"app/window/surface/portal_dialog.cpp", {"gio/"}},
    {"app/window/surface/x11_clipboard.cpp", {"poll.h"}},
    {"app/window/surface/x11_guard.cpp", {"dlfcn.h"}},
    {"app/window/surface/xlib.h", {"dlfcn.h"}},
    {"app/window/widgets/", {"app/window/widgets/", "app/window/surface/", "imgui"}},
    {"app/window/session/", {"app/window/session/"}},  // knows of no widget
    {"app/window/session/recovery.cpp", {"fcntl.h", "sys/file.h", "unistd.h"}},
    {"app/window/panels/", {"app/window/panels/", "app/window/session/", "app/window/widgets/", "app/window/surface/"}},
    {"app/window/cards/",
     {"app/window/cards/", "app/window/session/", "app/window/widgets/", "app/window/surface/", "imgui"}},
    {"app/window/lessons/",
     {"app/window/lessons/", "app/window/session/", "app/window/widgets/", "app/window/surface/"}},
    {"app/window/frame_trace", {"app/window/"}},
    {"app/window/main_window", {"app/window/"}},
    {"app/window/window", {"app/window/", "app/window_options.h"}},
    {"app/window/window.cpp", {"malloc.h"}},
    {"app/cli/", {"app/window_options.h", "app/cli/", "app/lessons/", "app/figures/", "app/plot/", "core/", "fmt/"}},
    {"app/cli/command_line.cpp", {"CLI/"}},
    {"app/cli/manual.cpp", {"CLI/"}},
    {"app/cli/parser.cpp", {"CLI/"}},
    {"app/cli/signals.cpp", {"pthread.h", "unistd.h"}},
    {"app/cli/write_commands.cpp", {"unistd.h"}},
    {"app/main.cpp", {"app/cli/", "app/window/", "core/error.h", "fcntl.h", "pthread.h", "sys/resource.h", "unistd.h"}},
};

bool is_standard(const std::string& include) {
    return include.find_first_of("./") == include.npos && std::islower(static_cast<unsigned char>(include[0]));
}

bool may_include(const std::string& path, const std::string& include) {
    return std::any_of(rules.begin(), rules.end(), [&](const Rule& rule) {
        return path.starts_with(rule.files) &&
               (is_standard(include) || std::any_of(rule.may_include.begin(), rule.may_include.end(),
                                                    [&](const char* begin) { return include.starts_with(begin); }));
    });
}

TEST(IncludeRule, NoFileIncludesMoreThanItMay) {
    for (const char* folder : {"core", "app"})
        for (const Source& source : sources_below(folder))
            for (const auto& include : source.includes)
                EXPECT_TRUE(may_include(source.path, include)) << source.path << " includes " << include;
}

TEST(IncludeRule, NothingIsAllowedThatNobodyNeeds) {
    auto sources = sources_below("core");
    for (Source& source : sources_below("app")) sources.push_back(std::move(source));
    for (const Rule& rule : rules)
        for (const char* begin : rule.may_include)
            EXPECT_TRUE(std::any_of(sources.begin(), sources.end(),
                                    [&](const Source& source) {
                                        return source.path.starts_with(rule.files) &&
                                               std::any_of(source.includes.begin(), source.includes.end(),
                                                           [&](const std::string& include) {
                                                               return include.starts_with(begin);
                                                           });
                                    }))
                << rule.files << " need not include " << begin;
}

TEST(IncludeRule, BreachesAreSeen) {
    const std::pair<const char*, const char*> breaches[] = {
        {"core/attention/attention.cpp", "app/plot/canvas.h"},
        {"core/encodings/rope.h", "nlohmann/json.hpp"},
        {"core/attention/reference.cpp", "hwy/highway.h"},
        {"core/evaluation/worker.cpp", "tbb/parallel_for.h"},
        {"core/cpu/by_row/general.cpp", "epoxy/gl.h"},
        {"core/encodings/rope.h", "core/experiment/experiment.h"},
        {"core/attention/attention.cpp", "core/cpu/cpu_backend.h"},
        {"core/series/series.cpp", "core/cpu/view.h"},
        {"app/window/session/session.cpp", "app/window/widgets/ui.h"},
        {"app/window/widgets/row.cpp", "app/window/cards/palette.h"},
        {"app/window/panels/panels.cpp", "app/window/cards/palette.h"},
        {"core/evaluation/worker.cpp", "a_new_library.h"},
        {"app/plot/axes.cpp", "ft2build.h"},
        {"app/plot/axes.cpp", "FT_FREETYPE_H"},
        {"app/plot/png.cpp", "cairo.h"},
        {"app/plot/axes.cpp", "app/figures/figure.h"},
        {"app/figures/heads/decay.h", "app/lessons/lesson.h"},
        {"app/lessons/library.cpp", "app/window/main_window.h"},
        {"app/figures/heads/decay.h", "app/window/main_window.h"},
        {"app/figures/heads/decay.h", "imgui.h"},
        {"app/window/main_window.cpp", "app/cli/commands.h"},
        {"app/window/widgets/gui.cpp", "GLFW/glfw3.h"},
        {"app/cli/bench/bench_command.cpp", "nlohmann/json.hpp"},
        {"app/cli/data.cpp", "app/window/window.h"},
        {"app/elsewhere/new.cpp", "vector"}};
    for (const auto& [path, include] : breaches)
        EXPECT_FALSE(may_include(path, include)) << path << " may include " << include;
}

TEST(House, NoFileIsADrawer) {
    for (const char* folder : {"core", "app", "tests"})
        for (const Source& source : sources_below(folder)) EXPECT_LE(source.lines, 600) << source.path;
}

TEST(House, TopLevelIsFixed) {
    const std::set<std::string> known{"CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "app", "assets",
                                      "core",           "shaders",           "tests"};
    for (const auto& entry : fs::directory_iterator(ROPEWALK_SOURCE_DIR)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with('.') || name.starts_with("build")) continue;
        EXPECT_TRUE(known.contains(name)) << name;
    }
}

/// An encoding or construction is named in its own file and in the one list; backends, widgets and commands see what it
/// lowers to.
TEST(House, NoEncodingOrConstructionIsNamedOutsideItsFileAndTheList) {
    std::string listed;
    for (const char* list : {"core/encodings/encoding_list.h", "core/constructions/construction_list.h"}) {
        const std::string text = read_file((fs::path(ROPEWALK_SOURCE_DIR) / list).string(), 1 << 20);
        const std::size_t begin = text.find(": std::variant<") + std::strlen(": std::variant<");
        for (const char c : text.substr(begin, text.find('>', begin) - begin) + ",")
            if (!std::isspace(static_cast<unsigned char>(c))) listed += c == ',' ? '|' : c;
    }
    ASSERT_NE(listed.find("|PRope|"), std::string::npos);
    listed.pop_back();
    const std::regex name(R"(\b()" + listed + R"()(\s*[{<>&]|\s+\w+\s*[;={]))");
    for (const char* folder : {"core", "app"})
        for (const Source& source : sources_below(folder)) {
            if (source.path.starts_with("core/encodings/") || source.path.starts_with("core/constructions/")) continue;
            if (source.path == "core/experiment/experiment.h") continue;  // where the usual ones are said
            if (source.path.starts_with("core/models/families/"))
                continue;  // where other programs' settings become ours
            std::ifstream file(fs::path(ROPEWALK_SOURCE_DIR) / source.path);
            for (std::string line; std::getline(file, line);)
                EXPECT_FALSE(std::regex_search(line, name)) << source.path << ": " << line;
        }
}

/// Two types of one name in one namespace are one type to the linker, even if no file sees both: it keeps one of their
/// vectors' code, and the other's memory is overrun.
TEST(House, NoTypeIsDefinedTwice) {
    const std::regex scope(R"(^namespace (\S+) \{)"),
        definition(R"(^(?:template <.*> )?(?:struct|class|enum class|enum|union) (\w+)(?: final)?(?: *: .*)? *\{)");
    std::map<std::string, std::string> seen;
    for (const char* folder : {"core", "app"})
        for (const Source& source : sources_below(folder)) {
            std::ifstream file(fs::path(ROPEWALK_SOURCE_DIR) / source.path);
            std::string scopes;
            bool is_unnamed = false;  // what is defined here, no other file sees
            for (std::string line; std::getline(file, line);) {
                std::smatch match;
                if (line == "namespace {" || line == "}  // namespace") is_unnamed = line.starts_with("namespace");
                if (std::regex_search(line, match, scope)) scopes += match[1].str() + "::";
                if (is_unnamed || !std::regex_search(line, match, definition)) continue;
                const auto [first, is_new] = seen.try_emplace(scopes + match[1].str(), source.path);
                EXPECT_TRUE(is_new) << first->first << " is defined in " << first->second << " and in " << source.path;
            }
        }
    EXPECT_TRUE(seen.contains("ropewalk::Experiment"));
}

}  // namespace
}  // namespace ropewalk
