// The commands, keys and gestures as the palette lists them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/window/cards/palette.h"
#include "app/window/commands.h"

namespace ropewalk {

/// Why a command cannot be run now, as the rest of a sentence; nothing if it can.
using Obstacle = std::optional<std::string>;

/// What a command does, and why it does not now.
std::string help_of(const CommandInfo& info, const Obstacle& obstacle);

/// Every command once, or each of some, with its keys.
std::vector<PaletteEntry> command_entries(const std::function<Obstacle(Command)>& obstacle_to,
                                          std::span<const CommandInfo> of = commands);

/// What the mouse and the arrows do: to be read, not chosen.
std::vector<PaletteEntry> gesture_entries();

/// Commands that have keys, by their keys; then what the mouse and the arrows do.
std::vector<PaletteEntry> key_entries();

/// The command that an entry stands for; nothing if it is no command's.
std::optional<Command> command_of(const std::string& id);

}  // namespace ropewalk
