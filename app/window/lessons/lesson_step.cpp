// A step of a lesson: its prose, its question with the answers, and its task.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/lessons/lesson_marks.h"
#include "app/window/lessons/lesson_panel.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"

namespace ropewalk {
namespace {

constexpr double answer_padding = 10, mark_room = 36;  // logical pixels

}  // namespace

double LessonPanel::draw_title(Ui& ui, Point at, double width) const {
    ProseStyle style = strong_prose(*ui.theme, size_);
    style.size = is_dense_ ? 22 : 28, style.line = is_dense_ ? 28 : 36;
    const double above = std::round(ui.px(is_dense_ ? 0 : 6)), below = std::round(ui.px(is_dense_ ? 6 : 14));
    const Paragraph title = plain_paragraph(tutor_.step().title);
    const double height = draw_paragraph(ui, {at.x, at.y + above}, width, title, style, nullptr);
    const Rect rect{at.x, at.y + above, ui.px(width), height};
    ui.registry.add({"lesson.title", {}, rect, words_of(title, nullptr), middle_is_in_sight(rect)});
    return above + height + below;
}

void LessonPanel::draw_step(Ui& ui) {
    const Theme& theme = *ui.theme;
    const auto held = tutor_.results(), held_at_start = tutor_.results_at_start();
    const bool is_elsewhere = tutor_.has_other_scene() && tutor_.has_other_experiment();
    const bool has_start = held_at_start != nullptr;
    const Results* const at_start = held_at_start.get();
    const auto left = tutor_.results_when_left(), reached = tutor_.results_when_reached();
    const Results* const results = !is_elsewhere ? held.get() : left ? left.get() : at_start;
    // The prose before a task shows the numbers from the step's beginning, the prose after it those that complete it.
    const Results* const before = tutor_.step().has_task() && (has_start || is_elsewhere) ? at_start : results;
    const Results* const after = reached ? reached.get() : results;
    // Only current numbers have the colour of live ones.
    const auto style_of = [&](const Results* told_of, ProseStyle style) {
        if (told_of && held && !(told_of->request.experiment == held->request.experiment)) style.number = style.color;
        return style;
    };
    const LessonStep& step = tutor_.step();
    const int answers = static_cast<int>(step.expectations.size());
    const int told = tutor_.has_reached() ? answers + 1 : tutor_.predicted().value_or(-1) + 1;
    const int before_told = std::exchange(told_, told);
    const bool is_more = told > 0 && told != before_told && before_told <= answers;  // not if the task was undone
    if (is_elsewhere) {
        ProseStyle warning = strong_prose(theme, size_);
        warning.color = theme.warning;
        say(ui, "lesson.elsewhere",
            plain_paragraph(has_start ? "You opened another scene. The numbers below still belong to the lesson."
                                      : "You opened another scene. Click Reload to see the lesson's numbers."),
            warning, results, 8);
    }
    for (std::size_t i = 0; i < step.prose.size(); ++i)
        say(ui, fmt::format("lesson.prose{}", i), step.prose[i], style_of(before, running_prose(theme, size_)), before,
            10);
    float begin = ImGui::GetCursorPosY();  // of the part that was added last
    if (step.has_question()) {
        skip_down(ui, 4);
        say(ui, "lesson.question", step.question, style_of(at_start, strong_prose(theme, size_)), at_start, 8);
        for (int i = 0; i < static_cast<int>(step.expectations.size()); ++i)
            draw_expectation(ui, i, at_start, style_of(at_start, dim_prose(theme, size_)));
        skip_down(ui, 6);
    }
    if (step.has_task()) draw_task(ui, results);
    const bool is_over = step.has_task() ? tutor_.has_reached() : !step.has_question() || tutor_.predicted();
    if (is_over && !step.after.empty()) {
        skip_down(ui, 4);
        begin = ImGui::GetCursorPosY();
        for (std::size_t i = 0; i < step.after.size(); ++i)
            say(ui, fmt::format("lesson.after{}", i), step.after[i], style_of(after, running_prose(theme, size_)),
                after, 10);
    }
    draw_source(ui);
    skip_down(ui, 10);
    const float to_news =
        std::max(0.0f, std::min(begin - ui.px(fade_above), ImGui::GetCursorPosY() - ImGui::GetWindowHeight()));
    const bool is_entered = shown_ != place();
    if (is_entered)  // on return to a step, its task is what the user's last action has added
        shows_news_ = tutor_.predicted() && !is_over && !is_elsewhere;
    else if (is_more || !is_laid_out_again_)
        shows_news_ = is_more || (told > 0 && ImGui::GetScrollY() >= to_news - 2);
    if (shows_news_ && (is_entered || is_laid_out_again_))
        ImGui::SetScrollY(to_news);
    else if (shows_news_ && is_more)
        ImGui::SetScrollY(std::max(ImGui::GetScrollY(), to_news));
}

void LessonPanel::draw_source(Ui& ui) {
    const Lesson& lesson = *tutor_.lesson();
    const bool is_last = tutor_.step_index() + 1 == static_cast<int>(lesson.steps.size());
    if (!is_last || lesson.source.empty()) return;
    const Color color = ui.theme->text_dim;
    skip_down(ui, 6);
    say(ui, "lesson.source", plain_paragraph(lesson.source),
        {.size = 13, .line = 19, .color = color, .emphasis = color, .number = color}, nullptr, 6);
}

void LessonPanel::draw_expectation(Ui& ui, int index, const Results* results, const ProseStyle& explanation) {
    const Theme& theme = *ui.theme;
    const LessonStep& step = tutor_.step();
    const Expectation& expectation = step.expectations[static_cast<std::size_t>(index)];
    const auto predicted = tutor_.predicted();
    const bool is_chosen = predicted == index, is_told = predicted && (is_chosen || expectation.is_right);
    ProseStyle answer = running_prose(theme, size_);
    if (predicted && !is_told) answer.color = theme.text_dim;
    answer.number = answer.color, answer.number_weight = answer.weight;  // the right answer must not look different
    const double across = room_across(ui) - side_padding + 3, width = across - mark_room - answer_padding,
                 above_answer = is_dense_ ? 4 : 7;
    double height = paragraph_height(ui, width, expectation.text, answer, results) + ui.px(2 * above_answer);
    if (is_told)
        for (const Paragraph& paragraph : expectation.explanation)
            height += paragraph_height(ui, width, paragraph, explanation, results) + std::round(ui.px(2));
    const std::string id = fmt::format("lesson.answer{}", index);
    const ClickArea area = clickable(id, std::round(ui.px(across)), std::round(height));
    const Color verdict = expectation.is_right ? right_color(theme) : theme.warning;
    if (is_chosen || area.hovered) fill(ui, area.rect, is_chosen ? verdict.with_alpha(0.14) : theme.control_hovered, 6);
    const Point mark{area.rect.x + ui.px(18), area.rect.y + ui.px(above_answer + answer.line / 2)};
    if (is_told && expectation.is_right)
        draw_tick(ui, mark, verdict, 18);
    else if (is_chosen)
        draw_cross(ui, mark, verdict, 18);
    else {  // the key that chooses the answer
        ImGui::GetWindowDrawList()->AddCircle(compat::vector(mark), ui.px(9), compat::color(theme.text_faint), 24,
                                              ui.px(1.2));
        text_in(ui, {mark.x, mark.y, 0, 0}, std::to_string(index + 1), theme.text_dim, Align::middle);
    }
    Point pen{area.rect.x + ui.px(mark_room), area.rect.y + ui.px(above_answer)};
    pen.y += draw_paragraph(ui, pen, width, expectation.text, answer, results);
    if (is_told)
        for (const Paragraph& paragraph : expectation.explanation)
            pen.y += std::round(ui.px(2)) +
                     draw_paragraph(ui, {pen.x, pen.y + ui.px(1)}, width, paragraph, explanation, results);
    std::string state = is_chosen ? "chosen" : "";
    ui.registry.add({id,
                     {},
                     area.rect,
                     is_told ? state + (expectation.is_right ? " right" : " wrong") : state,
                     middle_is_in_sight(area.rect)});
    skip_down(ui, 5);
    const auto key = static_cast<Key>('1' + index);
    if (area.clicked || (index < 9 && ui.letters_are_keys() && ui.take_shortcut(key, {}))) tutor_.predict(index);
}

void LessonPanel::draw_task(Ui& ui, const Results* results) {
    const Theme& theme = *ui.theme;
    const bool is_reached = tutor_.has_reached(), is_ready = tutor_.is_ready();
    skip_down(ui, 4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const double across = room_across(ui) - side_padding + 3, width = across - 26;
    if (!is_ready && !is_reached) {  // the task may give the answer away
        const Rect rect{static_cast<double>(at.x), static_cast<double>(at.y), ui.px(across),
                        std::round(ui.px(row_height))};
        ui.fonts.draw(*ImGui::GetWindowDrawList(), {rect.x, rect.y + ui.px(10)}, "Choose an answer to see the task.",
                      {.size = 14, .color = theme.text_dim});
        ImGui::Dummy(compat::vector({rect.width, rect.height}));
        ui.registry.add({"lesson.task", {}, rect, "", middle_is_in_sight(rect)});
        return skip_down(ui, 4);
    }
    const ProseStyle style = strong_prose(theme, size_);
    const double size = std::round(ui.px(15)),
                 top = static_cast<double>(at.y) + std::round((ui.px(style.line) - size) / 2);
    const Rect box{static_cast<double>(at.x), top, size, size};
    if (is_reached) {
        fill(ui, box, right_color(theme), 4);
        draw_tick(ui, box.centre(), theme.panel, 14);
    } else {
        outline(ui, box, theme.accent, 4);
    }
    const Paragraph& task = tutor_.step().task;
    const double height =
        draw_paragraph(ui, {box.x + ui.px(26), static_cast<double>(at.y)}, width, task, style, results);
    const Rect rect{box.x, static_cast<double>(at.y), ui.px(across), height};
    ImGui::Dummy(compat::vector({rect.width, height}));
    ui.registry.add({"lesson.task", {}, rect, is_reached ? "done" : "to do", middle_is_in_sight(rect)});
    ui.registry.add({"lesson.task.text", {}, rect, words_of(task, results), middle_is_in_sight(rect)});
    skip_down(ui, 2);
    if (is_reached) return skip_down(ui, 6);
    ImGui::SetCursorScreenPos({at.x + ui.px(26 - 10), ImGui::GetCursorScreenPos().y});
    if (button(ui,
               {.id = "lesson.show_me",
                .label = "Show me",
                .help = {.title = "Show me", .text = "Make this change for me. You can undo it."}},
               ButtonLook::quiet))
        tutor_.show_solution();
    skip_down(ui, 4);
}

}  // namespace ropewalk
