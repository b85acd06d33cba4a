// A task as in language models: predict every next word of a text, from a small grammar or from a file (Barbero et al.
// 2024, arXiv:2410.06205, Table 2 and section 6, in miniature).
#pragma once

#include <map>
#include <string_view>

#include "core/training/tasks/common.h"
#include "core/training/tasks/story.h"

namespace ropewalk {

/// What a file is cut into.
enum class TextUnit { words, characters };
template <>
struct EnumText<TextUnit> {
    static constexpr std::array<EnumName, 2> names{{{"words", "Words"}, {"characters", "Characters"}}};
};

struct Language : TaskDefaults {
    static constexpr auto id = "language", title = "Language",
                          source = "Barbero et al. 2024, arXiv:2410.06205, section 6 and Table 2, in miniature";
    static constexpr auto summary = "Short stories, or a text of yours; at every word the model predicts the next.";
    static constexpr bool is_text = true;
    TextFile file;
    TextUnit unit = TextUnit::words;

    bool operator==(const Language&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "file",
                .label = "Text file",
                .help = "A text in UTF-8 in place of the stories. The model is trained on its first 90 % and tested on "
                        "the rest."},
          s.file);
        f(Field{.name = "unit",
                .label = "Tokens are",
                .in_controls = !s.file.path.empty(),
                .help = "Words and punctuation marks of the file, or its characters. The most frequent ones are tokens "
                        "of their own; token 0 replaces all others."},
          s.unit);
    }

    std::optional<std::string> check(const TaskShape& shape) const {
        if (file.path.empty())
            return check_vocabulary(shape, static_cast<int>(Story::words.size()), "the words of the stories");
        if (!file.content)
            return fmt::format(
                "task.file is '{}', which could not be read; put the file back and press Enter in its field",
                file.path);
        const std::size_t has = pieces().ranks.size(), needs = 10 * (longest_test * shape.context + std::size_t{1});
        if (has >= needs) return std::nullopt;
        std::string_view units = name_of(unit).id;
        if (has == 1) units.remove_suffix(1);
        return fmt::format("task.file has {} {}; with context = {} it must have at least {}{}", has, units,
                           shape.context, needs,
                           unit == TextUnit::words ? ", or be read with task.unit = characters" : "");
    }

    double chance(const TaskShape& shape) const {
        constexpr int sequences = 64, length = 1024;
        std::vector<int> tokens(length), targets(length);
        std::map<int, std::map<int, int>> followers;
        for (std::uint32_t i = 0; i < sequences; ++i) {
            UniformNumbers numbers({.stream = RandomStream::held_out, .token = i});
            write(shape, TaskPart::held_out, numbers, {tokens, targets});
            for (int at = 0; at < length; ++at) ++followers[tokens[at]][targets[at]];
        }
        int right = 0;
        for (const auto& [token, counts] : followers)
            right += std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
                         return a.second < b.second;
                     })->second;
        return static_cast<double>(right) / (sequences * length);
    }

    std::string token_name(int vocabulary, int token) const {
        if (!file.content)
            return token < static_cast<int>(Story::words.size()) ? std::string(Story::words[token])
                                                                 : std::to_string(token);
        const std::vector<std::string>& by_rank = pieces().by_rank;
        if (token == 0 || token >= vocabulary || token > static_cast<int>(by_rank.size())) return "…";
        return by_rank[static_cast<std::size_t>(token - 1)];
    }

    void write(const TaskShape& shape, TaskPart part, UniformNumbers& numbers, const TaskSequence& sequence) const {
        std::vector<int> text(sequence.tokens.size() + 1);
        if (file.content)
            copy_passage(shape, part, numbers, text);
        else
            Story(numbers).write(text);
        std::copy(text.begin(), text.end() - 1, sequence.tokens.begin());
        std::copy(text.begin() + 1, text.end(), sequence.targets.begin());
    }

  private:
    static constexpr std::size_t longest_test = 16;  // times the context

    const TextPieces& pieces() const {
        return unit == TextUnit::words ? file.content->words : file.content->characters;
    }

    /// Copies the passage from a random place of the part on; where the part ends, it starts again.
    void copy_passage(const TaskShape& shape, TaskPart part, UniformNumbers& numbers, std::vector<int>& text) const {
        const std::vector<std::uint16_t>& ranks = pieces().ranks;
        const std::size_t border = ranks.size() - ranks.size() / 10;
        const std::size_t first = part == TaskPart::training ? 0 : border,
                          count = part == TaskPart::training ? border : ranks.size() - border;
        // A passage that fits is never cut.
        const std::size_t starts = count >= text.size() ? count - text.size() + 1 : count;
        const auto start = static_cast<std::size_t>(draw_below(numbers, static_cast<int>(starts)));
        for (std::size_t i = 0; i < text.size(); ++i) {
            const int token = ranks[first + (start + i) % count] + 1;
            text[i] = token < shape.vocabulary ? token : 0;
        }
    }
};

}  // namespace ropewalk
