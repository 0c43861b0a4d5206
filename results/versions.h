// SPDX-License-Identifier: GPL-2.0-only
// Whether two series are versions of one. Pure: of what their mails say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/model.h"

namespace kmatrix {

// What of a series may tell that.
struct SeriesIdentity {
    int version = 1;
    std::string change_id;               // as its mails have it; may be empty, as all of the rest
    std::string subject;                 // of its first mail: in small letters, single spaces
    std::string author;                  // the address alone, in small letters
    std::string message_id;              // of its first mail
    std::vector<std::string> references; // of its first mail
};

SeriesIdentity identity_of(const SeriesInfo& series);

// Why the two are versions of one series, as a clause: "both have the change-id x". Nothing: they
// are not, or nobody can tell. Two change-ids decide, whatever else is alike. Else author and
// subject must be the same; or one names the other's first mail in its References and one of those
// two is the same (a series is also sent as an answer to another one that it needs).
std::optional<std::string> why_one_series(const SeriesIdentity& one, const SeriesIdentity& other);

// "v2 was tested here on 2026-01-31: Nothing regressed; ...".
std::string sentence(const EarlierVersion& earlier);

} // namespace kmatrix
