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

namespace ropewalk {
namespace {

/// Returns how the array can be used, or why it cannot.
std::string describe_use(const std::string& path, const NpyArray& array) {
    const ArrayAxes axes = *ArrayAxes::of(array.shape);
    Experiment experiment{.head_dim = static_cast<int>(std::min<std::int64_t>(axes.channels, 1 << 20)),
                          .seq_len = static_cast<int>(std::min<std::int64_t>(axes.tokens, longest_sequence))};
    std::string refusal;
    try {
        ArrayFile file{.path = path};
        load(file, {.reach = FileAccess::Reach::anywhere});
        experiment.construction = construction_of(ArrayPair{file, file});
        refusal = validate(experiment).value_or("");
    } catch (const InputError& error) {
        refusal = error.what();
    }
    if (!refusal.empty()) return "not usable as queries or keys: " + refusal;
    return fmt::format("usable as queries or keys{} with head_dim {} and seq_len up to {}",
                       axes.heads > 1 ? fmt::format(" of {} heads", axes.heads) : "", experiment.head_dim,
                       experiment.seq_len);
}

std::string describe_array(const std::string& path) {
    const NpyArray array = read_npy(path);
    const ValueRange range = finite_range(array.values);
    const auto not_finite =
        std::count_if(array.values.begin(), array.values.end(), [](double value) { return !std::isfinite(value); });
    std::string text =
        fmt::format("{}: array of {} [{}], {} order, from {} to {}", path, array.dtype, fmt::join(array.shape, ", "),
                    array.fortran_order ? "Fortran" : "C", text_of(range.min), text_of(range.max));
    if (not_finite > 0) text += fmt::format(", {} entries not finite", not_finite);
    if (ArrayAxes::of(array.shape)) text += "\n" + describe_use(path, array);
    return text + "\n";
}

std::string describe_scene(const std::string& path) {
    Scene scene = open_scene_or_figure(path);
    const View view = read_view(scene);
    std::string text =
        fmt::format("{}: scene '{}', schema {}\n{}\n", path, scene.title, scene_schema, caption(scene.experiment));
    if (scene.reference) text += fmt::format("compared with {}\n", caption(*scene.reference));
    text += fmt::format("fingerprint {:016x}\nfigures", hash_fields(scene.experiment));
    for (const Figure& figure : view.figures) text += std::string(" ") + id_of(figure);
    for (const auto& warning : scene.warnings) text += "\nnote: " + warning;
    return text + "\n";
}

/// Returns every step as it reads when it is entered and, after an arrow, when its task is done. Throws InputError for
/// the first step with a fault.
std::string describe_lesson(const std::string& path) {
    const auto lesson = read_lesson(path);
    Evaluator evaluator(open_backend(""));
    std::string text = fmt::format("{}: lesson '{}' of {} {}\n{}\n", path, lesson->title, lesson->steps.size(),
                                   lesson->steps.size() == 1 ? "step" : "steps", lesson->about);
    for (int step = 0; step < static_cast<int>(lesson->steps.size()); ++step) {
        const LessonStep& current = lesson->steps[static_cast<std::size_t>(step)];
        const LessonCheck checked = check_step(*lesson, step, evaluator);
        text += fmt::format("\n{}. {}\n", step + 1, current.title);
        for (const std::string& paragraph : checked.before) text += fmt::format("   {}\n", paragraph);
        for (const std::string& paragraph : checked.after) text += fmt::format("   → {}\n", paragraph);
        if (!checked.faults.empty())
            throw InputError(fmt::format("{}:{}: {}", path, current.line, checked.faults.front()));
    }
    return text;
}

}  // namespace

void check_file(const std::string& path) {
    std::error_code unreadable;  // reading the file reports what is wrong
    const bool is_file = std::filesystem::exists(path, unreadable) || unreadable;
    const bool is_name = !is_file && path.find_first_of("/.") == std::string::npos;
    const bool is_array =
        extension_of(path) == "npy" || (!is_name && read_file(path, most_npy_bytes).starts_with("\x93NUMPY"));
    const bool is_lesson = !is_array && extension_of(path) == "lesson";
    write_output("-", is_array ? describe_array(path) : is_lesson ? describe_lesson(path) : describe_scene(path));
}

}  // namespace ropewalk
