// SPDX-License-Identifier: GPL-2.0-only
// Benchmark lines: procfs-latency's, a user's own by pattern, and tables of run-proc-vs-map.sh.
#include "results/samples.h"

#include <cmath>

#include "results/bench_tables.h"
#include "tests/fuzz/fuzz.h"

using namespace kmatrix;

namespace {

void look(const Samples& read) {
    fuzz::expect(read.samples.empty() != read.error.empty(), "figures or an error, never both");
    fuzz::expect_printable(read.error);
    for (const Sample& sample : read.samples)
        fuzz::expect(std::isfinite(sample.mean_ms) && sample.mean_ms >= 0 &&
                         std::isfinite(sample.max_ms),
                     "figures are numbers");
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    for (const int asked : {1, 2})
        look(read_samples(text, asked));
    look(figures_by_pattern(text, "latency: ([0-9.]+) ms"));
    if (const auto tables = read_bench_tables(text, "input"))
        if (const auto compared = compare(*tables, *tables))
            fuzz::expect(!kmatrix::text(*compared, "a", "b").empty(), "a comparison has words");
    return 0;
}
