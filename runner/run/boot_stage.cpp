// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/boot_stage.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/files.h"
#include "images/initramfs.h"
#include "matrix/filter.h"
#include "results/console/scanner.h"
#include "results/console/source_lines.h"
#include "runner/cache/worker.h"
#include "runner/host.h"
#include "runner/run/again.h"
#include "runner/run/boot_jobs.h"
#include "runner/vm/boot.h"
#include "runner/vm/kernel_cmdline.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;

// A file that is needed for the time of a boot only.
struct Temporary {
    fs::path path;
    ~Temporary() {
        std::error_code ignored;
        fs::remove(path, ignored);
    }
};

// What the agent has said, as the boot's clock wants it.
AgentState state_of(const Transcript& transcript, const BootPlan& plan) {
    AgentState state;
    state.spoke = transcript.said_hello();
    state.done = transcript.is_done();
    state.last_record = transcript.last_record();
    if (const JobOutcome* running = transcript.running()) {
        state.job = running->id;
        for (const Job& job : plan.jobs)
            if (job.id == running->id)
                state.job_limit_s = job.timeout_s;
    }
    return state;
}

// The panic's own words, or where they only point to an earlier report, that report's.
std::string panic_title(const ConsoleScanner& scanner) {
    if (!scanner.panicked())
        return "";
    const auto& findings = scanner.findings();
    const auto panic = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.klass == "panic";
    });
    if (panic != findings.end())
        return panic->title;
    return findings.empty() ? "kernel panic" : findings.front().title;
}

Filter cell_alone(const Axes& axes) {
    Filter only = filter_of(axes);
    if (axes.cmdline.empty()) // the usual, and easier on the eye
        only.values.erase("cmdline");
    return only;
}

} // namespace

GuestSpec guest_spec(const Prepared& prepared, const Cell& cell, const PlannedBoot& boot,
                     const KernelBuild& kernel, const fs::path& initrd, Accel accel) {
    GuestSpec spec;
    spec.title = boot.id;
    spec.arch = cell.axes.arch;
    spec.accel = accel;
    spec.vcpus = cell.axes.vcpus;
    spec.memory_mib = prepared.matrix.vm.memory_mib;
    spec.numa_nodes = prepared.matrix.vm.numa_nodes;
    spec.kernel = kernel.image;
    spec.initrd = initrd;
    spec.cmdline = kernel_cmdline(cell.axes.arch, accel, cell.axes.cmdline);
    return spec;
}

asio::awaitable<Result<BootResult>> boot_stage(const RunContext& context, PlannedBoot boot,
                                               const KernelBuild& kernel, const GuestImage& image,
                                               Accel accel, Detail detail) {
    const Prepared& prepared = context.prepared;
    const Cell& cell = prepared.matrix.cells.at(boot.cell);
    auto directory = prepared.store.boot_directory(boot.id);
    if (!directory)
        co_return tl::unexpected(std::move(directory.error()));

    const BootJobs jobs = boot_jobs(cell, boot, image, prepared.series.selftests_edited(), accel);
    const std::string plan_text = plan_json(jobs.plan);
    if (auto written = write_file(*directory / "plan.json", plan_text); !written)
        co_return tl::unexpected(std::move(written.error()));
    const Temporary initrd{*directory / "initrd.img"};
    auto archive = make_plan_archive(plan_text);
    if (!archive)
        co_return tl::unexpected(std::move(archive.error()));
    if (auto written = concatenate(image.base, *archive, initrd.path); !written)
        co_return tl::unexpected(std::move(written.error()));

    ConsoleScanner scanner;
    Transcript transcript;
    BootSpec spec;
    spec.guest = guest_spec(prepared, cell, boot, kernel, initrd.path, accel);
    spec.limits = deadlines(accel, cell.axes.vcpus, limits_s(jobs.plan));
    spec.console = *directory / "console.log";
    spec.channel = *directory / "transcript.jsonl";
    BootListener listener;
    listener.console = [&](std::string_view bytes) { scanner.feed(bytes); };
    listener.channel = [&](std::string_view bytes) {
        transcript.feed(bytes);
        AgentState state = state_of(transcript, jobs.plan);
        detail(state.job.empty() ? "booted" : state.job);
        return state;
    };
    listener.panic_title = [&] {
        scanner.finish();
        return panic_title(scanner);
    };
    auto end = co_await run_boot(context.hypervisor, std::move(spec), std::move(listener));
    if (!end)
        co_return tl::unexpected(std::move(end.error()));
    transcript.finish();

    BootResult result;
    result.id = boot.id;
    result.cell = cell.id;
    result.kernel = boot.kernel;
    result.number = boot.number;
    result.patches = boot.patches;
    result.outcome = end->outcome;
    result.machine = context.hypervisor.machine();
    result.machine.accel = accel;
    if (boot.benchmark) {
        const Benchmark& benchmark = cell.benchmarks.at(*boot.benchmark);
        result.benchmark = benchmark.name;
        result.machine.overcommitted = busy_vcpus(benchmark) > host_cpus();
    }
    result.vitals = transcript.vitals();
    result.first_word_s = end->first_word_s;
    result.seconds = end->seconds;
    result.cpu_s = end->cpu_s;
    result.findings = scanner.findings();
    // Decoration: a finding is whole without it, and most kernels have no debugging information.
    if (!result.findings.empty()) {
        auto locate = [&] { return with_source_lines(result.findings, kernel.vmlinux); };
        if (auto located = co_await on_worker(locate))
            result.findings = std::move(*located);
    }
    result.console_tail = end->console_tail;
    result.console = prepared.store.relative(*directory / "console.log");
    result.transcript = prepared.store.relative(*directory / "transcript.jsonl");
    result.command = again(prepared, cell_alone(cell.axes), boot.patches);
    read_results(result, cell, boot, jobs, transcript);
    co_return result;
}

} // namespace kmatrix
