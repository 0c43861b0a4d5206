// SPDX-License-Identifier: GPL-2.0-only
// For tests: a git tree of five small files that passes for a kernel's, and the real git on it.
#pragma once

#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "base/command.h"
#include "runner/cache/work_directory.h"
#include "runner/source/argv.h"
#include "runner/source/base.h"
#include "runner/source/sources.h"

namespace kmatrix {

namespace fs = std::filesystem;
namespace asio = boost::asio;

template <class T>
asio::awaitable<void> store(asio::awaitable<T> work, std::optional<T>& value) {
    value.emplace(co_await std::move(work));
}

template <class T>
T wait_for(asio::awaitable<T> work) {
    asio::io_context context;
    std::optional<T> value;
    asio::co_spawn(context, store(std::move(work), value), [](std::exception_ptr failure) {
        if (failure)
            std::rethrow_exception(failure);
    });
    context.run();
    return std::move(*value);
}

inline constexpr const char* makefile =
    "# SPDX-License-Identifier: GPL-2.0\nVERSION = 7\nPATCHLEVEL = 3\n"
    "SUBLEVEL = 4\nEXTRAVERSION =\nNAME = Baby Opossum\n";

inline std::string numbers(int count) {
    std::string text;
    for (int i = 1; i <= count; ++i)
        text += "line " + std::to_string(i) + "\n";
    return text;
}

inline std::string with_line(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

class SmallTree : public testing::Test {
  protected:
    SmallTree() {
        fs::create_directories(tree_);
        git(argv("init", "-q", "-b", "main"));
        write("Makefile", makefile);
        write("fs/a.c", numbers(40));
        write("fs/b.c", "b\n");
        write("run.sh", "#!/bin/sh\n");
        fs::permissions(tree_ / "run.sh", fs::perms::owner_exec, fs::perm_options::add);
        fs::create_symlink("fs/a.c", tree_ / "link");
        commit("base");
    }
    ~SmallTree() override { remove_tree(root_); }

    void write(const std::string& path, const std::string& text) const {
        fs::create_directories((tree_ / path).parent_path());
        std::ofstream(tree_ / path) << text;
    }

    // git as a user runs it.
    std::string git(const std::vector<std::string>& words) const {
        Command command;
        command.argv = {
            "git", "-c", "user.name=U", "-c", "user.email=u@x.org", "-c", "commit.gpgsign=false"};
        command.argv.insert(command.argv.end(), words.begin(), words.end());
        command.cwd = tree_;
        const auto exit = run_blocking(command);
        return exit ? exit->output : exit.error().message;
    }
    void commit(const std::string& subject) const {
        git(argv("add", "-A"));
        git(argv("commit", "-q", "-m", subject));
    }

    // A commit on a branch of its own, away from main: its name.
    std::string branch(const std::string& name, const std::string& path,
                       const std::string& text) const {
        git(argv("checkout", "-q", "-b", name));
        write(path, text);
        commit("change " + path);
        git(argv("checkout", "-q", "main"));
        return name;
    }

    Repository repository() {
        auto opened = wait_for(Repository::open(cache_.root(), tree_));
        EXPECT_TRUE(opened) << opened.error().message;
        return *opened;
    }
    Result<Series> series(const std::string& source) {
        const Repository opened = repository();
        return wait_for(read_series(source, opened));
    }
    Result<Sources> apply(const Series& series, const std::string& base = "main") {
        Repository opened = repository();
        auto id = wait_for(opened.commit(base));
        EXPECT_TRUE(id) << id.error().message;
        return wait_for(apply_series(cache_, opened, *id, series));
    }

    fs::path root_ = fs::temp_directory_path() / ("kmatrix sources:" + std::to_string(::getpid()));
    fs::path tree_ = root_ / "a tree";
    Cache cache_{root_ / "cache"};
};

} // namespace kmatrix
