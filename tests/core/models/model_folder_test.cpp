// The files of a checkpoint: an index is read for what it lists, each file once.
#include "core/models/files/model_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "core/io/files.h"
#include "tests/temporary_folder.h"
#include "tests/zip_bytes.h"

namespace ropewalk {
namespace {

TEST(ModelFolder, AShardUnderManyNamesIsReadOnce) {
    const TemporaryFolder folder;
    const std::string shard = folder.file("s.safetensors");
    nlohmann::json header, names;
    for (int i = 0; i < 60; ++i)
        header[fmt::format("t{}", i)] = {{"dtype", "F32"}, {"shape", {0}}, {"data_offsets", {0, 0}}};
    const std::string text = header.dump();
    atomic_write(shard, little_endian(text.size(), 8) + text);
    std::filesystem::create_hard_link(shard, folder.file("hard.safetensors"));
    std::filesystem::create_symlink("s.safetensors", folder.file("soft.safetensors"));
    std::string file = "s.safetensors";
    for (int i = 0; i < 30; ++i, file = "./" + file) names[fmt::format("t{}", i)] = file;
    names["t30"] = "hard.safetensors";
    names["t31"] = "soft.safetensors";
    atomic_write(folder.file("model.safetensors.index.json"), nlohmann::json{{"weight_map", names}}.dump());

    const Tensors tensors = read_tensors({folder.path()});
    EXPECT_EQ(tensors.size(), 32u);
    for (const auto& [name, tensor] : tensors) EXPECT_EQ(tensor.file, tensors.at("t0").file) << name;
}

}  // namespace
}  // namespace ropewalk
