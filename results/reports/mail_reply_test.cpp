// SPDX-License-Identifier: GPL-2.0-only
// Drafts against golden files that were read by a person, and as git and b4 see them.
#include "results/reports/mail_reply.h"

#include <cstdlib>
#include <regex>

#include <unistd.h>

#include <gmock/gmock.h>

#include "base/command.h"
#include "base/files.h"
#include "base/text.h"
#include "results/reports/example_runs.h"
#include "results/reports/golden.h"
#include "results/reports/reply_finding.h"
#include "results/reports/wrap.h"

namespace kmatrix {
namespace {

namespace fs = std::filesystem;
using namespace example;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::string tested_by = "Tested-by: A Tester <tester@example.org> # x86_64 under QEMU/TCG";

ReplyOptions options() {
    ReplyOptions options;
    options.sender = {"A Tester", "tester@example.org"};
    return options;
}

Reply reply_to(const RunResult& run, const ReplyOptions& with = options()) {
    return draft_reply(run, compare(run), with);
}

class File {
  public:
    explicit File(const std::string& text)
        : path_(fs::temp_directory_path() /
                ("kmatrix-reply-" + std::to_string(::getpid()) + ".eml")) {
        EXPECT_TRUE(write_file(path_, text));
    }
    ~File() { fs::remove(path_); }
    std::string path() const { return path_.string(); }

