// SPDX-License-Identifier: GPL-2.0-only
// A TOML file that a person wrote, read with its limits: no device, no gigabytes, no nesting that
// overflows the stack.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <toml++/toml.h>

#include "base/error.h"

namespace kmatrix {

// kind: what the file should be, for messages: "matrix file". Errors are the user's.
Result<std::string> read_toml_file(const std::filesystem::path& file, std::string_view kind);

// `name` is the file's in messages: "name:line:column: not TOML: why".
Result<toml::table> parse_toml(std::string_view text, const std::string& name,
                               std::string_view kind);

} // namespace kmatrix
