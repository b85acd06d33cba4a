// The one table of commands: keys, buttons and their help read it.
#pragma once

#include <span>

#include "app/window/keys.h"

namespace ropewalk {

enum class Command { scenes, open, save, save_as, undo, redo, fit, screenshot, theme, full_screen, maximise };

struct CommandInfo {
    Command command;
    const char* id;
    const char* label;
    Key key;
    Modifiers modifiers;
    const char* help;
    bool in_bar = true;
};

inline constexpr CommandInfo commands[] = {
    {Command::scenes, "scenes", "Scenes", Key{'K'}, {.control = true}, "Pick one of the bundled scenes."},
    {Command::open,
     "open",
     "Open",
     Key{'O'},
     {.control = true},
     "Open a scene, a .npy file, or a figure that carries its scene; files may be dropped on the window too."},
    {Command::save,
     "save",
     "Save",
     Key{'S'},
     {.control = true},
     "Save the scene. A bundled scene is saved under a name of your own."},
    {Command::save_as,
     "save_as",
     "Save as",
     Key{'S'},
     {.control = true, .shift = true},
     "Save the scene under another name."},
    {Command::undo,
     "undo",
     "Undo",
     Key{'Z'},
     {.control = true},
     "Take back the last change of the experiment; one step a drag."},
    {Command::redo, "redo", "Redo", Key{'Z'}, {.control = true, .shift = true}, "Do again what was undone."},
    {Command::redo, "redo", "Redo", Key{'Y'}, {.control = true}, "Do again what was undone."},
    {Command::fit, "fit", "Fit", Key{'0'}, {.control = true}, "Show the whole matrix."},
    {Command::screenshot,
     "screenshot",
     "Screenshot",
     Key{static_cast<std::uint16_t>(Key::f1) + 11},
     {},
     "Write the window as a PNG."},
    {Command::full_screen,
     "full_screen",
     "Full screen",
     Key{static_cast<std::uint16_t>(Key::f1) + 10},
     {},
     "Fill the screen, or leave it."},
    {Command::theme, "theme", "Theme", Key{'T'}, {.control = true}, "Dark or light."},
    {Command::maximise,
     "maximise",
     "Maximise",
     Key{'M'},
     {.control = true},
     "Give the panel under the pointer all the room, or give it back.",
     false},
};

}  // namespace ropewalk
