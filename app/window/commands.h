// The one table of commands: keys, buttons and their help read it.
#pragma once

#include "app/window/keys.h"

namespace ropewalk {

enum class Command {
    scenes,
    gallery,
    lessons,
    layouts,
    keep_layout,
    rename_layout,
    delete_layout,
    open,
    save,
    save_as,
    undo,
    redo,
    fit,
    screenshot,
    full_screen,
    theme,
    maximise,
    commands,
    keys,
    present,
    larger_text,
    smaller_text,
    normal_text,
    copy_scene,
    paste_scene,
    copy_command,
    copy_numpy,
    keep_reference,
    drop_reference,
    export_figure,
    export_figures,
    history,
    glossary,
    formula,
    play,
    faster,
    slower
};

/// Where a command stands besides the palette.
enum class Place { bar, palette };

struct CommandInfo {
    Command command;
    const char* id;
    const char* label;
    Key key;  // none: it has no key
    Modifiers modifiers;
    const char* help;
    Place place = Place::palette;
};

inline constexpr Modifiers with_control{.control = true}, with_control_shift{.control = true, .shift = true};

/// The key Fn.
constexpr Key function_key(int n) {
    return Key{static_cast<std::uint16_t>(static_cast<int>(Key::f1) + n - 1)};
}

inline constexpr CommandInfo commands[] = {
    {Command::scenes, "scenes", "Scenes", Key{'B'}, with_control, "Pick one of the bundled scenes.", Place::bar},
    {Command::gallery, "gallery", "Gallery", Key{'O'}, with_control_shift,
     "Recent and bundled scenes by what they look like.", Place::bar},
    {Command::lessons, "lessons", "Lessons", Key{'L'}, with_control,
     "Short lessons beside a living scene: open or close them.", Place::bar},
    {Command::layouts, "layouts", "Layouts", Key{'L'}, with_control_shift,
     "Which figures stand where: choose a layout, or keep the present one under a name.", Place::bar},
    {Command::commands, "commands", "Commands", Key{'K'}, with_control, "Find any command or scene by typing.",
     Place::bar},
    {Command::open, "open", "Open", Key{'O'}, with_control,
     "Open a scene, a .npy file, or a figure that carries its scene; files may be dropped on the window too.",
     Place::bar},
    {Command::save, "save", "Save", Key{'S'}, with_control,
     "Save the scene. A bundled scene is saved under a name of your own.", Place::bar},
    {Command::save_as, "save_as", "Save as", Key{'S'}, with_control_shift, "Save the scene under another name.",
     Place::bar},
    {Command::undo, "undo", "Undo", Key{'Z'}, with_control,
     "Take back the last change of the experiment; one step a drag.", Place::bar},
    {Command::redo, "redo", "Redo", Key{'Z'}, with_control_shift, "Do again what was undone.", Place::bar},
    {Command::redo, "redo", "Redo", Key{'Y'}, with_control, "Do again what was undone.", Place::bar},
    {Command::fit, "fit", "Fit", Key::home, {}, "Show the whole matrix.", Place::bar},
    {Command::screenshot, "screenshot", "Screenshot", function_key(12), {}, "Write the window as a PNG."},
    {Command::full_screen,
     "full_screen",
     "Full screen",
     function_key(11),
     {},
     "Fill the screen, or leave it.",
     Place::bar},
    {Command::theme, "theme", "Theme", Key{'T'}, with_control, "Dark or light.", Place::bar},
    {Command::maximise, "maximise", "Maximise", Key{'M'}, with_control,
     "Give the panel under the pointer all the room, or give it back."},
    {Command::keep_layout,
     "keep_layout",
     "Keep this layout",
     Key::none,
     {},
     "The figures where they stand, with their options and splitters, under a name of your own."},
    {Command::rename_layout,
     "rename_layout",
     "Rename a layout",
     Key::none,
     {},
     "Give one of the layouts that you have kept another name."},
    {Command::delete_layout,
     "delete_layout",
     "Delete a layout",
     Key::none,
     {},
     "Give up one of the layouts that you have kept."},
    {Command::keys, "keys", "Keys", Key::slash, {.shift = true}, "All keys, and what the mouse does.", Place::bar},
    {Command::keys, "keys", "Keys", function_key(1), {}, "All keys, and what the mouse does."},
    {Command::present,
     "present",
     "Present",
     function_key(5),
     {},
     "Larger text and lines, and nothing but the figures, their formula and an open lesson: for a room. Once more or "
     "Esc goes back."},
    {Command::larger_text, "larger_text", "Larger text", Key::equal, with_control, "Text and controls a tenth larger."},
    {Command::smaller_text, "smaller_text", "Smaller text", Key::minus, with_control,
     "Text and controls a tenth smaller."},
    {Command::normal_text, "normal_text", "Normal text", Key{'0'}, with_control,
     "Text and controls in their own size."},
    {Command::copy_scene, "copy_scene", "Copy the scene", Key{'C'}, with_control,
     "The scene as text, to be pasted here, into a file or into a letter."},
    {Command::paste_scene, "paste_scene", "Paste a scene", Key{'V'}, with_control,
     "Open the scene whose text is on the clipboard. One step of undo."},
    {Command::copy_command,
     "copy_command",
     "Copy the command line",
     Key::none,
     {},
     "The `ropewalk figure` call that draws the middle figure as it is now."},
    {Command::copy_numpy, "copy_numpy", "Copy as NumPy", Key{'C'}, with_control_shift,
     "A Python script that computes this head again by its definition and prints the cursor's cell."},
    {Command::keep_reference,
     "keep_reference",
     "Keep as reference",
     Key{'R'},
     {},
     "Curves and colour ranges are compared with it from now on; hold Shift to see it in place."},
    {Command::drop_reference,
     "drop_reference",
     "Drop the reference",
     Key{'R'},
     {.shift = true},
     "Compare with nothing any more."},
    {Command::export_figure, "export_figure", "Export a figure", Key{'E'}, with_control,
     "The figure under the pointer as SVG, PDF or PNG, or its numbers as CSV or NPY, with a preview."},
    {Command::export_figures, "export_figures", "Export all figures", Key{'E'}, with_control_shift,
     "The figures of the window on one page, as they stand."},
    {Command::history, "history", "History", Key{'H'}, with_control,
     "All steps by name: go back or forth to any of them."},
    {Command::glossary, "glossary", "Glossary", Key{'G'}, with_control,
     "What papers and programs call things, and what they are called here."},
    {Command::formula,
     "formula",
     "Formula",
     Key{'F'},
     {},
     "The head's formula with its live numbers above the figures: show or hide it."},
    {Command::play,
     "play",
     "Play the distance",
     Key::space,
     {},
     "Moves the cursor along its row: phasors turn, bars and curves follow. Once more pauses."},
    {Command::faster, "faster", "Play faster", Key::equal, {}, "Twice as fast."},
    {Command::slower, "slower", "Play slower", Key::minus, {}, "Half as fast."},
};

}  // namespace ropewalk
