// SPDX-License-Identifier: GPL-2.0-only
#include "results/comparison/tests.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "results/comparison/boots.h"
#include "results/comparison/test_tree.h"
#include "results/comparison/verdict_rule.h"

namespace kmatrix {

namespace {

// What became of a cell's functional boots on one side, as far as its tests care.
struct BootWord {
    std::size_t counted = 0; // all but the excused
    std::size_t completed = 0;
    std::string first_failure;
};

struct CellTests {
    std::vector<TestTree> trees; // in the order seen
    std::map<std::tuple<std::string, std::string, Kernel>, std::size_t> places;
    Sides<BootWord> boots;
    Sides<std::string> no_boot; // why there is none
    bool same_image = false;
    bool emulated = false;
};

void gather(CellTests& tests, const Cell& cell, const std::vector<const BootResult*>& boots) {
    for (const BootResult* boot : boots) {
        // What it did not get to is no word on the kernel.
        const bool excused = is_excused(*boot, cell.axes);
        for (const TestRun& run : boot->tests) {
            if (excused && run.status == Status::missing)
                continue;
            const auto [place, fresh] =
                tests.places.try_emplace({run.target, run.test, run.origin}, tests.trees.size());
            if (fresh)
                tests.trees.emplace_back(cell.id, run);
            tests.trees[place->second].add(*boot, run);
        }
        tests.emulated |= boot->machine.accel == Accel::tcg;
        if (excused)
            continue;
        BootWord& word = tests.boots.of(boot->kernel);
        ++word.counted;
        if (std::holds_alternative<Completed>(boot->outcome))
            ++word.completed;
        else if (word.first_failure.empty())
            word.first_failure = sentence(boot->outcome);
    }
    // A boot that runs tests again never meant to run the others.
    for (const BootResult* boot : boots)
        if (!is_excused(*boot, cell.axes) && boot->number == 1)
            for (TestTree& tree : tests.trees)
                if (!tree.ran_in(boot->id))
                    tree.add_absent(*boot);
    for (TestTree& tree : tests.trees)
        tree.settle();
}

bool reported(const TestTally& tally) {
    return tally.passed + tally.failed + tally.skipped != 0;
}

// "fails 3 of 5 times on patched, 0 of 5 on baseline".
std::string rates_text(const Sides<TestTally>& side) {
    const statistics::Rate patched = side.patched.failing();
    const statistics::Rate baseline = side.baseline.failing();
    return fmt::format("fails {} of {} times on patched, {} of {} on baseline", patched.hits,
                       patched.trials, baseline.hits, baseline.trials);
}

std::string with_rates(const std::string& line, const Sides<TestTally>& side) {
    if (side.baseline.runs() <= 1 && side.patched.runs() <= 1)
        return line;
    return rates_text(side) + (line.empty() ? "" : ": " + line);
}

struct Judgement {
    TestVerdict verdict = TestVerdict::not_compared;
    std::string why;
    std::optional<double> p_fails_more;
};

Judgement judge_tallies(const Sides<TestTally>& side) {
    const TestTally& baseline = side.baseline;
    const TestTally& patched = side.patched;
    if (!reported(patched))
        return {TestVerdict::missing,
                reported(baseline) ? patched.line : "missing on both: " + patched.line,
                {}};
    if (patched.passed + patched.failed == 0)
        return {TestVerdict::skipped,
                patched.line + (baseline.passed != 0 ? "; it passes on baseline" : ""),
                {}};
    if (baseline.passed + baseline.failed == 0)
        return {TestVerdict::appeared,
                (baseline.skipped != 0 ? "baseline skips it" : "baseline does not report it") +
                    (patched.failed == 0 ? std::string() : "; it fails: " + patched.line),
                {}};
    const FailureJudgement judgement = judge_failures({baseline.failing(), patched.failing()});
    switch (judgement.change) {
    case FailureChange::none_fails:
        return {TestVerdict::passes, {}, {}};
    case FailureChange::more:
        return {TestVerdict::regressed, with_rates(patched.line, side), judgement.p_more};
    case FailureChange::fewer:
        return {TestVerdict::fixed, with_rates(baseline.line, side), judgement.p_more};
    case FailureChange::always_fails:
        return {TestVerdict::fails, patched.line, {}};
    case FailureChange::cannot_tell:
        return {TestVerdict::flaky,
                rates_text(side) + ": no more than chance" +
                    (patched.failed + patched.missing == 0 ? "" : "; " + patched.line),
                judgement.p_more};
    }
    return {};
}

Judgement judge(const Sides<TestTally>& side, const CellTests& tests) {
    for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
        if (side.of(kernel).runs() == 0)
            return {TestVerdict::not_compared, tests.no_boot.of(kernel), {}};
    if (!reported(side.baseline) && tests.boots.baseline.completed == 0)
        return {
            TestVerdict::not_compared, "baseline's boot " + tests.boots.baseline.first_failure, {}};
    Judgement judgement = judge_tallies(side);
    const bool worse = judgement.verdict == TestVerdict::regressed ||
                       (judgement.verdict == TestVerdict::missing && side.baseline.passed != 0);
    if (worse && tests.same_image)
        return {TestVerdict::flaky,
                judgement.why + "; baseline is the same kernel image, so this is chance",
                judgement.p_fails_more};
    return judgement;
}

enum class Kind { unremarkable, bad, good, skipped };

Kind kind(TestVerdict verdict) {
    switch (verdict) {
    case TestVerdict::passes:
    case TestVerdict::not_compared:
        return Kind::unremarkable;
    case TestVerdict::regressed:
    case TestVerdict::fails:
    case TestVerdict::flaky:
    case TestVerdict::missing:
        return Kind::bad;
    case TestVerdict::fixed:
    case TestVerdict::appeared:
        return Kind::good;
    case TestVerdict::skipped:
        return Kind::skipped;
    }
    return Kind::unremarkable;
}

// Appends the node and all under it; returns the kinds of verdict that are counted there.
std::vector<Kind> flatten(std::vector<TestTree::Node>& nodes, std::size_t index,
                          std::vector<TestComparison>& all) {
    TestTree::Node& node = nodes[index];
    const std::size_t place = all.size();
    all.push_back(std::move(node.comparison));
    std::vector<Kind> below;
    for (const std::size_t child : node.children)
        for (const Kind kind : flatten(nodes, child, all))
            below.push_back(kind);
    const Kind own = kind(all[place].verdict);
    all[place].counted =
        node.children.empty() ||
        (own != Kind::unremarkable && std::find(below.begin(), below.end(), own) == below.end());
    if (all[place].counted)
        below.push_back(own);
    return below;
}

std::string why_no_boot(const BuildComparison* build, Kernel kernel) {
    if (build != nullptr && build->side.of(kernel).state == BuildState::broken)
        return fmt::format("{} did not build", to_string(kernel));
    return fmt::format("{} did not get to run it", to_string(kernel));
}

void add_earlier(TestComparison& test, const Cell& cell, const Known& known) {
    if (!is_in_question(test.verdict))
        return;
    const auto found = std::find_if(
        known.failures.begin(), known.failures.end(), [&](const EarlierFailures& earlier) {
            return earlier.arch == cell.axes.arch && earlier.config == cell.axes.config &&
                   earlier.origin == test.origin && earlier.test == plain_name(test);
        });
    if (found == known.failures.end() || found->runs == 0)
        return;
    test.earlier = statistics::rate(found->failed, found->runs);
    const statistics::Rate baseline = test.side.baseline.failing();
    const statistics::Rate patched = test.side.patched.failing();
    if (is_worse(test) && found->failed != 0)
        test.p_against_earlier = statistics::fisher_greater_p(found->failed + baseline.hits,
                                                              found->runs + baseline.trials,
                                                              patched.hits, patched.trials);
}

} // namespace

statistics::Rate TestTally::failing() const {
    return statistics::rate(failed + missing, passed + failed + missing);
}

std::string_view to_string(TestVerdict verdict) {
    switch (verdict) {
    case TestVerdict::passes:
        return "passes";
    case TestVerdict::fixed:
        return "fixed";
    case TestVerdict::regressed:
        return "regressed";
    case TestVerdict::fails:
        return "fails";
    case TestVerdict::flaky:
        return "flaky";
    case TestVerdict::appeared:
        return "new";
    case TestVerdict::missing:
        return "missing";
    case TestVerdict::skipped:
        return "skipped";
    case TestVerdict::not_compared:
        return "not compared";
    }
    return "unknown";
}

bool is_in_question(TestVerdict verdict) {
    return verdict == TestVerdict::regressed || verdict == TestVerdict::fails ||
           verdict == TestVerdict::flaky || verdict == TestVerdict::missing;
}

bool is_worse(const TestComparison& test) {
    return test.verdict == TestVerdict::regressed ||
           (test.verdict == TestVerdict::missing && test.side.baseline.passed != 0);
}

std::string earlier_text(const TestComparison& test) {
    constexpr double significant = 0.05;
    if (!test.earlier)
        return {};
    std::string text = fmt::format("it failed {} of {} times on unpatched kernels before",
                                   test.earlier->hits, test.earlier->trials);
    if (test.p_against_earlier)
        text = fmt::format("but {}; chance {} explain this, p {:.2g}", text,
                           *test.p_against_earlier < significant ? "does not" : "may",
                           *test.p_against_earlier);
    return text;
}

std::string whole_why(const TestComparison& test) {
    const std::string earlier = earlier_text(test);
    return test.why + (test.why.empty() || earlier.empty() ? "" : "; ") + earlier;
}

std::string plain_name(const TestComparison& test) {
    return fmt::format("{}: {}{}", test.target, test.test,
                       test.subtest.empty() ? "" : ": " + test.subtest);
}

std::string name(const TestComparison& test) {
    return fmt::format("{}: {}{}{}", test.target, test.test,
                       test.origin == Kernel::baseline ? " (baseline's)" : "",
                       test.subtest.empty() ? "" : ": " + test.subtest);
}

std::vector<TestComparison> compare_tests(const RunResult& run,
                                          const std::vector<BuildComparison>& builds) {
    std::map<std::string, std::vector<const BootResult*>> boots;
    for (const BootResult& boot : run.boots)
        if (!boot.benchmark)
            boots[boot.cell].push_back(&boot);
    std::vector<TestComparison> all;
    for (const Cell& cell : run.matrix.cells) {
        const auto build =
            std::find_if(builds.begin(), builds.end(),
                         [&](const BuildComparison& other) { return other.key == cell.build(); });
        const BuildComparison* of_cell = build == builds.end() ? nullptr : &*build;
        CellTests tests;
        tests.same_image = of_cell != nullptr && of_cell->same_image;
        tests.no_boot = {why_no_boot(of_cell, Kernel::baseline),
                         why_no_boot(of_cell, Kernel::patched)};
        gather(tests, cell, boots[cell.id]);
        for (TestTree& tree : tests.trees) {
            for (TestTree::Node& node : tree.nodes()) {
                Judgement judgement = judge(node.comparison.side, tests);
                node.comparison.verdict = judgement.verdict;
                node.comparison.why = std::move(judgement.why);
                node.comparison.p_fails_more = judgement.p_fails_more;
                node.comparison.emulated = tests.emulated;
                add_earlier(node.comparison, cell, run.known);
            }
            flatten(tree.nodes(), 0, all);
        }
    }
    return all;
}

std::size_t TestCounts::all() const {
    return passes + fixed + regressed + fails + flaky + appeared + missing + skipped + not_compared;
}

TestCounts count(const std::vector<TestComparison>& tests, std::string_view cell) {
    TestCounts counts;
    for (const TestComparison& test : tests) {
        if (!test.counted || (!cell.empty() && test.cell != cell))
            continue;
        switch (test.verdict) {
        case TestVerdict::passes:
            ++counts.passes;
            break;
        case TestVerdict::fixed:
            ++counts.fixed;
            break;
        case TestVerdict::regressed:
            ++counts.regressed;
            break;
        case TestVerdict::fails:
            ++counts.fails;
            break;
        case TestVerdict::flaky:
            ++counts.flaky;
            break;
        case TestVerdict::appeared:
            ++counts.appeared;
            break;
        case TestVerdict::missing:
            ++counts.missing;
            break;
        case TestVerdict::skipped:
            ++counts.skipped;
            break;
        case TestVerdict::not_compared:
            ++counts.not_compared;
            break;
        }
    }
    return counts;
}

std::string short_text(const TestTally& tally) {
    if (tally.runs() == 0)
        return "-";
    if (tally.runs() == 1)
        return std::string(to_string(tally.worst));
    return tally.passed == tally.runs() ? fmt::format("pass {}x", tally.runs())
                                        : fmt::format("{} of {} pass", tally.passed, tally.runs());
}

std::vector<std::string> other_counts(const TestCounts& counts) {
    const std::pair<std::size_t, const char*> all[] = {
        {counts.regressed, "regressed"}, {counts.missing, "missing"},
        {counts.fixed, "fixed"},         {counts.appeared, "new"},
        {counts.fails, "fail on both"},  {counts.flaky, "flaky"},
        {counts.skipped, "skipped"},     {counts.not_compared, "not compared"},
    };
    std::vector<std::string> words;
    for (const auto& [number, word] : all)
        if (number > 0)
            words.push_back(fmt::format("{} {}", number, word));
    return words;
}

std::vector<std::string> all_counts(const TestCounts& counts) {
    std::vector<std::string> words = other_counts(counts);
    if (counts.passes > 0)
        words.insert(words.begin(), fmt::format("{} pass", counts.passes));
    return words;
}

} // namespace kmatrix
