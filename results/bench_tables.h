// SPDX-License-Identifier: GPL-2.0-only
// What Paul McKenney's run-proc-vs-map.sh prints (github.com/paulmckrcu/proc-mmap_sem-test), and
// what can be said of two of its tables.
//
// The script runs its benchmark N times in one boot. With --rawdata it prints N rows of three
// columns: the median of the runs' mean times (the same in each row), the means, sorted, and the
// maxima, sorted on their own: a row is no run. Without, it prints one row for each number of busy
// CPUs: median and smallest of the means, the largest maximum, and how many runs hung. All in ms,
// rounded to 0.001.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace kmatrix {

struct BenchTable {
    // The script's options, as its "Running" line has them; empty where that line is not there.
    std::string options;
    // Of a summary the number of busy CPUs; of raw tables, which do not say it, the place among
    // those of one run of the script, from 0.
    int busy = 0;
    bool raw = false;
    // An early version of the script summed up maxima, under the heading "Worst-case": its median
    // and minimum are those of the maxima.
    bool of_maxima = false;
    double median_ms = 0;
    // Raw: all of them, ascending. Summary: the smallest of the first, the largest of the second.
    std::vector<double> means_ms;
    std::vector<double> maxima_ms;
    int hung = 0; // runs that had to be killed; known of summaries only
};

// All tables of a text, in its order. Whatever else stands there (mail, the script's messages) is
// skipped; a mail's quoting ("> ") is read through. Errors, the user's: no table; a row within a
// raw table that has not three numbers. `name` is for the message.
Result<std::vector<BenchTable>> read_bench_tables(std::string_view text, const std::string& name);

// One figure of two tables.
struct BenchFigure {
    std::string name; // "median of means", "mean of means", "largest maximum", ...
    double a_ms = 0;
    double b_ms = 0;
    // How many times it fell, a/b, and between what that lies given that all were rounded. None
    // where b may be 0.
    std::optional<double> fell;
    double fell_least = 0;
    std::optional<double> fell_most; // none: without bound, b may be 0
};

struct BenchTablePair {
    std::string label; // "--busyduration 2, 1 busy CPU"; empty if each text has one table only
    std::size_t a_samples = 0, b_samples = 0; // raw tables'; else 0
    std::vector<BenchFigure> figures;         // those that both tables have
};

struct BenchComparison {
    std::vector<BenchTablePair> pairs; // tables of the same options and number of busy CPUs
    std::vector<std::string> unpaired; // labels of tables that only one text has
    std::vector<std::string> warnings; // what these tables cannot say; a sentence each
};

// Errors, the user's: no two tables belong together.
Result<BenchComparison> compare(const std::vector<BenchTable>& a, const std::vector<BenchTable>& b);

// "fell 22 times", "rose 12 %", "differs by no more than rounding".
std::string change_text(const BenchFigure& figure);
// For a terminal.
std::string text(const BenchComparison& comparison, const std::string& name_a,
                 const std::string& name_b);

} // namespace kmatrix
