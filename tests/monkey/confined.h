// A process that cannot write where it should not, whatever it does.
#pragma once

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <initializer_list>

namespace ropewalk {

/// Lets this process, for the rest of its life, change files below these folders only (Landlock, Linux 5.13). Call it
/// before there are other threads. Returns false if the system has no such confinement.
inline bool confine_writing(std::initializer_list<const char*> folders) {
    landlock_ruleset_attr ruleset{.handled_access_fs = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                                       LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR |
                                                       LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM};
    const auto rules = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &ruleset, sizeof ruleset, 0));
    if (rules < 0) return false;
    bool is_complete = true;
    for (const char* folder : folders) {
        landlock_path_beneath_attr below{.allowed_access = ruleset.handled_access_fs,
                                         .parent_fd = ::open(folder, O_PATH | O_CLOEXEC)};
        is_complete &= ::syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0) == 0;
        ::close(below.parent_fd);
    }
    is_complete &= ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    is_complete &= ::syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    ::close(rules);
    return is_complete;
}

}  // namespace ropewalk
