// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/junit.h"

#include <map>
#include <set>
#include <stdexcept>

#include <gmock/gmock.h>
#include <tinyxml2.h>

#include "results/reports/example_runs.h"
#include "results/reports/validated.h"

namespace kmatrix {
namespace {

using namespace example;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using tinyxml2::XMLElement;

// The file as a reader has it.
class Document {
  public:
    explicit Document(const RunResult& run) : xml(junit_xml(run, compare(run))) {
        EXPECT_EQ(document_.Parse(xml.c_str()), tinyxml2::XML_SUCCESS);
        expect_valid_junit(xml);
    }
    std::vector<const XMLElement*> suites() const {
        return children(document_.RootElement(), "testsuite");
    }
    std::vector<const XMLElement*> cases() const {
        std::vector<const XMLElement*> all;
        for (const XMLElement* suite : suites())
            for (const XMLElement* test : children(suite, "testcase"))
                all.push_back(test);
        return all;
    }
    const XMLElement* test_case(const std::string& name) const {
        for (const XMLElement* test : cases())
            if (test->Attribute("name") == name)
                return test;
        throw std::out_of_range(name);
    }
    static std::vector<const XMLElement*> children(const XMLElement* of, const char* name) {
        std::vector<const XMLElement*> all;
        for (const XMLElement* child = of->FirstChildElement(name); child;
             child = child->NextSiblingElement(name))
            all.push_back(child);
        return all;
    }
    static std::vector<std::string> kinds(const XMLElement* of) {
        std::vector<std::string> all;
        for (const XMLElement* child = of->FirstChildElement(); child;
             child = child->NextSiblingElement())
            all.emplace_back(child->Name());
        return all;
    }
    const std::string xml;

