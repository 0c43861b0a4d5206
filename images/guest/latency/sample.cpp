// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/latency/sample.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "images/guest/latency/load.h"
#include "images/guest/latency/mapper.h"

namespace kmatrix::guest {
namespace {

// Long, because an emulated machine with many CPUs is slow; the caller has a limit of its own.
constexpr std::chrono::seconds patience{120};

struct Processes {
    std::vector<Child> all;

    std::vector<Child*> pointers() {
        std::vector<Child*> result;
        for (Child& child : all) {
            result.push_back(&child);
        }
        return result;
    }
    // Starts a child and waits until it says `word`.
    Expected<void> add(const ChildSetup& setup, const std::string& word,
                       const std::function<void(ChildPort&)>& body) {
        auto child = Child::start(setup, body);
        if (!child) {
            return tl::unexpected(setup.name + ": " + child.error());
        }
        all.push_back(std::move(*child));
        auto children = pointers();
        return await_word(children, children.size() - 1, word, patience);
    }
};

void add_distinct(std::vector<int>& cpus, int cpu) {
    if (std::find(cpus.begin(), cpus.end(), cpu) == cpus.end()) {
        cpus.push_back(cpu);
    }
}

Expected<void> start_loads(const Options& options, const CpuRoles& cpus, const SharedState& shared,
                           Processes& processes) {
    const std::string file =
        "/proc/" + std::to_string(processes.all.front().pid()) + "/" + options.procfile;
    for (std::size_t i = 0; i < cpus.busy.size(); ++i) {
        auto started = processes.add(
            {"scanner on CPU " + std::to_string(cpus.busy[i]), cpus.busy[i], scanner_nice},
            "running",
            [&](ChildPort& port) { run_scanner(file, options.scanner, i, shared, port); });
        if (!started) {
            return started;
        }
    }
    for (std::size_t i = 0; i < shared.busy.all().size(); ++i) {
        const int cpu = cpus.busy[i % cpus.busy.size()];
        auto started = processes.add(
            {"busy task on CPU " + std::to_string(cpu), cpu, 0}, "running",
            [&](ChildPort& port) { run_busy_task(options.busyduration_ms, i, shared, port); });
        if (!started) {
            return started;
        }
    }
    return {};
}

} // namespace

std::vector<int> usable_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cpus;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
            if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) {
                cpus.push_back(cpu);
            }
        }
    }
    return cpus;
}

Expected<CpuRoles> assign_cpus(const std::vector<int>& usable, int busycpus) {
    const auto wanted = static_cast<std::size_t>(busycpus);
    if (usable.size() < wanted + 1) {
        return tl::unexpected("--busycpus " + std::to_string(busycpus) + " and the mapper need " +
                              std::to_string(wanted + 1) + " CPUs, and there are " +
                              std::to_string(usable.size()));
    }
    const auto first = usable.begin() + (usable.size() > wanted + 1 ? 2 : 1);
    return CpuRoles{usable.front(), {first, first + busycpus}};
}

Expected<SampleFigures> judge(const SharedState& shared, int index) {
    SampleFigures figures;
    figures.index = index;
    figures.mapper = shared.mapper[0];
    add_distinct(figures.cpus, figures.mapper.cpu);
    for (const Tally& scanner : shared.scanners.all()) {
        if (scanner.marked_bytes == 0) {
            return tl::unexpected("the scanner on CPU " + std::to_string(scanner.cpu) +
                                  " finished no read while the mapper was timed; if one takes "
                                  "longer than the sample, try a longer --duration");
        }
        figures.scans += scanner.marked_rounds;
        figures.scan_bytes += scanner.marked_bytes;
        add_distinct(figures.cpus, scanner.cpu);
    }
    for (const Tally& busy : shared.busy.all()) {
        if (busy.marked_rounds == 0) {
            return tl::unexpected("the busy task on CPU " + std::to_string(busy.cpu) +
                                  " did not run while the mapper was timed");
        }
        figures.busy_loops += busy.marked_rounds;
        add_distinct(figures.cpus, busy.cpu);
    }
    return figures;
}

Expected<SampleFigures> take_sample(const Options& options, const CpuRoles& cpus, int index,
                                    const std::function<void(std::int64_t vmas)>& on_ready) {
    const SharedState shared(cpus.busy.size(),
                             cpus.busy.size() * static_cast<std::size_t>(options.busytasks));
    // The constant keeps the seeds of neighbouring samples far apart (2^64 by the golden ratio).
    const MapperSetup mapper{options.duration_s, options.fragment, options.seed,
                             options.seed +
                                 static_cast<std::uint64_t>(index) * 0x9e3779b97f4a7c15u};
    Processes processes;
    processes.all.reserve(1 + cpus.busy.size() + shared.busy.all().size());
    auto ok = processes.add({"mapper", cpus.mapper, 0}, "ready",
                            [&](ChildPort& port) { run_mapper(mapper, shared, port); });
    if (ok) {
        on_ready(shared.mapper[0].vmas_start);
        ok = start_loads(options, cpus, shared, processes);
    }
    if (ok) {
        processes.all.front().order();
        const auto limit = std::chrono::milliseconds(static_cast<long>(options.duration_s * 4000));
        auto children = processes.pointers();
        ok = await_word(children, 0, "done", limit + patience);
    }
    shared.stop[0] = true;
    // The mapper goes last: a scanner of a process that is gone would read nothing.
    for (std::size_t i = processes.all.size(); ok && i-- > 0;) {
        if (i == 0) {
            processes.all.front().order();
        }
        ok = processes.all[i].wait_for_end(patience);
    }
    if (!ok) {
        return tl::unexpected(ok.error());
    }
    return judge(shared, index);
}

Expected<void> same_address_space(const SampleFigures& first, const SampleFigures& sample,
                                  std::size_t page_bytes) {
    const std::int64_t base = first.mapper.vmas_start;
    const std::int64_t allowed = allowed_vma_change(base, page_bytes);
    for (const std::int64_t vmas : {sample.mapper.vmas_start, sample.mapper.vmas_end}) {
        if (std::abs(vmas - base) > allowed) {
            return tl::unexpected("the address space changed: " + std::to_string(vmas) +
                                  " VMAs against " + std::to_string(base) +
                                  " at the start of the first sample, and more than " +
                                  std::to_string(allowed) + " apart is another measurement");
        }
    }
    return {};
}

} // namespace kmatrix::guest
