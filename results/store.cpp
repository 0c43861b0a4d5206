// SPDX-License-Identifier: GPL-2.0-only
#include "results/store.h"

#include <fmt/format.h>

#include "matrix/filter.h"
#include "matrix/read.h"
#include "results/json.h"
#include "results/seal.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace {

constexpr const char* info_name = "run.json";
constexpr const char* result_name = "result.json";
constexpr const char* incidents_name = "incidents.json";
constexpr const char* known_name = "known.json";

Result<fs::path> made(fs::path directory) {
    std::error_code error;
    fs::create_directories(directory, error);
    if (error)
        return infrastructure_error(
            fmt::format("{}: cannot be made: {}", directory.string(), error.message()));
    return directory;
}

fs::path build_folder(const BuildKey& key, Kernel kernel, int patches) {
    return fs::path("builds") /
           fmt::format("{}-{}-{}", to_string(key.arch), config_name(key.config), key.compiler) /
           (patches == 0 ? std::string(to_string(kernel)) : fmt::format("patch-{}", patches));
}

fs::path boot_folder(const std::string& boot_id) {
    return fs::path("cells") / boot_id;
}

Result<std::string> read_sealed(const fs::path& path) {
    return read_file(path).and_then([](const std::string& text) { return unsealed(text); });
}

// Reads a result if there is one; what is there and cannot be read is noted.
template <class T>
void add(std::vector<T>& results, const fs::path& path, Result<T> (*parse)(std::string_view),
         std::vector<std::string>& notes) {
    if (!fs::exists(path))
        return;
    Result<T> result = read_sealed(path).and_then(parse);
    if (result)
        results.push_back(std::move(*result));
    else
        notes.push_back(fmt::format("{}: not used: {}", path.string(), result.error().message));
}

Result<Matrix> matrix_of(const fs::path& directory, const RunInfo& info) {
    auto text = read_file(matrix_copy(directory));
    if (!text)
        return tl::unexpected(text.error());
    auto matrix = parse_matrix(*text, info.matrix_file);
    if (!matrix)
        return matrix;
    return chosen(std::move(*matrix), {info.only, info.tests, info.noise, info.shard});
}

} // namespace

Result<Store> Store::create(const fs::path& directory, const RunInfo& info,
                            std::string_view matrix_text) {
    if (is_run(directory))
        return user_error(fmt::format("{}: holds a run already; `kmatrix run --resume {}` goes on "
                                      "with it, another --out begins anew",
                                      directory.string(), directory.string()));
    Store store(directory);
    auto lock = FileLock::try_take(directory / "lock");
    if (!lock)
        return tl::unexpected(std::move(lock.error()));
    store.lock_ = std::move(*lock);
    remove_temporaries(directory);
    if (auto written = write_file(matrix_copy(directory), matrix_text); !written)
        return tl::unexpected(std::move(written.error()));
    // Last: with it the directory is a run.
    if (auto written = store.save(info); !written)
        return tl::unexpected(std::move(written.error()));
    return store;
}

Result<Store> Store::open(const fs::path& directory, bool for_writing) {
    if (!is_run(directory))
        return user_error(
            fmt::format("{}: holds no run (there is no run.json)", directory.string()));
    Store store(directory);
    if (for_writing) {
        auto lock = FileLock::try_take(directory / "lock");
        if (!lock)
            return tl::unexpected(std::move(lock.error()));
        store.lock_ = std::move(*lock);
        remove_temporaries(directory);
    }
    return store;
}

Result<fs::path> Store::build_directory(const BuildKey& key, Kernel kernel, int patches) const {
    return made(directory_ / build_folder(key, kernel, patches));
}

Result<fs::path> Store::selftests_directory(Arch arch) const {
    return made(directory_ / "selftests" / std::string(to_string(arch)));
}

Result<fs::path> Store::boot_directory(const std::string& boot_id) const {
    return made(directory_ / boot_folder(boot_id));
}

fs::path Store::relative(const fs::path& path) const {
    return path.lexically_relative(directory_);
}

Result<void> Store::save(const RunInfo& info) const {
    return write_file(directory_ / info_name, sealed(to_json(info)));
}

