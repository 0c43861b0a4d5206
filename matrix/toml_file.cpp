// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/toml_file.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;

// Such a file is a page or two. toml++ bounds the nesting of values, but not that of dotted keys,
// and takes its tree apart recursively: some 50,000 levels overflow the stack.
constexpr std::uintmax_t longest_file_bytes = 256u << 10;
constexpr std::ptrdiff_t most_dots = 4096;

std::optional<Error> too_large(std::uintmax_t bytes, const std::string& name,
                               std::string_view kind) {
    if (bytes <= longest_file_bytes)
        return std::nullopt;
    return Error{Blame::user,
                 fmt::format("{}: {} bytes; expected a {} of at most {}", name, bytes, kind,
                             longest_file_bytes),
                 {},
                 {}};
}

} // namespace

Result<toml::table> parse_toml(std::string_view text, const std::string& name,
                               std::string_view kind) {
    if (std::optional<Error> error = too_large(text.size(), name, kind))
        return tl::unexpected(std::move(*error));
    if (std::count(text.begin(), text.end(), '.') > most_dots)
        return user_error(
            fmt::format("{}: more than {} dots; expected a {}", name, most_dots, kind));
    try {
        return toml::parse(text);
    } catch (const toml::parse_error& error) {
        const toml::source_position place = error.source().begin;
        return user_error(fmt::format("{}:{}:{}: not TOML: {}", name, place.line, place.column,
                                      printable(error.description())));
    }
}

Result<std::string> read_toml_file(const fs::path& file, std::string_view kind) {
    const std::string name = printable(file.string());
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (!fs::exists(status))
        return user_error(fmt::format("{}: there is no such {}", name, kind));
    if (!fs::is_regular_file(status)) // a device would never end
        return user_error(fmt::format("{}: expected a {}, and this is no file", name, kind));
    if (std::optional<Error> large = too_large(fs::file_size(file, error), name, kind))
        return tl::unexpected(std::move(*large));
    Result<std::string> text = read_file(file);
    if (!text)
        text.error().blame = Blame::user;
    return text;
}

} // namespace kmatrix
