// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/mail_message.h"

#include <algorithm>

#include "base/text.h"
#include "results/gmime.h"
#include "results/reports/wrap.h"

namespace kmatrix {
namespace {

using gmime::Object;

bool is_plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char byte) {
        return byte > 0x20 && byte < 0x7F && byte != '<' && byte != '>';
    });
}

void add(GMimeMessage* message, GMimeAddressType type, const MailAddress& address) {
    if (!is_address(address.address))
        return;
    const std::string name = one_line(address.name);
    const Object<InternetAddress> mailbox(internet_address_mailbox_new(
        name.empty() ? nullptr : name.c_str(), address.address.c_str()));
    internet_address_set_charset(mailbox.get(), "utf-8");
    internet_address_list_add(g_mime_message_get_addresses(message, type), mailbox.get());
}

void set_ids(GMimeMessage* message, const char* header, const std::vector<std::string>& ids) {
    std::string value;
    for (const std::string& id : ids)
        if (!id.empty() && is_plain(id))
            value += (value.empty() ? "<" : " <") + id + ">";
    if (!value.empty())
        g_mime_object_set_header(GMIME_OBJECT(message), header, value.c_str(), nullptr);
}

} // namespace

bool is_address(std::string_view text) {
    const std::size_t at = text.find('@');
    return is_plain(text) && at != std::string_view::npos && at != 0 && at + 1 != text.size() &&
           text.find_first_of(",;:\"()[]\\") == std::string_view::npos;
}

std::vector<MailAddress> parse_addresses(std::string_view text) {
    gmime::start();
    const std::string line = one_line(text);
    std::vector<MailAddress> addresses;
    const Object<InternetAddressList> list(internet_address_list_parse(nullptr, line.c_str()));
    const int count = list ? internet_address_list_length(list.get()) : 0;
    for (int i = 0; i < count; ++i) {
        InternetAddress* one = internet_address_list_get_address(list.get(), i); // borrowed
        if (!INTERNET_ADDRESS_IS_MAILBOX(one))
            continue;
        const char* name = internet_address_get_name(one);
        const char* address = internet_address_mailbox_get_addr(INTERNET_ADDRESS_MAILBOX(one));
        if (address && is_address(address))
            addresses.push_back({printable(name ? name : ""), address});
    }
    return addresses;
}

std::string to_eml(const OutgoingMail& mail) {
    gmime::start();
    const std::string text = printable(mail.text);
    const bool ascii = std::all_of(text.begin(), text.end(),
                                   [](char byte) { return static_cast<signed char>(byte) >= 0; });

    const Object<GMimeMessage> message(g_mime_message_new(TRUE));
    add(message.get(), GMIME_ADDRESS_TYPE_FROM, mail.from);
    for (const MailAddress& address : mail.to)
        add(message.get(), GMIME_ADDRESS_TYPE_TO, address);
    for (const MailAddress& address : mail.cc)
        add(message.get(), GMIME_ADDRESS_TYPE_CC, address);
    g_mime_message_set_subject(message.get(), one_line(mail.subject).c_str(), "utf-8");
    set_ids(message.get(), "In-Reply-To", {mail.in_reply_to});
    set_ids(message.get(), "References", mail.references);

    const Object<GMimeTextPart> part(g_mime_text_part_new());
    g_mime_text_part_set_charset(part.get(), ascii ? "us-ascii" : "utf-8");
    const Object<GMimeStream> stream(g_mime_stream_mem_new_with_buffer(text.data(), text.size()));
    const Object<GMimeDataWrapper> content(
        g_mime_data_wrapper_new_with_stream(stream.get(), GMIME_CONTENT_ENCODING_DEFAULT));
    g_mime_part_set_content(GMIME_PART(part.get()), content.get());
    // Patches and tables are read as they are: no quoted-printable.
    g_mime_part_set_content_encoding(GMIME_PART(part.get()), ascii ? GMIME_CONTENT_ENCODING_7BIT
                                                                   : GMIME_CONTENT_ENCODING_8BIT);
    g_mime_message_set_mime_part(message.get(), GMIME_OBJECT(part.get()));

    const gmime::Text bytes(g_mime_object_to_string(GMIME_OBJECT(message.get()), nullptr));
    return bytes.get();
}

} // namespace kmatrix
