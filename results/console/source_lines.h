// SPDX-License-Identifier: GPL-2.0-only
// Where in the source the frames of a splat are, by the vmlinux of that very build.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "results/console/finding.h"

namespace kmatrix {

// Appends " (mm/vma.c:123)" to the lines of findings that are frames of the kernel itself. Inlined
// functions come innermost first: "(include/linux/mm.h:77, mm/vma.c:123)". What is no frame,
// belongs to a module, or has no line in a vmlinux without debugging information stays as it is.
//
// addr2line of binutils does it, with the prefix of the architecture that vmlinux is for
// ("aarch64-linux-gnu-") where that is not the host's; it takes about a second for a kernel with
// debugging information, and is not asked without. `source` is what the compiler knew the source
// by; it is left out. Errors: vmlinux cannot be read, addr2line is missing or fails.
Result<std::vector<Finding>> with_source_lines(std::vector<Finding> findings,
                                               const std::filesystem::path& vmlinux,
                                               std::string_view source = "/src/");

// The parts, pure:

struct TextSymbol {
    std::uint64_t address = 0;
    std::uint64_t size = 0; // to the next symbol, as the kernel counts it; 0 for the last
};

// The functions of a kernel, from their addresses in any order. Static functions of one name are
// all kept.
std::multimap<std::string, TextSymbol>
with_sizes(std::vector<std::pair<std::uint64_t, std::string>> functions);

// The address to look up for a console's line that has a frame, "foo+0x1a/0x40". A return address
// is one past the call: 1 less is in it. Of several functions of that name the one of that size is
// meant.
std::optional<std::uint64_t> frame_address(std::string_view line,
                                           const std::multimap<std::string, TextSymbol>& symbols);

// What `addr2line -a -i` printed: for each address itself, then a line for each function that is
// inlined there, innermost first ("/src/include/linux/mm.h:77 (discriminator 2)"). Addresses
// without a line are left out.
std::map<std::uint64_t, std::string> parse_places(const std::vector<std::string>& lines,
                                                  std::string_view source);

} // namespace kmatrix
