#include "app/window/main_window/entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "app/figures/page/figure_titles.h"
#include "app/figures/parts/text/value_in_words.h"
#include "app/lessons/glossary.h"
#include "app/window/session/session_text.h"
#include "app/window/widgets/field_words.h"
#include "core/fields/setting_text.h"
#include "core/io/files.h"
#include "core/version.h"

namespace ropewalk {
namespace {

/// Mouse actions and keys that are no commands.
const KeysGroup gestures[] = {
    {"Figures",
     {{"Point at a cell or a curve", "Hover; click locks, Esc releases"},
      {"Move the cursor", "Arrows; Shift by 10, Ctrl by 100"},
      {"Zoom", "Wheel"},
      {"Pan", "Drag"},
      {"Show everything", "Double-click"},
      {"Draw amplitudes or a target", "Drag; right button erases"},
      {"Show another figure", "Click its title"},
      {"Swap two figures", "Drag a title onto another"},
      {"Resize", "Drag between; double-click resets"}}},
    {"Controls",
     {{"Type a value", "Click it, or Enter"},
      {"Step a slider", "Arrows; Shift for larger steps"},
      {"Reset", "Double-click the label"},
      {"More for a field", "Right-click, or ⋯"},
      {"Next control", "Tab; Shift+Tab back"},
      {"Answer a lesson's question", "1, 2, 3 …"},
      {"Open the menus", "Alt or F10"}}},
};

constexpr std::string_view set_prefix = "set.";

bool is_of_training(const std::string& path) {
    return path.starts_with(path_of_recipe);
}
bool trains(const NamedField& named) {
    return is_of_training(named.path);
}

/// Returns the fields that the words set, of the current or of other encodings. Those of a training come first.
std::vector<NamedField> fields_set_by(const std::string& words, const Experiment& head) {
    std::vector<NamedField> fields = fields_named_by(words, head);
    const bool is_trained = trained_head_of(head.construction).has_value(), is_unknown = fields.empty();
    if (is_unknown || (is_trained && std::none_of(fields.begin(), fields.end(), trains)))
        for (NamedField& other : fields_of_other_encodings(words, head))
            if (is_unknown || trains(other)) fields.push_back(std::move(other));
    if (is_trained) std::stable_partition(fields.begin(), fields.end(), trains);
    return fields;
}

/// Returns a field's title in a list, which has no heading above the fields of a training.
std::string title_in_list(const std::string& path, const std::string& label) {
    const bool says_training = !is_of_training(path) || label.starts_with("Training");
    return says_training ? label : label + " (training)";
}

/// Returns the help of a field's entry: what choosing it does.
std::string about_setting(const NamedField& named, bool is_trained) {
    const bool is_other = !named.choice.empty();
    if (trains(named))
        return is_other ? "Train the model with this encoding and value. The figures already follow the training."
                        : "Train the model with this value. The figures already follow the training.";
    if (is_trained && named.path.starts_with("encoding"))
        return is_other ? "Choose this encoding for the shown head and set its field. The training stays the same."
                        : "Set this field of the shown head. The training stays the same.";
    return is_other ? "Choose this encoding and set its field. The figures already show the result."
                    : "Set this field. The figures already show the result.";
}

/// Returns entries for the fields that the words set.
std::vector<PaletteEntry> field_entries(const std::string& words, const WindowParts& window) {
    const Experiment& head = window.setting_preview.first(window.session.document);
    const bool is_trained = trained_head_of(head.construction).has_value();
    std::vector<PaletteEntry> entries;
    for (NamedField& named : fields_set_by(words, head)) {
        const bool can_be_set = !named.setting.empty();
        const Settings settings =
            named.choice.empty() ? Settings{named.setting} : Settings{named.choice, named.setting};
        entries.push_back({.id = can_be_set ? std::string(set_prefix) + in_one_line(settings) : "field." + named.path,
                           .title = title_in_list(named.path, named.label),
                           .about = can_be_set ? about_setting(named, is_trained) : named.complaint,
                           .keys = can_be_set ? named.before + " → " + named.after : named.before,
                           .enabled = can_be_set});
    }
    return entries;
}

template <Choice C>
std::string labels_of_fields(const std::string& id) {
    C choice;
    choose(choice, id);
    std::string labels;
    ConstChoiceRef(choice).fields().for_each(
        [&](const Field& field, const auto&) { labels.append(" ").append(field.label); });
    return labels;
}

/// Adds every alternative of a choice, to be found by its title and by its fields.
template <Choice C>
void add_alternatives(const std::string& kind, const std::string& prefix, std::vector<PaletteEntry>& entries) {
    for (const ChoiceType::Alternative& each : choice_type<C>().alternatives)
        entries.push_back({.id = prefix + each.id,
                           .title = kind + each.title,
                           .about = each.summary,
                           .also = labels_of_fields<C>(each.id)});
}

std::string id_of_entry(const Command& command) {
    return std::string("command.") + command.id;
}

/// Returns a description such as "Attention, Decay curve.", for layouts without one.
std::string figures_of(const SavedLayouts& layouts, const std::string& name) {
    try {
        std::string titles;
        const Arrangement arrangement = layouts.find(name);
        for (std::size_t i = 0; i < arrangement.figures.size(); ++i)
            titles += (titles.empty() ? "" : ", ") + title_among(arrangement.figures, i);
        return titles + ".";
    } catch (const InputError& unreadable) {
        return unreadable.what();
    }
}

std::vector<PaletteEntry> layout_entries(const SavedLayouts& saved) {
    std::vector<PaletteEntry> entries;
    for (const NamedLayout& own : built_in_layouts())
        if (!saved.has(own.name))
            entries.push_back({.id = "layout." + own.name, .title = own.name, .about = own.about});
    for (const std::string& name : saved.names())
        entries.push_back({.id = "layout." + name, .title = name, .about = figures_of(saved, name), .keys = "saved"});
    return entries;
}

PaletteEntry entry_of(const Term& term) {
    return {.id = {}, .title = std::string(term.name), .about = std::string(term.meaning)};
}

void add_figure(const std::string& id, WindowParts& window) {
    Figure added;
    if (choose(added, id) && window.session.document.view.can_add()) Panels::add(window.session, std::move(added));
}

/// Shows a figure of this kind as the main figure.
void show_figure(const std::string& id, WindowParts& window) {
    Figure shown;
    if (choose(shown, id))
        window.session.document.rearrange(std::string("Show ") + title_of(shown),
                                          [&](Arrangement& changed) { changed.figures.front() = std::move(shown); });
}

template <class C>
void choose_part(C Experiment::*part, const std::string& id, Document& document) {
    Experiment experiment = document.experiment();
    if (choose(experiment.*part, id)) document.edit(experiment, Gesture::complete);
}

/// Recovers the session of this file. The current session is set aside first and can be recovered the same way.
void take_recovered(const std::string& path, WindowParts& window) {
    Session& session = window.session;
    // Setting the current session aside first ensures that no later failure can lose it.
    std::filesystem::path saved_current;
    if (session.document.has_unsaved_changes() || session.document.can_undo()) try {
            saved_current = window.recovery->set_aside(session_as_text(session.document));
        } catch (const std::exception& error) {
            return session.notices.complain(error.what());
        }
    const auto left = window.recovery->take(path);
    if (!left) session.notices.complain("That session no longer exists");
    const bool is_recovered = left && recover(session.document, session.notices, *window.recovery, *left);
    if (!is_recovered && !saved_current.empty()) Recovery::discard(saved_current);
}

/// Entries whose ids begin with `prefix`, and what choosing one does with the rest of its id.
struct EntryKind {
    std::string_view prefix;
    void (*follow)(const std::string& rest, WindowParts& window);
};
constexpr EntryKind kinds[] = {
    {set_prefix, [](auto& setting, auto& w) { w.setting_preview.keep(w.session.document, setting); }},
    {"command.", [](auto& id, auto& w) { run_if_possible(*find_command(id), w); }},
    {"scene.", [](auto& name, auto& w) { w.session.files.open_bundled(name); }},
    {"file.", [](auto& path, auto& w) { w.session.files.open({path}); }},
    {"lesson.", [](auto& id, auto& w) { w.tutor.start(id); }},
    {"layout.", [](auto& name, auto& w) { w.session.layouts.choose(name); }},
    {"rename_layout.", [](auto& name, auto& w) { w.cards.ask_layout_name(name); }},
    {"delete_layout.", [](auto& name, auto& w) { w.session.layouts.remove(name); }},
    {"step.", [](auto& step, auto& w) { w.session.document.go_to_step(std::stoul(step)); }},
    {"session.", take_recovered},
    {"encoding.", [](auto& id, auto& w) { choose_part(&Experiment::encoding, id, w.session.document); }},
    {"construction.", [](auto& id, auto& w) { choose_part(&Experiment::construction, id, w.session.document); }},
    {"figure.", show_figure},
    {"sweep.", [](auto& path, auto& w) { w.cards.sweep(path); }},
    {"add_figure.", add_figure},
};

}  // namespace

PaletteEntry entry_of(const Command& command, const WindowParts& window) {
    const Obstacle obstacle = command.obstacle_in(window);
    return {.id = id_of_entry(command),
            .title = command.title,
            .about = command.help_given(obstacle),
            .keys = command.shortcuts(),
            .enabled = !obstacle};
}

std::vector<PaletteEntry> scene_entries(const WindowParts& window) {
    std::vector<PaletteEntry> entries;
    for (const std::string& path : window.session.files.recent().paths())
        entries.push_back(
            {.id = "file." + path, .title = std::filesystem::path(path).filename().string(), .about = path});
    for (const SceneEntry& scene : window.session.files.bundled())
        entries.push_back({.id = "scene." + scene.name, .title = scene.title, .about = scene.about});
    return entries;
}

std::string current_scene(const WindowParts& window) {
    if (window.tutor.lesson() && !window.tutor.has_other_scene()) return {};  // a lesson's scene is not in any list
    const Scene& scene = window.session.document.scene();
    return scene.bundled ? "scene." + std::filesystem::path(scene.path).stem().string() : "file." + scene.path;
}

void open_commands(WindowParts& window) {
    std::vector<PaletteEntry> entries;
    for (const Command& command : commands()) entries.push_back(entry_of(command, window));
    for (const auto& lesson : window.tutor.lessons())
        entries.push_back({.id = "lesson." + lesson->id, .title = "Lesson: " + lesson->title, .about = lesson->about});
    for (PaletteEntry& layout : layout_entries(window.session.layouts.saved())) {
        layout.title = "Layout: " + layout.title;
        entries.push_back(std::move(layout));
    }
    add_alternatives<Encoding>("Encoding: ", "encoding.", entries);
    add_alternatives<Construction>("Construction: ", "construction.", entries);
    add_alternatives<Figure>("Figure: ", "figure.", entries);
    for (PaletteEntry& scene : scene_entries(window)) entries.push_back(std::move(scene));
    window.cards.palette.open(find_command("commands")->title, std::move(entries), {},
                              [&window](const std::string& words) { return field_entries(words, window); });
}

void open_scenes(WindowParts& window) {
    window.cards.palette.open("Scenes", scene_entries(window), current_scene(window));
}

void open_shortcuts(WindowParts& window) {
    std::vector<KeysGroup> groups;
    for (const MenuTitle& menu : menu_titles) {
        KeysGroup group{.title = menu.title, .lines = {}};
        for (const Command* command : commands_of(menu.menu))
            if (std::string keys = command->shortcuts(); !keys.empty())
                group.lines.push_back({command->title, std::move(keys)});
        groups.push_back(std::move(group));
    }
    for (const KeysGroup& group : gestures) {
        const auto same = std::find_if(groups.begin(), groups.end(),
                                       [&](const KeysGroup& each) { return each.title == group.title; });
        if (same == groups.end())
            groups.push_back(group);
        else
            same->lines.insert(same->lines.end(), group.lines.begin(), group.lines.end());
    }
    window.cards.keys_sheet.open(std::move(groups));
}

void open_history(WindowParts& window) {
    const Document& document = window.session.document;
    const auto id = [](std::size_t step) { return fmt::format("step.{}", step); };
    const std::vector<std::string> names = document.steps();
    std::vector<PaletteEntry> entries;
    for (std::size_t step = names.size(); step-- > 0;)
        entries.push_back({.id = id(step),
                           .title = step == 0 ? "The beginning" : names[step],
                           .about = {},
                           .keys = step == document.step()  ? "now"
                                   : step > document.step() ? "undone"
                                                            : ""});
    window.cards.palette.open("History", std::move(entries), id(document.step()));
}

void open_recoverable(WindowParts& window) {
    constexpr std::size_t most = 20;
    std::vector<SessionFile> files = window.recovery->recoverable();
    files.resize(std::min(files.size(), most));
    std::vector<PaletteEntry> entries;
    for (const SessionFile& file : files) {
        std::string text;
        try {
            text = read_file(file.path.string(), Recovery::max_bytes);
        } catch (const std::exception&) {  // the entry has no title, but choosing it shows the error
        }
        auto [title, about] = title_and_caption_of_session(text);
        entries.push_back({.id = "session." + file.path.string(),
                           .title = title.empty() ? file.path.filename().string() : std::move(title),
                           .about = std::move(about),
                           .keys = file.when});
    }
    window.cards.palette.open("Recover a session", std::move(entries));
}

void open_layouts(WindowParts& window) {
    const SavedLayouts& saved = window.session.layouts.saved();
    std::vector<PaletteEntry> entries = layout_entries(saved);
    for (const char* command : {"keep_layout", "rename_layout", "delete_layout", "restore_layout"})
        entries.push_back(entry_of(*find_command(command), window));
    window.cards.palette.open("Layouts", std::move(entries), "layout." + saved.name_of(window.session.document.view));
}

void open_figures(WindowParts& window) {
    std::vector<PaletteEntry> entries;
    add_alternatives<Figure>("", "add_figure.", entries);
    window.cards.palette.open("Add figure", std::move(entries));
}

void open_sweeps(WindowParts& window) {
    std::vector<PaletteEntry> entries;
    walk_controls(window.session.document.experiment(),
                  [&](const std::string& path, const Field& field, const auto& value) {
                      using T = std::remove_cvref_t<decltype(value)>;
                      if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int>)
                          entries.push_back({.id = "sweep." + path,
                                             .title = title_in_list(path, field.label),
                                             .about = field.help,
                                             .keys = value_in_words(field, value)});
                  });
    window.cards.palette.open(find_command("sweep")->title, std::move(entries));
}

