// A part of an axis of tokens, with zooming and panning.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/attention/attention.h"
#include "core/fields/fields.h"

namespace ropewalk {

/// A part of an axis in tokens; (0, 0) is all of it.
struct TokenRange {
    double low = 0, high = 0;

    bool operator==(const TokenRange&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "low", .label = "From", .min = -1, .max = 1 << 21, .help = "First token shown."}, s.low);
        f(Field{.name = "high",
                .label = "To",
                .min = -1,
                .max = 1 << 21,
                .help = "End of the tokens shown; 0 shows all."},
          s.high);
    }

    /// Returns a sentence if the range ends before it begins.
    std::optional<std::string> check(const char* name) const {
        if (low <= high || high == 0) return std::nullopt;
        return fmt::format("{0}.low is {1} and {0}.high is {2}; high must not be below low", name, low, high);
    }

    /// Returns the part inside [0, seq_len], or all of it if that is empty.
    TokenRange within(int seq_len) const {
        const TokenRange cut{std::clamp(low, 0.0, static_cast<double>(seq_len)),
                             std::clamp(high, 0.0, static_cast<double>(seq_len))};
        return cut.high - cut.low > 0 ? cut : TokenRange{0, static_cast<double>(seq_len)};
    }
    Interval tokens(int seq_len) const {
        const TokenRange cut = within(seq_len);
        return {static_cast<int>(std::floor(cut.low)), static_cast<int>(std::ceil(cut.high))};
    }

    /// Returns a range `factor` times as long in which the token `at` stays in place; at least four tokens, at most
    /// all.
    TokenRange zoomed(double at, double factor, int seq_len) const {
        constexpr double fewest_tokens = 4;
        const double size =
            std::clamp((high - low) * factor, std::min<double>(fewest_tokens, seq_len), static_cast<double>(seq_len));
        if (size >= seq_len) return {};
        const double begin = std::clamp(at - (at - low) * size / (high - low), 0.0, seq_len - size);
        return rounded({begin, begin + size});
    }
    /// Returns the range moved by `by` tokens, as far as the sequence allows.
    TokenRange shifted(double by, int seq_len) const {
        const double size = high - low;
        if (size >= seq_len) return {};
        const double begin = std::clamp(low + by, 0.0, seq_len - size);
        return rounded({begin, begin + size});
    }

  private:
    /// Rounds to thousandths of a token, finer than any pixel and short to write.
    static TokenRange rounded(const TokenRange& tokens_shown) {
        return {std::round(tokens_shown.low * 1e3) / 1e3, std::round(tokens_shown.high * 1e3) / 1e3};
    }
};

/// The part of the matrix that a figure shows.
struct Part {
    TokenRange rows, columns;

    bool operator==(const Part&) const = default;

    Part within(int seq_len) const { return {rows.within(seq_len), columns.within(seq_len)}; }
};

}  // namespace ropewalk
