#include "app/window/session/layouts.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/figures/figures.h"
#include "app/figures/page/view_io.h"
#include "core/error.h"
#include "core/io/files.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr std::uint64_t max_layouts_bytes = 1 << 20;

/// Returns the arrangement with all figures zoomed out.
Arrangement whole(Arrangement arrangement) {
    for (Figure& figure : arrangement.figures) show_all(figure);
    return arrangement;
}

/// Returns the arrangement with the options of those figures that are also in `current`.
Arrangement with_options_of(const Arrangement& current, Arrangement arrangement) {
    for (Figure& figure : arrangement.figures) {
        const auto same = std::find_if(current.figures.begin(), current.figures.end(),
                                       [&](const Figure& other) { return other.index() == figure.index(); });
        if (same != current.figures.end()) figure = *same;
    }
    return arrangement;
}

/// Throws InputError if the name of a layout is invalid or built in.
void check_name(const std::string& name) {
    if (name.empty() || name.front() == ' ' || name.back() == ' ')
        throw InputError("The name of a layout cannot be empty, or begin or end with a space");
    std::size_t characters = 0;
    for (std::string_view rest = name; !rest.empty(); ++characters) take_character(rest);
    if (characters > SavedLayouts::longest_name ||
        std::any_of(name.begin(), name.end(), [](char c) { return c >= 0 && c < ' '; }))
        throw InputError("The name of a layout must be one line of at most 60 characters");
    for (const NamedLayout& own : built_in_layouts())
        if (own.name == name) throw InputError(fmt::format("'{}' is a built-in layout; choose another name", name));
}

/// Throws InputError if the layout is missing, as another program may have changed the file.
void require(const nlohmann::json& layouts, const std::string& name) {
    if (!layouts.contains(name)) throw InputError(fmt::format("The layout '{}' no longer exists", name));
}

}  // namespace

const std::vector<NamedLayout>& built_in_layouts() {
    static const std::vector<NamedLayout> layouts{
        {"Standard", "The matrix, with decay, contributions, rotation and wavelengths around it.", {}},
        {"Matrix alone", "Only the matrix; press Esc to show the other figures again.", {.layout = {.maximised = 0}}},
        {"Curves",
         "Decay curve, its bound, one row of weights, contributions and entropy.",
         {.figures = {figure_of("decay"), figure_of("attention_row"), figure_of("phasor_bound"),
                      figure_of("contributions"), figure_of("entropy")},
          .layout = {.main = 0.6, .upper = 0.6, .bottom_split = 0.5}}},
        {"Pairs and frequencies",
         "How far and how fast every pair rotates, and its share of queries and keys.",
         {.figures = {figure_of("rotation_heatmap"), figure_of("phasors"), figure_of("frequency_usage"),
                      figure_of("contributions"), figure_of("wavelengths")},
          .layout = {.main = 0.58, .upper = 0.6, .bottom_split = 0.5}}},
        {"Teaching",
         "The matrix next to rotating phasors, with decay, one row of weights and contributions to a score.",
         {.figures = {figure_of("attention"), figure_of("phasors"), figure_of("decay"), figure_of("attention_row"),
                      figure_of("contributions")},
          .layout = {.sidebar = 300, .main = 0.56, .upper = 0.66, .bottom_split = 0.5}}},
    };
    return layouts;
}

SavedLayouts::SavedLayouts(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    file_ = folder / "layouts.json";
    try {
        document_ = read();
    } catch (const std::exception& unreadable) {
        complaint_ = fmt::format("{}. Your saved layouts are unavailable.", unreadable.what());
    }
}

nlohmann::json SavedLayouts::read() const {
    if (file_.empty()) return document_;
    std::error_code error;  // an inaccessible file counts as missing
    if (!std::filesystem::exists(file_, error)) return SavedLayouts().document_;
    nlohmann::json document = parse_json(read_file(file_.string(), max_layouts_bytes), file_.string());
    const JsonValue root(document, file_.string());
    if (!document.is_object()) root.reject("must be an object");
    document.emplace("layouts", nlohmann::json::object());
    if (!root.at("layouts").raw().is_object())
        root.at("layouts").reject("must be an object with a member for every layout");
    return document;
}

