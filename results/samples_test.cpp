// SPDX-License-Identifier: GPL-2.0-only
#include "results/samples.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kmatrix {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Json setup(bool fragment = true) {
    return {{"type", "setup"},
            {"vmas", 8000},
            {"cpus", {{"mapper", 0}, {"scanners", {1}}, {"busy", {1}}}},
            {"options", {{"samples", 2}, {"fragment", fragment}}}};
}

Json sample(int index) {
    return {
        {"type", "sample"},   {"index", index},      {"seconds", 5.0},
        {"maps", 2},          {"unmaps", 1},         {"mean_ns", 2'500'000.5},
        {"max_ns", 6000000},  {"p50_ns", 1000000},   {"p90_ns", 6000000},
        {"p99_ns", 6000000},  {"p999_ns", 6000000},  {"histogram", {{1000000, 2}, {6291455, 1}}},
        {"scans", 40},        {"scan_bytes", 28000}, {"busy_loops", 900},
        {"vmas_start", 8000}, {"vmas_end", 8100},    {"cpus", {0, 1}}};
}

Json end(int samples) {
    return {{"type", "end"}, {"samples", samples}};
}

std::string lines(const std::vector<Json>& records) {
    std::string text;
    for (const Json& record : records)
        text += record.dump() + '\n';
    return text;
}

Samples read_two(const Json& second) {
    return read_samples(lines({setup(), sample(1), second, end(2)}), 2);
}

TEST(Samples, AreRead) {
    const Samples read = read_samples(lines({setup(), sample(1), sample(2), end(2)}), 2);
    EXPECT_EQ(read.error, "");
    ASSERT_THAT(read.samples, SizeIs(2));
    const Sample& second = read.samples[1];
    EXPECT_EQ(second.index, 2);
    EXPECT_EQ(second.seconds, 5);
    EXPECT_EQ(second.maps, 2u);
    EXPECT_EQ(second.unmaps, 1u);
    EXPECT_DOUBLE_EQ(second.mean_ms, 2.5000005);
    EXPECT_DOUBLE_EQ(second.max_ms, 6);
    EXPECT_DOUBLE_EQ(second.p50_ms, 1);
    EXPECT_DOUBLE_EQ(second.p90_ms, 6);
    EXPECT_DOUBLE_EQ(second.p99_ms, 6);
    EXPECT_DOUBLE_EQ(second.p999_ms, 6);
    EXPECT_THAT(second.histogram_ns, ElementsAre(std::pair(1000000u, 2u), std::pair(6291455u, 1u)));
    EXPECT_EQ(second.scans, 40u);
    EXPECT_EQ(second.scan_bytes, 28000u);
    EXPECT_EQ(second.busy_loops, 900u);
    EXPECT_EQ(second.vmas_start, 8000);
    EXPECT_EQ(second.vmas_end, 8100);
    EXPECT_THAT(second.cpus, ElementsAre(0, 1));
}

TEST(Samples, MayStandAmongOtherLines) {
    const Samples read =
        read_samples("a warning of the C library\r\n\n" + lines({setup(), sample(1), end(1)}), 1);
    EXPECT_EQ(read.error, "");
    EXPECT_THAT(read.samples, SizeIs(1));
}

TEST(Samples, OfWhichAPartDidNotRunAreNone) {
    const std::pair<const char*, const char*> parts[] = {
        {"scans", "sample 2: the scanner did not run"},
        {"scan_bytes", "sample 2: the scanner read 0 bytes"},
        {"busy_loops", "sample 2: the busy task did not run"},
        {"maps", "sample 2: the mapper made 0 mmap calls"},
        {"unmaps", "sample 2: the mapper made 0 munmap calls"},
        {"seconds", "sample 2: it lasted 0 seconds"},
        {"vmas_end", "sample 2: its mapper had no VMAs"},
    };
    for (const auto& [member, error] : parts) {
        Json second = sample(2);
        second[member] = 0;
        const Samples read = read_two(second);
        EXPECT_THAT(read.error, HasSubstr(error));
        EXPECT_THAT(read.samples, IsEmpty()) << member;
    }
}

TEST(Samples, MustBeAllThere) {
    EXPECT_THAT(read_samples("", 2).error, HasSubstr("no setup"));
    EXPECT_THAT(read_samples(lines({sample(1), end(1)}), 1).error, HasSubstr("no setup"));
    EXPECT_THAT(read_samples(lines({setup(), sample(1)}), 2).error, HasSubstr("did not end"));
    EXPECT_THAT(read_samples(lines({setup(), sample(1), end(1)}), 2).error,
                HasSubstr("2 samples were asked for, 1 are there"));
    EXPECT_THAT(read_samples(lines({setup(), sample(1), end(2)}), 2).error,
                HasSubstr("says that it took 2 samples, 1 are there"));
    EXPECT_THAT(read_samples(lines({setup(), sample(2), end(1)}), 1).error,
                HasSubstr("has the index 2"));
    EXPECT_THAT(read_samples(lines({setup(), sample(1), end(1), sample(2)}), 2).error,
                HasSubstr("after the end"));
}

