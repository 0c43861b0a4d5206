// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/latency/benchmark.h"

#include <unistd.h>

#include <optional>
#include <string>

#include "images/guest/latency/report.h"
#include "images/guest/latency/sample.h"

namespace kmatrix::guest {

int run_benchmark(const Options& options, const std::function<void(std::string_view)>& print) {
    const auto cpus = usable_cpus();
    if (cpus.size() < fewest_cpus && !options.force) {
        print(error_line("this needs " + std::to_string(fewest_cpus) + " CPUs, and there are " +
                         std::to_string(cpus.size()) + "; --force measures anyway"));
        return status_skip;
    }
    const auto roles = assign_cpus(cpus, options.busycpus);
    if (!roles) {
        print(error_line(roles.error()));
        return status_usage;
    }
    const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::optional<SampleFigures> first;
    for (int index = 1; index <= options.samples; ++index) {
        const auto on_ready = [&](std::int64_t vmas) {
            if (index == 1) {
                print(setup_line(options, *roles, vmas, page_bytes));
            }
        };
        const auto sample = take_sample(options, *roles, index, on_ready);
        if (!sample) {
            print(error_line("sample " + std::to_string(index) + ": " + sample.error()));
            return status_error;
        }
        if (!first) {
            first = *sample;
        }
        if (options.fragment) {
            if (const auto same = same_address_space(*first, *sample, page_bytes); !same) {
                print(error_line("sample " + std::to_string(index) + ": " + same.error()));
                return status_error;
            }
        }
        print(sample_line(*sample));
    }
    print(end_line(options.samples));
    return status_ok;
}

} // namespace kmatrix::guest
