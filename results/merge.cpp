// SPDX-License-Identifier: GPL-2.0-only
#include "results/merge.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"
#include "matrix/filter.h"
#include "matrix/read.h"
#include "results/comparison/builds.h"

namespace kmatrix {
namespace {

template <class T>
void add_new(std::vector<T>& all, const std::vector<T>& more) {
    for (const T& one : more)
        if (std::find(all.begin(), all.end(), one) == all.end())
            all.push_back(one);
}

tl::unexpected<Error> unlike(const ShardRun& a, const ShardRun& b, const std::string& what,
                             const std::string& of_a, const std::string& of_b) {
    return user_error(
        fmt::format("{} and {} are no shards of one run: their {} differ{}", a.name, b.name, what,
                    of_a.empty() && of_b.empty()
                        ? ""
                        : fmt::format(" ({} and {})", printable(of_a), printable(of_b))));
}

Result<void> check_alike(const ShardRun& a, const ShardRun& b) {
    const RunInfo& first = a.run.info;
    const RunInfo& second = b.run.info;
    if (first.kmatrix_version != second.kmatrix_version)
        return unlike(a, b, "versions of kmatrix", first.kmatrix_version, second.kmatrix_version);
    if (a.matrix_text != b.matrix_text)
        return unlike(a, b, "matrix files", "", "");
    if (first.only != second.only || first.tests != second.tests || first.noise != second.noise)
        return unlike(a, b, "choices of cells and tests", "", "");
    if (first.each_patch != second.each_patch)
        return unlike(a, b, "--each-patch", std::string(to_string(first.each_patch)),
                      std::string(to_string(second.each_patch)));
    if (first.baseline_commit != second.baseline_commit)
        return unlike(a, b, "baselines", first.baseline_commit, second.baseline_commit);
    if (first.patched_tree != second.patched_tree)
        return unlike(a, b, "patched trees", first.patched_tree, second.patched_tree);
    if (first.shard.of != second.shard.of)
        return unlike(a, b, "numbers of shards", std::to_string(first.shard.of),
                      std::to_string(second.shard.of));
    return {};
}

Result<void> check_complete(const std::vector<ShardRun>& shards) {
    for (std::size_t i = 1; i < shards.size(); ++i)
        if (shards[i].run.info.shard == shards[i - 1].run.info.shard)
            return user_error(fmt::format("shard {} is there twice: {} and {}",
                                          to_string(shards[i].run.info.shard), shards[i - 1].name,
                                          shards[i].name));
    std::set<int> there;
    for (const ShardRun& shard : shards)
        there.insert(shard.run.info.shard.number);
    const int count = shards.front().run.info.shard.of;
    std::vector<std::string> absent;
    for (int number = 1; number <= count; ++number)
        if (!there.contains(number))
            absent.push_back(std::to_string(number));
    if (absent.empty())
        return {};
    return user_error(fmt::format(
        "shard{} {} of {} {} missing; run {} with --shard {}/{}, and merge again",
        absent.size() == 1 ? "" : "s", join(absent, ", "), count, absent.size() == 1 ? "is" : "are",
        absent.size() == 1 ? "it" : "each", absent.size() == 1 ? absent.front() : "K", count));
}

Result<Matrix> whole_matrix(const ShardRun& shard) {
    const RunInfo& info = shard.run.info;
    auto matrix = parse_matrix(shard.matrix_text, info.matrix_file);
    if (!matrix)
        return matrix;
    return chosen(std::move(*matrix), {info.only, info.tests, info.noise, {}});
}

// Every shard cut the matrix by itself; that they cut it alike is not taken on trust.
Result<void> check_cells(const std::vector<ShardRun>& shards, const Matrix& whole) {
    std::multiset<std::string> there;
    for (const ShardRun& shard : shards)
        for (const Cell& cell : shard.run.matrix.cells)
            there.insert(cell.id);
    for (const Cell& cell : whole.cells)
        if (there.count(cell.id) != 1)
            return infrastructure_error(
                fmt::format("the cell {} is in {} of the shards", cell.id, there.count(cell.id)));
    if (there.size() != whole.cells.size())
        return infrastructure_error("the shards have cells that the matrix has not");
    return {};
}

// A shard counts cells by its own matrix.
std::vector<PlannedBoot> moved_reruns(const ShardRun& shard, const Matrix& whole) {
    const std::vector<Cell>& cells = shard.run.matrix.cells;
    std::vector<PlannedBoot> boots = shard.run.info.reruns;
    std::erase_if(boots, [&](const PlannedBoot& boot) { return boot.cell >= cells.size(); });
    for (PlannedBoot& boot : boots)
        boot.cell =
            static_cast<std::size_t>(find_cell(whole, cells[boot.cell].id) - whole.cells.data());
    return boots;
}

std::string shard_machine(const Machine& machine) {
    return fmt::format("{} x {}, QEMU {}", machine.host_cpus, machine.host_cpu,
                       machine.qemu_version);
}

void note_machines(const std::vector<ShardRun>& shards, RunInfo& info) {
    std::map<std::string, std::vector<std::string>> numbers;
    for (const ShardRun& shard : shards)
        numbers[shard_machine(shard.run.info.machine)].push_back(
            std::to_string(shard.run.info.shard.number));
    if (numbers.size() < 2)
        return;
    std::vector<std::string> parts;
    parts.reserve(numbers.size());
    for (const auto& [machine, of] : numbers)
        parts.push_back(fmt::format("{} of shard {}", machine, join(of, ", ")));
    info.notes.push_back("the shards ran on machines that differ, each cell with both its kernels "
                         "on one: " +
                         join(parts, "; "));
}

void compare_builds_of(const std::vector<ShardRun>& shards, MergedRun& merged) {
    struct Made {
        const BuildResult* build;
        const ShardRun* by;
    };
    std::map<std::tuple<BuildKey, Kernel, int>, Made> made; // by patches, too
    const auto look_at = [&](const ShardRun& shard, const BuildResult& build) {
        const auto [place, fresh] =
            made.try_emplace({build.key, build.kernel, build.patches}, Made{&build, &shard});
        const Made& first = place->second;
        if (fresh)
            return;
        const std::string what =
            fmt::format("build {} {}", name(build.key),
                        build.patches == 0 ? std::string(to_string(build.kernel))
                                           : fmt::format("patch-{}", build.patches));
        const std::string who = fmt::format(
            "shard {} and shard {}", first.by->run.info.shard.number, shard.run.info.shard.number);
        if (first.build->ok != build.ok)
            merged.infrastructure.emplace_back(
                what, fmt::format("{} disagree on whether it builds: {}", who,
                                  first.build->ok ? build.error : first.build->error));
        else if (first.build->image_sha256 != build.image_sha256)
            merged.info.notes.push_back(fmt::format("{}: {} made two images of it, with {} and {}",
                                                    what, who, first.build->compiler_version,
                                                    build.compiler_version));
    };
    for (const ShardRun& shard : shards)
        for (const auto* builds : {&shard.run.builds, &shard.run.step_builds})
            for (const BuildResult& build : *builds)
                look_at(shard, build);
}

} // namespace

Result<MergedRun> merge_shards(std::vector<ShardRun> shards) {
    if (shards.empty())
        return user_error("no shards to merge");
    for (const ShardRun& shard : shards)
        if (shard.run.info.shard.of == 0)
            return user_error(fmt::format("{} is a whole run, and no shard of one", shard.name));
    std::stable_sort(shards.begin(), shards.end(), [](const ShardRun& a, const ShardRun& b) {
        return a.run.info.shard.number < b.run.info.shard.number;
    });
    for (const ShardRun& shard : shards)
        if (auto alike = check_alike(shards.front(), shard); !alike)
            return tl::unexpected(std::move(alike.error()));
    if (auto complete = check_complete(shards); !complete)
        return tl::unexpected(std::move(complete.error()));
    auto whole = whole_matrix(shards.front());
    if (!whole)
        return tl::unexpected(std::move(whole.error()));
    if (auto cells = check_cells(shards, *whole); !cells)
        return tl::unexpected(std::move(cells.error()));

    MergedRun merged;
    merged.info = shards.front().run.info;
    RunInfo& info = merged.info;
    info.shard = {};
    info.notes.clear();
    info.reruns.clear();
    for (const ShardRun& shard : shards) {
        const RunResult& run = shard.run;
        info.started = std::min(info.started, run.info.started);
        add_new(info.notes, run.info.notes);
        add_new(info.series.notes, run.info.series.notes);
        add_new(info.reruns, moved_reruns(shard, *whole));
        add_new(merged.infrastructure, run.infrastructure);
        add_new(merged.not_run, run.not_run);
        for (const NoiseFloor& floor : run.known.noise)
            learn(merged.known.noise, floor);
        if (!merged.known.earlier_version)
            merged.known.earlier_version = run.known.earlier_version;
        for (const EarlierFailures& failures : run.known.failures) {
            const bool known = std::any_of(
                merged.known.failures.begin(), merged.known.failures.end(),
                [&](const EarlierFailures& other) {
                    return other.arch == failures.arch && other.config == failures.config &&
                           other.test == failures.test && other.origin == failures.origin;
                });
            if (!known)
                merged.known.failures.push_back(failures);
        }
    }
    note_machines(shards, info);
    compare_builds_of(shards, merged);
    return merged;
}

} // namespace kmatrix
