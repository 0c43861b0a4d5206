// SPDX-License-Identifier: GPL-2.0-only
// Values of the config axis, held against the disk. Their grammar is read_recipe()'s in
// kconfigs/fragments.h: parts joined by '+', of which the first may be a base.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "matrix/matrix.h"

namespace kmatrix {

// The files of a kconfigs folder without ".config": "default", "default.arm64".
Result<std::vector<std::string>> fragments_in(const std::filesystem::path& kconfigs);

// With its relative paths (parts with a '/' in them) taken from a folder and made absolute.
std::string resolve_config(std::string_view config, const std::filesystem::path& directory);

// What of it is on no disk, for any architecture: a sentence, or nothing.
std::optional<std::string> missing_in_config(std::string_view config,
                                             const std::vector<std::string>& fragments);

// What of it is there for another architecture only.
std::optional<std::string> missing_for_arch(std::string_view config, Arch arch,
                                            const std::vector<std::string>& fragments);

} // namespace kmatrix