  private:
    tinyxml2::XMLDocument document_;
};

// "again" runs so often on each kernel in a boot of its own, after once in the first; it failed in
// those of patched's that are named, counted from 1.
RunResult rerun(int times, const std::set<int>& fails) {
    RunResult run = good_run();
    const std::string cell = run.matrix.cells[0].id;
    int number = 0;
    const auto add = [&](BootResult& boot, Kernel kernel) {
        const bool failed = kernel == Kernel::patched && fails.count(++number) != 0;
        hand_built::test(boot, "again", failed ? Status::fail : Status::pass,
                         failed ? fmt::format("exit {}", number) : "");
    };
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
        number = 0;
        add(run.boots[kernel == Kernel::baseline ? 0 : 1], kernel);
        BootResult& boot = hand_built::boot(run, kernel, cell, 2);
        boot.machine = run.info.machine;
        for (int time = 1; time < times; ++time)
            add(boot, kernel);
    }
    return run;
}

TEST(Junit, AFlakePassesAndShowsEachRunThatFailed) {
    const Document document(rerun(5, {1, 4}));
    const XMLElement* test = document.test_case("proc: again");
    EXPECT_THAT(Document::kinds(test), ElementsAre("flakyFailure", "flakyFailure", "system-out"));
    const auto flakes = Document::children(test, "flakyFailure");
    EXPECT_STREQ(flakes[0]->Attribute("type"), "fail");
    EXPECT_STREQ(flakes[0]->Attribute("message"), "exit 1");
    EXPECT_STREQ(flakes[0]->FirstChildElement("stackTrace")->GetText(),
                 "x86_64-default-4cpu-gcc/patched/functional, run 1: fail: exit 1");
    EXPECT_STREQ(flakes[1]->FirstChildElement("stackTrace")->GetText(),
                 "x86_64-default-4cpu-gcc/patched/functional-2, run 3: fail: exit 4");
    EXPECT_THAT(test->FirstChildElement("system-out")->GetText(),
                HasSubstr("fails 2 of 5 times on patched, 0 of 5 on baseline"));
    EXPECT_STREQ(document.suites()[0]->Attribute("failures"), "0");
}

TEST(Junit, AFailureShowsTheRunsAfterTheFirst) {
    const Document document(rerun(4, {1, 2, 3, 4}));
    const XMLElement* test = document.test_case("proc: again");
    EXPECT_THAT(Document::kinds(test),
                ElementsAre("failure", "rerunFailure", "rerunFailure", "rerunFailure"));
    EXPECT_THAT(test->FirstChildElement("failure")->Attribute("message"),
                HasSubstr("fails 4 of 4 times on patched, 0 of 4 on baseline: exit 1"));
    EXPECT_STREQ(test->FirstChildElement("rerunFailure")->Attribute("message"), "exit 2");
    EXPECT_STREQ(document.suites()[0]->Attribute("failures"), "1");
}

TEST(Junit, WhatDoesNotGateHasNoFailures) {
    RunResult run = rerun(4, {1, 2, 3, 4});
    run.matrix.gate.tests = false;
    const Document document(run);
    EXPECT_THAT(Document::kinds(document.test_case("proc: again")), ElementsAre("skipped"));
}

// Of what never passed on patched nobody may say that it did, whatever chance has to do with it.
TEST(Junit, WhatNeverPassesIsNoFlake) {
    RunResult run = good_run();
    for (const Status status : {Status::pass, Status::fail, Status::fail})
        hand_built::test(run.boots[0], "again", status, "exit 1");
    hand_built::test(run.boots[1], "again", Status::fail, "exit 1");
    const Document document(run);
    EXPECT_THAT(Document::kinds(document.test_case("proc: again")), ElementsAre("skipped"));
}

TEST(Junit, LongTextsAreCutAndSaySo) {
    RunResult run = bad_run();
    run.boots[1].tests[0].subtests[1].diagnostics.assign(20000, "a line of the test's output");
    const Document document(run);
    EXPECT_LT(document.xml.size(), 200000u);
    EXPECT_THAT(document.xml, HasSubstr("bytes are left out"));
}

// GitLab reads no file of 30 MB or more. Each '&' takes five bytes.
TEST(Junit, AHugeRunIsCutToWhatGitLabReads) {
    RunResult run = good_run();
    std::vector<ktap::Test>& subtests = run.boots[1].tests[0].subtests;
    std::vector<ktap::Test>& before = run.boots[0].tests[0].subtests;
    for (int number = 0; number < 700; ++number) {
        const std::string name = fmt::format("huge {}", number);
        before.push_back(hand_built::subtest(name, "pass"));
        subtests.push_back(hand_built::subtest(name, "fail", "Expected 1 == 2"));
        subtests.back().diagnostics = {std::string(50000, '&')};
    }
    const std::string xml = junit_xml(run, compare(run));
    EXPECT_LT(xml.size(), 30'000'000u);
    EXPECT_GT(xml.size(), 5'000'000u); // and not to nothing
    EXPECT_THAT(xml, HasSubstr("name=\"proc: proc-maps-race: huge 699\""));
    expect_valid_junit(xml);
}

TEST(Junit, NamesAreUnique) {
    RunResult run = good_run();
    for (BootResult& boot : run.boots)
        if (!boot.benchmark) {
            boot.findings = {{"bug", "same", "", {}, {"line"}, 1},
                             {"hang", "same", "", {}, {"l"}, 2}};
            // Results of one name, and one that has the name that the second of them gets.
            boot.tests[0].subtests = {hand_built::subtest("twice", "pass"),
                                      hand_built::subtest("twice", "pass"),
                                      hand_built::subtest("twice (2)", "pass")};
        }
    run.infrastructure = {{"same work", "no space"}, {"same work", "no memory"}};
    const Document document(run);
    for (const XMLElement* suite : document.suites()) {
        std::set<std::string> names;
        for (const XMLElement* test : Document::children(suite, "testcase"))
            EXPECT_TRUE(names.insert(test->Attribute("name")).second) << test->Attribute("name");
    }
    EXPECT_THAT(document.xml, HasSubstr("name=\"splat: same\""));
    EXPECT_THAT(document.xml, HasSubstr("name=\"splat: same (2)\""));
    EXPECT_THAT(document.xml, HasSubstr("name=\"same work (2)\""));
}

TEST(Junit, TimesHaveThreeDecimals) {
    RunResult run = good_run();
    run.boots[1].tests[0].seconds = 1234567.8; // whatever a locale or a float's shortest form says
    run.boots[1].tests[1].seconds = 1e-7;
    const Document document(run);
    std::vector<std::string> times;
    for (const XMLElement* suite : document.suites())
        times.emplace_back(suite->Attribute("time"));
    for (const XMLElement* test : document.cases())
        times.emplace_back(test->Attribute("time"));
    EXPECT_THAT(times, testing::Each(MatchesRegex("[0-9]+\\.[0-9][0-9][0-9]")));
}

TEST(Junit, SuitesSayWhatWasTestedOnWhat) {
    const Document document(good_run());
    ASSERT_EQ(document.suites().size(), 1u);
    const XMLElement* properties = document.suites()[0]->FirstChildElement("properties");
    ASSERT_NE(properties, nullptr);
    std::map<std::string, std::string> all;
    for (const XMLElement* property : Document::children(properties, "property"))
        EXPECT_TRUE(all.emplace(property->Attribute("name"), property->Attribute("value")).second);
    EXPECT_EQ(all["series"], "proc: read less under the lock");
    EXPECT_EQ(all["baseline"], "0123456789abcdef0123456789abcdef01234567");
    EXPECT_EQ(all["patched tree"], "fedcba9876543210fedcba9876543210fedcba98");
    EXPECT_EQ(all["arch"], "x86_64");
    EXPECT_EQ(all["vcpus"], "4");
    EXPECT_EQ(all["accelerator"], "tcg");
    EXPECT_EQ(all["qemu"], "7.2.0");
    EXPECT_EQ(all["host CPUs"], "2");
}

} // namespace
} // namespace kmatrix
