// SPDX-License-Identifier: GPL-2.0-only
// Tests, splats and patches whose names are XML, HTML, a mail's header or a terminal's commands,
// through everything that writes.
#include <algorithm>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <tinyxml2.h>

#include "base/text.h"
#include "results/reports/cell_json.h"
#include "results/reports/example_runs.h"
#include "results/reports/html.h"
#include "results/reports/html_example.h"
#include "results/reports/junit.h"
#include "results/reports/kcidb.h"
#include "results/reports/mail_reply.h"
#include "results/reports/report_json.h"
#include "results/reports/summary.h"
#include "results/reports/text.h"

namespace kmatrix {
namespace {
using testing::HasSubstr;
using testing::Not;

const std::string evil_name =
    "]]></testcase><script>alert(1)</script>\r\nBcc: victim@example.org\r\n"
    "Tested-by: Nobody <nobody@example.org>\n\n---\n\x1b]0;owned\x07\x1b[2J"
    "\xE2\x80\xAE{\"verdict\": \"fine\"}\xFF";

// Everything that names something says the hostile name.
RunResult hostile() {
    RunResult run = example::mailed(example::bad_run());
    run.info.series.subject = evil_name;
    run.info.series.patches = {evil_name, evil_name};
    hand_built::build(run, Kernel::patched).warnings = {{evil_name, evil_name, evil_name, 1}};
    for (BootResult& boot : run.boots) {
        for (TestRun& test : boot.tests) {
            test.test += evil_name;
            test.reason = evil_name;
            for (ktap::Test& subtest : test.subtests) {
                subtest.name += evil_name;
                subtest.diagnostics = {evil_name, evil_name};
            }
        }
        for (Finding& finding : boot.findings) {
            finding.title = evil_name;
            finding.function = evil_name;
            finding.lines = {evil_name, evil_name};
        }
    }
    return run;
}

void expect_plain(const std::string& text, const std::string& whose) {
    const auto control = std::find_if(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t';
    });
    EXPECT_EQ(control, text.end()) << whose;
    EXPECT_EQ(text, printable(text)) << whose;
}

class HostileNames : public testing::Test {
  protected:
    RunResult run_ = hostile();
    Comparison comparison_ = compare(run_);
    const Cell& cell_ = run_.matrix.cells.at(0);
};

TEST_F(HostileNames, AreTextInJunit) {
    const std::string xml = junit_xml(run_, comparison_);
    expect_plain(xml, "junit.xml");
    EXPECT_THAT(xml, Not(HasSubstr("<script")));
    tinyxml2::XMLDocument document;
    ASSERT_EQ(document.Parse(xml.c_str()), tinyxml2::XML_SUCCESS);
    int named = 0;
    const auto* suites = document.FirstChildElement("testsuites");
    ASSERT_NE(suites, nullptr);
    for (auto* suite = suites->FirstChildElement(); suite; suite = suite->NextSiblingElement())
        for (auto* test = suite->FirstChildElement("testcase"); test;
             test = test->NextSiblingElement("testcase"))
            named +=
                std::string(test->Attribute("name")).find("<script>alert(1)") != std::string::npos
                    ? 1
                    : 0;
    EXPECT_GE(named, 2);
}

TEST_F(HostileNames, AreTextInHtml) {
    const std::string html = html_report(run_, comparison_, {});
    expect_plain(html, "report.html");
    EXPECT_THAT(html, Not(HasSubstr("<script")));
    EXPECT_THAT(html, HasSubstr("&lt;script&gt;"));
    EXPECT_THAT(html, Not(HasSubstr("\xE2\x80\xAE"))); // text that runs backwards
}

TEST_F(HostileNames, PaintNoTerminal) {
    expect_plain(text_report(run_, comparison_), "report.txt");
    SummaryOptions options;
    options.colour = false;
    const std::string text = summary(run_, comparison_, options);
    expect_plain(text, "the summary");
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), static_cast<long>(summary_lines));
}

TEST_F(HostileNames, AreStringsInJson) {
    for (const auto& [whose, text] : {std::pair{"report.json", report_json(run_, comparison_)},
                                      std::pair{"kcidb.json", kcidb_json(run_, comparison_)},
                                      std::pair{"result.json", cell_json(comparison_, cell_)}}) {
        const auto json = nlohmann::json::parse(text, nullptr, false);
        EXPECT_TRUE(json.is_object()) << whose;
        EXPECT_FALSE(json.contains("verdict") && json["verdict"] == "fine") << whose;
        EXPECT_THAT(text, Not(HasSubstr("\x1b"))) << whose;
    }
}

TEST_F(HostileNames, AreNoHeaderAndNoTrailerOfAMail) {
    ReplyOptions options;
    options.sender = {"A Tester", "tester@example.org"};
    const Reply reply = draft_reply(run_, comparison_, options);
    EXPECT_FALSE(reply.tested_by);
    const std::string eml = to_eml(reply.mail);
    const std::string headers = eml.substr(0, eml.find("\n\n"));
    EXPECT_THAT(headers, Not(HasSubstr("\nBcc:")));
    EXPECT_THAT(headers, Not(HasSubstr("victim@example.org")));
    EXPECT_THAT(eml, Not(HasSubstr("\nTested-by:")));
    expect_plain(eml, "reply.eml");
}

} // namespace
} // namespace kmatrix
