// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/junit.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <tinyxml2.h>

#include "base/text.h"

namespace kmatrix {
namespace {

enum class CaseState { passed, failed, error, skipped };

struct Case {
    std::string name;
    CaseState state = CaseState::passed;
    std::string type;    // of a failure: "build", "boot", "splat", "test", "latency"
    std::string message; // one line
    std::string body;    // of a failure, or the output of a case that passed
    double seconds = 0;
    std::filesystem::path log; // that has all of the body
    // Runs that failed: of a case that passed all of them, which are flakes; of one that failed
    // those after the first, which the case itself tells of.
    std::vector<FailedRun> failed_runs;
};

struct Suite {
    std::string name;
    std::vector<std::pair<std::string, std::string>> properties;
    std::vector<Case> cases;
};

// At most `limit` bytes of it and some words.
std::string cut(const std::string& text, std::size_t limit, const std::filesystem::path& log) {
    if (text.size() <= limit)
        return printable(text);
    const std::size_t half = limit / 2;
    const std::string where = log.empty() ? "" : "; the whole text is in " + log.string();
    return printable(text.substr(0, half)) +
           fmt::format("\n[{} bytes are left out{}]\n", text.size() - 2 * half, where) +
           printable(text.substr(text.size() - half));
}

// What the series made worse: a failure where that gates, else said and skipped.
Case worse(std::string name, Lane lane, bool gates, const std::string& line, std::string body) {
    Case result;
    result.name = std::move(name);
    result.state = gates ? CaseState::failed : CaseState::skipped;
    result.type = to_string(lane);
    result.message = gates ? line : "worse, which does not gate here: " + line;
    result.body = std::move(body);
    return result;
}

Case skipped(std::string name, std::string why) {
    Case result;
    result.name = std::move(name);
    result.state = CaseState::skipped;
    result.message = std::move(why);
    return result;
}

Case passed(std::string name, std::string output, double seconds = 0) {
    Case result;
    result.name = std::move(name);
    result.body = std::move(output);
    result.seconds = seconds;
    return result;
}

Case logged(Case of, const std::filesystem::path& log, const std::string& command) {
    if (!log.empty())
        of.body += "log: " + log.string() + "\n";
    if (!command.empty())
        of.body += "again: " + command + "\n";
    of.log = log;
    return of;
}

Case build_case(const BuildComparison& build, const Gate& gate) {
    const std::string name = "build";
    switch (build.verdict) {
    case BuildVerdict::builds:
    case BuildVerdict::fixed:
        return passed(name, sentence(build) + "\n");
    case BuildVerdict::regressed: {
        const BuildSide& side = build.side.patched;
        return logged(worse(name, Lane::build, gate.build, side.error, sentence(build) + "\n"),
                      side.log, side.command);
    }
    case BuildVerdict::broken_on_both:
    case BuildVerdict::not_compared:
        return skipped(name, sentence(build));
    }
    return skipped(name, "");
}

std::optional<Case> warnings_case(const BuildComparison& build, const Gate& gate) {
    if (build.new_warnings.empty())
        return std::nullopt;
    std::string body;
    for (const Warning& warning : build.new_warnings)
        body += text(warning) + "\n";
    return logged(worse("build: warnings", Lane::warning, gate.warnings,
                        text(build.new_warnings.front()), std::move(body)),
                  build.side.patched.log, {});
}

Case boot_case(const BootComparison& boots, const Gate& gate) {
    const std::string name = "boot: " + work(boots);
    const BootTally& patched = boots.side.patched;
    const std::string tally = fmt::format("baseline {} of {} boots completed, patched {} of {}\n",
                                          boots.side.baseline.completed, boots.side.baseline.booted,
                                          patched.completed, patched.booted);
    switch (boots.verdict) {
    case BootVerdict::boots:
    case BootVerdict::fixed:
        return passed(name, tally);
    case BootVerdict::regressed: {
        if (patched.failures.empty())
            return worse(name, Lane::boot, gate.boot, boots.why, tally);
        const BootFailure& first = patched.failures.front();
        return logged(worse(name, Lane::boot, gate.boot, first.line,
                            tally + first.what + "\n\n" + first.console_tail + "\n"),
                      first.console, first.command);
    }
    case BootVerdict::fails_on_both:
    case BootVerdict::flaky:
    case BootVerdict::no_verdict:
    case BootVerdict::not_compared:
        return skipped(name, fmt::format("{}{}{}", to_string(boots.verdict),
                                         boots.why.empty() ? "" : ": ", boots.why));
    }
    return skipped(name, "");
}

Case finding_case(const FindingComparison& finding, const Gate& gate) {
    const std::string name = "splat: " + finding.example.title;
    std::string body = join(finding.example.lines, "\n") + "\n";
    switch (finding.verdict) {
    case FindingVerdict::blamed:
        return logged(worse(name, Lane::splat, gate.splat, finding.example.title, std::move(body)),
                      finding.console, {});
    case FindingVerdict::gone:
        return passed(name, "on baseline only\n");
    case FindingVerdict::on_both:
    case FindingVerdict::no_verdict:
    case FindingVerdict::not_compared:
        return skipped(name, fmt::format("{}{}{}", to_string(finding.verdict),
                                         finding.why.empty() ? "" : ": ", finding.why));
    }
    return skipped(name, "");
}

// Of a cell: its build and, where it was booted, its boot after one patch. Warnings are said, as
// those of the whole series are.
Case step_case(const StepComparison& step, std::size_t steps, const Cell& cell, const Gate& gate) {
    const std::string name = fmt::format("each patch: {} of {}", step.patches, steps);
    const auto is_here = [&](const StepTrial& trial) {
        return std::find(trial.cells.begin(), trial.cells.end(), cell.id) != trial.cells.end();
    };
    std::string said = step.subject + "\n";
    std::vector<std::string> silent;
    for (const StepTrial& trial : step.trials) {
        if (!is_here(trial))
            continue;
        if (trial.verdict == StepVerdict::breaks) {
            for (const Regression& regression : step.regressions)
                if (regression.lane != Lane::warning &&
                    regression.cell.starts_with(trial.cells.front()) &&
                    (regression.lane == Lane::build) == (trial.lane == Lane::build))
                    return logged(worse(name, regression.lane, regression.gates,
                                        regression.what + ": " + regression.line,
                                        said + join(regression.more, "\n") + "\n"),
                                  regression.log, regression.command);
            return worse(name, trial.lane, trial.lane == Lane::build ? gate.build : gate.boot,
                         trial.why, said);
        }
        if (trial.verdict != StepVerdict::works)
            silent.push_back(fmt::format("{}: {}{}{}", trial.what, to_string(trial.verdict),
                                         trial.why.empty() ? "" : ": ", trial.why));
    }
    if (!silent.empty())
        return skipped(name, join(silent, "; "));
    for (const Regression& regression : step.regressions)
        if (regression.lane == Lane::warning && regression.cell.find(cell.id) != std::string::npos)
            return logged(worse(name, Lane::warning, regression.gates, regression.line, said),
                          regression.log, regression.command);
    return passed(name, said);
}

// Passed, if only now and then: then it is a flake, and says so.
Case passed_once(const TestComparison& test, const std::string& why) {
    const TestTally& patched = test.side.patched;
    Case result = passed(name(test), why + "\n", patched.seconds);
    result.failed_runs = patched.failures;
    return result;
}

Case worse_test(const TestComparison& test, bool gates) {
    const TestTally& patched = test.side.patched;
    const std::string why =
        (test.verdict == TestVerdict::missing ? "missing: " : "") + whole_why(test);
    Case result =
        worse(name(test), Lane::test, gates, why, why + "\n" + join(patched.lines, "\n") + "\n");
    if (gates && !patched.failures.empty())
        result.failed_runs.assign(patched.failures.begin() + 1, patched.failures.end());
    return result;
}

Case test_case(const TestComparison& test, const Gate& gate) {
    const TestTally& patched = test.side.patched;
    const auto why_or = [&](const std::string& line) {
        return fmt::format("{}{}{}", to_string(test.verdict), line.empty() ? "" : ": ", line);
    };
    const std::string why = whole_why(test);
    if (is_worse(test))
        return worse_test(test, gate.tests);
    switch (test.verdict) {
    case TestVerdict::passes:
    case TestVerdict::fixed:
    case TestVerdict::appeared:
    case TestVerdict::flaky:
        if (patched.failures.empty() || patched.passed != 0)
            return passed_once(test, why_or(why));
        return skipped(name(test), why_or(patched.line));
    case TestVerdict::regressed:
    case TestVerdict::missing:
    case TestVerdict::fails:
    case TestVerdict::skipped:
    case TestVerdict::not_compared:
        return skipped(name(test), why_or(why.empty() ? patched.line : why));
    }
    return skipped(name(test), "");
}

Case latency_case(const LatencyComparison& latency, const Gate& gate) {
    const std::string name = "latency: " + latency.benchmark;
    const std::string line = sentence(latency);
    switch (latency.verdict) {
    case LatencyVerdict::slower:
        return worse(name, Lane::latency, latency.emulated ? gate.latency_emulated : gate.latency,
                     line, line + "\n");
    case LatencyVerdict::faster:
    case LatencyVerdict::equivalent:
    case LatencyVerdict::changed_but_small:
    case LatencyVerdict::same_image:
        return passed(name, line + "\n");
    case LatencyVerdict::inconclusive:
    case LatencyVerdict::refused:
    case LatencyVerdict::not_measured:
        return skipped(name, line);
    }
    return skipped(name, "");
}

std::vector<std::pair<std::string, std::string>> properties_of(const RunResult& run,
                                                               const Cell& cell) {
    std::vector<std::pair<std::string, std::string>> properties = {
        {"series", run.info.series.subject},
        {"series version", std::to_string(run.info.series.version)},
        {"baseline", run.info.baseline_commit},
        {"patched tree", run.info.patched_tree},
        {"arch", std::string(to_string(cell.axes.arch))},
        {"config", cell.axes.config},
        {"vcpus", std::to_string(cell.axes.vcpus)},
        {"compiler", cell.axes.compiler},
        {"cmdline", cell.axes.cmdline},
        {"kmatrix", run.info.kmatrix_version},
    };
    for (const BootResult& boot : run.boots) {
        if (boot.cell != cell.id)
            continue;
        properties.insert(properties.end(),
                          {{"accelerator", std::string(to_string(boot.machine.accel))},
                           {"qemu", boot.machine.qemu_version},
                           {"libvirt", boot.machine.libvirt_version},
                           {"host CPUs", std::to_string(boot.machine.host_cpus)}});
        break;
    }
    return properties;
}

Suite suite_of(const RunResult& run, const Comparison& comparison, const Cell& cell) {
    const Gate& gate = run.matrix.gate;
    Suite suite{cell.id, properties_of(run, cell), {}};
    for (const BuildComparison& build : comparison.builds) {
        if (build.key != cell.build())
            continue;
        suite.cases.push_back(build_case(build, gate));
        if (auto warnings = warnings_case(build, gate))
            suite.cases.push_back(std::move(*warnings));
    }
    for (const BootComparison& boots : comparison.boots)
        if (boots.cell == cell.id)
            suite.cases.push_back(boot_case(boots, gate));
    for (const FindingComparison& finding : comparison.findings)
        if (finding.cell == cell.id)
            suite.cases.push_back(finding_case(finding, gate));
    for (const TestComparison& test : comparison.tests)
        if (test.cell == cell.id && test.counted)
            suite.cases.push_back(test_case(test, gate));
    for (const LatencyComparison& latency : comparison.latency)
        if (latency.cell == cell.id)
            suite.cases.push_back(latency_case(latency, gate));
    for (const StepComparison& step : comparison.steps)
        suite.cases.push_back(step_case(step, comparison.steps.size(), cell, gate));
    return suite;
}

// Work of ours that failed. A run that can say nothing is never green, whatever the reason.
Suite infrastructure_suite(const RunResult& run, const Comparison& comparison) {
    Suite suite{"kmatrix", {}, {}};
    for (const auto& [what, error] : run.infrastructure) {
        Case failed;
        failed.name = what;
        failed.state = CaseState::error;
        failed.type = "infrastructure";
        failed.message = split(error, '\n').front();
        failed.body = error;
        suite.cases.push_back(std::move(failed));
    }
    if (suite.cases.empty() && comparison.outcome == Outcome::infrastructure) {
        Case failed;
        failed.name = "verdict";
        failed.state = CaseState::error;
        failed.type = "infrastructure";
        failed.message = comparison.verdict;
        failed.body = comparison.verdict;
        suite.cases.push_back(std::move(failed));
    }
    return suite;
}

// Readers key on the name and drop the second of two.
void make_names_unique(Suite& suite) {
    std::set<std::string> seen;
    for (Case& test : suite.cases) {
        const std::string name = printable(test.name);
        test.name = name;
        for (int count = 2; !seen.insert(test.name).second; ++count)
            test.name = fmt::format("{} ({})", name, count);
    }
}

std::string time_text(double seconds) {
    return fmt::format("{:.3f}", seconds);
}

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

// Sizes below which texts are not cut.
constexpr std::size_t shortest_text_bytes = 200;

// Writes suites with texts cut to a limit.
class Writer {
  public:
    explicit Writer(std::size_t text_limit_bytes) : limit_(text_limit_bytes) {}

