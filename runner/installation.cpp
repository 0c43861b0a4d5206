// SPDX-License-Identifier: GPL-2.0-only
#include "runner/installation.h"

#include <cstdlib>

#include "places.h"

namespace kmatrix {
namespace fs = std::filesystem;

fs::path kconfigs_directory() {
    if (const char* set = std::getenv("KMATRIX_KCONFIGS"); set && *set)
        return set;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    fs::path installed = program.parent_path().parent_path() / "share/kmatrix/kconfigs";
    if (!error && fs::exists(installed, error))
        return installed;
    return fs::path(KMATRIX_SOURCE_DIR) / "kconfigs";
}

} // namespace kmatrix
