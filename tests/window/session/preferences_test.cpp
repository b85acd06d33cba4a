// Preferences are restored at the next start, and a broken file does not prevent it.
#include "app/window/session/preferences.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

const Preferences light_and_large{.theme = ThemeChoice::light, .text_size = 1.2};

/// Uses both preferences one after the other, in a separate run.
void run_with(const TemporaryFolder& folder, const Preferences& first, const Preferences& then) {
    PreferencesFile file(folder.path());
    file.save(first);
    file.save(then);
}

TEST(Preferences, AreRestoredAtTheNextStart) {
    const TemporaryFolder folder;
    EXPECT_EQ(PreferencesFile(folder.path()).saved(), Preferences{});
    run_with(folder, {}, {});
    EXPECT_TRUE(folder.names().empty()) << "nothing was chosen";
    run_with(folder, {}, light_and_large);
    EXPECT_EQ(PreferencesFile(folder.path()).saved(), light_and_large);
    EXPECT_EQ(PreferencesFile(folder.path()).complaint(), "");
    run_with(folder, light_and_large, {});
    EXPECT_EQ(PreferencesFile(folder.path()).saved(), Preferences{});
}

TEST(Preferences, OfTwoWindowsAreThoseThatEitherChangedLast) {
    const TemporaryFolder folder;
    const Preferences both{.text_size = 1.2, .folder = "/data"};
    run_with(folder, {}, both);
    PreferencesFile first(folder.path()), second(folder.path());
    const auto save = [](PreferencesFile& file, const Preferences& preferences) {
        file.save(preferences);
        file.wait();
    };
    save(first, both), save(second, both);
    save(first, {.theme = ThemeChoice::light, .text_size = 1.2, .folder = "/data"});
    save(second, {.text_size = 1.5, .folder = "/data"});
    EXPECT_EQ(PreferencesFile(folder.path()).saved(),
              (Preferences{.theme = ThemeChoice::light, .text_size = 1.5, .folder = "/data"}));
    save(first, {.text_size = 1.2, .folder = "/data"});
    EXPECT_EQ(PreferencesFile(folder.path()).saved(), (Preferences{.text_size = 1.5, .folder = "/data"}))
        << "the theme was changed back";
}

TEST(Preferences, TheCommandLineWinsAndIsNotSaved) {
    const TemporaryFolder folder;
    EXPECT_EQ(light_and_large.with_theme("dark").theme, ThemeChoice::dark);
    EXPECT_EQ(Preferences{}.with_theme("light").theme, ThemeChoice::light);
    EXPECT_EQ(light_and_large.with_theme(""), light_and_large);
    run_with(folder, Preferences{}.with_theme("light"), light_and_large);
    EXPECT_EQ(PreferencesFile(folder.path()).saved(), (Preferences{.text_size = 1.2}));
}

TEST(Preferences, EveryPreferenceIsSaved) {
    const Preferences changed{.theme = ThemeChoice::light,
                              .text_size = 1.2,
                              .backend = BackendChoice::cpu,
                              .formula = false,
                              .reduced_motion = true,
                              .desktop_dialogs = false,
                              .folded = "Softmax",
                              .folder = "/data",
                              .scene = "p-rope",
                              .window = {10, 20, 1100, 700},
                              .page = {.format = ExportFormat::csv},
                              .video = {.format = ExportFormat::svg}};
    const TemporaryFolder folder;
    run_with(folder, {}, changed);
    EXPECT_EQ(PreferencesFile(folder.path()).saved(), changed);
    const nlohmann::json usual = to_json(Preferences{});
    for (const auto& [name, value] : to_json(changed).items()) EXPECT_NE(value, usual[name]) << name << " is untested";
}

TEST(Preferences, ABrokenFileIsReportedOnceAndKept) {
    for (const char* text : {"", "{", "[]", R"({"theme": "pink"})", R"({"theme": 1})", R"({"text_size": 99})",
                             R"({"text_size": "NaN"})", "\x89PNG"}) {
        const TemporaryFolder folder;
        atomic_write(folder.file("preferences.json"), text);
        const PreferencesFile broken(folder.path());
        EXPECT_EQ(broken.saved(), Preferences{}) << text;
        EXPECT_THAT(broken.complaint(), HasSubstr("The file is now called preferences.json.unreadable.")) << text;
        EXPECT_EQ(PreferencesFile(folder.path()).complaint(), "") << text;
        run_with(folder, {}, light_and_large);
        EXPECT_EQ(PreferencesFile(folder.path()).saved(), light_and_large) << text;
        EXPECT_EQ(read_file(folder.file("preferences.json.unreadable"), 100), text);
    }
}

TEST(Preferences, FieldsOfANewerVersionAreIgnored) {
    const TemporaryFolder folder;
    atomic_write(folder.file("preferences.json"), R"({"theme": "light", "language": "la"})");
    EXPECT_EQ(PreferencesFile(folder.path()).saved().theme, ThemeChoice::light);
}

TEST(Preferences, WithoutAWritableFolderNothingIsSaved) {
    const TemporaryFolder folder;
    atomic_write(folder.file("file"), "no folder");
    std::filesystem::create_directories(folder.file("taken/preferences.json"));
    for (const std::string& place :
         {std::string(), std::string("/proc/none/such"), folder.file("file"), folder.file("taken")}) {
        PreferencesFile file(place);
        EXPECT_EQ(file.saved(), Preferences{}) << place;
        file.save({});
        file.save(light_and_large);
    }
    EXPECT_THAT(folder.names(), testing::UnorderedElementsAre("file", "taken"));
}

TEST(Preferences, AreSavedWhereTheXdgRulesSay) {
    ::setenv("ROPEWALK_TEST_HOME", "/some/where", 1);
    EXPECT_EQ(own_folder("ROPEWALK_TEST_HOME", ".config"), "/some/where/ropewalk");
    ::setenv("ROPEWALK_TEST_HOME", "not/absolute", 1);
    const char* const home = ::getenv("HOME");
    EXPECT_EQ(own_folder("ROPEWALK_TEST_HOME", ".config"),
              home && *home == '/' ? std::filesystem::path(home) / ".config/ropewalk" : std::filesystem::path());
    ::unsetenv("ROPEWALK_TEST_HOME");
}

TEST_F(MainWindowTest, ThemeAndTextSizeArePreferences) {
    session_.preferences.reduced_motion = false;
    session_.preferences.folded = Preferences{}.folded;
    robot_.key("Ctrl+T");
    for (int i = 0; i < 2; ++i) robot_.key("Ctrl+=");
    EXPECT_EQ(session_.preferences, light_and_large);
    EXPECT_EQ(gui_.ui().theme, &light_theme());
    EXPECT_EQ(gui_.ui().scale, 1.2);
    for (int i = 0; i < 2; ++i) robot_.key("Ctrl+-");
    EXPECT_EQ(session_.preferences.text_size, 1);
    for (int i = 0; i < 20; ++i) robot_.key("Ctrl+=");
    EXPECT_EQ(session_.preferences.text_size, Preferences::max_text);
    robot_.key("Ctrl+0");
    robot_.key("Ctrl+T");
    EXPECT_EQ(session_.preferences, Preferences{});
}

}  // namespace
}  // namespace ropewalk
