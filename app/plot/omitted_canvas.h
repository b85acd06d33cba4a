// A canvas that only lists what did not fit, for pages that report it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "app/plot/canvas.h"

namespace ropewalk {

class OmittedCanvas : public Canvas {
  public:
    /// Returns what did not fit, without duplicates, in the order of drawing.
    const std::vector<std::string>& omitted() const { return omitted_; }

    void fill_rect(const Rect&, Color, double) override {}
    void stroke_rect(const Rect&, const Stroke&, double) override {}
    void polyline(std::span<const Point>, const Stroke&) override {}
    void fill_between(std::span<const Point>, std::span<const Point>, Color) override {}
    void circle(Point, double, Color, const Stroke&) override {}
    void text(Point, std::string_view, const TextStyle&) override {}
    void image(const Rect&, const Image&) override {}
    void heat_map(const Rect&, const HeatMap&) override {}
    void push_clip(const Rect&) override {}
    void pop_clip() override {}
    void report_omitted(std::string_view what) override {
        if (std::find(omitted_.begin(), omitted_.end(), what) == omitted_.end()) omitted_.emplace_back(what);
    }

  private:
    std::vector<std::string> omitted_;
};

}  // namespace ropewalk
