// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/real_stages.h"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "results/console/known_findings.h"
#include "runner/build/limits.h"
#include "runner/vm/accel.h"
#include "runner/vm/kernel_cmdline.h"

namespace kmatrix {

namespace asio = boost::asio;

namespace {

constexpr int most_attempts = 3;

// What QEMU's TCG does to a kernel, and the kernel cannot help: a stray breakpoint, and now and
// then (1 of some 45 x86_64 boots) silence before init. Not a retry until it passes: whatever else
// ends a boot counts, a kernel that cannot boot falls silent each time, and every such try is
// noted.
bool is_emulators_fault(const BootResult& boot) {
    if (boot.machine.accel != Accel::tcg || std::holds_alternative<Completed>(boot.outcome))
        return false;
    const bool fell_silent =
        std::holds_alternative<Hung>(boot.outcome) && boot.first_word_s == 0 && !boot.vitals;
    return boot.findings.empty() ? fell_silent : is_stray_breakpoint(boot.findings.front());
}

asio::awaitable<Result<TaskResult>> nothing_done(std::string why) {
    co_return infrastructure_error(std::move(why));
}

} // namespace

asio::awaitable<Result<TaskResult>> RealStages::run(const Task& task) {
    const std::uint64_t floor_bytes = BuildLimits{}.disk_floor_bytes;
    for (const auto& directory : {context_.prepared.store.directory(), context_.cache.root()})
        if (std::string full = disk_objection(directory, floor_bytes); !full.empty())
            return nothing_done("nothing is started on a full disk: " + std::move(full));
    const Detail detail = [this, id = task.id](const std::string& text) {
        progress_.detail(id, text);
    };
    if (const auto* build_task = std::get_if<BuildTask>(&task.work))
        return build(*build_task, detail);
    if (const auto* image_task = std::get_if<ImageTask>(&task.work))
        return image(*image_task, detail);
    return boot(std::get<BootTask>(task.work), detail);
}

bool RealStages::has(const Task& task) const {
    if (const auto* build_task = std::get_if<BuildTask>(&task.work)) {
        const auto kernel =
            kernels_.find({build_task->key, build_task->kernel, build_task->patches});
        return kernel != kernels_.end() && kernel->second.result.ok;
    }
    const auto* image_task = std::get_if<ImageTask>(&task.work);
    return image_task && images_.contains(image_task->arch);
}

asio::awaitable<Result<TaskResult>> RealStages::build(BuildTask task, Detail detail) {
    auto kernel = co_await kernel_stage(context_, task, std::move(detail));
    if (!kernel)
        co_return tl::unexpected(std::move(kernel.error()));
    for (const std::string& sentence : kernel->notes)
        note(sentence);
    BuildResult result = kernel->result;
    kernels_.insert_or_assign({task.key, task.kernel, task.patches}, std::move(*kernel));
    co_return TaskResult(std::move(result));
}

asio::awaitable<Result<TaskResult>> RealStages::image(ImageTask task, Detail detail) {
    auto image = co_await image_stage(context_, task.arch, std::move(detail));
    if (!image)
        co_return tl::unexpected(std::move(image.error()));
    const double cpu_s = image->cpu_s;
    images_.insert_or_assign(task.arch, std::move(*image));
    co_return TaskResult(ImageReady{cpu_s});
}

asio::awaitable<Result<TaskResult>> RealStages::boot(BootTask task, Detail detail) {
    const PlannedBoot& planned = context_.prepared.plan.boots.at(task.boot);
    const Cell& cell = context_.prepared.matrix.cells.at(planned.cell);
    const KernelBuild& kernel = kernels_.at({cell.build(), planned.kernel, planned.patches});
    const GuestImage& image = images_.at(cell.axes.arch);
    auto accel = co_await accel_for(cell, kernel, image);
    if (!accel)
        co_return tl::unexpected(std::move(accel.error()));
    for (int attempt = 1;; ++attempt) {
        auto result = co_await boot_stage(context_, planned, kernel, image, *accel, detail);
        if (!result)
            co_return tl::unexpected(std::move(result.error()));
        if (attempt == most_attempts || !is_emulators_fault(*result))
            co_return TaskResult(std::move(*result));
        repeated_s_ += result->seconds;
        note(fmt::format("{}: booted again, because it {}, which emulation alone can bring about",
                         planned.id, sentence(result->outcome)));
    }
}

asio::awaitable<Result<Accel>> RealStages::accel_for(const Cell& cell, const KernelBuild& kernel,
                                                     const GuestImage& image) {
    const Arch arch = cell.axes.arch;
    if (const auto known = accels_.find(arch); known != accels_.end())
        co_return known->second;
    const Vm& vm = context_.prepared.matrix.vm;
    GuestSpec probe;
    probe.title = "kvm-probe";
    probe.arch = arch;
    probe.accel = Accel::kvm;
    probe.vcpus = 2;
    probe.memory_mib = vm.memory_mib;
    probe.kernel = kernel.image;
    probe.initrd = image.base;
    probe.cmdline = kernel_cmdline(arch, Accel::kvm, "");
    auto choice = co_await choose_accel(context_.hypervisor, vm.accel, probe, this_host());
    if (!choice)
        co_return tl::unexpected(std::move(choice.error()));
    if (!choice->why.empty()) {
        note(choice->why);
        progress_.say("note   " + choice->why);
    }
    accels_[arch] = choice->accel;
    co_return choice->accel;
}

void RealStages::note(const std::string& sentence) {
    if (std::find(notes_.begin(), notes_.end(), sentence) == notes_.end())
        notes_.push_back(sentence);
}

} // namespace kmatrix
