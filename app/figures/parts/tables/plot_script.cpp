#include "app/figures/parts/tables/plot_script.h"

#include <fmt/format.h>

namespace ropewalk {
namespace {

/// Returns a character as in a Python string between single quotes.
std::string python_escaped(char c) {
    if (c == '\'' || c == '\\') return std::string("\\") + c;
    const bool is_control = static_cast<unsigned char>(c) < 0x20;
    return is_control ? fmt::format("\\x{:02x}", static_cast<int>(c)) : std::string(1, c);
}

std::string list_of_names(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
        text += text.empty() ? "'" : ", '";
        for (const char c : name) text += python_escaped(c);
        text += '\'';
    }
    return "[" + text + "]";
}

std::string array_of(const DataTable& table, const Cancel& cancel) {
    const auto width = static_cast<std::size_t>(table.shape.size() > 1 ? table.shape.back() : 1);
    std::string text;
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (i % width == 0) cancel.check();
        text += number_text(table, i);
        text += (i + 1) % width == 0 ? ",\n" : ", ";
    }
    return fmt::format("NaN, Infinity = np.nan, np.inf\ndata = np.array([\n{}]).reshape({})\n", text,
                       fmt::join(table.shape, ", "));
}

bool is_matrix(const DataTable& table) {
    return table.matrix || table.shape.size() == 3 || !table.row_labels.empty() ||
           (table.shape.size() == 2 && !table.columns.empty() && table.columns.front().ends_with("_0"));
}

constexpr const char* plot_of_matrix = R"(    shown = data if data.ndim == 2 else data[0]
    image = ax.imshow(shown, aspect='auto', interpolation='nearest')
    fig.colorbar(image)
)";
constexpr const char* plot_of_list = R"(    ax.bar(np.arange(len(data)), data)
    ax.set_ylabel(columns[0])
)";
constexpr const char* plot_of_curves = R"(    x = data[:, 0]
    for name, y in zip(columns[1:], data.T[1:]):
        if name != 'sigma':
            ax.plot(x, y, label=name, linewidth=1)
    if 'mean' in columns and 'sigma' in columns:
        mean, sigma = data[:, columns.index('mean')], data[:, columns.index('sigma')]
        ax.fill_between(x, mean - sigma, mean + sigma, alpha=0.22, linewidth=0)
    ax.set_xlabel(columns[0])
    ax.legend(frameon=False)
)";

}  // namespace

std::string plot_script(const DataTable& table, const Cancel& cancel) {
    const char* const plot = is_matrix(table)          ? plot_of_matrix
                             : table.shape.size() == 1 ? plot_of_list
                                                       : plot_of_curves;
    std::string text = fmt::format(
        "# The data of '{}'. Run this file to plot them with Matplotlib.\n"
        "import numpy as np\n\n"
        "columns = {}\n"
        "{}\n"
        "if __name__ == '__main__':\n"
        "    import matplotlib.pyplot as plt\n"
        "    fig, ax = plt.subplots(figsize=(3.35, 2.6), layout='constrained')\n",
        table.what, list_of_names(table.columns), table.formula.empty() ? array_of(table, cancel) : table.formula);
    return text + plot + "    plt.show()\n";
}

}  // namespace ropewalk
