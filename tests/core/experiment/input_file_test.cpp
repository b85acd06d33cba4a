// Files that fields name: what is read of them, where they may be, and how they are refused.
#include "core/fields/input_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <limits>

#include "core/error.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using testing::AllOf, testing::ElementsAre, testing::HasSubstr, testing::StartsWith;

class InputFileTest : public testing::Test {
  protected:
    FileAccess confined() const { return {.folder = folder_.path()}; }
    FileAccess anywhere() const { return {.folder = folder_.path(), .reach = FileAccess::Reach::anywhere}; }

    /// Returns the exit code and sentence with which the file is refused.
    template <class File>
    static std::string refusal(const std::string& name, const FileAccess& access) {
        File file{.path = name, .content = {}};
        try {
            load(file, access);
        } catch (const Error& error) {
            return fmt::format("{}: {}", static_cast<int>(error.code()), error.what());
        }
        return "accepted";
    }

    TemporaryFolder folder_;
};

TEST_F(InputFileTest, ATextIsRankedByWordsAndByCharacters) {
    atomic_write(folder_.file("t.txt"), "tic tac tac");
    TextFile text{.path = "t.txt", .content = {}};
    load(text, confined());
    EXPECT_EQ(text.path, "t.txt");
    EXPECT_EQ(text.content->words.by_rank.front(), "tac");
    EXPECT_THAT(text.content->characters.by_rank, ElementsAre("t", "c", " ", "a", "i"));
    EXPECT_THAT(text.content->characters.ranks, ElementsAre(0, 4, 1, 2, 0, 3, 1, 2, 0, 3, 1));
}

TEST_F(InputFileTest, EqualContentsMakeEqualFiles) {
    atomic_write(folder_.file("t.txt"), "one");
    TextFile first{.path = "t.txt", .content = {}}, second = first;
    load(first, confined()), load(second, confined());
    EXPECT_NE(first.content, second.content);
    EXPECT_EQ(first, second);
    atomic_write(folder_.file("t.txt"), "two");
    load(second, confined());
    EXPECT_FALSE(first == second);
}

TEST_F(InputFileTest, OnlyUtf8TextIsRead) {
    atomic_write(folder_.file("latin.txt"), "caf\xe9");
    EXPECT_THAT(refusal<TextFile>("latin.txt", confined()), AllOf(StartsWith("3: "), HasSubstr("is not UTF-8")));
    atomic_write(folder_.file("weights.bin"), "\x80\x02}q\x01.");
    EXPECT_THAT(refusal<TextFile>("weights.bin", confined()), AllOf(StartsWith("3: "), HasSubstr("pickle")));
    EXPECT_THAT(refusal<TextFile>("missing.txt", confined()), StartsWith("4: "));
    std::filesystem::create_directory(folder_.file("folder"));
    EXPECT_THAT(refusal<TextFile>("folder", confined()), StartsWith("4: "));
    std::filesystem::resize_file(folder_.file("latin.txt"), most_text_bytes + 1);
    EXPECT_THAT(refusal<TextFile>("latin.txt", confined()), StartsWith("6: "));
}

TEST_F(InputFileTest, EntriesThatAProductWouldOverflowAreRefused) {
    const std::int64_t shape[] = {2};
    for (const double bad :
         {1e101, -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
        const double values[] = {1e100, bad};
        atomic_write(folder_.file("a.npy"), npy_bytes(shape, std::span<const double>(values)));
        EXPECT_THAT(refusal<ArrayFile>("a.npy", confined()), AllOf(StartsWith("3: "), HasSubstr("entry 1 is")));
    }
    const double values[] = {1e100, -1e100};
    atomic_write(folder_.file("a.npy"), npy_bytes(shape, std::span<const double>(values)));
    EXPECT_EQ(refusal<ArrayFile>("a.npy", confined()), "accepted");
}

TEST_F(InputFileTest, AConfinedNameStaysInItsFolder) {
    const TemporaryFolder elsewhere;
    atomic_write(elsewhere.file("t.txt"), "text");
    const std::string relative = std::filesystem::relative(elsewhere.file("t.txt"), folder_.path()).string();
    std::filesystem::create_symlink(elsewhere.file("t.txt"), folder_.file("link.txt"));
    for (const std::string& name : {elsewhere.file("t.txt"), relative, std::string("link.txt")}) {
        EXPECT_THAT(refusal<TextFile>(name, confined()), AllOf(StartsWith("3: "), HasSubstr("outside the scene's")));
        TextFile file{.path = name, .content = {}};
        load(file, anywhere());
        EXPECT_TRUE(std::filesystem::path(file.path).is_absolute()) << file.path;
    }
    EXPECT_THAT(refusal<TextFile>("t.txt", {}), AllOf(StartsWith("3: "), HasSubstr("by a setting alone")));
    EXPECT_THAT(refusal<TextFile>("caf\xe9.txt", confined()), AllOf(StartsWith("3: "), HasSubstr("is not UTF-8")));
}

}  // namespace
}  // namespace ropewalk