    std::string xml(const std::vector<Suite>& suites) const {
        tinyxml2::XMLDocument document;
        document.InsertEndChild(document.NewDeclaration());
        tinyxml2::XMLElement* root = document.NewElement("testsuites");
        document.InsertEndChild(root);
        root->SetAttribute("name", "kmatrix");
        for (const Suite& suite : suites)
            add_suite(*root, suite);
        tinyxml2::XMLPrinter printer;
        document.Print(&printer);
        return printer.CStr();
    }

  private:
    std::string message(const std::string& text) const { return one_line(cut(text, limit_, {})); }

    // As Maven's Surefire writes them since 2.22.1.
    void add_run(tinyxml2::XMLElement& parent, const char* kind, const FailedRun& run) const {
        tinyxml2::XMLElement* element = parent.InsertNewChildElement(kind);
        element->SetAttribute("type", std::string(to_string(run.status)).c_str());
        element->SetAttribute("message", message(run.line).c_str());
        const std::string where = fmt::format("{}, run {}: {}: {}", run.boot, run.attempt,
                                              to_string(run.status), run.line);
        element->InsertNewChildElement("stackTrace")->SetText(cut(where, limit_, {}).c_str());
    }

    void add_case(tinyxml2::XMLElement& parent, const Suite& suite, const Case& test) const {
        tinyxml2::XMLElement* element = parent.InsertNewChildElement("testcase");
        element->SetAttribute("name", test.name.c_str());
        element->SetAttribute("classname", printable(suite.name).c_str());
        element->SetAttribute("time", time_text(test.seconds).c_str());
        const std::string body = cut(test.body, limit_, test.log);
        const char* kind = test.state == CaseState::failed    ? "failure"
                           : test.state == CaseState::error   ? "error"
                           : test.state == CaseState::skipped ? "skipped"
                                                              : nullptr;
        if (kind) {
            tinyxml2::XMLElement* detail = element->InsertNewChildElement(kind);
            if (!test.type.empty())
                detail->SetAttribute("type", test.type.c_str());
            detail->SetAttribute("message", message(test.message).c_str());
            if (!body.empty())
                detail->SetText(body.c_str());
        }
        for (const FailedRun& run : test.failed_runs)
            add_run(*element, kind ? "rerunFailure" : "flakyFailure", run);
        if (!kind && !body.empty())
            element->InsertNewChildElement("system-out")->SetText(body.c_str());
    }

