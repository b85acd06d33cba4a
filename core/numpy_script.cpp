#include "core/numpy_script.h"

#include <fmt/format.h>

#include <vector>

namespace ropewalk {
namespace {

constexpr std::size_t most_numbers_written_out = 1 << 15;
constexpr int longest_whole_matrix = 2048;

std::string list_of(const std::vector<double>& values) {
    return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string frequencies(const Lowered& lowered) {
    std::vector<double> values;
    for (const long double w : lowered.inv_freq) values.push_back(static_cast<double>(w));
    return list_of(values);
}

/// "q = …": one row for all tokens, all rows, or a file.
std::string rows_of(const char* name, const RowSource& source, const Problem& problem) {
    const auto width = static_cast<std::size_t>(problem.head_dim());
    std::vector<double> row(width);
    if (source.is_constant()) {
        source.read(0, row);
        return fmt::format("{} = np.tile({}, (N, 1))\n", name, list_of(row));
    }
    if (width * static_cast<std::size_t>(problem.seq_len) > most_numbers_written_out)
        return fmt::format("{0} = in_pairs(np.load('{0}.npy'))  # ropewalk data SCENE {0} -o {0}.npy\n", name);
    std::string text = fmt::format("{} = np.array([\n", name);
    for (int token = 0; token < problem.seq_len; ++token) {
        source.read(token, row);
        text += list_of(row) + ",\n";
    }
    return text + "])\n";
}

/// The position that a map gives to the positions p, in Python.
std::string mapped(const char* p, const PositionMap& map) {
    std::string text = map.group == 1 ? p : fmt::format("np.floor_divide({}, {})", p, map.group);
    if (map.offset != 0) text += fmt::format(" + {}", static_cast<double>(map.offset));
    return text;
}

/// What a regime makes of a row of queries and of all keys: "score(q, k, m, n)" of it.
std::string regime(const char* name, const Regime& maps, const Lowered& lowered) {
    const bool is_damped = !lowered.damping.empty();
    std::string text = fmt::format("def {}(i):\n", name);
    text += fmt::format("    a, b = encoded(q[i:i + 1], {}), encoded(k, {})\n", mapped("m[i:i + 1]", maps.query),
                        mapped("m", maps.key));
    text += "    parts = a * b\n";
    if (is_damped) text += "    parts *= np.repeat(np.exp(-damping * (m[i] - m)[:, None]), 2, axis=1)\n";
    return text + "    return attention_scaling**2 * parts.sum(axis=1)\n\n";
}

std::string encoding(const Lowered& lowered) {
    if (!lowered.rotates()) {
        return fmt::format(
            "waves = np.array([{}])  # of each channel: sine (even) or cosine (odd) of pair wave // 2\n\n"
            "def encoded(x, m):\n"
            "    angle = m[:, None] * w[waves // 2]\n"
            "    return x + np.where(waves % 2 == 0, np.sin(angle), np.cos(angle))\n\n",
            fmt::join(lowered.added_waves, ", "));
    }
    return "def encoded(x, m):\n"
           "    angle = m[:, None] * w\n"
           "    c, s = np.cos(angle), np.sin(angle)\n"
           "    y = np.empty((len(m), 2 * len(w)))\n"
           "    y[:, 0::2] = x[:, 0::2] * c - x[:, 1::2] * s\n"
           "    y[:, 1::2] = x[:, 0::2] * s + x[:, 1::2] * c\n"
           "    return y\n\n";
}

std::string positions(const Problem& problem) {
    if (!problem.lowered.positions)
        return fmt::format("m = {} + {} * np.arange(N)  # positions\n", problem.positions.start,
                           problem.positions.stride);
    std::vector<std::int64_t> all;
    for (int token = 0; token < problem.seq_len; ++token) all.push_back(problem.position(token));
    return fmt::format("m = np.array([{}])  # positions\n", fmt::join(all, ", "));
}

/// Channels as they stand in a file, brought into pair order.
std::string pairs(const Problem& problem, Pairing pairing) {
    const PairLayout layout{pairing, problem.head_dim(), problem.lowered.rotary_dim};
    std::vector<int> order;
    for (int pair = 0; pair < problem.lowered.pairs(); ++pair)
        order.insert(order.end(), {layout.first(pair), layout.second(pair)});
    return fmt::format("def in_pairs(x):\n    return x[:, [{}]].astype(float)\n\n", fmt::join(order, ", "));
}

}  // namespace

std::string numpy_script(const Problem& problem, const Cursor& cursor, Pairing pairing, const std::string& about) {
    const Lowered& lowered = problem.lowered;
    const std::string sources = rows_of("q", problem.inputs.q, problem) + rows_of("k", problem.inputs.k, problem);
    std::string text = fmt::format("# {}\nimport numpy as np\n\n", about);
    text += fmt::format("N = {}  # tokens\n", problem.seq_len) + positions(problem);
    text += fmt::format("w = np.array({})  # inverse frequencies, rad/token\n", frequencies(lowered));
    text += fmt::format("attention_scaling = {}\nscale = {}\ntemperature = {}\nbias_slope = {}\n",
                        lowered.attention_scaling, problem.scale, problem.temperature, lowered.bias_slope);
    if (!lowered.damping.empty()) {
        std::vector<double> damping(lowered.damping.begin(), lowered.damping.end());
        text += fmt::format("damping = np.array({})  # nepers/token\n", list_of(damping));
    }
    text += "\n";
    if (sources.find("in_pairs") != std::string::npos) text += pairs(problem, pairing);
    text += "# Unrotated queries and keys, [N, 2 * pairs]: channels 2t and 2t + 1 are pair t.\n" + sources + "\n";
    text += encoding(lowered) + regime("near", lowered.near, lowered);
    if (lowered.far) text += regime("far", lowered.far->maps, lowered);
    text += "def logits(i):\n";
    text += lowered.far ? fmt::format("    scores = np.where(m[i] - m >= {}, far(i), near(i))\n", lowered.far->window)
                        : "    scores = near(i)\n";
    text += "    row = (scale * scores - bias_slope * (m[i] - m)) / temperature\n";
    if (problem.mask == Mask::causal) text += "    row[i + 1:] = -np.inf\n";
    text +=
        "    return row\n\n"
        "def weights(i):\n"
        "    row = logits(i)\n"
        "    row = np.exp(row - row.max())\n"
        "    return row / row.sum()\n\n";
    if (problem.seq_len <= longest_whole_matrix)
        text += "# The whole matrix: np.stack([weights(i) for i in range(N)])\n";
    return text + fmt::format(
                      "i, j = {}, {}\nprint(f'logit {{logits(i)[j]:.17g}}')\nprint(f'weight {{weights(i)[j]:.17g}}')\n",
                      cursor.query, cursor.key);
}

}  // namespace ropewalk
