// Lists the commands, keys and gestures for the palette.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/window/cards/palette.h"
#include "app/window/commands.h"

namespace ropewalk {

/// The reason why a command is unavailable, as the rest of a sentence; empty if it is available.
using Obstacle = std::optional<std::string>;

/// Returns what a command does and, if there is an obstacle, why it is unavailable.
std::string help_of(const CommandInfo& info, const Obstacle& obstacle);

/// Returns one entry per command of `of`, with its keys.
std::vector<PaletteEntry> command_entries(const std::function<Obstacle(Command)>& obstacle_to,
                                          std::span<const CommandInfo> of = commands);

/// Returns the mouse actions and arrow keys, as entries that cannot be chosen.
std::vector<PaletteEntry> gesture_entries();

/// Returns the commands that have keys, with the keys as titles, followed by the gestures.
std::vector<PaletteEntry> key_entries();

/// Returns the command with this entry id; empty if the entry is not a command.
std::optional<Command> command_of(const std::string& id);

}  // namespace ropewalk
