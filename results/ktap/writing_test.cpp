// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/writing.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kmatrix::ktap {
namespace {

using testing::HasSubstr;

constexpr const char* log_text = "TAP version 13\n1..3\n# selftests: proc: a\n# 1..2\n# ok 1 one\n"
                                 "# # it broke\n# not ok 2 two # why\nok 1 selftests: proc: a\n"
                                 "ok 2 selftests: proc: b # SKIP\n";

TEST(KtapWriting, IsATreeForPeople) {
    EXPECT_EQ(plain_text(parse(log_text)), "fail    proc: a [its line says pass]\n"
                                           "  pass    one\n"
                                           "  fail    two (why)\n"
                                           "          | it broke\n"
                                           "skip    proc: b\n"
                                           "note: 2 of 3 planned results seen\n"
                                           "fail: 4 results: 1 pass, 2 fail, 1 skip\n");
}

TEST(KtapWriting, IsJsonWithAllFields) {
    const auto json = nlohmann::json::parse(json_text(parse(log_text)));
    EXPECT_EQ(json["effective"], "fail");
    EXPECT_EQ(json["bail_out"], nullptr);
    EXPECT_EQ(json["skip"], nullptr);
    EXPECT_EQ(json["counts"]["fail"], 2);
    EXPECT_EQ(json["counts"]["missing"], 0);
    EXPECT_EQ(json["notes"][0], "2 of 3 planned results seen");
    ASSERT_EQ(json["tests"].size(), 2u);
    const auto& first = json["tests"][0];
    EXPECT_EQ(first["name"], "proc: a");
    EXPECT_EQ(first["status"], "pass");
    EXPECT_EQ(first["effective"], "fail");
    EXPECT_EQ(first["children"][1]["reason"], "why");
    EXPECT_EQ(first["children"][1]["diagnostics"][0], "it broke");
    EXPECT_EQ(first["children"][1]["children"], nlohmann::json::array());
    EXPECT_EQ(nlohmann::json::parse(json_text(parse("Bail out! x\n")))["bail_out"], "x");
}

TEST(KtapWriting, AFileWithoutResultIsTheUsersError) {
    for (const bool json : {false, true}) {
        const Printed printed = print_file("make: *** Error 2\n", "boot.log", json);
        ASSERT_TRUE(printed.error);
        EXPECT_EQ(printed.error->blame, Blame::user);
        EXPECT_THAT(printed.error->message, HasSubstr("boot.log: no KTAP result"));
    }
    EXPECT_EQ(nlohmann::json::parse(print_file("", "x", true).text)["tests"],
              nlohmann::json::array());
    EXPECT_FALSE(print_file("ok 1 a\n", "x", false).error);
    const Printed skipped = print_file("1..0 # SKIP no device\n", "x", false);
    EXPECT_FALSE(skipped.error);
    EXPECT_EQ(skipped.text, "skipped as a whole: no device\nskip: 0 results\n");
}

} // namespace
} // namespace kmatrix::ktap
