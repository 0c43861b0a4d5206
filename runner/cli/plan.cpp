// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include <fmt/format.h>

#include "matrix/filter.h"
#include "matrix/host.h"
#include "matrix/plan_text.h"
#include "matrix/read.h"
#include "runner/cli/verbs.h"
#include "runner/durations.h"
#include "runner/host.h"
#include "runner/installation.h"

namespace kmatrix {
namespace {

Result<Matrix> chosen(const std::string& file, const std::string& only) {
    auto matrix = read_matrix(file, kconfigs_directory());
    if (!matrix || only.empty())
        return matrix;
    return parse_filter(only).and_then(
        [&](const Filter& filter) { return narrow(std::move(*matrix), filter); });
}

int show_plan(const std::string& file, const std::string& only) {
    auto matrix = chosen(file, only);
    if (!matrix)
        return fail(matrix.error());
    const Host host = this_host(*matrix);
    if (auto fits = check_host(*matrix, host); !fits)
        return fail(fits.error());
    const Plan planned = plan(*matrix);
    fmt::print("{}", plan_text(*matrix, planned, estimate(*matrix, planned, read_durations(), host),
                               advice(*matrix, host)));
    return 0;
}

} // namespace

void add_plan(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand(
        "plan", "Print the cells of a matrix file, the builds they share, the boots, and how long "
                "it may take");
    auto file = std::make_shared<std::string>();
    auto only = std::make_shared<std::string>();
    verb->add_option("MATRIX", *file, "The matrix file")->required();
    verb->add_option("--only", *only, "Only cells with these axes: 'arch=arm64 vcpus=8'");
    add_examples(*verb, "  kmatrix plan matrix/smaps-rollup.toml\n"
                        "  kmatrix plan matrix/many-cores.toml --only 'arch=arm64'");
    verb->callback([=, &action] { action = [=] { return show_plan(*file, *only); }; });
}

} // namespace kmatrix
