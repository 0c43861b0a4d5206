// SPDX-License-Identifier: GPL-2.0-only
// Which of the mails that came together are one series: archives and mailboxes hand over whole
// threads, with answers, other versions and the same mail twice.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "runner/series/series.h"
#include "runner/series/subject.h"

namespace kmatrix {

struct ThreadMail {
    SeriesMail from;
    MailSubject subject;

    std::string name() const; // for messages: "0002-x.patch (\"x\")"
};

// The mails of the series that the mail with this Message-ID belongs to: of its version, and, where
// a thread holds two, below its cover letter. An answer stands for the patch that it answers.
// Refused (Blame::user): there is no such mail, or it leads to no patch.
Result<std::vector<ThreadMail>> series_of(const std::string& message_id,
                                          std::vector<ThreadMail> thread);

// Leaves out, and notes: answers; the same mail, or the same patch sent again, a second time; a
// patch inside of an answer ("this on top?"); a patch for which "[PATCH v5.1 10/12]" came.
std::vector<ThreadMail> without_others(std::vector<ThreadMail> mails,
                                       std::vector<std::string>& notes);

} // namespace kmatrix
