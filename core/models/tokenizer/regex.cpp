#include "core/models/tokenizer/regex.h"

#include <fmt/format.h>
#include <oniguruma.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/error.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr std::size_t max_pattern = 10'000;     // bytes
constexpr unsigned max_depth = 250;             // two for each group; the engine reads patterns recursively
constexpr unsigned max_stack = 4'000'000;       // entries, of one match; a run of a million letters needs a million
constexpr unsigned long max_steps = 1'000'000;  // backwards, of one search, beside two per byte of the text
// A search tries this many places before it looks at the clock: some patterns take long without a step backwards.
constexpr std::size_t search_window = 1024;

std::string regex_reason(int code, OnigErrorInfo* info = nullptr) {
    UChar text[ONIG_MAX_ERROR_MESSAGE_LEN];
    const int length = info ? onig_error_code_to_str(text, code, info) : onig_error_code_to_str(text, code);
    return as_utf8({reinterpret_cast<const char*>(text), static_cast<std::size_t>(std::max(length, 0))});
}

/// Oniguruma's global state is set up once, and compiles one pattern at a time.
std::mutex& compiling() {
    static std::mutex mutex;
    static const int initialized = [] {
        OnigEncoding encodings[] = {ONIG_ENCODING_UTF8};
        onig_set_parse_depth_limit(max_depth);
        return onig_initialize(encodings, 1);
    }();
    ensure(initialized == ONIG_NORMAL, "Oniguruma cannot be initialised");
    return mutex;
}

const UChar* bytes_of(std::string_view text) {
    return reinterpret_cast<const UChar*>(text.data());
}

struct RegexSearch {
    explicit RegexSearch(std::size_t bytes) {
        const unsigned long steps = max_steps + 2 * bytes;
        onig_initialize_match_param(limits);
        onig_set_match_stack_limit_size_of_match_param(limits, max_stack);
        onig_set_retry_limit_in_match_of_match_param(limits, steps);
        onig_set_retry_limit_in_search_of_match_param(limits, steps);
    }
    ~RegexSearch() {
        onig_free_match_param(limits);
        onig_region_free(region, 1);
    }
    RegexSearch(const RegexSearch&) = delete;
    RegexSearch& operator=(const RegexSearch&) = delete;

    OnigMatchParam* limits = onig_new_match_param();
    OnigRegion* region = onig_region_new();
};

/// Returns whether a pattern contains a call of a group, as in "\g<name>", even in a class, where it would be letters.
/// Nested calls take time exponential in their depth, to compile and to match.
bool calls_a_group(std::string_view pattern) {
    for (std::size_t at = pattern.find('\\'); at < pattern.size(); at = pattern.find('\\', at + 2))
        if (const auto called = pattern.substr(at + 1, 2); called == "g<" || called == "g'") return true;
    return false;
}

}  // namespace

Regex::Regex(const std::string& pattern, std::string where) : where_(std::move(where)) {
    if (pattern.size() > max_pattern)
        throw LimitError(fmt::format("{}: the pattern has {} bytes, more than the limit of {}", where_, pattern.size(),
                                     max_pattern));
    if (calls_a_group(pattern))
        throw InputError(
            where_ +
            ": the pattern calls a group with \\g, which can take exponentially long; repeat the group itself");
    const std::lock_guard lock(compiling());
    OnigRegex compiled = nullptr;
    OnigErrorInfo info;
    const int code = onig_new(&compiled, bytes_of(pattern), bytes_of(pattern) + pattern.size(), ONIG_OPTION_NONE,
                              ONIG_ENCODING_UTF8, ONIG_SYNTAX_ONIGURUMA, &info);
    if (code == ONIGERR_PARSE_DEPTH_LIMIT_OVER)
        throw LimitError(where_ + ": the pattern has too many groups within each other; simplify it");
    if (code != ONIG_NORMAL)
        throw InputError(fmt::format("{}: is not a valid pattern ({}); correct it", where_, regex_reason(code, &info)));
    compiled_ = std::shared_ptr<void>(compiled, [](void* regex) { onig_free(static_cast<OnigRegex>(regex)); });
}

std::vector<RegexSpan> Regex::spans(std::string_view text, Deadline deadline) const {
    std::vector<RegexSpan> spans;
    if (text.empty()) return spans;
    RegexSearch search(text.size());
    const UChar *begin = bytes_of(text), *end = begin + text.size();
    std::size_t from = 0, covered = 0;
    while (from <= text.size()) {
        std::size_t to = std::min(from + search_window, text.size());
        while (to < text.size() && (static_cast<unsigned char>(text[to]) & 0xc0) == 0x80) ++to;
        if (std::chrono::steady_clock::now() > deadline)
            throw LimitError(where_ + ": the pattern takes too long on this text; shorten the text");
        const int at = onig_search_with_param(static_cast<OnigRegex>(compiled_.get()), begin, end, begin + from,
                                              begin + to, search.region, ONIG_OPTION_NONE, search.limits);
        if (at == ONIG_MISMATCH) {
            if (to == text.size()) break;
            from = to;
            continue;
        }
        if (at < 0)
            throw LimitError(fmt::format("{}: the pattern takes too long on this text ({}); shorten the text", where_,
                                         regex_reason(at)));
        const auto match_begin = static_cast<std::size_t>(search.region->beg[0]);
        const auto match_end = static_cast<std::size_t>(search.region->end[0]);
        // An empty match right after a match, or after an empty match, is skipped.
        const bool follows = !spans.empty() && spans.back().is_match && spans.back().end == match_end;
        if (match_begin == match_end && follows) {
            if (from == text.size()) break;
            from += first_character(text.substr(from)).size();
            continue;
        }
        if (covered != match_begin) spans.push_back({covered, match_begin, false});
        spans.push_back({match_begin, match_end, true});
        covered = from = match_end;
    }
    if (covered != text.size()) spans.push_back({covered, text.size(), false});
    return spans;
}

std::string escaped(std::string_view text) {
    std::string pattern;
    for (const char c : text) {
        if (std::string_view("\\.+*?()|[]{}^$#&-~ \t\n").find(c) != std::string_view::npos) pattern += '\\';
        pattern += c;
    }
    return pattern;
}

}  // namespace ropewalk
