// SPDX-License-Identifier: GPL-2.0-only
#include "results/ktap/ktap.h"

#include "results/ktap/tree.h"

namespace kmatrix::ktap {
namespace {

void add_counts(const std::vector<Test>& tests, Counts& counts) {
    for (const Test& test : tests) {
        const std::string& status = test.effective;
        counts.pass += status == "pass";
        counts.fail += status == "fail";
        counts.skip += status == "skip";
        counts.xfail += status == "xfail";
        counts.xpass += status == "xpass";
        counts.timeout += status == "timeout";
        counts.error += status == "error";
        counts.missing += status == "missing";
        add_counts(test.children, counts);
    }
}

} // namespace

Counts count(const std::vector<Test>& tests) {
    Counts counts;
    add_counts(tests, counts);
    return counts;
}

Parser::Parser() : tree_(std::make_unique<Tree>()) {}
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;
Parser::~Parser() = default;

void Parser::feed(std::string_view bytes) {
    for (;;) {
        const std::size_t newline = bytes.find('\n');
        if (newline == std::string_view::npos) {
            line_ += bytes;
            return;
        }
        if (line_.empty()) {
            tree_->line(bytes.substr(0, newline));
        } else {
            line_ += bytes.substr(0, newline);
            tree_->line(line_);
            line_.clear();
        }
        bytes.remove_prefix(newline + 1);
    }
}

Report Parser::finish() {
    if (!line_.empty())
        tree_->line(line_);
    line_.clear();
    Report report = tree_->finish();
    tree_ = std::make_unique<Tree>();
    return report;
}

Report parse(std::string_view text) {
    Parser parser;
    parser.feed(text);
    return parser.finish();
}

} // namespace kmatrix::ktap
