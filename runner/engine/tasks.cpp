// SPDX-License-Identifier: GPL-2.0-only
#include "runner/engine/tasks.h"

#include <map>
#include <tuple>

#include <fmt/format.h>

namespace kmatrix {
namespace {

// What a guest of that much memory costs the host beside it: the emulator and its translations.
constexpr int emulator_memory_mib = 512;

} // namespace

std::string build_task_id(const BuildKey& key, Kernel kernel, int patches) {
    return fmt::format(
        "build {}-{}-{} {}", to_string(key.arch), config_name(key.config), key.compiler,
        patches == 0 ? std::string(to_string(kernel)) : fmt::format("patch-{}", patches));
}

std::vector<Task> make_tasks(const Matrix& matrix, const Plan& plan, int steps) {
    std::vector<Task> tasks;
    std::map<std::tuple<BuildKey, Kernel, int>, std::size_t> builds; // by patches, too
    std::map<Arch, std::size_t> images;

    // Images first: they are quick, and the first kernel can boot as soon as it is there.
    for (const Cell& cell : matrix.cells)
        if (images.emplace(cell.axes.arch, tasks.size()).second)
            tasks.push_back({fmt::format("image {}", to_string(cell.axes.arch)),
                             ImageTask{cell.axes.arch},
                             Room::compiler,
                             0,
                             {}});
    for (const BuildKey& key : plan.builds) {
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
            std::vector<std::size_t> after;
            if (kernel == Kernel::patched)
                after = {builds.at({key, Kernel::baseline, 0})};
            builds[{key, kernel, 0}] = tasks.size();
            tasks.push_back({build_task_id(key, kernel), BuildTask{key, kernel}, Room::compiler, 0,
                             std::move(after)});
        }
    }
    const auto add_boots = [&](bool benchmarks, int patches) {
        for (std::size_t i = 0; i < plan.boots.size(); ++i) {
            const PlannedBoot& boot = plan.boots[i];
            if (boot.benchmark.has_value() != benchmarks || boot.patches != patches)
                continue;
            const Cell& cell = matrix.cells.at(boot.cell);
            tasks.push_back(
                {boot.id,
                 BootTask{i},
                 benchmarks ? Room::alone : Room::shared,
                 matrix.vm.memory_mib + emulator_memory_mib,
                 {images.at(cell.axes.arch), builds.at({cell.build(), boot.kernel, boot.patches})},
                 patches != 0});
        }
    };
    add_boots(false, 0);
    // A benchmark has the machine to itself, so it waits until all else is done.
    add_boots(true, 0);
    for (int patches = 1; patches <= steps; ++patches) {
        // On from the baseline's objects, as the patched kernel: never on from another step's.
        for (const BuildKey& key : plan.builds) {
            builds[{key, Kernel::patched, patches}] = tasks.size();
            tasks.push_back({build_task_id(key, Kernel::patched, patches),
                             BuildTask{key, Kernel::patched, patches},
                             Room::compiler,
                             0,
                             {builds.at({key, Kernel::baseline, 0})},
                             true});
        }
        add_boots(false, patches);
    }
    return tasks;
}

} // namespace kmatrix
