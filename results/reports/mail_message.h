// SPDX-License-Identifier: GPL-2.0-only
// A mail that is still to be sent, and its bytes as `git send-email` takes them: RFC 5322, plain
// text, without Date and Message-ID, which are the sender's to give.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/model.h"

namespace kmatrix {

struct OutgoingMail {
    MailAddress from;
    std::vector<MailAddress> to, cc;
    std::string subject;                 // decoded
    std::string in_reply_to;             // without <>; may be empty
    std::vector<std::string> references; // without <>
    std::string text;                    // UTF-8
};

// Headers are encoded (RFC 2047) and folded. Whatever the values hold, they begin no header of
// their own: control characters become spaces, and what cannot be an address or a message id is
// left out.
std::string to_eml(const OutgoingMail& mail);

// "A. Name <a@example.org>, b@example.org".
std::vector<MailAddress> parse_addresses(std::string_view text);

// Something before an @ and something behind it, and nothing that ends an address.
bool is_address(std::string_view text);

} // namespace kmatrix
