// SPDX-License-Identifier: GPL-2.0-only
// The log is put together by hand from lines as make -i and gcc print them.
#include "runner/build/selftests_build.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using testing::IsEmpty;

TEST(FailedPrograms, HaveTheCompilersWordsOfTheirOwn) {
    const auto failed = failed_programs(
        "  CC       read\n"
        "read.c: In function 'main':\n"
        "read.c:30:2: warning: unused variable 'x' [-Wunused-variable]\n"
        "  CC       proc-maps-race\n"
        "proc-maps-race.c:12:2: error: 'y' undeclared (first use in this function)\n"
        "proc-maps-race.c:14:2: error: expected ';' before '}' token\n"
        "make[1]: [../lib.mk:222: /build/kselftest/proc/proc-maps-race] Error 1 (ignored)\n"
        "  CC       self\n"
        "/usr/bin/ld: cannot find -lnothing\n"
        "collect2: error: ld returned 1 exit status\n"
        "make[1]: [../lib.mk:222: /build/kselftest/proc/self] Error 1 (ignored)\n"
        "make[1]: [../lib.mk:222: /build/kselftest/mm/cow] Error 1 (ignored)\n"
        "make[1]: [../lib.mk:222: /build/kselftest/proc/proc-maps-race] Error 1 (ignored)\n",
        "proc");
    ASSERT_EQ(failed.size(), 2u);
    EXPECT_EQ(failed[0].test, "proc-maps-race");
    EXPECT_EQ(failed[0].words,
              "proc-maps-race.c:12:2: error: 'y' undeclared (first use in this function)");
    EXPECT_EQ(failed[1].test, "self");
    EXPECT_EQ(failed[1].words, "/usr/bin/ld: cannot find -lnothing");
}

TEST(FailedPrograms, AreNoneInAGoodLog) {
    EXPECT_THAT(
        failed_programs("  CC       read\nrsync -a /build/kselftest/proc/read x/\n", "proc"),
        IsEmpty());
    EXPECT_THAT(failed_programs("", "proc"), IsEmpty());
}

} // namespace
} // namespace kmatrix
