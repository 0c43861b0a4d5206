// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/junit.h"

#include <algorithm>
#include <map>

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
};

struct Suite {
    std::string name;
    std::vector<std::pair<std::string, std::string>> properties;
    std::vector<Case> cases;
};

std::string cut(const std::string& text, const std::filesystem::path& log) {
    if (text.size() <= junit_text_limit_bytes)
        return text;
    const std::size_t half = junit_text_limit_bytes / 2;
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

std::string with_log(std::string text, const std::filesystem::path& log,
                     const std::string& command) {
    if (!log.empty())
        text += "log: " + log.string() + "\n";
    if (!command.empty())
        text += "again: " + command + "\n";
    return cut(text, log);
}

Case build_case(const BuildComparison& build, const Gate& gate) {
    const std::string name = "build";
    switch (build.verdict) {
    case BuildVerdict::builds:
    case BuildVerdict::fixed:
        return passed(name, sentence(build) + "\n");
    case BuildVerdict::regressed: {
        const BuildSide& side = build.side.patched;
        return worse(name, Lane::build, gate.build, side.error,
                     with_log(sentence(build) + "\n", side.log, side.command));
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
    return worse("build: warnings", Lane::warning, gate.warnings, text(build.new_warnings.front()),
                 with_log(body, build.side.patched.log, {}));
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
        return worse(name, Lane::boot, gate.boot, first.line,
                     with_log(tally + first.what + "\n\n" + first.console_tail + "\n",
                              first.console, first.command));
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
        return worse(name, Lane::splat, gate.splat, finding.example.title,
                     with_log(std::move(body), finding.console, {}));
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
                    return worse(name, regression.lane, regression.gates,
                                 regression.what + ": " + regression.line,
                                 with_log(said + join(regression.more, "\n") + "\n", regression.log,
                                          regression.command));
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
            return worse(name, Lane::warning, regression.gates, regression.line,
                         with_log(said, regression.log, regression.command));
    return passed(name, said);
}

Case test_case(const TestComparison& test, const Gate& gate) {
    const TestTally& patched = test.side.patched;
    const auto why_or = [&](const std::string& line) {
        return fmt::format("{}{}{}", to_string(test.verdict), line.empty() ? "" : ": ", line);
    };
    switch (test.verdict) {
    case TestVerdict::passes:
    case TestVerdict::fixed:
    case TestVerdict::appeared:
        if (patched.failed + patched.missing == 0)
            return passed(name(test), why_or(test.why) + "\n", patched.seconds);
        return skipped(name(test), why_or(patched.line));
    case TestVerdict::regressed:
        return worse(name(test), Lane::test, gate.tests,
                     patched.line.empty() ? test.why : patched.line,
                     cut(test.why + "\n" + join(patched.lines, "\n") + "\n", {}));
    case TestVerdict::missing:
        if (patched.missing > 0 && test.side.baseline.passed > 0)
            return worse(name(test), Lane::test, gate.tests, why_or(test.why),
                         cut(join(patched.lines, "\n") + "\n", {}));
        return skipped(name(test), why_or(test.why));
    case TestVerdict::fails:
    case TestVerdict::flaky:
    case TestVerdict::skipped:
    case TestVerdict::not_compared:
        return skipped(name(test), why_or(test.why.empty() ? patched.line : test.why));
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
        failed.body = cut(error, {});
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
    std::map<std::string, int> seen;
    for (Case& test : suite.cases)
        if (const int count = ++seen[test.name]; count > 1)
            test.name += fmt::format(" ({})", count);
}

std::string time_text(double seconds) {
    return fmt::format("{:.3f}", seconds);
}

void add_case(tinyxml2::XMLElement& parent, const Suite& suite, const Case& test) {
    tinyxml2::XMLElement* element = parent.InsertNewChildElement("testcase");
    element->SetAttribute("name", printable(test.name).c_str());
    element->SetAttribute("classname", printable(suite.name).c_str());
    element->SetAttribute("time", time_text(test.seconds).c_str());
    const char* kind = test.state == CaseState::failed    ? "failure"
                       : test.state == CaseState::error   ? "error"
                       : test.state == CaseState::skipped ? "skipped"
                                                          : nullptr;
    const std::string body = printable(test.body);
    if (!kind) {
        if (!body.empty())
            element->InsertNewChildElement("system-out")->SetText(body.c_str());
        return;
    }
    tinyxml2::XMLElement* detail = element->InsertNewChildElement(kind);
    if (!test.type.empty())
        detail->SetAttribute("type", test.type.c_str());
    std::string message = printable(test.message);
    std::replace(message.begin(), message.end(), '\n', ' ');
    detail->SetAttribute("message", message.c_str());
    if (!body.empty())
        detail->SetText(body.c_str());
}

void add_suite(tinyxml2::XMLElement& parent, const Suite& suite) {
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

} // namespace

std::string junit_xml(const RunResult& run, const Comparison& comparison) {
    std::vector<Suite> suites;
    for (const Cell& cell : run.matrix.cells)
        suites.push_back(suite_of(run, comparison, cell));
    if (Suite infrastructure = infrastructure_suite(run, comparison); !infrastructure.cases.empty())
        suites.push_back(std::move(infrastructure));

    tinyxml2::XMLDocument document;
    document.InsertEndChild(document.NewDeclaration());
    tinyxml2::XMLElement* root = document.NewElement("testsuites");
    document.InsertEndChild(root);
    root->SetAttribute("name", "kmatrix");
    for (Suite& suite : suites) {
        make_names_unique(suite);
        add_suite(*root, suite);
    }
    tinyxml2::XMLPrinter printer;
    document.Print(&printer);
    return printer.CStr();
}

} // namespace kmatrix
