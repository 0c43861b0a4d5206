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
constexpr std::size_t longest_config = 100;

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
    return !name.empty() && name.front() != '-' && std::all_of(name.begin(), name.end(), plain);
}

std::optional<std::string> set_config(Axes& axes, const std::string& value) {
    std::vector<std::string> parts = split(value, '+');
    if (value.size() > longest_config || !std::all_of(parts.begin(), parts.end(), is_fragment_name))
        return "expected names of fragments in kconfigs/ joined by '+', as \"default+debug\"";
    std::sort(parts.begin(), parts.end());
    const auto twice = std::adjacent_find(parts.begin(), parts.end());
    if (twice != parts.end())
        return fmt::format("names \"{}\" twice, expected each fragment once", *twice);
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

constexpr std::array axes_known{
    Axis{"arch", false, [](const Axes& a) { return std::string(to_string(a.arch)); }, set_arch},
    Axis{"config", false, [](const Axes& a) { return a.config; }, set_config},
    Axis{"vcpus", true, [](const Axes& a) { return std::to_string(a.vcpus); }, set_vcpus},
    Axis{"compiler", false, [](const Axes& a) { return a.compiler; }, set_compiler},
    Axis{"cmdline", false, [](const Axes& a) { return a.cmdline; }, set_cmdline},
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
