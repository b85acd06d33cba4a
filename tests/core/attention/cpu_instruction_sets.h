// Runs a check once on every instruction set that the kernels were compiled for and this processor has.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace ropewalk::cpu_test {

template <class Check>
void on_every_instruction_set(Check check) {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        SCOPED_TRACE(hwy::TargetName(target));
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        check();
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace ropewalk::cpu_test
