#include "app/window/session/session_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/figures/parts/text/caption.h"
#include "app/plot/open_figure.h"
#include "app/window/session/recovery.h"
#include "core/error.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr const char* source_member = "opened_from";  // of a saved session
constexpr const char* steps_member = "steps";         // likewise
constexpr const char* name_of_saved = "the recovered session";

/// A head that cannot be computed is recovered as it was left. So is one whose files no longer exist, without them.
const FileAccess as_left{.folder = "", .reach = FileAccess::Reach::anywhere, .keeps_faults = true};

/// Returns the experiment with absolute paths of its files.
Experiment with_whole_paths(Experiment experiment, const std::filesystem::path& folder) {
    walk_fields(experiment, [&](const std::string&, const Field&, auto& value) {
        if constexpr (FileLeaf<std::remove_cvref_t<decltype(value)>>)
            if (!value.path.empty()) value.path = whole_path(value.path, folder);
    });
    return experiment;
}

/// Returns a scene with the current or last state of its experiment, reference and view.
Scene saved_scene(const OpenScene& open, const Experiment& experiment, const SavedReference* reference,
                  const View& view) {
    const Scene& scene = open.scene;
    Scene saved = scene;
    saved.experiment = with_whole_paths(experiment, folder_of(scene));
    saved.reference.reset();
    if (reference) saved.reference = with_whole_paths(reference->experiment, reference->folder);
    write_view(view, saved);
    nlohmann::json source;
    if (!scene.path.empty()) {
        std::error_code gone;  // the working directory may no longer exist
        source = {{"path", std::filesystem::absolute(scene.path, gone).string()}, {"bundled", scene.bundled}};
        if (scene.stamp)
            source["written"] = scene.stamp->written.time_since_epoch().count(), source["bytes"] = scene.stamp->bytes;
    }
    if (open.is_staged) source["staged"] = true;
    if (!source.is_null()) saved.document[source_member] = std::move(source);
    return saved;
}

/// Links a saved scene to its origin again: a lesson, and its file with its contents, if that can still be read.
void link_to_origin(OpenScene& open) {
    Scene& saved = open.scene;
    const nlohmann::json from = saved.document.value(source_member, nlohmann::json());
    saved.document.erase(source_member);
    std::erase_if(saved.warnings,
                  [](const std::string& warning) { return warning.find(source_member) != warning.npos; });
    try {
        open.is_staged = from.value("staged", false);
        Scene source = open_scene_or_figure(from.at("path"));
        // The paths are made absolute, as in the saved scene, so that the two can be compared.
        std::optional<Experiment> reference = source.reference;
        if (reference) reference = with_whole_paths(*std::move(reference), folder_of(source));
        View view = read_view(source);
        SceneContent content{with_whole_paths(source.experiment, folder_of(source)), std::move(reference),
                             std::move(view.figures), std::move(view.presenter)};
        saved.path = source.path, saved.bundled = from.value("bundled", false);
        const std::filesystem::file_time_type::duration written(from.value("written", std::int64_t{0}));
        saved.stamp = FileStamp{std::filesystem::file_time_type(written), from.value("bytes", std::uintmax_t{0})};
        open.saved = std::move(content);
    } catch (const std::exception&) {  // it has no file, or not any more
    }
}

/// Returns the members of an experiment that differ from another one, which is known when they are read.
nlohmann::json differing_members(const nlohmann::json& experiment, const nlohmann::json& known) {
    nlohmann::json differing = nlohmann::json::object();
    for (const auto& [name, value] : experiment.items())
        if (!known.contains(name) || known[name] != value) differing[name] = value;
    return differing;
}

nlohmann::json json_of(const Drawing& drawing) {
    return {{"panel", drawing.panel}, {"before", to_json(drawing.before)}, {"after", to_json(drawing.after)}};
}

Drawing read_drawing(const JsonValue& json, Warnings& warnings) {
    return {static_cast<int>(json.at("panel").integer(0, most_panels - 1)), read_figure(json.at("before"), warnings),
            read_figure(json.at("after"), warnings)};
}

nlohmann::json json_of(const SavedReference* reference) {
    if (!reference) return nlohmann::json::object();
    return {{"experiment", to_json(with_whole_paths(reference->experiment, reference->folder))},
            {"from", static_cast<int>(reference->from)}};
}

std::shared_ptr<const SavedReference> read_reference(const JsonValue& json, Warnings& warnings) {
    if (!json.contains("experiment")) return nullptr;
    SavedReference reference{.experiment = {}, .folder = ""};
    experiment_from_json(json.at("experiment"), reference.experiment, as_left, warnings);
    if (validate(reference.experiment)) return nullptr;  // such as when its files no longer exist
    reference.from = static_cast<SavedReference::From>(
        json.at("from").integer(0, static_cast<int>(SavedReference::From::another_scene)));
    return std::make_shared<const SavedReference>(std::move(reference));
}

