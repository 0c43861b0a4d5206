// SPDX-License-Identifier: GPL-2.0-only
// A run with --each-patch, built by hand, that the tests of steps and reports share.
#pragma once

#include <string>

#include "results/reports/example_runs.h"

namespace kmatrix::example {

inline BuildResult& step_build(RunResult& run, int patches) {
    BuildResult build = hand_built::build(run, Kernel::patched);
    build.patches = patches;
    build.image_sha256 = fmt::format("image after patch {}", patches);
    run.step_builds.push_back(std::move(build));
    return run.step_builds.back();
}

inline BootResult& step_boot(RunResult& run, int patches, const BootOutcome& outcome) {
    BootResult boot;
    boot.cell = run.matrix.cells.front().id;
    boot.id = fmt::format("{}/patch-{}/functional", boot.cell, patches);
    boot.kernel = Kernel::patched;
    boot.patches = patches;
    boot.outcome = outcome;
    boot.machine = run.info.machine;
    boot.console = boot.id + "/console.log";
    boot.command = fmt::format("boot {}", boot.id);
    run.step_boots.push_back(std::move(boot));
    return run.step_boots.back();
}

// Of three patches the second breaks the build, and the third mends it; the first boots.
inline RunResult run_with_a_broken_step() {
    RunResult run = good_run();
    run.info.series.patches = {"proc: one", "proc: <two>", "proc: three"};
    run.info.each_patch = EachPatch::boot;
    step_build(run, 1);
    step_boot(run, 1, Completed{});
    BuildResult& second = step_build(run, 2);
    second.ok = false;
    second.image_sha256.clear();
    second.error = "fs/proc/x.c:7:1: error: 'two' undeclared\nmake: *** [x.o] Error 1";
    second.log = "builds/x86_64-default-gcc/patch-2/build.log";
    second.command = "make x";
    return run;
}

} // namespace kmatrix::example
