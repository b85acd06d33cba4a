#include "app/window/surface/x11_clipboard.h"

#include <poll.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "app/window/surface/xlib.h"
#include "core/error.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

using XId = unsigned long;
using ClipboardClock = std::chrono::steady_clock;

constexpr int x_property_notify = 28, x_selection_notify = 31;
constexpr long x_property_changes = 1L << 22;  // a mask of events
constexpr std::chrono::seconds longest_answer(1);
constexpr std::size_t most_clipboard_bytes = std::size_t{1} << 20;

XId atom_of(void* display, const char* name) {
    return xlib<XId(void*, const char*, int)>("XInternAtom")(display, name, 0);
}

/// An event as Xlib lays it out.
union ClipboardEvent {
    struct Selection {
        int type;
        unsigned long serial;
        int is_sent;
        void* display;
        XId requestor, selection, target, property, time;
    } selection;
    std::array<long, 24> space{};
};

/// A window of its own that the clipboard is sent to.
class ClipboardRequest {
  public:
    explicit ClipboardRequest(void* display)
        : display_(display),
          window_(xlib<XId(void*, XId, int, int, unsigned, unsigned, unsigned, XId, XId)>("XCreateSimpleWindow")(
              display, xlib<XId(void*)>("XDefaultRootWindow")(display), 0, 0, 1, 1, 0, 0, 0)),
          property_(atom_of(display, "ROPEWALK_CLIPBOARD")) {
        xlib<int(void*, XId, long)>("XSelectInput")(display, window_, x_property_changes);
    }
    ~ClipboardRequest() {
        // A late answer to a window that is gone would end some programs.
        if (is_answered_) xlib<int(void*, XId)>("XDestroyWindow")(display_, window_);
    }
    ClipboardRequest(const ClipboardRequest&) = delete;
    ClipboardRequest& operator=(const ClipboardRequest&) = delete;

    /// Returns the clipboard in one of the forms that X has for text; nothing if its owner lacks this form.
    std::optional<std::string> text(const char* form) {
        is_answered_ = false;
        auto answer = ask_for(form);
        is_answered_ = true;
        return answer;
    }

  private:
    struct Piece {
        XId type = 0;  // 0: there is none
        std::string bytes{};
    };

    std::optional<std::string> ask_for(const char* form) const {
        const XId wanted = atom_of(display_, form);
        xlib<int(void*, XId, XId, XId, XId, XId)>("XConvertSelection")(display_, atom_of(display_, "CLIPBOARD"), wanted,
                                                                       property_, window_, 0);
        if (wait(x_selection_notify).selection.property == 0) return std::nullopt;
        Piece piece = take();
        if (piece.type == wanted) return std::move(piece.bytes);
        if (piece.type != atom_of(display_, "INCR")) return std::nullopt;
        std::string whole;
        do {
            wait(x_property_notify);
            piece = take();
            whole += piece.bytes;
            require_short(whole.size() <= most_clipboard_bytes);
        } while (piece.type == 0 || !piece.bytes.empty());
        return whole;
    }
    static void require_short(bool is_short) {
        if (!is_short)
            throw IoError("Cannot paste: the clipboard holds more than 1 MiB of text. Copy a smaller part of it.");
    }
    /// Waits for an event of this type and removes it.
    ClipboardEvent wait(int type) const {
        ClipboardEvent event;
        while (true) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - ClipboardClock::now());
            if (left.count() <= 0)
                throw IoError(
                    "Cannot paste: the program that owns the clipboard does not answer. Wait for it, or copy the text "
                    "from another program.");
            if (xlib<int(void*, XId, int, ClipboardEvent*)>("XCheckTypedWindowEvent")(display_, window_, type, &event))
                return event;
            pollfd connection{xlib<int(void*)>("XConnectionNumber")(display_), POLLIN, 0};
            ::poll(&connection, 1, static_cast<int>(left.count()));
        }
    }
    /// Reads and deletes the property, which asks the owner for the next piece.
    Piece take() const {
        using Get =
            int(void*, XId, XId, long, long, int, XId, XId*, int*, unsigned long*, unsigned long*, unsigned char**);
        Piece piece;
        int bits = 0;
        unsigned long count = 0, left = 0;
        unsigned char* data = nullptr;
        constexpr long most_words = most_clipboard_bytes / 4;
        xlib<Get>("XGetWindowProperty")(display_, window_, property_, 0, most_words, 1, 0, &piece.type, &bits, &count,
                                        &left, &data);
        const std::unique_ptr<unsigned char, int (*)(void*)> owned(data, xlib<int(void*)>("XFree"));
        require_short(left == 0);
        if (data && bits == 8) piece.bytes.assign(reinterpret_cast<const char*>(data), count);
        return piece;
    }

    void* display_;
    XId window_, property_;
    bool is_answered_ = true;
    ClipboardClock::time_point deadline_ = ClipboardClock::now() + longest_answer;
};

}  // namespace

unsigned long x11_clipboard_owner(void* display) {
    return xlib<XId(void*, XId)>("XGetSelectionOwner")(display, atom_of(display, "CLIPBOARD"));
}

std::string x11_clipboard_text(void* display) {
    ClipboardRequest request(display);
    if (auto text = request.text("UTF8_STRING")) return *std::move(text);
    std::string text;
    for (const char latin : request.text("STRING").value_or("")) text += utf8_of(static_cast<unsigned char>(latin));
    return text;
}

}  // namespace ropewalk