TEST(Samples, MustMakeSense) {
    Json second = sample(2);
    second["histogram"] = {{1000000, 2}};
    EXPECT_THAT(read_two(second).error, HasSubstr("counts 2 calls, 3 were made"));
    second = sample(2);
    second["p90_ns"] = 7000000;
    EXPECT_THAT(read_two(second).error, HasSubstr("contradict"));
    second = sample(2);
    second["mean_ns"] = 7000000;
    EXPECT_THAT(read_two(second).error, HasSubstr("contradict"));
    second = sample(2);
    second["mean_ns"] = -1;
    EXPECT_THAT(read_two(second).error, HasSubstr("\"mean_ns\" is -1"));
    second = sample(2);
    second["scans"] = "many";
    EXPECT_THAT(read_two(second).error, HasSubstr("\"scans\" holds \"many\""));
    second = sample(2);
    second.erase("max_ns");
    EXPECT_THAT(read_two(second).error, HasSubstr("sample 2 has no \"max_ns\""));
    second = sample(2);
    second["type"] = "simple";
    EXPECT_THAT(read_two(second).error, HasSubstr("unknown type \"simple\""));
}

TEST(Samples, TornRecordsAreAnError) {
    const std::string text = lines({setup(), sample(1)});
    EXPECT_THAT(read_samples(text.substr(0, text.size() - 20), 1).error,
                HasSubstr("line 2 of its output is no whole record"));
    std::string deep = "{\"type\":\"sample\",\"index\":1,\"seconds\":";
    deep += std::string(200'000, '[') + std::string(200'000, ']') + "}\n";
    EXPECT_THAT(read_samples(deep, 1).error, HasSubstr("a list or an object"));
}

TEST(Samples, TheBenchmarksOwnErrorIsTheError) {
    const Json error{{"type", "error"}, {"message", "the scanner on CPU 1 ended"}};
    const Samples read = read_samples(lines({setup(), sample(1), error}), 2);
    EXPECT_EQ(read.error, "the scanner on CPU 1 ended");
    EXPECT_THAT(read.samples, IsEmpty());
}

TEST(Samples, MeasureOneAddressSpace) {
    Json second = sample(2);
    second["vmas_end"] = 8400; // 8,000 and 5 % of it
    EXPECT_EQ(read_two(second).error, "");
    second["vmas_end"] = 8401;
    EXPECT_THAT(read_two(second).error, HasSubstr("from 8000 to 8401 VMAs"));
    second["vmas_end"] = 7500;
    EXPECT_THAT(read_two(second).error, HasSubstr("from 7500 to 8100 VMAs"));
    // without fragmentation it drifts from one VMA on
    EXPECT_EQ(read_samples(lines({setup(false), sample(1), second, end(2)}), 2).error, "");
}

// 2,048 pages of 64 KiB: 4 * sqrt(2048 / 8) = 64, more than 5 % of 600.
TEST(Samples, OfFewPagesVaryMore) {
    Json large_pages = setup();
    large_pages["page_bytes"] = 65536;
    Json first = sample(1), second = sample(2);
    first["vmas_start"] = first["vmas_end"] = second["vmas_start"] = 600;
    second["vmas_end"] = 664;
    EXPECT_EQ(read_samples(lines({large_pages, first, second, end(2)}), 2).error, "");
    second["vmas_end"] = 665;
    EXPECT_THAT(read_samples(lines({large_pages, first, second, end(2)}), 2).error,
                HasSubstr("from 600 to 665 VMAs"));
}

TEST(Figures, AreMatchesOfAPattern) {
    const Samples read = figures_by_pattern("run 1: 2.5 ms, then 3 ms\r\nnothing\nrun 2: 1e-3 ms",
                                            R"(([-0-9.e]+) ms)");
    EXPECT_EQ(read.error, "");
    ASSERT_THAT(read.samples, SizeIs(3));
    EXPECT_EQ(read.samples[0].mean_ms, 2.5);
    EXPECT_EQ(read.samples[0].max_ms, 2.5);
    EXPECT_EQ(read.samples[1].mean_ms, 3);
    EXPECT_EQ(read.samples[2].mean_ms, 0.001);
    EXPECT_EQ(read.samples[2].index, 3);
    EXPECT_EQ(read.samples[0].maps, 0u);
    EXPECT_EQ(figures_by_pattern("0.000\n", "^(.*)$").samples.at(0).mean_ms, 0);
}

TEST(Figures, MustBeNumbers) {
    EXPECT_THAT(figures_by_pattern("t=fast", "t=(.*)").error, HasSubstr("found \"fast\""));
    EXPECT_THAT(figures_by_pattern("t=1.5x", "t=(.*)").error, HasSubstr("no number"));
    EXPECT_THAT(figures_by_pattern("t=nan", "t=(.*)").error, HasSubstr("no number"));
    EXPECT_THAT(figures_by_pattern("t=inf", "t=(.*)").error, HasSubstr("no number"));
    EXPECT_THAT(figures_by_pattern("t=-1", "t=(.*)").error, HasSubstr("not negative"));
    EXPECT_THAT(figures_by_pattern("t=1", "u=(.*)").error, HasSubstr("nothing in its output"));
    EXPECT_THAT(figures_by_pattern("t=1\nt=x", "t=(.*)").samples, IsEmpty());
}

TEST(Figures, NeedAPatternThatWorks) {
    EXPECT_THAT(figures_by_pattern("t=1", "t=.*").error, HasSubstr("has no group"));
    EXPECT_THAT(figures_by_pattern("t=1", "t=(").error, HasSubstr("is wrong"));
    EXPECT_THAT(figures_by_pattern(std::string(60, 'a'), "(a|aa)+b").error,
                HasSubstr("takes too much to match"));
    EXPECT_THAT(figures_by_pattern(std::string(100'000, 'a'), "(a|aa)+b").error,
                HasSubstr("takes too much to match"));
}

} // namespace
} // namespace kmatrix
