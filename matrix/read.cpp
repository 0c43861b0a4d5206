// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/read.h"

#include <optional>

#include <toml++/toml.h>

#include "base/text.h"
#include "matrix/cells.h"
#include "matrix/config_value.h"
#include "matrix/points.h"
#include "matrix/sections.h"
#include "matrix/toml_file.h"
#include "matrix/toml_reader.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view file_kind = "matrix file";

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
    Result<toml::table> root = parse_toml(text, name, file_kind);
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
    Result<std::string> text = read_toml_file(file, file_kind);
    if (!text)
        return tl::unexpected(std::move(text).error());
    return parse_matrix(*text, file, kconfigs);
}

} // namespace kmatrix
