// SPDX-License-Identifier: GPL-2.0-only
#include "images/plan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "images/protocol.h"

namespace kmatrix {
namespace {

// What a sample needs beside its timed part: a mapper that fragments its memory, and a first scan.
constexpr double sample_overhead_s = 20;
// Nothing is known of a user's own benchmark.
constexpr double own_benchmark_s = 600;
constexpr double slack_s = 60;

int stretched_s(double seconds, double stretch) {
    return static_cast<int>(std::ceil(seconds * stretch));
}

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

int limit_s(const Selftest& selftest, const InstalledTests& installed) {
    if (selftest.timeout_s) {
        return *selftest.timeout_s;
    }
    const auto settings = installed.timeouts_s.find(selftest.target);
    return settings == installed.timeouts_s.end() ? default_test_timeout_s : settings->second;
}

} // namespace

std::string plan_json(const BootPlan& plan) {
    using Json = nlohmann::ordered_json;
    Json jobs = Json::array();
    for (const Job& job : plan.jobs) {
        jobs.push_back({{"id", job.id},
                        {"argv", job.argv},
                        {"cwd", job.cwd},
                        {"timeout_s", job.timeout_s},
                        {"environment", job.environment}});
    }
    Json root{{"protocol", protocol::version}};
    if (!plan.sysctls.empty()) {
        root["sysctls"] = plan.sysctls;
    }
    root["jobs"] = std::move(jobs);
    return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string selftests_path(Kernel origin) {
    return fmt::format("/selftests/{}", to_string(origin));
}

std::vector<TestName> parse_test_list(std::string_view text) {
    std::vector<TestName> tests;
    for (const auto& line : split(text, '\n')) {
        if (auto name = parse_test_name(trim(line))) {
            tests.push_back(std::move(*name));
        }
    }
    return tests;
}

std::optional<int> settings_timeout_s(std::string_view text) {
    std::optional<int> timeout;
    for (const auto& line : split(text, '\n')) {
        const std::string_view setting = trim(std::string_view(line).substr(0, line.find('#')));
        const auto equals = setting.find('=');
        if (equals == std::string_view::npos || trim(setting.substr(0, equals)) != "timeout") {
            continue;
        }
        if (const auto value = number(trim(setting.substr(equals + 1))); value && *value >= 0) {
            timeout = value;
        }
    }
    return timeout;
}

TestJobs selftest_jobs(const std::vector<Selftest>& selftests, const InstalledTests& installed,
                       Kernel origin, double stretch) {
    std::set<TestName> named;
    for (const Selftest& selftest : selftests) {
        if (!selftest.test.empty()) {
            named.insert({selftest.target, selftest.test});
        }
    }
    TestJobs result;
    std::map<TestName, int> attempts;
    const auto add = [&](const Selftest& selftest, const TestName& name) {
        for (int run = 0; run < selftest.repeat; ++run) {
            result.jobs.push_back({test_id({name, ++attempts[name], origin}),
                                   {"./" + name.test},
                                   selftests_path(origin) + "/" + name.target,
                                   stretched_s(limit_s(selftest, installed), stretch),
                                   {}});
        }
    };
    for (const Selftest& selftest : selftests) {
        const TestName wanted{selftest.target, selftest.test};
        bool found = false;
        for (const TestName& name : installed.tests) {
            if (name.target != wanted.target) {
                continue;
            }
            found |= wanted.test.empty() || wanted.test == name.test;
            if (wanted.test == name.test || (wanted.test.empty() && !named.contains(name))) {
                add(selftest, name);
            }
        }
        if (!found) {
            result.missing.push_back(wanted);
        }
    }
    return result;
}

std::string benchmark_id(const Benchmark& benchmark) {
    return "benchmark:" + benchmark.name;
}

std::string benchmark_path(const Benchmark& benchmark) {
    return "/bench/" + benchmark.name;
}

Job benchmark_job(const Benchmark& benchmark, double stretch) {
    Job job;
    job.id = benchmark_id(benchmark);
    if (!benchmark.command.empty()) {
        job.argv = {"./run"};
        job.cwd = benchmark_path(benchmark);
        job.timeout_s = stretched_s(own_benchmark_s, stretch);
        return job;
    }
    job.argv = {latency_path,
                "--samples",
                std::to_string(benchmark.samples),
                "--duration",
                fmt::format("{}", benchmark.duration_s),
                "--busyduration",
                std::to_string(benchmark.busyduration_ms),
                "--procfile",
                benchmark.procfile,
                "--busycpus",
                std::to_string(benchmark.busycpus),
                "--busytasks",
                std::to_string(benchmark.busytasks),
                "--scanner",
                std::string(to_string(benchmark.scanner)),
                benchmark.fragment ? "--fragment" : "--no-fragment"};
    job.cwd = "/tmp";
    // The timed part is the guest's own clock's, and needs no stretching.
    job.timeout_s = static_cast<int>(std::ceil(benchmark.samples * benchmark.duration_s)) +
                    stretched_s(slack_s + benchmark.samples * sample_overhead_s, stretch);
    return job;
}

} // namespace kmatrix
