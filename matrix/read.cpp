// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/read.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/files.h"
#include "base/text.h"
#include "matrix/cells.h"
#include "matrix/config_value.h"
#include "matrix/points.h"
#include "matrix/sections.h"
#include "matrix/toml_reader.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;

// A matrix file is a page or two. toml++ bounds the nesting of values, but not that of dotted keys,
// and takes its tree apart recursively: some 50,000 levels overflow the stack.
constexpr std::uintmax_t longest_file_bytes = 256u << 10;
constexpr std::ptrdiff_t most_dots = 4096;

std::optional<Error> too_large(std::uintmax_t bytes, const std::string& name) {
    if (bytes <= longest_file_bytes)
        return std::nullopt;
    return Error{Blame::user,
                 fmt::format("{}: {} bytes; expected a matrix file of at most {}", name, bytes,
                             longest_file_bytes),
                 {},
                 {}};
}

Result<toml::table> parse_toml(std::string_view text, const std::string& name) {
    if (std::optional<Error> error = too_large(text.size(), name))
        return tl::unexpected(std::move(*error));
    if (std::count(text.begin(), text.end(), '.') > most_dots)
        return user_error(
            fmt::format("{}: more than {} dots; expected a matrix file", name, most_dots));
    try {
        return toml::parse(text);
    } catch (const toml::parse_error& error) {
        const Place place = error.source().begin;
        return user_error(fmt::format("{}:{}:{}: not TOML: {}", name, place.line, place.column,
                                      printable(error.description())));
    }
}

void refuse_unknown_sections(const toml::table& root, Complaints& complaints) {
    TableReader reader(root, "", complaints);
    for (const char* section :
         {"axes", "include", "exclude", "vm", "selftest", "benchmark", "gate"})
        reader.take(section);
    reader.finish();
}

} // namespace

Result<Matrix> parse_matrix(std::string_view text, const fs::path& file, const fs::path& kconfigs) {
    const std::string name = printable(file.string());
    Result<toml::table> root = parse_toml(text, name);
    if (!root)
        return tl::unexpected(std::move(root).error());
    Surroundings surroundings{file.parent_path(), std::nullopt};
    if (!kconfigs.empty()) {
        Result<std::vector<std::string>> names = fragments_in(kconfigs);
        if (!names)
            return tl::unexpected(std::move(names).error());
        surroundings.fragments = std::move(*names);
    }

    Complaints complaints;
    refuse_unknown_sections(*root, complaints);
    const std::vector<Point> points = read_points(*root, surroundings, complaints);
    const VmSection vm = read_vm(*root, complaints);
    const Gate gate = read_gate(*root, complaints);
    const std::vector<SelftestEntry> selftests = read_selftests(*root, complaints);
    const std::vector<BenchmarkEntry> benchmarks =
        read_benchmarks(*root, file.parent_path(), !kconfigs.empty(), complaints);
    Matrix matrix{file.stem().string(), file, {}, vm.vm, gate};
    matrix.cells = make_cells(points, selftests, benchmarks, vm, complaints);
    if (!complaints.empty())
        return tl::unexpected(complaints.error(name));
    return matrix;
}

Result<Matrix> read_matrix(const fs::path& file, const fs::path& kconfigs) {
    const std::string name = printable(file.string());
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (!fs::exists(status))
        return user_error(fmt::format("{}: there is no such matrix file", name));
    if (!fs::is_regular_file(status)) // a device would never end
        return user_error(fmt::format("{}: expected a matrix file, and this is no file", name));
    if (std::optional<Error> large = too_large(fs::file_size(file, error), name))
        return tl::unexpected(std::move(*large));
    Result<std::string> text = read_file(file);
    if (!text) {
        text.error().blame = Blame::user;
        return tl::unexpected(std::move(text).error());
    }
    return parse_matrix(*text, file, kconfigs);
}

} // namespace kmatrix
