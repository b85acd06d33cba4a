#include <fmt/format.h>
#include <gio/gio.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "app/window/surface/file_dialog.h"
#include "core/owned.h"

namespace ropewalk {
namespace {

using State = FileDialogAnswer::State;

constexpr const char *desktop_name = "org.freedesktop.portal.Desktop",
                     *desktop_path = "/org/freedesktop/portal/desktop", *chooser = "org.freedesktop.portal.FileChooser",
                     *request_interface = "org.freedesktop.portal.Request";
constexpr int bus_patience = 1000;  // ms, for a portal that must be started first

template <class T>
using Object = Owned<T, g_object_unref>;
using Variant = Owned<GVariant, g_variant_unref>;
using Chars = Owned<char, g_free>;

/// Returns whether there is a session bus. GIO would start one where there is none.
bool has_session_bus() {
    if (std::getenv("DBUS_SESSION_BUS_ADDRESS")) return true;
    const char* folder = std::getenv("XDG_RUNTIME_DIR");
    std::error_code error;
    return folder && std::filesystem::exists(std::filesystem::path(folder) / "bus", error);
}

/// Returns the options of OpenFile and SaveFile, whose answer comes at the object path ending in `token`.
GVariant* options_of(const FileDialogRequest& request, const std::string& token) {
    GVariantBuilder options;
    g_variant_builder_init(&options, G_VARIANT_TYPE_VARDICT);
    const auto add = [&](const char* key, GVariant* value) { g_variant_builder_add(&options, "{sv}", key, value); };
    add("handle_token", g_variant_new_string(token.c_str()));
    add("modal", g_variant_new_boolean(TRUE));
    GVariantBuilder filters, patterns;
    g_variant_builder_init(&filters, G_VARIANT_TYPE("a(sa(us))"));
    g_variant_builder_init(&patterns, G_VARIANT_TYPE("a(us)"));
    constexpr guint32 is_glob = 0;
    std::string all;
    for (const std::string& extension : request.extensions) {
        all += (all.empty() ? "*" : ", *") + extension;
        g_variant_builder_add(&patterns, "(us)", is_glob, ("*" + extension).c_str());
    }
    g_variant_builder_add(&filters, "(sa(us))", all.c_str(), &patterns);
    add("filters", g_variant_builder_end(&filters));
    if (request.saves) add("current_name", g_variant_new_string(request.name.c_str()));
    if (!request.folder.empty()) add("current_folder", g_variant_new_bytestring(request.folder.c_str()));
    return g_variant_builder_end(&options);
}

class PortalDialog : public FileDialog {
  public:
    PortalDialog(FileDialogRequest request, std::function<void()> wake)
        : request_(std::move(request)), wake_(std::move(wake)), cancellable_(g_cancellable_new()) {
        thread_ = std::jthread([this] {
            g_main_context_push_thread_default(context_.get());
            if (!opens()) settle({State::unavailable, {}});
            while (!is_settled_) g_main_context_iteration(context_.get(), TRUE);
            close();
            g_main_context_pop_thread_default(context_.get());
        });
    }
    ~PortalDialog() override {
        is_settled_ = true;
        g_cancellable_cancel(cancellable_.get());
        g_main_context_wakeup(context_.get());
    }

    FileDialogAnswer answer() const override {
        const std::lock_guard lock(mutex_);
        return answer_;
    }

  private:
    void settle(FileDialogAnswer answer) {
        if (answer.state != State::open) is_settled_ = true;
        {
            const std::lock_guard lock(mutex_);
            answer_ = std::move(answer);
        }
        wake_();
    }

    /// Opens the dialog. Returns false if there is no portal, or none that chooses files.
    bool opens() {
        if (!has_session_bus()) return false;
        const Chars address(g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, cancellable_.get(), nullptr));
        if (!address) return false;
        connect(address.get());
        if (!bus_) return false;
        const Variant version = call(desktop_path, "org.freedesktop.DBus.Properties", "Get",
                                     g_variant_new("(ss)", chooser, "version"), G_VARIANT_TYPE("(v)"));
        if (!version) return false;

        // The answer may come before OpenFile returns, so its path is worked out and listened to first.
        static std::atomic<int> dialogs = 0;
        const std::string token = fmt::format("ropewalk{}", ++dialogs);
        std::string sender = g_dbus_connection_get_unique_name(bus_.get()) + 1;  // after the colon
        for (char& c : sender)
            if (c == '.') c = '_';
        listen(fmt::format("{}/request/{}/{}", desktop_path, sender, token));
        const Variant handle = call(
            desktop_path, chooser, request_.saves ? "SaveFile" : "OpenFile",
            g_variant_new("(ss@a{sv})", request_.parent.c_str(), request_.title.c_str(), options_of(request_, token)),
            G_VARIANT_TYPE("(o)"));
        if (!handle) return false;
        const char* path = nullptr;
        g_variant_get(handle.get(), "(&o)", &path);
        if (path != path_) listen(path);  // portals before version 0.9 choose another one
        const auto vanished = [](GDBusConnection*, const char*, gpointer dialog) {
            auto& self = *static_cast<PortalDialog*>(dialog);
            self.path_.clear();
            if (!self.is_settled_) self.settle({State::cancelled, {}});
        };
        watch_ = g_bus_watch_name_on_connection(bus_.get(), desktop_name, G_BUS_NAME_WATCHER_FLAGS_NONE, nullptr,
                                                vanished, this, nullptr);
        if (!is_settled_) settle({State::open, {}});
        return true;
    }

