// SPDX-License-Identifier: GPL-2.0-only
#include "results/versions.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using testing::HasSubstr;
using testing::Optional;

SeriesInfo series(int version, const std::string& subject, const std::string& author,
                  const std::string& message_id, const std::vector<std::string>& references = {}) {
    SeriesInfo info;
    info.version = version;
    info.subject = subject;
    info.author = author;
    info.message_id = message_id;
    info.cover = Letter{};
    info.cover->references = references;
    return info;
}

std::optional<std::string> why(const SeriesInfo& one, const SeriesInfo& other) {
    const auto forth = why_one_series(identity_of(one), identity_of(other));
    EXPECT_EQ(forth, why_one_series(identity_of(other), identity_of(one)));
    return forth;
}

TEST(Versions, AreKnownByAuthorAndSubject) {
    const SeriesInfo v2 = series(2, "mm: Do  it faster", "Ä <A@x.org>", "2@x");
    EXPECT_THAT(why(v2, series(3, "mm: do it\tfaster ", "Another Name <a@X.org>", "3@x")),
                Optional(HasSubstr("author and subject")));
    EXPECT_EQ(why(v2, series(3, "mm: do it faster", "B <b@x.org>", "3@x")), std::nullopt);
    EXPECT_EQ(why(v2, series(3, "mm: do it slower", "A <a@x.org>", "3@x")), std::nullopt);
    EXPECT_EQ(why(series(1, "", "", ""), series(2, "", "", "")), std::nullopt);
}

TEST(Versions, AreKnownByTheirChangeIdAlone) {
    SeriesInfo v1 = series(1, "mm: one", "A <a@x.org>", "1@x");
    SeriesInfo v2 = series(2, "mm: another name", "B <b@x.org>", "2@x");
    v1.change_id = v2.change_id = "20260101-one-0123456789ab";
    EXPECT_THAT(why(v1, v2), Optional(HasSubstr("the change-id 20260101-one-0123456789ab")));
    // Two of them say that these are two series, whatever else is alike.
    v2 = series(2, "mm: one", "A <a@x.org>", "2@x", {"1@x"});
    v2.change_id = "20260202-two-0123456789ab";
    EXPECT_EQ(why(v1, v2), std::nullopt);
    v2.change_id.clear();
    EXPECT_TRUE(why(v1, v2));
}

TEST(Versions, AreKnownByReferencesAndHalfOfTheRest) {
    const SeriesInfo v1 = series(1, "mm: one", "A <a@x.org>", "1@x");
    EXPECT_THAT(why(v1, series(2, "mm: better name", "A <a@x.org>", "2@x", {"0@x", "1@x"})),
                Optional(HasSubstr("the author is the same")));
    EXPECT_THAT(why(v1, series(2, "mm: one", "B <b@x.org>", "2@x", {"1@x"})),
                Optional(HasSubstr("the subject is the same")));
    // Somebody's own series, sent as an answer.
    EXPECT_EQ(why(v1, series(2, "mm: two", "B <b@x.org>", "2@x", {"1@x"})), std::nullopt);
    // Mails without an id name nobody.
    EXPECT_EQ(why(series(1, "mm: one", "A <a@x.org>", ""),
                  series(2, "mm: two", "A <a@x.org>", "2@x", {""})),
              std::nullopt);
}

TEST(Versions, ReferencesAreOfTheFirstPatchWhereThereIsNoCoverLetter) {
    SeriesInfo v2 = series(2, "mm: better", "A <a@x.org>", "2@x");
    v2.cover.reset();
    v2.letters.resize(2);
    v2.letters[0].references = {"1@x"};
    EXPECT_TRUE(why(series(1, "mm: one", "A <a@x.org>", "1@x"), v2));
}

TEST(Versions, AreSaidInASentence) {
    EarlierVersion earlier;
    earlier.version = 2;
    earlier.started = "2026-01-31T12:00:00Z";
    earlier.verdict = "Nothing regressed.";
    EXPECT_EQ(sentence(earlier), "v2 was tested here on 2026-01-31: Nothing regressed.");
}

} // namespace
} // namespace kmatrix
