// A session as text: the current scene with the last steps of its history, for a run that is not closed properly.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "app/window/session/document.h"
#include "app/window/session/recovery.h"

namespace ropewalk {

inline constexpr std::string_view crash_notice = "Ropewalk was not closed properly. Your last session was recovered";

/// Returns the current scene and the last steps of the history, with absolute file names.
std::string session_as_text(const Document& document);

/// Restores a session of an earlier run with its steps; if these cannot be read, as one step of undo. Returns false,
/// with a notice, on failure.
bool recover(Document& document, Notices& notices, const std::string& text, std::string_view message = crash_notice);
/// Restores a session from its file, which is deleted once `recovery` has saved it again. If it cannot be opened, the
/// file stays and the notice names it. The notice also says how to recover further sessions.
bool recover(Document& document, Notices& notices, Recovery& recovery, const RecoveredSession& left);

/// Returns the title of the scene of a session saved as text, and its caption; empty if the text cannot be read. Opens
/// none of the scene's files.
std::pair<std::string, std::string> title_and_caption_of_session(const std::string& text);

}  // namespace ropewalk
