#include "app/window/session/scene_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "app/figures/page/view.h"
#include "app/plot/export.h"
#include "app/plot/open_figure.h"
#include "core/constructions/construction.h"
#include "core/error.h"
#include "core/experiment/conform.h"
#include "core/experiment/files_along.h"
#include "core/experiment/settings.h"
#include "core/fields/fields_io.h"
#include "core/io/files.h"
#include "core/models/files/head_arrays.h"
#include "core/models/files/model_folder.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

/// Returns "a.json" for "folder/a.json".
std::string name_in_folder(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

}  // namespace

SceneFiles::SceneFiles(Document& document, Notices& notices, const std::filesystem::path& recent,
                       std::function<void()> wake)
    : document_(document), notices_(notices), recent_(recent), wake_(std::move(wake)) {
    if (!document.scene().path.empty() && !document.scene().bundled) recent_.add(document.scene().path);
}

std::vector<std::string> leading_arrays(const std::vector<std::string>& paths) {
    const auto end = std::find_if_not(paths.begin(), paths.end(), may_hold_heads);
    return {paths.begin(), std::min(end, paths.begin() + std::min<std::ptrdiff_t>(2, std::ssize(paths)))};
}

bool may_be_model(const std::string& path) {
    std::error_code error;
    return std::filesystem::is_directory(path, error) || extension_of(path) == "safetensors";
}

SceneFiles::~SceneFiles() {
    stop_opening();
}

bool SceneFiles::open(const std::vector<std::string>& paths) {
    if (paths.empty()) return true;
    stop_opening();
    return notices_.attempt([&] {
        const std::vector<std::string> arrays = leading_arrays(paths);
        if (!arrays.empty()) {
            open_arrays(arrays, std::nullopt);
        } else if (may_be_model(paths.front())) {
            open_model(paths.front());
        } else if (is_model_config(paths.front())) {
            take_config(paths.front());
        } else {
            document_.open(open_scene_or_figure(paths.front()));
            recent_.add(paths.front());
        }
        const std::size_t used = std::max<std::size_t>(1, arrays.size());
        if (used < paths.size())
            notices_.notify(fmt::format(
                "{} files were dropped; only {} was opened", paths.size(),
                used == 1 ? name_in_folder(paths[0]) : name_in_folder(paths[0]) + " with " + name_in_folder(paths[1])));
    });
}

bool SceneFiles::open_bundled(const std::string& name) {
    stop_opening();
    return notices_.attempt([&] {
        Scene scene = open_scene(bundled_scene_path(name));
        scene.bundled = true;
        document_.open(std::move(scene));
    });
}

const std::vector<SceneEntry>& SceneFiles::bundled() {
    if (bundled_.empty())
        for (const auto& name : bundled_scenes()) {
            const Scene scene = open_scene(bundled_scene_path(name));
            bundled_.push_back({name, scene.title, scene.about});
        }
    return bundled_;
}

