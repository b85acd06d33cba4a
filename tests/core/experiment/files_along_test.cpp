// Files that are copied next to a scene: only with the content that is shown.
#include "core/experiment/files_along.h"

#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/constructions/arrays.h"
#include "core/constructions/construction_list.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "tests/temporary_folder.h"
#include "tests/zip_bytes.h"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

class FilesAlongTest : public testing::Test {
  protected:
    std::string path(const std::string& name) { return source_.file(name); }
    /// Opens a file as queries, as the window does.
    Experiment opened(const std::string& name) {
        Arrays arrays{.q = {.path = path(name), .content = nullptr}};
        load(arrays.q, {.folder = "", .reach = FileAccess::Reach::anywhere});
        return {.construction = arrays};
    }
    void bring(Experiment experiment) { bring_files_along(experiment, source_.path(), scene_.path()); }
    void expect_refused(const Experiment& experiment, const std::string& name) {
        EXPECT_THAT([&] { bring(experiment); },
                    testing::ThrowsMessage<IoError>(path(name) +
                                                    " has changed since it was opened. Open it again, then save."));
        EXPECT_THAT(scene_.names(), testing::IsEmpty());
    }

    TemporaryFolder source_, scene_;
};

TEST_F(FilesAlongTest, AnArrayThatWasWrittenAgainIsNotCopied) {
    const auto array = [](double value) {
        const std::vector<double> values(8, value);
        return npy_bytes(std::vector<std::int64_t>{2, 4}, std::span<const double>(values));
    };
    atomic_write(path("q.npy"), array(1));
    const Experiment experiment = opened("q.npy");
    for (const std::string& bytes : {array(2), std::string("no array")}) {
        atomic_write(path("q.npy"), bytes);
        expect_refused(experiment, "q.npy");
    }
    atomic_write(path("q.npy"), array(1));
    bring(experiment);
    EXPECT_EQ(read_file(scene_.file("q.npy"), 4096), array(1));
    atomic_write(path("q.npy"), array(2));
    bring(experiment);
    EXPECT_THAT(scene_.names(), testing::ElementsAre("q.npy")) << "the copy has what is shown";
}

TEST_F(FilesAlongTest, OfALargeFileSamplesAreNotEnough) {
    const std::string header = R"({"q":{"dtype":"F32","shape":[64,64],"data_offsets":[0,16384]}})";
    const std::string bytes = little_endian(header.size(), 8) + header + std::string(16384, '\0');
    const std::size_t between_samples = 8 + header.size() + 100;
    atomic_write(path("q.safetensors"), bytes);
    const Experiment experiment = opened("q.safetensors");
    {
        std::fstream file(path("q.safetensors"), std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(static_cast<std::streamoff>(between_samples)).put('\1');
    }
    fs::last_write_time(path("q.safetensors"), fs::last_write_time(path("q.safetensors")) + std::chrono::seconds(1));
    expect_refused(experiment, "q.safetensors");
    atomic_write(path("q.safetensors"), bytes);
    bring(opened("q.safetensors"));
    EXPECT_EQ(read_file(scene_.file("q.safetensors"), 1 << 20), bytes);
}

}  // namespace
}  // namespace ropewalk
