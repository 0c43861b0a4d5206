// SPDX-License-Identifier: GPL-2.0-only
// For tests: an inbox's git epochs on disk, as public-inbox lays them, and a time that passes when
// it is told to.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include "base/command.h"
#include "base/text.h"
#include "runner/watch/clock.h"

namespace kmatrix::watch {

class TestInbox {
  public:
    explicit TestInbox(std::filesystem::path directory) : directory_(std::move(directory)) {}

    std::string url() const { return directory_; }
    std::filesystem::path epoch(int number) const {
        return directory_ / "git" / fmt::format("{}.git", number);
    }

    // A commit for each mail, at the end of an epoch, which is made if it is not there.
    void add(int epoch, const std::vector<std::string>& mails,
             const std::string& branch = "master") const {
        add_files(epoch, mails, branch, "m");
    }
    // A commit that takes a mail back.
    void add_deletion(int epoch, const std::string& mail) const {
        add_files(epoch, {mail}, "master", "d");
    }

    std::vector<std::string> commits(int epoch, const std::string& branch = "master") const {
        std::vector<std::string> ids =
            split(trim(git(epoch, {"rev-list", "--reverse", "refs/heads/" + branch})), '\n');
        return ids;
    }
    std::string git(int epoch, std::vector<std::string> words, std::string input = {}) const {
        Command command;
        command.argv = {"git", "--git-dir", this->epoch(epoch)};
        command.argv.insert(command.argv.end(), words.begin(), words.end());
        command.input = std::move(input);
        const auto exit = run_blocking(std::move(command));
        if (!exit || !exit->ok())
            throw std::runtime_error(exit ? exit->tail : exit.error().text());
        return exit->output;
    }

  private:
    void add_files(int epoch, const std::vector<std::string>& mails, const std::string& branch,
                   const std::string& file) const {
        if (!std::filesystem::exists(this->epoch(epoch))) {
            std::filesystem::create_directories(this->epoch(epoch));
            git(epoch, {"init", "-q", "--bare"});
            git(epoch, {"symbolic-ref", "HEAD", "refs/heads/master"});
            // Time is not to be spent on making packs small.
            git(epoch, {"config", "core.compression", "0"});
            git(epoch, {"config", "pack.window", "0"});
        }
        const std::string ref = "refs/heads/" + branch;
        bool is_first = trim(git(epoch, {"for-each-ref", ref})).empty();
        std::string input;
        for (const std::string& mail : mails) {
            input +=
                fmt::format("commit {}\ncommitter A <a@x.org> 1767261600 +0000\ndata 1\nx\n", ref);
            if (!is_first && &mail == &mails.front())
                input += fmt::format("from {}^0\n", ref);
            input += fmt::format("deleteall\nM 100644 inline {}\ndata {}\n", file, mail.size());
            input += mail + "\n";
        }
        git(epoch, {"fast-import", "--quiet"}, std::move(input));
    }

    std::filesystem::path directory_;
};

class TestClock : public Clock {
  public:
    explicit TestClock(std::int64_t now_s) : now_s_(now_s) {}

    std::int64_t now_s() override { return now_s_; }
    double chance() override { return 0.5; }
    // Everything else that can go on does so first.
    boost::asio::awaitable<void> sleep_until(std::int64_t time_s) override {
        for (int i = 0; i < 20; ++i)
            co_await boost::asio::post(co_await boost::asio::this_coro::executor,
                                       boost::asio::use_awaitable);
        now_s_ = std::max(now_s_, time_s);
        if (on_wake_)
            on_wake_();
    }

    void advance(std::int64_t seconds) { now_s_ += seconds; }
    void on_wake(std::function<void()> action) { on_wake_ = std::move(action); }

  private:
    std::int64_t now_s_;
    std::function<void()> on_wake_;
};

} // namespace kmatrix::watch
