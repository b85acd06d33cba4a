#include "app/window/session/notices.h"

#include <exception>
#include <filesystem>
#include <new>

#include "core/io/descriptor.h"
#include "core/text/utf8.h"

namespace ropewalk {

void Notices::notify(const std::string& sentence, Notice::Kind kind) {
    notice_ = {brief(sentence), kind, notice_.number + 1};
}

bool Notices::attempt(const std::function<void()>& action) {
    try {
        action();
        return true;
    } catch (const std::bad_alloc&) {
        complain("Not enough memory");
    } catch (const std::filesystem::filesystem_error& error) {
        complain(sentence_of(error));
    } catch (const std::exception& error) {
        complain(error.what());
    }
    return false;
}

}  // namespace ropewalk
