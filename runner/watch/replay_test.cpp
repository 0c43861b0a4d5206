// SPDX-License-Identifier: GPL-2.0-only
// 5,000 mails of two epochs, read and tested by a process that is killed ten times (SIGKILL) at
// whatever it does at that moment: each series that a rule takes is tested once.
#include <csignal>
#include <fstream>
#include <random>
#include <set>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>

#include "base/files.h"
#include "results/store.h"
#include "runner/watch/example_mails.h"
#include "runner/watch/test_inbox.h"
#include "runner/watch/watch.h"

namespace kmatrix::watch {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;

// ASan keeps freed memory for a while.
#if defined(__has_feature)
constexpr bool is_sanitized = __has_feature(address_sanitizer);
#else
constexpr bool is_sanitized = false;
#endif

constexpr std::size_t all_mails = 5000;
constexpr int kills = 10;
constexpr std::int64_t begin_s = 1'800'000'000, interval_s = 900;

// What must come of the mails, as their maker knows it.
struct Posts {
    std::vector<std::string> mails;
    std::set<std::string> wanted; // Message-IDs of the series that a rule takes and that are whole
    std::size_t incomplete = 0;
};

// Four kinds in turn: a series of two to six patches for mm/ or (not wanted) for net/, one that
// misses a patch, a talk with patches in its answers. Their mails stand in each other's midst, and
// some come twice.
Posts make_posts() {
    std::mt19937 random(5000);
    // So that all of them do not fit where they must not.
    const std::string padding(is_sanitized ? 600 : 60'000, 'w');
    Posts posts;
    for (int n = 0; posts.mails.size() < all_mails; ++n) {
        std::vector<std::string> mails;
        const std::string id = fmt::format("{}.", n), cover = "<" + id + "0@x>";
        const int parts = 2 + n % 5, kind = n % 4;
        const auto add = [&](int number, const std::string& subject, const std::string& diff) {
            mails.push_back(example::text_of(
                {fmt::format("{}{}@x", id, number), subject, number == 0 ? "" : cover, diff}));
        };
        for (int number = 0; number <= parts && kind != 3; ++number) {
            if (kind == 2 && number == 2)
                continue;
            const std::string path = kind == 1 ? "net/a.c" : "mm/a.c";
            add(number, fmt::format("[PATCH {}/{}] mm: number {}", number, parts, n),
                number == 0 ? "" : example::diff_of(path, fmt::format("{} {}", n, number)));
        }
        for (int number = 0; number < 6 && kind == 3; ++number)
            add(number, fmt::format("Re: [PATCH 1/2] mm: about {}", n),
                example::diff_of("mm/a.c", id) + padding);
        if (kind == 0)
            posts.wanted.insert(id + "0@x");
        posts.incomplete += kind == 2 ? 1 : 0;
        if (n % 7 == 0)
            mails.push_back(mails.front());
        for (std::string& mail : mails) {
            const std::size_t back = std::min<std::size_t>(posts.mails.size(), random() % 12);
            posts.mails.insert(posts.mails.end() - static_cast<std::ptrdiff_t>(back),
                               std::move(mail));
        }
    }
    return posts;
}

std::int64_t resident_kib(const std::string& key) {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with(key))
            return std::stoll(line.substr(key.size()));
    return 0;
}

// As a run that takes its time: it is begun when there is a run.json, and done when it has ended.
asio::awaitable<Result<Exit>> pretend(Command command) {
    const auto executor = co_await asio::this_coro::executor;
    Exit exit;
    const fs::path directory = command.argv.back();
    const auto append = [&](const std::string& line) {
        std::ofstream(directory / "ledger", std::ios::app) << line << "\n";
    };
    if (command.argv[1] == "reply") {
        append("reply");
        co_return exit;
    }
    const bool resumes = command.argv[2] == "--resume";
    if (resumes != is_run(directory)) {
        append("WRONG"); // a second run of it, or the going on with none
        exit.status = 2;
        co_return exit;
    }
    if (!resumes)
        co_await asio::post(executor, asio::use_awaitable);
    std::ofstream(directory / "run.json") << "{}";
    co_await asio::post(executor, asio::use_awaitable);
    append("done");
    co_return exit;
}

class Replay : public testing::Test {
  protected:
    Replay() {
        config_.directory = root_ / "watch";
        config_.inboxes = {{"mm", inbox_.url(), 0}};
        config_.rules = {{.name = "mm", .files = {"mm/"}}};
        config_.run.matrix = "m.toml";
        config_.run.tree = "/tree";
    }
    ~Replay() override { fs::remove_all(root_); }

    // Makes the first `count` mails visible.
    void reveal(std::size_t count, const std::vector<std::string>& first,
                const std::vector<std::string>& second) const {
        const auto set = [&](int epoch, const std::vector<std::string>& commits, std::size_t n) {
            inbox_.git(epoch, {"update-ref", "refs/heads/master", commits.at(n - 1)});
        };
        set(0, first, std::min(count, first.size()));
        if (count <= first.size())
            return;
        if (fs::exists(hidden_))
            fs::rename(hidden_, inbox_.epoch(1));
        set(1, second, std::min(count - first.size(), second.size()));
    }