template <class Change>
void SavedLayouts::change(Change change) {
    nlohmann::json document = read();
    change(document["layouts"]);
    if (!file_.empty()) {
        std::error_code error;  // writing the file reports what is wrong
        std::filesystem::create_directories(file_.parent_path(), error);
        const std::string text = json_text(document);
        if (text.size() > max_layouts_bytes)
            throw LimitError("The saved layouts would exceed 1 MiB; delete some first");
        atomic_write(file_.string(), text);
    }
    document_ = std::move(document);
}

std::vector<std::string> SavedLayouts::names() const {
    std::vector<std::string> names;
    for (const auto& [name, layout] : layouts().items()) names.push_back(name);
    return names;
}

bool SavedLayouts::has(const std::string& name) const {
    return layouts().contains(name);
}

Arrangement SavedLayouts::find(const std::string& name, const Arrangement& current) const {
    if (has(name)) {
        const JsonValue json = JsonValue(document_, file_.string()).at("layouts").at(name);
        if (!json.raw().is_object()) json.reject("must be an object with figures and layout");
        Arrangement arrangement;
        Warnings unknown;  // from a newer version
        read_arrangement(json, arrangement, unknown);
        return arrangement;
    }
    for (const NamedLayout& own : built_in_layouts())
        if (own.name == name) return with_options_of(current, own.arrangement);
    throw InputError(fmt::format("There is no layout '{}'", name));
}

std::string SavedLayouts::name_of(Arrangement arrangement) const {
    arrangement.presenter.clear();  // belongs to the scene
    const Arrangement sought = whole(std::move(arrangement));
    for (const std::string& name : names()) {
        try {
            if (find(name) == sought) return name;
        } catch (const InputError&) {  // unreadable layouts are skipped
        }
    }
    for (const NamedLayout& own : built_in_layouts())
        if (with_options_of(sought, own.arrangement) == sought) return own.name;
    return {};
}

void SavedLayouts::save(const std::string& name, Arrangement arrangement) {
    check_name(name);
    change([&](nlohmann::json& layouts) { layouts[name] = json_of(whole(std::move(arrangement))); });
}

void SavedLayouts::rename(const std::string& from, const std::string& to) {
    check_name(to);
    if (from == to) return;
    change([&](nlohmann::json& layouts) {
        require(layouts, from);
        layouts[to] = layouts[from];
        layouts.erase(from);
    });
}

void SavedLayouts::remove(const std::string& name) {
    change([&](nlohmann::json& layouts) {
        require(layouts, name);
        layouts.erase(name);
    });
}

void Layouts::choose(const std::string& name) {
    notices_.attempt([&] {
        Arrangement chosen = saved_.find(name, document_.view);
        chosen.presenter = document_.view.presenter;
        document_.rearrange("Layout " + name, [&](Arrangement& current) { current = std::move(chosen); });
    });
}

bool Layouts::save(const std::string& name) {
    return notices_.attempt([&] {
        saved_.save(name, document_.view);
        notices_.notify(fmt::format("Layout saved as '{}'", name));
    });
}

bool Layouts::rename(const std::string& from, const std::string& to) {
    return notices_.attempt([&] {
        saved_.rename(from, to);
        notices_.notify(fmt::format("Layout renamed to '{}'", to));
    });
}

void Layouts::remove(const std::string& name) {
    notices_.attempt([&] {
        std::optional<std::pair<std::string, Arrangement>> deleted;
        try {
            deleted.emplace(name, saved_.find(name));
        } catch (const InputError&) {  // an unreadable layout can be deleted, but not restored
        }
        saved_.remove(name);
        deleted_ = std::move(deleted);
        notices_.notify(
            fmt::format("Layout '{}' deleted{}", name, deleted_ ? ". You can restore it from Layouts." : ""));
    });
}

bool Layouts::restore() {
    return notices_.attempt([&] {
        const auto& [name, arrangement] = deleted_.value();
        if (saved_.has(name)) throw InputError(fmt::format("There is another layout '{}' now", name));
        saved_.save(name, arrangement);
        notices_.notify(fmt::format("Layout '{}' restored", name));
        deleted_.reset();
    });
}

}  // namespace ropewalk
