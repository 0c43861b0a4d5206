// SPDX-License-Identifier: GPL-2.0-only
#include "results/seal.h"

#include "base/text.h"

namespace kmatrix {
namespace {

constexpr std::string_view seal_object = "{\n";
constexpr std::string_view seal_before = "{\n \"sha256\": \"";
constexpr std::string_view seal_after = "\",\n";
constexpr std::size_t seal_digits = 64;

} // namespace

std::string sealed(std::string_view json) {
    if (!json.starts_with(seal_object))
        return std::string(json);
    std::string text(seal_before);
    text += sha256(json);
    text += seal_after;
    text += json.substr(seal_object.size());
    return text;
}

Result<std::string> unsealed(std::string_view text) {
    if (!text.starts_with(seal_before))
        return std::string(text);
    const std::size_t rest = seal_before.size() + seal_digits + seal_after.size();
    if (text.size() >= rest) {
        std::string json(seal_object);
        json += text.substr(rest);
        if (sealed(json) == text)
            return json;
    }
    return infrastructure_error("its checksum is not that of its content: it was damaged, or "
                                "edited by hand");
}

} // namespace kmatrix
