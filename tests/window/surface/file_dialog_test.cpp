// The desktop's file dialog, with a portal of the test's own on a bus of its own.
#include "app/window/surface/file_dialog.h"

#include <gio/gio.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using State = FileDialogAnswer::State;

/// A session bus for this process, if dbus-daemon is installed.
class Bus {
  public:
    Bus() {
        pipe_ = ::popen("exec dbus-daemon --session --nofork --print-address=1 --print-pid=1 2>/dev/null", "r");
        char line[512];
        if (pipe_ && std::fgets(line, sizeof line, pipe_)) address_ = std::string(line, std::strcspn(line, "\n"));
        if (pipe_ && std::fgets(line, sizeof line, pipe_)) pid_ = std::atoi(line);
        if (!address_.empty()) ::setenv("DBUS_SESSION_BUS_ADDRESS", address_.c_str(), 1);
    }
    ~Bus() {
        ::unsetenv("DBUS_SESSION_BUS_ADDRESS");
        stop();
        if (pipe_) ::pclose(pipe_);
    }
    void stop() {
        if (pid_ > 0) ::kill(std::exchange(pid_, 0), SIGTERM);
    }
    const std::string& address() const { return address_; }

  private:
    FILE* pipe_ = nullptr;
    pid_t pid_ = 0;
    std::string address_;
};

/// A portal that answers with what the test gave it, and notes what it was asked.
class Portal {
  public:
    /// `response`: of the type (ua{sv}), as text; empty: the dialog stays open.
    Portal(const std::string& address, std::string response) : response_(std::move(response)) {
        std::promise<void> ready;
        thread_ = std::thread([&, this] {
            GMainContext* const context = g_main_context_new();
            g_main_context_push_thread_default(context);
            constexpr auto flags = static_cast<GDBusConnectionFlags>(G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                                     G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION);
            GDBusConnection* const bus =
                g_dbus_connection_new_for_address_sync(address.c_str(), flags, nullptr, nullptr, nullptr);
            GDBusNodeInfo* const node = g_dbus_node_info_new_for_xml(R"(<node>
                <interface name='org.freedesktop.portal.FileChooser'>
                  <method name='OpenFile'><arg type='s' direction='in'/><arg type='s' direction='in'/>
                    <arg type='a{sv}' direction='in'/><arg type='o' direction='out'/></method>
                  <method name='SaveFile'><arg type='s' direction='in'/><arg type='s' direction='in'/>
                    <arg type='a{sv}' direction='in'/><arg type='o' direction='out'/></method>
                  <property name='version' type='u' access='read'/></interface>
                <interface name='org.freedesktop.portal.Request'><method name='Close'/></interface></node>)",
                                                                     nullptr);
            const GDBusInterfaceVTable table{called, version, nullptr, {}};
            g_dbus_connection_register_object(bus, "/org/freedesktop/portal/desktop", node->interfaces[0], &table, this,
                                              nullptr, nullptr);
            node_ = node;
            g_variant_unref(g_dbus_connection_call_sync(bus, "org.freedesktop.DBus", "/", "org.freedesktop.DBus",
                                                        "RequestName",
                                                        g_variant_new("(su)", "org.freedesktop.portal.Desktop", 0),
                                                        nullptr, G_DBUS_CALL_FLAGS_NONE, -1, nullptr, nullptr));
            ready.set_value();
            while (!ends_) {
                g_main_context_iteration(context, FALSE);
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            g_dbus_connection_close_sync(bus, nullptr, nullptr);
            g_object_unref(bus);
            g_dbus_node_info_unref(node);
            g_main_context_pop_thread_default(context);
            g_main_context_unref(context);
        });
        ready.get_future().wait();
    }
    ~Portal() {
        ends_ = true;
        thread_.join();
    }

    std::string asked() const { return asked_; }  // once the dialog is open
    bool is_closed() const { return is_closed_; }

  private:
    static GVariant* version(GDBusConnection*, const char*, const char*, const char*, const char*, GError**, gpointer) {
        return g_variant_new_uint32(3);
    }
    static void called(GDBusConnection* bus, const char* sender, const char*, const char*, const char* method,
                       GVariant* arguments, GDBusMethodInvocation* invocation, gpointer self) {
        auto& portal = *static_cast<Portal*>(self);
        if (std::string_view(method) == "Close") {
            portal.is_closed_ = true;
            return g_dbus_method_invocation_return_value(invocation, nullptr);
        }
        char* const text = g_variant_print(arguments, FALSE);
        portal.asked_ = std::string(method) + " " + text;
        g_free(text);
        GVariant* const options = g_variant_get_child_value(arguments, 2);
        const char* token = nullptr;
        g_variant_lookup(options, "handle_token", "&s", &token);
        std::string name = sender + 1;
        std::replace(name.begin(), name.end(), '.', '_');
        const std::string path = "/org/freedesktop/portal/desktop/request/" + name + "/" + token;
        g_variant_unref(options);
        const GDBusInterfaceVTable table{called, nullptr, nullptr, {}};
        g_dbus_connection_register_object(bus, path.c_str(), portal.node_->interfaces[1], &table, self, nullptr,
                                          nullptr);
        const auto respond = [&] {
            g_dbus_connection_emit_signal(bus, sender, path.c_str(), "org.freedesktop.portal.Request", "Response",
                                          g_variant_new_parsed(portal.response_.c_str()), nullptr);
        };
        if (!portal.response_.empty()) respond();  // even before the call returns
        g_dbus_method_invocation_return_value(invocation, g_variant_new("(o)", path.c_str()));
    }

