// SPDX-License-Identifier: GPL-2.0-only
// Compressed mailboxes, as archives hand them out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace kmatrix {

bool is_gzip(std::string_view bytes);

// What a gzip file (RFC 1952, any number of members) holds. Errors (Blame::user): it is damaged or
// cut short, or holds more than limit_bytes; unpacking stops there.
Result<std::string> gunzip(std::string_view bytes, std::size_t limit_bytes);

} // namespace kmatrix
