// The sentence in the status line, and how failures become one.
#pragma once

#include <functional>
#include <string>

namespace ropewalk {

/// One sentence for the status line.
struct Notice {
    enum class Kind { note, error };

    std::string sentence{};
    Kind kind = Kind::note;
    int number = 0;  // increases with every notice, so that a repeated sentence is a new notice
};

/// The current notice. Every part of a session reports through the same one.
class Notices {
  public:
    const Notice& current() const { return notice_; }
    /// Shows a sentence, which may quote files: shortened, and in one line.
    void notify(const std::string& sentence, Notice::Kind kind = Notice::Kind::note);
    /// Reports an error. Does nothing if the sentence is empty.
    void complain(const std::string& sentence) {
        if (!sentence.empty()) notify(sentence, Notice::Kind::error);
    }
    void dismiss() { notice_.sentence.clear(); }
    /// Runs `action`. Returns false, with a notice, if it throws.
    bool attempt(const std::function<void()>& action);

  private:
    Notice notice_;
};

}  // namespace ropewalk