/// Reads a step. `near` is the neighbouring step on the current step's side, from which it differs.
Step read_step(const JsonValue& json, const Step& near, const std::vector<std::shared_ptr<OpenScene>>& scenes) {
    Warnings warnings;
    if (json.contains("reference")) json.reject("has its reference in the form of an earlier version");
    Step step{.experiment = near.experiment, .open = nullptr, .reference = near.reference};
    experiment_from_json(json.at("experiment"), step.experiment, as_left, warnings);
    const auto scene = json.at("scene").integer(0, static_cast<std::int64_t>(scenes.size()) - 1);
    step.open = scenes[static_cast<std::size_t>(scene)];
    if (json.contains(reference_member)) step.reference = read_reference(json.at(reference_member), warnings);
    if (json.contains("drawing"))
        step.drawing = std::make_shared<const Drawing>(read_drawing(json.at("drawing"), warnings));
    if (json.contains("arrangement")) {
        step.other_arrangement = std::make_shared<Arrangement>();
        read_arrangement(json.at("arrangement"), *step.other_arrangement, warnings);
    }
    return step;
}

/// The text of the steps nearest to the current one, with the scenes that they belong to.
class SavedSteps {
  public:
    explicit SavedSteps(const Document& document)
        : all_(document.history().steps()),
          at_(document.history().at()),
          scenes_{document.history().current().open.get()} {}

    /// Returns as many steps as fit; empty if the current one does not.
    std::string text() {
        Side before{.step = at_, .experiment = experiment_of(all_[at_].value)}, after = before;
        if (!add(before)) return {};
        std::vector<std::string> earlier{before.text}, later;
        bool has_earlier = true, has_later = true;
        for (std::size_t distance = 1; distance <= most_saved_steps; ++distance) {
            has_earlier = has_earlier && before.step-- > 0 && add(before);
            if (has_earlier) earlier.push_back(before.text);
            has_later = has_later && ++after.step < all_.size() && add(after);
            if (has_later) later.push_back(after.text);
        }
        std::reverse(earlier.begin(), earlier.end());
        const std::size_t at = earlier.size() - 1;
        earlier.insert(earlier.end(), later.begin(), later.end());
        return fmt::format(R"({{"at":{},"scenes":[{}],"steps":[{}]}})", at, fmt::join(written_scenes_, ","),
                           fmt::join(earlier, ","));
    }

  private:
    /// The steps on one side of the current one.
    struct Side {
        std::size_t step;  // that was written last
        nlohmann::json experiment;
        std::string text{};
    };

    static nlohmann::json experiment_of(const Step& step) {
        return to_json(with_whole_paths(step.experiment, folder_of(step.open->scene)));
    }

    /// Writes the side's step as its differences from the neighbour nearer to the current step, and its scene if no
    /// written step has it. Returns false if they do not fit.
    bool add(Side& side) {
        const std::size_t neighbour = side.step < at_ ? side.step + 1 : side.step > at_ ? side.step - 1 : at_;
        const Step &step = all_[side.step].value, &near = all_[neighbour].value;
        nlohmann::json experiment = experiment_of(step);
        const auto scene = std::find(scenes_.begin(), scenes_.end(), step.open.get());
        nlohmann::json written{{"name", all_[side.step].name},
                               {"scene", scene - scenes_.begin()},
                               {"experiment", differing_members(experiment, side.experiment)}};
        if (step.reference != near.reference) written[reference_member] = json_of(step.reference.get());
        if (step.drawing) written["drawing"] = json_of(*step.drawing);
        if (step.other_arrangement) written["arrangement"] = ropewalk::json_of(*step.other_arrangement);
        side.text = json_line(written), side.experiment = std::move(experiment);
        const bool is_new = scene == scenes_.end();
        const std::string new_scene = is_new ? written_scene(step) : std::string();
        const std::size_t bytes = side.text.size() + new_scene.size() + 2;
        if (bytes_ + bytes > most_step_bytes) return false;
        bytes_ += bytes;
        if (is_new) scenes_.push_back(step.open.get()), written_scenes_.push_back(new_scene);
        return true;
    }

    static std::string written_scene(const Step& step) {
        const OpenScene& open = *step.open;
        return json_line(nlohmann::json::parse(scene_text(saved_scene(open, step.experiment, nullptr, open.view))));
    }

    static constexpr std::size_t most_step_bytes = std::size_t{1} << 20, most_saved_steps = 100;  // to either side

    const std::vector<History<Step>::Step>& all_;
    std::size_t at_, bytes_ = 0;
    std::vector<const OpenScene*> scenes_;
    std::vector<std::string> written_scenes_{"{}"};  // the first is the current one, which is saved anyway
};

