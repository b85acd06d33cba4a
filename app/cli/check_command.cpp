#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/figures/page/view_io.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/library.h"
#include "app/plot/open_figure.h"
#include "core/error.h"
#include "core/evaluation/open_backend.h"
#include "core/io/files.h"
#include "core/io/npy.h"
#include "core/models/files/head_arrays.h"
#include "core/models/files/model_folder.h"
#include "core/models/model.h"

namespace ropewalk {
namespace {

const std::string not_usable = "not usable as queries or keys: ";

/// Returns how queries and keys of a file's first layer can be used, or why they cannot.
std::string describe_use(const std::string& path, std::shared_ptr<const HeadArrays> arrays) {
    std::string refusal;
    try {
        const HeadFile file{.path = path, .content = std::move(arrays)};
        const HeadArray* const queries = file.content->find(HeadSide::queries, file.content->first_layer());
        if (!queries) return "usable as keys";
        const ArrayAxes& axes = queries->axes;
        Experiment experiment{.head_dim = static_cast<int>(std::min<std::int64_t>(axes.channels, 1 << 20)),
                              .seq_len = static_cast<int>(std::min<std::int64_t>(axes.tokens, longest_sequence))};
        experiment.construction = construction_of(ArrayPair{file, {}});
        if (file.content->is_single()) experiment.construction = construction_of(ArrayPair{file, file});
        refusal = validate(experiment).value_or("");
        if (refusal.empty())
            return fmt::format("usable as queries or keys{}{} with head_dim {} and seq_len up to {}",
                               axes.heads > 1 ? fmt::format(" of {} heads", axes.heads) : "",
                               axes.batch > 1 ? fmt::format(" in each of {} batch entries", axes.batch) : "",
                               experiment.head_dim, experiment.seq_len);
    } catch (const InputError& error) {
        refusal = error.what();
    }
    return not_usable + refusal;
}

/// Returns which layers and arrays of queries and keys a file holds.
std::string describe_heads(const std::string& path) {
    const auto arrays = open_head_arrays(path);
    std::string text = fmt::format("{}: arrays of", path);
    for (const auto& [side, what] : {std::pair{HeadSide::queries, "queries"}, {HeadSide::keys, "keys"}}) {
        const HeadArrays::Layers& layers = arrays->layers(side);
        if (layers.empty()) continue;
        text += fmt::format("{} {} [{}]", text.ends_with("of") ? "" : ",", what,
                            fmt::join(layers.begin()->second.shape, ", "));
        if (arrays->has_layers()) text += fmt::format(" of layers {}", numbers_of(layers));
    }
    return text + "\n" + describe_use(path, arrays) + "\n";
}

std::string describe_array(const std::string& path) {
    const auto array = std::make_shared<const StoredArray>(read_stored(path));
    Extent range;
    std::size_t not_finite = 0;
    std::string unusable;
    array->for_each_block([&](std::size_t first, std::span<const double> numbers) {
        for (const double number : numbers)
            if (std::isfinite(number))
                range.take(number);
            else
                ++not_finite;
        if (!array->is_of_integers() && unusable.empty()) unusable = unusable_sentence(numbers, path, first);
    });
    std::string text = fmt::format("{}: array of {} [{}], {} order", path, array->dtype(),
                                   fmt::join(array->shape(), ", "), array->fortran_order() ? "Fortran" : "C");
    if (!range.empty()) text += fmt::format(", from {} to {}", text_of(range.min), text_of(range.max));
    if (not_finite > 0)
        text += fmt::format(", {} {} not finite", not_finite, not_finite == 1 ? "entry is" : "entries are");
    if (!ArrayAxes::of(array->shape())) unusable = ArrayAxes::refusal(path, array->shape());
    return text + "\n" + (unusable.empty() ? describe_use(path, head_arrays(array)) : not_usable + unusable) + "\n";
}

/// Returns what the window takes from a model's configuration.
std::string describe_config(const std::string& path) {
    const ModelConfig config = read_model_config(path);
    return fmt::format(
        "{0}: configuration of a model of the family '{1}'\n{2}, head_dim {3}, {4} layers of {5} heads\nopen it in the "
        "window with `ropewalk {0}`\n",
        path, config.family, title_of(config.layers.front().encoding), config.head_dim, config.layer_count(),
        config.heads);
}

std::string describe_scene(const std::string& path) {
    Scene scene = open_scene_or_figure(path);
    const View view = read_view(scene);
    std::string text =
        fmt::format("{}: scene '{}', schema {}\n{}\n", path, scene.title, scene_schema, caption(scene.experiment));
    if (scene.reference) text += fmt::format("compared with {}\n", caption(*scene.reference));
    text += fmt::format("fingerprint {:016x}\nfigures", hash_fields(scene.experiment));
    for (const Figure& figure : view.figures) text += std::string(" ") + id_of(figure);
    for (const std::string& warning : first_warnings(scene)) text += "\nnote: " + warning;
    return text + "\n";
}

/// Returns every step as it reads when it is entered and, after an arrow, when its task is done. Throws InputError for
/// the first step with a fault.
std::string describe_lesson(const std::string& path, const Cancel& cancel) {
    const auto lesson = read_lesson(path);
    Evaluator evaluator(open_backend(""));
    require_affordable(*lesson, evaluator.backend(), cancel);
    std::string text = fmt::format("{}: lesson '{}' of {} {}\n{}\n", path, lesson->title, lesson->steps.size(),
                                   lesson->steps.size() == 1 ? "step" : "steps", lesson->about);
    for (int step = 0; step < static_cast<int>(lesson->steps.size()); ++step) {
        const LessonStep& current = lesson->steps[static_cast<std::size_t>(step)];
        const LessonCheck checked = check_step(*lesson, step, evaluator, cancel);
        text += fmt::format("\n{}. {}\n", step + 1, current.title);
        for (const std::string& paragraph : checked.before) text += fmt::format("   {}\n", paragraph);
        for (const std::string& paragraph : checked.after) text += fmt::format("   → {}\n", paragraph);
        if (!checked.faults.empty())
            throw InputError(fmt::format("{}:{}: {}", path, current.line, checked.faults.front()));
    }
    return text;
}

}  // namespace

void check_file(const std::string& path, const Cancel& cancel) {
    std::error_code unreadable;  // reading the file reports what is wrong
    if (!path.empty() && std::filesystem::exists(std::filesystem::path(path) / "config.json", unreadable))
        throw IoError(fmt::format("{0}: is the folder of a model; describe it with `ropewalk model {0}`", path));
    const bool is_file = std::filesystem::exists(path, unreadable) || unreadable;
    const bool is_name = !is_file && path.find_first_of("/.") == std::string::npos;
    const std::string extension = extension_of(path);
    if (extension == "npz" || extension == "safetensors") return print(describe_heads(path));
    if (is_model_config(path)) return print(describe_config(path));
    const bool is_array = extension == "npy" || (!is_name && read_start(path, npy_magic.size()).bytes == npy_magic);
    const bool is_lesson = !is_array && extension == "lesson";
    print(is_array ? describe_array(path) : is_lesson ? describe_lesson(path, cancel) : describe_scene(path));
}

}  // namespace ropewalk
