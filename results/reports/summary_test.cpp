// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/summary.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/text.h"
#include "results/reports/example_runs.h"
#include "results/reports/golden.h"
#include "results/reports/wrap.h"

namespace kmatrix {
namespace {

using namespace example;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::ResultOf;
using testing::StartsWith;

SummaryOptions plain() {
    SummaryOptions options;
    options.reports = {"report   runs/1/report.txt", "for a CI runs/1/junit.xml, report.json"};
    return options;
}

std::vector<std::string> lines_of(const RunResult& run, const SummaryOptions& options) {
    std::vector<std::string> lines = split(summary(run, compare(run), options), '\n');
    EXPECT_EQ(lines.back(), "");
    lines.pop_back();
    return lines;
}

TEST(Summary, OfASeriesThatIsFaster) {
    const RunResult run = good_run();
    expect_golden(summary(run, compare(run), plain()), "summary-faster.txt");
}

TEST(Summary, OfASeriesThatBreaksATest) {
    const RunResult run = bad_run();
    expect_golden(summary(run, compare(run), plain()), "summary-regressed.txt");
}

TEST(Summary, IsNeverMoreThanAScreen) {
    std::vector<Cell> cells;
    for (int vcpus = 4; vcpus < 64; ++vcpus)
        cells.push_back(hand_built::cell(Arch::x86_64, vcpus));
    RunResult run = hand_built::run(cells);
    for (const Cell& cell : cells)
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
            BootResult& boot = hand_built::boot(run, kernel, cell.id);
            hand_built::test(boot, "x", kernel == Kernel::patched ? Status::fail : Status::pass,
                             std::string(300, 'x'));
        }
    for (const std::size_t columns : {0, 40, 80, 500}) {
        SummaryOptions options = plain();
        options.columns = columns;
        const auto lines = lines_of(run, options);
        EXPECT_LE(lines.size(), 24u);
        EXPECT_EQ(lines.back(), options.reports.back());
        EXPECT_THAT(lines,
                    Each(ResultOf([](const std::string& line) { return kmatrix::columns(line); },
                                  testing::Le(std::max<std::size_t>(columns, 40)))));
    }
    // Of what does not fit it says how much there is.
    EXPECT_THAT(summary(run, compare(run), plain()), HasSubstr("more that got worse"));
    for (BootResult& boot : run.boots)
        boot.tests.clear();
    EXPECT_THAT(summary(run, compare(run), plain()), HasSubstr(" more lines of cells\n"));
}

TEST(Summary, IsColouredOnlyWhereAskedTo) {
    SummaryOptions options = plain();
    EXPECT_THAT(summary(bad_run(), compare(bad_run()), options), Not(HasSubstr("\x1b")));
    options.colour = true;
    EXPECT_THAT(summary(bad_run(), compare(bad_run()), options), StartsWith("\x1b[31mThe series "));
    const std::string good = summary(good_run(), compare(good_run()), options);
    EXPECT_THAT(good, StartsWith("\x1b[32mNothing regressed"));
    EXPECT_THAT(good, Not(HasSubstr("\x1b[31m")));
    RunResult nothing = good_run();
    nothing.infrastructure = {{"boot", "no disk\x1b[32m\nmore"}};
    EXPECT_THAT(summary(nothing, compare(nothing), options),
                StartsWith("\x1b[33mNo whole verdict"));
}

} // namespace
} // namespace kmatrix
