// Pages as narrow as journal columns: each figure is complete, or reports what is missing and the height that is
// enough.
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

#include "app/figures/figure_list.h"
#include "app/figures/page/page.h"
#include "app/figures/page/view_io.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/settings.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

using testing::IsEmpty;

class OmittedPartsTest : public testing::TestWithParam<std::string> {
  protected:
    Page page(double width, double height) const {
        const Experiment experiment =
            changed({.head_dim = 64, .seq_len = 256},
                    "construction=gaussian encoding=yarn encoding.original_length=64 encoding.factor=4");
        return {.figures = {{figure_called(GetParam(), {})}},
                .experiment = experiment,
                .options = {.width = width * PageStyle::px_per_mm,
                            .height = height * PageStyle::px_per_mm,
                            .density = PageStyle::density_of(width, 1),
                            .cursor = {.query = 200, .key = 70, .pair = 2},
                            .reference = changed(experiment, "encoding=rope")}};
    }
    std::vector<std::string> omitted(double width, double height) {
        return omitted_of(page(width, height), evaluator_, {}).parts;
    }
    /// Returns all words of titles, legends, names and the caption, without numbers and separators.
    std::set<std::string> words(double width, double height) {
        const std::string svg = make_page(page(width, height), evaluator_, "svg", {});
        static const std::regex text(">([^<]+)</text>");
        std::set<std::string> found;
        for (std::sregex_iterator it(svg.begin(), svg.end(), text), end; it != end; ++it) {
            std::istringstream line((*it)[1].str());
            for (std::string word; line >> word;)
                if (word != "·" && word != "−" && !std::regex_search(word, std::regex("[0-9]"))) found.insert(word);
        }
        return found;
    }

    Evaluator evaluator_{open_backend("cpu", 2)};
};

TEST_P(OmittedPartsTest, EverythingFitsInAJournalColumnAtSomeHeight) {
    for (const double width : PageExtent::columns) {
        const double height = PageStyle::usual_height(width);
        const OmittedParts left = omitted_of(page(width, height), evaluator_, {});
        if (left.parts.empty()) continue;
        ASSERT_TRUE(left.height) << width << " mm: " << left.parts.front();
        const double enough = *left.height / PageStyle::px_per_mm;
        EXPECT_GT(enough, height);
        EXPECT_LE(enough, 110) << width << " mm: a figure is no page";
        EXPECT_THAT(omitted(width, enough), IsEmpty());
        EXPECT_FALSE(omitted(width, enough - 5).empty()) << "the smallest height";
    }
}

TEST_P(OmittedPartsTest, ASmallPageReportsWhatIsMissing) {
    const OmittedParts of_small = omitted_of(page(85, 30), evaluator_, {});
    ASSERT_EQ(of_small.parts.empty(), !of_small.height);
    const double enough = of_small.height ? *of_small.height / PageStyle::px_per_mm : 30;
    ASSERT_THAT(omitted(85, enough), IsEmpty());
    const auto all = words(85, 200);
    for (const double height : {30.0, 45.0, PageStyle::usual_height(85), enough}) {
        if (!omitted(85, height).empty()) continue;
        const auto there = words(85, height);
        std::vector<std::string> missing;
        std::set_difference(all.begin(), all.end(), there.begin(), there.end(), std::back_inserter(missing));
        EXPECT_THAT(missing, IsEmpty()) << height;
    }
}

TEST_P(OmittedPartsTest, NamesOfPartsFollowNoRoomFor) {
    for (const double width : {40.0, 85.0})
        for (const double height : {30.0, 45.0})
            for (const std::string& part : omitted(width, height))
                EXPECT_TRUE(part.starts_with("the ") || part.starts_with("a ") || part.starts_with("“")) << part;
}

INSTANTIATE_TEST_SUITE_P(Figures, OmittedPartsTest, testing::ValuesIn(ids_of_figures()),
                         [](const auto& figure) { return figure.param; });

