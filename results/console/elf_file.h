// SPDX-License-Identifier: GPL-2.0-only
// What an ELF file of a kernel says of itself, by libelf.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace kmatrix {

struct ElfFile {
    unsigned machine = 0; // e_machine: EM_X86_64, EM_AARCH64, ... of <elf.h>
    // It has DWARF's table of lines: not stripped, and built with debugging information.
    bool has_lines = false;
    // Address and name of each symbol in code, as nm's "t" and "T" are; in the file's order. Empty
    // where there are no lines, since nobody needs them then.
    std::vector<std::pair<std::uint64_t, std::string>> functions;
};

// Errors: it cannot be read, or is no ELF file.
Result<ElfFile> read_elf(const std::filesystem::path& file);

} // namespace kmatrix
