// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/html_text.h"

#include <gtest/gtest.h>

namespace kmatrix {
namespace {

TEST(HtmlText, WhatMeansSomethingToHtmlIsEscaped) {
    EXPECT_EQ(escaped("<script>alert('x' && \"y\")</script>"),
              "&lt;script&gt;alert(&#39;x&#39; &amp;&amp; &quot;y&quot;)&lt;/script&gt;");
    EXPECT_EQ(escaped("&lt;"), "&amp;lt;");
    EXPECT_EQ(escaped("--><!-- ]]>"), "--&gt;&lt;!-- ]]&gt;");
}

TEST(HtmlText, ControlsVanishAndBadBytesShow) {
    EXPECT_EQ(escaped(std::string_view("a\0b\x1b[31mc\x07\xFF"
                                       "d\xC0\xBC",
                                       14)),
              "abc\xEF\xBF\xBD"
              "d\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_EQ(escaped("two\n\tlines"), "two\n\tlines");
}

TEST(HtmlText, TextCannotRunBackwards) {
    EXPECT_EQ(escaped("ok\xE2\x80\xAElautca"), "ok\xEF\xBF\xBDlautca"); // U+202E
    EXPECT_EQ(escaped("\xE2\x81\xA6x\xE2\x81\xA9"), "\xEF\xBF\xBDx\xEF\xBF\xBD");
    EXPECT_EQ(escaped("\xE2\x80\xA6\xE2\x86\x92"), "\xE2\x80\xA6\xE2\x86\x92"); // ellipsis, arrow
}

TEST(HtmlText, HtmlEscapesStringsAndNothingElse) {
    const std::string hostile = "<b>";
    EXPECT_EQ(html("<p title=\"{}\">{} {} {:.2f}</p>", hostile, Html("<i>x</i>"), 7, 0.5).text(),
              "<p title=\"&lt;b&gt;\"><i>x</i> 7 0.50</p>");
    EXPECT_EQ(html("{}{}", "<", std::string_view(">")).text(), "&lt;&gt;");
    EXPECT_EQ(html("{{}}{}", "{}").text(), "{}{}"); // an argument is no format
}

TEST(HtmlText, UrlsNameFilesWhateverTheyAreCalled) {
    EXPECT_EQ(url_path("cells/x86_64-4cpu/patched/console.log"),
              "cells/x86_64-4cpu/patched/console.log");
    EXPECT_EQ(url_path("javascript:x"), "javascript%3Ax");
    EXPECT_EQ(url_path("a b/\"#?%\xC3\xA9"), "a%20b/%22%23%3F%25%C3%A9");
}

TEST(HtmlText, EachIsAnElement) {
    EXPECT_EQ(each("li", {"a", "<b>"}).text(), "<li>a</li>\n<li>&lt;b&gt;</li>\n");
    EXPECT_EQ(each("li", {}).text(), "");
}

} // namespace
} // namespace kmatrix
