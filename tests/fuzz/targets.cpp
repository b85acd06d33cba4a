#include "tests/fuzz/targets.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "app/figures/page/view_io.h"
#include "app/lessons/lesson.h"
#include "app/plot/embedded_scene.h"
#include "app/window/session/session_text.h"
#include "core/error.h"
#include "core/experiment/scene_io.h"
#include "core/io/json_reader.h"
#include "core/io/npy.h"
#include "core/models/files/head_arrays.h"
#include "core/models/files/safetensors.h"
#include "core/models/model.h"
#include "core/models/tokenizer/tokenizer.h"

namespace ropewalk {
namespace {

/// A file of this process in memory, for readers that map one; its name ends as the target wants.
class FileOfBytes {
  public:
    FileOfBytes(std::string_view bytes, const char* ending)
        : path_("/dev/shm/ropewalk-fuzz-" + std::to_string(getpid()) + ending) {
        std::ofstream file(path_, std::ios::binary);
        file << bytes;
        file.close();
        ensure(file.good(), "the bytes were written");
    }
    ~FileOfBytes() { std::filesystem::remove(path_); }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

/// What is read is written and read again, and is the same.
void read_scene(std::string_view bytes) {
    const FileAccess nowhere{.folder = "/nonexistent"};
    Scene scene = parse_scene(bytes, "fuzz", nowhere);
    const std::string text = scene_text(scene);
    const Scene again = parse_scene(text, "fuzz", nowhere);
    ensure(again.experiment == scene.experiment, "a scene differs after it was saved");
    ensure(scene_text(again) == text, "a scene is written differently the second time");
    scene.path = "fuzz";
    read_view(scene);
}

void read_npy_file(std::string_view bytes) {
    parse_npy(bytes, "fuzz");
}

void read_npz(std::string_view bytes) {
    open_head_arrays(FileOfBytes(bytes, ".npz").path());
}

void read_figure(std::string_view bytes) {
    embedded_scene(bytes, "fuzz");
}

void read_lesson_file(std::string_view bytes) {
    const Lesson lesson = parse_lesson(bytes, "fuzz.lesson");
    for (int step = 0; step < static_cast<int>(lesson.steps.size()); ++step) start_of(lesson, step);
}

void read_session(std::string_view bytes) {
    title_and_caption_of_session(std::string(bytes));
    static const Scene before = open_scene("window-by-hand");
    Notices notices;
    Document document(before, notices);
    recover(document, notices, std::string(bytes));
}

void read_tensors(std::string_view bytes) {
    const FileOfBytes file(bytes, ".safetensors");
    for (const auto& [name, tensor] : read_safetensors(file.path()))
        if (tensor.type != TensorType::other) tensor.widened();
}

void read_config(std::string_view bytes) {
    read_model_config(FileOfBytes(bytes, ".json").path());
}

void read_tokenizer(std::string_view bytes) {
    const nlohmann::json document = parse_json(bytes, "fuzz");
    const Tokenizer tokenizer(JsonValue(document, "fuzz"));
    const std::vector<int> ids = tokenizer.encode("ab abc <s>é\xff d\n <|two|> z");
    tokenizer.pieces(ids);
    tokenizer.decode(ids);
}

constexpr FuzzTarget targets[] = {
    {"scene", read_scene},         {"npy", read_npy_file},       {"npz", read_npz},
    {"figure", read_figure},       {"lesson", read_lesson_file}, {"session", read_session},
    {"safetensors", read_tensors}, {"config", read_config},      {"tokenizer", read_tokenizer},
};

}  // namespace

std::span<const FuzzTarget> fuzz_targets() {
    return targets;
}

bool is_read(const FuzzTarget& target, std::string_view bytes) {
    try {
        target.read(bytes);
        return true;
    } catch (const Error& error) {
        const std::string sentence = error.what();
        ensure(sentence.find("fuzz") != sentence.npos, ("a refusal does not name its file: " + sentence).c_str());
        return false;
    }
}

}  // namespace ropewalk
