// SPDX-License-Identifier: GPL-2.0-only
#include "results/transcript.h"

#include <gmock/gmock.h>

namespace kmatrix {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* hello =
    R"({"type":"hello","protocol":1,"vitals":{"vcpus_online":8,"memory_kib":2000000,)"
    R"("release":"7.3.4","machine":"aarch64","cmdline":"console=ttyAMA0",)"
    R"("clocksource":"arch_sys_counter","preemption":"lazy","hz":250,"page_size_bytes":65536,)"
    R"("mitigations":["meltdown: Not affected"]}})"
    "\n";

std::string start(const std::string& id) {
    return R"({"type":"start","id":")" + id + R"(","uptime_s":3.5})" + "\n";
}

std::string output(const std::string& id, const std::string& stream, const std::string& text) {
    return R"({"type":"output","id":")" + id + R"(","stream":")" + stream + R"(","text":")" + text +
           "\"}\n"; // text is as JSON has it
}

std::string end(const std::string& id, int exit = 0) {
    return R"({"type":"end","id":")" + id + R"(","exit":)" + std::to_string(exit) +
           R"(,"signal":0,"timed_out":false,"seconds":1.25})" + "\n";
}

constexpr const char* done = "{\"type\":\"done\"}\n";

TEST(Transcript, ReadsABoot) {
    Transcript transcript;
    EXPECT_FALSE(transcript.said_hello());
    transcript.feed(hello);
    EXPECT_TRUE(transcript.said_hello());
    ASSERT_TRUE(transcript.vitals());
    EXPECT_EQ(transcript.vitals()->vcpus_online, 8);
    EXPECT_EQ(transcript.vitals()->memory_kib, 2000000);
    EXPECT_EQ(transcript.vitals()->release, "7.3.4");
    EXPECT_EQ(transcript.vitals()->machine, "aarch64");
    EXPECT_EQ(transcript.vitals()->cmdline, "console=ttyAMA0");
    EXPECT_EQ(transcript.vitals()->clocksource, "arch_sys_counter");
    EXPECT_EQ(transcript.vitals()->preemption, "lazy");
    EXPECT_EQ(transcript.vitals()->hz, 250);
    EXPECT_EQ(transcript.vitals()->page_size_bytes, 65536);
    EXPECT_THAT(transcript.vitals()->mitigations, ElementsAre("meltdown: Not affected"));

    EXPECT_EQ(transcript.running(), nullptr);
    transcript.feed(start("proc:read#1"));
    ASSERT_NE(transcript.running(), nullptr);
    EXPECT_EQ(transcript.running()->id, "proc:read#1");
    EXPECT_EQ(transcript.running()->started_uptime_s, 3.5);
    transcript.feed(output("proc:read#1", "out", "one\\ntw") +
                    output("proc:read#1", "out", "o\\n"));
    transcript.feed(end("proc:read#1", 4));
    EXPECT_EQ(transcript.running(), nullptr);
    transcript.feed("{\"type\":\"note\",\"message\":\"no such sysctl\"}\n");
    EXPECT_FALSE(transcript.is_done());
    transcript.feed(done);
    EXPECT_TRUE(transcript.is_done());
    EXPECT_THAT(transcript.finish(), IsEmpty());

    ASSERT_THAT(transcript.jobs(), SizeIs(1));
    const JobOutcome* job = transcript.find("proc:read#1");
    ASSERT_NE(job, nullptr);
    EXPECT_EQ(job->output, "one\ntwo\n");
    EXPECT_EQ(job->out, "one\ntwo\n");
    ASSERT_TRUE(job->end);
    EXPECT_EQ(job->end->exit, 4);
    EXPECT_EQ(job->end->seconds, 1.25);
    EXPECT_EQ(transcript.find("proc:write#1"), nullptr);
    EXPECT_THAT(transcript.notes(), ElementsAre("no such sysctl"));
    EXPECT_EQ(transcript.last_record(), R"({"type":"done"})");
    EXPECT_EQ(transcript.anomaly_count(), 0u);
}

