// SPDX-License-Identifier: GPL-2.0-only
// Reading a matrix file. docs/matrix.md is the user's page on its format.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "matrix/matrix.h"

namespace kmatrix {

// Reads and checks a matrix file. `kconfigs` is the folder of the config fragments. Errors are the
// user's: the file cannot be read, is no TOML, or says something that cannot be meant; all that is
// wrong is listed, a line each: "file:line:column: key: what was found, what was expected".
Result<Matrix> read_matrix(const std::filesystem::path& file,
                           const std::filesystem::path& kconfigs);

// The same of a text; `file` is its name in messages, and paths in it are relative to its folder;
// they are made absolute. Without `kconfigs` the disk is not looked at: any fragment, config file
// and command may be there.
Result<Matrix> parse_matrix(std::string_view text, const std::filesystem::path& file,
                            const std::filesystem::path& kconfigs = {});

} // namespace kmatrix
