// SPDX-License-Identifier: GPL-2.0-only
// A run as a draft of a reply to the series' mail, as people write them on a kernel list. kmatrix
// sends nothing: `git send-email FILE` does, when its reader is content with it.
//
// Trailers are as `git interpret-trailers` and b4 find them: one Tested-by at the end of a run that
// earned it, and no other line that either would take for one. The URL of the results stands after
// "Results:", since "Link:" would be taken into the commits.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/comparison/comparison.h"
#include "results/model.h"
#include "results/reports/mail_message.h"

namespace kmatrix {

struct ReplyOptions {
    MailAddress sender;
    std::string results_url;           // of the whole results; empty: not named
    bool samples = false;              // the samples behind each table
    std::size_t quoted_lines = 6;      // of the mail that is answered, at most
    std::optional<std::size_t> guilty; // the patch (from 1) that is known to be at fault
};

struct Reply {
    OutgoingMail mail;
    bool tested_by = false;
    std::vector<std::string> doubts; // why there is no Tested-by
    std::vector<std::string> gaps;   // what the sender must add by hand; a sentence each
};

// The comparison says something of the series: its outcome is not Outcome::infrastructure.
// guilty is none, or a patch of the series.
Reply draft_reply(const RunResult& run, const Comparison& comparison, const ReplyOptions& options);

// "Tested-by: Name <address> # x86_64, arm64 under QEMU/TCG".
std::string tested_by_line(const RunResult& run, const MailAddress& sender);

} // namespace kmatrix
