// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/latency/options.h"

#include <gmock/gmock.h>

namespace kmatrix::guest {
namespace {

using testing::HasSubstr;

TEST(LatencyOptions, Defaults) {
    const auto request = parse_arguments({});
    const auto& options = std::get<Options>(request);
    EXPECT_EQ(options.samples, 2);
    EXPECT_EQ(options.duration_s, 5);
    EXPECT_EQ(options.busyduration_ms, 2);
    EXPECT_EQ(options.procfile, "smaps_rollup");
    EXPECT_EQ(options.scanner, ScannerStyle::pread);
    EXPECT_TRUE(options.fragment);
    EXPECT_FALSE(options.force);
}

TEST(LatencyOptions, All) {
    const auto request =
        parse_arguments({"--samples", "20", "--duration", "2.5", "--busyduration", "0",
                         "--procfile", "numa_maps", "--busycpus", "3", "--busytasks", "2",
                         "--scanner", "exec", "--no-fragment", "--seed", "77", "--force"});
    const auto& options = std::get<Options>(request);
    EXPECT_EQ(options.samples, 20);
    EXPECT_EQ(options.duration_s, 2.5);
    EXPECT_EQ(options.busyduration_ms, 0);
    EXPECT_EQ(options.procfile, "numa_maps");
    EXPECT_EQ(options.busycpus, 3);
    EXPECT_EQ(options.busytasks, 2);
    EXPECT_EQ(options.scanner, ScannerStyle::exec);
    EXPECT_FALSE(options.fragment);
    EXPECT_EQ(options.seed, 77u);
    EXPECT_TRUE(options.force);
}

TEST(LatencyOptions, FragmentMayBeSaid) {
    EXPECT_TRUE(std::get<Options>(parse_arguments({"--fragment"})).fragment);
}

TEST(LatencyOptions, HiddenReader) {
    EXPECT_EQ(std::get<ReadRequest>(parse_arguments({"read", "/proc/1/maps"})).file,
              "/proc/1/maps");
}

TEST(LatencyOptions, RefusesWhatMeansNothing) {
    const std::vector<std::vector<std::string>> bad{
        {"--samples", "0"},        {"--duration", "0"},
        {"--procfile", "environ"}, {"--scanner", "mmap"},
        {"--busyduration", "-1"},  {"--unknown"},
        {"--seed", "twelve"},      {"stray"},
        {"--busycpus", "0"},       {"--busytasks", "1.5"},
    };
    for (const auto& arguments : bad) {
        const auto request = parse_arguments(arguments);
        const auto* error = std::get_if<UsageError>(&request);
        ASSERT_NE(error, nullptr) << arguments[0];
        EXPECT_EQ(error->exit_status, 2);
        const auto& word = arguments[0];
        EXPECT_THAT(error->text, HasSubstr(word));
    }
}

TEST(LatencyOptions, HelpIsNoError) {
    const auto request = parse_arguments({"--help"});
    const auto& usage = std::get<UsageError>(request);
    EXPECT_EQ(usage.exit_status, 0);
    EXPECT_THAT(usage.text, HasSubstr("--busyduration"));
}

} // namespace
} // namespace kmatrix::guest