TEST(Transcript, ReadsTheSameInPieces) {
    const std::string text =
        hello + start("a:b#1") + output("a:b#1", "out", "x\\u00e9\\n") + end("a:b#1") + done;
    for (std::size_t step = 1; step <= text.size(); ++step) {
        Transcript transcript;
        std::size_t records = 0;
        for (std::size_t at = 0; at < text.size(); at += step)
            records += transcript.feed(std::string_view(text).substr(at, step)).size();
        EXPECT_EQ(records, 5u) << step;
        EXPECT_EQ(transcript.jobs().at(0).output, "x\u00e9\n");
        EXPECT_EQ(transcript.anomaly_count(), 0u);
    }
}

TEST(Transcript, KeepsTheLinesOfBothStreamsWhole) {
    Transcript transcript;
    transcript.feed(start("a:b#1") + output("a:b#1", "out", "ok 1 fi") +
                    output("a:b#1", "err", "# why\\n# ha") + output("a:b#1", "out", "rst\\nok 2") +
                    output("a:b#1", "err", "lf"));
    EXPECT_EQ(transcript.jobs()[0].output, "# why\nok 1 first\n");
    transcript.feed(end("a:b#1"));
    EXPECT_EQ(transcript.jobs()[0].output, "# why\nok 1 first\nok 2\n# half\n");
    EXPECT_EQ(transcript.jobs()[0].out, "ok 1 first\nok 2");
}

TEST(Transcript, KeepsWhatAJobSaidThatNeverEnded) {
    Transcript transcript;
    transcript.feed(hello + start("a:b#1") + output("a:b#1", "out", "half a li"));
    EXPECT_THAT(transcript.finish(), IsEmpty());
    EXPECT_EQ(transcript.jobs()[0].output, "half a li\n");
    EXPECT_FALSE(transcript.jobs()[0].end);
    EXPECT_NE(transcript.running(), nullptr);
    EXPECT_FALSE(transcript.is_done());
}

TEST(Transcript, LosesNoRecordToATornOne) {
    Transcript transcript;
    const std::string torn = output("a:b#1", "out", "some text");
    // the guest reset in the midst of writing, and speaks again in the same line
    const auto records = transcript.feed(start("a:b#1") + torn.substr(0, 30) + hello + "alien\n\n" +
                                         "{\"type\":\"done\"");
    ASSERT_THAT(records, SizeIs(2));
    EXPECT_TRUE(std::holds_alternative<transcript::Hello>(records[1]));
    EXPECT_TRUE(transcript.vitals());
    EXPECT_THAT(transcript.finish(), IsEmpty());
    EXPECT_FALSE(transcript.is_done());
    ASSERT_THAT(transcript.anomalies(), SizeIs(3));
    EXPECT_EQ(transcript.anomalies()[0].line, 2u);
    EXPECT_EQ(transcript.anomalies()[0].what, "a torn record before a good one");
    EXPECT_EQ(transcript.anomalies()[1].text, "alien");
    EXPECT_EQ(transcript.anomalies()[2].what, "torn, or no JSON");
}

TEST(Transcript, ReadsALastRecordWithoutNewline) {
    Transcript transcript;
    transcript.feed("{\"type\":\"done\"}");
    EXPECT_FALSE(transcript.is_done());
    EXPECT_THAT(transcript.finish(), SizeIs(1));
    EXPECT_TRUE(transcript.is_done());
}

