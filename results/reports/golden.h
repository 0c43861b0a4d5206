// SPDX-License-Identifier: GPL-2.0-only
// Golden files, which were read by a person. KMATRIX_UPDATE=1 writes them anew.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>

#include "base/files.h"
#include "places.h"

namespace kmatrix::example {

inline void expect_golden(const std::string& text, const std::string& name) {
    const std::filesystem::path golden =
        std::filesystem::path(KMATRIX_SOURCE_DIR) / "tests/golden" / name;
    if (std::getenv("KMATRIX_UPDATE")) {
        ASSERT_TRUE(write_file(golden, text));
        return;
    }
    const auto expected = read_file(golden);
    ASSERT_TRUE(expected) << expected.error().text();
    EXPECT_EQ(text, *expected);
}

} // namespace kmatrix::example
