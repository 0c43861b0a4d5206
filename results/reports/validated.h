// SPDX-License-Identifier: GPL-2.0-only
// JSON held against a schema by an implementation that is not kmatrix's own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

#include <gmock/gmock.h>

#include "base/command.h"
#include "base/files.h"
#include "places.h"

namespace kmatrix::example {

// `strict`: fields that the schema does not name are faults too.
inline void expect_valid_json(const std::string& json, const std::filesystem::path& schema,
                              bool strict) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                       ("kmatrix-json-" + std::to_string(::getpid()) + ".json");
    ASSERT_TRUE(write_file(file, json));
    Command validate;
    validate.argv = {"python3", std::string(KMATRIX_SOURCE_DIR) + "/tests/validate_json.py"};
    if (strict)
        validate.argv.emplace_back("--strict");
    validate.argv.push_back(schema.string());
    validate.argv.push_back(file.string());
    const auto exit = run_blocking(validate);
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_TRUE(exit->ok()) << exit->tail;
    std::filesystem::remove(file);
}

} // namespace kmatrix::example