    // The child: polls every quarter of an hour, and tests what there is.
    [[noreturn]] void watch(const WatchConfig& config, int round, int polls) const {
        const std::int64_t before_kib = resident_kib("VmRSS:");
        int status = 0;
        {
            asio::io_context context(1);
            TestClock clock(begin_s + round * interval_s);
            auto watch = Watch::open(config, {clock, "kmatrix", [](const std::string&) {}, pretend},
                                     context.get_executor());
            for (int i = 0; watch && i < polls; ++i) {
                asio::co_spawn(context, (*watch)->once(),
                               [&](const std::exception_ptr& thrown, const Result<void>& ended) {
                                   status |= thrown || !ended ? 1 : 0;
                               });
                context.run();
                context.restart();
                clock.advance(interval_s);
            }
            status |= watch ? 0 : 2;
        }
        std::ofstream(root_ / "memory") << resident_kib("VmHWM:") - before_kib;
        while (round < kills) // to be killed, if that has not happened by now
            ::pause();
        ::_exit(status);
    }

    std::size_t runs() const {
        std::error_code error;
        std::size_t count = 0;
        for (fs::directory_iterator entry(config_.directory / "runs", error), end;
             !error && entry != end; entry.increment(error))
            ++count;
        return count;
    }

    fs::path root_ = fs::temp_directory_path() / fmt::format("kmatrix replay-{}", ::getpid());
    TestInbox inbox_{root_ / "inbox"};
    fs::path hidden_ = root_ / "hidden.git";
    WatchConfig config_;
};

TEST_F(Replay, TestsEachSeriesOnceThroughTenKillsAndANewEpoch) {
    const Posts posts = make_posts();
    const auto middle = posts.mails.begin() + static_cast<std::ptrdiff_t>(all_mails / 2 + 1);
    inbox_.add(0, {posts.mails.begin(), middle}, "all");
    inbox_.add(1, {middle, posts.mails.end()}, "all");
    const std::vector<std::string> first = inbox_.commits(0, "all");
    const std::vector<std::string> second = inbox_.commits(1, "all");
    ASSERT_EQ(first.size() + second.size(), posts.mails.size());
    fs::rename(inbox_.epoch(1), hidden_);

    std::mt19937 random(20260101);
    int killed = 0;
    for (int round = 0; round <= kills; ++round) {
        const std::size_t count = posts.mails.size() * static_cast<std::size_t>(round + 1) / 11;
        reveal(count, first, second);
        const std::size_t runs_before = runs();
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0)
            watch(config_, round, round < kills ? 1 : 12);
        if (round < kills) {
            // Now while it reads, and now while it tests.
            const std::size_t wanted = round % 2 == 0 ? 0 : 1 + random() % 15;
            for (int i = 0; runs() < runs_before + wanted && i < 40'000; ++i)
                ::usleep(500);
            ::usleep(random() % 150'000 / (wanted == 0 ? 1 : 20));
            ::kill(child, SIGKILL);
        }
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        if (round < kills)
            killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 1 : 0;
        else
            EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(killed, kills);

    // In the queue, and on disk: one run for each, that ended.
    auto queue = Queue::open(queue_file(config_)).value();
    std::multiset<std::string> done;
    const std::vector<Entry> entries = queue.entries({State::done}).value();
    for (const Entry& entry : entries)
        done.insert(entry.message_id);
    EXPECT_EQ(done, (std::multiset<std::string>(posts.wanted.begin(), posts.wanted.end())));
    EXPECT_EQ(queue.entries({State::incomplete})->size(), posts.incomplete);
    EXPECT_THAT(queue
                    .entries({State::waiting, State::queued, State::running, State::ended,
                              State::failed, State::known, State::refused, State::superseded})
                    .value(),
                testing::IsEmpty());
    EXPECT_EQ(runs(), posts.wanted.size());
    for (const fs::directory_entry& run : fs::directory_iterator(config_.directory / "runs")) {
        const auto ledger = read_file(run.path() / "ledger");
        ASSERT_TRUE(ledger);
        EXPECT_THAT(*ledger, testing::HasSubstr("done\n")) << run.path();
        EXPECT_THAT(*ledger, testing::Not(testing::HasSubstr("WRONG"))) << run.path();
    }
    EXPECT_EQ(queue.position("mm")->commit, second.back());

    if (is_sanitized)
        return;
    // All of them at once, by a process that has read none: what it holds is less than the mails.
    std::size_t bytes = 0;
    for (const std::string& mail : posts.mails)
        bytes += mail.size();
    EXPECT_GT(bytes, 80u << 20);
    config_.directory = root_ / "again";
    config_.rules[0].files = {"none/"};
    ::malloc_trim(0);
    const pid_t child = ::fork();
    if (child == 0)
        watch(config_, kills, 1);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    const auto memory = read_file(root_ / "memory");
    ASSERT_TRUE(memory);
    EXPECT_LT(std::stoll(*memory), 48 << 10) << "KiB";
}

} // namespace
} // namespace kmatrix::watch
