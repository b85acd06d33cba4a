// The commands, keys and gestures as the palette lists them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/window/commands.h"
#include "app/window/palette.h"

namespace ropewalk {

/// Every command once, or each of some, with its keys.
std::vector<PaletteEntry> command_entries(const std::function<bool(Command)>& can_run,
                                          std::span<const CommandInfo> of = commands);

/// What the mouse and the arrows do: to be read, not chosen.
std::vector<PaletteEntry> gesture_entries();

/// Commands that have keys, by their keys; then what the mouse and the arrows do.
std::vector<PaletteEntry> key_entries();

/// The command that an entry stands for; nothing if it is no command's.
std::optional<Command> command_of(const std::string& id);

}  // namespace ropewalk
