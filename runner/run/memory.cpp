// SPDX-License-Identifier: GPL-2.0-only
#include "runner/run/memory.h"

#include "base/command.h"
#include "base/files.h"
#include "results/comparison/noise.h"
#include "results/json.h"
#include "runner/history/history.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;

fs::path whole_path(const fs::path& directory) {
    return fs::absolute(directory).lexically_normal();
}

// Of a shard its verdict is one of a part.
std::string shard_verdict(const RunInfo& info, const std::string& verdict) {
    const std::string shard = to_string(info.shard);
    return shard.empty() ? verdict : "shard " + shard + " of it: " + verdict;
}

fs::path noise_file(const fs::path& state) {
    return state / "noise.json";
}

Result<std::vector<NoiseFloor>> read_noise(const fs::path& state) {
    if (!fs::exists(noise_file(state)))
        return std::vector<NoiseFloor>{};
    return read_file(noise_file(state))
        .and_then([](const std::string& text) { return known_from_json(text); })
        .map([](const Known& known) { return known.noise; })
        .map_error([&](Error error) { return std::move(error).in(noise_file(state).string()); });
}

Result<void> keep_noise(const std::vector<NoiseFloor>& floors, const fs::path& state) {
    std::error_code ignored; // the lock says it
    fs::create_directories(state, ignored);
    // Two A/A runs may end at once.
    auto lock = FileLock::take(state / "noise.lock");
    if (!lock)
        return tl::unexpected(std::move(lock.error()));
    auto known = read_noise(state);
    if (!known)
        return tl::unexpected(std::move(known.error()));
    for (const NoiseFloor& floor : floors)
        learn(*known, floor);
    return write_file(noise_file(state), to_json(Known{std::move(*known), {}, {}}));
}

// What the history knows: of tests, and of an earlier version of the series.
Result<void> recall_history(const RunResult& run, const fs::path& directory, const fs::path& state,
                            Known& known) {
    const std::vector<TestComparison> tests = compare_tests(run, compare_builds(run));
    auto history = History::open(state / history_file().filename());
    if (!history)
        return tl::unexpected(std::move(history.error()));
    auto failures = history->earlier(run.info, run.matrix, tests);
    if (!failures)
        return tl::unexpected(std::move(failures.error()));
    known.failures = std::move(*failures);
    auto earlier = history->earlier_version(run.info);
    if (!earlier)
        return tl::unexpected(std::move(earlier.error()));
    known.earlier_version = std::move(*earlier);
    if (known.earlier_version)
        known.earlier_version->command =
            shell_text({"kmatrix", "compare", known.earlier_version->directory,
                        whole_path(directory).string()});
    return {};
}

} // namespace

Recalled recall(const RunResult& run, const fs::path& directory, const fs::path& state) {
    Recalled recalled;
    // The A/A run that measures the noise knows nothing of it.
    if (auto noise = run.info.noise ? Result<std::vector<NoiseFloor>>{} : read_noise(state))
        recalled.known.noise = std::move(*noise);
    else
        recalled.warnings.push_back("the noise floors of this machine are not used: " +
                                    noise.error().message);
    if (auto read = recall_history(run, directory, state, recalled.known); !read)
        recalled.warnings.push_back("the history of tests is not used: " + read.error().message);
    return recalled;
}

std::vector<std::string> remember(const RunResult& run, const Comparison& comparison,
                                  const fs::path& directory, const fs::path& state) {
    std::vector<std::string> warnings;
    auto kept = History::open(state / history_file().filename()).and_then([&](History history) {
        return history.add(run.info, run.matrix, comparison.tests).and_then([&] {
            return history.add_version(run.info, whole_path(directory),
                                       shard_verdict(run.info, comparison.verdict));
        });
    });
    if (!kept)
        warnings.push_back("this run is not in the history of tests: " + kept.error().message);
    if (!run.info.noise)
        return warnings;
    const MeasuredNoise noise = measured_noise(run, comparison.latency);
    if (noise.floors.empty())
        return warnings;
    if (auto noted = keep_noise(noise.floors, state); !noted)
        warnings.push_back("the noise floors are not kept: " + noted.error().message);
    return warnings;
}

} // namespace kmatrix
