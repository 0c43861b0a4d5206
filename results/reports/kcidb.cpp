// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/kcidb.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "results/reports/patchset.h"

namespace kmatrix {
namespace {

using nlohmann::json;

constexpr std::size_t excerpt_limit = 16384; // characters, by the schema

std::string excerpt(const std::string& text) {
    // Of a long text the end matters, and bytes are at least as many as characters.
    const std::size_t from = text.size() > excerpt_limit ? text.size() - excerpt_limit : 0;
    // A cut may leave a torn character, which printable() makes three bytes of, but still one
    // character.
    return printable(text.substr(from));
}

std::string excerpt(const std::vector<std::string>& lines) {
    return excerpt(join(lines, "\n"));
}

const char* status_word(Status status) {
    switch (status) {
    case Status::pass:
    case Status::xfail:
    case Status::xpass:
        return "PASS";
    case Status::fail:
    case Status::timeout:
        return "FAIL";
    case Status::error:
        return "ERROR";
    case Status::missing:
        return "MISS";
    case Status::skip:
        return "SKIP";
    }
    return "MISS";
}

// ktap::Test has its status as a word.
const char* status_word(const std::string& status) {
    for (const Status known : {Status::pass, Status::fail, Status::skip, Status::xfail,
                               Status::xpass, Status::timeout, Status::error, Status::missing})
        if (status == to_string(known))
            return status_word(known);
    return "MISS";
}

class Document {
  public:
    Document(const RunResult& run, const Comparison& comparison, const std::string& origin)
        : run_(run), comparison_(comparison), origin_(origin) {
        // A directory's name is no name among all runs of all people; this is.
        const RunInfo& info = run.info;
        run_id_ = sha256(join({info.id, info.started, info.baseline_commit, info.patched_tree,
                               info.tree, info.matrix_file},
                              "\n"))
                      .substr(0, 16);
    }

    json value() {
        json checkouts = json::array({baseline(), patched()});
        json builds = json::array();
        for (const BuildResult& build : run_.builds)
            builds.push_back(build_value(build));
        for (const BootResult& boot : run_.boots)
            add_boot(boot);
        add_ratios();
        return {{"version", {{"major", 5}, {"minor", 3}}},
                {"checkouts", std::move(checkouts)},
                {"builds", std::move(builds)},
                {"tests", std::move(tests_)}};
    }

  private:
    std::string id(const std::string& what) const {
        return fmt::format("{}:{}/{}", origin_, run_id_, what);
    }
    std::string checkout_id(Kernel kernel) const { return id(std::string(to_string(kernel))); }
    std::string build_id(const BuildKey& key, Kernel kernel) const {
        return id(fmt::format("{}/{}-{}-{}", to_string(kernel), to_string(key.arch),
                              config_name(key.config), key.compiler));
    }

    json checkout(Kernel kernel) const {
        json value = {{"id", checkout_id(kernel)}, {"origin", origin_}, {"valid", true}};
        if (run_.info.baseline_commit.size() == 40)
            value["git_commit_hash"] = run_.info.baseline_commit;
        if (!run_.info.started.empty())
            value["start_time"] = run_.info.started;
        return value;
    }

    json baseline() const {
        json value = checkout(Kernel::baseline);
        value["patchset_hash"] = "";
        value["comment"] = "Linux " + run_.info.baseline_describe;
        return value;
    }

    json patched() const {
        const SeriesInfo& series = run_.info.series;
        json value = checkout(Kernel::patched);
        // Left out where it is not known: empty would say that there are no patches.
        if (const std::string hash = patchset_hash(series); !hash.empty())
            value["patchset_hash"] = hash;
        if (series.message_id.find('@') != std::string::npos)
            value["message_id"] = series.message_id;
        value["comment"] = fmt::format("Linux {} with: {} (v{})", run_.info.baseline_describe,
                                       series.subject, series.version);
        value["misc"] = {{"git_tree_hash", run_.info.patched_tree}};
        return value;
    }

