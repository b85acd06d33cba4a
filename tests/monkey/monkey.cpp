#include "tests/monkey/monkey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ropewalk {
namespace {

constexpr Key modifiers[] = {Key::left_control, Key::left_shift, Key::left_alt, Key::left_super};
constexpr double scales[] = {0.75, 1, 1.25, 1.5, 2, 3};
constexpr PixelSize usual_sizes[] = {{1600, 1000}, {1280, 720}, {1100, 700}};

/// Texts that somebody may type or paste somewhere.
constexpr const char32_t* texts[] = {
    U"0.25",
    U"1e308",
    U"-1",
    U"nan",
    U"500k",
    U"2^20",
    U"1000000",
    U"encoding yarn",
    U"p 0.5",
    U"base 1e7",
    U"1..3",
    U"2000:3000",
    U"0,1,2",
    U"kind=rotation_off layers=0",
    U"ähnlich 漢字 🙂",
    U"\U0010ffff\u202e\u0301",
    U"$x^{2",
    U"%n%s",
    U"../..",
    U"{\"seq_len\": 0}",
};

}  // namespace

double Monkey::between(double low, double high) {
    return low + (high - low) * static_cast<double>(random_()) / 4294967295.0;
}

/// A visible widget, mostly of the topmost card, else anywhere.
Monkey::Aim Monkey::aim(Gui& gui) {
    std::vector<const RegisteredWidget*> visible;
    int top = 0;
    for (const RegisteredWidget& widget : gui.ui().registry.all()) {
        if (!widget.visible) continue;
        visible.push_back(&widget);
        top = std::max(top, widget.layer);
    }
    if (in(4, 5)) std::erase_if(visible, [&](const RegisteredWidget* widget) { return widget->layer < top; });
    const PixelSize size = gui.surface().framebuffer_size();
    if (visible.empty() || in(1, 12))
        return {"anywhere", between(-20, size.width + 20), between(-20, size.height + 20)};
    const RegisteredWidget& chosen = *visible[static_cast<std::size_t>(below(static_cast<int>(visible.size())))];
    const Rect& rect = chosen.rect;
    return {chosen.id, std::floor(between(rect.x, rect.right())), std::floor(between(rect.y, rect.bottom()))};
}

int Monkey::press(Gui& gui, Key key) {
    EventQueue& events = gui.surface().events();
    int count = 0;
    std::vector<Key> held;
    for (const Key modifier : modifiers)
        if (in(1, 4)) held.push_back(modifier);
    for (const Key modifier : held) events.push(KeyChanged{modifier, true}), ++count;
    events.push(KeyChanged{key, true});
    for (int repeats = in(1, 6) ? below(8) : 0; repeats > 0; --repeats)
        events.push(KeyChanged{key, true, true}), ++count;
    if (!in(1, 50)) events.push(KeyChanged{key, false}), ++count;
    for (const Key modifier : held) events.push(KeyChanged{modifier, false}), ++count;
    last_ = "key " + name_of(key, {.control = std::find(held.begin(), held.end(), Key::left_control) != held.end(),
                                   .shift = std::find(held.begin(), held.end(), Key::left_shift) != held.end(),
                                   .alt = std::find(held.begin(), held.end(), Key::left_alt) != held.end()});
    return count + 1;
}

int Monkey::use_mouse(Gui& gui) {
    EventQueue& events = gui.surface().events();
    const Aim from = aim(gui);
    events.push(MouseMoved{from.x, from.y});
    switch (below(8)) {
        case 0: last_ = "hover " + from.name; return 1;
        case 1: {
            last_ = "wheel " + from.name;
            events.push(MouseWheel{in(1, 4) ? between(-3, 3) : 0, between(-5, 5)});
            return 2;
        }
        case 2:
        case 3: {
            const Aim to = in(1, 2) ? aim(gui) : Aim{"nearby", from.x + between(-300, 300), from.y + between(-60, 60)};
            last_ = fmt::format("drag {} to {}", from.name, to.name);
            events.push(MouseButton{0, true});
            constexpr int moves = 5;
            for (int i = 1; i <= moves; ++i) {
                const double t = static_cast<double>(i) / moves;
                events.push(MouseMoved{from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)});
                if (i == 2 && in(1, 10))
                    events.push(KeyChanged{Key::escape, true}), events.push(KeyChanged{Key::escape, false});
            }
            if (!in(1, 40)) events.push(MouseButton{0, false});
            return 8;
        }
        default: {
            const int button = in(1, 5) ? 1 : in(1, 20) ? 2 : 0, clicks = in(1, 6) ? 2 : 1;
            last_ = fmt::format("click {} with button {}", from.name, button);
            for (int i = 0; i < clicks; ++i)
                events.push(MouseButton{button, true}), events.push(MouseButton{button, false});
            return 1 + 2 * clicks;
        }
    }
}

int Monkey::type(Gui& gui) {
    const std::u32string_view text = texts[static_cast<std::size_t>(below(std::size(texts)))];
    last_ = "type";
    for (const char32_t character : text) gui.surface().events().push(CharacterTyped{character});
    return static_cast<int>(text.size()) + (in(1, 2) ? press(gui, Key::enter) : 0);
}

int Monkey::resize(EglSurface& surface) {
    const auto side = [&] { return static_cast<int>(std::exp(between(0, std::log(4000.0)))); };
    const PixelSize size =
        in(2, 3) ? usual_sizes[below(std::size(usual_sizes))] : PixelSize{in(1, 60) ? 0 : side(), side()};
    const double scale = in(1, 2) ? 1 : scales[below(std::size(scales))];
    last_ = fmt::format("resize {}x{} at {}", size.width, size.height, scale);
    surface.resize(size, scale);
    return 1;
}

int Monkey::drop(Gui& gui) {
    FilesDropped dropped;
    for (int count = in(1, 3) ? 2 : 1; count > 0 && !files_.empty(); --count)
        dropped.paths.push_back(files_[static_cast<std::size_t>(below(static_cast<int>(files_.size())))]);
    last_ = "drop";
    for (const std::string& path : dropped.paths) last_ += " " + path;
    gui.surface().events().push(dropped);
    return 1;
}

int Monkey::play(Gui& gui, EglSurface& surface) {
    const int choice = below(100);
    if (choice < 55) return use_mouse(gui);
    if (choice < 66) return press(gui, Key{static_cast<std::uint16_t>(in(1, 2) ? 'A' + below(26) : 32 + below(64))});
    if (choice < 84) {
        static constexpr Key special[] = {
            Key::escape,     Key::enter,       Key::tab,         Key::backspace,  Key::del,        Key::right,
            Key::left,       Key::down,        Key::up,          Key::page_up,    Key::page_down,  Key::home,
            Key::end,        Key::space,       Key::menu,        Key::keypad_add, function_key(1), function_key(2),
            function_key(5), function_key(10), function_key(11), function_key(12)};
        return press(gui, special[below(std::size(special))]);
    }
    if (choice < 91) return type(gui);
    if (choice < 95) return resize(surface);
    if (choice < 97) return drop(gui);
    last_ = "leave";
    if (in(1, 2)) return gui.surface().events().push(MouseLeft{}), 1;
    gui.surface().events().push(FocusChanged{false});
    return 1;
}

}  // namespace ropewalk
