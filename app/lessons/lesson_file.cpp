#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>
#include <utility>

#include "app/lessons/lesson.h"
#include "app/lessons/split_text.h"
#include "core/error.h"

namespace ropewalk {
namespace {

constexpr std::string_view step_mark = "## ";

/// Reads the lines of one file in order. Every error names file and line.
class LessonReader {
  public:
    LessonReader(std::string_view text, const std::string& file) {
        lesson_.id = lesson_id(file);
        lesson_.number = lesson_number(file);
        lesson_.file = file;
        if (text.size() > max_lesson_bytes)
            throw InputError(
                fmt::format("{}: is {} bytes long; a lesson can have at most {}", file, text.size(), max_lesson_bytes));
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            lines_.emplace_back(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    Lesson read() {
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            line_ = static_cast<int>(i) + 1;
            if (const auto wrong = check_leaf("the line", Field{}, lines_[i])) reject(*wrong);
            try {
                read_line(lines_[i]);
            } catch (const std::exception& error) {
                reject(error.what());
            }
        }
        end_step();
        line_ = 1;
        if (lesson_.title.empty()) reject("the lesson has no 'title:'");
        if (lesson_.about.empty()) reject("the lesson has no 'about:'");
        if (lesson_.steps.empty()) reject("the lesson has no steps; a step begins with a line '## Its title'");
        return std::move(lesson_);
    }

  private:
    /// The part of a file that the current line belongs to.
    enum class Place { head, directives, expectations, prose, after };

    [[noreturn]] void reject(const std::string& sentence) const {
        const std::string begin = fmt::format("{}:{}: ", lesson_.file, line_);
        throw InputError(sentence.starts_with(begin) ? sentence : begin + sentence);
    }
    LessonStep& step() { return lesson_.steps.back(); }

    void read_line(std::string_view raw) {
        const std::string_view line = trimmed(raw);
        if (raw.starts_with(step_mark)) return begin_step(raw.substr(step_mark.size()));
        if (line.empty()) return end_paragraph();
        const auto [name, value] = directive(line);
        switch (place_) {
            case Place::head:
                if (!read_head(name, value))
                    throw InputError(
                        fmt::format("'{}' is not allowed before the first step; write title:, about: or source:, or "
                                    "begin a step with '## Its title'",
                                    line));
                return;
            case Place::expectations:
                if (read_expectation(raw, line)) return;
                [[fallthrough]];
            case Place::directives:
                if (name.empty()) {
                    place_ = Place::prose;
                    return add_to_paragraph(line);
                }
                place_ = Place::directives;
                return read_directive(name, value);
            case Place::prose:
            case Place::after:
                if (name == "after" && place_ == Place::prose) return read_after(value);
                if (is_directive(name))
                    throw InputError(fmt::format("'{}:' must come before the text of its step", name));
                return add_to_paragraph(line);
        }
    }

    /// Returns word and value of a line "word: value"; both empty for any other line.
    static std::pair<std::string, std::string> directive(std::string_view line) {
        const std::size_t colon = line.find(':');
        if (colon == line.npos || colon == 0) return {};
        const bool is_word = std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon),
                                         [](unsigned char c) { return std::islower(c); });
        if (!is_word || (colon + 1 < line.size() && line[colon + 1] != ' ')) return {};
        return {std::string(line.substr(0, colon)), std::string(trimmed(line.substr(colon + 1)))};
    }
    static constexpr std::array<std::string_view, 9> directives{"scene", "set",  "figures",  "point", "ask",
                                                                "do",    "done", "solution", "after"};
    static bool is_directive(std::string_view name) {
        return std::find(directives.begin(), directives.end(), name) != directives.end();
    }

    bool read_head(const std::string& name, const std::string& value) {
        for (const auto& [known, text] : {std::pair{"title", &lesson_.title}, std::pair{"about", &lesson_.about},
                                          std::pair{"source", &lesson_.source}}) {
            if (name != known) continue;
            state(name, value);
            *text = value;
            return true;
        }
        return false;
    }

    /// Throws InputError if the directive is empty or appears a second time.
    void state(const std::string& name, const std::string& value) {
        if (!stated_.insert(name).second) throw InputError(fmt::format("'{}:' appears twice", name));
        if (value.empty()) throw InputError(fmt::format("'{}:' is empty", name));
    }

    void read_directive(const std::string& name, const std::string& value) {
        if (!is_directive(name))
            throw InputError(
                fmt::format("unknown directive '{}'; the directives are {}", name, fmt::join(directives, ", ")));
        if (name == "set") return add_settings(step().settings, value);
        if (name == "solution") return add_settings(step().solution, value);
        if (name == "after") return read_after(value);
        state(name, value);
        if (name == "scene") read_scene(value);
        if (name == "point") read_pointer(value);
        if (name == "do") step().task = parse_paragraph(value);
        if (name == "done") step().done = Condition(value);
        if (name == "figures")
            for (const std::string_view figure : parts_of(value, ',', "'"))
                step().figures.push_back({line_, std::string(figure)});
        if (name == "ask") {
            step().question = parse_paragraph(value);
            place_ = Place::expectations;
        }
    }

    void read_scene(const std::string& value) {
        std::error_code error;  // an unreadable file counts as missing
        if (value.find('/') != value.npos || !std::filesystem::exists(bundled_scene_path(value), error))
            throw InputError(fmt::format("unknown bundled scene '{}'; `ropewalk list scenes` lists all scenes", value));
        step().scene = value;
    }
    void read_after(const std::string& value) {
        end_paragraph();
        place_ = Place::after;
        if (!value.empty()) add_to_paragraph(value);
    }

