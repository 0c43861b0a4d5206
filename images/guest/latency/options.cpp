// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/latency/options.h"

#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>

namespace kmatrix::guest {

Request parse_arguments(std::vector<std::string> arguments) {
    if (arguments.size() == 2 && arguments[0] == "read") {
        return ReadRequest{arguments[1]};
    }
    Options options;
    CLI::App app("Times mmap and munmap in one process while another reads its /proc files.\n"
                 "Prints one JSON object a line.",
                 "procfs-latency");
    app.add_option("--samples", options.samples, "samples to take")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    app.add_option("--duration", options.duration_s, "seconds of a sample")
        ->check(CLI::Range(0.01, 86'400.0))
        ->capture_default_str();
    app.add_option("--busyduration", options.busyduration_ms,
                   "milliseconds that a busy task runs before it sleeps for 1 ms; 0: never sleeps")
        ->check(CLI::Range(0, 60'000))
        ->capture_default_str();
    app.add_option("--procfile", options.procfile, "file of /proc/PID to read")
        ->check(CLI::IsMember({"maps", "smaps", "smaps_rollup", "numa_maps"}))
        ->capture_default_str();
    app.add_option("--busycpus", options.busycpus, "CPUs to scan from")
        ->check(CLI::Range(1, 4'096))
        ->capture_default_str();
    app.add_option("--busytasks", options.busytasks, "busy tasks on each of these CPUs")
        ->check(CLI::Range(1, 4'096))
        ->capture_default_str();
    const std::map<std::string, ScannerStyle> styles{{"exec", ScannerStyle::exec},
                                                     {"pread", ScannerStyle::pread}};
    app.add_option("--scanner", options.scanner, "how to read: a new process each time, or a loop")
        ->transform(CLI::Transformer(styles))
        ->check(CLI::IsMember({ScannerStyle::exec, ScannerStyle::pread}))
        ->type_name("exec|pread");
    app.add_flag("--fragment,!--no-fragment", options.fragment,
                 "start from the fragmented address space that the draw drifts to (default)");
    app.add_option("--seed", options.seed, "of the random draw")->capture_default_str();
    app.add_flag("--force", options.force, "measure with fewer than 4 CPUs");
    try {
        std::reverse(arguments.begin(), arguments.end()); // as CLI11 wants a vector
        app.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
        return UsageError{0, app.help()};
    } catch (const CLI::ParseError& error) {
        return UsageError{2, error.what()};
    }
    return options;
}

} // namespace kmatrix::guest
