// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/agent/records.h"

#include <gmock/gmock.h>

namespace kmatrix::guest {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Records, AsTheProtocolHasThem) {
    Vitals vitals;
    vitals.vcpus_online = 4;
    vitals.memory_kib = 2048;
    vitals.release = "7.3.4";
    vitals.machine = "aarch64";
    vitals.cmdline = "console=ttyAMA0";
    vitals.clocksource = "arch_sys_counter";
    vitals.preemption = "lazy";
    vitals.hz = 250;
    vitals.page_size_bytes = 4096;
    vitals.mitigations = {"meltdown: Not affected"};
    EXPECT_EQ(hello_record(vitals),
              R"({"type":"hello","protocol":1,"vitals":{"vcpus_online":4,"memory_kib":2048,)"
              R"("release":"7.3.4","machine":"aarch64","cmdline":"console=ttyAMA0",)"
              R"("clocksource":"arch_sys_counter","preemption":"lazy","hz":250,)"
              R"("page_size_bytes":4096,"mitigations":["meltdown: Not affected"]}})"
              "\n");
    EXPECT_EQ(start_record("proc:read#1", 3.21449),
              "{\"type\":\"start\",\"id\":\"proc:read#1\",\"uptime_s\":3.214}\n");
    EXPECT_EQ(output_record("a", "err", "x\ty\n"),
              "{\"type\":\"output\",\"id\":\"a\",\"stream\":\"err\",\"text\":\"x\\ty\\n\"}\n");
    EXPECT_EQ(end_record("a", {0, 9, true, 30.0204}),
              "{\"type\":\"end\",\"id\":\"a\",\"exit\":0,\"signal\":9,\"timed_out\":true,"
              "\"seconds\":30.02}\n");
    EXPECT_EQ(note_record("n"), "{\"type\":\"note\",\"message\":\"n\"}\n");
    EXPECT_EQ(error_record("e"), "{\"type\":\"error\",\"message\":\"e\"}\n");
    EXPECT_EQ(done_record(), "{\"type\":\"done\"}\n");
}

// 0xff is never part of UTF-8; U+FFFD is EF BF BD.
TEST(Records, BadBytesAreReplaced) {
    EXPECT_EQ(output_record("a", "out",
                            "1\xff"
                            "2"),
              "{\"type\":\"output\",\"id\":\"a\",\"stream\":\"out\",\"text\":\"1\xef\xbf\xbd"
              "2\"}\n");
}

TEST(Pieces, PlainTextPassesAtOnce) {
    Pieces pieces;
    EXPECT_THAT(pieces.add("ok 1\n"), ElementsAre("ok 1\n"));
    EXPECT_THAT(pieces.add(""), IsEmpty());
    EXPECT_EQ(pieces.rest(), "");
}

// U+20AC is E2 82 AC, U+1F600 is F0 9F 98 80, U+00E9 is C3 A9.
TEST(Pieces, ACharacterInTwoReadsStaysWhole) {
    Pieces pieces;
    EXPECT_THAT(pieces.add("a\xe2"), ElementsAre("a"));
    EXPECT_THAT(pieces.add("\x82"), IsEmpty());
    EXPECT_THAT(pieces.add("\xac"
                           "b\xf0\x9f\x98"),
                ElementsAre("\xe2\x82\xac"
                            "b"));
    EXPECT_THAT(pieces.add("\x80\xc3"), ElementsAre("\xf0\x9f\x98\x80"));
    EXPECT_EQ(pieces.rest(), "\xc3");
    EXPECT_EQ(pieces.rest(), "");
}

TEST(Pieces, StrayMiddleBytesAreNotHeldForEver) {
    Pieces pieces;
    EXPECT_THAT(pieces.add("\x80\x80\x80\x80"), ElementsAre("\x80\x80\x80\x80"));
}

TEST(Pieces, AreNeverLongerThanARecord) {
    Pieces pieces;
    const std::string text(output_record_bytes - 1, 'x');
    // The character's two bytes would be the 4,096th and the 4,097th.
    EXPECT_THAT(pieces.add(text + "\xc3\xa9"), ElementsAre(text, "\xc3\xa9"));
}

} // namespace
} // namespace kmatrix::guest
