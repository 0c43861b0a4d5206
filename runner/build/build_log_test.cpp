// SPDX-License-Identifier: GPL-2.0-only
// Logs put together by hand from lines as gcc 12, clang 19, binutils, kbuild and make print them.
#include "runner/build/build_log.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FirstError, IsTheCompilersAndRelativeToTheSource) {
    EXPECT_EQ(first_error("  CC      fs/exec.o\n"
                          "/src/fs/exec.c: In function 'f':\n"
                          "/src/fs/exec.c:12:3: warning: unused variable 'x' [-Wunused-variable]\n"
                          "/src/fs/exec.c:14:9: error: expected ';' before 'return'\n"
                          "   14 |   return 0;\n"
                          "/src/fs/exec.c:20:1: error: and another\n"
                          "make[3]: *** [/src/scripts/Makefile.build:287: fs/exec.o] Error 1\n"),
              "fs/exec.c:14:9: error: expected ';' before 'return'");
    EXPECT_EQ(first_error("../fs/a.c:1:10: fatal error: linux/none.h: No such file or directory\n"),
              "fs/a.c:1:10: fatal error: linux/none.h: No such file or directory");
}

TEST(FirstError, IsTheLinkersModpostsOrKconfigs) {
    EXPECT_EQ(first_error("  LD      .tmp_vmlinux1\n"
                          "ld: vmlinux.o: in function `f':\n"
                          "a.c:(.text+0x1b): undefined reference to `nothing'\n"
                          "make[2]: *** [scripts/Makefile.vmlinux:77: vmlinux] Error 1\n"),
              "a.c:(.text+0x1b): undefined reference to `nothing'");
    EXPECT_EQ(first_error("ld.lld-19: error: undefined symbol: nothing\nmake: *** [x] Error 1\n"),
              "ld.lld-19: error: undefined symbol: nothing");
    EXPECT_EQ(first_error("ERROR: modpost: \"f\" [m.ko] undefined!\nmake: *** [x] Error 1\n"),
              "ERROR: modpost: \"f\" [m.ko] undefined!");
    EXPECT_EQ(first_error("fs/proc/Kconfig:3: syntax error\nmake: *** [x] Error 1\n"),
              "fs/proc/Kconfig:3: syntax error");
}

TEST(FirstError, IsMakesOwnOrTheLastLineWhereNobodyElseSpoke) {
    EXPECT_EQ(first_error("words\nmake[3]: *** No rule to make target 'fs/x.o', needed by 'fs/'.  "
                          "Stop.\nmake[2]: *** [y] Error 2\n\n"),
              "make[3]: *** No rule to make target 'fs/x.o', needed by 'fs/'.  Stop.");
    EXPECT_EQ(first_error("one\ntwo\n\n"), "two");
    EXPECT_EQ(first_error(""), "");
    EXPECT_EQ(first_error("a.c:1:1: error: \x1b[31mred\x1b[0m\n"), "a.c:1:1: error: red");
}

TEST(Warnings, AreKnownByFileOptionAndMessageAndCounted) {
    EXPECT_THAT(
        parse_warnings("/src/fs/a.c:12:3: warning: unused variable 'x' [-Wunused-variable]\n"
                       "   12 |   int x;\n"
                       "/src/fs/a.c:99:3: warning: unused variable 'x' [-Wunused-variable]\n"
                       "./include/linux/b.h:5:1: warning: without an option\n"
                       "/src/fs/a.c:13:3: error: no return [-Werror=return-type]\n"
                       "/src/fs/c.c:13:3: error: no return [-Werror,-Wreturn-type]\n"
                       "/src/fs/a.c:14:3: error: a true error\n"
                       "cc1: warning: of no file\n"),
        ElementsAre(Warning{"fs/a.c", "-Wreturn-type", "no return", 1},
                    Warning{"fs/a.c", "-Wunused-variable", "unused variable 'x'", 2},
                    Warning{"fs/c.c", "-Wreturn-type", "no return", 1},
                    Warning{"include/linux/b.h", "", "without an option", 1}));
}

