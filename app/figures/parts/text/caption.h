// An experiment in words, for captions and legends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/experiment/experiment.h"

namespace ropewalk {

struct Theme;

/// How settings are written: "First channel d₀ 32", or "$d_0$ = 32" as on paper where the label has a symbol.
enum class SettingStyle { label, symbol };
SettingStyle setting_style(const Theme& theme);

/// The names of two heads in a legend.
struct ComparedNames {
    std::string own = "current", reference = "reference";
};
/// Returns names that say what differs, if that is short: "Base θ 500 000" and "Base θ 10 000 (reference)".
ComparedNames compared_names(const Experiment& own, const Experiment& reference,
                             SettingStyle style = SettingStyle::label);

/// Returns a label as used within a sentence: "base θ", but "BOS channel".
std::string uncapitalised(std::string_view label);

/// What a picture depends on: the whole head, the encoding only, the training of its model only, that model at the
/// shown step with its interventions, or nothing in the experiment.
enum class Depicted { head, encoding, training, model, publication };

/// Returns what two pictures depend on together.
inline Depicted united(Depicted a, Depicted b) {
    const auto is_of_model = [](Depicted each) { return each == Depicted::training || each == Depicted::model; };
    if (a == b || b == Depicted::publication) return a;
    if (a == Depicted::publication) return b;
    return is_of_model(a) && is_of_model(b) ? Depicted::model : Depicted::head;
}

/// How much a caption says about the training of a head's model: the task, the steps and what is unusual, as in the
/// window, or also the layers, heads, length, seed and encoding of the training, as on a page.
enum class TrainingDetail { brief, full };

/// Returns the caption of an experiment, "RoPE, base θ 10 000 · All ones · d = 64 · N = 256"; empty for `publication`.
std::string caption(const Experiment& experiment, Depicted depicted = Depicted::head,
                    TrainingDetail detail = TrainingDetail::brief);

/// Returns a sentence with its numbers formatted as beside sliders: "1 048 576" for 1048576, "−0.2" for -0.2, "2×10⁻⁵".
std::string with_readable_numbers(const std::string& sentence);
/// Returns the sentence with the paths of the group's fields replaced by their labels.
std::string with_labels(const std::string& sentence, const ConstGroupRef& group);

/// Returns the values of the fields at these paths, as far as the experiment has them: "YaRN · Factor s 8".
std::string caption_of(const Experiment& experiment, const std::vector<std::string>& paths,
                       SettingStyle style = SettingStyle::label);

/// Returns the paths that are set by space-separated settings in the form of `--set`.
std::vector<std::string> set_paths(const std::string& settings);

/// Returns the paths to set in `from` to obtain `to`.
std::vector<std::string> differing_paths(const Experiment& from, const Experiment& to);
/// Returns how another head differs from the current one: the values of its fields, or that it does not.
std::string difference_in_words(const Experiment& current, const Experiment& other);

}  // namespace ropewalk
