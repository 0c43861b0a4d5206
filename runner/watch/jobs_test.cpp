// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/jobs.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kmatrix::watch {
namespace {

using testing::ElementsAre;

Entry a_job() {
    Entry entry;
    entry.id = 12;
    entry.version = 3;
    entry.subject = "[PATCH v3 0/2] mm/slab: Read  less, \xc3\xa9h? ../../etc";
    entry.directory = "/w/runs/12";
    entry.rule = "mm";
    return entry;
}

TEST(Jobs, NameTheirDirectoryWithoutHarm) {
    EXPECT_EQ(directory_name(a_job()), "000012-v3-mm-slab-read-less-h-etc");
    Entry nameless = a_job();
    nameless.subject = "[PATCH] ...";
    EXPECT_EQ(directory_name(nameless), "000012-v3-series");
    nameless.subject = "[PATCH] " + std::string(500, 'x');
    EXPECT_EQ(directory_name(nameless).size(), std::string("000012-v3-").size() + 48);
}

TEST(Jobs, AreOrdinaryRuns) {
    WatchConfig config;
    config.run.matrix = "/m.toml";
    config.run.tree = "/tree";
    config.run.arguments = {"--budget", "2h"};
    config.run.timeout_s = 60;
    config.rules = {{.name = "mm", .matrix = "/mm.toml", .arguments = {"-j", "4"}}};
    const Command run = run_command(config, a_job(), "/bin/kmatrix", false);
    EXPECT_THAT(run.argv, ElementsAre("/bin/kmatrix", "run", "/mm.toml", "--tree", "/tree",
                                      "--series", "/w/runs/12/series.mbox", "--out", "/w/runs/12",
                                      "--budget", "2h", "-j", "4"));
    EXPECT_EQ(run.log, "/w/runs/12/watch.log");
    EXPECT_EQ(run.timeout.count(), 60);
    EXPECT_THAT(run_command(config, a_job(), "/bin/kmatrix", true).argv,
                ElementsAre("/bin/kmatrix", "run", "--resume", "/w/runs/12"));
    config.rules.clear(); // the file was edited since
    config.run.command = {"/lab/run", "-v"};
    EXPECT_THAT(run_command(config, a_job(), "/bin/kmatrix", false).argv,
                ElementsAre("/lab/run", "-v", "/m.toml", "--tree", "/tree", "--series",
                            "/w/runs/12/series.mbox", "--out", "/w/runs/12", "--budget", "2h"));
    EXPECT_THAT(reply_command(a_job(), "/bin/kmatrix").argv,
                ElementsAre("/bin/kmatrix", "reply", "/w/runs/12"));
}

TEST(Jobs, TellTheHookWithoutADraft) {
    WatchConfig config;
    config.publish.command = {"/bin/upload", "--fast"};
    const Command hook = publish_command(config, a_job());
    EXPECT_THAT(hook.argv, ElementsAre("/bin/upload", "--fast", "/w/runs/12"));
    const auto json = nlohmann::json::parse(hook.input);
    EXPECT_EQ(json["reply"], nullptr);
    EXPECT_EQ(json["series"]["version"], 3);
}

} // namespace
} // namespace kmatrix::watch
