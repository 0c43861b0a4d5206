// SPDX-License-Identifier: GPL-2.0-only
// Inboxes on disk read with git, a clock of the test's, and runs that a function makes up.
#include "runner/watch/watch.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "runner/watch/example_mails.h"
#include "runner/watch/mirror.h"
#include "runner/watch/test_inbox.h"

namespace kmatrix::watch {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using example::diff_of;
using example::Post;
using example::text_of;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Post patch(const std::string& id, const std::string& subject, const std::string& parents = {}) {
    return {id + "@x", subject, parents, diff_of("mm/a.c", id)};
}

class WatchTest : public testing::Test {
  protected:
    WatchTest() {
        config_.directory = root_ / "watch";
        config_.inboxes = {{"mm", inbox_.url(), 0}};
        config_.rules = {{.name = "all"}};
        config_.run.matrix = "m.toml";
        config_.run.tree = "/tree";
    }
    ~WatchTest() override { fs::remove_all(root_); }

    // What kmatrix's verbs would do: run writes a run.json, and ends with the next of statuses_.
    asio::awaitable<Result<Exit>> execute(Command command) {
        const std::vector<std::string>& argv = command.argv;
        const std::string verb = argv[0] == "hook" ? "hook" : argv[1];
        const std::string last = argv.back();
        commands_.push_back(verb + " " + fs::path(last).filename().string());
        Exit exit;
        if (verb == "hook") {
            hooked_ = nlohmann::json::parse(command.input);
        } else if (verb == "run") {
            const bool resumes = argv[2] == "--resume";
            commands_.back() = (resumes ? "resume " : "run ") + fs::path(last).filename().string();
            if (during_run_)
                co_await during_run_();
            std::ofstream(fs::path(last) / "run.json") << "{}";
            if (!statuses_.empty()) {
                exit.status = statuses_.front();
                statuses_.erase(statuses_.begin());
            }
            exit.tail = "the last words\n";
        } else {
            std::ofstream(fs::path(last) / "reply.eml") << "To: you\n";
        }
        co_return exit;
    }

    std::unique_ptr<Watch> open(asio::io_context& context) {
        auto watch = Watch::open(config_,
                                 {clock_, "kmatrix",
                                  [this](const std::string& text) { said_.push_back(text); },
                                  [this](Command command) { return execute(std::move(command)); }},
                                 context.get_executor());
        EXPECT_TRUE(watch) << watch.error().text();
        return std::move(*watch);
    }
    Result<void> once() {
        asio::io_context context;
        const auto watch = open(context);
        Result<void> result;
        asio::co_spawn(context, watch->once(), [&](std::exception_ptr thrown, Result<void> ended) {
            if (thrown)
                std::rethrow_exception(thrown);
            result = std::move(ended);
        });
        context.run();
        return result;
    }
    // Until `end` is emitted.
    void forever(asio::cancellation_signal& end) {
        asio::io_context context;
        const auto watch = open(context);
        asio::co_spawn(context, watch->forever(),
                       asio::bind_cancellation_slot(
                           end.slot(), [](const std::exception_ptr&, const Result<void>&) {}));
        context.run();
    }

    std::vector<std::string> states() const {
        auto queue = Queue::open(queue_file(config_)).value();
        const auto entries = queue.entries(
            {State::done, State::failed, State::superseded, State::known, State::incomplete});
        std::vector<std::string> all;
        for (const Entry& entry : entries.value())
            all.push_back(fmt::format("{} {}", to_string(entry.state), entry.message_id));
        std::sort(all.begin(), all.end());
        return all;
    }
    std::size_t times(const std::string& start) const {
        return static_cast<std::size_t>(
            std::count_if(commands_.begin(), commands_.end(),
                          [&](const std::string& text) { return text.starts_with(start); }));
    }

