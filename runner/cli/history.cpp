// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include <fmt/format.h>

#include "base/text.h"
#include "results/comparison/comparison.h"
#include "results/store.h"
#include "runner/cli/verbs.h"
#include "runner/history/history.h"

namespace kmatrix {
namespace {

int show_test(History& history, const std::string& test) {
    const auto entries = history.by_baseline(test);
    if (!entries)
        return fail(entries.error());
    if (entries->empty())
        return fail(
            user_error(fmt::format("no run has a test with \"{}\" in its name", test)).value());
    fmt::print("{}", printable(history_text(*entries)));
    return 0;
}

int show_all(History& history) {
    const auto entries = history.failing_unpatched();
    if (!entries)
        return fail(entries.error());
    const auto runs = history.runs();
    if (!runs)
        return fail(runs.error());
    fmt::print("{}{} run{} in {}; {}\n", printable(history_text(*entries)), *runs,
               *runs == 1 ? "" : "s", history_file().string(),
               entries->empty() ? "no test failed on an unpatched kernel"
                                : "these failed on kernels without any series");
    return 0;
}

int show_test(const std::string& test) {
    auto history = History::open();
    if (!history)
        return fail(history.error());
    return test.empty() ? show_all(*history) : show_test(*history, test);
}

int add(const std::vector<std::string>& directories) {
    auto history = History::open();
    if (!history)
        return fail(history.error());
    for (const std::string& directory : directories) {
        const auto run = load_run(directory);
        if (!run)
            return fail(run.error());
        const Comparison comparison = compare(*run);
        if (auto added = history->add(run->info, run->matrix, comparison.tests); !added)
            return fail(added.error());
        const auto place = std::filesystem::absolute(directory).lexically_normal();
        if (auto added = history->add_version(run->info, place, comparison.verdict); !added)
            return fail(added.error());
        fmt::print("{}: {} results of tests\n", directory, comparison.tests.size());
    }
    return 0;
}

} // namespace

void add_history(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand(
        "history", "Show how often tests failed in all runs so far, by baseline");
    auto test = std::make_shared<std::string>();
    auto directories = std::make_shared<std::vector<std::string>>();
    CLI::Option* name = verb->add_option(
        "TEST", *test,
        "Part of the test's name; without it, all that failed on a kernel without a series");
    verb->add_option("--add", *directories,
                     "Add these runs, which an index that was lost does not know")
        ->type_name("DIR")
        ->excludes(name);
    add_examples(*verb, "  kmatrix history\n"
                        "  kmatrix history proc-maps-race\n"
                        "  kmatrix history 'proc: proc-maps-race: maps.tearing'\n"
                        "  kmatrix history --add kmatrix-runs/*");
    verb->callback([=, &action] {
        action = [=] { return directories->empty() ? show_test(*test) : add(*directories); };
    });
}

} // namespace kmatrix
