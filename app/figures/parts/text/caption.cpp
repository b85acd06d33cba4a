#include "app/figures/parts/text/caption.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <initializer_list>
#include <map>
#include <sstream>

#include "app/figures/parts/text/value_in_words.h"
#include "app/plot/theme.h"
#include "core/attention/attention.h"
#include "core/experiment/settings.h"
#include "core/models/run/intervention.h"
#include "core/text/number.h"

namespace ropewalk {
namespace {

/// Returns ", sharpness α 10" for every number of the chosen alternative, except numbers of samples, and for every
/// choice that is not the default. Leaves out the omitted fields.
std::string numbers_of(const ConstChoiceRef& choice, std::initializer_list<std::string_view> omitted = {}) {
    std::string text;
    const auto defaults = defaults_of(choice.fields().type()).list();
    std::size_t at = 0;
    choice.fields().for_each([&](const Field& field, const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        [[maybe_unused]] const FieldValue& usual = defaults[at++].value;
        if (field.meaning == Meaning::samples) return;
        if (std::find(omitted.begin(), omitted.end(), field.name) != omitted.end()) return;
        if constexpr (std::is_same_v<T, EnumRef>)
            if (value.value() != std::get<EnumRef>(usual).value())
                text += fmt::format(", {} {}", uncapitalised(field.label), value.name().title);
        if constexpr (std::is_same_v<T, bool>)
            if (value != *std::get<bool*>(usual))
                text += fmt::format(", {} {}", uncapitalised(field.label), value ? "on" : "off");
        if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
            if (static_cast<double>(value) != field.min || !*field.min_means)
                text += fmt::format(", {} {}", uncapitalised(field.label), readable(static_cast<double>(value)));
    });
    return text;
}

/// Returns "trained on “Recall” for 500 steps", its encoding unless it is the shown one, and a seed that is not the
/// usual one.
std::string training_in_words(const Encoding& shown, const TrainedHead& trained, TrainingDetail detail) {
    const Recipe& recipe = trained.recipe;
    const std::string steps = trained.step < 0 || trained.step == recipe.steps
                                  ? readable(recipe.steps)
                                  : fmt::format("{} of {}", readable(trained.step), readable(recipe.steps));
    const std::string encoding = title_of(recipe.encoding) + numbers_of(recipe.encoding);
    if (detail == TrainingDetail::full)
        return fmt::format("trained for {} steps on “{}”{}, with {}{}, {}, {} per layer, training length L {}, seed {}",
                           steps, title_of(recipe.task), numbers_of(recipe.task), encoding,
                           recipe.rope_heads == Recipe{}.rope_heads ? "" : ", heads with RoPE: " + recipe.rope_heads,
                           readable(recipe.layers, "layers"), readable(recipe.heads, "heads"), readable(recipe.context),
                           recipe.seed);
    std::string text = fmt::format("trained on “{}” for {} steps", title_of(recipe.task), steps);
    if (!(recipe.encoding == shown)) text += " with " + encoding;
    if (recipe.seed != Recipe{}.seed) text += fmt::format(", seed {}", recipe.seed);
    return text;
}

/// Returns "Gaussian", its numbers and choices, and what it was trained on.
std::string construction_in_words(const Experiment& experiment, TrainingDetail detail) {
    const Construction& construction = experiment.construction;
    const std::string title = title_of(construction);
    const auto trained = trained_head_of(construction);
    if (!trained) return title + numbers_of(construction);
    return title + numbers_of(construction, {"source", "step"}) + ", " +
           training_in_words(experiment.encoding, *trained, detail);
}

/// Returns "$d_0$" for "d₀".
std::string as_formula_of(std::string symbol) {
    for (const auto& [index, tex] : {std::pair{"₀", "_0"}, {"ₜ", "_t"}})
        if (symbol.ends_with(index)) symbol.replace(symbol.size() - std::string_view(index).size(), symbol.npos, tex);
    return "$" + symbol + "$";
}

/// Returns "p-RoPE", "Factor s 8", "Exponent −2t/(d−2)"; with symbols "$s$ = 8".
template <class T>
std::string in_words(const Field& field, const T& value, SettingStyle style) {
    const std::string words = value_in_words(field, value, Units::omitted);
    if (std::is_same_v<T, ConstChoiceRef>) return words;
    const std::string symbol = style == SettingStyle::symbol ? symbol_of(field) : std::string();
    return symbol.empty() ? fmt::format("{} {}", field.label, words)
                          : fmt::format("{} = {}", as_formula_of(symbol), words);
}

}  // namespace

std::string uncapitalised(std::string_view label) {
    const auto letter = [&](std::size_t i) { return i < label.size() ? static_cast<unsigned char>(label[i]) : 0; };
    std::string text(label);
    if (std::isupper(letter(0)) && std::islower(letter(1))) text[0] = static_cast<char>(std::tolower(letter(0)));
    return text;
}

std::string with_readable_numbers(const std::string& sentence) {
    constexpr double min = 1e-4, max = 1e4;  // numbers between them stay as they are
    std::string text;
    std::istringstream words(sentence);
    for (std::string word; words >> word;) {
        const std::size_t end = word.find_last_not_of(",;:.") + 1;
        const double number = number_of<double>(std::string_view(word).substr(0, end)).value_or(0);
        const bool is_plain = number == 0 || (number >= min && number < max);
        if (!is_plain) word = readable(number, 7) + word.substr(end);
        text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

std::string with_labels(const std::string& sentence, const ConstGroupRef& group) {
    std::map<std::string, std::string, std::less<>> labels;
    walk_fields(group, [&](const std::string& path, const Field& field, const auto&) {
        const bool is_no_word = path.find_first_of("._") != std::string::npos;  // unlike "mask", which is also a word
        if (field.in_controls && is_no_word) labels[path] = field.label;
    });
    const auto is_of_path = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
    std::string text;
    for (auto at = sentence.begin(); at != sentence.end();) {
        if (!is_of_path(*at)) {
            text += *at++;
            continue;
        }
        auto end = std::find_if_not(at, sentence.end(), is_of_path);
        while (end - at > 1 && *(end - 1) == '.') --end;  // the sentence's full stop
        const std::string word(at, end);
        const auto found = labels.find(word);
        text += found == labels.end() ? word : found->second;
        at = end;
    }
    return text;
}

std::vector<std::string> set_paths(const std::string& settings) {
    std::vector<std::string> paths;
    for (const std::string& setting : settings_in(settings)) paths.push_back(setting.substr(0, setting.find('=')));
    return paths;
}

std::vector<std::string> differing_paths(const Experiment& from, const Experiment& to) {
    return set_paths(in_one_line(settings_between(from, to)));
}

std::string difference_in_words(const Experiment& current, const Experiment& other) {
    if (other == current) return "identical to the current head";
    const std::string values = caption_of(other, differing_paths(current, other));
    return values.empty() ? "another version of the same file" : values;
}

SettingStyle setting_style(const Theme& theme) {
    return theme.is_paper ? SettingStyle::symbol : SettingStyle::label;
}

ComparedNames compared_names(const Experiment& own, const Experiment& reference, SettingStyle style) {
    constexpr std::size_t most_paths = 2, longest = 40;  // bytes
    std::vector<std::string> paths = differing_paths(reference, own);
    const auto is_within_another = [all = paths](const std::string& path) {
        return std::any_of(all.begin(), all.end(),
                           [&](const std::string& other) { return path.starts_with(other + "."); });
    };
    std::erase_if(paths, is_within_another);  // another encoding says enough
    if (paths.size() > most_paths) return {};
    const std::string of_own = caption_of(own, paths, style), of_reference = caption_of(reference, paths, style);
    const bool are_short = !of_own.empty() && !of_reference.empty() && of_own != of_reference &&
                           std::max(of_own.size(), of_reference.size()) <= longest;
    return are_short ? ComparedNames{of_own, of_reference + " (reference)"} : ComparedNames{};
}

std::string caption_of(const Experiment& experiment, const std::vector<std::string>& paths, SettingStyle style) {
    std::string text;
    walk_fields(experiment, [&](const std::string& path, const Field& field, const auto& value) {
        if (std::find(paths.begin(), paths.end(), path) != paths.end())
            text += (text.empty() ? "" : " · ") + in_words(field, value, style);
    });
    return text;
}

std::string caption(const Experiment& experiment, Depicted depicted, TrainingDetail detail) {
    if (depicted == Depicted::publication) return {};
    if (auto trained = trained_head_of(experiment.construction);
        trained && (depicted == Depicted::training || depicted == Depicted::model)) {
        if (depicted == Depicted::training) trained->step = -1;  // its curves do not end at the shown step
        std::string text = training_in_words(experiment.encoding, *trained, TrainingDetail::full);
        text.front() = 'T';
        const std::size_t interventions = interventions_of(experiment.construction).size();
        if (depicted == Depicted::model && interventions > 0)
            text += ", with " + readable(static_cast<double>(interventions), "interventions");
        return text;
    }
    const bool has_head = depicted != Depicted::encoding;
    std::string text = title_of(experiment.encoding) + numbers_of(experiment.encoding);
    if (const std::string note = note_of(experiment.encoding, experiment.shape()); !note.empty())
        text += ", " + with_readable_numbers(note.substr(0, note.find(':')));  // the rest explains it
    if (has_head) text += " · " + construction_in_words(experiment, detail);
    text += fmt::format(" · d = {} · N = {}", experiment.head_dim, readable(experiment.seq_len));
    if (has_head && experiment.seed != Experiment{}.seed && depends_on_seed(experiment))
        text += fmt::format(" · seed {}", experiment.seed);
    if (has_head && experiment.scale == Scale::sqrt_d) text += " · scale 1/√d";
    if (has_head && experiment.scale == Scale::value)
        text += fmt::format(" · scale {}", readable(experiment.scale_value));
    if (has_head && experiment.softcap != 0) text += fmt::format(" · softcap {}", readable(experiment.softcap));
    if (has_head && experiment.temperature != 1)
        text += fmt::format(" · temperature {}", readable(experiment.temperature));
    if (has_head && experiment.mask == Mask::none) text += " · no mask";
    if (has_head && experiment.mask == Mask::window)
        text += fmt::format(" · window {}", readable(experiment.window, "tokens"));
    if (!(experiment.positions == Positions{}))
        text += fmt::format(" · positions {} + {}·i", readable(static_cast<double>(experiment.positions.start)),
                            readable(experiment.positions.stride));
    return text;
}

}  // namespace ropewalk
