// SPDX-License-Identifier: GPL-2.0-only
// The scripts against a golden file: whoever changes one looks at what gnuplot makes of it.
// KMATRIX_UPDATE=1 writes it anew.
#include "results/reports/pictures.h"

#include <gmock/gmock.h>

#include "results/reports/golden.h"
#include "results/reports/html_example.h"

namespace kmatrix {
namespace {
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<Picture> pictures_of(const RunResult& run) {
    return pictures(run, compare(run));
}

TEST(Pictures, ScriptsAreAsTheyWereLookedAt) {
    std::string text;
    for (const Picture& picture : pictures_of(html_example::run()))
        text += "# " + picture.words + "\n" + picture.script + "\n";
    example::expect_golden(text, "pictures.gnuplot");
}

// Of 80,000 calls a side (4 boots of 20,000, each with its own scale) the slowest is at
// log10(80000).
TEST(Pictures, TheDistributionReachesItsSlowestCall) {
    const auto all = pictures_of(html_example::run());
    ASSERT_THAT(all, SizeIs(3));
    EXPECT_EQ(all[0].kind, PictureKind::distribution);
    EXPECT_THAT(all[0].script, HasSubstr("\n10.2 6.9031\nEND\n")); // baseline: 10 times 1.02 ms
    EXPECT_THAT(all[0].script, HasSubstr("\n1.02 6.9031\nEND\n")); // patched
    EXPECT_THAT(all[0].words, HasSubstr("baseline: half of 80000 calls"));
}

TEST(Pictures, SamplesStandInTheOrderOfTheRun) {
    RunResult run = html_example::run();
    // as ABBA has it: b1 p1 p2 b2
    std::vector<BootResult> boots;
    for (const char* id : {"baseline/smaps_rollup-1", "patched/smaps_rollup-1",
                           "patched/smaps_rollup-2", "baseline/smaps_rollup-2"})
        for (const BootResult& boot : run.boots)
            if (boot.id.ends_with(id))
                boots.push_back(boot);
    run.boots = boots;
    const auto all = pictures_of(run);
    ASSERT_THAT(all, SizeIs(3));
    EXPECT_THAT(all[1].script, HasSubstr("set xtics (\"b1\" 1, \"p1\" 2, \"p2\" 3, \"b2\" 4)"));
    EXPECT_THAT(all[1].script, HasSubstr("$baseline << END\n1.000 1\n4.000 1.02\nEND\n"));
    EXPECT_THAT(all[1].script, HasSubstr("$patched << END\n2.000 0.1\n3.000 0.102\nEND\n"));
}

TEST(Pictures, ABootWithoutAFigureIsShownAndNotCounted) {
    RunResult run = html_example::run();
    for (BootResult& boot : run.boots)
        if (boot.id.ends_with("patched/smaps_rollup-2"))
            boot.sample_error = "its scanner did not run";
    const auto all = pictures_of(run);
    ASSERT_THAT(all, SizeIs(3));
    EXPECT_THAT(all[0].words, HasSubstr("patched: half of 60000 calls"));
    EXPECT_THAT(all[1].script, HasSubstr("$left_out << END\n6.000 0.102\nEND\n"));
}

// 1/1.05 is 0.952381.
TEST(Pictures, TheRatioHasItsMarginAndOne) {
    const auto all = pictures_of(html_example::run());
    ASSERT_THAT(all, SizeIs(3));
    EXPECT_THAT(all[2].script, HasSubstr("rectangle from 0.952381, graph 0 to 1.05, graph 1"));
    EXPECT_THAT(all[2].script, HasSubstr("arrow 1 from 1, graph 0 to 1, graph 1"));
    EXPECT_THAT(all[2].script, HasSubstr("with xerrorbars"));
}

TEST(Pictures, OneBootASideHasARatioAndNoInterval) {
    RunResult run = html_example::run();
    std::erase_if(run.boots,
                  [](const BootResult& boot) { return boot.benchmark && boot.number > 1; });
    const auto all = pictures_of(run);
    ASSERT_THAT(all, SizeIs(3));
    EXPECT_THAT(all[2].script, Not(HasSubstr("xerrorbars")));
    EXPECT_THAT(all[2].script, HasSubstr("$ratio << END\n0.1 1\nEND\n"));
}

TEST(Pictures, NoneOfWhatWasNotMeasured) {
    RunResult run = html_example::run();
    std::erase_if(run.boots, [](const BootResult& boot) { return boot.benchmark.has_value(); });
    EXPECT_THAT(pictures_of(run), IsEmpty());
}

TEST(Pictures, EmulationIsSaidInsideThePicture) {
    for (const Picture& picture : pictures_of(html_example::run()))
        EXPECT_THAT(picture.script, HasSubstr(", EMULATED\""));
    RunResult run = html_example::run();
    for (BootResult& boot : run.boots)
        boot.machine.accel = Accel::kvm;
    for (const Picture& picture : pictures_of(run))
        EXPECT_THAT(picture.script, Not(HasSubstr("EMULATED")));
}

} // namespace
} // namespace kmatrix
