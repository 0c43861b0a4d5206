// SPDX-License-Identifier: GPL-2.0-only
// Each testdata/*.console holds what is to be found, a "---", and the console: one more format is
// one more file. Expectations are written by hand:
//   line N | class | title | function or -
// Lines with '#' in front say what the case is about.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "places.h"
#include "results/console/scanner.h"

namespace kmatrix {
namespace {

struct Golden {
    std::vector<std::string> expected;
    std::string console;
};

Golden read_golden(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    Golden golden;
    std::string line;
    while (std::getline(file, line) && line != "---") {
        if (!line.starts_with('#')) {
            golden.expected.push_back(line);
        }
    }
    std::ostringstream rest;
    rest << file.rdbuf();
    golden.console = rest.str();
    return golden;
}

std::string row(const Finding& finding) {
    return "line " + std::to_string(finding.line) + " | " + finding.klass + " | " + finding.title +
           " | " + (finding.function.empty() ? "-" : finding.function);
}

std::vector<std::string> rows(const std::vector<Finding>& findings) {
    std::vector<std::string> result;
    result.reserve(findings.size());
    for (const auto& finding : findings) {
        result.push_back(row(finding));
    }
    return result;
}

class ConsoleGolden : public testing::TestWithParam<std::string> {};

TEST_P(ConsoleGolden, IsFoundAsWritten) {
    const auto golden = read_golden(std::filesystem::path(KMATRIX_SOURCE_DIR) /
                                    "results/console/testdata" / GetParam());
    ASSERT_FALSE(golden.console.empty());
    EXPECT_EQ(rows(scan_console(golden.console)), golden.expected);
}

// The same whatever the pieces are in which a console arrives.
TEST_P(ConsoleGolden, IsFoundInPieces) {
    const auto golden = read_golden(std::filesystem::path(KMATRIX_SOURCE_DIR) /
                                    "results/console/testdata" / GetParam());
    for (const std::size_t size : {1u, 7u, 64u}) {
        ConsoleScanner scanner;
        for (std::size_t at = 0; at < golden.console.size(); at += size) {
            scanner.feed(std::string_view(golden.console).substr(at, size));
        }
        scanner.finish();
        EXPECT_EQ(rows(scanner.findings()), golden.expected) << "pieces of " << size;
    }
}

// Serial consoles end lines with a carriage return as well.
TEST_P(ConsoleGolden, IsFoundWithCarriageReturns) {
    const auto golden = read_golden(std::filesystem::path(KMATRIX_SOURCE_DIR) /
                                    "results/console/testdata" / GetParam());
    std::string console;
    for (const char c : golden.console) {
        console += c == '\n' ? "\r\n" : std::string(1, c);
    }
    EXPECT_EQ(rows(scan_console(console)), golden.expected);
}

std::vector<std::string> golden_files() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(
             std::filesystem::path(KMATRIX_SOURCE_DIR) / "results/console/testdata")) {
        if (entry.path().extension() == ".console") {
            names.push_back(entry.path().filename().string());
        }
    }
    return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = std::filesystem::path(info.param).stem().string();
    for (char& c : name) {
        const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        c = word ? c : '_';
    }
    return name;
}

INSTANTIATE_TEST_SUITE_P(Files, ConsoleGolden, testing::ValuesIn(golden_files()), test_name);

} // namespace
} // namespace kmatrix
