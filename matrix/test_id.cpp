// SPDX-License-Identifier: GPL-2.0-only
#include "matrix/test_id.h"

#include <charconv>

#include <fmt/format.h>

namespace kmatrix {
namespace {

constexpr std::string_view baseline_mark = "@baseline";

} // namespace

std::optional<TestName> parse_test_name(std::string_view text) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size() ||
        text.find_first_of(": \t", colon + 1) != std::string_view::npos) {
        return std::nullopt;
    }
    return TestName{std::string(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

std::string test_id(const TestId& id) {
    return fmt::format("{}:{}#{}{}", id.name.target, id.name.test, id.attempt,
                       id.origin == Kernel::baseline ? baseline_mark : "");
}

std::optional<TestId> parse_test_id(std::string_view id) {
    TestId result;
    if (id.ends_with(baseline_mark)) {
        result.origin = Kernel::baseline;
        id.remove_suffix(baseline_mark.size());
    }
    const auto hash = id.rfind('#');
    if (hash == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view attempt = id.substr(hash + 1);
    const char* const last = attempt.data() + attempt.size();
    const auto [end, error] = std::from_chars(attempt.data(), last, result.attempt);
    auto name = parse_test_name(id.substr(0, hash));
    if (error != std::errc() || end != last || result.attempt < 1 || !name) {
        return std::nullopt;
    }
    result.name = std::move(*name);
    return result;
}

} // namespace kmatrix
