// SPDX-License-Identifier: GPL-2.0-only
// Which of the series that came are versions of one, and which are the same.
#pragma once

#include <string>
#include <vector>

#include "runner/series/series.h"
#include "runner/watch/queue.h"

namespace kmatrix::watch {

// Of one sender, and versions of one series by why_one_series() (results/versions.h), the subject
// without its brackets. The version number is not looked at.
bool is_one_series(const Entry& one, const Entry& other);

// The same for diffs that change the same lines of the same files in the same order, wherever
// those lines stand and whatever the mails around them say.
std::string digest_of(const std::vector<Patch>& patches);

// What b4 writes below a cover letter or a patch: "change-id: 20260101-words-0123456789ab".
std::string change_id_of(const Mail& mail);

} // namespace kmatrix::watch
