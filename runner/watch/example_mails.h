// SPDX-License-Identifier: GPL-2.0-only
// For tests: mails as git send-email sends them, and inboxes in memory and on disk.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "runner/series/mail.h"

namespace kmatrix::watch::example {

struct Post {
    std::string id, subject;
    std::string parents; // "<a@x> <b@x>": References
    std::string diff;    // of one file; empty: none
    std::string from = "Ada <ada@example.org>";
    std::string words = "Words.";
    std::string to = "linux-mm@example.org";
};

inline std::string diff_of(const std::string& path, const std::string& word) {
    return fmt::format(
        "diff --git a/{0} b/{0}\nindex 0123456..89abcde 100644\n--- a/{0}\n+++ b/{0}\n"
        "@@ -1,1 +1,1 @@\n-old\n+{1}\n",
        path, word);
}

inline std::string text_of(const Post& post) {
    std::string text = fmt::format("From: {}\nTo: {}\nDate: Thu, 1 Jan 2026 10:00:00 +0000\n"
                                   "Message-ID: <{}>\nSubject: {}\n",
                                   post.from, post.to, post.id, post.subject);
    if (!post.parents.empty())
        text += "References: " + post.parents + "\n";
    text += "\n" + post.words + "\n";
    if (!post.diff.empty())
        text += "---\n " + post.id + " | 2 +-\n\n" + post.diff + "-- \n2.39.5\n\n";
    return text;
}

inline Mail mail_of(const Post& post) {
    return parse_mail(text_of(post));
}

// A cover letter and two patches, of mm/ and fs/, in one thread. id: "a" gives a0@x to a2@x.
inline std::vector<Post> series(const std::string& id, int version = 1,
                                const std::string& parents = {}) {
    const std::string bracket = version == 1 ? "PATCH" : fmt::format("PATCH v{}", version);
    const std::string above = parents + (parents.empty() ? "" : " ") + "<" + id + "0@x>";
    return {
        {id + "0@x", fmt::format("[{} 0/2] mm: faster {}", bracket, id.substr(0, 1)), parents, {}},
        {id + "1@x", fmt::format("[{} 1/2] mm: one", bracket), above,
         diff_of("mm/mmap.c", id + " one")},
        {id + "2@x", fmt::format("[{} 2/2] fs: two", bracket), above,
         diff_of("fs/proc/base.c", id + " two")}};
}

} // namespace kmatrix::watch::example
