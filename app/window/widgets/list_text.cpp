#include "app/window/widgets/list_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/fields/fields.h"

namespace ropewalk {
namespace {

std::string shown_number(double value) {
    constexpr std::size_t few = 8;  // characters
    std::string all = text_of(value);
    return all.size() <= few ? all : fmt::format("{:.6g}", value);
}

bool reads_as(double edited, double before) {
    double shown = before;
    parse_leaf(shown_number(before), shown);
    return edited == shown;
}

}  // namespace

std::string shown_list(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : ", ") + shown_number(value);
    return text;
}

std::string list_at_rest(const std::vector<double>& values) {
    std::string text;
    for (const char c : shown_list(values)) c == '-' ? text += "−" : text += c;
    return text;
}

std::vector<double> with_digits_of(const std::vector<double>& before, std::vector<double> edited) {
    const std::size_t shared = std::min(before.size(), edited.size());
    std::size_t unchanged = 0;
    for (; unchanged < shared && reads_as(edited[unchanged], before[unchanged]); ++unchanged)
        edited[unchanged] = before[unchanged];
    for (std::size_t back = 1; back <= shared - unchanged; ++back) {
        double& number = edited[edited.size() - back];
        const double own = before[before.size() - back];
        if (!reads_as(number, own)) break;
        number = own;
    }
    return edited;
}

}  // namespace ropewalk
