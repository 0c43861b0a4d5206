// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "kconfigs/fragments.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace {

bool is_path(const std::string& part) {
    return part.find('/') != std::string::npos;
}

Result<std::string> read_user_file(const std::string& name, const std::string& part) {
    auto text = read_file(part);
    if (!text)
        return user_error(fmt::format("config \"{}\": {}", name, text.error().message));
    return text;
}

Result<void> add_fragment(ConfigRecipe& recipe, std::string_view text, const std::string& file) {
    auto fragment = parse_fragment(text, file);
    if (!fragment)
        return tl::unexpected(fragment.error());
    recipe.fragments.push_back(std::move(*fragment));
    return {};
}

std::string names_in(const fs::path& directory) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().extension() == ".config" && !entry->path().stem().has_extension())
            names.push_back(entry->path().stem());
    std::sort(names.begin(), names.end());
    return join(names, ", ");
}

Result<void> add_named(ConfigRecipe& recipe, const fs::path& directory, const std::string& part,
                       Arch arch) {
    bool any = false;
    for (const std::string& file :
         {part + ".config", fmt::format("{}.{}.config", part, to_string(arch))}) {
        std::error_code error;
        if (!fs::exists(directory / file, error))
            continue;
        any = true;
        const auto text = read_file(directory / file);
        if (!text)
            return tl::unexpected(text.error());
        if (auto added = add_fragment(recipe, *text, (directory.filename() / file).string());
            !added)
            return added;
    }
    if (!any)
        return user_error(fmt::format("config \"{}\": there is no {}.config for {} in {} (there "
                                      "are: {})",
                                      recipe.name, part, to_string(arch), directory.string(),
                                      names_in(directory)));
    return {};
}

} // namespace

Result<ConfigRecipe> read_recipe(const fs::path& directory, const std::string& name, Arch arch,
                                 std::vector<Fragment> selftests) {
    ConfigRecipe recipe{name, "tinyconfig", {}, std::move(selftests)};
    bool first = true;
    for (const std::string& part : split(name, '+')) {
        const bool is_base = std::exchange(first, false);
        Result<void> added;
        if (part.empty())
            return user_error(fmt::format("config \"{}\": a name in it is empty; names of "
                                          "kconfigs/ joined by '+' are expected",
                                          name));
        if (is_base && (part == "tinyconfig" || part == "defconfig")) {
            recipe.base_target = part;
        } else if (is_path(part)) {
            auto text = read_user_file(name, part);
            if (!text)
                return tl::unexpected(text.error());
            if (is_base) {
                recipe.base_target.clear();
                recipe.base_text = std::move(*text);
            } else {
                added = add_fragment(recipe, *text, part);
            }
        } else {
            added = add_named(recipe, directory, part, arch);
        }
        if (!added)
            return tl::unexpected(added.error());
    }
    return recipe;
}

} // namespace kmatrix