TEST(OmittedParts, ACaptionOfMoreThanTwoLinesIsCutAtEveryHeight) {
    const Experiment experiment = changed({.head_dim = 64, .seq_len = 256},
                                          "construction=gaussian encoding=yarn encoding.original_length=64 "
                                          "encoding.factor=4 temperature=2 scale=sqrt_d softcap=30");
    Evaluator evaluator(open_backend("cpu", 1));
    Page page{.figures = {{EntropyFigure{}}}, .experiment = experiment};
    page.options.width = 85 * PageStyle::px_per_mm;
    page.options.density = PageStyle::density_of(85, 1);
    const auto omitted_at = [&](double height) {
        page.options.height = height * PageStyle::px_per_mm;
        return omitted_of(page, evaluator, {});
    };
    const OmittedParts omitted = omitted_at(110);
    EXPECT_TRUE(omitted.cuts_caption);
    EXPECT_THAT(omitted.parts, IsEmpty()) << "no height helps";
    page.options.width = 170 * PageStyle::px_per_mm;
    EXPECT_FALSE(omitted_at(110).cuts_caption);
    const std::string svg = make_page(page, evaluator, "svg", {});
    EXPECT_THAT(svg, testing::Not(testing::HasSubstr("…")));
    for (const char* said : {"YaRN", "logits", "Gaussian", "softcap"}) EXPECT_THAT(svg, testing::HasSubstr(said));
}

TEST(OmittedParts, NamesOfTokensThatGiveWayToNumbersAreReported) {
    const Experiment experiment = changed({.head_dim = 16, .seq_len = 18}, "construction=text");
    Evaluator evaluator(open_backend("cpu", 1));
    Page page{.figures = {{AttentionFigure{}}}, .experiment = experiment};
    const auto omitted_at = [&](double width, double height) {
        page.options.width = width * PageStyle::px_per_mm, page.options.height = height * PageStyle::px_per_mm;
        page.options.density = PageStyle::density_of(width, 1);
        return omitted_of(page, evaluator, {});
    };
    const OmittedParts in_column = omitted_at(60, 60), on_page = omitted_at(170, 130);
    EXPECT_THAT(in_column.parts, testing::Contains("the names of the tokens"));
    EXPECT_FALSE(in_column.height) << "no height helps";
    EXPECT_THAT(on_page.parts, IsEmpty());
}

TEST(OmittedParts, ReasonsAreNamedOneByOneOrAllTogether) {
    bool some = false, all = false;
    for (double height = 60; height <= 260; height += 10) {
        const auto canvas = drawn(PropertiesFigure{}, {.head_dim = 64, .seq_len = 256}, {}, {0, 0, 300, height});
        const std::vector<std::string>& parts = canvas.omitted();
        const bool has_one = std::any_of(parts.begin(), parts.end(),
                                         [](const std::string&part) { return part.starts_with("the reason for “"); }),
                   has_all = std::find(parts.begin(), parts.end(), "the reasons") != parts.end();
        EXPECT_FALSE(has_one && has_all) << height;
        some |= has_one, all |= has_all;
    }
    EXPECT_TRUE(some);
    EXPECT_TRUE(all);
}

TEST(PlacedFigures, AreWideEnoughToReadOnAJournalPage) {
    const View view;
    for (const double width : {85.0, 170.0, 250.0}) {
        const double px = PageStyle::px_per_mm * PageStyle::density_of(width, view.figures.size());
        const auto placed = placed_figures(view, width * px, 200 * px);
        ASSERT_EQ(placed.size(), view.figures.size());
        for (std::size_t i = 0; i < placed.size(); ++i) {
            const Rect& part = placed[i].part;
            EXPECT_EQ(placed[i].figure, view.figures[i]);
            EXPECT_GE(part.width * width, PageStyle::min_figure_width - 1e-9) << width << " mm, figure " << i;
            EXPECT_TRUE(part.x >= 0 && part.y >= 0 && part.right() <= 1 + 1e-9 && part.bottom() <= 1 + 1e-9) << i;
            for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(part.overlaps(placed[j].part)) << i << " and " << j;
        }
    }
}

}  // namespace
}  // namespace ropewalk
