#include "app/figures/page/figure_titles.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/figures/parts/text/value_in_words.h"
#include "core/fields/fields_io.h"

namespace ropewalk {
namespace {

/// Returns whether the figure has several options of the same enum type.
bool has_others_of(const EnumRef& option, const ConstChoiceRef& figure) {
    int alike = 0;
    figure.fields().for_each([&](const Field&, const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, EnumRef>) alike += value.is_same_enum(option);
    });
    return alike > 1;
}

/// Returns an option as a title shows it: "Weights", "2048 positions", "Factor s 8", "Compare at s: encoding's". The
/// label is included where the value alone is ambiguous. Empty for lists and texts.
template <class T>
std::string in_title(const Field& field, const T& value, const ConstChoiceRef& figure) {
    bool is_named = !*field.unit;
    if constexpr (std::is_same_v<T, EnumRef>)
        is_named = has_others_of(value, figure);
    else if constexpr (!std::is_arithmetic_v<T>)
        return {};
    else if (*field.min_means && static_cast<double>(value) == field.min)
        return fmt::format("{}: {}", field.label, field.min_means);
    return (is_named ? field.label + std::string(" ") : std::string()) + value_in_words(field, value);
}

/// Returns the first option that differs between two figures of one kind, with `figure`'s value; empty if none differs.
std::string first_difference(const ConstChoiceRef& figure, const ConstChoiceRef& other) {
    std::vector<std::string> others;
    other.fields().for_each([&](const Field&, const auto& value) {
        if constexpr (requires { text_of(value); })
            others.push_back(text_of(value));
        else
            others.emplace_back();
    });
    std::string difference;
    std::size_t at = 0;
    figure.fields().for_each([&](const Field& field, const auto& value) {
        const std::string& before = others[at++];
        if constexpr (requires { text_of(value); })
            if (difference.empty() && field.in_controls && text_of(value) != before)
                difference = in_title(field, value, figure);
    });
    return difference;
}

}  // namespace

std::string title_among(std::span<const Figure> figures, std::size_t which) {
    const Figure& figure = figures[which];
    const auto own_name_beside = [&](const Figure& other) {
        const auto name = own_name(figure);
        return name ? *name : first_difference(figure, other);
    };
    std::string title = title_of(figure), own;
    for (const Figure& other : figures)
        if (own.empty() && other.index() == figure.index() && &other != &figure) own = own_name_beside(other);
    if (!own.empty()) title.append(title_separator) += own;
    const auto alike_before = std::count(figures.begin(), figures.begin() + static_cast<std::ptrdiff_t>(which), figure);
    if (alike_before > 0) title.append(title_separator) += std::to_string(alike_before + 1);
    return title;
}

std::string brief_title_among(std::span<const Figure> figures, std::size_t which) {
    const Figure& figure = figures[which];
    return title_among(figures, which).replace(0, std::string_view(title_of(figure)).size(), brief_title_of(figure));
}

std::string_view distinction_of(std::string_view title) {
    const std::size_t end = title.find(title_separator);
    return end == title.npos ? title : title.substr(end + title_separator.size());
}

}  // namespace ropewalk
