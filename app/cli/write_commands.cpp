#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/cli/commands.h"
#include "app/cli/other_name.h"
#include "app/cli/output.h"
#include "app/figures/page/page.h"
#include "app/figures/page/page_caption.h"
#include "app/figures/page/view_io.h"
#include "app/plot/export.h"
#include "app/plot/open_figure.h"
#include "core/error.h"
#include "core/fields/fields.h"
#include "core/io/files.h"

namespace ropewalk {
OpenedScene open_with_warnings(const Arguments& arguments) {
    OpenedScene opened{.scene = open_scene_or_figure(arguments.scene, arguments.settings), .view = {}};
    opened.view = read_view(opened.scene);
    report_warnings(opened.scene);
    return opened;
}

void report_warnings(const Scene& scene) {
    for (const std::string& warning : first_warnings(scene)) say(warning);
}

Warnings first_warnings(const Scene& scene) {
    constexpr std::ptrdiff_t most = 10;
    const std::ptrdiff_t more = std::ssize(scene.warnings) - most;
    if (more <= 0) return scene.warnings;
    Warnings first(scene.warnings.begin(), scene.warnings.begin() + most);
    first.push_back(fmt::format("{} more {} not shown", more, more > 1 ? "warnings are" : "warning is"));
    return first;
}

namespace {

void notify(const Backend& backend) {
    if (std::string notice = backend.notice(); !notice.empty()) say(notice);
}

/// Reports the parts that did not fit, and a page size that has space for them.
void report_omitted_parts(const OmittedParts& omitted, const PageOptions& page, const Arguments& arguments) {
    if (omitted.cuts_caption) say("the caption is cut to two lines; --caption-file writes all of it");
    if (omitted.parts.empty()) return;
    std::string sentence = fmt::format("omitted for lack of space: {}", fmt::join(omitted.parts, "; "));
    if (omitted.height) {
        const std::string page_with_room =
            arguments.mm ? fmt::format("--mm {}x{:.0f}", arguments.mm->width, *omitted.height / PageStyle::px_per_mm)
                         : fmt::format("--size {:.0f}x{:.0f}", page.width, std::ceil(*omitted.height));
        sentence += fmt::format(" (use {})", page_with_room);
    }
    say(sentence);
}

int inside(int value, int count, const char* option) {
    if (value < 0 || value >= count)
        throw InputError(fmt::format("{} is {}; it must be from 0 to {}", option, value, count - 1));
    return value;
}

/// Throws UsageError for options that `what` would ignore.
void require_understood(const std::string& what, const std::vector<std::string_view>& options,
                        const CursorOptions& cursor, const DataSelection& selection) {
    const std::pair<const char*, bool> given[] = {
        {"rows", selection.rows.has_value()},     {"columns", selection.columns.has_value()},
        {"cells", selection.cells.has_value()},   {"pooling", selection.pooling.has_value()},
        {"query", cursor.query.has_value()},      {"key", cursor.key.has_value()},
        {"distance", cursor.distance.has_value()}};
    for (const auto& [option, is_given] : given)
        if (is_given && std::find(options.begin(), options.end(), option) == options.end())
            throw UsageError(
                fmt::format("--{} does not apply to '{}'{}", option, what,
                            options.empty() ? "" : fmt::format("; it accepts --{}", fmt::join(options, ", --"))));
}

Cursor placed(const CursorOptions& options, Cursor cursor, int seq_len) {
    if (options.query) cursor.query = inside(*options.query, seq_len, "--query");
    if (options.key) cursor.key = inside(*options.key, seq_len, "--key");
    if (!options.distance) return cursor;
    if (options.key) throw UsageError("--key and --distance cannot be combined; use one of them with --query");
    if (!options.query) cursor.query = seq_len - 1;
    cursor.key = cursor.query - *options.distance;
    if (cursor.key < 0 || cursor.key >= seq_len)
        throw InputError(fmt::format("--distance is {}; from query {} it must be from {} to {}", *options.distance,
                                     cursor.query, cursor.query - seq_len + 1, cursor.query));
    return cursor;
}

/// Sets the scene's reference as the options say; otherwise keeps the scene's own.
void set_reference(const Arguments& arguments, Scene& scene) {
    if (!arguments.has_reference) scene.reference.reset();
    if (arguments.reference.empty()) return;
    Experiment& reference = scene.reference.emplace(scene.experiment);
    for (const std::string& setting : arguments.reference)
        apply_setting(reference, setting, {.folder = "", .reach = FileAccess::Reach::anywhere});
    if (const auto sentence = validate(reference)) throw InputError("--reference: " + *sentence);
}

Figure with_options(const std::string& id, const View& view, const std::vector<std::string>& options) {
    Figure figure = figure_called(id, view);
    set_options(figure, options);
    return figure;
}

bool is_figure(const std::string& id) {
    Figure figure;
    return choose(figure, id);
}

/// Returns the given format, or else the one of the output's name.
std::string format_of(const std::string& given, const std::string& output, const std::string& formats) {
    if (!given.empty()) return given;
    const std::string extension = extension_of(output);
    if (extension.empty())
        throw UsageError(
            fmt::format("cannot tell the format from the name '{}'; add --format with {}", output, formats));
    return extension;
}

bool has_option(const Figure& figure, std::string_view name) {
    const auto options = ConstChoiceRef(figure).fields().list();
    return std::any_of(options.begin(), options.end(),
                       [&](const FieldRef& option) { return option.field.name == name; });
}

}  // namespace

void write_figure(const Arguments& arguments, const Cancel& cancel) {
    auto [scene, view] = open_with_warnings(arguments);
    set_reference(arguments, scene);
    require_other_name(arguments.output, scene, is_figure_file(scene.path));
    const std::string kind = format_of(arguments.format, arguments.output, any_figure_format());
    if (const CaptionFile caption = arguments.paper.caption_file; caption != CaptionFile::none) {
        if (arguments.output == "-") throw UsageError("--caption-file needs a file name in --output");
        require_other_name(caption_path(arguments.output, caption), scene, false, "--caption-file would replace");
    }
    const Figure drawn = with_options(arguments.kind, view, arguments.options);
    require_understood(arguments.kind, cursor_options(drawn, scene.experiment), arguments.cursor, {});
    view.cursor = placed(arguments.cursor, view.cursor, scene.experiment.seq_len);
    if (compares(drawn) && !scene.reference)
        say("no reference to subtract, so the values themselves are drawn; set one with --reference");
    if (!arguments.reference.empty() && !draws_reference(drawn))
        say(fmt::format("'{}' does not show a reference{}", arguments.kind,
                        has_option(drawn, "against") ? "; add --option against=reference" : ""));
    put_in_view(drawn, view);
    write_view(view, scene);
    const std::optional<Experiment> reference = scene.reference;
    leave_out_files_of_reference(scene);
    PageOptions options{.theme = &theme_called(arguments.theme, light_theme()),
                        .parts = arguments.parts,
                        .cursor = view.cursor,
                        .scene = scene_text(scene),
                        .reference = reference};
    require_readable(options.scene);
    scene.document = nullptr;  // its unknown fields may be large
    if (arguments.size) std::tie(options.width, options.height) = *arguments.size;
    if (arguments.mm) {
        const double usual = is_text(drawn) ? PageExtent::min_height : PageStyle::usual_height(arguments.mm->width);
        options.width = arguments.mm->width * PageStyle::px_per_mm,
        options.height = arguments.mm->height.value_or(usual) * PageStyle::px_per_mm,
        options.density = PageStyle::density_of(arguments.mm->width, 1);
    }
    if (arguments.scale != 0) options.scale = arguments.scale;
    set_style(options, arguments.paper);
    const bool has_height = !arguments.mm || arguments.mm->height;
    if (!figure_format(kind).is_vector && has_height) require_image_size(options.width, options.height, options.scale);
    Evaluator evaluator(arguments.backend.open());
    require_affordable(drawn, scene.experiment, evaluator.backend(), {}, reference ? &*reference : nullptr, cancel);
    if (reference) require_affordable(drawn, *reference, evaluator.backend(), {}, nullptr, cancel);
    Page page{{{drawn}}, scene.experiment, std::move(options)};
    OmittedParts omitted = omitted_of(page, evaluator, cancel);
    if (arguments.mm && !arguments.mm->height) {
        if (omitted.height)
            page.options.height = *omitted.height, omitted = omitted_of(page, evaluator, cancel);
        else if (!omitted.parts.empty() && is_text(drawn))  // too narrow: no height helps
            page.options.height = PageStyle::usual_height(arguments.mm->width) * PageStyle::px_per_mm,
            omitted = omitted_of(page, evaluator, cancel);
    }
    const std::string bytes = make_page(page, evaluator, kind, cancel);
    if (const CaptionFile caption = arguments.paper.caption_file; caption != CaptionFile::none) {
        const std::string text = caption_text(page, caption, evaluator, cancel);
        write_together({{arguments.output, bytes}, {caption_path(arguments.output, caption), text}}, cancel);
    } else {
        write_output(arguments.output, bytes, cancel);
    }
    notify(evaluator.backend());
    report_omitted_parts(omitted, page.options, arguments);
}

void write_data(const Arguments& arguments, const Cancel& cancel) {
    const bool is_stream = arguments.output == "-";
    const std::string format = is_stream && arguments.format.empty()
                                   ? "csv"
                                   : format_of(arguments.format, arguments.output, "npy, csv, json or py");
    require_data_format(format);
    const DataKind& kind = data_kind(arguments.kind);
    const auto [scene, view] = open_with_warnings(arguments);
    require_other_name(arguments.output, scene, false);
    DataSelection selection = arguments.selection;
    selection.cursor = view.cursor;
    if (kind.of_figure || !arguments.options.empty()) {
        if (!is_figure(arguments.kind))
            throw UsageError(fmt::format("--option does not apply to '{}', which is not a figure", arguments.kind));
        selection.figure = with_options(arguments.kind, view, arguments.options);
    }
    require_understood(arguments.kind,
                       selection.figure ? cursor_options(*selection.figure, scene.experiment) : kind.options,
                       arguments.cursor, selection);
    selection.cursor = placed(arguments.cursor, selection.cursor, scene.experiment.seq_len);
    const auto backend = arguments.backend.open();
    const std::string bytes =
        encode(make_data(arguments.kind, scene.experiment, *backend, selection, cancel), format, cancel);
    if (is_stream && ::isatty(STDOUT_FILENO) != 0 && format != "npy")
        print(bytes);  // the names of tokens may hold anything
    else
        write_output(arguments.output, bytes, cancel);
    notify(*backend);
}

}  // namespace ropewalk
