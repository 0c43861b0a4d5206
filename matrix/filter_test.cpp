// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/filter.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string filter_error(std::string_view text) {
    const Result<Filter> filter = parse_filter(text);
    return filter ? "" : filter.error().message;
}

Cell cell(Axes axes) {
    return Cell{cell_id(axes), axes, {}, {}};
}

Matrix three_cells() {
    Matrix matrix;
    matrix.name = "demo";
    matrix.cells = {cell({Arch::x86_64, "default", 8, "gcc", ""}),
                    cell({Arch::arm64, "default", 8, "gcc", ""}),
                    cell({Arch::x86_64, "default+debug", 4, "gcc", "nopti quiet"})};
    return matrix;
}

TEST(Filter, ReadsAxesAndLists) {
    const Filter filter = parse_filter("  arch=arm64\tvcpus=4,8 ").value();
    EXPECT_THAT(filter.values.at("arch"), ElementsAre("arm64"));
    EXPECT_THAT(filter.values.at("vcpus"), ElementsAre("4", "8"));
    EXPECT_EQ(filter.values.size(), 2u);
    EXPECT_EQ(to_string(filter), "arch=arm64 vcpus=4,8");
}

TEST(Filter, ReadsQuotedValues) {
    const Filter filter = parse_filter("cmdline='nopti quiet',\"\",mitigations=off").value();
    EXPECT_THAT(filter.values.at("cmdline"), ElementsAre("nopti quiet", "", "mitigations=off"));
    EXPECT_EQ(to_string(filter), "cmdline='nopti quiet','',mitigations=off");
}

TEST(Filter, WritesWhatItReads) {
    const std::string text = "arch=x86_64,arm64 config=default+64k vcpus=8 compiler=clang "
                             "cmdline='a b',\"it's\"";
    EXPECT_EQ(to_string(parse_filter(text).value()), text);
}

TEST(Filter, TakesOneNumberInTwoSpellings) {
    EXPECT_THAT(parse_filter("vcpus=08").value().values.at("vcpus"), ElementsAre("8"));
}

TEST(Filter, RefusesWhatMeansNothing) {
    EXPECT_EQ(filter_error(""), "names no axis; expected AXIS=VALUE[,VALUE...], as \"arch=arm64\"");
    EXPECT_THAT(filter_error("arm64"), HasSubstr("\"arm64\": expected AXIS=VALUE"));
    EXPECT_THAT(filter_error("arm64 vcpus=8"), HasSubstr("\"arm64\": expected AXIS=VALUE"));
    EXPECT_THAT(filter_error("vcpu=8"),
                HasSubstr("\"vcpu\": no such axis; did you mean \"vcpus\"?"));
    EXPECT_THAT(filter_error("arch=arm46"), HasSubstr("did you mean \"arm64\"?"));
    EXPECT_THAT(filter_error("vcpus=many"),
                HasSubstr("vcpus: \"many\": expected a number of CPUs"));
    EXPECT_THAT(filter_error("vcpus=8x"), HasSubstr("expected a number of CPUs"));
    EXPECT_THAT(filter_error("arch="), HasSubstr("arch: expected a value"));
    EXPECT_THAT(filter_error("arch=arm64,"), HasSubstr("arch: expected a value"));
    EXPECT_THAT(filter_error("arch=arm64 arch=x86_64"), HasSubstr("arch: named twice"));
    EXPECT_THAT(filter_error("cmdline='x"), HasSubstr("the quote ' is never closed"));
    EXPECT_THAT(filter_error("cmdline='x'y"), HasSubstr("expected a blank or a comma"));
    EXPECT_THAT(filter_error("arch=\x1b[31m\xff"), HasSubstr("expected \"x86_64\" or \"arm64\""));
    EXPECT_THAT(filter_error(std::string_view("\0=", 2)), HasSubstr("no such axis"));
}

TEST(Filter, MatchesWhatHasEveryAxis) {
    const Axes axes{Arch::arm64, "default", 8, "gcc", ""};
    EXPECT_TRUE(parse_filter("arch=arm64 vcpus=4,8").value().matches(axes));
    EXPECT_FALSE(parse_filter("arch=arm64 vcpus=4").value().matches(axes));
    EXPECT_TRUE(parse_filter("cmdline=''").value().matches(axes));
    EXPECT_TRUE(Filter{}.matches(axes));
}

TEST(Narrow, KeepsWhatMatchesAndItsIds) {
    const Matrix matrix = narrow(three_cells(), parse_filter("arch=x86_64").value()).value();
    ASSERT_EQ(matrix.cells.size(), 2u);
    EXPECT_EQ(matrix.cells[0].id, "x86_64-default-8cpu-gcc");
    EXPECT_EQ(matrix.cells[1].axes.config, "default+debug");
}

