// SPDX-License-Identifier: GPL-2.0-only
// The schema is KCIDB's own; where KMATRIX_KCIDB_SCHEMA does not say where it is, what it demands
// of ids, paths and references is checked here alone.
#include "results/reports/kcidb.h"

#include <cstdlib>
#include <regex>
#include <set>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "results/reports/example_runs.h"
#include "results/reports/patchset.h"
#include "results/reports/validated.h"

namespace kmatrix {
namespace {

using namespace example;
using nlohmann::json;
using testing::HasSubstr;

json kcidb_of(const RunResult& run) {
    const std::string text = kcidb_json(run, compare(run));
    if (const char* schema = std::getenv("KMATRIX_KCIDB_SCHEMA");
        schema && std::filesystem::exists(schema))
        expect_valid_json(text, schema, false);
    return json::parse(text);
}

std::vector<json> tests_at(const json& document, const std::string& path) {
    std::vector<json> found;
    for (const json& test : document["tests"])
        if (test["path"] == path)
            found.push_back(test);
    return found;
}

RunResult panicking_run() {
    RunResult run = mailed(bad_run());
    run.boots.back().outcome = Panicked{"Unable to mount"};
    run.boots.back().console_tail = std::string(40000, 'x') + "\nthe end";
    run.boots.back().samples.clear();
    run.boots[1].tests[0].subtests.push_back(
        hand_built::subtest("a name, with ä.bit..of all", "skip", "why",
                            {hand_built::subtest("", "xfail"), hand_built::subtest("", "odd")}));
    hand_built::break_build(run, Kernel::patched, "mm/x.c:1:1: error: no");
    return run;
}

TEST(Kcidb, IdsAreUniqueAndLeadSomewhere) {
    const std::regex path("^([a-zA-Z0-9_-]+(\\.[a-zA-Z0-9_-]+)*)?$");
    for (const RunResult& run : {good_run(), mailed(bad_run()), panicking_run()}) {
        const json document = kcidb_of(run);
        std::set<std::string> checkouts, builds, tests;
        for (const json& checkout : document["checkouts"])
            EXPECT_TRUE(checkouts.insert(checkout["id"]).second);
        for (const json& build : document["builds"]) {
            EXPECT_TRUE(builds.insert(build["id"]).second);
            EXPECT_TRUE(checkouts.contains(build["checkout_id"]));
        }
        for (const json& test : document["tests"]) {
            EXPECT_TRUE(tests.insert(test["id"]).second) << test["id"];
            EXPECT_TRUE(builds.contains(test["build_id"]));
            EXPECT_TRUE(test["id"].get<std::string>().starts_with("kmatrix:"));
            EXPECT_TRUE(std::regex_match(test["path"].get<std::string>(), path)) << test["path"];
            EXPECT_LE(test.value("log_excerpt", "").size(), 16384u);
        }
        EXPECT_EQ(checkouts.size(), 2u);
    }
}

TEST(Kcidb, TellsTheSeriesFromItsBaseline) {
    const json checkouts = kcidb_of(mailed(good_run()))["checkouts"];
    EXPECT_EQ(checkouts[0]["patchset_hash"], "");
    EXPECT_FALSE(checkouts[0].contains("message_id"));
    // By the shell: h=8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4;
    // printf '%s\n%s\n' $h $h | sha256sum
    EXPECT_EQ(checkouts[1]["patchset_hash"],
              "5dafd6ddf9d4e4ce0fabfffd63be3df4f809946e9004a68218666d1a57d2acbf");
    EXPECT_EQ(checkouts[1]["message_id"], "cover@example.org");
    // What is not known is not said.
    EXPECT_FALSE(kcidb_of(good_run())["checkouts"][1].contains("patchset_hash"));
}

TEST(Kcidb, PatchsetHashIsThatOfTheSchemasShellCommand) {
    std::string name =
        (std::filesystem::temp_directory_path() / "kmatrix-patchset-XXXXXX").string();
    const std::filesystem::path directory = ::mkdtemp(name.data());
    SeriesInfo series;
    for (int i = 1; i <= 3; ++i) {
        const std::string patch = "Subject: " + std::to_string(i) + "\n\n--- a\n+++ b\n";
        ASSERT_TRUE(write_file(directory / ("000" + std::to_string(i) + ".patch"), patch));
        series.letters.emplace_back().sha256 = sha256(patch);
    }
    Command shell;
    shell.argv = {"sh", "-c", "sha256sum *.patch | cut -c-64 | sha256sum | cut -c-64"};
    shell.cwd = directory;
    const auto exit = run_blocking(shell);
    std::filesystem::remove_all(directory);
    ASSERT_TRUE(exit && exit->ok());
    EXPECT_EQ(patchset_hash(series) + "\n", exit->output);
    series.letters[1].sha256.clear();
    EXPECT_EQ(patchset_hash(series), "");
    EXPECT_EQ(patchset_hash({}), "");
}

TEST(Kcidb, EachKernelsTestsStandWithItsOwnBuild) {
    const json document = kcidb_of(panicking_run());
    const auto programs = tests_at(document, "kselftest.proc.proc-maps-race");
    ASSERT_EQ(programs.size(), 2u);
    EXPECT_EQ(programs[0]["status"], "PASS");
    EXPECT_EQ(programs[1]["status"], "FAIL");
    EXPECT_EQ(document["builds"][0]["id"], programs[0]["build_id"]);
    EXPECT_EQ(document["builds"][1]["id"], programs[1]["build_id"]);
    EXPECT_EQ(document["builds"][1]["status"], "FAIL");
    EXPECT_THAT(document["builds"][1]["log_excerpt"], HasSubstr("error: no"));
    EXPECT_EQ(tests_at(document, "kselftest.proc.no-vsyscall")[0]["status"], "SKIP");
    const auto odd =
        tests_at(document, "kselftest.proc.proc-maps-race.a_name__with___.bit.of_all.unnamed");
    ASSERT_EQ(odd.size(), 2u);
    EXPECT_EQ(odd[0]["status"], "PASS"); // expected to fail, and did
    EXPECT_EQ(odd[1]["status"], "MISS"); // a word that nobody knows passes nothing
    const auto boots = tests_at(document, "boot");
    ASSERT_EQ(boots.size(), 14u);
    EXPECT_EQ(boots.back()["status"], "FAIL");
    EXPECT_TRUE(boots.back()["log_excerpt"].get<std::string>().ends_with("the end"));
    EXPECT_EQ(tests_at(document, "console")[1]["status"], "FAIL");
}

TEST(Kcidb, BenchmarksAreDoneAndCarryANumber) {
    const json document = kcidb_of(mailed(good_run()));
    const auto means = tests_at(document, "latency.smaps_rollup.mean");
    ASSERT_EQ(means.size(), 12u);
    for (const json& mean : means) {
        EXPECT_EQ(mean["status"], "DONE");
        EXPECT_EQ(mean["number"]["unit"], "s");
        EXPECT_THAT(mean["comment"], HasSubstr("EMULATED"));
    }
    EXPECT_DOUBLE_EQ(means[0]["number"]["value"], 0.001); // 1.00 ms
    const auto ratios = tests_at(document, "latency.smaps_rollup.ratio");
    ASSERT_EQ(ratios.size(), 1u);
    EXPECT_NEAR(ratios[0]["number"]["value"], 0.1, 1e-3);
    EXPECT_EQ(ratios[0]["status"], "DONE");
    // A boot that measured nothing is no figure of 0.
    const auto broken = tests_at(kcidb_of(panicking_run()), "latency.smaps_rollup.mean");
    EXPECT_EQ(broken.back()["status"], "ERROR");
    EXPECT_FALSE(broken.back().contains("number"));
}

TEST(Kcidb, OriginsAndPaths) {
    EXPECT_TRUE(is_kcidb_origin("my_ci2"));
    for (const char* no : {"", "My", "a:b", "a-b", "a b"})
        EXPECT_FALSE(is_kcidb_origin(no)) << no;
    EXPECT_EQ(kcidb_path("a.b c..d/e."), "a.b_c.d_e");
    EXPECT_EQ(kcidb_path("..."), "");
}

} // namespace
} // namespace kmatrix
