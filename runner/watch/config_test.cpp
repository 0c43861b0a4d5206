// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/config.h"

#include <cstdlib>

#include <gmock/gmock.h>

#include "base/files.h"
#include "places.h"

namespace kmatrix::watch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* whole = R"(
[watch]
directory = "state"
interval = "20m"
wait = "1d"
contact = "ci@example.org"

[[inbox]]
name = "linux-mm"
url = "https://lore.kernel.org/linux-mm/"

[[inbox]]
name = "own"
url = "inboxes/own"
from_epoch = 3

[[rule]]
name = "proc"
lists = ["linux-mm"]
files = ["fs/proc/", "mm/*.c"]
subject = ["*proc*"]
not_subject = ["*RFC*"]
author = ["*@example.org>"]
not_author = ["*bot*"]
priority = 2
matrix = "quick.toml"
arguments = ["--only", "arch=arm64"]

[run]
command = ["./lab/run", "-v"]
matrix = "/m/smaps-rollup.toml"
tree = "~/linux"
arguments = ["--budget", "4h"]
timeout = "12h"

[publish]
command = ["upload"]
timeout = "90s"
)";

TEST(WatchConfig, IsReadWithItsPathsMadeAbsolute) {
    const char* home = std::getenv("HOME");
    const std::string own = home ? home : "/";
    ::setenv("HOME", "/home/ada", 1);
    const auto config = parse_watch_config(whole, "/etc/kmatrix/watch.toml");
    ::setenv("HOME", own.c_str(), 1);
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->directory, "/etc/kmatrix/state");
    EXPECT_EQ(config->interval_s, 1200);
    EXPECT_EQ(config->wait_s, 86400);
    EXPECT_EQ(config->contact, "ci@example.org");
    ASSERT_EQ(config->inboxes.size(), 2u);
    EXPECT_EQ(config->inboxes[0].url, "https://lore.kernel.org/linux-mm");
    EXPECT_TRUE(config->inboxes[0].is_remote());
    EXPECT_EQ(config->inboxes[0].from_epoch, std::nullopt);
    EXPECT_EQ(config->inboxes[1].url, "/etc/kmatrix/inboxes/own");
    EXPECT_TRUE(config->inboxes[1].is_local());
    EXPECT_EQ(config->inboxes[1].from_epoch, 3);
    ASSERT_EQ(config->rules.size(), 1u);
    const Rule& rule = config->rules[0];
    EXPECT_THAT(rule.files, ElementsAre("fs/proc/", "mm/*.c"));
    EXPECT_THAT(rule.not_author, ElementsAre("*bot*"));
    EXPECT_EQ(rule.priority, 2);
    EXPECT_EQ(rule.matrix, "/etc/kmatrix/quick.toml");
    EXPECT_THAT(config->run.command, ElementsAre("/etc/kmatrix/lab/run", "-v"));
    EXPECT_EQ(config->run.tree, "/home/ada/linux");
    EXPECT_THAT(config->run.arguments, ElementsAre("--budget", "4h"));
    EXPECT_EQ(config->run.timeout_s, 43200);
    EXPECT_THAT(config->publish.command, ElementsAre("upload"));
    EXPECT_EQ(config->publish.timeout_s, 90);
}

std::string error_of(const std::string& text) {
    const auto config = parse_watch_config(text, "w.toml");
    return config ? "" : config.error().message;
}

// The whole file with a line put in place of another.
std::string with(const std::string& line, const std::string& other) {
    std::string text = whole;
    return error_of(text.replace(text.find(line), line.size(), other));
}

TEST(WatchConfig, SaysWhatIsWrongAndWhere) {
    EXPECT_THAT(with("interval = \"20m\"", "interval = \"14m\""),
                HasSubstr("w.toml:10:7: inbox.url: another machine's inbox is read every 15 "
                          "minutes at most"));
    EXPECT_THAT(with("wait = \"1d\"", "wait = \"1 day\""), HasSubstr("w.toml:5:8: watch.wait: "));
    EXPECT_THAT(with("wait = \"1d\"", "wiat = \"1d\""), HasSubstr("did you mean \"wait\"?"));
    EXPECT_THAT(with("\"own\"", "\"linux-mm\""), HasSubstr("another inbox has this name"));
    EXPECT_THAT(with("\"own\"", "\"../own\""), HasSubstr("inbox.name: expected a name"));
    for (const char* url : {"ssh://h/l", "https://user@h/l", "https://h/l?x", ""})
        EXPECT_THAT(with("inboxes/own", url), HasSubstr("inbox.url: expected an inbox")) << url;
    EXPECT_THAT(with("tree = \"~/linux\"", ""), HasSubstr("run.tree: is missing"));
    EXPECT_THAT(with("[\"upload\"]", "[]"), HasSubstr("publish.command: expected a program"));
    EXPECT_THAT(with("[\"*RFC*\"]", "[\"\"]"), HasSubstr("an empty pattern"));
    EXPECT_THAT(error_of(""),
                testing::AllOf(HasSubstr("[[inbox]]"), HasSubstr("[[rule]]"), HasSubstr("[run]")));
    EXPECT_THAT(error_of("[watch"), HasSubstr("not TOML"));
}

TEST(WatchConfig, AsksOnesOwnMachineAsOftenAsOneLikes) {
    for (const char* url : {"http://127.0.0.1:8080/l", "http://localhost/l", "http://[::1]:80/l"})
        EXPECT_FALSE((InboxConfig{"l", url, {}}).is_remote()) << url;
    for (const char* url : {"http://127.example.org/l", "https://localhost.example.org/l"})
        EXPECT_TRUE((InboxConfig{"l", url, {}}).is_remote()) << url;
}

TEST(WatchConfig, ReadsDurations) {
    EXPECT_EQ(parse_duration("90s"), 90);
    EXPECT_EQ(parse_duration("15m"), 900);
    EXPECT_EQ(parse_duration("2h"), 7200);
    EXPECT_EQ(parse_duration("1d"), 86400);
    for (const char* text : {"", "15", "m", "-1m", "1.5h", "15min", "99999999999999999999s"})
        EXPECT_EQ(parse_duration(text), std::nullopt) << text;
}

TEST(WatchConfig, OfTheManualIsRead) {
    const auto page = read_file(std::string(KMATRIX_SOURCE_DIR) + "/docs/watch.md");
    ASSERT_TRUE(page);
    const std::size_t begin = page->find("```toml\n"), end = page->find("\n```\n", begin);
    ASSERT_NE(end, std::string::npos);
    EXPECT_EQ(error_of(page->substr(begin + 8, end - begin - 7)), "");
}

} // namespace
} // namespace kmatrix::watch