    json build_value(const BuildResult& build) const {
        json value = {{"id", build_id(build.key, build.kernel)},
                      {"checkout_id", checkout_id(build.kernel)},
                      {"origin", origin_},
                      {"architecture", to_string(build.key.arch)},
                      {"config_name", config_name(build.key.config)},
                      {"command", printable(build.command)},
                      {"compiler", build.compiler_version.empty() ? build.key.compiler
                                                                  : build.compiler_version},
                      {"duration", build.seconds},
                      {"status", build.ok ? "PASS" : "FAIL"},
                      {"misc", {{"image_sha256", build.image_sha256}, {"cached", build.cached}}}};
        if (!build.error.empty())
            value["log_excerpt"] = excerpt(build.error);
        return value;
    }

    // Ids repeat where a program runs twice or two subtests share a name.
    std::string unique(const std::string& what) {
        const int number = ++used_[what];
        return id(number == 1 ? what : fmt::format("{}/{}", what, number));
    }

    static std::string environment_text(const BootResult& boot, const Cell& cell) {
        return fmt::format("QEMU {} with {}, {} vCPUs, on {} x {}", boot.machine.qemu_version,
                           boot.machine.accel == Accel::kvm ? "KVM" : "TCG (emulated)",
                           cell.axes.vcpus, boot.machine.host_cpus, boot.machine.host_cpu);
    }

    // What all tests of a boot have in common.
    json common(const BootResult& boot, const Cell& cell) const {
        return {{"build_id", build_id(cell.build(), boot.kernel)},
                {"origin", origin_},
                {"environment",
                 {{"comment", environment_text(boot, cell)},
                  {"misc",
                   {{"accel", to_string(boot.machine.accel)},
                    {"vcpus", cell.axes.vcpus},
                    {"memory_mib", run_.matrix.vm.memory_mib},
                    {"cmdline", boot.vitals ? boot.vitals->cmdline : cell.axes.cmdline}}}}}};
    }

    json& add_test(const BootResult& boot, const std::string& path, const char* status) {
        json& value = tests_.emplace_back(common_); // copied: all but these are the boot's
        value["id"] = unique(boot.id + "/" + path);
        value["path"] = path;
        value["status"] = status;
        return value;
    }

    void add_boot(const BootResult& boot) {
        const Cell* cell = find_cell(run_.matrix, boot.cell);
        if (!cell)
            return;
        common_ = common(boot, *cell);
        const bool completed = std::holds_alternative<Completed>(boot.outcome);
        // A stall under emulation is the host's, and the kernel stays unknown.
        json& value = add_test(boot, "boot",
                               completed                      ? "PASS"
                               : is_excused(boot, cell->axes) ? "MISS"
                                                              : "FAIL");
        value["duration"] = boot.seconds;
        value["comment"] = printable(sentence(boot.outcome));
        if (!completed)
            value["log_excerpt"] = excerpt(boot.console_tail);
        add_console(boot);
        for (const TestRun& test : boot.tests)
            add_program(boot, test);
        if (boot.benchmark)
            add_figure(boot);
    }

    void add_console(const BootResult& boot) {
        const bool excused =
            std::all_of(boot.findings.begin(), boot.findings.end(), [&](const Finding& finding) {
                return std::any_of(comparison_.findings.begin(), comparison_.findings.end(),
                                   [&](const FindingComparison& judged) {
                                       return judged.cell == boot.cell &&
                                              judged.verdict == FindingVerdict::no_verdict &&
                                              judged.example.klass == finding.klass &&
                                              judged.example.title == finding.title;
                                   });
            });
        json& value = add_test(boot, "console",
                               boot.findings.empty() ? "PASS"
                               : excused             ? "DONE"
                                                     : "FAIL");
        if (boot.findings.empty())
            return;
        std::vector<std::string> titles;
        titles.reserve(boot.findings.size());
        std::vector<std::string> lines;
        for (const Finding& finding : boot.findings) {
            titles.push_back(finding.title);
            lines.insert(lines.end(), finding.lines.begin(), finding.lines.end());
        }
        value["comment"] = printable(join(titles, "; "));
        value["log_excerpt"] = excerpt(lines);
    }

