// Which models stay open.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/io/files.h"
#include "core/models/files/safetensors.h"
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

TEST(ModelStore, OpensAModelAgainAfterAShardChanged) {
    const TemporaryFolder folder;
    fs::copy(path_of_model("bundled:induction"), folder.file("model"));
    const std::string shard = folder.file("model/shards/1.safetensors");
    fs::create_directory(folder.file("model/shards"));
    fs::rename(folder.file("model/model.safetensors"), shard);
    nlohmann::json names;
    for (const auto& [name, tensor] : read_safetensors(shard)) names[name] = "shards/1.safetensors";
    atomic_write(folder.file("model/model.safetensors.index.json"), nlohmann::json{{"weight_map", names}}.dump());
    const auto opened = shared_model(folder.file("model"));
    EXPECT_EQ(shared_model(folder.file("model")), opened);
    fs::last_write_time(shard, fs::last_write_time(shard) + std::chrono::seconds(1));
    EXPECT_NE(shared_model(folder.file("model")), opened);
}

}  // namespace
}  // namespace ropewalk
