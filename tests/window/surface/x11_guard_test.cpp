// What other programs send to the window on an X display.
#include "app/window/surface/x11_guard.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/window/surface/glfw_surface.h"
#include "app/window/surface/xlib.h"
#include "core/error.h"
#include "tests/fresh_process.h"
#include "tests/xvfb.h"

namespace ropewalk {
namespace {

TEST(X11Guard, LinesThatCannotBeReadBecomeComments) {
    const std::pair<std::string, std::string> lists[] = {
        {"file:///a b%20c\r\nfile://host/d\r\n", "file:///a b%20c\r\nfile://host/d\r\n"},
        {"file://%zz%", "#ile://%zz%"},
        {"file://", "#ile://"},
        {"file://host", "#ile://host"},
        {"file:///a\nfile://b\nfile:///c", "file:///a\n#ile://b\nfile:///c"},
        {"file:///%", "#ile:///%"},
        {"file:///%4", "#ile:///%4"},
        {"file:///%00x", "#ile:///%00x"},
        {"# a comment\r\nhttp://x/%41", "# a comment\r\nhttp://x/%41"},
        {"\r\n\r\n", "\r\n\r\n"},
        {"", ""}};
    for (auto [list, expected] : lists) {
        hide_malformed_uris(list);
        EXPECT_EQ(list, expected);
    }
}

using Id = unsigned long;
constexpr int property_notify = 28, selection_request = 30, selection_notify = 31, client_message = 33;

/// An event as Xlib lays it out.
struct DisplayEvent {
    struct Message {
        int type;
        unsigned long serial;
        int is_sent;
        void* display;
        Id window, kind;
        int format;
        std::array<long, 5> data;
    };
    struct Request {
        int type;
        unsigned long serial;
        int is_sent;
        void* display;
        Id owner, requestor, selection, target, property, time;
    };
    struct Change {
        int type;
        unsigned long serial;
        int is_sent;
        void* display;
        Id window, property, time;
        int is_deletion;
    };
    struct Notice {
        int type;
        unsigned long serial;
        int is_sent;
        void* display;
        Id requestor, selection, target, property, time;
    };
    union {
        int type;
        Message message;
        Request request;
        Change change;
        Notice notice;
        std::array<long, 24> space{};
    };
};

/// Another program that drags files over the first window that takes them.
class DragSource {
  public:
    DragSource() {
        display_ = xlib<void*(const char*)>("XOpenDisplay")(nullptr);
        root_ = xlib<Id(void*)>("XDefaultRootWindow")(display_);
        window_ = xlib<Id(void*, Id, int, int, unsigned, unsigned, unsigned, Id, Id)>("XCreateSimpleWindow")(
            display_, root_, 0, 0, 9, 9, 0, 0, 0);
        Id* children = nullptr;
        unsigned count = 0;
        Id parent = 0, root = 0;
        xlib<int(void*, Id, Id*, Id*, Id**, unsigned*)>("XQueryTree")(display_, root_, &root, &parent, &children,
                                                                      &count);
        for (unsigned i = 0; i < count; ++i) {
            int properties = 0;
            Id* const all = xlib<Id*(void*, Id, int*)>("XListProperties")(display_, children[i], &properties);
            if (all && std::find(all, all + properties, atom("XdndAware")) != all + properties) target_ = children[i];
        }
    }

    bool has_target() const { return target_ != 0; }
    void vanish() {
        xlib<int(void*, Id)>("XDestroyWindow")(display_, window_);
        xlib<int(void*, int)>("XSync")(display_, 0);
    }
    void enter() {
        const long from = static_cast<long>(window_);
        send("XdndEnter", {from, 5L << 24, static_cast<long>(atom("text/uri-list")), 0, 0});
        send("XdndPosition", {from, 0, 10L << 16 | 10, 0, static_cast<long>(atom("XdndActionCopy"))});
    }
    void drop() {
        xlib<int(void*, Id, Id, Id)>("XSetSelectionOwner")(display_, atom("XdndSelection"), window_, 0);
        send("XdndDrop", {static_cast<long>(window_), 0, 0, 0, 0});
    }
    /// Answers those who ask for the files.
    void answer(const std::string& list) {
        while (xlib<int(void*)>("XPending")(display_) > 0) {
            DisplayEvent event;
            xlib<int(void*, DisplayEvent*)>("XNextEvent")(display_, &event);
            if (event.type != selection_request) continue;
            const DisplayEvent::Request asked = event.request;
            xlib<int(void*, Id, Id, Id, int, int, const char*, int)>("XChangeProperty")(
                display_, asked.requestor, asked.property, asked.target, 8, 0, list.data(),
                static_cast<int>(list.size()));
            DisplayEvent reply;
            reply.notice = {selection_notify, 0,         1, display_, asked.requestor, asked.selection, asked.target,
                            asked.property,   asked.time};
            send_event(asked.requestor, reply);
        }
    }

