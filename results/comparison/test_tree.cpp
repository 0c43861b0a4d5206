// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/test_tree.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {

namespace {

// How much a run's words matter beside another's.
int weight(Status status) {
    switch (status) {
    case Status::pass:
        return 0;
    case Status::xfail:
        return 1;
    case Status::xpass:
        return 2;
    case Status::skip:
        return 3;
    case Status::missing:
        return 4;
    case Status::timeout:
        return 5;
    case Status::error:
        return 6;
    case Status::fail:
        return 7;
    }
    return 7;
}

Status status_of(const std::string& effective) {
    for (const Status status : {Status::pass, Status::fail, Status::skip, Status::xfail,
                                Status::xpass, Status::timeout, Status::missing})
        if (to_string(status) == effective)
            return status;
    return Status::error;
}

std::string last_word(const std::vector<std::string>& lines) {
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
        if (!trim(*line).empty())
            return std::string(trim(*line));
    return {};
}

std::string line_of(const ktap::Test& test) {
    return test.reason.empty() ? last_word(test.diagnostics) : test.reason;
}

// What the program said at last tells more than its exit status, unless its subtests speak for it.
std::string line_of(const TestRun& run, const BootResult& boot) {
    if (run.status == Status::missing && run.reason.empty())
        return std::holds_alternative<Completed>(boot.outcome)
                   ? "never reported"
                   : "the boot " + sentence(boot.outcome);
    if (!run.subtests.empty() || run.status == Status::skip)
        return run.reason;
    const std::string word = last_word(split(run.output_tail, '\n'));
    if (run.reason.empty() || word.empty())
        return run.reason + word;
    return run.reason + ": " + word;
}

} // namespace

TestTree::TestTree(const std::string& cell, const TestRun& program) {
    nodes_.emplace_back();
    TestComparison& root = nodes_.front().comparison;
    root.cell = cell;
    root.target = program.target;
    root.test = program.test;
    root.origin = program.origin;
}

void TestTree::count(TestTally& tally, const Run& run, Status status, const std::string& line,
                     std::vector<std::string> lines) {
    const bool first = tally.runs() == 0;
    switch (status) {
    case Status::pass:
    case Status::xfail:
    case Status::xpass:
        ++tally.passed;
        break;
    case Status::fail:
    case Status::timeout:
    case Status::error:
        ++tally.failed;
        break;
    case Status::skip:
        ++tally.skipped;
        break;
    case Status::missing:
        ++tally.missing;
        break;
    }
    if (weight(status) > weight(Status::skip))
        tally.failures.push_back({status, line, run.boot, run.attempt});
    if (!first && weight(status) <= weight(tally.worst))
        return;
    tally.worst = status;
    tally.boot = run.boot;
    if (weight(status) >= weight(Status::skip)) {
        tally.line = line;
        tally.lines = std::move(lines);
    }
}

std::size_t TestTree::child(std::size_t parent, const std::string& name) {
    const auto [place, fresh] = places_.try_emplace({parent, name}, nodes_.size());
    if (fresh) {
        Node node;
        node.comparison = nodes_.front().comparison;
        node.comparison.side = {};
        const TestComparison& above = nodes_[parent].comparison;
        node.comparison.subtest = above.subtest.empty() ? name : above.subtest + "/" + name;
        node.comparison.depth = above.depth + 1;
        nodes_.push_back(std::move(node));
        nodes_[parent].children.push_back(place->second);
    }
    return place->second;
}

void TestTree::add_subtests(std::size_t parent, const std::vector<ktap::Test>& tests, Run& run) {
    std::map<std::string, int> seen;
    for (const ktap::Test& test : tests) {
        const int times = ++seen[test.name];
        const std::size_t node =
            child(parent, times == 1 ? test.name : fmt::format("{} ({})", test.name, times));
        count(nodes_[node].comparison.side.of(run.kernel), run, status_of(test.effective),
              line_of(test), test.diagnostics);
        if (run.reported.size() <= node)
            run.reported.resize(node + 1);
        run.reported[node] = true;
        add_subtests(node, test.children, run);
    }
}

void TestTree::add(const BootResult& boot, const TestRun& run) {
    Run record{boot.kernel, boot.id, run.attempt, line_of(run, boot), run.status, {true}};
    count(nodes_.front().comparison.side.of(boot.kernel), record, run.status, record.reason,
          split(run.output_tail, '\n'));
    seconds_.of(boot.kernel) += run.seconds;
    add_subtests(0, run.subtests, record);
    runs_.push_back(std::move(record));
    boots_.insert(boot.id);
}

void TestTree::add_absent(const BootResult& boot) {
    TestRun absent;
    absent.status = Status::missing;
    add(boot, absent);
}

void TestTree::settle() {
    for (Run& run : runs_) {
        run.reported.resize(nodes_.size());
        for (std::size_t i = 1; i < nodes_.size(); ++i)
            if (!run.reported[i])
                count(nodes_[i].comparison.side.of(run.kernel), run,
                      run.status == Status::skip ? Status::skip : Status::missing,
                      run.reason.empty() ? "never reported" : run.reason, {});
    }
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched}) {
        TestTally& tally = nodes_.front().comparison.side.of(kernel);
        if (tally.runs() != 0)
            tally.seconds = seconds_.of(kernel) / static_cast<double>(tally.runs());
    }
}

} // namespace kmatrix