    fs::path root_ = fs::temp_directory_path() / fmt::format("kmatrix watch-{}", ::getpid());
    TestInbox inbox_{root_ / "inbox"};
    WatchConfig config_;
    TestClock clock_{1'000'000};
    std::vector<std::string> said_, commands_;
    std::vector<int> statuses_;
    std::function<asio::awaitable<void>()> during_run_;
    nlohmann::json hooked_;
};

TEST_F(WatchTest, TestsDraftsAndPublishes) {
    config_.publish.command = {"hook"};
    statuses_ = {1};
    for (const Post& post : example::series("a"))
        inbox_.add(0, {text_of(post)});
    ASSERT_TRUE(once());
    EXPECT_THAT(commands_, ElementsAre("run 000001-v1-mm-faster-a", "reply 000001-v1-mm-faster-a",
                                       "hook 000001-v1-mm-faster-a"));
    const fs::path run = config_.directory / "runs" / "000001-v1-mm-faster-a";
    EXPECT_EQ(hooked_["directory"], run.string());
    EXPECT_EQ(hooked_["status"], 1);
    EXPECT_EQ(hooked_["reply"], (run / "reply.eml").string());
    EXPECT_EQ(hooked_["series"]["message_id"], "a0@x");
    const auto mbox = read_file(run / "series.mbox");
    ASSERT_TRUE(mbox);
    EXPECT_EQ(split_mbox(*mbox).size(), 3u);
    EXPECT_THAT(said_, Contains(HasSubstr("REGRESSED")));

    inbox_.add_deletion(0, text_of(patch("a", "[PATCH] mm: spam")));
    ASSERT_TRUE(once()); // nothing twice
    EXPECT_EQ(commands_.size(), 3u);
    EXPECT_THAT(states(), ElementsAre("done a0@x"));
}

TEST_F(WatchTest, BeginsWithWhatComesAfterTheFirstPoll) {
    config_.inboxes[0].from_epoch.reset();
    inbox_.add(0, {text_of(patch("old", "[PATCH] mm: old"))});
    inbox_.add(1, {text_of(patch("older", "[PATCH] mm: older"))});
    ASSERT_TRUE(once());
    EXPECT_THAT(commands_, IsEmpty());
    EXPECT_THAT(said_, ElementsAre("mm: watching from now on (epoch 1)"));
    inbox_.add(1, {text_of(patch("new", "[PATCH] mm: new"))});
    ASSERT_TRUE(once());
    EXPECT_THAT(commands_, Contains("run 000001-v1-mm-new"));
    EXPECT_EQ(times("run"), 1u);
}

TEST_F(WatchTest, LosesNothingWhereAnEpochRollsOver) {
    const std::vector<Post> posts = example::series("a");
    inbox_.add(0, {text_of(posts[0])});
    ASSERT_TRUE(once());
    // Both before the next poll: the last mail of one epoch, and two more epochs.
    inbox_.add(0, {text_of(posts[1])});
    inbox_.add(1, {text_of(posts[2])});
    inbox_.add(2, {text_of(patch("b", "[PATCH] mm: b"))});
    ASSERT_TRUE(once());
    EXPECT_EQ(times("run"), 2u);
    inbox_.add(2, {text_of(patch("c", "[PATCH] mm: c"))});
    ASSERT_TRUE(once());
    EXPECT_THAT(states(), ElementsAre("done a0@x", "done b@x", "done c@x"));
}

TEST_F(WatchTest, ReadsAnEpochAgainThatWasWrittenAnew) {
    inbox_.add(0, {text_of(patch("a", "[PATCH] mm: a")), text_of(patch("b", "[PATCH] mm: b"))});
    ASSERT_TRUE(once());
    fs::remove_all(inbox_.epoch(0));
    inbox_.add(0, {text_of(patch("b", "[PATCH] mm: b")), text_of(patch("c", "[PATCH] mm: c"))});
    ASSERT_TRUE(once());
    fs::remove_all(inbox_.epoch(0));
    fs::remove_all(config_.directory / "inboxes"); // and with it the remembered commit
    inbox_.add(0, {text_of(patch("c", "[PATCH] mm: c")), text_of(patch("d", "[PATCH] mm: d"))});
    ASSERT_TRUE(once());
    EXPECT_THAT(states(), ElementsAre("done a@x", "done b@x", "done c@x", "done d@x"));
    EXPECT_EQ(times("run"), 4u);
}

TEST_F(WatchTest, SaysThatAnInboxIsNotThereAndGoesOnWithOthers) {
    config_.inboxes = {{"gone", (root_ / "nowhere").string(), {}}, {"mm", inbox_.url(), 0}};
    inbox_.add(0, {text_of(patch("a", "[PATCH] mm: a"))});
    const auto result = once();
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, HasSubstr("gone: cannot be read: "));
    EXPECT_EQ(times("run"), 1u);
    auto queue = Queue::open(queue_file(config_)).value();
    EXPECT_EQ(queue.position("gone")->failures, 1);
    EXPECT_EQ(queue.position("mm")->failures, 0);
}

