// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/boot_jobs.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "matrix/filter.h"
#include "results/samples.h"
#include "results/test_run.h"

namespace kmatrix {
namespace {

// A test's limit is for hardware. Under emulation a vCPU shares the host's CPUs with others, and
// each runs some ten times slower; most tests wait more than they compute.
constexpr double emulated_stretch = 3;

std::vector<Selftest> selftests_of(const Cell& cell, const PlannedBoot& boot) {
    if (boot.reruns.empty())
        return cell.selftests;
    std::vector<Selftest> selftests;
    selftests.reserve(boot.reruns.size());
    for (const Rerun& rerun : boot.reruns)
        if (auto entry = entry_of(cell, {rerun.target, rerun.test})) {
            entry->repeat = rerun.times;
            selftests.push_back(std::move(*entry));
        }
    return selftests;
}

void add_tests(BootJobs& jobs, const std::vector<Selftest>& selftests, const GuestImage& image,
               Kernel origin, double stretch) {
    const auto installed = image.installed.find(origin);
    const InstalledTests none;
    TestJobs tests = selftest_jobs(
        selftests, installed == image.installed.end() ? none : installed->second, origin, stretch);
    jobs.plan.jobs.insert(jobs.plan.jobs.end(), tests.jobs.begin(), tests.jobs.end());
    const auto absent = [&](const TestName& name, const std::string& why) {
        const bool known =
            std::any_of(jobs.absent.begin(), jobs.absent.end(), [&](const auto& other) {
                return other.name == name && other.origin == origin;
            });
        if (!known)
            jobs.absent.push_back({name, origin, why});
    };
    // With the compiler's words first, so that a bare "not installed" does not hide them.
    for (const GuestImage::Absent& entry : image.absent) {
        const bool asked =
            std::any_of(selftests.begin(), selftests.end(), [&](const Selftest& selftest) {
                return selftest.target == entry.name.target &&
                       (selftest.test.empty() || selftest.test == entry.name.test ||
                        entry.name.test.empty());
            });
        if (entry.origin == origin && asked)
            absent(entry.name, entry.why);
    }
    for (const TestName& name : tests.missing)
        absent(name, "make did not install it");
}

} // namespace

BootJobs boot_jobs(const Cell& cell, const PlannedBoot& boot, const GuestImage& image,
                   const std::vector<std::string>& edited, Accel accel) {
    BootJobs jobs;
    const double stretch = accel == Accel::kvm ? 1 : emulated_stretch;
    // syzkaller's figure for emulated machines; the kernel's own is 120.
    if (accel != Accel::kvm)
        jobs.plan.sysctls = {{"kernel.hung_task_timeout_secs", "420"}};
    if (boot.benchmark) {
        jobs.plan.jobs = {benchmark_job(cell.benchmarks.at(*boot.benchmark), stretch)};
        return jobs;
    }
    const std::vector<Selftest> selftests = selftests_of(cell, boot);
    add_tests(jobs, selftests, image, Kernel::patched, stretch);
    std::vector<Selftest> edited_ones;
    std::copy_if(selftests.begin(), selftests.end(), std::back_inserter(edited_ones),
                 [&](const Selftest& selftest) {
                     return std::find(edited.begin(), edited.end(), selftest.target) !=
                            edited.end();
                 });
    if (!edited_ones.empty())
        add_tests(jobs, edited_ones, image, Kernel::baseline, stretch);
    return jobs;
}

double limits_s(const BootPlan& plan) {
    double sum_s = 0;
    for (const Job& job : plan.jobs)
        sum_s += job.timeout_s;
    return sum_s;
}

void read_results(BootResult& result, const Cell& cell, const PlannedBoot& boot,
                  const BootJobs& jobs, const Transcript& transcript) {
    if (!boot.benchmark) {
        for (const Job& job : jobs.plan.jobs)
            if (const auto id = parse_test_id(job.id))
                result.tests.push_back(test_run(*id, transcript.find(job.id)));
        for (const GuestImage::Absent& absent : jobs.absent) {
            TestRun test;
            test.target = absent.name.target;
            test.test = absent.name.test;
            test.origin = absent.origin;
            test.status = Status::missing;
            test.reason = absent.why;
            result.tests.push_back(std::move(test));
        }
        return;
    }
    const Benchmark& benchmark = cell.benchmarks.at(*boot.benchmark);
    const JobOutcome* job = transcript.find(benchmark_id(benchmark));
    if (!job || !job->end) {
        result.sample_error = "the benchmark did not end";
        return;
    }
    Samples samples = benchmark.command.empty() ? read_samples(job->out, benchmark.samples)
                                                : figures_by_pattern(job->out, benchmark.pattern);
    const transcript::Ended& end = *job->end;
    if (samples.error.empty() && (end.exit != 0 || end.signal != 0 || end.timed_out))
        samples.error = fmt::format("the benchmark {}: {}",
                                    end.timed_out ? "was killed at its time limit"
                                    : end.signal  ? fmt::format("died of signal {}", end.signal)
                                                  : fmt::format("exited with status {}", end.exit),
                                    last_lines(job->output, 3));
    result.sample_error = samples.error;
    if (samples.error.empty())
        result.samples = std::move(samples.samples);
}

} // namespace kmatrix
