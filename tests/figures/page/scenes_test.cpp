// Both backends answer the questions of all panels of every bundled scene.
#include <gtest/gtest.h>

#include "app/figures/figures.h"
#include "app/figures/page/view_io.h"
#include "core/evaluation/evaluate.h"
#include "core/evaluation/open_backend.h"
#include "tests/figures/drawn_figure.h"

namespace ropewalk {
namespace {

/// Excludes searches for bases, which can take minutes and do not depend on the experiment.
bool is_search_for_bases(const Question& question) {
    return std::holds_alternative<MinBaseQuestion>(question) ||
           std::holds_alternative<PublishedBasesQuestion>(question);
}

TEST(Scenes, EveryPanelIsAnsweredByBothBackends) {
    constexpr int affordable = 64;  // rows for the reference backend, which computes all pairs of tokens
    for (const char* id : {"reference", "cpu"}) {
        Evaluator evaluator(open_backend(id, 2));
        for (const auto& name : bundled_scenes()) {
            SCOPED_TRACE(name + " on " + id);
            Scene scene = open_scene(name);
            const View view = read_view(scene);
            EXPECT_EQ(view.cursor, view.cursor.clamped(scene.experiment));
            EXPECT_EQ(validate(scene.experiment), std::nullopt);
            Experiment experiment = briefly_trained(scene.experiment);
            if (id == std::string_view("reference")) experiment.seq_len = std::min(experiment.seq_len, affordable);
            ASSERT_EQ(validate(experiment), std::nullopt);
            for (const Figure& figure : view.figures) {
                Needs needs = needs_of(figure, experiment, {.across = 100, .down = 80});
                std::erase_if(needs, is_search_for_bases);
                const auto results =
                    evaluator.evaluate({experiment, view.cursor.clamped(experiment), needs}, Detail::complete, {});
                EXPECT_TRUE(answers(*results, needs)) << id_of(figure);
                EXPECT_TRUE(results->jobs.empty() && !results->coarse) << id_of(figure);
            }
        }
    }
}

}  // namespace
}  // namespace ropewalk
