#include "core/training/tasks/story.h"

#include <algorithm>

#include "core/training/tasks/common.h"

namespace ropewalk {
namespace {

constexpr int stop = 0, comma = 1, conjunction = 2, article = 3, apostrophe = 4, genitive = 5, pronoun = 6;

/// The words of one kind: `count` tokens from `first` on.
struct WordKind {
    int first, count;

    int draw(UniformNumbers& numbers) const { return first + draw_below(numbers, count); }
};
constexpr WordKind prepositions{7, 3}, adjectives{10, 3}, verbs{13, 5}, things{18, 8}, names{26, 6};

}  // namespace

Story::Story(UniformNumbers& numbers) : numbers_(numbers) {
    const auto count = static_cast<int>(people_.size());
    const std::vector<int> chosen = draw_distinct(numbers, count, names.first, names.count),
                           owned = draw_distinct(numbers, count, things.first, things.count);
    for (int i = 0; i < count; ++i) people_[i] = {chosen[i], owned[i]};
}

const Story::Person& Story::somebody() {
    return people_[draw_below(numbers_, static_cast<int>(people_.size()))];
}

void Story::add_owner(const Person& person) {
    sentence_.insert(sentence_.end(), {person.name, apostrophe, genitive});
}

void Story::add_object() {
    switch (draw_below(numbers_, 4)) {
        case 0: sentence_.push_back(pronoun); return;
        case 1:
            sentence_.push_back(article);
            if (draw_below(numbers_, 2) == 0) sentence_.push_back(adjectives.draw(numbers_));
            sentence_.push_back(things.draw(numbers_));
            return;
        default: {
            const Person& owner = somebody();
            add_owner(owner);
            sentence_.push_back(owner.thing);
        }
    }
}

/// Adds a clause that ends with a stop, or with a comma and "and".
void Story::add_sentence() {
    const Person& subject = somebody();
    if (draw_below(numbers_, 4) == 0) {
        add_owner(subject);
        sentence_.push_back(subject.thing);
    } else {
        sentence_.push_back(subject.name);
    }
    sentence_.push_back(verbs.draw(numbers_));
    add_object();
    if (draw_below(numbers_, 3) == 0)
        sentence_.insert(sentence_.end(), {prepositions.draw(numbers_), article, things.draw(numbers_)});
    if (draw_below(numbers_, 3) == 0)
        sentence_.insert(sentence_.end(), {comma, conjunction});
    else
        sentence_.push_back(stop);
}

void Story::write(std::span<int> tokens) {
    for (std::size_t written = 0; written < tokens.size();) {
        sentence_.clear();
        add_sentence();
        const std::size_t taken = std::min(sentence_.size(), tokens.size() - written);
        std::copy_n(sentence_.begin(), taken, tokens.begin() + static_cast<std::ptrdiff_t>(written));
        written += taken;
    }
}

}  // namespace ropewalk