    void add_suite(tinyxml2::XMLElement& parent, const Suite& suite) const {
        const auto count = [&](CaseState state) {
            return std::count_if(suite.cases.begin(), suite.cases.end(),
                                 [&](const Case& test) { return test.state == state; });
        };
        double seconds = 0;
        for (const Case& test : suite.cases)
            seconds += test.seconds;
        tinyxml2::XMLElement* element = parent.InsertNewChildElement("testsuite");
        element->SetAttribute("name", printable(suite.name).c_str());
        element->SetAttribute("tests", static_cast<unsigned>(suite.cases.size()));
        element->SetAttribute("failures", static_cast<int>(count(CaseState::failed)));
        element->SetAttribute("errors", static_cast<int>(count(CaseState::error)));
        element->SetAttribute("skipped", static_cast<int>(count(CaseState::skipped)));
        element->SetAttribute("time", time_text(seconds).c_str());
        if (!suite.properties.empty()) {
            tinyxml2::XMLElement* properties = element->InsertNewChildElement("properties");
            for (const auto& [name, value] : suite.properties) {
                tinyxml2::XMLElement* property = properties->InsertNewChildElement("property");
                property->SetAttribute("name", name.c_str());
                property->SetAttribute("value", printable(value).c_str());
            }
        }
        for (const Case& test : suite.cases)
            add_case(*element, suite, test);
    }

