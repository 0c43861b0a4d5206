// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/run_watcher.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {
namespace {

// Replaces the result of an earlier try at the same thing.
template <class T, class Same>
void put(std::vector<T>& results, const T& result, Same same) {
    const auto found = std::find_if(results.begin(), results.end(), same);
    if (found != results.end())
        *found = result;
    else
        results.push_back(result);
}

std::string boot_summary(const BootResult& boot) {
    if (!std::holds_alternative<Completed>(boot.outcome))
        return sentence(boot.outcome);
    if (boot.benchmark) {
        if (!boot.sample_error.empty())
            return boot.sample_error;
        double sum_ms = 0;
        for (const Sample& sample : boot.samples)
            sum_ms += sample.mean_ms;
        return fmt::format(
            "mean {:.4f} ms a call",
            boot.samples.empty() ? 0.0 : sum_ms / static_cast<double>(boot.samples.size()));
    }
    std::map<std::string_view, int> counts;
    for (const TestRun& test : boot.tests)
        ++counts[to_string(test.status)];
    std::vector<std::string> words;
    for (const auto& [status, count] : counts)
        words.push_back(fmt::format("{} {}", count, status));
    if (!boot.findings.empty())
        words.push_back(boot.findings.size() == 1 ? "1 splat"
                                                  : fmt::format("{} splats", boot.findings.size()));
    return join(words, ", ");
}

bool is_good(const BootResult& boot) {
    const bool tests_pass =
        std::none_of(boot.tests.begin(), boot.tests.end(), [](const auto& test) {
            return test.status == Status::fail || test.status == Status::timeout ||
                   test.status == Status::error || test.status == Status::missing;
        });
    return std::holds_alternative<Completed>(boot.outcome) && tests_pass && boot.findings.empty() &&
           boot.sample_error.empty();
}

} // namespace

double RunWatcher::expected_s(const Task& task) const {
    if (const auto* build = std::get_if<BuildTask>(&task.work))
        return expected(build->key, build->kernel, durations_, host_).seconds;
    if (const auto* boot = std::get_if<BootTask>(&task.work))
        return expected(matrix_, plan_.boots[boot->boot], durations_, host_).seconds;
    constexpr double image_s = 15;
    return image_s;
}

// What is tried again has not failed, and is not left out, until it is so again.
void RunWatcher::forget(const Task& task) {
    std::erase_if(result_.infrastructure,
                  [&](const auto& incident) { return incident.first == task.id; });
    std::erase(result_.not_run, task.id);
}

void RunWatcher::started(const Task& task) {
    forget(task);
    begun_[task.id] = Clock::now();
    progress_.started(task.id, expected_s(task));
}

Result<void> RunWatcher::finished(const Task& task, const Result<TaskResult>& result) {
    const auto begin = begun_[task.id];
    const auto seconds = [](Clock::duration time) {
        return std::chrono::duration<double>(time).count();
    };
    TaskCost cost{task.id, seconds(begin - created_), seconds(Clock::now() - begin),
                  0,       task.room == Room::alone,  {}};
    if (result)
        cost.cpu_s = std::visit([](const auto& value) { return value.cpu_s; }, *result);
    costs_.push_back(std::move(cost));
    if (result)
        return std::visit([&](const auto& value) { return keep(task, value); }, *result);
    result_.infrastructure.emplace_back(task.id, result.error().text());
    progress_.finished(task.id, "could not be done: " + result.error().text(), Tone::bad);
    return store_.save_incidents(result_);
}

void RunWatcher::left_out(const Task& task, const std::string& why) {
    forget(task);
    // What a broken build keeps from booting is told by the build.
    // Of the steps of --each-patch the comparison sees it.
    const auto* boot = std::get_if<BootTask>(&task.work);
    if (boot && plan_.boots.at(boot->boot).patches == 0 && why != missing_dependency)
        result_.not_run.push_back(task.id);
    progress_.finished(task.id, "left out: " + why, Tone::neutral);
}

Result<void> RunWatcher::keep(const Task& task, const BuildResult& build) {
    put(build.patches == 0 ? result_.builds : result_.step_builds, build,
        [&](const BuildResult& other) {
            return other.key == build.key && other.kernel == build.kernel &&
                   other.patches == build.patches;
        });
    if (build.ok && !build.cached)
        learn(durations_, duration_key(build.key, build.kernel), build.seconds);
    std::string how = build.ok ? build.cached ? "cached" : "built" : build.error;
    if (!build.warnings.empty())
        how += fmt::format(", {} kinds of warning", build.warnings.size());
    const auto kept = store_.save(build);
    progress_.finished(task.id, how, build.ok ? Tone::good : Tone::bad);
    return kept;
}

Result<void> RunWatcher::keep(const Task& task, const ImageReady&) {
    progress_.finished(task.id, "", Tone::good);
    return {};
}

Result<void> RunWatcher::keep(const Task& task, const BootResult& boot) {
    put(boot.patches == 0 ? result_.boots : result_.step_boots, boot,
        [&](const BootResult& other) { return other.id == boot.id; });
    if (std::holds_alternative<Completed>(boot.outcome))
        learn(durations_,
              duration_key(matrix_, plan_.boots[std::get<BootTask>(task.work).boot], host_),
              boot.seconds);
    const auto kept = store_.save(boot);
    progress_.finished(task.id, boot_summary(boot), is_good(boot) ? Tone::good : Tone::bad);
    return kept;
}

} // namespace kmatrix
