// SPDX-License-Identifier: GPL-2.0-only
// b4 itself, against a web server on loopback that has what a public-inbox serves for a thread.
#include "runner/series/fetch.h"

#include <cstdlib>
#include <fstream>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/detached.hpp>
#include <gmock/gmock.h>

#include "base/text.h"
#include "runner/series/series.h"
#include "runner/source/small_tree.h"

namespace kmatrix {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string understood(const std::string& text) {
    const auto mail = archived_mail(text, "https://lore.kernel.org/all");
    return mail ? mail->archive + " " + mail->message_id : "nothing";
}

TEST(Fetch, UnderstandsMessageIdsAndUrls) {
    EXPECT_EQ(understood("<2026.1-a@x.org>"), "https://lore.kernel.org/all 2026.1-a@x.org");
    EXPECT_EQ(understood("2026.1-a@x.org"), "https://lore.kernel.org/all 2026.1-a@x.org");
    for (const char* url : {"https://lore.kernel.org/linux-mm/2026.1-a@x.org/",
                            "https://lore.kernel.org/linux-mm/2026.1-a@x.org",
                            "https://lore.kernel.org/linux-mm/2026.1-a%40x.org/T/#u",
                            "https://lore.kernel.org/linux-mm/2026.1-a@x.org/t.mbox.gz"})
        EXPECT_EQ(understood(url), "https://lore.kernel.org/linux-mm 2026.1-a@x.org") << url;
    EXPECT_EQ(understood("http://127.0.0.1:8080/l/a%2Fb@x.org/"),
              "http://127.0.0.1:8080/l a/b@x.org");
}

TEST(Fetch, LeavesTheRestToOthers) {
    for (const char* text :
         {"topic@{1}", "@{u}", "a@b..c@d", "main..topic", "-x@y", "a@", "@b", "a b@c", "a@b@c",
          "<a@b", "https://lore.kernel.org/linux-mm/", "https://lore.kernel.org/r/%00@x.org/",
          "https://lore.kernel.org/l%s/a@b/", "https://u@h/l/a@b/", "ftp://h/l/a@b", "a@b\n--x",
          ""})
        EXPECT_EQ(understood(text), "nothing") << text;
}

TEST(Fetch, LeavesNoConfigurationToTheUser) {
    const Command command = fetch_command({"https://h/l", "a@b"}, "/d/e");
    EXPECT_TRUE(command.clean_environment);
    EXPECT_THAT(command.environment, Contains("HOME=/d/e"));
    EXPECT_THAT(command.environment, Contains("GIT_CONFIG_GLOBAL=/dev/null"));
    EXPECT_THAT(command.environment, Contains("GIT_CONFIG_VALUE_0=https://h/l/%s"));
    EXPECT_EQ(command.argv.back(), "a@b");
    EXPECT_EQ(*(command.argv.end() - 2), "--");
}

class FetchTest : public SmallTree {
  protected:
    // Threads as the archive has them: PATH below the server's top, and the mails.
    void serve(const std::string& path, const std::string& mbox) const {
        const fs::path file = root_ / "www" / path / "t.mbox";
        fs::create_directories(file.parent_path());
        std::ofstream(file) << mbox;
        run_or_fail({"gzip", file.string()});
    }
    static void run_or_fail(std::vector<std::string> words) {
        Command command;
        command.argv = std::move(words);
        const auto exit = run_blocking(command);
        ASSERT_TRUE(exit && exit->ok());
    }

    // Reads the series while a server runs; %s in source is the server's address.
    Result<Series> read(const std::string& source) {
        const Repository opened = repository();
        asio::io_context context;
        asio::cancellation_signal stop;
        Result<Series> result = infrastructure_error("no server");
        Command server;
        server.argv = {"python3", "-u",        "-m",          "http.server",           "0",
                       "--bind",  "127.0.0.1", "--directory", (root_ / "www").string()};
        server.timeout = std::chrono::seconds(50);
        server.on_line = [&](std::string_view line) {
            const std::size_t at = line.find("(http://");
            if (at == std::string_view::npos)
                return;
            const std::string_view address = line.substr(at + 1, line.find("/)") - at - 1);
            std::string full = source;
            if (const std::size_t hole = full.find("%s"); hole != std::string::npos)
                full.replace(hole, 2, address);
            ::setenv("KMATRIX_ARCHIVE", (std::string(address) + "/all/").c_str(), 1);
            asio::co_spawn(context, read_then_stop(full, opened, result, stop), asio::detached);
        };
        fs::create_directories(root_ / "www");
        asio::co_spawn(context, run(server),
                       asio::bind_cancellation_slot(
                           stop.slot(), [](const std::exception_ptr&, const Result<Exit>&) {}));
        context.run();
        ::unsetenv("KMATRIX_ARCHIVE");
        return result;
    }