TEST_F(WatchTest, AsksAnotherMachineEvery15MinutesAtMostAcrossRestarts) {
    ::setenv("http_proxy", "http://127.0.0.1:1", 1); // nobody is asked: it is refused here
    config_.inboxes = {{"far", "http://inbox.example.org/l", 0}};
    EXPECT_FALSE(once());
    clock_.advance(1799); // 15 minutes, and once more for the failure
    EXPECT_TRUE(once());
    EXPECT_THAT(said_.back(), HasSubstr("was asked lately, and may be again in 1"));
    clock_.advance(1);
    EXPECT_FALSE(once());
    ::unsetenv("http_proxy");
}

TEST_F(WatchTest, GoesOnWithARunThatWasInterrupted) {
    inbox_.add(0, {text_of(patch("a", "[PATCH] mm: a"))});
    struct Killed {};
    during_run_ = []() -> asio::awaitable<void> { throw Killed(); };
    EXPECT_THROW(static_cast<void>(once()), Killed); // before there is a run
    during_run_ = nullptr;
    EXPECT_EQ(times("run"), 1u);
    ASSERT_TRUE(once());
    EXPECT_THAT(commands_,
                ElementsAre("run 000001-v1-mm-a", "run 000001-v1-mm-a", "reply 000001-v1-mm-a"));

    inbox_.add(0, {text_of(patch("b", "[PATCH] mm: b"))});
    during_run_ = [this]() -> asio::awaitable<void> {
        std::ofstream(config_.directory / "runs" / "000002-v1-mm-b" / "run.json") << "{}";
        throw Killed();
        co_return;
    };
    EXPECT_THROW(static_cast<void>(once()), Killed);
    during_run_ = nullptr;
    commands_.clear();
    ASSERT_TRUE(once());
    EXPECT_THAT(commands_, ElementsAre("resume 000002-v1-mm-b", "reply 000002-v1-mm-b"));
}

TEST_F(WatchTest, TriesAgainWhatFailedForAReasonOfItsOwn) {
    inbox_.add(0, {text_of(patch("a", "[PATCH] mm: a")), text_of(patch("b", "[PATCH] mm: b"))});
    statuses_ = {3, 2};
    ASSERT_TRUE(once());
    EXPECT_THAT(states(), ElementsAre("failed b@x")); // status 2: it will not apply the next time
    EXPECT_THAT(said_, Contains(HasSubstr("exit status 3: the last words; again in 30 min")));
    clock_.advance(1799);
    ASSERT_TRUE(once());
    EXPECT_EQ(commands_.size(), 2u);
    clock_.advance(1);
    statuses_ = {3};
    ASSERT_TRUE(once());
    EXPECT_EQ(commands_.back(), "resume 000001-v1-mm-a");
    clock_.advance(3600);
    statuses_ = {137};
    ASSERT_TRUE(once());
    EXPECT_THAT(states(), ElementsAre("failed a@x", "failed b@x")); // three times is enough
}

// v2 comes while v1 is tested, and so do two versions of another series.
TEST_F(WatchTest, ReadsOnWhileARunIsUnderWay) {
    asio::cancellation_signal end;
    bool more = false, wake = false;
    during_run_ = [&]() -> asio::awaitable<void> {
        for (int i = 0; times("run") == 1 && !wake && i < 1'000'000; ++i)
            co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
    };
    inbox_.add(0, {text_of(patch("a", "[PATCH] mm: a"))});
    clock_.on_wake([&] {
        if (clock_.now_s() > 1'000'000 + 2 * 3600)
            end.emit(asio::cancellation_type::terminal);
        wake = more; // the run ends after a poll has seen them
        if (!more && times("run") == 1) {
            inbox_.add(0, {text_of(patch("a2", "[PATCH v2] mm: a", "<a@x>")),
                           text_of(patch("b", "[PATCH] mm: b")),
                           text_of(patch("b2", "[PATCH v2] mm: b"))});
            more = true;
        }
    });
    forever(end);
    EXPECT_EQ(times("run"), 3u);
    EXPECT_THAT(states(), ElementsAre("done a2@x", "done a@x", "done b2@x", "superseded b@x"));
}

TEST_F(WatchTest, IsAloneInItsDirectory) {
    asio::io_context context;
    const auto first = open(context);
    const auto second = Watch::open(config_, {clock_, "kmatrix", {}, {}}, context.get_executor());
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().message, HasSubstr("another watch is at work here"));
}

TEST(UserAgent, IsHonest) {
    EXPECT_EQ(user_agent("2.39.5", "ci@example.org"),
              "git/2.39.5 kmatrix/" KMATRIX_VERSION " (ci@example.org)");
    EXPECT_EQ(user_agent("2.39.5", ""), "git/2.39.5 kmatrix/" KMATRIX_VERSION);
}

} // namespace
} // namespace kmatrix::watch