    /// Connects to the bus. Leaves `bus_` empty if it does not answer within `bus_patience`.
    void connect(const char* address) {
        constexpr auto flags = static_cast<GDBusConnectionFlags>(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                                 G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION);
        const auto give_up = [](gpointer cancellable) -> gboolean {
            g_cancellable_cancel(static_cast<GCancellable*>(cancellable));
            return G_SOURCE_REMOVE;
        };
        const auto stop = [](GSource* source) {
            g_source_destroy(source);
            g_source_unref(source);
        };
        const std::unique_ptr<GSource, decltype(stop)> timer(g_timeout_source_new(bus_patience));
        g_source_set_callback(timer.get(), give_up, cancellable_.get(), nullptr);
        g_source_attach(timer.get(), context_.get());
        bool has_ended = false;
        const auto take_bus = [](GObject*, GAsyncResult* result, gpointer dialog) {
            auto& [self, ended] = *static_cast<std::pair<PortalDialog*, bool&>*>(dialog);
            self->bus_.reset(g_dbus_connection_new_for_address_finish(result, nullptr));
            ended = true;
        };
        std::pair<PortalDialog*, bool&> waiting{this, has_ended};
        g_dbus_connection_new_for_address(address, flags, nullptr, cancellable_.get(), take_bus, &waiting);
        while (!has_ended) g_main_context_iteration(context_.get(), TRUE);
    }

    Variant call(const char* path, const char* interface, const char* method, GVariant* arguments,
                 const GVariantType* result) {
        return Variant(g_dbus_connection_call_sync(bus_.get(), desktop_name, path, interface, method, arguments, result,
                                                   G_DBUS_CALL_FLAGS_NONE, bus_patience, cancellable_.get(), nullptr));
    }

    void listen(const std::string& path) {
        path_ = path;
        const auto respond = [](GDBusConnection*, const char*, const char*, const char*, const char*, GVariant* results,
                                gpointer dialog) { static_cast<PortalDialog*>(dialog)->take(results); };
        subscriptions_.push_back(g_dbus_connection_signal_subscribe(bus_.get(), desktop_name, request_interface,
                                                                    "Response", path.c_str(), nullptr,
                                                                    G_DBUS_SIGNAL_FLAGS_NONE, respond, this, nullptr));
    }

    void take(GVariant* results) {
        if (is_settled_ || !g_variant_is_of_type(results, G_VARIANT_TYPE("(ua{sv})"))) return;
        guint32 outcome = 0;
        GVariant* entries = nullptr;
        g_variant_get(results, "(u@a{sv})", &outcome, &entries);
        const Variant held(entries);
        path_.clear();
        const char** uris = nullptr;
        Chars file;
        if (outcome == 0 && g_variant_lookup(entries, "uris", "^a&s", &uris) && uris && *uris)
            file.reset(g_filename_from_uri(*uris, nullptr, nullptr));
        g_free(uris);
        settle(file ? FileDialogAnswer{State::chosen, file.get()} : FileDialogAnswer{State::cancelled, {}});
    }

    /// Closes a dialog that was not answered.
    void close() {
        if (!bus_) return;
        if (watch_ != 0) g_bus_unwatch_name(watch_);
        for (const guint subscription : subscriptions_) g_dbus_connection_signal_unsubscribe(bus_.get(), subscription);
        if (!path_.empty())
            g_dbus_connection_call(bus_.get(), desktop_name, path_.c_str(), request_interface, "Close", nullptr,
                                   nullptr, G_DBUS_CALL_FLAGS_NONE, bus_patience, nullptr, nullptr, nullptr);
        g_dbus_connection_flush_sync(bus_.get(), nullptr, nullptr);
        g_dbus_connection_close_sync(bus_.get(), nullptr, nullptr);
        while (g_main_context_iteration(context_.get(), FALSE)) continue;
    }

    const FileDialogRequest request_;
    const std::function<void()> wake_;
    const Object<GCancellable> cancellable_;
    const Owned<GMainContext, g_main_context_unref> context_{g_main_context_new()};
    Object<GDBusConnection> bus_;
    guint watch_ = 0;
    std::vector<guint> subscriptions_;
    std::string path_;  // of the request; empty: none that could be closed
    std::atomic<bool> is_settled_ = false;
    mutable std::mutex mutex_;
    FileDialogAnswer answer_;
    std::jthread thread_;  // last: it uses the other members
};

}  // namespace

std::unique_ptr<FileDialog> open_portal_dialog(FileDialogRequest request, std::function<void()> wake) {
    return std::make_unique<PortalDialog>(std::move(request), std::move(wake));
}

}  // namespace ropewalk