TEST(Transcript, SaysWhatIsWrongWithALine) {
    const std::pair<const char*, const char*> lines[] = {
        {"[1]", "no JSON object"},
        {"{}", "no \"type\""},
        {R"({"type":"party"})", "no record is of type \"party\""},
        {R"({"type":"start","id":7,"uptime_s":1})", "\"id\" is missing or wrong"},
        {R"({"type":"start","id":"x","uptime_s":-1})", "\"uptime_s\" is missing or wrong"},
        {R"({"type":"output","id":"x","stream":"log","text":""})",
         "\"stream\" is missing or wrong"},
        {R"({"type":"end","id":"x","exit":-1,"signal":0,"timed_out":false,"seconds":1})",
         "\"exit\""},
        {R"({"type":"end","id":"x","exit":99999999999,"signal":0,"timed_out":false,"seconds":1})",
         "\"exit\""},
        {R"({"type":"end","id":"x","exit":0,"signal":0,"seconds":1})", "\"timed_out\""},
        {R"({"type":"note"})", "\"message\""},
        {"kernel: hello", "no JSON"},
    };
    for (const auto& [line, error] : lines) {
        const auto record = transcript::read_record(line);
        ASSERT_FALSE(record) << line;
        EXPECT_THAT(record.error(), HasSubstr(error)) << line;
    }
}

TEST(Transcript, HearsAHelloWhateverItsVitalsLack) {
    Transcript transcript;
    transcript.feed(R"({"type":"hello","protocol":1,"vitals":{"vcpus_online":"all","hz":100}})"
                    "\n");
    ASSERT_TRUE(transcript.vitals());
    EXPECT_EQ(transcript.vitals()->hz, 100);
    EXPECT_EQ(transcript.vitals()->vcpus_online, 0);
    transcript.feed("{\"type\":\"hello\",\"protocol\":2}\n");
    EXPECT_EQ(transcript.hellos(), 2);
    EXPECT_EQ(transcript.vitals()->hz, 100); // the first boot's
    ASSERT_THAT(transcript.anomalies(), SizeIs(2));
    EXPECT_THAT(transcript.anomalies()[0].what, HasSubstr("started again"));
    EXPECT_THAT(transcript.anomalies()[1].what, HasSubstr("protocol 2"));
}

TEST(Transcript, NotesRecordsOutOfPlaceAndUsesThem) {
    Transcript transcript;
    transcript.feed(output("a:b#1", "out", "early\\n") + end("a:b#1", 1) + end("a:b#1", 0) +
                    start("a:c#1") + start("a:d#1") + done + end("a:d#1"));
    EXPECT_EQ(transcript.find("a:b#1")->output, "early\n");
    EXPECT_EQ(transcript.find("a:b#1")->end->exit, 1); // the first word counts
    EXPECT_TRUE(transcript.find("a:d#1")->end);
    std::vector<std::string> what;
    for (const Transcript::Anomaly& anomaly : transcript.anomalies())
        what.push_back(anomaly.what);
    EXPECT_THAT(what, ElementsAre("output of a job that does not run",
                                  "a job ends that did not start", "a job ends for a second time",
                                  "a job starts before the one before it has ended",
                                  "done while a job runs", "a record after \"done\""));
}

TEST(Transcript, TellsWhyTheAgentGaveUp) {
    Transcript transcript;
    transcript.feed("{\"type\":\"error\",\"message\":\"no plan\"}\n");
    EXPECT_EQ(transcript.agent_error(), "no plan");
    EXPECT_FALSE(transcript.is_done());
}

TEST(Transcript, SurvivesHostileBytes) {
    Transcript transcript;
    for (int i = 0; i < 40; ++i)
        transcript.feed(std::string(100'000, "x{\"\xff["[i % 5]));
    transcript.feed("\n" + std::string(50'000, '[') + "\n");
    for (int i = 0; i < 30'000; ++i)
        transcript.feed("{\"type\":");
    transcript.feed(std::string(done) + start("a:b#1"));
    EXPECT_TRUE(transcript.is_done());
    EXPECT_NE(transcript.find("a:b#1"), nullptr);
    EXPECT_EQ(transcript.anomalies()[0].what, "longer than any record");
    EXPECT_LE(transcript.anomalies()[0].text.size(), 1000u);
    for (int i = 0; i < 1000; ++i)
        transcript.feed("alien\n");
    EXPECT_THAT(transcript.anomalies(), SizeIs(100));
    EXPECT_GT(transcript.anomaly_count(), 1000u);
}

} // namespace
} // namespace kmatrix
