// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include <fmt/format.h>

#include "runner/cli/verbs.h"
#include "runner/history/prune.h"

namespace kmatrix {
namespace {

struct Request {
    std::string folder = "kmatrix-runs";
    std::size_t keep = 30;
    bool dry = false;
};

int show(const Request& request) {
    auto history = History::open();
    if (!history)
        return fail(history.error());
    const auto pruned = prune(request.folder, request.keep, *history, request.dry);
    if (!pruned)
        return fail(pruned.error());
    for (const auto& directory : pruned->removed)
        fmt::print("{}{}\n", request.dry ? "would remove " : "removed ", directory.string());
    for (const auto& [directory, why] : pruned->left)
        fmt::print("left {}: {}\n", directory.string(), why);
    fmt::print("{} run{} kept, {} {}; how their tests fared is in {}\n", pruned->kept,
               pruned->kept == 1 ? "" : "s", pruned->removed.size(),
               request.dry ? "to be removed" : "removed", history_file().string());
    return 0;
}

} // namespace

void add_prune(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand(
        "prune", "Remove the directories of all but the newest runs; the history of their tests "
                 "stays");
    auto request = std::make_shared<Request>();
    verb->add_option("FOLDER", request->folder, "That the runs' directories are in")
        ->capture_default_str();
    verb->add_option("--keep", request->keep, "So many runs stay")->capture_default_str();
    verb->add_flag("--dry-run", request->dry, "Only say what would be removed");
    add_examples(*verb, "  kmatrix prune --dry-run\n"
                        "  kmatrix prune --keep 100 /srv/kmatrix-runs\n"
                        "kmatrix removes no run on its own.");
    verb->callback([=, &action] { action = [=] { return show(*request); }; });
}

} // namespace kmatrix