  private:
    static asio::awaitable<void> read_then_stop(std::string source, const Repository& repository,
                                                Result<Series>& result,
                                                asio::cancellation_signal& stop) {
        result = co_await read_series(source, repository);
        stop.emit(asio::cancellation_type::terminal);
    }
};

std::string mail_text(const std::string& id, const std::string& subject, const std::string& above,
                      const std::string& body, const std::string& from = "A <a@x.org>") {
    return "From mboxrd@z Thu Jan  1 00:00:00 1970\nFrom: " + from +
           "\nTo: list@x.org\nDate: Thu, 1 Jan 2026 10:00:00 +0000\nMessage-ID: <" + id +
           ">\nSubject: " + subject + "\n" +
           (above.empty() ? "" : "In-Reply-To: <" + above + ">\nReferences: <" + above + ">\n") +
           "\n" + body + "\n";
}

std::string patch_of(const std::string& word) {
    return "Words.\n---\ndiff --git a/fs/b.c b/fs/b.c\n--- a/fs/b.c\n+++ b/fs/b.c\n@@ -1 +1 "
           "@@\n-b\n+" +
           word + "\n";
}

TEST_F(FetchTest, TakesTheSeriesOfAMailOutOfItsThread) {
    const std::string thread =
        mail_text("c1@x.org", "[PATCH 0/1] all", "", "Words.\n") +
        mail_text("p1@x.org", "[PATCH 1/1] one", "c1@x.org", patch_of("first")) +
        mail_text("r1@x.org", "Re: [PATCH 1/1] one", "p1@x.org", patch_of("better"),
                  "B <b@x.org>") +
        mail_text("c2@x.org", "[PATCH v2 0/1] all", "c1@x.org", "Words.\n") +
        mail_text("p2@x.org", "[PATCH v2 1/1] one", "c2@x.org", patch_of("second"));
    for (const char* id : {"c1@x.org", "p2@x.org", "r1@x.org"})
        serve(std::string("all/") + id, thread);

    const auto first = read("<c1@x.org>");
    ASSERT_TRUE(first) << first.error().text();
    EXPECT_EQ(first->version, 1);
    EXPECT_EQ(first->message_id, "c1@x.org");
    ASSERT_EQ(first->patches.size(), 1u);
    EXPECT_THAT(first->patches[0].diff, HasSubstr("+first\n"));
    EXPECT_THAT(first->patches[0].letter.to, ElementsAre(MailAddress{"", "list@x.org"}));

    const auto second = read("%s/all/p2@x.org/");
    ASSERT_TRUE(second) << second.error().text();
    EXPECT_EQ(second->version, 2);
    EXPECT_THAT(second->patches.at(0).diff, HasSubstr("+second\n"));

    // An answer's id means the series that it answers, not the patch that it carries.
    const auto answered = read("r1@x.org");
    ASSERT_TRUE(answered) << answered.error().text();
    EXPECT_THAT(answered->patches.at(0).diff, HasSubstr("+first\n"));

    // What is kept of it is the same series.
    std::ofstream(root_ / "kept.mbox") << first->mbox;
    const auto kept = series((root_ / "kept.mbox").string());
    ASSERT_TRUE(kept) << kept.error().text();
    EXPECT_EQ(kept->patches.at(0).diff, first->patches[0].diff);
    EXPECT_EQ(kept->message_id, "c1@x.org");
    EXPECT_THAT(first->mbox, Not(HasSubstr("better")));
}

// The last of the forms that read_series_test.cpp has.
TEST_F(FetchTest, GivesTheSameTreeAsTheCommitsThatWereMailed) {
    branch("topic", "fs/a.c", with_line(numbers(40), "line 3\n", "three\n"));
    git(argv("checkout", "-q", "topic"));
    write("fs/b.c", "b\nFrom here on\n");
    commit("more\n\nFrom the start.");
    git(argv("checkout", "-q", "main"));
    std::string mails = git(argv("format-patch", "--stdout", "--cover-letter", "--thread=shallow",
                                 "--to=list@x.org", "main..topic"));
    constexpr std::string_view start = "\nMessage-Id: <";
    const std::size_t at = mails.find(start) + start.size();
    ASSERT_LT(at, mails.size());
    const std::string id = mails.substr(at, mails.find('>', at) - at);
    // As public-inbox writes mails: their own "From " lines quoted, each behind one of its own.
    std::string thread;
    for (const std::string& line : split(mails, '\n')) {
        const bool begins = line.starts_with("From ") && line.ends_with("Mon Sep 17 00:00:00 2001");
        const std::size_t quotes = line.find_first_not_of('>');
        const bool quote =
            !begins && quotes != std::string::npos && line.compare(quotes, 5, "From ") == 0;
        thread += begins  ? "From mboxrd@z Thu Jan  1 00:00:00 1970\n"
                  : quote ? ">" + line + "\n"
                          : line + "\n";
    }
    serve("all/" + id, thread);
    const auto fetched = read("<" + id + ">");
    ASSERT_TRUE(fetched) << fetched.error().text();
    const auto sources = apply(*fetched);
    ASSERT_TRUE(sources) << sources.error().text();
    EXPECT_EQ(sources->patched.id + "\n", git(argv("rev-parse", "topic^{tree}")));
    // And as a run keeps it.
    std::ofstream(root_ / "kept.mbox") << fetched->mbox;
    EXPECT_EQ(apply(*series((root_ / "kept.mbox").string()))->patched.id, sources->patched.id);
}

TEST_F(FetchTest, SaysThatTheArchiveHasNoSuchMail) {
    const auto none = read("none@x.org");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().blame, Blame::user);
    EXPECT_THAT(none.error().message, HasSubstr("no mail with the Message-ID none@x.org"));
}

TEST_F(FetchTest, SaysThatAnArchiveDoesNotAnswer) {
    const auto none = series("http://127.0.0.1:1/all/a@x.org/");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().blame, Blame::infrastructure);
    EXPECT_THAT(none.error().message, HasSubstr("could not fetch a@x.org"));
}

TEST_F(FetchTest, NamesThePackageOfB4) {
    const std::string path = std::getenv("PATH");
    ::setenv("PATH", "/nowhere", 1);
    const auto none = wait_for(fetch_thread({"https://h/l", "a@x.org"}));
    ::setenv("PATH", path.c_str(), 1);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().blame, Blame::user);
    EXPECT_THAT(none.error().message, HasSubstr("apt-get install b4"));
}

} // namespace
} // namespace kmatrix
