// SPDX-License-Identifier: GPL-2.0-only
#include "results/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"

// Lists of fields: one line a struct, so that a new field is written and read by naming it
// once. A field that a file lacks keeps its default: older runs stay readable.
namespace nlohmann {

template <class T>
struct adl_serializer<std::optional<T>> {
    static void to_json(json& out, const std::optional<T>& value) {
        if (value)
            out = *value;
        else
            out = nullptr;
    }
    static void from_json(const json& in, std::optional<T>& value) {
        if (in.is_null())
            value.reset();
        else
            value = in.get<T>();
    }
};

} // namespace nlohmann

namespace kmatrix {

using nlohmann::json;

namespace ktap {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Test, name, status, effective, reason, diagnostics,
                                                children)
} // namespace ktap

void to_json(json& out, const Finding& finding) {
    out = {{"class", finding.klass},
           {"title", finding.title},
           {"function", finding.function.empty() ? json() : json(finding.function)},
           {"stack", finding.stack},
           {"lines", finding.lines},
           {"line", finding.line}};
}

void from_json(const json& in, Finding& finding) {
    finding.klass = in.at("class");
    finding.title = in.at("title");
    if (in.at("function").is_string())
        finding.function = in.at("function");
    finding.stack = in.value("stack", finding.stack);
    finding.lines = in.value("lines", finding.lines);
    finding.line = in.value("line", finding.line);
}

namespace {
struct OutcomeToJson {
    json operator()(const Completed&) const { return json::object(); }
    json operator()(const Panicked& end) const { return {{"title", end.title}}; }
    json operator()(const Reset&) const { return json::object(); }
    json operator()(const Hung& end) const { return {{"silent_s", end.silent_s}}; }
    json operator()(const NeverBooted& end) const { return {{"waited_s", end.waited_s}}; }
    json operator()(const DeadlinePassed& end) const { return {{"waited_s", end.waited_s}}; }
    json operator()(const AgentLost& end) const { return {{"last_record", end.last_record}}; }
};

} // namespace

void to_json(json& out, const BootOutcome& outcome) {
    out = std::visit(OutcomeToJson{}, outcome);
    out["end"] = name(outcome);
}

void from_json(const json& in, BootOutcome& outcome) {
    const std::string end = in.at("end");
    if (end == "completed")
        outcome = Completed{};
    else if (end == "panicked")
        outcome = Panicked{in.at("title")};
    else if (end == "reset")
        outcome = Reset{};
    else if (end == "hung")
        outcome = Hung{in.at("silent_s")};
    else if (end == "never booted")
        outcome = NeverBooted{in.at("waited_s")};
    else if (end == "deadline passed")
        outcome = DeadlinePassed{in.at("waited_s")};
    else
        outcome = AgentLost{in.value("last_record", "unknown outcome " + end)};
}

