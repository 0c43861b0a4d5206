// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/matrix.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {
namespace {

// May stand in a file name as it is.
bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_.,=-").find(c) != std::string_view::npos;
}

} // namespace

std::string_view to_string(Arch arch) {
    switch (arch) {
    case Arch::x86_64:
        return "x86_64";
    case Arch::arm64:
        return "arm64";
    }
    assert(false);
    return "";
}

std::string_view to_string(Kernel kernel) {
    switch (kernel) {
    case Kernel::baseline:
        return "baseline";
    case Kernel::patched:
        return "patched";
    }
    assert(false);
    return "";
}

std::string_view to_string(Accel accel) {
    switch (accel) {
    case Accel::automatic:
        return "auto";
    case Accel::kvm:
        return "kvm";
    case Accel::tcg:
        return "tcg";
    }
    assert(false);
    return "";
}

std::string_view to_string(Scanner scanner) {
    switch (scanner) {
    case Scanner::exec:
        return "exec";
    case Scanner::pread:
        return "pread";
    }
    assert(false);
    return "";
}

bool is_debug(std::string_view config) {
    const std::vector<std::string> parts = split(config, '+');
    return std::find(parts.begin(), parts.end(), "debug") != parts.end();
}

std::string config_name(std::string_view config) {
    std::vector<std::string> parts = split(config, '+');
    for (std::string& part : parts) {
        if (part.find('/') == std::string::npos)
            continue;
        part.erase(0, part.rfind('/') + 1);
        std::replace_if(part.begin(), part.end(), [](char c) { return !is_plain(c); }, '_');
    }
    return join(parts, "+");
}

int busy_vcpus(const Benchmark& benchmark) {
    return benchmark.command.empty() ? 1 + benchmark.busycpus : 0;
}

std::string cell_id(const Axes& axes) {
    std::string id = fmt::format("{}-{}-{}cpu-{}", to_string(axes.arch), config_name(axes.config),
                                 axes.vcpus, axes.compiler);
    if (axes.cmdline.empty())
        return id;
    constexpr std::size_t longest_slug = 48;
    std::string slug = axes.cmdline.substr(0, longest_slug);
    std::replace_if(slug.begin(), slug.end(), [](char c) { return !is_plain(c); }, '_');
    id += '-';
    id += slug;
    // Two command lines may have one slug; a digest of what was written keeps them apart.
    if (slug != axes.cmdline)
        id += fmt::format("-{}", sha256(axes.cmdline).substr(0, 8));
    return id;
}

const Cell* find_cell(const Matrix& matrix, std::string_view id) {
    const auto found = std::find_if(matrix.cells.begin(), matrix.cells.end(),
                                    [&](const Cell& cell) { return cell.id == id; });
    return found == matrix.cells.end() ? nullptr : &*found;
}

} // namespace kmatrix