  private:
    fs::path path_;
};

// What goes into a commit's message, by git itself.
std::string git_trailers(const Reply& reply) {
    const File file(to_eml(reply.mail));
    Command git;
    git.argv = {"git", "interpret-trailers", "--parse", file.path()};
    const auto exit = run_blocking(git);
    EXPECT_TRUE(exit && exit->ok());
    return exit ? exit->output : "";
}

// And by b4, which looks at every line: LoreMessage.find_trailers() of its __init__.py, for a
// follow-up.
std::vector<std::string> b4_trailers(const std::string& text) {
    static const std::regex trailer(R"(^\s*(\w\S+):\s+(\S.*))");
    static const std::regex person(R"(\S+@\S+\.\S+)");
    static const std::regex others("fixes|link|buglink|closes|obsoleted-by|change-id|base-commit",
                                   std::regex::icase);
    std::vector<std::string> found;
    for (const std::string& line : split(text, '\n')) {
        std::smatch match;
        if (std::regex_search(line, match, trailer) &&
            (std::regex_search(match[2].str(), person) || std::regex_match(match[1].str(), others)))
            found.push_back(line);
    }
    return found;
}

TEST(Reply, ToASeriesThatIsFaster) {
    const RunResult run = mailed(good_run());
    const Reply reply = reply_to(run);
    EXPECT_THAT(reply.doubts, IsEmpty());
    EXPECT_THAT(reply.gaps, IsEmpty());
    expect_golden(to_eml(reply.mail), "reply-faster.eml");
    EXPECT_EQ(git_trailers(reply), tested_by + "\n");
    EXPECT_THAT(b4_trailers(reply.mail.text), ElementsAre(tested_by));
}

TEST(Reply, WithTheSamplesAndAUrl) {
    ReplyOptions with = options();
    with.samples = true;
    with.results_url = "https://example.org/results.html?mail=a@example.org";
    const Reply reply = reply_to(mailed(good_run()), with);
    expect_golden(to_eml(reply.mail), "reply-samples.eml");
    EXPECT_THAT(reply.mail.text, HasSubstr("\nResults: https://example.org/"));
    EXPECT_THAT(reply.mail.text, Not(HasSubstr("Link:")));
    EXPECT_EQ(git_trailers(reply), tested_by + "\n");
}

TEST(Reply, ToASeriesThatBreaksSomething) {
    const Reply reply = reply_to(mailed(bad_run()));
    EXPECT_FALSE(reply.tested_by);
    expect_golden(to_eml(reply.mail), "reply-regressed.eml");
    EXPECT_EQ(git_trailers(reply), "");
    EXPECT_THAT(b4_trailers(reply.mail.text), IsEmpty());
    // The one patch that changes the kernel is at fault.
    EXPECT_EQ(reply.mail.subject, "Re: [PATCH v2 1/2] proc: one");
    EXPECT_EQ(reply.mail.in_reply_to, "one@example.org");
    EXPECT_THAT(reply.mail.references,
                ElementsAre("v1@example.org", "cover@example.org", "one@example.org"));
}

TEST(Reply, ToAKernelThatDoesNotBuild) {
    RunResult run = mailed(good_run());
    std::erase_if(run.boots, [](const BootResult& boot) { return boot.kernel == Kernel::patched; });
    hand_built::break_build(run, Kernel::patched, "mm/x.c:7:1: error: no\nmore of it");
    EXPECT_THAT(reply_to(run).mail.text,
                HasSubstr("The patched kernel does not build (x86_64 default gcc). The baseline\n"
                          "builds.\n"
                          "\n"
                          "| mm/x.c:7:1: error: no\n"
                          "| more of it\n"
                          "\n"
                          "Config: tinyconfig+default, gcc\n"));
}

TEST(Reply, ToAKernelThatDoesNotBoot) {
    RunResult run = mailed(good_run());
    run.boots[1].outcome = Panicked{"Attempted to kill init!"};
    run.boots[1].findings = {hand_built::finding("oops", "BUG: bad page in unmap_page_range")};
    run.boots[1].tests.clear();
    EXPECT_THAT(
        reply_to(run).mail.text,
        HasSubstr("On x86_64, 4 vCPUs, QEMU/TCG: the patched kernel panicked: Attempted to\n"
                  "kill init! (2 tests that baseline passes did not report). Of the baseline's\n"
                  "boots here 7 of 7 complete.\n"
                  "\n"
                  "BUG: bad page in unmap_page_range\n"
                  "\n"
                  "| first line of BUG: bad page in unmap_page_range\n"));
}

TEST(Reply, ToASeriesThatIsSlowerWhereThatGates) {
    RunResult run = mailed(good_run());
    run.matrix.gate.latency_emulated = true;
    for (BootResult& boot : run.boots)
        for (Sample& sample : boot.samples)
            sample.mean_ms *= boot.kernel == Kernel::patched ? 100 : 1;
    const Reply reply = reply_to(run);
    EXPECT_FALSE(reply.tested_by);
    EXPECT_THAT(reply.mail.text, HasSubstr("smaps_rollup is slower.\n\n"
                                           "smaps_rollup on x86_64: mmap/munmap calls 10 times "
                                           "slower, emulated\n"));
}

TEST(Reply, TellsOfWhatDoesNotGateAndOfWhatIsUndecided) {
    RunResult run = mailed(good_run());
    hand_built::build(run, Kernel::patched).warnings = {{"mm/x.c", "-Wx", "y", 1}};
    EXPECT_TRUE(reply_to(run).tested_by);
    EXPECT_THAT(reply_to(run).mail.text, HasSubstr("Worse with the series:\n- x86_64-default-4cpu-"
                                                   "gcc: a new compiler warning"));
    for (const std::size_t boot : {0, 1}) {
        hand_built::test(run.boots[boot], "flaky", Status::fail);
        hand_built::test(run.boots[boot], "flaky", Status::pass);
    }
    EXPECT_THAT(reply_to(run).mail.text, HasSubstr("Flaky: proc: flaky."));
    EXPECT_THAT(reply_to(run).mail.text, Not(HasSubstr("Tested-by")));
}

TEST(Reply, GoesToAllThatTheAuthorWroteTo) {
    RunResult run = mailed(good_run());
    run.info.series.cover->cc.push_back({"again", "ANDREW@example.org"});
    run.info.series.cover->cc.push_back({"broken", "no address"});
    const OutgoingMail mail = reply_to(run).mail;
    EXPECT_THAT(mail.to, ElementsAre(MailAddress{"A Developer", "dev@example.org"}));
    EXPECT_THAT(mail.cc, ElementsAre(MailAddress{"Andrew Maintainer", "andrew@example.org"},
                                     MailAddress{"", "linux-mm@example.org"},
                                     MailAddress{"Jörg Prüfer", "jp@example.org"}));
    EXPECT_EQ(mail.subject, "Re: [PATCH v2 0/2] proc: read less under the lock");
    EXPECT_THAT(mail.references, ElementsAre("v1@example.org", "cover@example.org"));
}

TEST(Reply, KnowsWhichPatchIsAtFaultOnlyWhereOneAloneCanBe) {
    SeriesInfo series = mailed(good_run()).info.series;
    EXPECT_EQ(guilty_patch(series), 1u);
    series.letters[1].files.emplace_back("mm/mmap.c");
    EXPECT_EQ(guilty_patch(series), std::nullopt);
    series.letters[0].files = {"Documentation/mm/x.rst", "MAINTAINERS"};
    EXPECT_EQ(guilty_patch(series), 2u);
    series.letters.clear();
    EXPECT_EQ(guilty_patch(series), std::nullopt);
    series.patches.resize(1);
    EXPECT_EQ(guilty_patch(series), 1u);

    RunResult run = mailed(bad_run());
    run.info.series.letters[1].files.emplace_back("mm/mmap.c");
    EXPECT_EQ(reply_to(run).mail.in_reply_to, "cover@example.org");
    ReplyOptions with = options();
    with.guilty = 2;
    EXPECT_EQ(reply_to(run, with).mail.in_reply_to, "two@example.org");
}

TEST(Reply, MakesDoWithARunThatKeptNoLetters) {
    RunResult run = good_run();
    run.info.series.message_id = "cover@example.org";
    const Reply reply = reply_to(run);
    EXPECT_EQ(reply.mail.subject, "Re: [PATCH 0/2] proc: read less under the lock");
    EXPECT_EQ(reply.mail.in_reply_to, "cover@example.org");
    EXPECT_THAT(reply.mail.to, ElementsAre(MailAddress{"A Developer", "dev@example.org"}));
    EXPECT_THAT(reply.mail.text, StartsWith("Linux 7.3.4"));
    EXPECT_THAT(reply.gaps, ElementsAre(HasSubstr("no list")));
    run.info.series.message_id.clear();
    EXPECT_THAT(reply_to(run).gaps, ElementsAre(HasSubstr("--in-reply-to"), HasSubstr("no list")));
    EXPECT_THAT(to_eml(reply_to(run).mail), Not(HasSubstr("In-Reply-To")));
}

TEST(Reply, IsSeventyFiveColumnsWide) {
    RunResult run = mailed(bad_run());
    run.boots[1].findings[0].lines.assign(50, std::string(300, 'x'));
    for (const Reply& reply : {reply_to(mailed(good_run())), reply_to(run)}) {
        for (const std::string& line : split(reply.mail.text, '\n')) {
            const bool is_whole = line.starts_with("| ") || line == tested_by;
            EXPECT_TRUE(is_whole || columns(line) <= 75) << line;
        }
    }
}

TEST(Reply, QuotesThirtyLinesOfASplatAndNoMore) {
    RunResult run = mailed(bad_run());
    std::vector<std::string>& lines = run.boots[1].findings[0].lines;
    const auto quoted = [&](std::size_t count) {
        lines.clear();
        for (std::size_t i = 0; i < count; ++i)
            lines.push_back("line " + std::to_string(i));
        std::size_t found = 0;
        for (const std::string& line : split(reply_to(run).mail.text, '\n'))
            found += line.starts_with("| ") ? 1 : 0;
        return found;
    };
    EXPECT_EQ(quoted(10), 10u);
    EXPECT_EQ(quoted(30), 30u);
    EXPECT_THAT(reply_to(run).mail.text, HasSubstr("| line 29\n"));
    EXPECT_EQ(quoted(31), 30u);
    EXPECT_THAT(reply_to(run).mail.text, HasSubstr("| line 28\n| [2 more lines]\n"));
    EXPECT_EQ(quoted(1000), 30u);
}

TEST(Reply, CarriesNoTrailerOfAnybodyElse) {
    const std::string evil = "Reviewed-by: Evil <evil@example.org>";
    RunResult run = mailed(bad_run());
    run.boots[1].findings[0].lines = {evil, "  " + evil, "Link: https://example.org", ""};
    run.boots[1].findings[0].title = evil;
    run.boots[1].tests[0].subtests[1].reason = evil;
    run.info.series.cover->text = evil + "\n";
    run.info.series.letters[0].text = evil + "\n";
    run.info.machine.host_cpu = "CPU\n" + evil + "\n";
    run.info.baseline_describe = "7\n" + evil + "\n\n" + evil;
    run.info.series.source = "a\n" + evil + "\n";
    const Reply bad = reply_to(run);
    EXPECT_EQ(git_trailers(bad), "");
    EXPECT_THAT(b4_trailers(bad.mail.text), IsEmpty()) << bad.mail.text;

    RunResult good = mailed(good_run());
    good.info.series.cover->text = evil + "\n";
    good.info.machine.host_cpu = std::string(50, 'x') + " " + evil;
    const Reply reply = reply_to(good);
    EXPECT_EQ(git_trailers(reply), tested_by + "\n");
    EXPECT_THAT(b4_trailers(reply.mail.text), ElementsAre(tested_by));
}

TEST(Reply, IsTakenByGitSendEmail) {
    Command help;
    help.argv = {"git", "send-email", "-h"};
    const auto installed = run_blocking(help);
    if (!installed || installed->tail.find("not a git command") != std::string::npos)
        GTEST_SKIP() << "git send-email is not installed";
    const File file(to_eml(reply_to(mailed(good_run())).mail));
    Command send;
    send.argv = {"git",
                 "send-email",
                 "--dry-run",
                 "--confirm=never",

                 "--smtp-server=localhost",
                 file.path()};
    send.environment = {"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
                        "GIT_AUTHOR_NAME=A Tester",    "GIT_AUTHOR_EMAIL=tester@example.org",
                        "GIT_COMMITTER_NAME=A Tester", "GIT_COMMITTER_EMAIL=tester@example.org"};
    const auto exit = run_blocking(send);
    ASSERT_TRUE(exit) << exit.error().text();
    EXPECT_TRUE(exit->ok()) << exit->tail;
    for (const char* line : {"From: A Tester <tester@example.org>\n", "RCPT TO:<dev@example.org>\n",
                             "RCPT TO:<andrew@example.org>\n", "RCPT TO:<linux-mm@example.org>\n",
                             "RCPT TO:<jp@example.org>\n",
                             "Subject: Re: [PATCH v2 0/2] proc: read less under the lock\n",
                             "In-Reply-To: <cover@example.org>\n"})
        EXPECT_THAT(exit->tail, HasSubstr(line));
}

} // namespace
} // namespace kmatrix
