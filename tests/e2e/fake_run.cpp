// SPDX-License-Identifier: GPL-2.0-only
// Stands in for `kmatrix run` where what is tested comes before and after it: takes the same
// arguments, keeps a run's directory and writes its reports, but builds and boots nothing. A series
// that uses `avenrun_started` does not build (tests/series/compile-error); any other passes all.
#include <algorithm>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/files.h"
#include "matrix/read.h"
#include "results/comparison/comparison.h"
#include "results/comparison/hand_built_run.h"
#include "results/store.h"
#include "runner/installation.h"
#include "runner/run/reports.h"
#include "runner/series/series.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::string matrix, tree, series, out, resume;
};

Result<Series> read_mails(const std::string& file) {
    return read_file(file).and_then([&](const std::string& text) {
        std::vector<SeriesMail> mails;
        for (const std::string& mail : split_mbox(text))
            mails.push_back({parse_mail(mail), file});
        return assemble_series(std::move(mails), file);
    });
}

bool builds(const Series& series) {
    return std::none_of(series.patches.begin(), series.patches.end(), [](const Patch& patch) {
        return patch.diff.find("avenrun_started") != std::string::npos;
    });
}

RunResult results(const Matrix& matrix, bool builds) {
    RunResult run = hand_built::run(matrix.cells);
    for (BuildResult& build : run.builds) {
        build.compiler_version = "none: a run that was made up";
        if (build.kernel == Kernel::patched && !builds) {
            build.ok = false;
            build.error = "fs/proc/loadavg.c:23:20: error: 'avenrun_started' undeclared";
            build.image_sha256.clear();
        }
    }
    for (const PlannedBoot& planned : plan(matrix).boots) {
        if (planned.kernel == Kernel::patched && !builds)
            continue;
        BootResult boot;
        boot.id = planned.id;
        boot.cell = matrix.cells[planned.cell].id;
        boot.kernel = planned.kernel;
        boot.number = planned.number;
        boot.machine = {Accel::tcg, "7.2", "9.0", "no CPU", 2, false};
        hand_built::test(boot, "proc-loadavg-001", Status::pass);
        run.boots.push_back(std::move(boot));
    }
    return run;
}

Result<int> begin(const Arguments& arguments) {
    const auto series = read_mails(arguments.series);
    if (!series)
        return tl::unexpected(series.error());
    const auto matrix = read_matrix(arguments.matrix, kconfigs_directory());
    if (!matrix)
        return tl::unexpected(matrix.error());
    const auto text = read_file(arguments.matrix);
    if (!text)
        return tl::unexpected(text.error());
    RunInfo info;
    info.id = fs::path(arguments.out).filename();
    info.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    info.kmatrix_version = KMATRIX_VERSION;
    info.matrix_file = arguments.matrix;
    info.tree = arguments.tree;
    info.baseline_commit = std::string(40, '0');
    info.baseline_describe = "7.3.4";
    info.patched_tree = std::string(40, '1');
    info.series = series->info();
    info.machine = {Accel::tcg, "7.2", "9.0", "no CPU", 2, false};
    const auto store = Store::create(arguments.out, info, *text);
    if (!store)
        return tl::unexpected(store.error());
    const RunResult run = results(*matrix, builds(*series));
    for (const BuildResult& build : run.builds)
        if (auto saved = store->save(build); !saved)
            return tl::unexpected(saved.error());
    for (const BootResult& boot : run.boots)
        if (auto saved = store->save(boot); !saved)
            return tl::unexpected(saved.error());
    return store->load()
        .and_then([&](const RunResult& loaded) { return write_reports(*store, loaded); })
        .map([](const Comparison& comparison) { return exit_status(comparison); });
}

int run_it(int argc, char** argv) {
    CLI::App app("A run that is made up");
    Arguments arguments;
    app.add_option("MATRIX", arguments.matrix);
    app.add_option("--tree", arguments.tree);
    app.add_option("--series", arguments.series);
    app.add_option("--out", arguments.out);
    app.add_option("--resume", arguments.resume);
    CLI11_PARSE(app, argc, argv);
    Result<int> status = 0;
    if (arguments.resume.empty())
        status = begin(arguments);
    else
        status = load_run(arguments.resume).map([](const RunResult& run) {
            return exit_status(compare(run));
        });
    if (status)
        return *status;
    fmt::print(stderr, "{}\n", status.error().text());
    return 3;
}

} // namespace
} // namespace kmatrix

int main(int argc, char** argv) {
    return kmatrix::run_it(argc, argv);
}
