// Who may include whom: the house's folders, read off the #include lines.
#include <gtest/gtest.h>

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
    static const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
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

bool starts_with_any(const std::string& text, const std::vector<std::string>& beginnings) {
    for (const auto& beginning : beginnings)
        if (text.starts_with(beginning)) return true;
    return false;
}

/// No file below `folder`, other than those that `except` begins, includes anything that `forbidden` begins.
void expect_no_includes(const std::string& folder, const std::vector<std::string>& forbidden,
                        const std::vector<std::string>& except = {}) {
    const auto sources = sources_below(folder);
    EXPECT_FALSE(sources.empty()) << folder;
    for (const Source& source : sources) {
        if (starts_with_any(source.path, except)) continue;
        for (const auto& include : source.includes)
            EXPECT_FALSE(starts_with_any(include, forbidden)) << source.path << " includes " << include;
    }
}

const std::vector<std::string> window_libraries{"imgui", "GLFW/", "epoxy/", "EGL/", "GL/"};
const std::vector<std::string> drawing_libraries{"cairo", "ft2build.h", "freetype/", "fontconfig/", "png.h"};

TEST(IncludeRule, CoreKnowsNumbersAlone) {
    expect_no_includes("core", {"app/", "tests/", "CLI/"});
    expect_no_includes("core", window_libraries, {"core/gpu/"});
    expect_no_includes("core", drawing_libraries);
    expect_no_includes("core", {"nlohmann/"}, {"core/io/", "core/fields_io", "core/scene_io"});
    expect_no_includes("core", {"hwy/"}, {"core/cpu/"});
    expect_no_includes("core", {"tbb/"}, {"core/cpu/", "core/gpu/"});
}

TEST(IncludeRule, FiguresKnowNoWindow) {
    for (const char* folder : {"app/plot", "app/figures"}) {
        expect_no_includes(folder, {"app/window/", "app/cli/", "CLI/", "hwy/", "tbb/", "nlohmann/"});
        expect_no_includes(folder, window_libraries);
    }
    expect_no_includes("app/plot", {"app/figures/"});
    expect_no_includes("app/figures", drawing_libraries);
}

TEST(IncludeRule, EachDrawingLibraryHasOneFile) {
    std::map<std::string, std::set<std::string>> files;
    for (const Source& source : sources_below("app/plot"))
        for (const auto& include : source.includes) {
            if (include.starts_with("cairo")) files["Cairo"].insert(source.path);
            if (include.starts_with("fontconfig/")) files["fontconfig"].insert(source.path);
            if (include.starts_with("png.h")) files["libpng"].insert(source.path);
        }
    EXPECT_EQ(files.size(), 3u);
    for (const auto& [library, where] : files) EXPECT_EQ(where.size(), 1u) << library;
}

TEST(IncludeRule, TheCommandLineKnowsNoWindow) {
    expect_no_includes("app/cli", {"app/window/"});
    expect_no_includes("app/cli", window_libraries);
    expect_no_includes("app/cli", {"tbb/", "hwy/"});
    expect_no_includes("app/window", {"app/cli/", "CLI/"});
    expect_no_includes("app/window", drawing_libraries, {"app/window/imgui_fonts"});
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
    for (const char* list : {"core/encoding.h", "core/construction.h"}) {
        const std::string text = read_file((fs::path(ROPEWALK_SOURCE_DIR) / list).string(), 1 << 20);
        const std::size_t begin = text.find("= std::variant<") + std::strlen("= std::variant<");
        for (const char c : text.substr(begin, text.find('>', begin) - begin) + ",")
            if (!std::isspace(static_cast<unsigned char>(c))) listed += c == ',' ? '|' : c;
    }
    ASSERT_NE(listed.find("|PRope|"), std::string::npos);
    listed.pop_back();
    const std::regex name(R"(\b()" + listed + R"()(\s*[{<>&]|\s+\w+\s*[;={]))");
    for (const char* folder : {"core", "app"})
        for (const Source& source : sources_below(folder)) {
            if (starts_with_any(source.path, {"core/encoding", "core/construction"})) continue;
            if (source.path == "core/experiment.h") continue;  // where the usual ones are said
            std::ifstream file(fs::path(ROPEWALK_SOURCE_DIR) / source.path);
            for (std::string line; std::getline(file, line);)
                EXPECT_FALSE(std::regex_search(line, name)) << source.path << ": " << line;
        }
}

}  // namespace
}  // namespace ropewalk
