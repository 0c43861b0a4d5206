// SPDX-License-Identifier: GPL-2.0-only
// What is written is read back with GMime's parser, and headers are looked at as bytes.
#include "results/reports/mail_message.h"

#include <gmock/gmock.h>

#include "base/text.h"
#include "results/gmime.h"

namespace kmatrix {
namespace {

using gmime::Object;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

OutgoingMail mail() {
    OutgoingMail mail;
    mail.from = {"A Tester", "tester@example.org"};
    mail.to = {{"A Developer", "dev@example.org"}};
    mail.subject = "Re: [PATCH] mm: x";
    mail.in_reply_to = "1@example.org";
    mail.references = {"0@example.org", "1@example.org"};
    mail.text = "Words.\n";
    return mail;
}

Object<GMimeMessage> parse(const std::string& eml) {
    const Object<GMimeStream> stream(g_mime_stream_mem_new_with_buffer(eml.data(), eml.size()));
    const Object<GMimeParser> parser(g_mime_parser_new_with_stream(stream.get()));
    return Object<GMimeMessage>(g_mime_parser_construct_message(parser.get(), nullptr));
}

std::vector<std::string> header_names(const std::string& eml) {
    const Object<GMimeMessage> message = parse(eml);
    GMimeHeaderList* list = g_mime_object_get_header_list(GMIME_OBJECT(message.get()));
    std::vector<std::string> names;
    for (int i = 0; i < g_mime_header_list_get_count(list); ++i)
        names.emplace_back(g_mime_header_get_name(g_mime_header_list_get_header_at(list, i)));
    return names;
}

MailAddress first(InternetAddressList* list) {
    InternetAddress* address = internet_address_list_get_address(list, 0);
    const char* name = internet_address_get_name(address);
    return {name ? name : "", internet_address_mailbox_get_addr(INTERNET_ADDRESS_MAILBOX(address))};
}

std::string body(const std::string& eml) {
    return eml.substr(eml.find("\n\n") + 2);
}

std::vector<std::string> header_lines(const std::string& eml) {
    return split(eml.substr(0, eml.find("\n\n")), '\n');
}

TEST(MailMessage, IsWhatSendEmailTakes) {
    EXPECT_EQ(to_eml(mail()), "From: A Tester <tester@example.org>\n"
                              "Subject: Re: [PATCH] mm: x\n"
                              "To: A Developer <dev@example.org>\n"
                              "In-Reply-To: <1@example.org>\n"
                              "References: <0@example.org> <1@example.org>\n"
                              "MIME-Version: 1.0\n"
                              "Content-Type: text/plain; charset=us-ascii\n"
                              "Content-Transfer-Encoding: 7bit\n"
                              "\n"
                              "Words.\n");
}

TEST(MailMessage, EncodesNamesAndSubjectsAndReadsThemBack) {
    OutgoingMail out = mail();
    out.from.name = "Jörg Prüfer";
    out.to = {{"Śliwa, Ż. \"Zed\"", "z@example.org"}};
    out.subject = "Re: [PATCH] mm: größer — 内存";
    const std::string eml = to_eml(out);
    for (const std::string& line : header_lines(eml))
        for (const char byte : line)
            ASSERT_GE(static_cast<signed char>(byte), 0x20) << line;
    const Object<GMimeMessage> read = parse(eml);
    EXPECT_EQ(first(g_mime_message_get_from(read.get())), out.from);
    EXPECT_EQ(first(g_mime_message_get_to(read.get())), out.to[0]);
    EXPECT_EQ(g_mime_message_get_subject(read.get()), out.subject);
}

TEST(MailMessage, FoldsLongHeadersAndReadsThemBack) {
    OutgoingMail out = mail();
    out.subject = "Re: [PATCH v12 00/42]";
    for (int i = 0; i < 40; ++i)
        out.subject += " subsystem" + std::to_string(i);
    for (int i = 0; i < 20; ++i) {
        out.cc.push_back({"A Maintainer of Part " + std::to_string(i),
                          "maintainer" + std::to_string(i) + "@example.org"});
        out.references.push_back("20260101000000.12345-" + std::to_string(i) + "-x@example.org");
    }
    const std::string eml = to_eml(out);
    EXPECT_THAT(header_lines(eml), Each(SizeIs(testing::Le(78u))));
    const Object<GMimeMessage> read = parse(eml);
    EXPECT_EQ(g_mime_message_get_subject(read.get()), out.subject);
    EXPECT_EQ(internet_address_list_length(g_mime_message_get_cc(read.get())), 20);
    GMimeReferences* ids = g_mime_references_parse(
        nullptr, g_mime_object_get_header(GMIME_OBJECT(read.get()), "References"));
    EXPECT_EQ(g_mime_references_length(ids), 22);
    g_mime_references_free(ids);
}

TEST(MailMessage, NothingOfItsValuesBecomesAHeader) {
    const std::vector<std::string> plain = header_names(to_eml(mail()));
    for (const std::string evil :
         {"x\nBcc: evil@example.org", "x\r\nBcc: evil@example.org", "x\rBcc: evil@example.org",
          "x\n\nBcc: evil@example.org", "x\vBcc: y\f\x1b[2J", "x\n Bcc: evil@example.org"}) {
        OutgoingMail out = mail();
        out.subject = evil;
        out.from.name = evil;
        out.to[0].name = evil;
        const std::string eml = to_eml(out);
        EXPECT_EQ(header_names(eml), plain) << eml;
        EXPECT_THAT(header_lines(eml), Each(Not(StartsWith("Bcc")))) << eml;
        EXPECT_EQ(body(eml), "Words.\n");
        for (const char byte : eml)
            EXPECT_TRUE(byte == '\n' || static_cast<unsigned char>(byte) >= 0x20) << eml;

        out = mail();
        out.to[0].address = "dev@example.org" + evil;
        out.cc = {{"", evil}};
        out.in_reply_to = evil;
        out.references = {evil, "good@example.org", "a b@c", "a>b@c"};
        const std::string with_addresses = to_eml(out);
        EXPECT_THAT(header_lines(with_addresses), Each(Not(HasSubstr("evil")))) << with_addresses;
        EXPECT_THAT(with_addresses, HasSubstr("References: <good@example.org>\n"));
        EXPECT_EQ(body(with_addresses), "Words.\n");
    }
}

TEST(MailMessage, KeepsTheBytesOfItsText) {
    OutgoingMail out = mail();
    out.text = "ein Maß: 50 µs = x\n\tFrom here\n.\n" + std::string(200, 'y') + "\n";
    const std::string eml = to_eml(out);
    EXPECT_THAT(eml, HasSubstr("charset=utf-8\nContent-Transfer-Encoding: 8bit\n"));
    EXPECT_EQ(body(eml), out.text);
}

TEST(MailMessage, ReadsAddresses) {
    EXPECT_THAT(parse_addresses("A. Name <a@example.org>, b@example.org, =?utf-8?q?J=C3=B6rg?= "
                                "<j@example.org>, no address"),
                ElementsAre(MailAddress{"A. Name", "a@example.org"},
                            MailAddress{"", "b@example.org"},
                            MailAddress{"Jörg", "j@example.org"}));
    EXPECT_THAT(parse_addresses(""), IsEmpty());
    EXPECT_TRUE(is_address("a+b@example.org"));
    for (const char* no : {"", "a", "@", "a@", "@b", "a b@c", "a@b>", "a@b,c@d", "a@b\n"})
        EXPECT_FALSE(is_address(no)) << no;
}

} // namespace
} // namespace kmatrix
