// SPDX-License-Identifier: GPL-2.0-only
// How the results of a run lie on disk. Nothing else knows.
//
//   RUN/run.json                     RunInfo
//       matrix.toml                  the matrix file as it was
//       incidents.json               what failed for reasons of our own, and what was not run
//       series.mbox                  the series' mails, where they came from stdin or an archive
//       known.json                   what earlier runs had taught: RunResult::known
//       builds/x86_64-default-gcc/baseline/{build.log,result.json}
//       builds/x86_64-default-gcc/patch-2/...       with the first two patches: --each-patch
//       selftests/x86_64/...         logs of the selftest builds
//       cells/CELL/patched/functional/{console.log,transcript.jsonl,result.json}
//       cells/CELL/patched/smaps_rollup-3/...
//       cells/CELL/patch-2/functional/...
//       cells/CELL/result.json, junit.xml, report.txt, report.html    made from the above
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "results/model.h"

namespace kmatrix {

inline constexpr const char* kept_series = "series.mbox";

class Store {
  public:
    // A new run's directory, which must not hold a run yet.
    static Result<Store> create(const std::filesystem::path& directory, const RunInfo& info,
                                std::string_view matrix_text);
    // That of an earlier run. `for_writing` takes its lock, which one kmatrix at a time can have.
    static Result<Store> open(const std::filesystem::path& directory, bool for_writing);

    const std::filesystem::path& directory() const { return directory_; }

    // Where logs of a build or boot go; made if missing.
    Result<std::filesystem::path> build_directory(const BuildKey& key, Kernel kernel,
                                                  int patches = 0) const;
    Result<std::filesystem::path> selftests_directory(Arch arch) const;
    Result<std::filesystem::path> boot_directory(const std::string& boot_id) const;
    // A path below directory(), as results name it.
    std::filesystem::path relative(const std::filesystem::path& path) const;

    // Each is whole on disk when it returns.
    Result<void> save(const RunInfo& info) const;
    Result<void> save(const BuildResult& build) const;
    Result<void> save(const BootResult& boot) const;
    // RunResult::infrastructure and ::not_run.
    Result<void> save_incidents(const RunResult& run) const;
    Result<void> save(const Known& known) const;
    Result<void> save_cell(const std::string& cell, std::string_view json) const;
    Result<void> save_report(const std::string& file_name, std::string_view text) const;

    // Copies what another run's directory holds of builds, selftests, cells and the series, but for
    // files that are here already. Links are not followed, and left out.
    Result<void> adopt(const Store& other) const;

    // Everything that was saved, in the order of the matrix's plan. A result that cannot be read
    // is as if it had not been won, and noted in RunResult::info.notes.
    Result<RunResult> load() const;

  private:
    explicit Store(std::filesystem::path directory) : directory_(std::move(directory)) {}

    std::filesystem::path directory_;
    std::optional<FileLock> lock_;
};

// Whether a run was begun there.
bool is_run(const std::filesystem::path& directory);
// What was asked of a run, without its results. Errors: it cannot be read.
Result<RunInfo> read_info(const std::filesystem::path& directory);
// The matrix file as it was when that run began.
std::filesystem::path matrix_copy(const std::filesystem::path& directory);
// The results of a run, to be read only. Errors: there is no run.
Result<RunResult> load_run(const std::filesystem::path& directory);

} // namespace kmatrix
