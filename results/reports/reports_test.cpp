// SPDX-License-Identifier: GPL-2.0-only
// The reports of three runs built by hand, against golden files that were read by a person.
// KMATRIX_UPDATE=1 writes them anew.
#include <cstdlib>

#include <unistd.h>

#include <gmock/gmock.h>

#include "base/command.h"
#include "base/files.h"
#include "results/reports/example_runs.h"
#include "results/reports/golden.h"
#include "results/reports/junit.h"
#include "results/reports/text.h"

namespace kmatrix {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using namespace example;

// The schema is other people's; where it is not at hand, xmllint still says whether it is XML.
void expect_valid(const std::string& xml) {
    const fs::path file =
        fs::temp_directory_path() / ("kmatrix-junit-" + std::to_string(::getpid()) + ".xml");
    ASSERT_TRUE(write_file(file, xml));
    Command lint;
    lint.argv = {"xmllint", "--noout"};
    if (const char* schema = std::getenv("KMATRIX_JUNIT_XSD"); schema && fs::exists(schema))
        lint.argv.insert(lint.argv.end(), {"--schema", schema});
    lint.argv.push_back(file.string());
    const auto exit = run_blocking(lint);
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_TRUE(exit->ok()) << exit->tail;
    fs::remove(file);
}

TEST(Reports, OfASeriesThatIsFaster) {
    const RunResult run = good_run();
    const Comparison comparison = compare(run);
    EXPECT_EQ(exit_status(comparison), 0);
    expect_golden(text_report(run, comparison), "faster.txt");
    const std::string xml = junit_xml(run, comparison);
    expect_golden(xml, "faster.xml");
    expect_valid(xml);
    EXPECT_THAT(xml, Not(HasSubstr("<failure")));
}

TEST(Reports, OfASeriesThatBreaksATest) {
    const RunResult run = bad_run();
    const Comparison comparison = compare(run);
    EXPECT_EQ(exit_status(comparison), 1);
    expect_golden(text_report(run, comparison), "regressed.txt");
    const std::string xml = junit_xml(run, comparison);
    expect_golden(xml, "regressed.xml");
    expect_valid(xml);
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
    expect_valid(xml);
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

TEST(Junit, LongTextsAreCutAndSaySo) {
    RunResult run = bad_run();
    run.boots[1].tests[0].subtests[1].diagnostics.assign(20000, "a line of the test's output");
    const std::string xml = junit_xml(run, compare(run));
    EXPECT_LT(xml.size(), 200000u);
    expect_valid(xml);
}

TEST(Junit, NamesAreUnique) {
    RunResult run = good_run();
    for (BootResult& boot : run.boots)
        if (!boot.benchmark)
            boot.findings = {{"bug", "same", "", {}, {"line"}, 1},
                             {"hang", "same", "", {}, {"l"}, 2}};
    const std::string xml = junit_xml(run, compare(run));
    EXPECT_THAT(xml, HasSubstr("name=\"splat: same\""));
    EXPECT_THAT(xml, HasSubstr("name=\"splat: same (2)\""));
}

} // namespace
} // namespace kmatrix