    /// Adds settings, separated by blanks.
    void add_settings(std::vector<Directive>& to, const std::string& value) {
        const Settings settings = settings_in(value);
        if (settings.empty()) throw InputError("a setting is missing; write it as in encoding.base=500000");
        for (const std::string& setting : settings) {
            const std::size_t equals = setting.find('=');
            if (equals == setting.npos)
                throw InputError(fmt::format("'{}' is not a setting; write it as in encoding.base=500000", setting));
            const LessonVariable known(std::string_view(setting).substr(0, equals));
            if (known.field().empty() && !known.text().starts_with("cursor."))
                throw InputError(fmt::format("{} cannot be set", known.text()));
            to.push_back({line_, setting});
        }
    }

    void read_pointer(const std::string& value) {
        constexpr std::string_view figure = "figure ";
        if (!value.starts_with(figure)) {
            if (!is_known_field(value))
                throw InputError(
                    fmt::format("unknown field '{}' to point at; `ropewalk list fields` lists all fields, and 'figure "
                                "decay' points at a figure",
                                value));
            step().pointer.control = value;
            return;
        }
        const std::string id(trimmed(std::string_view(value).substr(figure.size())));
        const std::vector<std::string> ids = ConstChoiceRef(Figure()).ids();
        if (std::find(ids.begin(), ids.end(), id) == ids.end())
            throw InputError(fmt::format("unknown figure '{}'; it must be {}", id, one_of(ids)));
        step().pointer.figure = id;
    }

    /// Reads "- an answer", "* the right one", or an indented line of its explanation. Returns false for any other
    /// line.
    bool read_expectation(std::string_view raw, std::string_view line) {
        auto& all = step().expectations;
        if (raw.starts_with("- ") || raw.starts_with("* ")) {
            end_paragraph();
            const std::string_view answer = trimmed(raw.substr(2));
            if (answer.empty()) throw InputError("the answer is empty");
            all.push_back({parse_paragraph(answer), {}, raw[0] == '*'});
            return true;
        }
        if (!raw.starts_with("  ")) {
            end_paragraph();
            return false;
        }
        if (all.empty()) throw InputError("an explanation must come after an answer");
        add_to_paragraph(line);
        return true;
    }

    void begin_step(std::string_view title) {
        end_step();
        if (lesson_.steps.size() == most_steps)
            throw InputError(fmt::format("a lesson can have at most {} steps", most_steps));
        if (trimmed(title).empty()) throw InputError("the step has no title; write it after ##");
        lesson_.steps.push_back({.line = line_, .title = std::string(trimmed(title))});
        stated_.clear();
        place_ = Place::directives;
    }

    /// Checks a complete step.
    void end_step() {
        if (place_ == Place::head) return;
        end_paragraph();
        const LessonStep& read = step();
        const int here = std::exchange(line_, read.line);
        const auto right = std::count_if(read.expectations.begin(), read.expectations.end(),
                                         [](const Expectation& expectation) { return expectation.is_right; });
        if (lesson_.steps.size() == 1 && read.scene.empty()) reject("the first step has no 'scene:'");
        if (read.prose.empty()) reject("the step has no text");
        if (read.has_question() && (read.expectations.size() < 2 || right != 1))
            reject("a question needs at least two answers, exactly one of them marked with *");
        if (read.task.empty() != !read.has_task()) reject("'do:' and 'done:' belong together");
        if (read.has_task() != !read.solution.empty()) reject("'done:' and 'solution:' belong together");
        const auto same_title = [&](const LessonStep& other) { return other.title == read.title; };
        if (std::count_if(lesson_.steps.begin(), lesson_.steps.end(), same_title) > 1)
            reject(fmt::format("two steps have the title '{}'", read.title));
        line_ = here;
        std::set<const Term*> linked;
        for (LessonText* text : {&step().prose, &step().after})
            for (Paragraph& paragraph : *text) link_terms(paragraph, linked);
    }

    void add_to_paragraph(std::string_view line) {
        if (paragraph_.empty()) paragraph_line_ = line_;
        paragraph_ += (paragraph_.empty() ? "" : " ") + std::string(line);
    }
    void end_paragraph() {
        if (paragraph_.empty()) return;
        const int here = std::exchange(line_, paragraph_line_);
        try {
            const Paragraph paragraph = parse_paragraph(std::exchange(paragraph_, {}));
            (place_ == Place::expectations ? step().expectations.back().explanation
             : place_ == Place::after      ? step().after
                                           : step().prose)
                .push_back(paragraph);
        } catch (const std::exception& error) {
            reject(error.what());
        }
        line_ = here;
    }

    std::vector<std::string> lines_;
    Lesson lesson_;
    Place place_ = Place::head;
    std::set<std::string> stated_;  // directives of the head or the current step
    std::string paragraph_;
    int line_ = 1, paragraph_line_ = 1;
};

/// Returns the length of the number and the dash with which a file name begins; 0 if there is none.
std::size_t number_length(const std::string& stem) {
    const std::size_t digits = stem.find_first_not_of("0123456789");
    return digits != stem.npos && digits > 0 && stem[digits] == '-' ? digits + 1 : 0;
}

}  // namespace

std::string lesson_id(const std::string& file) {
    const std::string stem = std::filesystem::path(file).stem().string();
    return stem.substr(number_length(stem));
}

std::string lesson_number(const std::string& file) {
    const std::string stem = std::filesystem::path(file).stem().string();
    const std::size_t length = number_length(stem), first = stem.find_first_not_of('0');
    return length == 0 ? "" : first + 1 < length ? stem.substr(first, length - 1 - first) : "0";
}

Lesson parse_lesson(std::string_view text, const std::string& file) {
    return LessonReader(text, file).read();
}

}  // namespace ropewalk
