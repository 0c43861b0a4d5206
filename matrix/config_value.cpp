// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/config_value.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "base/text.h"
#include "matrix/suggest.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;

bool is_path(std::string_view part) {
    return part.find('/') != std::string_view::npos;
}

// The parts that are names of fragments, without a base.
std::vector<std::string> fragment_names(std::string_view config) {
    std::vector<std::string> parts = split(config, '+');
    if (parts.front() == "tinyconfig" || parts.front() == "defconfig")
        parts.erase(parts.begin());
    std::erase_if(parts, is_path);
    return parts;
}

bool is_there(const std::vector<std::string>& fragments, std::string_view file) {
    return std::find(fragments.begin(), fragments.end(), file) != fragments.end();
}

} // namespace

Result<std::vector<std::string>> fragments_in(const fs::path& kconfigs) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(kconfigs, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().extension() == ".config")
            names.push_back(entry->path().stem().string());
    if (error)
        return infrastructure_error(fmt::format("{}: the folder of the config fragments cannot be "
                                                "read: {}",
                                                kconfigs.string(), error.message()));
    std::sort(names.begin(), names.end());
    return names;
}

std::string resolve_config(std::string_view config, const fs::path& directory) {
    std::vector<std::string> parts = split(config, '+');
    for (std::string& part : parts)
        if (is_path(part))
            part = fs::absolute(directory / part).lexically_normal().string();
    return join(parts, "+");
}

std::optional<std::string> missing_in_config(std::string_view config,
                                             const std::vector<std::string>& fragments) {
    for (const std::string& part : split(config, '+')) {
        std::error_code error;
        if (is_path(part) && !fs::is_regular_file(part, error))
            return fmt::format("there is no file {}", part);
    }
    std::vector<std::string> names; // of any architecture
    for (const std::string& file : fragments)
        names.push_back(split(file, '.').front());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    for (const std::string& name : fragment_names(config))
        if (!is_there(names, name))
            return fmt::format("there is no fragment {}.config{} (there are {})", name,
                               did_you_mean(name, names), join(names, ", "));
    return std::nullopt;
}

std::optional<std::string> missing_for_arch(std::string_view config, Arch arch,
                                            const std::vector<std::string>& fragments) {
    for (const std::string& name : fragment_names(config))
        if (!is_there(fragments, name) &&
            !is_there(fragments, fmt::format("{}.{}", name, to_string(arch))))
            return fmt::format("the fragment {} is not for {}: there is neither {}.config nor "
                               "{}.{}.config",
                               name, to_string(arch), name, name, to_string(arch));
    return std::nullopt;
}

} // namespace kmatrix
