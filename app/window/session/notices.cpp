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
        complain("Not enough memory");
    } catch (const std::exception& error) {  // including those of the file system
        complain(error.what());
    }
    return false;
}

}  // namespace ropewalk