namespace {

/// Arrays to open: which is of queries, which of keys.
struct OpenedArrays {
    ArrayPair arrays;
    HeadArray queries, keys;  // of the first layer
    std::string names, sides;
};

HeadFile loaded_array(const std::string& path) {
    HeadFile file{.path = path};
    load(file, {.reach = FileAccess::Reach::anywhere});
    if (const HeadArray* const only = file.content->is_single() ? file.content->find(HeadSide::queries, 0) : nullptr;
        only && !ArrayAxes::of(only->shape))
        throw InputError(ArrayAxes::refusal(path, only->shape));
    return file;
}

/// Returns the array of a file in the first layer that has queries.
HeadArray first_array(const HeadFile& file, HeadSide side, int layer) {
    if (const HeadArray* const array = file.content->find(side, layer)) return *array;
    throw InputError(fmt::format("{}: has no {} of layer {}; open it together with a file that has them", file.path,
                                 side == HeadSide::queries ? "queries" : "keys", layer));
}

/// Reads one or two files. One of keys or of queries alone, judged by its arrays or, for a single array, by its name,
/// joins what the experiment has of the other.
OpenedArrays load_arrays(const std::vector<std::string>& paths, const Experiment& experiment) {
    OpenedArrays opened{.arrays = arrays_of(experiment.construction).value_or(ArrayPair{})};
    auto& [q, k] = opened.arrays;
    const HeadFile first = loaded_array(paths.front());
    const std::string stem = std::filesystem::path(paths.front()).stem().string();
    const HeadArrays& arrays = *first.content;
    const auto is_of = [&](HeadSide other, char initial) {
        return paths.size() == 1 && (arrays.is_single() ? stem.starts_with(initial) : arrays.layers(other).empty());
    };
    const bool is_keys = is_of(HeadSide::queries, 'k'), is_queries = is_of(HeadSide::keys, 'q');
    if (paths.size() > 1)
        q = first, k = loaded_array(paths[1]);
    else if (is_keys && q.content)
        k = first;
    else if (is_queries && k.content)
        q = first;
    else
        q = k = first;
    const int layer = q.content->first_layer();
    opened.queries = first_array(q, HeadSide::queries, layer), opened.keys = first_array(k, HeadSide::keys, layer);
    opened.sides = paths.size() > 1 ? "queries and keys" : q == k ? "both queries and keys" : "queries";
    if (is_keys && !(q == k)) opened.sides = "keys";
    for (const std::string& path : paths)
        opened.names += (opened.names.empty() ? "" : " and ") + as_utf8(name_in_folder(path));
    return opened;
}

/// Returns the experiment with these arrays in place of its queries and keys.
Experiment with_arrays(Experiment experiment, const OpenedArrays& opened) {
    experiment.head_dim = static_cast<int>(std::min<std::int64_t>(opened.queries.axes.channels, 1 << 20));
    experiment.seq_len = static_cast<int>(
        std::min<std::int64_t>({opened.queries.axes.tokens, opened.keys.axes.tokens, longest_sequence}));
    experiment.construction = construction_of(opened.arrays);
    return experiment;
}

/// Throws InputError if the experiment with the arrays would be invalid for every choice of layer, head and batch
/// entry.
void require_possible(const ArrayQuestion& question, const Experiment& experiment) {
    const ArrayReading& guess = question.guess;
    const bool has_choice = !question.layers.empty() ||
                            (std::max(guess.heads, guess.entries) > 1 && std::min(guess.heads, guess.entries) > 0);
    auto sentence = check_fields(experiment);
    if (!sentence) sentence = check(experiment.encoding, experiment.shape());
    if (!sentence && !has_choice) sentence = check(experiment.construction, experiment.shape());
    if (sentence) throw InputError(question.paths.front() + ": " + *sentence);
}

bool is_possible(const Experiment& experiment, const std::string& settings) {
    try {
        changed(experiment, settings);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// Removes the compared curves that another head cannot have, such as those with other numbers of its construction.
void keep_possible_curves(View& view, const Experiment& experiment) {
    for (Figure& figure : view.figures)
        walk_fields(ChoiceRef(figure).fields(), [&](const std::string&, const Field& field, auto& value) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, std::string>) {
                if (!field.of_settings) return;
                std::vector<std::string> parts = parts_outside_quotes(value, '|');
                if (std::erase_if(parts, [&](const std::string& part) { return !is_possible(experiment, part); }) > 0)
                    value = fmt::format("{}", fmt::join(parts, " | "));
            }
        });
}

}  // namespace

ArrayQuestion SceneFiles::question_about(const std::vector<std::string>& paths) const {
    const Experiment& experiment = document_.experiment();
    const OpenedArrays opened = load_arrays(paths, experiment);
    ArrayQuestion question{.paths = paths,
                           .names = opened.names,
                           .shape = fmt::format("[{}]", fmt::join(opened.queries.shape, ", ")),
                           .guess = {.pairing = experiment.pairing,
                                     .scale = experiment.scale,
                                     .heads = static_cast<int>(opened.queries.axes.heads),
                                     .entries = static_cast<int>(opened.queries.axes.batch)}};
    const HeadArrays& arrays = *opened.arrays.q.content;
    question.guess.layer = arrays.first_layer();
    if (arrays.layers(HeadSide::queries).size() > 1) question.layers = numbers_of(arrays.layers(HeadSide::queries));
    // Arrays of several heads usually come from a model in Hugging Face's format.
    if (opened.queries.axes.heads > 1)
        question.guess.pairing = Pairing::half_split, question.guess.scale = Scale::sqrt_d;
    require_possible(question, with_arrays(experiment, opened));
    return question;
}

