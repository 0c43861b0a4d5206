// SPDX-License-Identifier: GPL-2.0-only
// A public-inbox's git epochs (https://public-inbox.org/public-inbox-v2-format.html), fetched into
// a bare repository of kmatrix's own. Each commit of an epoch has one mail, in a file "m"; one that
// takes a mail back has a file "d" instead.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/command.h"
#include "base/error.h"
#include "runner/watch/config.h"

namespace kmatrix::watch {

// "git/2.39.5 kmatrix/0.1.0 (ci@example.org)": what the servers' keepers see.
std::string user_agent(const std::string& git_version, const std::string& contact);

enum class Fetched {
    yes,   // the epoch is as the inbox has it
    empty, // there is such an epoch, without a mail yet
    none,  // there is none
};

class Mirror {
  public:
    // Makes the repository, or takes away the locks that a killed git left in it: nobody else may
    // use it.
    static boost::asio::awaitable<Result<Mirror>> open(std::filesystem::path directory,
                                                       InboxConfig inbox, std::string contact);

    // tip_only: without the mails before the last one, where there is nothing of this epoch yet.
    boost::asio::awaitable<Result<Fetched>> fetch(int epoch, bool tip_only) const;

    boost::asio::awaitable<Result<std::string>> tip(int epoch) const;
    boost::asio::awaitable<Result<bool>> has(std::string commit) const;

    // The commits of an epoch that are not reached from `after` (empty: all), oldest first, the
    // first `most` of them.
    boost::asio::awaitable<Result<std::vector<std::string>>> commits(int epoch, std::string after,
                                                                     std::size_t most) const;

    // The mails of these commits, in this order; empty texts where one has none, or a larger one
    // than a mail can be. Takes some of the commits from `from` on, few enough for the memory, one
    // at least: the number is the result's size.
    boost::asio::awaitable<Result<std::vector<std::string>>>
    mails(const std::vector<std::string>& commits, std::size_t from) const;

  private:
    Command git(std::vector<std::string> arguments) const;

    std::filesystem::path directory_;
    InboxConfig inbox_;
    std::string agent_;
};

} // namespace kmatrix::watch
