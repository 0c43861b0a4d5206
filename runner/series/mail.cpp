// SPDX-License-Identifier: GPL-2.0-only
#include "runner/series/mail.h"

#include <cctype>

#include "base/text.h"
#include "results/gmime.h"

namespace kmatrix {
namespace {

using gmime::Object;

bool is_digit(std::string_view text, std::size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at]));
}

// git's is_from_line() asks for a time and, after it, a year: "From a Mon Sep 17 00:00:00 2001".
bool begins_mail(std::string_view line) {
    if (!line.starts_with("From "))
        return false;
    const std::size_t colon = line.rfind(':');
    if (colon == std::string_view::npos || colon < 7 || !is_digit(line, colon - 1) ||
        !is_digit(line, colon - 2) || !is_digit(line, colon + 1) || !is_digit(line, colon + 2))
        return false;
    for (std::size_t at = colon + 3; at + 4 <= line.size(); ++at)
        if (is_digit(line, at) && is_digit(line, at + 1) && is_digit(line, at + 2) &&
            is_digit(line, at + 3))
            return true;
    return false;
}

std::string_view take_line(std::string_view& text) {
    const std::size_t newline = text.find('\n');
    const std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    return line;
}

bool begins_diff(std::string_view line) {
    return line.starts_with("diff -") || line.starts_with("Index: ");
}

struct Body {
    std::string text;
    bool is_flowed = false; // where a diff is
};

bool has_diff_line(std::string_view text) {
    return begins_diff(text) || text.find("\ndiff -") != std::string_view::npos ||
           text.find("\n+++ ") != std::string_view::npos;
}

// The text parts of a mail one after the other: the body, and patches attached to it.
void add_part(GMimeObject*, GMimeObject* object, gpointer data) {
    if (!GMIME_IS_PART(object))
        return;
    GMimeContentType* type = g_mime_object_get_content_type(object);
    const bool is_text = g_mime_content_type_is_type(type, "text", "*") &&
                         !g_mime_content_type_is_type(type, "text", "html");
    const bool is_patch = g_mime_content_type_is_type(type, "application", "x-patch") ||
                          g_mime_content_type_is_type(type, "application", "mbox");
    if (!is_text && !is_patch)
        return;
    GMimeDataWrapper* content = g_mime_part_get_content(GMIME_PART(object)); // borrowed
    if (!content)
        return;
    const Object<GMimeStream> stream(g_mime_stream_mem_new());
    g_mime_data_wrapper_write_to_stream(content, stream.get());
    const GByteArray* bytes = g_mime_stream_mem_get_byte_array(GMIME_STREAM_MEM(stream.get()));
    auto* body = static_cast<Body*>(data);
    if (!body->text.empty() && !body->text.ends_with('\n'))
        body->text += '\n';
    const std::string_view part(reinterpret_cast<const char*>(bytes->data), bytes->len);
    body->text += part;
    const char* format = g_mime_content_type_get_parameter(type, "format");
    if (format && g_ascii_strcasecmp(format, "flowed") == 0 && has_diff_line(part))
        body->is_flowed = true;
}

// Where `git mailinfo` ends the message and begins the patch: "---" alone or before a file, or a
// diff's own first line.
void split_body(Mail& mail, const std::string& body) {
    std::string_view rest = body;
    while (!rest.empty()) {
        const std::string_view here = rest;
        const std::string_view line = take_line(rest);
        if (begins_diff(line) || line == "---" || line.starts_with("--- ")) {
            // A cover letter has a "---" too; only what leads to a file's diff is one.
            const bool has_file = begins_diff(here) || here.starts_with("--- ") ||
                                  here.find("\ndiff -") != std::string_view::npos ||
                                  here.find("\n--- ") != std::string_view::npos;
            if (!has_file)
                break;
            mail.text.assign(body, 0, body.size() - here.size());
            mail.diff = here;
            return;
        }
    }
    mail.text = body;
}

std::string without_carriage_returns(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        std::string_view line = take_line(text);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        result.append(line);
        result += '\n';
    }
    return result;
}

// Whether a terminal, a log or a commit would take it for more than a line of text: control
// characters (C0, DEL, C1) and those that turn the direction of writing (U+202A to E, U+2066 to 9).
bool has_control(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = [&](std::size_t at) {
            return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
        };
        const unsigned one = byte(i), two = byte(i + 1), three = byte(i + 2);
        if ((one < 0x20 && one != '\t') || one == 0x7f ||
            (one == 0xc2 && two >= 0x80 && two < 0xa0))
            return true;
        if (one == 0xe2 && ((two == 0x80 && three >= 0xaa && three <= 0xae) ||
                            (two == 0x81 && three >= 0xa6 && three <= 0xa9)))
            return true;
    }
    return false;
}

void look_at(Mail& mail, std::string_view header, std::string_view text) {
    if (mail.unwelcome.empty() && has_control(text))
        mail.unwelcome = std::string("its ").append(header) +
                         " holds an escape code, a line break or another control character";
}

// Decoded as text, whatever its syntax would make of it.
void look_at_header(Mail& mail, GMimeMessage* message, const char* header) {
    const char* value = g_mime_object_get_header(GMIME_OBJECT(message), header);
    if (!value)
        return;
    look_at(mail, header, value);
    const gmime::Text decoded(g_mime_utils_header_decode_text(nullptr, value));
    look_at(mail, header, decoded.get());
}