Result<void> Store::save(const BuildResult& build) const {
    return write_file(directory_ / build_folder(build.key, build.kernel, build.patches) /
                          result_name,
                      sealed(to_json(build)));
}

Result<void> Store::save(const BootResult& boot) const {
    return write_file(directory_ / boot_folder(boot.id) / result_name, sealed(to_json(boot)));
}

Result<void> Store::save_incidents(const RunResult& run) const {
    return write_file(directory_ / incidents_name, sealed(incidents_to_json(run)));
}

Result<void> Store::save(const Known& known) const {
    return write_file(directory_ / known_name, sealed(to_json(known)));
}

Result<void> Store::save_cell(const std::string& cell, std::string_view json) const {
    return write_file(directory_ / "cells" / cell / result_name, json);
}

Result<void> Store::save_report(const std::string& file_name, std::string_view text) const {
    return write_file(directory_ / file_name, text);
}

Result<void> Store::adopt(const Store& other) const {
    for (const char* part : {"builds", "selftests", "cells", kept_series}) {
        std::error_code error;
        if (!fs::exists(other.directory_ / part, error))
            continue;
        fs::copy(other.directory_ / part, directory_ / part,
                 fs::copy_options::recursive | fs::copy_options::skip_existing |
                     fs::copy_options::skip_symlinks,
                 error);
        if (error)
            return infrastructure_error(fmt::format("{}: cannot be copied to {}: {}",
                                                    (other.directory_ / part).string(),
                                                    directory_.string(), error.message()));
    }
    return {};
}

Result<RunResult> Store::load() const {
    const auto in_context = [&](Error error) { return std::move(error).in(directory_.string()); };
    RunResult run;
    auto info = read_info(directory_);
    if (!info) {
        info.error().message += fmt::format(
            "; without {} nothing here can be used: begin a new run, whose kernels come from the "
            "cache",
            info_name);
        return tl::unexpected(in_context(std::move(info.error())));
    }
    run.info = std::move(*info);
    auto matrix = matrix_of(directory_, run.info);
    if (!matrix)
        return tl::unexpected(in_context(std::move(matrix.error())));
    run.matrix = std::move(*matrix);

    if (fs::exists(directory_ / incidents_name)) {
        auto read = read_sealed(directory_ / incidents_name).and_then([&](const std::string& text) {
            return incidents_from_json(text, run);
        });
        if (!read)
            run.info.notes.push_back(
                fmt::format("{}: not used: {}", incidents_name, read.error().message));
    }

    std::vector<std::string>& notes = run.info.notes;
    if (fs::exists(directory_ / known_name)) {
        auto known = read_sealed(directory_ / known_name).and_then(known_from_json);
        if (known)
            run.known = std::move(*known);
        else
            notes.push_back(fmt::format("{}: not used: {}", known_name, known.error().message));
    }

    for (const BuildKey& key : plan(run.matrix).builds)
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
            add(run.builds, directory_ / build_folder(key, kernel, 0) / result_name,
                build_from_json, notes);
    for (int patches = 1; patches <= run.steps(); ++patches)
        for (const BuildKey& key : plan(run.matrix).builds)
            add(run.step_builds,
                directory_ / build_folder(key, Kernel::patched, patches) / result_name,
                build_from_json, notes);
    for (const PlannedBoot& boot : run.planned_step_boots())
        add(run.step_boots, directory_ / boot_folder(boot.id) / result_name, boot_from_json, notes);
    for (const PlannedBoot& boot : run.planned_boots())
        add(run.boots, directory_ / boot_folder(boot.id) / result_name, boot_from_json, notes);
    return run;
}

bool is_run(const fs::path& directory) {
    return fs::exists(directory / info_name);
}

Result<RunInfo> read_info(const fs::path& directory) {
    return read_sealed(directory / info_name).and_then(info_from_json);
}

fs::path matrix_copy(const fs::path& directory) {
    return directory / "matrix.toml";
}

Result<RunResult> load_run(const fs::path& directory) {
    return Store::open(directory, false).and_then([](const Store& store) { return store.load(); });
}

} // namespace kmatrix
