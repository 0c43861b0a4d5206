// SPDX-License-Identifier: GPL-2.0-only
// JSON and JUnit XML held against a schema by an implementation that is not kmatrix's own.
#pragma once

#include <cstdlib>
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

// The schema is other people's; where KMATRIX_JUNIT_XSD does not say where it is, xmllint still
// says whether it is XML.
inline void expect_valid_junit(const std::string& xml) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                       ("kmatrix-junit-" + std::to_string(::getpid()) + ".xml");
    ASSERT_TRUE(write_file(file, xml));
    Command lint;
    lint.argv = {"xmllint", "--noout", "--huge"};
    if (const char* schema = std::getenv("KMATRIX_JUNIT_XSD");
        schema && std::filesystem::exists(schema))
        lint.argv.insert(lint.argv.end(), {"--schema", schema});
    lint.argv.push_back(file.string());
    const auto exit = run_blocking(lint);
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_TRUE(exit->ok()) << exit->tail;
    std::filesystem::remove(file);
}

} // namespace kmatrix::example
