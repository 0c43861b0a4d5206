// SPDX-License-Identifier: GPL-2.0-only
// procfs-latency: how long mmap and munmap take in one process while another one reads its files in
// /proc, and is preempted while it reads. Static, alone in the guest; see mapper.h and load.h for
// what is measured, and report.h for what it prints.
#include <csignal>
#include <cstdio>
#include <exception>

#include "images/guest/latency/benchmark.h"
#include "images/guest/latency/load.h"
#include "images/guest/latency/options.h"
#include "images/guest/latency/report.h"

namespace kmatrix::guest {
namespace {

void print(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout); // each line at once, and nothing left for a fork to print twice
}

struct Perform {
    int operator()(const Options& options) const { return run_benchmark(options, print); }

    int operator()(const ReadRequest& request) const {
        const auto bytes = read_whole(request.file);
        print(bytes ? std::to_string(*bytes) + "\n" : bytes.error() + "\n");
        return bytes ? status_ok : status_error;
    }

    int operator()(const UsageError& error) const {
        std::fprintf(error.exit_status == 0 ? stdout : stderr, "%s\n", error.text.c_str());
        return error.exit_status;
    }
};

} // namespace
} // namespace kmatrix::guest

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);
    try {
        return std::visit(kmatrix::guest::Perform{},
                          kmatrix::guest::parse_arguments({argv + 1, argv + argc}));
    } catch (const std::exception& error) {
        kmatrix::guest::print(kmatrix::guest::error_line(error.what()));
        return kmatrix::guest::status_error;
    }
}
