// SPDX-License-Identifier: GPL-2.0-only
// The program itself, as it goes into the guest, run with --as-user: as a plain process, and as
// process 1 of a PID namespace, where it kills as init does.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "places.h"

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using Json = nlohmann::json;

class Agent : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = testing::TempDir() + "kmatrix-agent-XXXXXX";
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder = pattern;
        program = fs::path(KMATRIX_GUEST_DIR) / "x86_64" / "kmatrix-agent";
    }
    void TearDown() override { fs::remove_all(folder); }

    int run(const std::string& plan, const std::string& before = "") {
        std::ofstream(folder / "plan.json") << plan;
        const std::string command = before + program.string() + " --as-user " +
                                    (folder / "plan.json").string() + " " +
                                    (folder / "out").string() + " 2>" + (folder / "err").string();
        const int status = std::system(command.c_str());
        std::ifstream lines(folder / "out");
        for (std::string line; std::getline(lines, line);) {
            records.push_back(Json::parse(line));
            types.push_back(records.back()["type"]);
        }
        return WEXITSTATUS(status);
    }

    fs::path folder;
    fs::path program;
    std::vector<Json> records;
    std::vector<std::string> types;
};

constexpr const char* two_jobs = R"({"protocol": 1, "jobs": [
    {"id": "a", "argv": ["/bin/sh", "-c", "(setsid sleep 60 &); echo $PPID; exit 2"], "cwd": "/",
     "timeout_s": 10},
    {"id": "b", "argv": ["/bin/sh", "-c", "sleep 60 & sleep 60"], "cwd": "/", "timeout_s": 0.2}]})";

TEST_F(Agent, RunsAPlan) {
    ASSERT_EQ(run(two_jobs), 0);
    EXPECT_THAT(types, ElementsAre("hello", "start", "output", "end", "start", "end", "done"));
    EXPECT_EQ(records[0]["protocol"], 1);
    EXPECT_EQ(records[0]["vitals"]["vcpus_online"], sysconf(_SC_NPROCESSORS_ONLN));
    EXPECT_EQ(records[3]["exit"], 2);
    EXPECT_EQ(records[3]["timed_out"], false);
    EXPECT_EQ(records[5]["signal"], 9);
    EXPECT_EQ(records[5]["timed_out"], true);
}

TEST_F(Agent, RunsAPlanAsProcessOne) {
    const std::string bwrap = "bwrap --unshare-pid --as-pid-1 --bind / / --dev /dev --proc /proc "
                              "--die-with-parent ";
    if (std::system((bwrap + "true 2>/dev/null").c_str()) != 0) {
        GTEST_SKIP() << "bubblewrap does not work here";
    }
    ASSERT_EQ(run(two_jobs, bwrap), 0);
    EXPECT_THAT(types, ElementsAre("hello", "start", "output", "end", "start", "end", "done"));
    EXPECT_EQ(records[2]["text"], "1\n"); // the job's parent
    EXPECT_EQ(records[3]["exit"], 2);
    EXPECT_EQ(records[5]["timed_out"], true);
    EXPECT_LT(records[5]["seconds"], 5);
}

TEST_F(Agent, ABadPlanIsSaid) {
    EXPECT_EQ(run("{}"), 1);
    EXPECT_THAT(types, ElementsAre("hello", "error"));
}

TEST_F(Agent, IsNoCommand) {
    const int status = std::system((program.string() + " 2>/dev/null").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2);
}

} // namespace