TEST(Narrow, RefusesAValueThatNoCellHas) {
    const auto none = narrow(three_cells(), parse_filter("vcpus=8,16").value());
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().blame, Blame::user);
    EXPECT_EQ(none.error().message,
              "vcpus=16: no cell of demo has it; the cells have arch: x86_64, arm64; "
              "config: default, default+debug; vcpus: 8, 4; compiler: gcc; "
              "cmdline: '', 'nopti quiet'");
}

TEST(Narrow, FiltersOfAxesFindTheirCellAlone) {
    for (const Cell& cell : three_cells().cells) {
        const auto filter = parse_filter(to_string(filter_of(cell.axes)));
        ASSERT_TRUE(filter) << filter.error().message;
        const Matrix matrix = narrow(three_cells(), *filter).value();
        ASSERT_EQ(matrix.cells.size(), 1u);
        EXPECT_EQ(matrix.cells[0].id, cell.id);
    }
}

Matrix with_tests() {
    Matrix matrix = three_cells();
    for (Cell& cell : matrix.cells)
        cell.benchmarks.emplace_back();
    Selftest all_of_proc, race, of_mm;
    all_of_proc.target = race.target = "proc";
    all_of_proc.repeat = 2;
    race.test = "proc-maps-race";
    race.repeat = 5;
    of_mm.target = "mm";
    matrix.cells[0].selftests = {all_of_proc, race};
    matrix.cells[1].selftests = {of_mm};
    return matrix;
}

TEST(NarrowToTests, TakesTheEntryThatNamesThem) {
    const Matrix matrix = chosen(with_tests(), {"", {"proc:proc-maps-race", "proc:read"}}).value();
    ASSERT_EQ(matrix.cells.size(), 1u);
    ASSERT_EQ(matrix.cells[0].selftests.size(), 2u);
    EXPECT_EQ(matrix.cells[0].selftests[0].repeat, 5);
    EXPECT_EQ(matrix.cells[0].selftests[1].test, "read");
    EXPECT_EQ(matrix.cells[0].selftests[1].repeat, 2);
    EXPECT_TRUE(matrix.cells[0].benchmarks.empty());
}

TEST(NarrowToTests, TakesAWholeTarget) {
    const Matrix matrix = chosen(with_tests(), {"", {"proc"}}).value();
    ASSERT_EQ(matrix.cells.size(), 1u);
    EXPECT_EQ(matrix.cells[0].selftests.size(), 2u);
}

TEST(NarrowToTests, RefusesWhatNoCellRuns) {
    EXPECT_EQ(chosen(with_tests(), {"", {"net:x"}}).error().message,
              "net:x: no cell of demo runs it");
    EXPECT_EQ(chosen(with_tests(), {"", {"net"}}).error().message, "net: no cell of demo runs it");
    for (const char* name : {"", ":", ":x", "proc:", "a:b:c"})
        EXPECT_THAT(chosen(with_tests(), {"", {name}}).error().message,
                    HasSubstr("no test's name"));
}

TEST(NarrowToTests, ComesAfterTheAxes) {
    Matrix matrix = with_tests();
    matrix.cells[1].axes.arch = Arch::arm64;
    matrix.cells[0].axes.arch = Arch::x86_64;
    EXPECT_FALSE(chosen(matrix, {"arch=arm64", {"proc"}}));
    EXPECT_TRUE(chosen(matrix, {"arch=x86_64", {"proc"}}));
    EXPECT_EQ(chosen(with_tests(), {"", {}}).value().cells.size(), 3u);
}

TEST(Narrow, RefusesToLeaveNothing) {
    const auto none = narrow(three_cells(), parse_filter("arch=arm64 vcpus=4").value());
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("arch=arm64 vcpus=4: no cell of demo has all of "
                                                "it; the cells have arch: x86_64, arm64;"));
}

TEST(BenchmarksAlone, KeepsCellsThatHaveOneAndTheirSelftests) {
    Matrix matrix = three_cells();
    const auto none = benchmarks_alone(matrix);
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("demo: no cell has a benchmark"));
    matrix.cells[1].benchmarks.emplace_back();
    matrix.cells[1].selftests.emplace_back();
    const Matrix alone = benchmarks_alone(matrix).value();
    ASSERT_EQ(alone.cells.size(), 1u);
    EXPECT_EQ(alone.cells[0].id, matrix.cells[1].id);
    EXPECT_EQ(alone.cells[0].selftests.size(), 1u);
    EXPECT_TRUE(alone.only_benchmarks);
}

} // namespace
} // namespace kmatrix
