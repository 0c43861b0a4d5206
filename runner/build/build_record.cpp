// SPDX-License-Identifier: GPL-2.0-only
#include "runner/build/build_record.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files.h"

namespace kmatrix {
namespace {

constexpr const char* file_name = "build.json";

}

Result<void> write_record(const std::filesystem::path& directory, const BuildRecord& record) {
    nlohmann::json warnings = nlohmann::json::array();
    for (const Warning& warning : record.warnings)
        warnings.push_back({{"file", warning.file},
                            {"option", warning.option},
                            {"message", warning.message},
                            {"count", warning.count}});
    const nlohmann::json json = {{"warnings", warnings},
                                 {"compiler_version", record.compiler_version},
                                 {"image_sha256", record.image_sha256},
                                 {"seconds", record.seconds},
                                 {"notes", record.notes},
                                 {"ccache", record.ccache},
                                 {"finished_s", record.finished_s}};
    return write_file(directory / file_name, json.dump(1) + "\n");
}

Result<BuildRecord> read_record(const std::filesystem::path& directory) {
    const auto text = read_file(directory / file_name);
    if (!text)
        return tl::unexpected(text.error());
    try {
        const auto json = nlohmann::json::parse(*text);
        BuildRecord record;
        for (const auto& warning : json.at("warnings"))
            record.warnings.push_back({warning.at("file"), warning.at("option"),
                                       warning.at("message"), warning.at("count")});
        record.compiler_version = json.at("compiler_version");
        record.image_sha256 = json.at("image_sha256");
        record.seconds = json.at("seconds");
        record.notes = json.at("notes").get<std::vector<std::string>>();
        record.ccache = json.at("ccache");
        record.finished_s = json.at("finished_s");
        return record;
    } catch (const nlohmann::json::exception& e) {
        return infrastructure_error(fmt::format("{}: no record of a build: {}; remove {}",
                                                (directory / file_name).string(), e.what(),
                                                directory.string()));
    }
}

} // namespace kmatrix
