// The files of a checkpoint: an index is read for what it lists, each file once.
#include "core/models/files/model_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
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

TEST(ModelFolder, ItsFilesAreThoseThatTheIndexNamesToo) {
    const TemporaryFolder folder;
    const std::string index = folder.file("model.safetensors.index.json");
    atomic_write(folder.file("alone.safetensors"), "");
    atomic_write(index, R"({"weight_map": {"a": "shards/1.safetensors", "b": "weights.bin", "c": "../d"}})");
    const std::set<std::string> usual{folder.file("config.json"), folder.file("tokenizer.json"), index,
                                      folder.file("alone.safetensors")},
        indexed{folder.file("shards/1.safetensors"), folder.file("weights.bin")};
    EXPECT_EQ(indexed_files({folder.path()}), indexed);
    std::set<std::string> all = usual;
    all.insert(indexed.begin(), indexed.end());
    EXPECT_EQ(files_of({folder.path()}), all);
    for (const char* text : {"{", R"({"weight_map": 3})"}) {
        atomic_write(index, text);
        EXPECT_EQ(files_of({folder.path()}), usual) << text;
    }
}

}  // namespace
}  // namespace ropewalk
