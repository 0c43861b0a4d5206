// SPDX-License-Identifier: GPL-2.0-only
// The program itself, as it goes into the guest.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "images/guest/latency/sample.h"
#include "places.h"

namespace kmatrix::guest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Json = nlohmann::json;

class LatencyProgram : public testing::Test {
  protected:
    int run(const std::string& arguments) {
        const std::string command =
            std::string(KMATRIX_GUEST_DIR "/x86_64/procfs-latency ") + arguments + " 2>&1";
        FILE* pipe = popen(command.c_str(), "r");
        std::array<char, 65536> buffer;
        for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
            output.append(buffer.data(), got);
        }
        return WEXITSTATUS(pclose(pipe));
    }
    std::vector<Json> records() const {
        std::vector<Json> result;
        std::istringstream lines(output);
        for (std::string line; std::getline(lines, line);) {
            result.push_back(Json::parse(line));
        }
        return result;
    }
    std::string output;
};

TEST_F(LatencyProgram, SaysHowItIsUsed) {
    EXPECT_EQ(run("--help"), 0);
    EXPECT_THAT(output, HasSubstr("--procfile"));
    EXPECT_EQ(run("--procfile environ"), 2);
}

TEST_F(LatencyProgram, RefusesTooFewCpus) {
    EXPECT_EQ(run("--samples 1 --duration 0.01 --force --busycpus 4000"), 2);
    EXPECT_THAT(records().back()["message"], HasSubstr("need 4001 CPUs"));
    if (usable_cpus().size() < 4) {
        output.clear();
        EXPECT_EQ(run("--samples 1"), 4);
        EXPECT_THAT(records().back()["message"], HasSubstr("needs 4 CPUs"));
    }
}

TEST_F(LatencyProgram, TakesSamplesWithAFreshReaderEachTime) {
    if (usable_cpus().size() < 2) {
        GTEST_SKIP() << "one CPU";
    }
    ASSERT_EQ(run("--force --samples 2 --duration 2 --busyduration 1 --procfile maps "
                  "--scanner exec --no-fragment"),
              0)
        << output;
    const auto lines = records();
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[0]["type"], "setup");
    EXPECT_EQ(lines[0]["options"]["scanner"], "exec");
    for (int index : {1, 2}) {
        const Json& sample = lines[index];
        EXPECT_EQ(sample["type"], "sample");
        EXPECT_EQ(sample["index"], index);
        EXPECT_GT(sample["scans"], 0);
        EXPECT_GT(sample["scan_bytes"].get<int>(), 100 * sample["scans"].get<int>());
        EXPECT_GT(sample["busy_loops"], 0);
        std::uint64_t calls = 0;
        for (const auto& bucket : sample["histogram"]) {
            calls += bucket[1].get<std::uint64_t>();
        }
        EXPECT_EQ(calls,
                  sample["maps"].get<std::uint64_t>() + sample["unmaps"].get<std::uint64_t>());
    }
    EXPECT_EQ(lines[3], (Json{{"type", "end"}, {"samples", 2}}));
}

TEST_F(LatencyProgram, ItsReaderCountsBytes) {
    EXPECT_EQ(run("read /proc/filesystems"), 0);
    EXPECT_GT(std::stoi(output), 10);
    EXPECT_EQ(run("read /proc/no-such-file"), 1);
    EXPECT_THAT(output, HasSubstr("No such file or directory"));
}

} // namespace
} // namespace kmatrix::guest
