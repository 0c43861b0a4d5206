// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/queue_text.h"

#include <cstdlib>
#include <ctime>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kmatrix::watch {
namespace {

std::vector<Entry> some_entries() {
    Entry running, queued, again, done;
    running.id = 7;
    running.state = State::running;
    running.subject = "[PATCH v2 0/2] mm: faster";
    running.sender = "ada@example.org";
    running.inbox = "linux-mm";
    running.rule = "mm";
    running.directory = "/w/runs/000007-v2-mm-faster";
    running.changed_s = 1'767'261'600; // 2026-01-01 10:00 UTC
    queued = running;
    queued.state = State::queued;
    queued.subject = "[PATCH] mm: \x1b[31mred";
    queued.directory.clear();
    again = queued;
    again.subject = "[PATCH] mm: again";
    again.reason = "exit status 3: no disk";
    again.not_before_s = again.changed_s + 1800;
    done = running;
    done.state = State::done;
    done.status = 1;
    done.version = 2;
    return {running, queued, again, done};
}

TEST(QueueText, IsReadFromTopToBottom) {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
    EXPECT_EQ(queue_text(some_entries()),
              "running     [PATCH v2 0/2] mm: faster\n"
              "            ada@example.org, linux-mm, rule mm, since 2026-01-01 10:00; "
              "/w/runs/000007-v2-mm-faster\n"
              "queued 1.   [PATCH] mm: red\n"
              "            ada@example.org, linux-mm, rule mm, since 2026-01-01 10:00\n"
              "queued 2.   [PATCH] mm: again\n"
              "            ada@example.org, linux-mm, rule mm, since 2026-01-01 10:00, not before "
              "10:30; exit status 3: no disk\n"
              "done        [PATCH v2 0/2] mm: faster, REGRESSED\n"
              "            ada@example.org, linux-mm, rule mm, since 2026-01-01 10:00; "
              "/w/runs/000007-v2-mm-faster\n");
}

TEST(QueueJson, IsForPrograms) {
    const auto json = nlohmann::json::parse(queue_json(some_entries()));
    ASSERT_EQ(json.size(), 4u);
    EXPECT_EQ(json[3]["state"], "done");
    EXPECT_EQ(json[3]["version"], 2);
    EXPECT_EQ(json[3]["changed"], "2026-01-01T10:00:00Z");
    EXPECT_EQ(queue_json({}), "[]\n");
}

} // namespace
} // namespace kmatrix::watch
