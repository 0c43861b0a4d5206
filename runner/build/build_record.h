// SPDX-License-Identifier: GPL-2.0-only
// What the cache remembers of a build beside its files: DIRECTORY/build.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "results/model.h"

namespace kmatrix {

struct BuildRecord {
    std::vector<Warning> warnings;
    std::string compiler_version;
    std::string image_sha256;
    double seconds = 0;
    std::vector<std::string> notes;
    bool ccache = false;
    std::int64_t finished_s = 0; // Unix time
};

Result<void> write_record(const std::filesystem::path& directory, const BuildRecord& record);
Result<BuildRecord> read_record(const std::filesystem::path& directory);

} // namespace kmatrix