  private:
    Id atom(const char* name) const { return xlib<Id(void*, const char*, int)>("XInternAtom")(display_, name, 0); }
    void send(const char* kind, const std::array<long, 5>& data) {
        DisplayEvent event;
        event.message = {client_message, 0, 1, display_, target_, atom(kind), 32, data};
        send_event(target_, event);
    }
    void send_event(Id to, DisplayEvent& event) {
        xlib<int(void*, Id, int, long, DisplayEvent*)>("XSendEvent")(display_, to, 0, 0, &event);
        xlib<int(void*, int)>("XSync")(display_, 0);
    }

    void* display_ = nullptr;
    Id root_ = 0, window_ = 0, target_ = 0;
};

/// Drags files over a window of its own. Prints what arrived for `said`, which runs this test in a separate process.
TEST(X11Guard, DragsFiles) {
    std::unique_ptr<GlfwSurface> surface;
    try {
        surface = std::make_unique<GlfwSurface>(SurfaceOptions{.width = 400, .height = 300});
    } catch (const DisplayError& error) {
        return say(error.what());
    }
    const std::unique_ptr<ImGuiContext, void (*)(ImGuiContext*)> context(ImGui::CreateContext(), ImGui::DestroyContext);
    std::vector<std::string> arrived;
    const auto look = [&](DragSource* source) {
        for (int i = 0; i < 20; ++i) {
            surface->wait(0.02);
            if (source) source->answer("file://%zz%\r\nfile:///tmp/c%00d\r\nfile:///tmp/a%20b\r\nfile://");
            const FrameInput input = surface->events().feed(ImGui::GetIO());
            arrived.insert(arrived.end(), input.dropped.begin(), input.dropped.end());
        }
    };
    DragSource vanishing;
    if (!vanishing.has_target()) return say("no window takes files");
    vanishing.vanish();
    vanishing.enter();
    look(nullptr);
    DragSource source;
    source.enter();
    look(&source);
    source.drop();
    look(&source);
    say(fmt::format("arrived: {}", fmt::join(arrived, ", ")));
}

TEST(X11Guard, NeitherASourceThatVanishesNorAMalformedListEndsTheWindow) {
    const Xvfb server("");
    if (server.display().empty()) GTEST_SKIP() << "Xvfb does not start";
    EXPECT_EQ(said("-u WAYLAND_DISPLAY DISPLAY=" + server.display(), "X11Guard.DragsFiles"), "arrived: /tmp/a b");
}

/// Another program that has put a text on the clipboard. It sends one piece at once and several one by one; without any
/// it hangs.
class ClipboardOwner {
  public:
    explicit ClipboardOwner(std::vector<std::string> pieces)
        : pieces_(std::move(pieces)), display_(xlib<void*(const char*)>("XOpenDisplay")(nullptr)) {
        const Id root = xlib<Id(void*)>("XDefaultRootWindow")(display_);
        const Id window = xlib<Id(void*, Id, int, int, unsigned, unsigned, unsigned, Id, Id)>("XCreateSimpleWindow")(
            display_, root, 0, 0, 9, 9, 0, 0, 0);
        xlib<int(void*, Id, Id, Id)>("XSetSelectionOwner")(display_, atom("CLIPBOARD"), window, 0);
        xlib<int(void*, int)>("XSync")(display_, 0);
        if (!pieces_.empty()) answering_ = std::thread([this] { answer(); });
    }
    ~ClipboardOwner() {
        ends_ = true;
        if (answering_.joinable()) answering_.join();
        xlib<int(void*)>("XCloseDisplay")(display_);
    }
    ClipboardOwner(const ClipboardOwner&) = delete;
    ClipboardOwner& operator=(const ClipboardOwner&) = delete;

