// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/test_id.h"

#include <utility>

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

TEST(TestId, ThereAndBack) {
    const std::pair<TestId, const char*> ids[] = {
        {{{"proc", "proc-maps-race"}, 1, Kernel::patched}, "proc:proc-maps-race#1"},
        {{{"net/mptcp", "a.sh"}, 12, Kernel::baseline}, "net/mptcp:a.sh#12@baseline"},
        {{{"kvm", "odd#1"}, 2, Kernel::patched}, "kvm:odd#1#2"},
    };
    for (const auto& [id, text] : ids) {
        EXPECT_EQ(test_id(id), text);
        EXPECT_EQ(parse_test_id(text), id);
    }
}

TEST(TestId, OthersAreNone) {
    for (const char* text : {"", "proc", "proc:read", ":read#1", "proc:#1", "proc:read#",
                             "proc:read#x", "proc:read#0", "proc:read#1@patched", "proc:read#1 ",
                             "proc#1", "a:b:c#1", "smaps_rollup-3", "benchmark:smaps_rollup"}) {
        EXPECT_EQ(parse_test_id(text), std::nullopt) << text;
    }
}

} // namespace
} // namespace kmatrix
