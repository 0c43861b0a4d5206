// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/image_stage.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "images/guest_files.h"
#include "images/initramfs.h"
#include "runner/build/selftests_build.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;

// What the cells of an architecture ask for.
struct Wanted {
    std::set<std::string> targets;
    std::map<std::string, Benchmark> commands; // benchmarks of the user's own, by name
};

Wanted wanted(const Matrix& matrix, Arch arch) {
    Wanted wanted;
    for (const Cell& cell : matrix.cells) {
        if (cell.axes.arch != arch)
            continue;
        if (!matrix.only_benchmarks)
            for (const Selftest& selftest : cell.selftests)
                wanted.targets.insert(selftest.target);
        for (const Benchmark& benchmark : cell.benchmarks)
            if (!benchmark.command.empty())
                wanted.commands.emplace(benchmark.name, benchmark);
    }
    return wanted;
}

// Adds what was built of one target to the image, and notes what was not.
Result<void> add(GuestImage& image, std::vector<ImageEntry>& entries, const SelftestBuild& build) {
    for (const UnbuiltTest& unbuilt : build.unbuilt)
        image.absent.push_back(
            {{build.target, unbuilt.test}, build.origin, "does not build: " + unbuilt.words});
    if (!build.is_static) {
        for (const TestName& test : build.tests)
            image.absent.push_back(
                {test, build.origin, "is linked dynamically, and the image has no C library"});
        return {};
    }
    if (build.tests.empty())
        return {};
    InstalledTests& installed = image.installed[build.origin];
    installed.tests.insert(installed.tests.end(), build.tests.begin(), build.tests.end());
    if (build.timeout_s)
        installed.timeouts_s[build.target] = *build.timeout_s;
    auto tree = directory_tree(build.directory / build.target,
                               selftests_path(build.origin) + "/" + build.target);
    if (!tree)
        return tl::unexpected(std::move(tree.error()));
    entries.insert(entries.end(), tree->begin(), tree->end());
    // The library that selftests in shell source as ../kselftest/.
    const fs::path library = build.directory / "kselftest";
    if (!fs::is_directory(library) || image.libraries.contains(build.origin))
        return {};
    image.libraries.insert(build.origin);
    auto shell = directory_tree(library, selftests_path(build.origin) + "/kselftest");
    if (!shell)
        return tl::unexpected(std::move(shell.error()));
    entries.insert(entries.end(), shell->begin(), shell->end());
    return {};
}

} // namespace

asio::awaitable<Result<GuestImage>> image_stage(const RunContext& context, Arch arch,
                                                Detail detail) {
    const Prepared& prepared = context.prepared;
    auto files = find_guest_files(arch);
    if (!files)
        co_return tl::unexpected(std::move(files.error()));
    auto logs = prepared.store.selftests_directory(arch);
    if (!logs)
        co_return tl::unexpected(std::move(logs.error()));

    GuestImage image;
    std::vector<ImageEntry> entries = base_entries(*files);
    const Wanted all = wanted(prepared.matrix, arch);
    const std::vector<std::string> edited = prepared.series.selftests_edited();
    for (const std::string& target : all.targets) {
        for (const Kernel origin : {Kernel::patched, Kernel::baseline}) {
            const bool is_edited = std::find(edited.begin(), edited.end(), target) != edited.end();
            if (origin == Kernel::baseline && !is_edited)
                continue;
            SelftestRequest request;
            request.target = target;
            request.arch = arch;
            request.origin = origin;
            request.jobs = context.jobs;
            std::string name = target;
            std::replace(name.begin(), name.end(), '/', '-');
            request.log = *logs / fmt::format("{}-{}.log", name, to_string(origin));
            request.progress = [detail, target](const std::string& stage) {
                detail(fmt::format("{}: {}", target, stage));
            };
            auto build =
                co_await build_selftests(context.cache, prepared.sources, std::move(request));
            if (!build)
                co_return tl::unexpected(std::move(build.error()));
            image.cpu_s += build->cpu_s;
            if (auto added = add(image, entries, *build); !added)
                co_return tl::unexpected(std::move(added.error()));
        }
    }
    for (const auto& [name, benchmark] : all.commands) {
        auto tree = directory_tree(benchmark.command, benchmark_path(benchmark));
        if (!tree)
            co_return tl::unexpected(std::move(tree.error()));
        entries.insert(entries.end(), tree->begin(), tree->end());
    }
    image.base = *logs / "base.img";
    if (auto written = write_initramfs(std::move(entries), image.base); !written)
        co_return tl::unexpected(std::move(written.error()));
    co_return image;
}

} // namespace kmatrix
