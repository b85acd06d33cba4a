// A call to the system that fails, in the program that this is linked into.
#pragma once

#include <optional>
#include <string_view>

namespace ropewalk {

/// A `lock` fails because another process holds it, `lock_anywhere` because the file system has no locks.
enum class Call { write, sync, rename, link, lock, lock_anywhere, map, allocate };

/// Makes the n-th call of a kind fail from now on, counted from 1: as if the disk were full or there were no memory.
/// Only files count as written, not the terminal. With `sticks` all later ones fail, too.
void let_fail(Call call, long n, bool sticks = false);
/// Makes the disk full after this many bytes.
void let_disk_be_full_after(long bytes);
/// Makes nothing fail any more. Returns whether something did.
bool stop_failing();

}  // namespace ropewalk
