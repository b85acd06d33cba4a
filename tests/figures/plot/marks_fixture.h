// A recording canvas for marks.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "app/plot/marks.h"
#include "tests/figures/recording_canvas.h"

namespace ropewalk {

class Marks : public testing::Test {
  protected:
    static Frame frame(const Axis& x, const Axis& y) {
        return {.outer = {0, 0, 420, 320}, .plot = {10, 10, 400, 300}, .x = x, .y = y};
    }

    template <class Kind>
    std::vector<Kind> drawn() const {
        std::vector<Kind> found;
        for (const Drawn& one : canvas_.drawn())
            if (const auto* kind = std::get_if<Kind>(&one.what)) found.push_back(*kind);
        return found;
    }

    void TearDown() override { EXPECT_THAT(canvas_.faults(), testing::IsEmpty()); }

    RecordingCanvas canvas_{{0, 0, 420, 320}};
};

}  // namespace ropewalk
