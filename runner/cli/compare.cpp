// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include <fmt/format.h>

#include "base/files.h"
#include "results/bench_tables.h"
#include "runner/cli/verbs.h"

namespace kmatrix {
namespace {

Result<std::vector<BenchTable>> tables_of(const std::string& file) {
    return read_file(file).and_then(
        [&](const std::string& text) { return read_bench_tables(text, file); });
}

int show(const std::string& a, const std::string& b) {
    const auto tables_a = tables_of(a);
    if (!tables_a)
        return fail(tables_a.error());
    const auto tables_b = tables_of(b);
    if (!tables_b)
        return fail(tables_b.error());
    const auto comparison = compare(*tables_a, *tables_b);
    if (!comparison)
        return fail(comparison.error());
    fmt::print("{}", text(*comparison, a, b));
    return 0;
}

} // namespace

void add_compare(CLI::App& app, Action& action) {
    CLI::App* verb =
        app.add_subcommand("compare", "Compare two tables of run-proc-vs-map.sh, raw or summaries");
    auto a = std::make_shared<std::string>();
    auto b = std::make_shared<std::string>();
    verb->add_option("A", *a, "The baseline's table")->required();
    verb->add_option("B", *b, "The patched kernel's table")->required();
    add_examples(*verb, "  kmatrix compare baseline.txt patched.txt");
    verb->callback([=, &action] { action = [=] { return show(*a, *b); }; });
}

} // namespace kmatrix
