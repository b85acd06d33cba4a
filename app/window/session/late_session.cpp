#include "app/window/session/late_session.h"

#include "core/numbers/numbers.h"

namespace ropewalk {

double LateSession::look(Notices& notices) {
    constexpr std::chrono::milliseconds interval(500), longest(15000);
    if (!is_awaited_) return infinity;
    const auto now = Clock::now();
    if (const std::chrono::duration<double> left = looked_ + interval - now; left.count() > 0) return left.count();
    looked_ = now;
    const bool is_found = recovery_.recoverable().size() > at_start_;
    if (is_found)
        notices.notify("A session that ended without being closed can be recovered: press Ctrl+K and type “recover”.");
    is_awaited_ = !is_found && now - started_ < longest && recovery_.has_others();
    return std::chrono::duration<double>(interval).count();
}

}  // namespace ropewalk