    void add_program(const BootResult& boot, const TestRun& test) {
        const std::string path = kcidb_path(
            fmt::format("kselftest{}.{}.{}", test.origin == Kernel::baseline ? "-of-baseline" : "",
                        test.target, test.test));
        json& value = add_test(boot, path, status_word(test.status));
        value["duration"] = test.seconds;
        if (!test.reason.empty())
            value["comment"] = printable(test.reason);
        if (test.status != Status::pass && !test.output_tail.empty())
            value["log_excerpt"] = excerpt(test.output_tail);
        for (const ktap::Test& subtest : test.subtests)
            add_subtest(boot, path, subtest);
    }

    void add_subtest(const BootResult& boot, const std::string& parent, const ktap::Test& test) {
        const std::string name = kcidb_path(test.name);
        const std::string path = parent + "." + (name.empty() ? "unnamed" : name);
        json& value = add_test(boot, path, status_word(test.effective));
        if (!test.reason.empty())
            value["comment"] = printable(test.reason);
        if (!test.diagnostics.empty())
            value["log_excerpt"] = excerpt(test.diagnostics);
        for (const ktap::Test& child : test.children)
            add_subtest(boot, path, child);
    }

    const LatencyComparison* latency_of(const BootResult& boot) const {
        for (const LatencyComparison& latency : comparison_.latency)
            if (latency.cell == boot.cell && latency.benchmark == *boot.benchmark)
                return &latency;
        return nullptr;
    }

    // What a benchmark boot measured, or that it measured nothing.
    void add_figure(const BootResult& boot) {
        const LatencyComparison* latency = latency_of(boot);
        if (!latency)
            return;
        const std::string path = kcidb_path("latency." + *boot.benchmark + ".mean");
        const LatencySide& side = latency->side.of(boot.kernel);
        for (const BootFigure& figure : side.boots)
            if (figure.boot == boot.id) {
                json& value = add_test(boot, path, "DONE");
                value["number"] = {
                    {"value", figure.mean_ms / 1000}, {"unit", "s"}, {"prefix", "metric"}};
                value["comment"] = fmt::format(
                    "{}, geometric mean of {} samples{}",
                    latency->own_command ? "the program's own figures"
                                         : "mean time of an mmap or munmap call",
                    figure.samples,
                    latency->emulated ? "; EMULATED, to be compared with the other kernel only"
                                      : "");
                return;
            }
        for (const BootWithoutFigure& without : side.without_figure)
            if (without.boot == boot.id)
                add_test(boot, path, "ERROR")["comment"] = printable(without.why);
    }

    void add_ratios() {
        for (const LatencyComparison& latency : comparison_.latency) {
            const Cell* cell = find_cell(run_.matrix, latency.cell);
            if (!cell || !latency.ratio)
                continue;
            const std::string path = kcidb_path("latency." + latency.benchmark + ".ratio");
            json misc = {{"verdict", to_string(latency.verdict)}, {"emulated", latency.emulated}};
            if (latency.test)
                misc["ratio_95"] = {latency.test->ratio_95.low, latency.test->ratio_95.high};
            if (latency.p_holm)
                misc["p_holm"] = *latency.p_holm;
            tests_.push_back({{"id", unique(latency.cell + "/patched/" + path)},
                              {"build_id", build_id(cell->build(), Kernel::patched)},
                              {"origin", origin_},
                              {"path", path},
                              {"status", "DONE"},
                              {"number", {{"value", *latency.ratio}}},
                              {"comment", printable("patched/baseline: " + sentence(latency))},
                              {"misc", std::move(misc)}});
        }
    }

    const RunResult& run_;
    const Comparison& comparison_;
    std::string origin_;
    std::string run_id_;
    std::map<std::string, int> used_;
    json common_; // of the boot whose tests are being added
    json tests_ = json::array();
};

} // namespace

bool is_kcidb_origin(const std::string& origin) {
    return !origin.empty() &&
           origin.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

std::string kcidb_path(const std::string& text) {
    std::vector<std::string> words;
    for (std::string word : split(text, '.')) {
        for (char& c : word) {
            const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '_' || c == '-';
            if (!good)
                c = '_';
        }
        if (!word.empty())
            words.push_back(std::move(word));
    }
    return join(words, ".");
}

std::string kcidb_json(const RunResult& run, const Comparison& comparison,
                       const std::string& origin) {
    return Document(run, comparison, origin)
               .value()
               .dump(1, ' ', false, json::error_handler_t::replace) +
           "\n";
}

} // namespace kmatrix
