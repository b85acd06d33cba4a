// A window whose lessons are driven by a robot.
#pragma once

#include <string>

#include "tests/window/main_window_fixture.h"

namespace ropewalk {

class LessonsTest : public MainWindowTest {
  protected:
    explicit LessonsTest(bool keeps_pixels = false) : MainWindowTest("barbero-fig2a", keeps_pixels) {}

    Tutor& tutor() { return main_window_.tutor(); }
    const RegisteredWidget* find(const char* id) { return gui_.ui().registry.find(id); }
    std::string value(const char* id) {
        const RegisteredWidget* widget = find(id);
        return widget ? widget->value : "(missing)";
    }
    void start(const char* lesson, int step = 0) {
        ASSERT_TRUE(tutor().start(lesson, step));
        robot_.settle();
    }
};

}  // namespace ropewalk