void SceneFiles::open_arrays(const std::vector<std::string>& paths, std::optional<ArrayReading> reading) {
    const OpenedArrays opened = load_arrays(paths, document_.experiment());
    Experiment changed = with_arrays(document_.experiment(), opened);
    if (reading) {
        changed.pairing = reading->pairing, changed.scale = reading->scale;
        set_number(changed, "construction.layer", reading->layer);
        set_number(changed, "construction.head", reading->head);
        set_number(changed, "construction.batch", reading->batch);
    }
    if (auto sentence = validate(changed)) throw InputError(paths.front() + ": " + *sentence);
    // The arrays become a new scene: the open scene has another head, and its file must not be overwritten.
    Scene scene{.title = opened.names, .experiment = std::move(changed)};
    View view = document_.view;
    keep_possible_curves(view, scene.experiment);
    write_view(view, scene);
    document_.open(std::move(scene));
    document_.set_saved(std::nullopt);
    notices_.notify(fmt::format("Opened {} as {}. Pairing: {}.", opened.names, opened.sides,
                                name_of(document_.experiment().pairing).title));
}

bool SceneFiles::open_arrays_as(const ArrayQuestion& answered) {
    stop_opening();
    return notices_.attempt([&] { open_arrays(answered.paths, answered.guess); });
}

void SceneFiles::open_model(const std::string& path) {
    Experiment changed = document_.experiment();
    const Experiment before = changed;
    choose(changed.construction, "model_head");
    set_field(changed, "construction.model", find_model_folder(path).folder.string(),
              {.reach = FileAccess::Reach::anywhere});
    set_field(changed, "construction.tokens", "", {});
    const auto learned = learned_head_of(changed.construction);
    if (!learned->model->tokenizer) {  // ids to start from, in place of a text
        std::vector<int> ids(static_cast<std::size_t>(std::min(16, learned->model->config.vocabulary)));
        std::iota(ids.begin(), ids.end(), 0);
        set_field(changed, "construction.tokens", fmt::format("{}", fmt::join(ids, ",")), {});
    }
    conform(changed, before);
    if (auto sentence = validate(changed)) throw InputError(path + ": " + *sentence);
    Scene scene{.title = as_utf8(std::filesystem::path(learned->model->folder).filename().string()),
                .experiment = std::move(changed)};
    View view = document_.view;
    view.show_only({figure_of("attention"), figure_of("head_matrices"), figure_of("tokens")});
    write_view(view, scene);
    document_.open(std::move(scene));
    document_.set_saved(std::nullopt);
    const std::vector<std::string>& unused = learned->model->unused;
    std::string sentence = fmt::format("Opened {}, {} layers of {} heads", document_.scene().title,
                                       learned->model->config.layer_count(), learned->model->config.heads);
    if (unused.size() == 1) sentence += "; one tensor is unused: " + unused.front();
    if (unused.size() > 1)
        sentence += fmt::format("; {} tensors are unused, such as {}", unused.size(), unused.front());
    if (!learned->model->tokenizer)
        sentence += "; text cannot be split into tokens, so type token ids: " + learned->model->tokenizer_problem;
    const Experiment& head = document_.experiment();
    if (const std::string note = note_of(head.construction, head.shape()); !note.empty()) sentence += ". " + note;
    notices_.notify(std::move(sentence));
}

void SceneFiles::begin_model(const std::string& path) {
    stop_opening();
    notices_.attempt([&] {
        Opening opening{.path = path, .state = std::make_shared<State>(), .model = {}};
        opening.model = std::async(std::launch::async, [path, state = opening.state, wake = wake_] {
            const auto report = [&](State* ended) {
                ended->has_ended = true;
                if (wake) wake();
            };
            const std::unique_ptr<State, decltype(report)> at_end(state.get(), report);
            return shared_model(find_model_folder(path).folder.string(), Cancel(state->generation, 0),
                                [&](ModelPart part) {
                                    state->part = part;
                                    if (wake) wake();
                                });
        });
        opening_ = std::move(opening);
    });
}

