// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/axis.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/text.h"
#include "matrix/suggest.h"

namespace kmatrix {
namespace {

// The GIC of QEMU's virt machine takes 512; x86_64 needs an interrupt remapping IOMMU above 255.
constexpr int most_vcpus = 255;
// Both architectures cut the command line at 2,048 bytes, and kmatrix puts its own part before
// this.
constexpr std::size_t longest_cmdline = 1024;
constexpr std::size_t longest_path = 1024;

std::optional<std::string> set_arch(Axes& axes, const std::string& value) {
    for (const Arch arch : {Arch::x86_64, Arch::arm64}) {
        if (value == to_string(arch)) {
            axes.arch = arch;
            return std::nullopt;
        }
    }
    std::string hint = did_you_mean(value, {"x86_64", "arm64"});
    if (value == "aarch64")
        hint = "; did you mean \"arm64\"?";
    else if (value == "amd64" || value == "x86" || value == "x64")
        hint = "; did you mean \"x86_64\"?";
    return "expected \"x86_64\" or \"arm64\"" + hint;
}

// A fragment's name is a part of file names (its own and those of results), hence the alphabet.
bool is_fragment_name(std::string_view name) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-';
    };
    return !name.empty() && name.size() <= 64 && name.front() != '-' &&
           std::all_of(name.begin(), name.end(), plain);
}

bool is_config_path(std::string_view part) {
    return part.find('/') != std::string_view::npos && part.back() != '/' &&
           part.size() <= longest_path && trim(part) == part && printable(part) == part &&
           part.find('\n') == std::string_view::npos;
}

std::optional<std::string> set_config(Axes& axes, const std::string& value) {
    std::vector<std::string> parts = split(value, '+');
    for (const std::string& part : parts)
        if (!is_fragment_name(part) && !is_config_path(part))
            return "expected names of fragments in kconfigs/ joined by '+', as \"default+debug\", "
                   "or paths with a '/' in them";
    for (const char* base : {"tinyconfig", "defconfig"})
        if (std::find(parts.begin() + 1, parts.end(), base) != parts.end())
            return fmt::format("{} is what fragments are put over, expected it first", base);
    std::sort(parts.begin(), parts.end());
    const auto twice = std::adjacent_find(parts.begin(), parts.end());
    if (twice != parts.end())
        return fmt::format("names \"{}\" twice, expected each fragment once", printable(*twice));
    axes.config = value;
    return std::nullopt;
}

std::optional<std::string> set_vcpus(Axes& axes, const std::string& value) {
    int number = 0;
    const char* end = value.data() + value.size();
    const auto [rest, error] = std::from_chars(value.data(), end, number);
    if (error != std::errc() || rest != end || number < 1 || number > most_vcpus)
        return fmt::format("expected a number of CPUs from 1 to {}", most_vcpus);
    axes.vcpus = number;
    return std::nullopt;
}

std::optional<std::string> set_compiler(Axes& axes, const std::string& value) {
    if (value != "gcc" && value != "clang")
        return "expected \"gcc\" or \"clang\"" + did_you_mean(value, {"gcc", "clang"});
    axes.compiler = value;
    return std::nullopt;
}

std::optional<std::string> set_cmdline(Axes& axes, const std::string& value) {
    const auto printing = [](char c) { return c >= ' ' && c <= '~'; };
    if (value.size() > longest_cmdline || !std::all_of(value.begin(), value.end(), printing))
        return fmt::format("expected at most {} printable ASCII characters on one line",
                           longest_cmdline);
    if (trim(value) != value)
        return "expected no space at either end";
    axes.cmdline = value;
    return std::nullopt;
}

std::string arch_of(const Axes& axes) {
    return std::string(to_string(axes.arch));
}
std::string vcpus_of(const Axes& axes) {
    return std::to_string(axes.vcpus);
}
std::string compiler_of(const Axes& axes) {
    return axes.compiler;
}
std::string cmdline_of(const Axes& axes) {
    return axes.cmdline;
}
std::string config_of(const Axes& axes) {
    return axes.config;
}
std::string config_name_of(const Axes& axes) {
    return config_name(axes.config);
}

constexpr std::array axes_known{
    Axis{"arch", false, arch_of, arch_of, set_arch},
    Axis{"config", false, config_of, config_name_of, set_config},
    Axis{"vcpus", true, vcpus_of, vcpus_of, set_vcpus},
    Axis{"compiler", false, compiler_of, compiler_of, set_compiler},
    Axis{"cmdline", false, cmdline_of, cmdline_of, set_cmdline},
};

} // namespace

std::span<const Axis> all_axes() {
    return axes_known;
}

const Axis* find_axis(std::string_view name) {
    for (const Axis& axis : axes_known)
        if (axis.name == name)
            return &axis;
    return nullptr;
}

std::vector<std::string> axis_names() {
    std::vector<std::string> names;
    for (const Axis& axis : axes_known)
        names.emplace_back(axis.name);
    return names;
}

} // namespace kmatrix