/// Restores such steps. Throws InputError if they are invalid or do not lead to the current scene.
void restore_steps(Document& document, const JsonValue& saved) {
    const JsonValue scenes = saved.at("scenes"), steps = saved.at("steps");
    const std::size_t count = steps.raw().size(),
                      at = static_cast<std::size_t>(saved.at("at").integer(0, static_cast<std::int64_t>(count) - 1));
    std::vector<std::shared_ptr<OpenScene>> opened{document.history().current().open};
    for (std::size_t i = 1; i < scenes.raw().size(); ++i) {
        auto open = std::make_shared<OpenScene>();
        open->scene = parse_scene(json_text(scenes.at(i).raw()), name_of_saved, as_left);
        link_to_origin(*open);
        open->view = read_view(open->scene);
        opened.push_back(std::move(open));
    }
    std::vector<History<Step>::Step> read(count, {.value = document.history().current(), .name = {}});
    const auto read_one = [&](std::size_t step, std::size_t near) {
        const JsonValue json = steps.at(step);
        read[step] = {read_step(json, read[near].value, opened), json.at("name").text()};
    };
    for (std::size_t step = at + 1; step-- > 0;) read_one(step, std::min(step + 1, at));
    for (std::size_t step = at + 1; step < count; ++step) read_one(step, step - 1);
    if (read[at].value.open != opened.front() || !(read[at].value.experiment == document.experiment()))
        saved.reject("does not lead to the saved scene");
    document.restore_history(std::move(read), at);
}

}  // namespace

bool recover(Document& document, Notices& notices, const std::string& text, std::string_view message) {
    return notices.attempt([&] {
        nlohmann::json whole = parse_json(text, name_of_saved);
        std::string steps;
        if (whole.is_object() && whole.contains(steps_member)) {
            const nlohmann::json& saved = whole[steps_member];
            steps = saved.is_string() ? saved.get<std::string>() : saved.dump();
            whole.erase(steps_member);
        }
        OpenScene left;
        const auto read = [&] { left.scene = parse_scene(json_text(whole), name_of_saved, as_left); };
        const bool has_all = notices.attempt(read);
        if (!has_all) {  // the files of its reference may be unreadable
            whole.erase(reference_member);
            read();
        }
        link_to_origin(left);
        document.open(std::move(left.scene));
        const Experiment* const reference = document.reference();
        if (reference && !(left.saved && left.saved->reference == *reference)) document.own_reference();
        document.set_saved(std::move(left.saved));
        document.history().current().open->is_staged = left.is_staged;
        bool has_steps = false;
        try {
            if (!steps.empty()) {
                const nlohmann::json read_steps = parse_json(steps, name_of_saved);
                restore_steps(document, JsonValue(read_steps, name_of_saved, JsonValue::Pointer() / steps_member));
                has_steps = true;
            }
        } catch (const std::exception&) {  // the scene itself is recovered without them
        }
        notices.notify(fmt::format("{}{}{}", message,
                                   has_all ? "" : ", without its reference, which can no longer be opened",
                                   steps.empty() ? ". You can undo this."
                                   : has_steps   ? ", with its undo steps."
                                               : ", without its undo steps, which cannot be read. You can undo this."));
    });
}

bool recover(Document& document, Notices& notices, Recovery& recovery, const RecoveredSession& left) {
    if (recover(document, notices, left.text, left.is_chosen ? "Session recovered" : crash_notice)) {
        recovery.accept(left);
        if (left.others > 0)
            notices.notify(
                fmt::format("{} {} can be recovered: press Ctrl+K and type “recover”.", notices.current().sentence,
                            left.others > 1 ? fmt::format("{} more sessions", left.others) : "One more session"));
        return true;
    }
    notices.complain(fmt::format("The session could not be recovered. It is saved as {} ({})",
                                 recovery.reject(left).string(), notices.current().sentence));
    return false;
}

std::pair<std::string, std::string> title_and_caption_of_session(const std::string& text) {
    std::string title;
    try {
        const nlohmann::json document = parse_json(text, name_of_saved);
        nlohmann::json head = nlohmann::json::object();
        for (const char* member : {"schema", "title", "experiment"})
            if (const auto found = document.find(member); found != document.end()) head[member] = *found;
        title = head.value("title", title);
        const Experiment experiment =
            parse_scene(json_line(head), name_of_saved, {.keeps_faults = true, .skips_files = true}).experiment;
        // The construction is not checked, because that takes its files.
        if (!check_fields(experiment) && !check(experiment.encoding, experiment.shape()))
            return {title, caption(experiment)};
    } catch (const std::exception&) {  // the file may be damaged
    }
    return {title, {}};
}

std::string session_as_text(const Document& document) {
    // A text inside the text, so that the scene can be read even if the steps are damaged.
    const std::string steps = SavedSteps(document).text();
    const auto text_of = [&](const OpenScene& open) {
        Scene saved = saved_scene(open, document.experiment(), document.saved_reference(), document.view);
        if (!steps.empty()) saved.document[steps_member] = steps;
        return scene_text(saved);
    };
    OpenScene open = *document.history().current().open;
    std::string text = text_of(open);
    try {
        require_readable(text);
    } catch (const Error&) {  // its unknown keys are too many
        open.scene.document = nlohmann::json::object(), open.scene.view = nlohmann::json::object();
        text = text_of(open);
    }
    return text;
}

}  // namespace ropewalk
