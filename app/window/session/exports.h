// What leaves the program: pages, videos, pictures, scripts and command lines.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/page/page.h"
#include "app/figures/page/sweep.h"
#include "app/window/session/computation.h"
#include "app/window/session/document.h"
#include "core/evaluation/numpy_script.h"

namespace ropewalk {

/// The exports of a document. One file at a time is written in the background; failures become notices.
class Exports {
  public:
    Exports(const Document& document, Notices& notices, ComputationOptions options)
        : document_(document), notices_(notices), options_(std::move(options)) {}
    /// Cancels the running export, which leaves no file.
    ~Exports() { stop_writing(); }
    Exports(const Exports&) = delete;
    Exports& operator=(const Exports&) = delete;

    /// Sets what heads are exported as, such as after the training steps that are done; at first themselves.
    void show_as(std::function<Experiment(const Experiment&)> shown) { shown_ = std::move(shown); }
    /// Returns the current head as it is exported.
    Experiment shown() const { return shown_(document_.experiment()); }
    /// Returns the command line that draws a figure of the current experiment; empty, with a notice, if there is none.
    std::string call_of(const Figure& figure);
    /// Returns the current head as a NumPy script; an empty one, with a notice, while it is computed or if it cannot
    /// be.
    NumpyScript as_numpy(const WorkerState& computed);
    /// Returns a page of this style with these figures of the current experiment, or of the one given in its place.
    Page page_of(std::vector<PlacedFigure> figures, const PageStyle& style,
                 const std::optional<Experiment>& shown = {}) const;
    /// Returns a page with all figures of the view, arranged as in it.
    Page page_of_all(const PageStyle& style, const std::optional<Experiment>& shown = {}) const;
    /// Writes a page in the background, in the format given by the file's name. Returns false if the export could not
    /// start. With a kind of caption, writes it beside the figure.
    bool export_page(const Page& page, const std::string& path, CaptionFile caption = CaptionFile::none);
    /// Draws a figure in the background and copies it to the clipboard as an image.
    void copy_image(const Figure& figure, const PageStyle& style);
    /// How data are copied: as numbers, or as a script that plots them with Matplotlib.
    enum class CopiedData { csv, script };
    /// Computes the data of a figure in the background, as `ropewalk data` writes them. `take_copied` returns the text.
    void copy_data(const Figure& figure, const PageStyle& style, CopiedData format = CopiedData::csv);
    /// Returns the text that was made for the clipboard, once; else an empty one.
    std::string take_copied() { return is_writing() ? std::string() : std::exchange(*copied_, {}); }
    /// Writes a page for every step of a sweep in the background. Returns false if the export could not start.
    bool export_video(const Page& page, const Sweep& sweep, const std::string& path);
    /// Encodes and writes an image in the background, under a free name: "name.png", "name-2.png" …
    void write_picture(Image image, const std::filesystem::path& folder, const std::string& name);
    bool is_writing() const { return writing_.valid(); }
    /// Returns the completed fraction of the export, from 0 to 1, where it is known.
    double written() const { return *written_; }
    /// Cancels the running export, which leaves no file.
    void stop_writing() { ++generation_; }
    /// Reports an export that has ended. Call once per frame.
    void refresh();

  private:
    Scene shown_scene() const;
    /// Returns the results of the current head, or null with a notice.
    const Results* current_results(const WorkerState& computed);
    /// Throws IoError while the previous export is running.
    void write_in_background(std::function<std::string(const Cancel&)> work);

    const Document& document_;
    Notices& notices_;
    ComputationOptions options_;
    std::function<Experiment(const Experiment&)> shown_ = [](const Experiment& experiment) { return experiment; };
    std::atomic<std::uint64_t> generation_ = 0;  // an export stops when this has changed
    std::shared_ptr<std::atomic<double>> written_ = std::make_shared<std::atomic<double>>(0);
    std::shared_ptr<std::string> copied_ = std::make_shared<std::string>();
    std::future<std::string> writing_;  // its notice; failures are thrown
};

}  // namespace ropewalk
