// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/rule.h"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/console/pattern.h"
#include "results/console/wake_words.h"

namespace kmatrix {
namespace {

// What finding.h says that a class is.
const std::set<std::string_view> classes = {"panic",     "oops",    "bug",    "warning",
                                            "sanitizer", "lockdep", "atomic", "hang",
                                            "leak",      "memory",  "reboot"};

TEST(Rules, AreWellFormed) {
    ASSERT_GT(rules().size(), 100u);
    for (const auto& rule : rules()) {
        EXPECT_FALSE(rule.pattern.empty());
        EXPECT_FALSE(rule.wakes.empty()) << rule.pattern;
        for (const auto word : rule.wakes) {
            EXPECT_GE(word.size(), 4u) << rule.pattern;
        }
        if (rule.part == RulePart::ignored) {
            EXPECT_FALSE(rule.reason.empty()) << rule.pattern;
        } else if (rule.part != RulePart::farewell) {
            EXPECT_TRUE(classes.contains(rule.klass)) << rule.pattern;
            EXPECT_FALSE(rule.title.empty()) << rule.pattern;
        }
    }
}

// A rule that an earlier one always hides could never be.
TEST(Rules, AreReachable) {
    for (const auto& rule : rules()) {
        std::string line;
        for (std::size_t i = 0; i < rule.pattern.size(); ++i) {
            if (rule.pattern[i] != '%') {
                line += rule.pattern[i];
                continue;
            }
            switch (rule.pattern[++i]) {
            case 'd':
                line += "7";
                break;
            case 'x':
                line += "0x1f";
                break;
            case 'f':
                line += "gizmo_read";
                break;
            default:
                line += "gizmo";
            }
        }
        if (rule.wakes.front().starts_with("[#")) {
            line += "1]";
        }
        if (rule.place == Place::after_word) {
            line.insert(0, "WARNING: ");
        }
        const auto match = match_rule(line);
        ASSERT_TRUE(match) << line;
        EXPECT_EQ(match->rule->pattern, rule.pattern) << line;
    }
}

TEST(MatchRule, MindsThePlace) {
    EXPECT_FALSE(match_rule("ODEBUG: BUGs"));
    EXPECT_FALSE(match_rule("gizmo: BUG: prose must begin a message"));
    EXPECT_TRUE(match_rule("watchdog: BUG: but for a subsystem's name"));
    EXPECT_FALSE(match_rule("the phrase inconsistent lock state alone"));
    EXPECT_TRUE(match_rule("[ INFO: inconsistent lock state ]"));
    EXPECT_TRUE(match_rule("gizmo on fireBUG: KASAN: wild in gizmo"));
}

TEST(MatchRule, TakesTheFirstOfTheTable) {
    const auto match = match_rule("watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [gizmo:1]");
    ASSERT_TRUE(match);
    EXPECT_EQ(match->rule->title, "soft lockup");
    EXPECT_EQ(match->offset, 10u);
}

TEST(FindWake, FindsWordsOfRules) {
    EXPECT_EQ(find_wake("gizmo: ready\ngizmo: set"), std::string_view::npos);
    EXPECT_EQ(find_wake("gizmo\nKernel panic - not"), 6u);
    EXPECT_EQ(find_wake("BUG"), std::string_view::npos);
}

TEST(IsConsequence, TellsReasonsApart) {
    EXPECT_TRUE(is_consequence("Kernel panic - not syncing: Fatal exception in interrupt"));
    EXPECT_TRUE(is_consequence("Kernel panic - not syncing: kernel: panic_on_warn set ..."));
    EXPECT_FALSE(is_consequence("Kernel panic - not syncing: No working init found."));
}

TEST(ReadsLikeANote, TellsHintsFromHeadings) {
    EXPECT_TRUE(reads_like_a_note("WARNING: kernel not compiled with GIZMO."));
    EXPECT_TRUE(reads_like_a_note("WARNING: FIRMWARE is old"));
    EXPECT_TRUE(reads_like_a_note("WARNING: a whole sentence of many words"));
    EXPECT_FALSE(reads_like_a_note("WARNING: gizmo torn apart"));
}

TEST(WarningFile, NamesTheApi) {
    EXPECT_EQ(warning_file("WARNING: lib/refcount.c:28 at x")->title, "refcount bug");
    EXPECT_EQ(warning_file("WARNING: CPU: 0 PID: 1 at kernel/locking/lockdep.c:1 x")->klass,
              "lockdep");
    EXPECT_FALSE(warning_file("WARNING: drivers/gizmo.c:28 at x"));
}

TEST(WakeWords, FindsAllInOrder) {
    WakeWords words;
    EXPECT_EQ(words.add("gizmo"), 0u);
    EXPECT_EQ(words.add("giz mo"), 1u);
    EXPECT_EQ(words.add("gizmo"), 0u);
    EXPECT_EQ(words.add("gizmology"), 2u);
    std::vector<std::pair<std::size_t, std::size_t>> found;
    words.for_each("gizmology giz mo gizm",
                   [&](std::size_t number, std::size_t at) { found.emplace_back(number, at); });
    EXPECT_THAT(found, testing::UnorderedElementsAre(testing::Pair(0, 0), testing::Pair(2, 0),
                                                     testing::Pair(1, 10)));
    EXPECT_EQ(words.find("a gizmo"), 2u);
    EXPECT_EQ(words.find("gizm"), std::string_view::npos);
}

} // namespace
} // namespace kmatrix
