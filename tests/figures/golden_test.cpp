// Compares every figure of one small head with a saved picture. If pictures change for a reason, run
// ROPEWALK_KEEP_PICTURES=1 build/tests/test_figures to save the new ones, and review them before you commit.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>

#include "app/figures/figure_list.h"
#include "app/figures/page/page.h"
#include "app/figures/page/view_io.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"
#include "core/io/files.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

class Golden : public testing::TestWithParam<std::string> {
  protected:
    static std::string drawn(const Figure& figure) {
        static const std::set<std::string> of_models{"head_atlas", "head_matrices", "next_token", "tokens",
                                                     "usage_by_layer"};
        const Experiment experiment =
            of_models.contains(id_of(figure))
                ? changed({}, "construction=model_head construction.model=bundled:induction "
                              "construction.text='the cat sat on mat and the cat ran by the tree' construction.layer=1")
                : changed({.head_dim = 12, .seq_len = 24},
                          "construction=gaussian encoding=yarn encoding.original_length=16 encoding.factor=2");
        Evaluator evaluator(open_backend("reference", 1));
        const PageOptions options{
            .width = 420, .height = 320, .cursor = Cursor{.query = 20, .key = 7, .pair = 2}.clamped(experiment), .cursor_shown = true};
        const std::string svg = make_page({{{figure}}, experiment, options}, evaluator, "svg", {});
        return std::regex_replace(svg, std::regex("<style>[^<]*</style>\n"), "");  // the embedded font
    }

    /// Splits a picture into alternating text and numbers. Bytes of embedded images are not numbers.
    struct Piece {
        std::string text;
        double number = 0;
    };
    static std::vector<Piece> pieces(const std::string& svg) {
        static const std::regex number(R"(-?\d+\.\d+|"[^"]{200,}")");
        std::vector<Piece> found;
        auto last = svg.begin();
        for (std::sregex_iterator it(svg.begin(), svg.end(), number), end; it != end; ++it) {
            found.push_back({std::string(last, svg.begin() + it->position())});
            last = svg.begin() + it->position() + it->length();
            if (const std::string match = it->str(); match[0] == '"')
                found.back().text += match;
            else
                found.back().number = std::stod(match);
        }
        found.push_back({std::string(last, svg.end())});
        return found;
    }
};

TEST_P(Golden, MatchesTheSavedPicture) {
    const auto path = std::filesystem::path(ROPEWALK_SOURCE_DIR) / "tests/figures/golden" / (GetParam() + ".svg");
    const std::string svg = drawn(figure_called(GetParam(), {}));
    if (std::getenv("ROPEWALK_KEEP_PICTURES")) atomic_write(path.string(), svg);
    ASSERT_TRUE(std::filesystem::exists(path))
        << path << " is missing. Run ROPEWALK_KEEP_PICTURES=1 build/tests/test_figures --gtest_filter='*Golden*"
        << GetParam() << "' to save the picture, review it and commit it.";
    const std::string saved = read_file(path.string(), 1 << 24);
    if (svg == saved) return;
    // The mathematical library of another machine may differ in the last digit.
    const auto now = pieces(svg), before = pieces(saved);
    for (std::size_t i = 0; i < std::min(now.size(), before.size()); ++i) {
        ASSERT_EQ(now[i].text, before[i].text);
        ASSERT_NEAR(now[i].number, before[i].number, 0.011) << "after " << now[i].text;
    }
    EXPECT_EQ(now.size(), before.size());
}

INSTANTIATE_TEST_SUITE_P(Figures, Golden, testing::ValuesIn(ids_of_figures()),
                         [](const auto& figure) { return figure.param; });

}  // namespace
}  // namespace ropewalk
