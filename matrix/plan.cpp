// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>

#include <fmt/format.h>

#include "matrix/matrix.h"

namespace kmatrix {

Plan plan(const Matrix& matrix) {
    Plan plan;
    for (const Cell& cell : matrix.cells)
        if (std::find(plan.builds.begin(), plan.builds.end(), cell.build()) == plan.builds.end())
            plan.builds.push_back(cell.build());

    for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
        const Cell& cell = matrix.cells[i];
        if (matrix.only_benchmarks || (cell.selftests.empty() && !cell.benchmarks.empty()))
            continue; // its benchmark boots show whether it boots
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
            plan.boots.push_back({fmt::format("{}/{}/functional", cell.id, to_string(kernel)),
                                  i,
                                  kernel,
                                  std::nullopt,
                                  1,
                                  {}});
    }
    for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
        const Cell& cell = matrix.cells[i];
        for (std::size_t b = 0; b < cell.benchmarks.size(); ++b) {
            const Benchmark& benchmark = cell.benchmarks[b];
            for (int number = 1; number <= benchmark.boots; ++number) {
                const bool baseline_first = number % 2 == 1;
                for (const bool first : {true, false}) {
                    const Kernel kernel =
                        first == baseline_first ? Kernel::baseline : Kernel::patched;
                    plan.boots.push_back({fmt::format("{}/{}/{}-{}", cell.id, to_string(kernel),
                                                      benchmark.name, number),
                                          i,
                                          kernel,
                                          b,
                                          number,
                                          {}});
                }
            }
        }
    }
    return plan;
}

} // namespace kmatrix
