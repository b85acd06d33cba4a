// Which models stay open.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "core/models/open_model.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

namespace fs = std::filesystem;

TEST(ModelStore, KeepsTheLatestModels) {
    const TemporaryFolder folder;
    const auto opened = [&](const char* name) {  // a copy, which nobody else has opened
        if (!fs::exists(folder.file(name))) fs::copy(path_of_model("bundled:induction"), folder.file(name));
        return shared_model(folder.file(name));
    };
    const std::weak_ptr<const Model> first = opened("0");
    ASSERT_FALSE(first.expired()) << "comparing with its heads must not open it again and again";
    EXPECT_EQ(opened("0"), first.lock());
    for (const char* name : {"1", "2", "3"}) opened(name);
    EXPECT_FALSE(first.expired());
    opened("4");
    EXPECT_TRUE(first.expired());
}

}  // namespace
}  // namespace ropewalk
