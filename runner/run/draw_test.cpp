// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/draw.h"

#include <gmock/gmock.h>

#include "base/command.h"
#include "results/reports/html_example.h"

namespace kmatrix {
namespace {
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

Picture picture(std::string script) {
    return {PictureKind::ratio, "cell", "benchmark", 480, 120, std::move(script), "words"};
}

TEST(Draw, WithoutGnuplotEachPictureSaysSo) {
    const auto drawings = draw({picture("plot x\n"), picture("plot y\n")}, "no-such-gnuplot");
    ASSERT_THAT(drawings, SizeIs(2));
    for (const Drawing& drawing : drawings) {
        EXPECT_THAT(drawing.svg, IsEmpty());
        EXPECT_EQ(drawing.failure, "gnuplot did not start (is gnuplot-nox installed?)");
    }
}

TEST(Draw, AProgramThatDrawsNothingIsFoundOut) {
    const auto drawings = draw({picture("plot x\n")}, "true");
    ASSERT_THAT(drawings, SizeIs(1));
    EXPECT_THAT(drawings[0].failure, StartsWith("what gnuplot wrote is no XML"));
}

class DrawWithGnuplot : public testing::Test {
  protected:
    void SetUp() override {
        Command version;
        version.argv = {"gnuplot", "--version"};
        if (!run_blocking(version))
            GTEST_SKIP() << "gnuplot is not installed";
    }
};

TEST_F(DrawWithGnuplot, EveryPictureOfARun) {
    const RunResult run = html_example::run();
    const auto drawings = draw(pictures(run, compare(run)));
    ASSERT_THAT(drawings, SizeIs(3));
    for (const Drawing& drawing : drawings) {
        EXPECT_EQ(drawing.failure, "");
        EXPECT_THAT(drawing.svg, HasSubstr("EMULATED"));
        EXPECT_THAT(drawing.svg, HasSubstr("var(--patched,"));
        EXPECT_THAT(drawing.svg, testing::Not(HasSubstr("\"rgb(")));
    }
}

TEST_F(DrawWithGnuplot, AFaultInAScriptIsToldInItsWords) {
    const auto drawings = draw({picture("set terminal svg\nplot nonsense(x)\n")});
    ASSERT_THAT(drawings, SizeIs(1));
    EXPECT_THAT(drawings[0].svg, IsEmpty());
    EXPECT_THAT(drawings[0].failure, HasSubstr("undefined function: nonsense"));
}

} // namespace
} // namespace kmatrix