TEST(Warnings, OfToolsLoseTheirOffsets) {
    EXPECT_THAT(
        parse_warnings(
            "vmlinux.o: warning: objtool: f+0x1c: unreachable instruction\n"
            "WARNING: modpost: vmlinux: section mismatch in reference: f+0x10/0x20 (section: "
            ".text) -> g (section: .init.text)\n"
            "aarch64-linux-gnu-ld: warning: vmlinux has a LOAD segment with RWX permissions\n"
            "fs/proc/Kconfig:12:warning: defaults for choice values not supported\n"
            "\n"
            "WARNING: unmet direct dependencies detected for FOO\n"),
        ElementsAre(
            Warning{"", "kconfig", "unmet direct dependencies detected for FOO", 1},
            Warning{"", "ld", "vmlinux has a LOAD segment with RWX permissions", 1},
            Warning{"fs/proc/Kconfig", "kconfig", "defaults for choice values not supported", 1},
            Warning{"vmlinux", "modpost",
                    "section mismatch in reference: f (section: .text) -> g (section: .init.text)",
                    1},
            Warning{"vmlinux.o", "objtool", "f: unreachable instruction", 1}));
}

TEST(Warnings, ThatAreNewAreThoseTheBaselineLacksOrHasFewerOf) {
    const std::vector<Warning> baseline = {{"a.c", "-Wx", "m", 2}, {"b.c", "-Wx", "m", 1}};
    EXPECT_THAT(new_warnings(baseline, {{"a.c", "-Wx", "m", 2}, {"b.c", "-Wx", "m", 1}}),
                IsEmpty());
    EXPECT_THAT(
        new_warnings(baseline,
                     {{"a.c", "-Wx", "m", 3}, {"b.c", "-Wy", "m", 1}, {"c.c", "-Wx", "m", 4}}),
        ElementsAre(Warning{"a.c", "-Wx", "m", 1}, Warning{"b.c", "-Wy", "m", 1},
                    Warning{"c.c", "-Wx", "m", 4}));
}

TEST(MachineFailure, IsToldFromTheSources) {
    EXPECT_EQ(machine_failure("fs/a.c:1:1: error: x\nmake: *** [x] Error 1\n"), std::nullopt);
    EXPECT_EQ(machine_failure("   12 |         f(\"No space left on device\");\n"), std::nullopt);
    EXPECT_EQ(machine_failure("gcc: fatal error: Killed signal terminated program cc1\n"),
              "gcc: fatal error: Killed signal terminated program cc1");
    EXPECT_EQ(machine_failure("a\n/build/x.s: No space left on device\nb\n"),
              "x.s: No space left on device");
    EXPECT_EQ(machine_failure("bwrap: Can't find source path\n"), "bwrap: Can't find source path");
}

TEST(CompileStep, IsALineOfKbuild) {
    EXPECT_TRUE(is_compile_step("  CC      fs/exec.o"));
    EXPECT_TRUE(is_compile_step("  AS      arch/x86/entry/entry.o"));
    EXPECT_FALSE(is_compile_step("  LD      vmlinux.o"));
    EXPECT_FALSE(is_compile_step("CC"));
}

TEST(SourcePlace, IsThatOfTheCompiler) {
    const auto place = place_of("fs/exec.c:14:9: error: expected ';' before 'return'");
    ASSERT_TRUE(place);
    EXPECT_EQ(place->file, "fs/exec.c");
    EXPECT_EQ(place->line, 14);
    EXPECT_EQ(place_of("fs/proc/Kconfig:3: syntax error")->line, 3);
    EXPECT_FALSE(place_of("ld.lld-19: error: undefined symbol: nothing"));
    EXPECT_FALSE(place_of("make[3]: *** No rule to make target 'fs/x.o'"));
    EXPECT_FALSE(place_of(""));
}

TEST(LineOfAWarning, IsTheFirstSuchOne) {
    const std::string log = "  CC      mm/x.o\n"
                            "/src/mm/x.c:3:1: warning: unused variable 'y' [-Wunused-variable]\n"
                            "/src/mm/x.c:7:5: warning: unused variable 'x' [-Wunused-variable]\n"
                            "/src/mm/x.c:9:5: warning: unused variable 'x' [-Wunused-variable]\n"
                            "mm/x.o: warning: objtool: f+0x1c: unreachable instruction\n";
    EXPECT_EQ(line_of(log, {"mm/x.c", "-Wunused-variable", "unused variable 'x'", 2}), 7);
    EXPECT_EQ(line_of(log, {"mm/x.o", "objtool", "f: unreachable instruction", 1}), 0);
    EXPECT_EQ(line_of(log, {"mm/z.c", "-Wunused-variable", "unused variable 'x'", 1}), 0);
    for (const Warning& warning : parse_warnings(log))
        EXPECT_TRUE(warning.option == "objtool" || line_of(log, warning) > 0) << warning.message;
}

} // namespace
} // namespace kmatrix