  private:
    Id atom(const char* name) const { return xlib<Id(void*, const char*, int)>("XInternAtom")(display_, name, 0); }
    void answer() {
        for (; !ends_; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
            while (xlib<int(void*)>("XPending")(display_) > 0) {
                DisplayEvent event;
                xlib<int(void*, DisplayEvent*)>("XNextEvent")(display_, &event);
                if (event.type == selection_request)
                    begin(event.request);
                else if (event.type == property_notify && event.change.property == asked_.property &&
                         event.change.is_deletion)
                    send_next();
            }
    }
    void begin(const DisplayEvent::Request& asked) {
        asked_ = asked;
        if (pieces_.size() > 1) {
            constexpr long property_changes = 1L << 22, least_bytes = 1;
            xlib<int(void*, Id, long)>("XSelectInput")(display_, asked.requestor, property_changes);
            put("INCR", 32, &least_bytes, 1);
        } else {
            send_next();
        }
        DisplayEvent reply;
        reply.notice = {selection_notify, 0,         1, display_, asked.requestor, asked.selection, asked.target,
                        asked.property,   asked.time};
        xlib<int(void*, Id, int, long, DisplayEvent*)>("XSendEvent")(display_, asked.requestor, 0, 0, &reply);
    }
    void send_next() {  // an empty piece is the last
        if (sent_ > pieces_.size()) return;
        const std::string piece = sent_ < pieces_.size() ? pieces_[sent_] : "";
        ++sent_;
        put("UTF8_STRING", 8, piece.data(), static_cast<int>(piece.size()));
    }
    void put(const char* type, int bits, const void* data, int count) {
        xlib<int(void*, Id, Id, Id, int, int, const void*, int)>("XChangeProperty")(
            display_, asked_.requestor, asked_.property, atom(type), bits, 0, data, count);
    }

    std::vector<std::string> pieces_;
    std::size_t sent_ = 0;
    void* display_;
    DisplayEvent::Request asked_{};
    std::atomic<bool> ends_ = false;
    std::thread answering_;
};

/// Pastes what others have copied into a window of its own. Prints what arrived for `said`.
TEST(X11Guard, PastesTexts) {
    std::unique_ptr<GlfwSurface> surface;
    try {
        surface = std::make_unique<GlfwSurface>(SurfaceOptions{.width = 400, .height = 300});
    } catch (const DisplayError& error) {
        return say(error.what());
    }
    std::vector<std::string> pasted{surface->clipboard()};
    const auto paste_from = [&](const std::vector<std::string>& pieces) {
        const ClipboardOwner owner(pieces);
        pasted.push_back(surface->clipboard());
        pasted.back() += surface->take_clipboard_failure();
    };
    paste_from({"α at once"});
    paste_from({"one, ", "two, ", "three"});
    paste_from({});
    paste_from(std::vector<std::string>(12, std::string(100'000, 'x')));
    surface->set_clipboard("its own");
    pasted.push_back(surface->clipboard());
    paste_from({"another's"});
    say(fmt::format("{}", fmt::join(pasted, "|")));
}

TEST(X11Guard, AnOwnerOfTheClipboardThatHangsDoesNotHangTheWindow) {
    const Xvfb server("");
    if (server.display().empty()) GTEST_SKIP() << "Xvfb does not start";
    EXPECT_EQ(said("-u WAYLAND_DISPLAY DISPLAY=" + server.display(), "X11Guard.PastesTexts"),
              "|α at once|one, two, three|"
              "Cannot paste: the program that owns the clipboard does not answer. Wait for it, or copy the text from "
              "another program.|"
              "Cannot paste: the clipboard holds more than 1 MiB of text. Copy a smaller part of it.|"
              "its own|another's");
}

}  // namespace
}  // namespace ropewalk
