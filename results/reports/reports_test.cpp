// SPDX-License-Identifier: GPL-2.0-only
// The reports of three runs built by hand, against golden files that were read by a person.
// KMATRIX_UPDATE=1 writes them anew.
#include <gmock/gmock.h>

#include "results/reports/example_runs.h"
#include "results/reports/golden.h"
#include "results/reports/junit.h"
#include "results/reports/text.h"
#include "results/reports/validated.h"

namespace kmatrix {
namespace {
using testing::HasSubstr;
using testing::Not;
using namespace example;

TEST(Reports, OfASeriesThatIsFaster) {
    const RunResult run = good_run();
    const Comparison comparison = compare(run);
    EXPECT_EQ(exit_status(comparison), 0);
    expect_golden(text_report(run, comparison), "faster.txt");
    const std::string xml = junit_xml(run, comparison);
    expect_golden(xml, "faster.xml");
    expect_valid_junit(xml);
    EXPECT_THAT(xml, Not(HasSubstr("<failure")));
}

TEST(Reports, OfASeriesThatBreaksATest) {
    const RunResult run = bad_run();
    const Comparison comparison = compare(run);
    EXPECT_EQ(exit_status(comparison), 1);
    expect_golden(text_report(run, comparison), "regressed.txt");
    const std::string xml = junit_xml(run, comparison);
    expect_golden(xml, "regressed.xml");
    expect_valid_junit(xml);
    EXPECT_THAT(xml, HasSubstr("<failure"));
}

TEST(Reports, OfARunThatCannotSayAnything) {
    RunResult run = hand_built::run({hand_built::cell()});
    run.info = info();
    run.builds.clear();
    run.infrastructure = {{"build x86_64-default-gcc baseline", "no space left\n  whole log: x"}};
    const Comparison comparison = compare(run);
    EXPECT_EQ(exit_status(comparison), 3);
    expect_golden(text_report(run, comparison), "infrastructure.txt");
    const std::string xml = junit_xml(run, comparison);
    expect_golden(xml, "infrastructure.xml");
    expect_valid_junit(xml);
    EXPECT_THAT(xml, HasSubstr("<error"));
}

TEST(Reports, TheThreadsLayoutIsSortedByColumn) {
    const RunResult run = good_run();
    TextOptions options;
    options.thread_layout = true;
    EXPECT_THAT(text_report(run, compare(run), options),
                HasSubstr("        0.882     0.980     9.800\n"
                          "        0.891     0.990     9.900\n"));
}

} // namespace
} // namespace kmatrix
