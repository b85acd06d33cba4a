#include "app/window/session/late_session.h"

#include <algorithm>

#include "core/numbers/numbers.h"

namespace ropewalk {

double LateSession::look(Notices& notices) {
    constexpr std::chrono::milliseconds interval(500), longest(15000), until_read(8000);
    if (!is_awaited_) return infinity;
    const auto now = Clock::now();
    if (const std::chrono::duration<double> left = looked_ + interval - now; left.count() > 0) return left.count();
    looked_ = now;
    const auto sessions = recovery_.recoverable();
    const bool is_found =
        std::ranges::any_of(sessions, [](const SessionFile& session) { return !session.was_set_aside; });
    // What the start has said is read first.
    const bool is_told = is_found && (notices.current().sentence.empty() || now - started_ > until_read);
    if (is_told)
        notices.notify("A session that ended without being closed can be recovered: press Ctrl+K and type “recover”.");
    is_awaited_ = !is_told && (is_found || (now - started_ < longest && recovery_.has_others()));
    return std::chrono::duration<double>(interval).count();
}

}  // namespace ropewalk