// A "From: Name <address>" as the body's first words: somebody sent another's patch on.
void read_own_from(Mail& mail) {
    std::string_view rest = mail.text;
    while (rest.starts_with('\n'))
        rest.remove_prefix(1);
    const std::string_view line = take_line(rest);
    if (line.starts_with("From: ") && line.find('@') != std::string_view::npos)
        mail.author = trim(line.substr(6));
    look_at(mail, "From", mail.author);
}

void add_addresses(InternetAddressList* list, std::vector<MailAddress>& addresses) {
    const int count = list ? internet_address_list_length(list) : 0;
    for (int i = 0; i < count; ++i) {
        InternetAddress* one = internet_address_list_get_address(list, i); // borrowed
        if (INTERNET_ADDRESS_IS_GROUP(one)) {
            add_addresses(internet_address_group_get_members(INTERNET_ADDRESS_GROUP(one)),
                          addresses);
            continue;
        }
        const char* name = internet_address_get_name(one);
        const char* address = internet_address_mailbox_get_addr(INTERNET_ADDRESS_MAILBOX(one));
        if (address && *address)
            addresses.push_back({printable(name ? name : ""), printable(address)});
    }
}

std::vector<MailAddress> addresses_of(InternetAddressList* list) {
    std::vector<MailAddress> addresses;
    add_addresses(list, addresses);
    return addresses;
}

std::string header_of(GMimeMessage* message, const char* name) {
    const char* value = g_mime_object_get_header(GMIME_OBJECT(message), name);
    return value ? std::string(trim(printable(value))) : std::string();
}

// RFC 5322, 3.6.4: an answer's references are its parent's, or else what that answered.
std::vector<std::string> references_of(GMimeMessage* message) {
    std::string header = header_of(message, "References");
    if (header.empty())
        header = header_of(message, "In-Reply-To");
    GMimeReferences* ids = g_mime_references_parse(nullptr, header.c_str());
    std::vector<std::string> references;
    references.reserve(static_cast<std::size_t>(g_mime_references_length(ids)));
    for (int i = 0; i < g_mime_references_length(ids); ++i)
        references.emplace_back(g_mime_references_get_message_id(ids, i));
    g_mime_references_free(ids);
    return references;
}

} // namespace

std::vector<std::string> split_mbox(std::string_view text) {
    std::vector<std::string> mails;
    bool escaped = false; // mboxrd
    bool is_mbox = false;
    bool first = true;
    const bool has_carriage_returns = text.substr(0, text.find('\n')).ends_with('\r');
    while (!text.empty()) {
        std::string_view line = take_line(text);
        if (has_carriage_returns && line.ends_with('\r'))
            line.remove_suffix(1);
        if (first) {
            is_mbox = begins_mail(line);
            escaped = line.starts_with("From mboxrd@z ");
            if (!is_mbox)
                mails.emplace_back();
            first = false;
        }
        if (is_mbox && begins_mail(line)) {
            mails.emplace_back();
            continue;
        }
        if (escaped && line.starts_with('>') &&
            line.substr(line.find_first_not_of('>') == std::string_view::npos
                            ? line.size()
                            : line.find_first_not_of('>'))
                .starts_with("From "))
            line.remove_prefix(1);
        mails.back().append(line);
        mails.back() += '\n';
    }
    return mails;
}

Mail parse_mail(const std::string& text) {
    gmime::start();
    Mail mail;
    mail.sha256 = sha256(text);
    mail.raw = text;
    const Object<GMimeStream> stream(g_mime_stream_mem_new_with_buffer(text.data(), text.size()));
    const Object<GMimeParser> parser(g_mime_parser_new_with_stream(stream.get()));
    const Object<GMimeMessage> message(g_mime_parser_construct_message(parser.get(), nullptr));
    if (!message)
        return mail;
    look_at_header(mail, message.get(), "Subject");
    look_at_header(mail, message.get(), "From");
    if (const char* subject = g_mime_message_get_subject(message.get())) {
        look_at(mail, "Subject", subject);
        mail.subject = trim(printable(subject));
    }
    if (const char* id = g_mime_message_get_message_id(message.get()))
        mail.message_id = printable(id);
    InternetAddressList* from = g_mime_message_get_from(message.get()); // borrowed
    if (from && internet_address_list_length(from) > 0) {
        const gmime::Text words(internet_address_list_to_string(from, nullptr, FALSE));
        mail.author = words.get();
        look_at(mail, "From", mail.author);
    }
    if (const std::vector<MailAddress> senders = addresses_of(from); !senders.empty())
        mail.from = senders.front();
    mail.to = addresses_of(g_mime_message_get_to(message.get()));
    mail.cc = addresses_of(g_mime_message_get_cc(message.get()));
    mail.date = header_of(message.get(), "Date");
    mail.references = references_of(message.get());
    Body body;
    g_mime_message_foreach(message.get(), add_part, &body);
    if (std::string_view(body.text).substr(0, body.text.find('\n')).ends_with('\r'))
        body.text = without_carriage_returns(body.text);
    split_body(mail, body.text);
    mail.is_flowed = body.is_flowed && !mail.diff.empty();
    read_own_from(mail);
    mail.author = printable(mail.author);
    return mail;
}

bool is_bare_diff(std::string_view text) {
    while (text.starts_with('\n') || text.starts_with("\r\n"))
        take_line(text);
    return begins_diff(text) || text.starts_with("--- ");
}

} // namespace kmatrix