std::string SceneFiles::opening() const {
    if (!opening_) return {};
    const std::filesystem::path path(opening_->path);
    return as_utf8((path.has_filename() ? path : path.parent_path()).filename().string());
}

std::string_view SceneFiles::reading() const {
    return opening_ && opening_->state->part == ModelPart::tokenizer ? "tokenizer" : "weights";
}

void SceneFiles::stop_opening() {
    if (!opening_) return;
    ++opening_->state->generation;
    stopped_.push_back(std::move(*opening_));
    opening_.reset();
}

void SceneFiles::refresh() {
    std::erase_if(stopped_, [](const Opening& opening) { return opening.state->has_ended.load(); });
    if (!opening_ || !opening_->state->has_ended) return;
    Opening opening = *std::exchange(opening_, std::nullopt);
    notices_.attempt([&] {
        const auto model = opening.model.get();  // held, so that opening the scene finds it
        open_model(opening.path);
    });
}

void SceneFiles::take_config(const std::string& path) {
    const ModelConfig config = read_model_config(path);
    Experiment changed = document_.experiment();
    changed.encoding = config.layers.front().encoding;
    changed.rotary_fraction = config.layers.front().rotary_fraction;
    changed.head_dim = config.head_dim;
    changed.pairing = Pairing::half_split;
    changed.scale = Scale::sqrt_d;
    if (auto sentence = validate(changed)) throw InputError(path + ": " + *sentence);
    document_.edit(changed, Gesture::complete);
    notices_.notify(fmt::format("Took {} with {} channels per head from {}", title_of(changed.encoding),
                                config.head_dim, name_in_folder(path)));
}

bool SceneFiles::open_text(const std::string& text) {
    stop_opening();
    return notices_.attempt([&] {
        const std::size_t first = text.find_first_not_of(" \t\r\n");
        if (first == std::string::npos || text[first] != '{')
            throw InputError(
                "The clipboard does not contain a scene. Copy one with Ctrl+C, or copy the text of a scene file.");
        Scene pasted = parse_scene(text, "the clipboard", {});
        if (pasted.title.empty()) pasted.title = "Pasted scene";
        document_.open(std::move(pasted));
        document_.set_saved(std::nullopt);
        notices_.notify(fmt::format("Pasted '{}'. You can undo this.", document_.scene().title));
    });
}

bool SceneFiles::is_changed_elsewhere() const {
    const Scene& scene = document_.scene();
    const auto stamp = stamp_of(scene.path);
    return has_own_file(scene) && stamp && stamp != scene.stamp;
}

std::string SceneFiles::obstacle_to_saving() const {
    if (document_.fault().empty()) return {};
    return fmt::format("The scene cannot be saved because its head cannot be computed: {}. Correct the head first.",
                       document_.fault());
}

bool SceneFiles::save(const std::string& path) {
    misses_file_ = false;
    return notices_.attempt([&] {
        if (const std::string obstacle = obstacle_to_saving(); !obstacle.empty()) throw InputError(obstacle);
        std::error_code error;
        for (const auto& name : bundled_scenes())
            if (std::filesystem::equivalent(path, bundled_scene_path(name), error))
                throw IoError(fmt::format(
                    "'{}' is a bundled scene and cannot be overwritten. Save it under another name.", name));
        Scene scene = document_.current_scene();
        const auto folder = std::filesystem::absolute(path).parent_path();
        try {
            bring_files_along(scene.experiment, folder_of(document_.scene()), folder);
            if (const auto& reference = document_.saved_reference())
                bring_files_along(scene.reference.emplace(reference->experiment), reference->folder, folder);
        } catch (const MissingFile&) {
            misses_file_ = true;
            throw;
        }
        if (path != document_.scene().path) scene.title = title_of_file(path);
        const std::string text = scene_text(scene);
        require_readable(text);
        Scene again = scene;
        read_view(again);  // throws if it could not be read again
        atomic_write(path, text);
        scene.path = path;
        scene.stamp = stamp_of(path);
        scene.bundled = false;
        document_.set_saved_as(std::move(scene));
        recent_.add(path);
        notices_.notify("Saved " + path);
    });
}

}  // namespace ropewalk
