// What texts for the user must not say, and what they say instead: one word for one concept, in plain English.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/source_text.h"

namespace ropewalk {
namespace {

struct Banned {
    std::string_view phrase, instead;               // the phrase in lower case
    std::vector<std::string_view> allowed_in = {};  // longer phrases that contain it and are fine
};
const std::vector<Banned> banned{
    // Terms.
    {"trained context", "training length"},
    {"inverse frequency", "frequency"},
    {"inverse frequencies", "frequencies"},
    {"theta", "base θ", {"\\theta", "rope_theta"}},
    {"mscale", "attention scaling", {"temperature, attention scaling, mscale", "code calls it mscale"}},
    {"ladder", "the RoPE frequencies"},
    {"come round", "complete a turn"},
    {"comes round", "completes a turn"},
    {"stand still", "are not rotated"},
    {"stands still", "is not rotated"},
    {"standstill", "frequency 0"},
    {"stay put", "are not rotated"},
    {"stays put", "is not rotated"},
    {"stretched", "interpolated"},
    {"squeezed", "interpolated"},
    {"blended", "partly interpolated"},
    {"in force", "effective"},
    {"like key", "similar key"},
    {"like keys", "similar keys"},
    {"likeness", "similarity"},
    {"rival", "competitor"},
    {"rivals", "competitors"},
    {"near return", "side peak"},
    {"near returns", "side peaks"},
    {"nearly return", "are side peaks"},
    {"norm needed", "required norm"},
    {"march", "certified search"},
    {"marches", "certified searches"},
    {"count against", "turn negative"},
    {"counts against", "turns negative"},
    {"least", "smallest, or min in a label", {"at least", "least squares", "least-squares"}},
    {"greatest", "largest, or max in a label"},
    {"strongest", "largest, or largest magnitude", {"strongest keys", "strongest competitors"}},
    {"farthest from", "largest magnitude"},
    {"farthest value", "largest magnitude"},
    {"first look", "preview"},
    {"coarse look", "preview"},
    {"desk", "head, session or window"},
    {"on the bench", "open"},
    {"living scene", "live scene"},
    {"left behind", "recovered"},
    {"left over", "residual"},
    {"film", "video"},
    {"films", "videos"},
    {"numbered pictures", "numbered images"},
    {"sub-command", "subcommand"},
    {"sub-commands", "subcommands"},
    // Plain English.
    {"anew", "again"},
    {"as it was kept", "as it was saved"},
    {"time it was kept", "time it was set"},
    {"becomes of", "happens to"},
    {"bring back", "restore"},
    {"brings back", "restores"},
    {"each for itself", "independently"},
    {"for ever", "at every distance, or always"},
    {"give up", "cancel, or delete"},
    {"gives up", "cancels, or deletes"},
    {"given up", "cancelled, or deleted"},
    {"go on", "continue"},
    {"goes on", "continues"},
    {"its own token", "the token itself"},
    {"no room", "does not fit, or not enough space"},
    {"room for", "space for"},
    {"not there any more", "no longer exists"},
    {"once more", "again"},
    {"put in its place", "replaces it"},
    {"shall", "should"},
    {"so many", "this many"},
    {"take back", "undo"},
    {"tell apart", "distinguish"},
    {"tells apart", "distinguishes"},
    {"the person", "you"},
    {"the present", "the current …"},
    {"will do", "is enough"},
    {"would do", "what the value must be"},
    // Errors.
    {"can be said", "see `… --help`"},
    {"could not be had", "what happened and why"},
    {"not now:", "unavailable:"},
    {"say nothing about", "do not apply to"},
    {"says nothing about", "does not apply to"},
    {"there is no command", "unknown command"},
    {"there is no construction", "unknown construction"},
    {"there is no encoding", "unknown encoding"},
    {"there is no field", "unknown field"},
    {"there is no figure", "unknown figure"},
    {"there is no lesson", "unknown lesson"},
    {"there is no option", "unknown option"},
    {"there is no scene", "unknown scene"},
};

/// Returns whether a literal is for people to read: a name has neither a space nor a capital letter.
bool is_for_reading(const std::string& literal) {
    return literal.find(' ') != literal.npos ||
           (!literal.empty() && std::isupper(static_cast<unsigned char>(literal[0])));
}

/// Returns whether a literal is the name of a Greek letter in TeX.
bool is_name_in_tex(const std::string& literal) {
    return literal == "Theta";
}

/// Returns a sentence "line N says '…'; use '…'" for every banned phrase in a text, which may span lines.
std::vector<std::string> complaints_about(const TextAt& text) {
    std::string plain;
    for (const char c : text.text)
        plain += c == '\n' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto is_word = [&](std::size_t at) {
        return at < plain.size() && (std::isalnum(static_cast<unsigned char>(plain[at])) || plain[at] == '_');
    };
    std::vector<std::string> complaints;
    for (const auto& [phrase, instead, allowed_in] : banned)
        for (std::size_t at = plain.find(phrase); at != plain.npos; at = plain.find(phrase, at + 1)) {
            if ((at > 0 && is_word(at - 1)) || is_word(at + phrase.size())) continue;
            const bool is_allowed = std::any_of(allowed_in.begin(), allowed_in.end(), [&](std::string_view longer) {
                const std::size_t before = longer.find(phrase);
                return at >= before && plain.compare(at - before, longer.size(), longer) == 0;
            });
            if (is_allowed) continue;
            const auto lines = std::count(text.text.begin(), text.text.begin() + at, '\n');
            complaints.push_back("line " + std::to_string(text.line + lines) + " says '" + std::string(phrase) +
                                 "'; use '" + std::string(instead) + "'");
        }
    return complaints;
}

void expect_plain(const std::string& path, const TextAt& text) {
    for (const std::string& complaint : complaints_about(text)) ADD_FAILURE() << path << " " << complaint;
}

TEST(Wording, TextsOfTheProgramAndOfScenesArePlain) {
    std::size_t read = 0;
    for (const char* folder : {"core", "app", "assets/scenes"})
        for (const std::string& path : files_below(folder, {".cpp", ".h", ".json"}))
            for (const TextAt& literal : taken_apart(content_of(path)).literals)
                if (is_for_reading(literal.text) && !is_name_in_tex(literal.text)) expect_plain(path, literal), ++read;
    EXPECT_GT(read, 1000u);
}

TEST(Wording, LessonsAndTheReadmeArePlain) {
    auto paths = files_below("assets/lessons", {".lesson"});
    EXPECT_GT(paths.size(), 10u);
    paths.push_back("README.md");
    for (const std::string& path : paths) expect_plain(path, {1, content_of(path)});
}

TEST(Wording, BannedPhrasesAreSeen) {
    const auto complaints = [](std::string_view source) {
        std::vector<std::string> all;
        for (const TextAt& literal : taken_apart(source).literals)
            if (is_for_reading(literal.text))
                for (const std::string& complaint : complaints_about(literal)) all.push_back(complaint);
        return all;
    };
    using Complaints = std::vector<std::string>;
    EXPECT_EQ(complaints("// a ladder\nsay(\"What is on the desk.\");"),
              Complaints{"line 2 says 'desk'; use 'head, session or window'"});
    EXPECT_EQ(complaints("say(\"A like \"\n    \"key\");").size(), 1u) << "in adjacent literals";
    EXPECT_EQ(complaints("say(R\"(what a like\nkey is)\");").size(), 1u) << "over the end of a line";
    EXPECT_EQ(complaints("say('\"', 1'000, \"The March\");").size(), 1u) << "behind a quoted mark";
    EXPECT_EQ(complaints("#include \"app/desk/film.h\"\nid(\"least\"), \"At least two films-to-be\"").size(), 1u);
    EXPECT_EQ(complaints("\"It takes at least 2.\", \"The least of all\"").size(), 1u);
    EXPECT_EQ(complaints("{\"title\": \"The margin\", \"about\": \"A lost\\nladder\"}").size(), 1u);
    EXPECT_EQ(complaints("\"Marched on with rope_theta and Anewer ones\"").size(), 0u) << "only whole words";
    EXPECT_EQ(complaints_about({7, "one\ntwo shall\nthree"}), Complaints{"line 8 says 'shall'; use 'should'"});
}

}  // namespace
}  // namespace ropewalk