    std::size_t limit_;
};

// What the texts take where none is longer than the limit, at least: escaping adds to it.
std::size_t texts_bytes(const std::vector<Suite>& suites, std::size_t limit) {
    std::size_t bytes = 0;
    for (const Suite& suite : suites)
        for (const Case& test : suite.cases)
            bytes += std::min(test.body.size(), limit) + std::min(test.message.size(), limit);
    return bytes;
}

} // namespace

std::string junit_xml(const RunResult& run, const Comparison& comparison) {
    std::vector<Suite> suites;
    for (const Cell& cell : run.matrix.cells)
        suites.push_back(suite_of(run, comparison, cell));
    if (Suite infrastructure = infrastructure_suite(run, comparison); !infrastructure.cases.empty())
        suites.push_back(std::move(infrastructure));

    for (Suite& suite : suites)
        make_names_unique(suite);
    std::size_t limit = junit_text_limit_bytes;
    while (limit > shortest_text_bytes && texts_bytes(suites, limit) > junit_limit_bytes)
        limit /= 2;
    std::string xml = Writer(limit).xml(suites);
    for (; limit > shortest_text_bytes && xml.size() > junit_limit_bytes;) {
        limit /= 2;
        xml = Writer(limit).xml(suites);
    }
    return xml;
}

} // namespace kmatrix
