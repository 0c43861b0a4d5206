// SPDX-License-Identifier: GPL-2.0-only
// What the fuzz targets share: a fault is an abort, which libFuzzer reports with its input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix::fuzz {

inline void expect(bool holds, const char* what) {
    if (holds)
        return;
    fmt::print(stderr, "does not hold: {}\n", what);
    std::abort();
}

inline void expect_printable(std::string_view text) {
    expect(printable(text) == text, "what is shown is printable");
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

// The input in two pieces, at a place that the input decides.
inline std::pair<std::string_view, std::string_view> halves(std::string_view text) {
    const std::size_t at = text.empty() ? 0 : static_cast<unsigned char>(text.back()) % text.size();
    return {text.substr(0, at), text.substr(at)};
}

} // namespace kmatrix::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
