// SPDX-License-Identifier: GPL-2.0-only
// Mails as `git format-patch` writes them and as mail programs and archives save them, as values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/model.h"

namespace kmatrix {

struct Mail {
    std::string subject;    // decoded (RFC 2047), as it is otherwise
    std::string author;     // "Name <address>", decoded; a "From:" at the body's start goes first
    std::string message_id; // without <>; may be empty
    std::string text;       // of the body, before the diff
    // What an answer needs; addresses decoded, groups taken apart.
    MailAddress from; // of the header, whatever the body says
    std::vector<MailAddress> to, cc;
    std::string date;                    // as the header has it
    std::vector<std::string> references; // without <>; of In-Reply-To where there are none
    std::string sha256;                  // of the mail as it was given
    std::string diff; // from the line where `git am` sees a patch begin; bytes; may be empty
    std::string raw;  // the mail as it was given
    // What no patch's mail may have: "its Subject holds an escape code or a line break" (encoded;
    // escape codes, control bytes and directional overrides). Empty: nothing.
    std::string unwelcome;
    bool is_flowed = false; // the part with the diff says format=flowed (RFC 3676)
};

// The mails of an mbox, as `git mailsplit` finds them: a line "From ... hh:mm:ss ... year" begins
// one. Text that does not begin with such a line is one mail. ">From " is undone where the mbox
// was written by public-inbox. Lines lose their CR if the first has one: a mail program put them
// there, and not a file that is patched.
std::vector<std::string> split_mbox(std::string_view text);

// Reads one mail with GMime: encoded words, base64, quoted-printable, multipart with attachments.
// A decoded body whose first line ends with a CR loses the CR of every line, as above.
Mail parse_mail(const std::string& text);

// Whether the text is a bare diff, without a mail around it.
bool is_bare_diff(std::string_view text);

} // namespace kmatrix
