// SPDX-License-Identifier: GPL-2.0-only
#include "runner/ci/annotations.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "results/comparison/hand_built_run.h"

namespace kmatrix {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;
using Level = Annotation::Level;

const std::string x86 = "x86_64-default-4cpu-gcc";

RunResult good_run() {
    Cell cell = hand_built::cell();
    cell.selftests = {hand_built::selftest()};
    RunResult run = hand_built::run({cell});
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
        hand_built::test(hand_built::boot(run, kernel, cell.id), "race", Status::pass);
    return run;
}

std::vector<Annotation> annotated(const RunResult& run, const std::string& log = "") {
    return annotations_of(run, compare(run), [&](const std::filesystem::path&) { return log; });
}

TEST(Annotations, OfAGoodRunAreItsVerdict) {
    const auto all = annotated(good_run());
    ASSERT_THAT(all, SizeIs(1));
    EXPECT_EQ(all[0].level, Level::notice);
    EXPECT_EQ(workflow_commands(all),
              "::notice title=kmatrix::Nothing regressed; 1 test passes on both kernels.\n");
    EXPECT_EQ(code_quality_json(all), "[]\n");
}

TEST(Annotations, OfACompileErrorHaveItsPlace) {
    RunResult run = good_run();
    hand_built::break_build(run, Kernel::patched, "mm/x.c:7:1: error: expected ';'\nmore");
    run.boots.pop_back();
    const auto all = annotated(run);
    ASSERT_THAT(all, SizeIs(2));
    EXPECT_EQ(all[0].level, Level::error);
    EXPECT_EQ(all[1].level, Level::error);
    EXPECT_EQ(all[1].file, "mm/x.c");
    EXPECT_EQ(all[1].line, 7);
    EXPECT_THAT(workflow_commands(all), HasSubstr("\n::error file=mm/x.c,line=7,title=kmatrix%3A " +
                                                  x86 + "::mm/x.c:7:1: error: expected ';'\n"));
}

TEST(Annotations, OfNewWarningsHaveTheLineThatTheLogHas) {
    RunResult run = good_run();
    const Warning warning{"mm/x.c", "-Wunused-variable", "unused variable 'y'", 1};
    hand_built::build(run, Kernel::patched).warnings = {warning,
                                                        {"", "modpost", "f is undefined", 1}};
    const auto all =
        annotated(run, "/src/mm/x.c:12:6: warning: unused variable 'y' [-Wunused-variable]\n");
    ASSERT_THAT(all, SizeIs(3));
    EXPECT_EQ(all[1].level, Level::warning);
    EXPECT_EQ(all[1].line, 12);
    EXPECT_EQ(all[1].message, "unused variable 'y' [-Wunused-variable]");
    EXPECT_THAT(all[2].file, IsEmpty());
    EXPECT_EQ(annotated(run, "")[1].line, 0);
    run.matrix.gate.warnings = true;
    EXPECT_EQ(annotated(run)[1].level, Level::error);

    const auto report = nlohmann::json::parse(code_quality_json(all));
    ASSERT_THAT(report, SizeIs(1));
    EXPECT_EQ(report[0]["location"]["path"], "mm/x.c");
    EXPECT_EQ(report[0]["location"]["lines"]["begin"], 12);
    EXPECT_EQ(report[0]["severity"], "minor");
    EXPECT_THAT(report[0]["fingerprint"].get<std::string>(), SizeIs(64));
}

TEST(Annotations, OfWhatHasNoPlaceInTheSourceAreOfTheJob) {
    RunResult run = good_run();
    run.boots[1].tests[0].status = Status::fail;
    run.boots[1].tests[0].reason = "exit 1";
    const auto all = annotated(run);
    ASSERT_THAT(all, SizeIs(2));
    EXPECT_EQ(all[1].level, Level::error);
    EXPECT_THAT(all[1].file, IsEmpty());
    EXPECT_THAT(all[1].message, HasSubstr("proc: race fails"));
    EXPECT_THAT(workflow_commands(all), HasSubstr("\n::error title=kmatrix%3A " + x86 + "::"));
}

// The runner reads a line as a command if it begins with "::".
TEST(WorkflowCommands, TextOfOthersIsNone) {
    const std::string evil = "\n::add-mask::x\r\n::set-output name=a::b\n##[error]x 100% \x1b[31m";
    const std::string text =
        workflow_commands({{Level::error, "a:b,c" + evil, 3, "t,i:tle" + evil, evil},
                           {Level::notice, "", 0, "", evil}});
    const auto lines = split(trim(text), '\n');
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_THAT(lines[0], StartsWith("::error file=a%3Ab%2Cc%0A%3A%3Aadd-mask%3A%3Ax%0A"));
    EXPECT_THAT(lines[0], HasSubstr(",line=3,title=t%2Ci%3Atle%0A"));
    EXPECT_THAT(lines[0], HasSubstr("::%0A::add-mask::x%0A::set-output name=a::b%0A##[error]x "
                                    "100%25 "));
    EXPECT_THAT(lines[1], StartsWith("::notice::%0A::add-mask"));
    EXPECT_THAT(lines, Each(testing::Not(HasSubstr("\x1b"))));
    EXPECT_THAT(text, testing::Not(HasSubstr("\r")));
}

TEST(WorkflowCommands, AreNoMoreThanAreShown) {
    std::vector<Annotation> many(25, {Level::error, "x.c", 1, "t", "m"});
    many.push_back({Level::warning, "x.c", 1, "t", "m"});
    const auto lines = split(trim(workflow_commands(many)), '\n');
    ASSERT_THAT(lines, SizeIs(12));
    EXPECT_THAT(lines[10], StartsWith("::warning "));
    EXPECT_THAT(lines[11], StartsWith("kmatrix: 15 more of these"));
    const std::string long_text =
        workflow_commands({{Level::error, "", 0, "", std::string(100000, 'x')}});
    EXPECT_LT(long_text.size(), 5000u);
}

TEST(WorkflowCommands, AreStoppedAndResumed) {
    EXPECT_EQ(stop_commands("0123abcd"), "::stop-commands::0123abcd\n");
    EXPECT_EQ(resume_commands("0123abcd"), "::0123abcd::\n");
}

TEST(Annotations, OfOneThingInManyCellsAreOne) {
    RunResult run = hand_built::run({hand_built::cell(), hand_built::cell(Arch::arm64)});
    for (BuildResult& build : run.builds)
        if (build.kernel == Kernel::patched) {
            build.ok = false;
            build.error = "mm/x.c:7:1: error: expected ';'";
        }
    std::vector<std::string> files;
    for (const Annotation& annotation : annotated(run))
        files.push_back(annotation.file);
    EXPECT_THAT(files, ElementsAre("", "mm/x.c"));
}

} // namespace
} // namespace kmatrix
