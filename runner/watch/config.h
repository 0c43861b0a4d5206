// SPDX-License-Identifier: GPL-2.0-only
// The watch file. docs/watch.md is the user's page on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "runner/watch/rule.h"

namespace kmatrix::watch {

// What a server that is not one's own is asked at most: every 15 minutes.
constexpr std::int64_t least_interval_s = 15 * 60;

// A public-inbox (https://public-inbox.org/public-inbox-v2-format.html).
struct InboxConfig {
    std::string name;
    std::string url;               // "https://lore.kernel.org/linux-mm", or a local folder
    std::optional<int> from_epoch; // read at first; none: only what comes after the first poll

    bool is_local() const;  // a folder
    bool is_remote() const; // on a machine that is not this one
};

struct WatchConfig {
    std::filesystem::path file;
    std::filesystem::path directory; // of the state, the mirrors and the runs
    std::int64_t interval_s = least_interval_s;
    std::int64_t wait_s = 2 * 3600; // for the rest of a series, from its latest mail
    std::string contact;            // in the user agent; may be empty
    std::vector<InboxConfig> inboxes;
    std::vector<Rule> rules;

    // COMMAND MATRIX --tree TREE --series MBOX --out DIR ARGUMENTS, or COMMAND --resume DIR.
    struct {
        std::vector<std::string> command; // empty: this kmatrix's "run"
        std::string matrix, tree;
        std::vector<std::string> arguments;
        std::int64_t timeout_s = 0; // 0: none
    } run;

    // COMMAND DIR, with a JSON on its standard input.
    struct {
        std::vector<std::string> command; // empty: nothing is published
        std::int64_t timeout_s = 600;
    } publish;
};

// Where `directory` is not given: in the XDG state folder.
std::filesystem::path default_directory();

// Reads and checks a watch file; paths in it are relative to its folder. Errors are the user's, a
// line for each thing that is wrong, with its place.
Result<WatchConfig> read_watch_config(const std::filesystem::path& file);
Result<WatchConfig> parse_watch_config(std::string_view text, const std::filesystem::path& file);
// Whether the tree and the matrix files that it names are there.
Result<void> check_places(const WatchConfig& config);

// "90s", "15m", "2h", "1d" in seconds; nothing if it is none of these.
std::optional<std::int64_t> parse_duration(std::string_view text);

} // namespace kmatrix::watch
