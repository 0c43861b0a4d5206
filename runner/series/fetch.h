// SPDX-License-Identifier: GPL-2.0-only
// Threads from a mail archive (public-inbox), fetched by b4.
#pragma once

#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/command.h"
#include "base/error.h"

namespace kmatrix {

// A mail in an archive.
struct ArchivedMail {
    std::string archive;    // "https://lore.kernel.org/all"
    std::string message_id; // without <>
};

// Of "<id@host>", "id@host" and "https://lore.kernel.org/LIST/id@host/" (escapes undone, whatever
// follows the id left out). An id alone is one of default_archive. Nothing: the text is none of
// these, and may be a file, a range or a branch ("topic@{1}", "a@b..c").
std::optional<ArchivedMail> archived_mail(const std::string& text,
                                          const std::string& default_archive);

// $KMATRIX_ARCHIVE (a lab's mirror), or lore.kernel.org's archive of all lists.
std::string default_archive();

// b4, told to write the mail's whole thread to directory/thread.mbox. Its configuration is all
// here: it finds no home, no git tree and no git configuration of user or system. Pure.
Command fetch_command(const ArchivedMail& mail, const std::string& directory);

// The thread as an mbox. Errors: b4 is not installed, or the archive has no such mail (the user's);
// the archive does not answer (infrastructure).
boost::asio::awaitable<Result<std::string>> fetch_thread(ArchivedMail mail);

} // namespace kmatrix
