// SPDX-License-Identifier: GPL-2.0-only
#include "results/bench_tables.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/files.h"

namespace kmatrix {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::vector<BenchTable> read(const std::string& text) {
    auto tables = read_bench_tables(text, "table");
    EXPECT_TRUE(tables) << (tables ? "" : tables.error().message);
    return tables.value_or(std::vector<BenchTable>());
}

std::string refusal(const std::string& text) {
    const auto tables = read_bench_tables(text, "old.txt");
    EXPECT_FALSE(tables);
    if (tables)
        return {};
    EXPECT_EQ(tables.error().blame, Blame::user);
    return tables.error().message;
}

const std::string raw_slow = "    0.200     0.100     2.000\n"
                             "    0.200     0.200     3.000\n"
                             "    0.200     0.900     4.000\n";
const std::string raw_quick = "    0.010     0.010     1.000\n"
                              "    0.010     0.010     1.500\n"
                              "    0.010     0.010     2.500\n";

const std::string summary = "Running ./run-proc-vs-map.sh --nsamples 9 -- --busyduration 2\n"
                            "\n"
                            "          Average mmap()/munmap()\n"
                            "           latency (milliseconds)\n"
                            "         --------------------------\n"
                            "#Busy    Median   Minimum   Maximum #Hangs\n"
                            "    0     0.004     0.003     0.700       \n"
                            "    1     0.060     0.005    13.000     *2\n"
                            "\n";

TEST(ReadBenchTables, RawRows) {
    const auto tables = read("\n" + raw_slow);
    ASSERT_THAT(tables, SizeIs(1));
    EXPECT_TRUE(tables[0].raw);
    EXPECT_EQ(tables[0].options, "");
    EXPECT_EQ(tables[0].median_ms, 0.2);
    EXPECT_THAT(tables[0].means_ms, ElementsAre(0.1, 0.2, 0.9));
    EXPECT_THAT(tables[0].maxima_ms, ElementsAre(2, 3, 4));
}

TEST(ReadBenchTables, RawTablesOfOneRunAreNumbered) {
    const auto tables =
        read("Running ./run-proc-vs-map.sh --rawdata\n\n" + raw_slow + "\n" + raw_quick +
             "Running ./run-proc-vs-map.sh --rawdata -- -x 1\n\n" + raw_slow);
    ASSERT_THAT(tables, SizeIs(3));
    EXPECT_EQ(tables[0].options, "--rawdata");
    EXPECT_EQ(tables[1].busy, 1);
    EXPECT_EQ(tables[2].busy, 0);
    EXPECT_EQ(tables[2].options, "--rawdata -- -x 1");
}

TEST(ReadBenchTables, PrintedSummaries) {
    const auto tables = read(summary);
    ASSERT_THAT(tables, SizeIs(2));
    EXPECT_FALSE(tables[1].raw);
    EXPECT_EQ(tables[1].options, "--nsamples 9 -- --busyduration 2");
    EXPECT_EQ(tables[1].busy, 1);
    EXPECT_EQ(tables[1].median_ms, 0.06);
    EXPECT_THAT(tables[1].means_ms, ElementsAre(0.005));
    EXPECT_THAT(tables[1].maxima_ms, ElementsAre(13));
    EXPECT_EQ(tables[1].hung, 2);
    EXPECT_EQ(tables[0].hung, 0);
    EXPECT_FALSE(tables[0].of_maxima);
}

TEST(ReadBenchTables, EarlySummariesAreOfMaxima) {
    const auto tables = read("   Worst-case mmap()/munmap()\n"
                             "#Busy    Median   Minimum   Maximum #Hangs\n"
                             "    1    27.296    23.932   116.081\n");
    ASSERT_THAT(tables, SizeIs(1));
    EXPECT_TRUE(tables[0].of_maxima);
}

TEST(ReadBenchTables, ThroughAMailsQuoting) {
    const auto tables = read("On Monday Ann wrote:\n> > here:\r\n"
                             "> >     0.200     0.100     2.000\r\n"
                             "> >     0.200     0.300     3.000\r\n"
                             "> >\r\n> Thanks!\n");
    ASSERT_THAT(tables, SizeIs(1));
    EXPECT_THAT(tables[0].means_ms, ElementsAre(0.1, 0.3));
}

TEST(ReadBenchTables, RefusesATornRowAndSaysWhere) {
    EXPECT_EQ(refusal(raw_slow + "    0.200     0.9\n"),
              "old.txt:4: a row of a raw table has three numbers, and this one has 2");
}

TEST(ReadBenchTables, RefusesATextWithoutATable) {
    EXPECT_THAT(refusal(""), HasSubstr("old.txt: no table of run-proc-vs-map.sh in it"));
    EXPECT_THAT(refusal("1 2 3\nwords words words\n-0.1 0.2 0.3\nnan nan nan\n"),
                HasSubstr("no table"));
}

TEST(CompareBenchTables, GivesEachFigureItsName) {
    const auto compared = compare(read(raw_slow), read(raw_quick));
    ASSERT_TRUE(compared);
    ASSERT_THAT(compared->pairs, SizeIs(1));
    EXPECT_EQ(compared->pairs[0].label, "");
    std::vector<std::string> lines;
    for (const BenchFigure& figure : compared->pairs[0].figures)
        lines.push_back(figure.name + " " + change_text(figure));
    // By hand: 0.2/0.01, (0.1+0.2+0.9)/3/0.01, 0.1/0.01, 0.9/0.01, 3/1.5, 4/2.5; bounds of the
    // first 0.1995/0.0105 = 19.0 and 0.2005/0.0095 = 21.1.
    EXPECT_THAT(lines,
                ElementsAre("median of means fell 20 times (19 to 21 times within rounding)",
                            "mean of means fell 40 times (38 to 42 times within rounding)",
                            "smallest mean fell 10 times (9.5 to 11 times within rounding)",
                            "largest mean fell 90 times (86 to 95 times within rounding)",
                            "median of maxima fell 2.0 times", "largest maximum fell 1.6 times"));
}

TEST(CompareBenchTables, WarnsOfWhatTheyCannotSay) {
    const auto raw = compare(read(raw_slow), read(raw_quick + raw_quick));
    ASSERT_TRUE(raw);
    EXPECT_THAT(raw->warnings, ElementsAre(HasSubstr("one boot"), HasSubstr("a row is no run"),
                                           HasSubstr("3 runs against 6")));
    const auto printed = compare(read(summary), read(summary));
    ASSERT_TRUE(printed);
    EXPECT_THAT(printed->warnings,
                ElementsAre(HasSubstr("one boot"), "2 runs of the first table hung and were killed",
                            "2 runs of the second table hung and were killed"));
}

TEST(CompareBenchTables, PairsTablesOfTheSameOptionsAndBusyCpus) {
    const std::string other = "Running ./run-proc-vs-map.sh --nsamples 9 -- --busyduration 5\n"
                              "#Busy    Median   Minimum   Maximum #Hangs\n"
                              "    1     0.060     0.005    13.000\n";
    const auto compared = compare(read(summary + other), read(summary));
    ASSERT_TRUE(compared);
    ASSERT_THAT(compared->pairs, SizeIs(2));
    EXPECT_EQ(compared->pairs[0].label, "--nsamples 9 -- --busyduration 2, 0 busy CPUs");
    EXPECT_EQ(compared->pairs[1].label, "--nsamples 9 -- --busyduration 2, 1 busy CPU");
    EXPECT_THAT(compared->unpaired, ElementsAre("--nsamples 9 -- --busyduration 5, 1 busy CPU"));
    EXPECT_FALSE(compare(read(summary), read(other + other)));
}

TEST(CompareBenchTables, RawAndPrintedHaveThreeFiguresInCommon) {
    const std::string one = "#Busy    Median   Minimum   Maximum #Hangs\n"
                            "    2     0.020     0.015     2.000\n";
    const auto compared = compare(read(raw_slow), read(one));
    ASSERT_TRUE(compared);
    std::vector<std::string> names;
    for (const BenchFigure& figure : compared->pairs[0].figures)
        names.push_back(figure.name);
    EXPECT_THAT(names, ElementsAre("median of means", "smallest mean", "largest maximum"));
}

BenchFigure figure(double a_ms, double b_ms) {
    const auto row = [](double value) { return fmt::format("{0:.3f} {0:.3f} {0:.3f}\n", value); };
    const auto compared = compare(read(row(a_ms)), read(row(b_ms)));
    return compared->pairs.at(0).figures.at(0);
}

TEST(ChangeText, KnowsRoundingAndZero) {
    EXPECT_EQ(change_text(figure(0.006, 0.006)), "differs by no more than rounding");
    EXPECT_EQ(change_text(figure(0.005, 0.006)), "differs by no more than rounding");
    EXPECT_EQ(change_text(figure(0.000, 0.000)), "is 0 on both sides");
    // 0.1315/0.0005
    EXPECT_EQ(change_text(figure(0.132, 0.000)), "fell at least 263 times");
    EXPECT_EQ(change_text(figure(0.000, 0.132)), "rose from 0");
    EXPECT_EQ(change_text(figure(1.000, 1.100)), "rose 10.0 %");
    EXPECT_EQ(change_text(figure(1.100, 1.000)), "fell 9.1 %");
    EXPECT_EQ(change_text(figure(0.010, 0.200)), "rose 20 times (19 to 21 times within rounding)");
    // 0.0095/0.0015 and 0.0105/0.0005
    EXPECT_EQ(change_text(figure(0.010, 0.001)), "fell 10 times (6.3 to 21 times within rounding)");
}

TEST(BenchText, IsForATerminal) {
    const auto compared = compare(read(raw_slow), read(raw_quick));
    ASSERT_TRUE(compared);
    const std::string shown = text(*compared, "old.txt", "new.txt");
    EXPECT_THAT(shown, HasSubstr("A: old.txt\nB: new.txt\n"));
    EXPECT_THAT(shown, HasSubstr("mean of means          0.400     0.010  fell 40 times"));
    EXPECT_THAT(shown, HasSubstr("\nWarning: each side is one boot"));
}

// The two tables of the smaps_rollup thread, where the folder that KMATRIX_CORPUS names has them.
TEST(BenchCorpus, TheThreadsTablesFell22And54Times) {
    const char* corpus = std::getenv("KMATRIX_CORPUS");
    if (corpus == nullptr)
        GTEST_SKIP() << "KMATRIX_CORPUS is not set";
    const std::filesystem::path folder = std::filesystem::path(corpus) / "bench";
    const auto baseline = read_file(folder / "seed-baseline.txt");
    const auto patched = read_file(folder / "seed-patched.txt");
    ASSERT_TRUE(baseline && patched);
    const auto compared = compare(read(*baseline), read(*patched));
    ASSERT_TRUE(compared);
    const std::vector<BenchFigure>& figures = compared->pairs.at(0).figures;
    EXPECT_EQ(figures.at(0).name, "median of means");
    EXPECT_NEAR(*figures.at(0).fell, 22, 0.5);
    EXPECT_EQ(figures.at(1).name, "mean of means");
    EXPECT_NEAR(*figures.at(1).fell, 54, 0.5);
}

} // namespace
} // namespace kmatrix
