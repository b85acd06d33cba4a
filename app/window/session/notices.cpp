#include "app/window/session/notices.h"

#include <exception>
#include <new>
#include <utility>

namespace ropewalk {

void Notices::notify(std::string sentence, Notice::Kind kind) {
    notice_ = {std::move(sentence), kind, notice_.number + 1};
}

bool Notices::attempt(const std::function<void()>& action) {
    try {
        action();
        return true;
    } catch (const std::bad_alloc&) {
        notify("Not enough memory", Notice::Kind::error);
    } catch (const std::exception& error) {  // including those of the file system
        notify(error.what(), Notice::Kind::error);
    }
    return false;
}

}  // namespace ropewalk
