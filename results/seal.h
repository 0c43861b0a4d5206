// SPDX-License-Identifier: GPL-2.0-only
// A checksum in the first line of a JSON file, which other programs read as one more field. Every
// field of a result has a default, so that without it a damaged name would pass for a field that is
// not there.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace kmatrix {

// The JSON object (text that begins "{\n") with the SHA-256 of that text as its first field. Pure.
std::string sealed(std::string_view json);

// The object as it was sealed; one without a seal, as earlier versions wrote them, as it is.
// Errors: the checksum is another. Pure.
Result<std::string> unsealed(std::string_view text);

} // namespace kmatrix
