// An endless text from a small grammar: people, what each of them owns, and what they do.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/numbers/random.h"

namespace ropewalk {

/// A story has three people, each of whom owns a thing of their own, so that "Tom's" is followed by the same word all
/// along. Its sentences repeat their names: "Zoe saw Tom's red hat, and Tom lost it by the door."
class Story {
  public:
    /// The words, by token.
    static constexpr std::array<std::string_view, 32> words{
        ".",    ",",    "and",   "the",  "'",   "s",    "it",   "by",  "in",  "under", "red",
        "old",  "big",  "found", "lost", "saw", "took", "sold", "hat", "cat", "door",  "dog",
        "tree", "ball", "house", "bird", "Ann", "Ben",  "Eve",  "Max", "Tom", "Zoe"};

    explicit Story(UniformNumbers& numbers);

    /// Writes the story from its beginning. The same numbers give the same words at every length.
    void write(std::span<int> tokens);

  private:
    struct Person {
        int name = 0, thing = 0;
    };

    const Person& somebody();
    void add_owner(const Person& person);
    void add_object();
    void add_sentence();

    UniformNumbers& numbers_;
    std::array<Person, 3> people_;
    std::vector<int> sentence_;
};

}  // namespace ropewalk