NLOHMANN_JSON_SERIALIZE_ENUM(Arch, {{Arch::x86_64, "x86_64"}, {Arch::arm64, "arm64"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Kernel, {{Kernel::baseline, "baseline"}, {Kernel::patched, "patched"}})
NLOHMANN_JSON_SERIALIZE_ENUM(EachPatch, {{EachPatch::no, "no"},
                                         {EachPatch::build, "build"},
                                         {EachPatch::boot, "boot"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Accel,
                             {{Accel::automatic, "auto"}, {Accel::kvm, "kvm"}, {Accel::tcg, "tcg"}})
// The first is what an unknown word becomes: the one that passes nothing.
NLOHMANN_JSON_SERIALIZE_ENUM(Status, {{Status::missing, "missing"},
                                      {Status::pass, "pass"},
                                      {Status::fail, "fail"},
                                      {Status::skip, "skip"},
                                      {Status::xfail, "xfail"},
                                      {Status::xpass, "xpass"},
                                      {Status::timeout, "timeout"},
                                      {Status::error, "error"}})

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(BuildKey, arch, config, compiler)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Warning, file, option, message, count)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(BuildResult, key, kernel, ok, cached, error,
                                                warnings, compiler_version, image_sha256, seconds,
                                                cpu_s, log, command, patches)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Vitals, vcpus_online, memory_kib, release, machine,
                                                cmdline, clocksource, preemption, hz,
                                                page_size_bytes, mitigations)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(TestRun, target, test, origin, attempt, status,
                                                reason, seconds, subtests, output_tail)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Sample, index, seconds, maps, unmaps, mean_ms,
                                                max_ms, p50_ms, p90_ms, p99_ms, p999_ms,
                                                histogram_ns, scans, scan_bytes, busy_loops,
                                                vmas_start, vmas_end, cpus)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Machine, accel, qemu_version, libvirt_version,
                                                host_cpu, host_cpus, overcommitted)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(BootResult, id, cell, kernel, benchmark, number,
                                                outcome, machine, vitals, first_word_s, seconds,
                                                cpu_s, tests, samples, sample_error, findings,
                                                console_tail, console, transcript, command, patches)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Rerun, target, test, times, each_s)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(PlannedBoot, id, cell, kernel, benchmark, number,
                                                reruns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(MailAddress, name, address)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Letter, subject, from, date, message_id, references,
                                                to, cc, text, files, sha256)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(SeriesInfo, subject, version, patches,
                                                first_patches, source, message_id, author,
                                                changes_selftests, notes, cover, letters, change_id)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Shard, number, of)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(RunInfo, id, started, kmatrix_version, matrix_file,
                                                only, tests, shard, tree, baseline_commit,
                                                baseline_describe, patched_tree, series, noise,
                                                each_patch, machine, command_line, reruns, notes)

namespace statistics {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Interval, low, high)
} // namespace statistics
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(NoiseKey, machine, arch, accel, vcpus, benchmark)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(NoiseFloor, key, floor, ratio, ratio_90, boots, run,
                                                measured)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(EarlierFailures, arch, config, test, origin, failed,
                                                runs)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(EarlierVersion, version, run, started, directory,
                                                verdict, why, command, range_diff, notes,
                                                no_range_diff)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Known, noise, failures, earlier_version)

namespace {

template <class T>
std::string text_of(const T& value) {
    json out = value;
    out["format_version"] = format_version;
    // Bytes of the guest are made printable where they are read; what slips through is replaced.
    return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

template <class T>
Result<T> value_of(std::string_view text) {
    try {
        const json in = json::parse(text);
        const int version = in.value("format_version", 0);
        if (version != format_version)
            return infrastructure_error(
                fmt::format("format version {} is not the {} that this kmatrix writes", version,
                            format_version));
        return in.get<T>();
    } catch (const json::exception& e) {
        return infrastructure_error(e.what());
    }
}

} // namespace

namespace {

struct Incidents {
    std::vector<std::pair<std::string, std::string>> infrastructure;
    std::vector<std::string> not_run;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Incidents, infrastructure, not_run)

} // namespace

std::string incidents_to_json(const RunResult& run) {
    return text_of(Incidents{run.infrastructure, run.not_run});
}

Result<void> incidents_from_json(std::string_view text, RunResult& run) {
    return value_of<Incidents>(text).map([&](Incidents incidents) {
        run.infrastructure = std::move(incidents.infrastructure);
        run.not_run = std::move(incidents.not_run);
    });
}

std::string to_json(const BuildResult& build) {
    return text_of(build);
}
std::string to_json(const BootResult& boot) {
    return text_of(boot);
}
std::string to_json(const RunInfo& info) {
    return text_of(info);
}
std::string to_json(const Known& known) {
    return text_of(known);
}

Result<BuildResult> build_from_json(std::string_view text) {
    return value_of<BuildResult>(text);
}
Result<BootResult> boot_from_json(std::string_view text) {
    return value_of<BootResult>(text);
}
Result<RunInfo> info_from_json(std::string_view text) {
    return value_of<RunInfo>(text);
}

Result<Known> known_from_json(std::string_view text) {
    return value_of<Known>(text);
}

} // namespace kmatrix
