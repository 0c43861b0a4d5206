// SPDX-License-Identifier: GPL-2.0-only
#include "runner/cli/command_line.h"

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include <unistd.h>

#include "base/text.h"
#include "runner/cli/verbs.h"
#include "runner/exit_status.h"
#include "runner/vm/guardian.h"

namespace kmatrix {
namespace {

// Where nobody reads it any more, the exit status still says it.
void complain(const std::string& text) {
    const std::string line = "kmatrix: " + printable(text) + "\n";
    static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
}

} // namespace

int fail(const Error& error) {
    complain(error.text());
    return error.blame == Blame::user ? usage_status : infrastructure_status;
}

void add_examples(CLI::App& verb, const std::string& examples) {
    verb.footer("Examples:\n" + examples);
}

int command_line(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "guardian")
        return guardian_main(STDIN_FILENO);
    CLI::App app("Tells what a Linux patch series changes: builds the baseline and the patched "
                 "kernel for each architecture, boots both, runs selftests and a latency "
                 "benchmark in them, and compares.");
    app.name("kmatrix");
    app.set_version_flag("--version", "kmatrix " KMATRIX_VERSION);
    app.require_subcommand(1);
    app.footer("Exit status: 0 as wanted; 1 the series regressed something that gates; 2 usage or "
               "a bad file;\n3 infrastructure, or a baseline so broken that nothing can be "
               "compared.\n`kmatrix VERB --help` has examples.");
    Action action;
    add_run(app, action);
    add_ci(app, action);
    add_plan(app, action);
    add_report(app, action);
    add_rerun(app, action);
    add_bisect(app, action);
    add_shell(app, action);
    add_reply(app, action);
    add_series(app, action);
    add_compare(app, action);
    add_noise(app, action);
    add_history(app, action);
    add_prune(app, action);
    add_watch(app, action);
    add_queue(app, action);
    add_ktap(app, action);
    add_scan(app, action);
    add_cache(app, action);
    add_doctor(app, action);
    add_completion(app, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? 0 : usage_status;
    }
    try {
        return action();
    } catch (const std::exception& e) {
        complain(std::string("a fault of kmatrix itself: ") + e.what());
        return infrastructure_status;
    }
}

} // namespace kmatrix
