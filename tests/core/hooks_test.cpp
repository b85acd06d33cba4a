// A misspelt hook fails: nothing would call it, and its default would hold without a word.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "tests/core/source_text.h"

namespace ropewalk {
namespace {

struct Member {
    std::string owner, name;
};

/// Returns the member functions and static constants that the structs of a source declare. Members are indented once,
/// what is in them twice.
std::vector<Member> members_of(const std::string& code) {
    static const std::regex head(R"((?:struct|class) (\w+)[^;]*\{\s*)"), constant(R"((?:^|[^.\w])(\w+)(?:\[\])? = )"),
        function(R"(    (?:[^\s(=]+ )+[&*]*(\w+)\(.*)");
    std::vector<Member> members;
    std::string owner, constants;
    std::istringstream lines(code);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_match(line, match, head)) owner = match[1];
        if (line.starts_with("};")) owner.clear();
        if (owner.empty() || !line.starts_with("    ")) continue;
        if (line.starts_with("    static constexpr") && line.find('=') < line.find('(')) constants = " ";
        if (!constants.empty()) {
            constants += line;
            if (line.find(';') == line.npos) continue;
            for (std::sregex_iterator it(constants.begin(), constants.end(), constant), end; it != end; ++it)
                members.push_back({owner, it->str(1)});
            constants.clear();
        } else if (line[4] != ' ' && std::regex_match(line, match, function) && match[1] != owner) {
            members.push_back({owner, match[1]});
        }
    }
    return members;
}

/// How often each name occurs, its declarations as a member and definitions outside the struct not counted.
using Uses = std::map<std::string, int>;

void add_uses(const std::string& code, Uses& uses) {
    std::string word;
    for (const char c : code + ' ')
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
            word += c;
        else if (!word.empty())
            ++uses[word], word.clear();
    static const std::regex defined(R"(\w[^(]*::(\w+)\(.*)");
    std::istringstream lines(code);
    for (std::string line; std::getline(lines, line);)
        if (std::smatch match; !line.empty() && line[0] != ' ' && std::regex_match(line, match, defined))
            --uses[match[1]];
    for (const Member& member : members_of(code)) --uses[member.name];
}

/// Returns a sentence for every member of the structs with hooks that nothing uses.
std::vector<std::string> complaints_about(const std::string& path, const std::string& code, const Uses& uses) {
    std::vector<std::string> complaints;
    for (const auto& [owner, name] : members_of(code)) {
        if (path.starts_with("core/analysis/") && !owner.ends_with("Question")) continue;
        if (const auto found = uses.find(name); found == uses.end() || found->second == 0)
            complaints.push_back(path + " defines " + name + "(), which nothing calls; is it a misspelt hook?");
    }
    return complaints;
}

TEST(Hooks, EveryOneIsCalled) {
    Uses uses;
    for (const char* folder : {"core", "app"})
        for (const std::string& path : files_below(folder, {".h", ".cpp"}))
            add_uses(taken_apart(content_of(path)).code, uses);
    std::size_t seen = 0;
    for (const char* folder :
         {"app/figures/heads", "app/figures/encodings", "core/encodings", "core/constructions", "core/analysis"})
        for (const std::string& path : files_below(folder, {".h"})) {
            const std::string code = taken_apart(content_of(path)).code;
            seen += members_of(code).size();
            for (const std::string& complaint : complaints_about(path, code, uses)) ADD_FAILURE() << complaint;
        }
    EXPECT_GT(seen, 500u);
}

TEST(Hooks, MisspeltOnesAreSeen) {
    const std::string base =
        "struct Defaults {\n    static constexpr auto id = 1, title = f(2);\n    int cost() const;\n};\n";
    const std::string derived =
        "struct Own : Defaults {\n"
        "    static constexpr auto idd = 3;\n"
        "    std::vector<int> costs(int of) const {\n"
        "        return cost();\n"
        "    }\n"
        "    template <class F>\n"
        "    static bool fields(F&& f) { return idle(f); }\n"
        "    Own& self();\n"
        "};\n";
    Uses uses;
    add_uses(base, uses);
    add_uses(derived, uses);
    add_uses("std::vector<int> Own::costs(int of) const {\n    return used(of, id, title).fields(idle);\n}\n", uses);
    EXPECT_EQ(complaints_about("base.h", base, uses), std::vector<std::string>{});
    EXPECT_EQ(complaints_about("own.h", derived, uses),
              (std::vector<std::string>{"own.h defines idd(), which nothing calls; is it a misspelt hook?",
                                        "own.h defines costs(), which nothing calls; is it a misspelt hook?",
                                        "own.h defines self(), which nothing calls; is it a misspelt hook?"}));
    EXPECT_TRUE(complaints_about("core/analysis/own.h", derived, uses).empty()) << "no question";
}

}  // namespace
}  // namespace ropewalk
