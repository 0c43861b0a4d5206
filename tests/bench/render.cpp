// SPDX-License-Identifier: GPL-2.0-only
// How long the reports of a large run take to write, each by itself, and how fast consoles and KTAP
// are read. One JSON object a line: {"name": ..., "value": ..., "unit": ...}. Times are of the CPU,
// the best of three: what else the machine does only adds to them.
//   render_bench [reports] [console] [ktap]      default: all
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "results/comparison/comparison.h"
#include "results/console/scanner.h"
#include "results/ktap/ktap.h"
#include "results/reports/html.h"
#include "results/reports/junit.h"
#include "results/reports/kcidb.h"
#include "results/reports/mail_reply.h"
#include "results/reports/report_json.h"
#include "results/reports/summary.h"
#include "results/reports/text.h"
#include "tests/bench/large_run.h"
#include "tests/bench/logs.h"

namespace kmatrix {
namespace {

template <class Work>
double seconds_of(Work work) {
    double best = 0;
    for (int time = 0; time < 3; ++time) {
        const std::clock_t begin = std::clock();
        work();
        const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        best = time == 0 ? took : std::min(best, took);
    }
    return best;
}

void print(const std::string& name, double value, const char* unit) {
    fmt::print("{{\"name\": \"{}\", \"value\": {:.4g}, \"unit\": \"{}\"}}\n", name, value, unit);
    std::fflush(stdout);
}

void render() {
    const RunResult run = bench::large_run();
    const Comparison comparison = compare(run);
    double all = 0;
    const auto time = [&](const std::string& name, auto writer) {
        std::size_t bytes = 0;
        const double seconds = seconds_of([&] { bytes = writer(); });
        print(name, seconds, "s");
        if (bytes != 0)
            print(name + ", size", static_cast<double>(bytes) / 1e6, "MB");
        all += seconds;
    };
    ReplyOptions reply;
    reply.sender = {"A Tester", "tester@example.org"};
    time("compare", [&] { return compare(run).tests.empty() ? 1 : 0; });
    time("report: text", [&] { return text_report(run, comparison).size(); });
    time("report: html", [&] { return html_report(run, comparison, {}).size(); });
    time("report: json", [&] { return report_json(run, comparison).size(); });
    time("report: junit", [&] { return junit_xml(run, comparison).size(); });
    time("report: kcidb", [&] { return kcidb_json(run, comparison).size(); });
    time("report: mail", [&] { return to_eml(draft_reply(run, comparison, reply).mail).size(); });
    time("report: summary", [&] { return summary(run, comparison, {}).size(); });
    print("report: all", all, "s");
    print("report: results", static_cast<double>(comparison.tests.size()), "tests");
}

// Pieces as long as a console's come to be read.
template <class Reader>
void feed(Reader& reader, std::string_view text) {
    constexpr std::size_t piece = 65536;
    for (; !text.empty(); text.remove_prefix(std::min(piece, text.size())))
        reader.feed(text.substr(0, piece));
}

void read_consoles(std::size_t bytes) {
    const double megabytes = static_cast<double>(bytes) / 1e6;
    for (const auto& [name, splat_every] : {std::pair{"console: nothing to report", 0ul},
                                            std::pair{"console: a report each MB", 1'000'000ul},
                                            std::pair{"console: a report each 50 kB", 50'000ul}}) {
        const std::string text = bench::console(bytes, splat_every);
        std::size_t found = 0;
        print(name, megabytes / seconds_of([&] {
                        ConsoleScanner scanner;
                        feed(scanner, text);
                        scanner.finish();
                        found = scanner.findings().size() + scanner.dropped();
                    }),
              "MB/s");
        print(std::string(name) + ", found", static_cast<double>(found), "reports");
    }
}

void read_ktap(std::size_t bytes) {
    const std::string text = bench::ktap(bytes);
    std::size_t found = 0;
    print("ktap", static_cast<double>(bytes) / 1e6 / seconds_of([&] {
                      ktap::Parser parser;
                      feed(parser, text);
                      found = ktap::count(parser.finish().tests).all();
                  }),
          "MB/s");
    print("ktap, found", static_cast<double>(found), "tests");
}

} // namespace
} // namespace kmatrix

int main(int count, char** words) {
    constexpr std::size_t log_bytes = 64'000'000;
    const std::vector<std::string_view> parts(words + 1, words + count);
    const auto wanted = [&](std::string_view part) {
        return parts.empty() || std::find(parts.begin(), parts.end(), part) != parts.end();
    };
    if (wanted("reports"))
        kmatrix::render();
    if (wanted("console"))
        kmatrix::read_consoles(log_bytes);
    if (wanted("ktap"))
        kmatrix::read_ktap(log_bytes);
}
