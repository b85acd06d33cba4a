// Amplitude and phase of each pair's contribution to the score, which can be edited by drawing.
#pragma once

#include "app/figures/parts/figure_defaults.h"
#include "core/analysis/fit/bands.h"

namespace ropewalk {

struct BandsFigure : FigureDefaults {
    static constexpr auto id = "bands", title = "Amplitudes and phases";
    static constexpr auto brief_title = "Amplitudes";
    static constexpr auto summary =
        "score(r) = Σ aₜ cos(r·wₜ + φₜ): amplitude and phase of every pair. Drag to draw; drag with the right button "
        "to set to 0.";
    static constexpr bool takes_brush = true;
    static constexpr auto table_shape = "[d/2, 3]";

    bool operator==(const BandsFigure&) const = default;

    Needs needs(const Experiment&, PlotPixels) const { return {BandsQuestion{}}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;

    std::string readout(const FigureInput& input) const;

    DataTable table(const Results& results) const;

    bool draws_at(const Frame& frame, Point at) const { return plot_at(frame, at) != nullptr; }

    /// Draws amplitudes in the upper plot or phases in the lower one, for every pair that the pointer has passed.
    void draw_with(const BrushMove& move, const Frame& frame, const FigureInput& input, Experiment& experiment) const;

    std::span<const Preset> presets() const { return all_presets; }

    /// Applies a preset. The sum of the amplitudes, which bounds the score, does not change.
    void apply(std::size_t preset, const FigureInput& input, Experiment& experiment) const;

  private:
    static constexpr double min_height_of_two = 130;  // logical pixels
    static constexpr double usual_sum = 10;
    static constexpr std::array<Preset, 8> all_presets{
        {{"equal", "All equal", "Give all pairs the same amplitude."},
         {"falling", "1/(t + 1)", "Let the amplitudes fall from the fastest pair to the slowest."},
         {"fast", "Fast half", "Use only the faster half of the pairs: a high-pass."},
         {"slow", "Slow half", "Use only the slower half of the pairs: a low-pass."},
         {"one", "Cursor's pair", "Use only the pair at the cursor."},
         {"in_phase", "In phase", "Set all phases to 0: the maximum is at distance 0."},
         {"previous", "Previous token", "Set the phases to −wₜ: the maximum is one token back."},
         {"cursor", "Cursor's distance", "Set the phases to −r·wₜ: the maximum is at the cursor's distance r."}}};

    /// Returns the bands of the experiment being edited, which the results may not yet reflect.
    static std::vector<Band> current_bands(const FigureInput& input, const Experiment& experiment);

    static std::pair<PlotOptions, PlotOptions> options(const FigureInput& input, const std::vector<Band>* bands,
                                                       bool has_phases);

    static constexpr double headroom = 1.25, most_headroom = 4;  // room to draw higher amplitudes

    static void draw_phases(const std::vector<Band>& bands, const std::vector<Color>& colors, const Frame& frame,
                            Canvas& canvas, const Theme& theme);
};

}  // namespace ropewalk
