#include "core/evaluation/numpy_script.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ropewalk {
namespace {

constexpr std::size_t most_numbers_written_out = 1 << 15;
constexpr int longest_whole_matrix = 2048;

std::string list_of(const std::vector<double>& values) {
    return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string list_of_frequencies(const LoweredEncoding& lowered) {
    std::vector<double> values;
    for (const long double w : lowered.inv_freq) values.push_back(static_cast<double>(w));
    return list_of(values);
}

/// Returns Python code with the different rows and the row of each token; nothing if there are many different rows.
std::optional<std::string> few_rows(const char* name, const RowSource& source, const Problem& problem) {
    const auto width = static_cast<std::size_t>(problem.head_dim());
    std::map<std::vector<double>, std::size_t> numbers;
    std::vector<std::size_t> of_token;
    std::string written;
    if (static_cast<std::size_t>(problem.seq_len) > most_numbers_written_out) return std::nullopt;
    std::vector<double> row(width);
    for (int token = 0; token < problem.seq_len; ++token) {
        source.read(token, row);
        const auto [known, is_new] = numbers.try_emplace(row, numbers.size());
        of_token.push_back(known->second);
        if (is_new) written += list_of(row) + ",\n";
        if (numbers.size() * width > most_numbers_written_out) return std::nullopt;
    }
    const bool all_differ = numbers.size() == of_token.size();
    return fmt::format("{} = np.array([\n{}]){}\n", name, written,
                       all_differ ? std::string() : fmt::format("[[{}]]", fmt::join(of_token, ", ")));
}

/// Returns code for Gaussian rows of the tokens in a Python expression, such as "0.5 * gaussian(1, np.arange(N))".
std::string drawn(const DrawnRow& row, const std::string& tokens) {
    std::string text = row.mean.empty() ? "" : fmt::format("np.array({}) + ", list_of(row.mean));
    if (row.deviation != 1) text += fmt::format("{} * ", row.deviation);
    return text + fmt::format("gaussian({}, {})", static_cast<int>(row.stream),
                              row.token ? fmt::format("np.array([{}])", *row.token) : tokens);
}

/// Returns code that draws rows as `fill_gaussian` does.
std::string drawn_rows(const char* name, const DrawnRows& rows) {
    std::string text = fmt::format("{} = np.empty((N, 2 * len(w)))\n", name);
    const std::size_t kinds = rows.in_turn.size();
    for (std::size_t first = 0; first < kinds; ++first)
        text += fmt::format("{}[{}::{}] = {}\n", name, first, kinds,
                            drawn(rows.in_turn[first], fmt::format("np.arange({}, N, {})", first, kinds)));
    if (rows.of_last)
        text += fmt::format("{}[{}] = {}[0]\n", name, rows.last_token,
                            drawn(*rows.of_last, fmt::format("np.array([{}])", rows.last_token)));
    if (rows.silent_channels > 0) text += fmt::format("{}[:, :{}] = 0\n", name, rows.silent_channels);
    return text;
}

/// Code that assigns rows, and what it uses.
struct Rows {
    enum class From { numbers, generator, file };

    std::string code;
    From from = From::numbers;
};

/// Returns the assignment "q = …" from one row for all tokens, from few rows, from random draws, or from a file.
Rows rows_of(const char* name, const RowSource& source, const Problem& problem) {
    if (source.is_constant())
        return {fmt::format("{} = np.tile({}, (N, 1))\n", name, list_of(source.row(0, problem.head_dim())))};
    if (auto few = few_rows(name, source, problem)) return {std::move(*few)};
    if (source.drawn()) return {drawn_rows(name, *source.drawn()), Rows::From::generator};
    return {fmt::format("{0} = in_pairs(np.load('{0}.npy'))  # written by: ropewalk data SCENE {0} -o {0}.npy\n", name),
            Rows::From::file};
}

/// Returns the definition of "gaussian(stream, tokens)", which gives rows [tokens, head_dim] in pair order.
std::string generator(std::int64_t seed) {
    const auto words = static_cast<std::uint64_t>(seed);
    return fmt::format(
        "def gaussian(stream, tokens):  # Philox4x32-10 (Salmon et al. 2011), 53-bit uniforms, normal quantiles\n"
        "    low = np.uint64(0xFFFFFFFF)\n"
        "    token, pair = np.meshgrid(tokens.astype(np.uint64), np.arange(len(w), dtype=np.uint64), indexing='ij')\n"
        "    c = [token, pair, np.zeros_like(token), np.full_like(token, stream)]\n"
        "    key = [{}, {}]\n"
        "    for _ in range(10):\n"
        "        a, b = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]\n"
        "        high = [(x >> np.uint64(32)) ^ y ^ np.uint64(z) for x, y, z in zip((b, a), (c[1], c[3]), key)]\n"
        "        c = [high[0], b & low, high[1], a & low]\n"
        "        key = [(key[0] + 0x9E3779B9) % 2**32, (key[1] + 0xBB67AE85) % 2**32]\n"
        "    words = np.stack([c[1] << np.uint64(32) | c[0], c[3] << np.uint64(32) | c[2]], axis=-1)\n"
        "    p = ((words >> np.uint64(11)).astype(float) + 0.5) * 2.0**-53\n"
        "    quantile = statistics.NormalDist().inv_cdf\n"
        "    return np.array([quantile(x) for x in p.ravel().tolist()]).reshape(len(tokens), -1)\n\n",
        words & 0xFFFFFFFF, words >> 32);
}

/// Returns the Python expression for the positions `p` after a map.
std::string mapped(const char* p, const PositionMap& map) {
    std::string text = map.group == 1 ? p : fmt::format("np.floor_divide({}, {})", p, map.group);
    if (map.offset != 0) text += fmt::format(" + {}", static_cast<double>(map.offset));
    return text;
}

/// Returns the definition of a function `name`(i): the scores of query i and all keys in a regime.
std::string regime(const char* name, const Regime& maps, const LoweredEncoding& lowered) {
    const bool is_damped = !lowered.damping.empty();
    std::string text = fmt::format("def {}(i):\n", name);
    text += fmt::format("    a, b = encoded(q[i:i + 1], {}), encoded(k, {})\n", mapped("m[i:i + 1]", maps.query),
                        mapped("m", maps.key));
    text += "    parts = a * b\n";
    if (is_damped) text += "    parts *= np.repeat(np.exp(-damping * (m[i] - m)[:, None]), 2, axis=1)\n";
    return text + "    return attention_scaling**2 * parts.sum(axis=1)\n\n";
}

std::string encoding(const LoweredEncoding& lowered) {
    if (!lowered.rotates()) {
        return fmt::format(
            "waves = np.array([{}])  # per channel: sine (even) or cosine (odd) of pair wave // 2\n\ndef encoded(x, "
            "m):\n    angle = m[:, None] * w[waves // 2]\n    return x + np.where(waves % 2 == 0, np.sin(angle), "
            "np.cos(angle))\n\n",
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

/// Returns the definition of "in_pairs", which brings the channels of a file into pair order.
std::string pairs(const Problem& problem, Pairing pairing) {
    const PairLayout layout{pairing, problem.head_dim(), problem.lowered.rotary_dim};
    std::vector<int> order;
    for (int pair = 0; pair < problem.lowered.pairs(); ++pair)
        order.insert(order.end(), {layout.first(pair), layout.second(pair)});
    return fmt::format("def in_pairs(x):\n    return x[:, [{}]].astype(float)\n\n", fmt::join(order, ", "));
}

}  // namespace

NumpyScript numpy_script(const Problem& problem, const Cursor& cursor, Pairing pairing, const std::string& about,
                         const std::string& frequencies) {
    const LoweredEncoding& lowered = problem.lowered;
    const Rows q = rows_of("q", problem.inputs.q, problem), k = rows_of("k", problem.inputs.k, problem);
    const auto comes = [&](Rows::From from) { return q.from == from || k.from == from; };
    const bool draws = comes(Rows::From::generator), loads = comes(Rows::From::file);
    std::string text = fmt::format("# {}\n{}import numpy as np\n\n", about, draws ? "import statistics\n\n" : "");
    text += fmt::format("N = {}  # tokens\n", problem.seq_len) + positions(problem);
    text += frequencies.empty() ? fmt::format("w = np.array({})\n", list_of_frequencies(lowered)) : frequencies;
    text += "# w: frequencies (inv_freq), rad/token\n";
    text += fmt::format("attention_scaling = {}\nscale = {}\ntemperature = {}\nbias_slope = {}\n",
                        lowered.attention_scaling, problem.scale, problem.temperature, lowered.bias_slope);
    if (problem.softcap != 0) text += fmt::format("softcap = {}\n", problem.softcap);
    if (problem.mask == Mask::window) text += fmt::format("window = {}  # keys that a query sees\n", problem.window);
    if (!lowered.damping.empty()) {
        std::vector<double> damping(lowered.damping.begin(), lowered.damping.end());
        text += fmt::format("damping = np.array({})  # nepers/token\n", list_of(damping));
    }
    text += "\n";
    if (loads) text += pairs(problem, pairing);
    if (draws) {
        const DrawnRows* const rows = problem.inputs.q.drawn() ? problem.inputs.q.drawn() : problem.inputs.k.drawn();
        text += generator(rows->seed);
    }
    text += "# Queries and keys before rotation, [N, 2 * pairs]. Channels 2t and 2t + 1 are pair t.\n" + q.code +
            k.code + "\n";
    text += encoding(lowered) + regime("near", lowered.near, lowered);
    if (lowered.far) text += regime("far", lowered.far->maps, lowered);
    text += "def logits(i):\n";
    text += lowered.far ? fmt::format("    scores = np.where(m[i] - m >= {}, far(i), near(i))\n", lowered.far->window)
                        : "    scores = near(i)\n";
    text += "    row = scale * scores - bias_slope * (m[i] - m)\n";
    if (problem.softcap != 0) text += "    row = softcap * np.tanh(row / softcap)\n";
    text += "    row /= temperature\n";
    if (problem.mask != Mask::none) text += "    row[i + 1:] = -np.inf\n";
    if (problem.mask == Mask::window) text += "    row[:max(0, i + 1 - window)] = -np.inf\n";
    text +=
        "    return row\n\n"
        "def weights(i):\n"
        "    row = logits(i)\n"
        "    row = np.exp(row - row.max())\n"
        "    return row / row.sum()\n\n";
    if (problem.seq_len <= longest_whole_matrix)
        text += "# The whole matrix: np.stack([weights(i) for i in range(N)])\n";
    text +=
        fmt::format("i, j = {}, {}\nprint(f'logit {{logits(i)[j]:.17g}}')\nprint(f'weight {{weights(i)[j]:.17g}}')\n",
                    cursor.query, cursor.key);
    return {std::move(text), loads};
}

}  // namespace ropewalk
