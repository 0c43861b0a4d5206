// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/markdown.h"

#include <gmock/gmock.h>

#include "base/text.h"
#include "results/reports/example_runs.h"
#include "results/reports/golden.h"

namespace kmatrix {
namespace {

using namespace example;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

MarkdownOptions summary_options() {
    MarkdownOptions options;
    options.change = "pull request 12, from a fork";
    options.files = "kmatrix-results";
    return options;
}

std::string summary_page(const RunResult& run, const MarkdownOptions& with = summary_options()) {
    return markdown_summary(run, compare(run), with);
}

TEST(Markdown, OfASeriesThatIsFaster) {
    expect_golden(summary_page(good_run()), "summary-faster.md");
}

TEST(Markdown, OfASeriesThatBreaksATest) {
    expect_golden(summary_page(bad_run()), "summary-regressed.md");
}

// A blank line ends a block of HTML, and what follows would be Markdown.
TEST(Markdown, HasNoTextOfOthersOutsideOfABlock) {
    RunResult run = bad_run();
    const std::string evil = "x\n\n# heading\n[link](https://example.org) <img src=x> **bold** "
                             "`code`\n\n</pre>\n\n| a |";
    run.info.series.subject = evil;
    run.info.series.author = evil;
    run.info.notes = {evil};
    run.infrastructure = {{evil, evil}};
    run.boots[1].tests[0].subtests[1].name = evil;
    run.boots[1].findings[0].lines = {evil, "", evil};
    hand_built::build(run, Kernel::patched).warnings = {{"fs/x.c", "-Wx", evil, 1}};
    MarkdownOptions with = summary_options();
    with.change = evil;
    const std::string text = summary_page(run, with);
    EXPECT_THAT(text, AllOf(HasSubstr("# heading"), HasSubstr("&lt;img src=x&gt;"),
                            Not(HasSubstr("<img")), Not(HasSubstr("x</pre>"))));
    bool block_begins = true;
    for (const std::string& line : split(text, '\n')) {
        if (block_begins && !line.empty()) {
            EXPECT_TRUE(line.starts_with("<p>") || line.starts_with("<table>") ||
                        line.starts_with("<ul>") || line.starts_with("<pre>") ||
                        line.starts_with("## kmatrix: ") || line == "### What got worse" ||
                        line == "### What could not be done (no fault of the series)")
                << line;
        }
        block_begins = line.empty();
    }
}

TEST(Markdown, KeepsWithinItsLimitAndSaysWhatItLeftOut) {
    RunResult run = bad_run();
    for (int i = 0; i < 20000; ++i)
        run.infrastructure.emplace_back("boot " + std::to_string(i), std::string(200, 'x'));
    EXPECT_THAT(summary_page(run).size(), testing::Lt(summary_limit_bytes));
    EXPECT_THAT(summary_page(run),
                AllOf(StartsWith("## kmatrix"), HasSubstr("the whole is in report.html"),
                      HasSubstr("<th>latency</th>")));
    for (const std::size_t limit : {0, 10, 300, 1000, 3000}) {
        MarkdownOptions with = summary_options();
        with.limit_bytes = limit;
        EXPECT_LE(summary_page(run, with).size(), limit);
        EXPECT_LE(markdown_failure(std::string(5000, 'x'), with).size(), limit);
    }
}

TEST(Markdown, OfAFailureHasItsWords) {
    EXPECT_THAT(markdown_failure("no disk <b>\n\nwhatever", summary_options()),
                AllOf(HasSubstr("## kmatrix: no verdict"), HasSubstr("no disk &lt;b&gt;\nwhatever"),
                      HasSubstr("pull request 12")));
}

} // namespace
} // namespace kmatrix
