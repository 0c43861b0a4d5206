// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include <fmt/format.h>

#include "runner/cli/verbs.h"
#include "runner/watch/clock.h"
#include "runner/watch/queue_text.h"
#include "runner/watch/watch.h"

namespace kmatrix {
namespace {

using watch::Entry;
using watch::State;

constexpr int latest_shown = 10;

// What is under way, what comes, what waits; then what was. What came by a second list is of
// interest to nobody but who asks for all.
Result<std::vector<Entry>> queue_shown(watch::Queue& queue, bool all) {
    auto entries = queue.entries({State::running, State::ended});
    const auto queued = queue.queued(watch::SystemClock().now_s());
    const auto waiting = queue.entries({State::waiting});
    std::vector<State> ended = {State::done, State::failed, State::superseded, State::refused,
                                State::incomplete};
    if (all)
        ended.push_back(State::known);
    const auto past = queue.latest(ended, all ? -1 : latest_shown);
    if (!entries)
        return entries;
    for (const auto* more : {&queued, &waiting, &past}) {
        if (!*more)
            return *more;
        entries->insert(entries->end(), (*more)->begin(), (*more)->end());
    }
    return entries;
}

int show_queue(const std::string& file, bool json, bool all) {
    watch::WatchConfig config;
    config.directory = watch::default_directory();
    if (!file.empty()) {
        auto read = watch::read_watch_config(file);
        if (!read)
            return fail(read.error());
        config = std::move(*read);
    }
    std::error_code error;
    if (!std::filesystem::exists(watch::queue_file(config), error))
        return fail(Error{Blame::user,
                          fmt::format("{}: there is no queue yet; `kmatrix watch CONFIG.toml` "
                                      "makes it",
                                      watch::queue_file(config).string()),
                          {},
                          {}});
    auto queue = watch::Queue::open(watch::queue_file(config));
    if (!queue)
        return fail(queue.error());
    const auto entries = queue_shown(*queue, all);
    if (!entries)
        return fail(entries.error());
    if (json)
        fmt::print("{}", watch::queue_json(*entries));
    else
        fmt::print("{}", entries->empty() ? "nothing came yet\n" : watch::queue_text(*entries));
    return 0;
}

} // namespace

void add_queue(CLI::App& app, Action& action) {
    CLI::App* verb =
        app.add_subcommand("queue", "Show what `kmatrix watch` tests, will test and has tested");
    auto file = std::make_shared<std::string>();
    auto json = std::make_shared<bool>(false);
    auto all = std::make_shared<bool>(false);
    verb->add_option("CONFIG", *file, "The watch file; without it, the default folder's queue");
    verb->add_flag("--json", *json, "As JSON");
    verb->add_flag("--all", *all,
                   fmt::format("Everything that was, and not the latest {} alone", latest_shown));
    add_examples(*verb, "  kmatrix queue\n"
                        "  kmatrix queue watch.toml --all\n"
                        "  kmatrix queue --json | jq '.[] | select(.state == \"queued\")'");
    verb->callback([=, &action] { action = [=] { return show_queue(*file, *json, *all); }; });
}

} // namespace kmatrix