    std::string response_, asked_;
    GDBusNodeInfo* node_ = nullptr;
    std::atomic<bool> ends_ = false, is_closed_ = false;
    std::thread thread_;
};

class FileDialogTest : public testing::Test {
  protected:
    void SetUp() override {
        if (bus_.address().empty()) GTEST_SKIP() << "dbus-daemon does not start";
    }
    static FileDialogAnswer answer_of(const FileDialog& dialog, State awaited) {
        for (int i = 0; i < 500 && dialog.answer().state != awaited; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return dialog.answer();
    }
    std::unique_ptr<FileDialog> open(FileDialogRequest request = {.title = "Open a scene", .extensions = {".json"}}) {
        return open_portal_dialog(std::move(request), [this] { ++wakes_; });
    }

    Bus bus_;
    std::atomic<int> wakes_ = 0;
};

TEST_F(FileDialogTest, GivesTheChosenPath) {
    const Portal portal(bus_.address(), "(@u 0, {'uris': <['file:///tmp/a%20scene.json']>})");
    const auto dialog = open({.title = "Open a scene", .extensions = {".json", ".npy"}, .folder = "/tmp"});
    const FileDialogAnswer answer = answer_of(*dialog, State::chosen);
    EXPECT_EQ(answer.state, State::chosen);
    EXPECT_EQ(answer.path, "/tmp/a scene.json");
    EXPECT_GE(wakes_, 1);
    EXPECT_THAT(portal.asked(),
                testing::AllOf(testing::StartsWith("OpenFile ('', 'Open a scene', "),
                               testing::HasSubstr("[('*.json, *.npy', [(uint32 0, '*.json'), (0, '*.npy')])]"),
                               testing::HasSubstr("'current_folder': <b'/tmp'>")));
}

TEST_F(FileDialogTest, SavesUnderAProposedName) {
    const Portal portal(bus_.address(), "(@u 0, {'uris': <['file:///tmp/other.json']>})");
    const auto dialog = open({.saves = true, .title = "Save", .extensions = {".json"}, .name = "my.json"});
    EXPECT_EQ(answer_of(*dialog, State::chosen).path, "/tmp/other.json");
    EXPECT_THAT(portal.asked(),
                testing::AllOf(testing::StartsWith("SaveFile "), testing::HasSubstr("'current_name': <'my.json'>")));
}

TEST_F(FileDialogTest, CancelledWithoutAFile) {
    for (const char* response : {"(@u 1, @a{sv} {})", "(@u 0, @a{sv} {})", "(@u 2, {'uris': <['file:///a']>})",
                                 "(@u 0, {'uris': <['https://example.org/a.json']>})", "(@u 0, {'uris': <7>})"}) {
        const Portal portal(bus_.address(), response);
        const auto dialog = open();
        EXPECT_EQ(answer_of(*dialog, State::cancelled).state, State::cancelled) << response;
        EXPECT_EQ(dialog->answer().path, "") << response;
    }
}

TEST_F(FileDialogTest, ClosesWhatIsNotAnswered) {
    const Portal portal(bus_.address(), "");
    auto dialog = open();
    EXPECT_EQ(answer_of(*dialog, State::open).state, State::open);
    dialog.reset();
    for (int i = 0; i < 200 && !portal.is_closed(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(portal.is_closed());
}

TEST_F(FileDialogTest, APortalThatGoesAwayCancels) {
    auto portal = std::make_unique<Portal>(bus_.address(), "");
    const auto dialog = open();
    ASSERT_EQ(answer_of(*dialog, State::open).state, State::open);
    portal.reset();
    EXPECT_EQ(answer_of(*dialog, State::cancelled).state, State::cancelled);
}

TEST_F(FileDialogTest, ABusThatEndsCancels) {
    const Portal portal(bus_.address(), "");
    const auto dialog = open();
    ASSERT_EQ(answer_of(*dialog, State::open).state, State::open);
    bus_.stop();
    EXPECT_EQ(answer_of(*dialog, State::cancelled).state, State::cancelled);
}

TEST_F(FileDialogTest, UnavailableWithoutAPortal) {
    const auto dialog = open();
    EXPECT_EQ(answer_of(*dialog, State::unavailable).state, State::unavailable);
    EXPECT_EQ(wakes_, 1);
}

/// A bus that lets a client connect and never answers it.
TEST(FileDialogWithoutABus, IsUnavailableIfNobodyAnswers) {
    const TemporaryFolder folder;
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    folder.file("bus").copy(address.sun_path, sizeof address.sun_path - 1);
    const int silent = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(::bind(silent, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(::listen(silent, 1), 0);
    ::setenv("DBUS_SESSION_BUS_ADDRESS", ("unix:path=" + folder.file("bus")).c_str(), 1);
    const auto dialog = open_portal_dialog({}, [] {});
    for (int i = 0; i < 500 && dialog->answer().state == State::opening; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(dialog->answer().state, State::unavailable);
    ::unsetenv("DBUS_SESSION_BUS_ADDRESS");
    ::close(silent);
}

TEST(FileDialogWithoutABus, IsUnavailable) {
    ::unsetenv("DBUS_SESSION_BUS_ADDRESS");
    ::unsetenv("XDG_RUNTIME_DIR");
    const auto dialog = open_portal_dialog({}, [] {});
    for (int i = 0; i < 500 && dialog->answer().state == State::opening; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(dialog->answer().state, State::unavailable);
}

}  // namespace
}  // namespace ropewalk