void open_glossary(WindowParts& window) {
    std::vector<PaletteEntry> entries;
    for (const Term& term : glossary()) entries.push_back(entry_of(term));
    window.cards.palette.open("Glossary", std::move(entries));
}

void open_about(WindowParts& window) {
    window.cards.palette.open(
        "About Ropewalk",
        {{.id = {}, .title = fmt::format("Ropewalk {}", version()), .about = "Free software under the MIT License."},
         {.id = {}, .title = "Backend", .about = window.session.computation.backend_description()},
         {.id = {},
          .title = "Command line",
          .about = "ropewalk --help lists the commands, man ropewalk explains them."},
         {.id = "command.lessons", .title = "Lessons", .about = "Short and interactive: the quickest way in."}});
}

void open_explanation(WindowParts& window) {
    const Figure& figure = window.pointed_figure();
    const std::string summary = ConstChoiceRef(figure).in_force().summary;
    std::vector<PaletteEntry> entries{{.id = {}, .title = title_of(figure), .about = summary}};
    for (const TermInText& found : terms_in(summary)) entries.push_back(entry_of(*found.term));
    window.cards.palette.open(std::string("Explain: ") + title_of(figure), std::move(entries));
}

void open_saved_layouts(WindowParts& window, const char* title, const std::string& prefix) {
    const SavedLayouts& saved = window.session.layouts.saved();
    std::vector<PaletteEntry> entries;
    for (const std::string& name : saved.names())
        entries.push_back({.id = prefix + name, .title = name, .about = figures_of(saved, name)});
    window.cards.palette.open(title, std::move(entries));
}

void preview_selected(WindowParts& window) {
    const std::string id = window.cards.palette.selected();
    const bool is_setting = id.starts_with(set_prefix);
    if (is_setting) window.player.stop();
    window.setting_preview.show(window.session.document, is_setting ? id.substr(set_prefix.size()) : std::string());
}

void follow(const std::string& id, WindowParts& window) {
    if (!id.starts_with("set.")) window.setting_preview.show(window.session.document, "");
    for (const EntryKind& kind : kinds)
        if (id.starts_with(kind.prefix)) return kind.follow(id.substr(kind.prefix.size()), window);
}

}  // namespace ropewalk
