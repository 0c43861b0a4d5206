// SPDX-License-Identifier: GPL-2.0-only
// What every report says of --each-patch and of an earlier version of the series.
#include <gmock/gmock.h>

#include "places.h"
#include "results/reports/example_steps.h"
#include "results/reports/golden.h"
#include "results/reports/html.h"
#include "results/reports/junit.h"
#include "results/reports/mail_reply.h"
#include "results/reports/report_json.h"
#include "results/reports/summary.h"
#include "results/reports/text.h"
#include "results/reports/validated.h"

namespace kmatrix {
namespace {

using namespace example;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

RunResult run_of_v3() {
    RunResult run = run_with_a_broken_step();
    run.info.series.version = 3;
    EarlierVersion earlier;
    earlier.version = 2;
    earlier.run = "20251201-120000";
    earlier.started = "2025-12-01T12:00:00Z";
    earlier.directory = "/runs/v2";
    earlier.verdict = "Nothing regressed.";
    earlier.why = "author and subject are the same";
    earlier.command = "kmatrix compare /runs/v2 /runs/v3";
    earlier.range_diff = "1:  0123456 ! 1:  1234567 proc: one\n    @@ fs/proc/x.c\n"
                         "    -+\told <b>\n    ++\tnew\n";
    earlier.notes = {"v2 was applied to 7.3.3 (0123), v3 to 7.3.4 (4567)"};
    run.known.earlier_version = earlier;
    return run;
}

TEST(StepsReports, Text) {
    const RunResult run = run_of_v3();
    expect_golden(text_report(run, compare(run)), "steps.txt");
}

TEST(StepsReports, JUnitHasACaseForEachStepAndIsRedOnce) {
    const RunResult run = run_of_v3();
    const std::string xml = junit_xml(run, compare(run));
    expect_golden(xml, "steps.xml");
    EXPECT_THAT(xml, AllOf(HasSubstr("name=\"each patch: 1 of 3\""),
                           HasSubstr("name=\"each patch: 3 of 3\""), HasSubstr("failures=\"1\"")));
    RunResult tolerant = run;
    tolerant.matrix.gate.build = false;
    EXPECT_THAT(junit_xml(tolerant, compare(tolerant)), HasSubstr("failures=\"0\""));
}

TEST(StepsReports, Summary) {
    const RunResult run = run_of_v3();
    EXPECT_THAT(summary(run, compare(run), {}),
                AllOf(HasSubstr("each patch: patch 2 of 3 breaks bisection"),
                      HasSubstr("v2 was tested here on 2025-12-01: Nothing regressed."),
                      HasSubstr("compare: kmatrix compare /runs/v2 /runs/v3")));
}

TEST(StepsReports, Html) {
    const RunResult run = run_of_v3();
    const std::string page = html_report(run, compare(run), {});
    EXPECT_THAT(page,
                AllOf(HasSubstr("Each patch by itself"), HasSubstr("2: proc: &lt;two&gt;"),
                      HasSubstr("breaks bisection: does not build: fs/proc/x.c:7:1"),
                      HasSubstr("<h2>Since v2</h2>"), HasSubstr("old &lt;b&gt;"),
                      HasSubstr("kmatrix compare /runs/v2 /runs/v3"), Not(HasSubstr("<two>"))));
}

TEST(StepsReports, JsonIsValid) {
    const std::filesystem::path schema =
        std::filesystem::path(KMATRIX_SOURCE_DIR) / "docs/report.schema.json";
    const RunResult run = run_of_v3();
    const std::string json = report_json(run, compare(run));
    expect_valid_json(json, schema, true);
    EXPECT_THAT(json, AllOf(HasSubstr("\"each_patch\": \"boot\""), HasSubstr("breaks bisection"),
                            HasSubstr("\"compare\": \"kmatrix compare")));
}

TEST(StepsReports, SayWhyThereIsNoRangeDiff) {
    RunResult run = run_of_v3();
    run.known.earlier_version->range_diff.clear();
    run.known.earlier_version->no_range_diff = "the run of v2 is not in /runs/v2 any more";
    const Comparison comparison = compare(run);
    EXPECT_THAT(text_report(run, comparison),
                HasSubstr("no git range-diff: the run of v2 is not in /runs/v2 any more"));
    EXPECT_THAT(html_report(run, comparison, {}), HasSubstr("There is no git range-diff: the run"));
}

// The reply goes under the patch that breaks, not under the cover letter.
TEST(StepsReports, TheReplyAnswersThePatch) {
    RunResult run = mailed(run_with_a_broken_step());
    run.info.series.letters.push_back(run.info.series.letters[1]);
    run.info.series.letters[1].message_id = "broken@example.org";
    const Reply reply = draft_reply(run, compare(run), {});
    EXPECT_FALSE(reply.tested_by);
    EXPECT_EQ(reply.mail.in_reply_to, "broken@example.org");
    EXPECT_THAT(reply.mail.text, HasSubstr("After patch 2 of 3 the kernel does not build"));
}

} // namespace
} // namespace kmatrix
