// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/builds.h"

#include <gmock/gmock.h>

#include "results/comparison/hand_built_run.h"

namespace kmatrix {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Warning warning(const char* file, const char* option, const char* message, int count = 1) {
    return {file, option, message, count};
}

TEST(Builds, EachBuildNamesTheCellsThatBootIt) {
    const RunResult run =
        hand_built::run({hand_built::cell(Arch::x86_64, 4), hand_built::cell(Arch::x86_64, 8),
                         hand_built::cell(Arch::arm64, 4)});
    const auto builds = compare_builds(run);
    ASSERT_THAT(builds, SizeIs(2));
    EXPECT_THAT(builds[0].cells, ElementsAre("x86_64-default-4cpu-gcc", "x86_64-default-8cpu-gcc"));
    EXPECT_THAT(builds[1].cells, ElementsAre("arm64-default-4cpu-gcc"));
    EXPECT_EQ(builds[0].verdict, BuildVerdict::builds);
    EXPECT_FALSE(builds[0].same_image);
    EXPECT_EQ(sentence(builds[0]), "both build");
}

TEST(Builds, PatchedBreaks) {
    RunResult run = hand_built::run({hand_built::cell()});
    hand_built::break_build(run, Kernel::patched, "mm/x.c:7:1: error: expected ';'\nmore");
    const auto builds = compare_builds(run);
    EXPECT_EQ(builds[0].verdict, BuildVerdict::regressed);
    EXPECT_EQ(sentence(builds[0]), "patched does not build: mm/x.c:7:1: error: expected ';'");
}

TEST(Builds, BaselineIsBroken) {
    RunResult run = hand_built::run({hand_built::cell()});
    hand_built::break_build(run, Kernel::baseline, "ld: no");
    EXPECT_EQ(compare_builds(run)[0].verdict, BuildVerdict::fixed);
    hand_built::break_build(run, Kernel::patched, "ld: no");
    EXPECT_EQ(compare_builds(run)[0].verdict, BuildVerdict::broken_on_both);
    run.builds.pop_back();
    EXPECT_EQ(compare_builds(run)[0].verdict, BuildVerdict::not_compared);
    EXPECT_EQ(sentence(compare_builds(run)[0]), "baseline does not build: ld: no");
    run.builds.clear();
    EXPECT_EQ(sentence(compare_builds(run)[0]), "not built on both sides");
}

TEST(Builds, OneImageOnBothSidesIsSaid) {
    RunResult run = hand_built::run({hand_built::cell()});
    hand_built::make_images_equal(run);
    const auto builds = compare_builds(run);
    EXPECT_TRUE(builds[0].same_image);
    EXPECT_EQ(sentence(builds[0]),
              "both build, to the same image: the series does not change this kernel");
}

TEST(Builds, ImagesThatNobodyHashedAreNotTheSame) {
    RunResult run = hand_built::run({hand_built::cell()});
    for (BuildResult& build : run.builds)
        build.image_sha256.clear();
    EXPECT_FALSE(compare_builds(run)[0].same_image);
}

TEST(Builds, WarningsAreNewByFileOptionAndMessage) {
    RunResult run = hand_built::run({hand_built::cell()});
    hand_built::build(run, Kernel::baseline).warnings = {
        warning("mm/a.c", "-Wunused-variable", "unused variable 'x'"),
        warning("mm/h.h", "", "odd", 3)};
    hand_built::build(run, Kernel::patched).warnings = {
        warning("mm/a.c", "-Wunused-variable", "unused variable 'x'"),
        warning("mm/h.h", "", "odd", 9), // a header's, in more files: nothing new
        warning("mm/a.c", "-Wunused-variable", "unused variable 'y'"),
        warning("mm/b.c", "-Wunused-variable", "unused variable 'x'"),
        warning("mm/a.c", "-Wunused", "unused variable 'x'")};
    const auto builds = compare_builds(run);
    ASSERT_THAT(builds[0].new_warnings, SizeIs(3));
    EXPECT_EQ(text(builds[0].new_warnings[0]), "mm/a.c: unused variable 'y' [-Wunused-variable]");
    EXPECT_EQ(builds[0].new_warnings[1].file, "mm/b.c");
    EXPECT_EQ(builds[0].new_warnings[2].option, "-Wunused");
    EXPECT_EQ(sentence(builds[0]), "both build; 3 new compiler warnings");
}

TEST(Builds, WarningsOfABrokenBaselineCannotBeTold) {
    RunResult run = hand_built::run({hand_built::cell()});
    hand_built::break_build(run, Kernel::baseline, "no");
    hand_built::build(run, Kernel::patched).warnings = {warning("mm/a.c", "", "odd")};
    EXPECT_THAT(compare_builds(run)[0].new_warnings, IsEmpty());
}

} // namespace
} // namespace kmatrix
