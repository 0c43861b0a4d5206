// SPDX-License-Identifier: GPL-2.0-only
// For tests: runs of the shards of one matrix, in directories of their own.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "matrix/filter.h"
#include "matrix/read.h"
#include "results/comparison/hand_built_run.h"
#include "results/store.h"

namespace kmatrix {

class ShardsOnDisk {
  protected:
    static constexpr const char* matrix_text =
        "[axes]\narch = ['x86_64', 'arm64']\nvcpus = [4]\n[[selftest]]\ntarget = 'proc'\n"
        "[[benchmark]]\nprocfile = 'smaps_rollup'\nsamples = 1\n";

    ShardsOnDisk() {
        std::string name = (std::filesystem::temp_directory_path() / "kmatrix-ci-XXXXXX").string();
        root = ::mkdtemp(name.data());
        info.matrix_file = "m.toml";
        info.kmatrix_version = "0.1.0";
        info.started = "2026-01-01T12:00:00Z";
        info.baseline_commit = std::string(40, 'b');
        info.patched_tree = std::string(40, '4');
        info.series.subject = "proc: read less";
        info.series.patches = {"proc: one"};
    }
    ~ShardsOnDisk() { std::filesystem::remove_all(root); }

    // What a run of that part gives where everything passes and patched takes a tenth of the time.
    RunResult result(const Shard& shard) const {
        Matrix matrix =
            chosen(parse_matrix(matrix_text, info.matrix_file).value(), {"", {}, false, shard})
                .value();
        RunResult run = hand_built::run(matrix.cells);
        run.matrix = matrix;
        run.info = info;
        run.info.shard = shard;
        for (const Cell& cell : matrix.cells)
            for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
                BootResult& boot = hand_built::boot(run, kernel, cell.id);
                hand_built::test(boot, "race", Status::pass);
                const double factor = kernel == Kernel::baseline ? 1 : 0.1;
                hand_built::benchmark_boots(run, kernel, cell.id,
                                            {1.00 * factor, 1.02 * factor, 0.98 * factor,
                                             1.01 * factor, 0.99 * factor, 1.03 * factor});
            }
        return run;
    }

    // Written as a run writes it.
    std::filesystem::path write(const RunResult& run, const std::string& name,
                                const std::string& text = matrix_text) const {
        const std::filesystem::path directory = root / name;
        const auto store = Store::create(directory, run.info, text);
        EXPECT_TRUE(store) << store.error().message;
        for (const BuildResult& build : run.builds) {
            EXPECT_TRUE(store->save(build));
            EXPECT_TRUE(write_file(*store->build_directory(build.key, build.kernel) / "build.log",
                                   "log of " + name + "\n"));
        }
        for (const BootResult& boot : run.boots) {
            EXPECT_TRUE(store->save(boot));
            EXPECT_TRUE(write_file(*store->boot_directory(boot.id) / "console.log", "Linux\n"));
        }
        EXPECT_TRUE(store->save_incidents(run));
        EXPECT_TRUE(store->save(run.known));
        return directory;
    }

    std::filesystem::path root;
    RunInfo info;
};

} // namespace kmatrix
