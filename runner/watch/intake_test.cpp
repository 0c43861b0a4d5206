// SPDX-License-Identifier: GPL-2.0-only
// Mails in the orders in which lists bring them; what must come of them is worked out by hand.
#include "runner/watch/intake.h"

#include <unistd.h>

#include <gmock/gmock.h>

#include "base/text.h"
#include "runner/watch/example_mails.h"

namespace kmatrix::watch {
namespace {

using example::diff_of;
using example::Post;
using example::series;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class IntakeTest : public testing::Test {
  protected:
    IntakeTest() {
        config_.wait_s = 7200;
        config_.rules = {{.name = "mm", .files = {"mm/"}}};
    }
    ~IntakeTest() override { std::filesystem::remove_all(directory_); }

    void take(const Post& post, const std::string& inbox = "linux-mm") {
        const auto taken = intake_.take(inbox, example::mail_of(post), now_s_);
        ASSERT_TRUE(taken) << taken.error().text();
    }
    void take(const std::vector<Post>& posts, const std::vector<std::size_t>& order) {
        for (const std::size_t i : order)
            take(posts.at(i));
    }
    void wait(std::int64_t seconds) {
        now_s_ += seconds;
        const auto expired = intake_.expire(now_s_);
        ASSERT_TRUE(expired) << expired.error().text();
    }

    // "queued a0@x", a series each.
    std::vector<std::string> states() {
        std::vector<std::string> all;
        const auto entries = queue_.entries({State::waiting, State::queued, State::running,
                                             State::superseded, State::known, State::refused,
                                             State::incomplete, State::unmatched, State::done});
        for (const Entry& entry : entries.value())
            all.push_back(fmt::format("{} {}", to_string(entry.state),
                                      entry.message_id.empty() ? "-" : entry.message_id));
        return all;
    }
    Entry only(State state) {
        const auto entries = queue_.entries({state});
        EXPECT_EQ(entries->size(), 1u);
        return entries->empty() ? Entry() : entries->front();
    }

    std::filesystem::path directory_ =
        std::filesystem::temp_directory_path() / fmt::format("kmatrix-intake-{}", ::getpid());
    WatchConfig config_;
    std::vector<std::string> said_;
    Queue queue_ = std::move(Queue::open(directory_ / "queue.sqlite").value());
    Intake intake_{config_, queue_, said_};
    std::int64_t now_s_ = 1'000'000;
};

TEST_F(IntakeTest, WaitsUntilASeriesIsWholeInWhateverOrderItComes) {
    for (const auto& order : std::vector<std::vector<std::size_t>>{
             {0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {2, 0, 1}, {1, 2, 0}, {0, 2, 1}}) {
        const std::string id = fmt::format("{}s", states().size());
        const std::vector<Post> posts = series(id);
        take(posts, {order[0], order[1]});
        EXPECT_THAT(states(), Contains("waiting -"));
        take(posts[order[2]]);
        EXPECT_EQ(states().back(), "queued " + id + "0@x");
    }
    EXPECT_THAT(states(), testing::SizeIs(6));
    EXPECT_EQ(queue_.mails(1)->size(), 3u);
}

TEST_F(IntakeTest, FollowsADeepThread) {
    const std::vector<Post> posts = {
        {"c@x", "[PATCH 0/3] mm: x", "", ""},
        {"1@x", "[PATCH 1/3] mm: a", "<c@x>", diff_of("mm/a.c", "a")},
        {"2@x", "[PATCH 2/3] mm: b", "<c@x> <1@x>", diff_of("mm/b.c", "b")},
        {"3@x", "[PATCH 3/3] mm: c", "<c@x> <1@x> <2@x>", diff_of("mm/c.c", "c")}};
    take(posts, {3, 2, 0, 1});
    EXPECT_THAT(states(), ElementsAre("queued c@x"));
}

TEST_F(IntakeTest, NeedsNoCoverLetterWhereNoneIsToCome) {
    take({"s@x", "[PATCH] mm: alone", "", diff_of("mm/a.c", "a")});
    take({"1@x", "[PATCH 1/2] mm: a", "", diff_of("mm/a.c", "b")});
    take({"2@x", "[PATCH 2/2] mm: b", "<1@x>", diff_of("mm/b.c", "c")});
    // In reply to v1: patch 2 answers patch 1, so that nothing else is above it.
    take({"v1@x", "[PATCH v2 1/2] mm: a", "<1@x>", diff_of("mm/a.c", "d")});
    take({"v2@x", "[PATCH v2 2/2] mm: b", "<1@x> <v1@x>", diff_of("mm/b.c", "e")});
    EXPECT_THAT(states(), ElementsAre("queued s@x", "superseded 1@x", "queued v1@x"));
}

TEST_F(IntakeTest, GivesUpWaitingAndSaysWhatIsMissing) {
    take(series("a"), {0, 2});
    wait(7199);
    EXPECT_THAT(states(), ElementsAre("waiting -"));
    EXPECT_EQ(intake_.next_expiry_s()->value(), 1'007'200);
    take({"other@x", "[PATCH 0/2] mm: y", "", ""});
    wait(1);
    // No patch of mm/ came: no rule would take it, and nothing is said.
    EXPECT_THAT(states(), ElementsAre("unmatched -", "waiting -"));
    EXPECT_THAT(said_, IsEmpty());

    take(series("b"), {1, 0});
    wait(7200);
    EXPECT_THAT(said_,
                Contains("linux-mm: \"[PATCH 0/2] mm: faster b\" of ada@example.org: gave up "
                         "waiting: 2/2 is missing 2 h 00 min after its latest mail"));
    EXPECT_EQ(only(State::incomplete).total, 2);
    EXPECT_EQ(intake_.next_expiry_s().value(), std::nullopt);
}

TEST_F(IntakeTest, DoesWithoutACoverLetterThatDoesNotCome) {
    const std::vector<Post> posts = series("a");
    take(posts, {1, 2});
    EXPECT_THAT(states(), ElementsAre("waiting -"));
    wait(7200);
    EXPECT_THAT(states(), ElementsAre("queued a1@x"));
    EXPECT_EQ(only(State::queued).reason, "without the cover letter, which did not come");
    take(posts[0]); // late, and welcome until it is begun
    EXPECT_THAT(states(), ElementsAre("queued a0@x"));
}

TEST_F(IntakeTest, RepliesWithAPatchTriggerNothing) {
    take(series("a"), {0, 1, 2});
    take({"r1@x", "Re: [PATCH 1/2] mm: one", "<a0@x> <a1@x>", diff_of("mm/mmap.c", "r")});
    take({"r2@x", "[PATCH] mm: on top?", "<a0@x> <a1@x>", diff_of("mm/mmap.c", "s"),
          "Bob <bob@example.org>"});
    take({"r3@x", "[PATCH] mm: on top", "<a0@x> <a2@x>", diff_of("mm/mmap.c", "t")});
    take({"r4@x", "mm: a question", "", diff_of("mm/mmap.c", "u")});
    take({"r5@x", "[tip: mm/core] mm: one", "<a1@x>", diff_of("mm/mmap.c", "v")});
    take({"r6@x", "[PATCH] words alone", "", ""});
    EXPECT_THAT(states(), ElementsAre("queued a0@x"));
    // A fix that answers the report of a fault is a series of its own, and so is the next version.
    take({"f@x", "[PATCH] mm: fix it", "<report@x>", diff_of("mm/slab.c", "f"),
          "Bob <bob@example.org>"});
    take({"g@x", "[PATCH v2] mm: fix it", "<report@x> <f@x>", diff_of("mm/slab.c", "g"),
          "Bob <bob@example.org>"});
    EXPECT_THAT(states(), ElementsAre("queued a0@x", "superseded f@x", "queued g@x"));
}

TEST_F(IntakeTest, TestsNothingTwice) {
    take(series("a"), {0, 1, 2});
    take(series("a"), {0, 1, 2}); // the epoch was written anew
    for (const Post& post : series("a"))
        take(post, "lkml");
    EXPECT_THAT(states(), ElementsAre("queued a0@x", "known a0@x"));
    EXPECT_THAT(said_, testing::SizeIs(1));
    // Sent once more, and rebased: other lines, other blobs.
    std::vector<Post> again = series("a");
    for (Post& post : again) {
        post.id = "re" + post.id;
        post.subject.insert(1, "RESEND ");
        post.parents = post.parents.empty() ? "<a0@x>" : "<a0@x> <rea0@x>";
        if (const std::size_t at = post.diff.find("@@ -1,1 +1,1"); at != std::string::npos)
            post.diff.replace(at, 12, "@@ -7,1 +8,1");
    }
    take(again, {0, 1, 2});
    EXPECT_EQ(states().back(), "known rea0@x");
    EXPECT_THAT(said_.back(), HasSubstr("its patches are those of \"[PATCH 0/2] mm: faster a\""));
}

TEST_F(IntakeTest, DropsWhatIsSuperseded) {
    take(series("a"), {0, 1, 2});
    take(series("av", 2, "<a0@x>"), {0, 1, 2});
    EXPECT_THAT(states(), ElementsAre("superseded a0@x", "queued av0@x"));
    EXPECT_THAT(said_, Contains(HasSubstr("superseded: by v2 <av0@x>")));
    take(series("aw", 4), {0, 1, 2}); // by its subject
    take(series("ax", 3), {0, 1, 2}); // late
    EXPECT_THAT(states(), ElementsAre("superseded a0@x", "superseded av0@x", "queued aw0@x",
                                      "superseded ax0@x"));
}

TEST_F(IntakeTest, KnowsVersionsByTheirChangeIdButNotThoseOfAnother) {
    std::vector<Post> first = series("a"), second = series("b", 2);
    first[0].words = second[0].words = "Words.\n\n---\nchange-id: 20260101-words-0123";
    take(first, {0, 1, 2});
    std::vector<Post> foreign = series("af", 9);
    for (Post& post : foreign)
        post.from = "Mallory <m@example.org>";
    foreign[0].words = first[0].words;
    take(foreign, {0, 1, 2});
    EXPECT_THAT(states(), ElementsAre("queued a0@x", "queued af0@x"));
    take(second, {0, 1, 2});
    EXPECT_THAT(states(), ElementsAre("superseded a0@x", "queued af0@x", "queued b0@x"));
}

TEST_F(IntakeTest, TakesAReplacementUntilTheSeriesIsBegun) {
    take(series("a", 5), {0, 1, 2});
    take({"n@x", "[PATCH v5.1 2/2] fs: two", "<a0@x> <a2@x>", diff_of("fs/proc/base.c", "new")});
    Entry entry = only(State::queued);
    EXPECT_EQ(queue_.mails(entry.id)->size(), 4u);
    EXPECT_EQ(entry.total, 2);
    entry.state = State::running;
    ASSERT_TRUE(queue_.save(entry));
    take({"m@x", "[PATCH v5.2 2/2] fs: two", "<a0@x> <a2@x>", diff_of("fs/proc/base.c", "newer")});
    EXPECT_THAT(said_.back(),
                HasSubstr("replaces a patch of a series that does not wait any more"));
    EXPECT_THAT(states(), ElementsAre("running a0@x"));
}

TEST_F(IntakeTest, MixesNoTwoSeries) {
    // Of one sender, of one size, in answer to one mail, their mails between each other's.
    std::vector<Post> a = series("a", 1, "<talk@x>"), b = series("b", 1, "<talk@x>");
    take({b[1], a[2], a[1], b[0], b[2], a[0]}, {0, 1, 2, 3, 4, 5});
    EXPECT_THAT(states(), UnorderedElementsAre("queued a0@x", "queued b0@x"));
    const auto both = queue_.entries({State::queued});
    ASSERT_TRUE(both);
    for (const Entry& entry : *both) {
        const auto mails = queue_.mails(entry.id);
        ASSERT_TRUE(mails);
        for (const StoredMail& mail : *mails)
            EXPECT_EQ(mail.message_id[0], entry.message_id[0]);
    }
    // In no thread at all: which part is whose is a guess, and none is made.
    take({"u1@x", "[PATCH 1/2] mm: u", "", diff_of("mm/a.c", "u")});
    take({"u2@x", "[PATCH 2/2] mm: u", "", diff_of("mm/b.c", "u")});
    wait(7200);
    EXPECT_THAT(states(), testing::IsSupersetOf({"incomplete -", "incomplete -"}));
}

TEST_F(IntakeTest, RefusesWhatIsHostile) {
    take({"h@x", "[PATCH] mm: h", "", diff_of("../mm/a.c", "h")});
    EXPECT_THAT(states(), ElementsAre("unmatched -")); // no rule takes such a path
    config_.rules[0].files.clear();
    take({"i@x", "[PATCH] mm: i", "", diff_of(".git/config", "i")});
    take({"j0@x", "[PATCH 0/5000] mm: j", "", ""});
    take({"j1@x", "[PATCH 1/5000] mm: j", "<j0@x>", diff_of("mm/a.c", "j")});
    EXPECT_THAT(states(), ElementsAre("unmatched -", "refused -", "refused j0@x"));
    EXPECT_THAT(said_, ElementsAre(HasSubstr("refused: "), HasSubstr("5000 patches")));
    take({"k@x", "[PATCH] =?utf-8?q?mm=0Aevil?=", "", diff_of("mm/a.c", "k")});
    EXPECT_EQ(states().back(), "refused -");
}

TEST_F(IntakeTest, OrdersTheQueue) {
    config_.rules = {{.name = "first", .subject = {"*urgent*"}, .priority = 5}, {.name = "all"}};
    take({"1@x", "[PATCH v2] mm: a", "", diff_of("mm/a.c", "1")});
    take({"2@x", "[PATCH v3] mm: b", "", diff_of("mm/a.c", "2")});
    take({"3@x", "[PATCH v3] mm: c", "", diff_of("mm/a.c", "3")});
    take({"4@x", "[PATCH] mm: urgent", "", diff_of("mm/a.c", "4")});
    std::vector<std::string> order;
    const auto queued = queue_.queued(now_s_);
    ASSERT_TRUE(queued);
    for (const Entry& entry : *queued)
        order.push_back(entry.message_id);
    EXPECT_THAT(order, ElementsAre("4@x", "2@x", "3@x", "1@x"));
}

} // namespace
} // namespace kmatrix::watch
