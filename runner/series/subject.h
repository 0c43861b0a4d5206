// SPDX-License-Identifier: GPL-2.0-only
// The subject line of a patch mail: "[PATCH net-next v3 02/10] net: fix it".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kmatrix {

struct MailSubject {
    std::string text;          // without "Re:" and without the brackets at its start
    bool is_reply = false;     // "Re:", "Aw:", "Fwd:" before the brackets
    bool is_patch = false;     // a bracket says PATCH or RFC
    int version = 1;           // of "v3" in a bracket
    int replaces = 0;          // the 1 of "v5.1": one patch of v5, sent once more
    std::optional<int> number; // the 2 of 02/10; 0 is the cover letter
    std::optional<int> total;  // the 10 of 02/10
};

// Brackets in brackets count as one ("[PATCH [RFC] v2 1/3]"); one that is never closed is text.
MailSubject parse_subject(std::string_view subject);

} // namespace kmatrix
