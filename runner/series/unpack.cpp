// SPDX-License-Identifier: GPL-2.0-only
#include "runner/series/unpack.h"

#include <array>
#include <memory>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {

bool is_gzip(std::string_view bytes) {
    return bytes.starts_with("\x1f\x8b");
}

Result<std::string> gunzip(std::string_view bytes, std::size_t limit_bytes) {
    const std::unique_ptr<archive, decltype(&archive_read_free)> reader(archive_read_new(),
                                                                        archive_read_free);
    const auto damaged = [&] {
        const char* why = archive_error_string(reader.get());
        return user_error(
            fmt::format("it cannot be unpacked: {}", printable(why ? why : "no gzip file")));
    };
    archive_read_support_filter_gzip(reader.get());
    archive_read_support_format_raw(reader.get());
    archive_entry* entry = nullptr;
    if (archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK ||
        archive_read_next_header(reader.get(), &entry) != ARCHIVE_OK ||
        archive_filter_code(reader.get(), 0) != ARCHIVE_FILTER_GZIP) // it takes the rest as it is
        return damaged();
    std::string text;
    std::array<char, 65536> buffer;
    while (true) {
        const la_ssize_t n = archive_read_data(reader.get(), buffer.data(), buffer.size());
        if (n < 0)
            return damaged();
        if (n == 0)
            return text;
        if (text.size() + static_cast<std::size_t>(n) > limit_bytes)
            return user_error(
                fmt::format("it unpacks to more than a series can be ({} MiB)", limit_bytes >> 20));
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

} // namespace kmatrix
