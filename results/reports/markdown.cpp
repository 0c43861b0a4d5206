// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/markdown.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "results/reports/html_text.h"
#include "results/reports/latency_text.h"
#include "results/reports/wrap.h"

namespace kmatrix {
namespace {

constexpr std::size_t lines_of_an_item = 30;
constexpr std::size_t columns_of_a_line = 400;
constexpr std::size_t most_summary_notes = 30;

std::string_view headline(Outcome outcome) {
    switch (outcome) {
    case Outcome::as_wanted:
        return "kmatrix: as wanted";
    case Outcome::regressed:
        return "kmatrix: the series regressed something";
    case Outcome::infrastructure:
        return "kmatrix: no verdict";
    }
    return "kmatrix";
}

std::string short_line(const std::string& text) {
    return first_columns(one_line(text), columns_of_a_line);
}

// Without blank lines, at which Markdown would take the block for ended.
Html pre(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        const std::string clean = first_columns(printable(line), columns_of_a_line);
        for (const std::string& part : split(clean, '\n'))
            if (!trim(part).empty())
                text += part + "\n";
    }
    return text.empty() ? Html() : html("<pre>{}</pre>\n", text);
}

// Blocks one after the other, as long as there is room for them.
class Page {
  public:
    explicit Page(std::size_t limit_bytes) : limit_bytes_(limit_bytes) {}

    bool add(const std::string& block) {
        constexpr std::size_t reserve = 200; // for what finish() says
        if (text_.size() + block.size() + 1 + reserve > limit_bytes_) {
            cut_ = true;
            return false;
        }
        text_ += block + "\n";
        return true;
    }
    bool add(const Html& block) { return add(block.text()); }

    std::string finish() && {
        if (cut_)
            text_ += "There is more than this page can hold: the whole is in report.html and "
                     "report.txt.\n";
        if (text_.size() > limit_bytes_)
            text_.clear();
        return std::move(text_);
    }

  private:
    std::size_t limit_bytes_;
    std::string text_;
    bool cut_ = false;
};

Html about_row(std::string_view name, const std::string& value) {
    return html("<tr><td>{}</td><td>{}</td></tr>\n", name, short_line(value));
}

Html about(const RunResult& run, const Comparison& comparison, const MarkdownOptions& options) {
    const RunInfo& info = run.info;
    Html rows;
    if (!options.change.empty())
        rows += about_row("change", options.change);
    if (!info.noise)
        rows += about_row("series", fmt::format("{} (v{}, {} patch{}), {}", info.series.subject,
                                                info.series.version, info.series.patches.size(),
                                                info.series.patches.size() == 1 ? "" : "es",
                                                info.series.author));
    rows += about_row("baseline", fmt::format("Linux {} ({})", info.baseline_describe,
                                              info.baseline_commit.substr(0, 12)));
    rows += about_row(
        "machine",
        fmt::format("{} x {}; QEMU {}, libvirt {}; guests under {}", info.machine.host_cpus,
                    info.machine.host_cpu, info.machine.qemu_version, info.machine.libvirt_version,
                    comparison.emulated
                        ? "TCG: times are emulated, and compare the two kernels with each "
                          "other and with nothing else"
                        : "KVM"));
    if (info.shard.of > 0)
        rows += about_row("shard", fmt::format("{} of {}: the cells below and no others",
                                               info.shard.number, info.shard.of));
    rows += about_row("run", fmt::format("{}, kmatrix {}", info.started, info.kmatrix_version));
    rows += about_row("reports", options.files);
    return html("<table>\n{}</table>\n", rows);
}

Html one(const Regression& regression) {
    const bool said =
        regression.line.empty() || regression.what.find(regression.line) != std::string::npos;
    std::vector<std::string> lines =
        said ? std::vector<std::string>() : split(regression.line, '\n');
    std::size_t left = 0;
    for (const std::string& line : regression.more) {
        if (line == regression.line)
            continue;
        if (lines.size() < lines_of_an_item)
            lines.push_back(line);
        else
            ++left;
    }
    if (left > 0)
        lines.push_back(fmt::format("[{} more lines in the log]", left));
    if (!regression.log.empty())
        lines.push_back("log:   " + regression.log.string());
    if (!regression.command.empty())
        lines.push_back("again: " + regression.command);
    return html("<p>{}<b>{}</b>: {}</p>\n{}", regression.gates ? "" : "(does not gate) ",
                regression.cell, short_line(regression.what), pre(lines));
}

void add_regressions(const Comparison& comparison, Page& page) {
    if (comparison.regressions.empty() || !page.add(std::string("### What got worse\n")))
        return;
    for (const Regression& regression : comparison.regressions)
        if (!page.add(one(regression)))
            return;
}

void add_infrastructure(const RunResult& run, Page& page) {
    if (run.infrastructure.empty() ||
        !page.add(std::string("### What could not be done (no fault of the series)\n")))
        return;
    for (const auto& [what, error] : run.infrastructure)
        if (!page.add(html("<p><b>{}</b></p>\n{}", short_line(what), pre(split(error, '\n')))))
            return;
}

std::string builds_of(const Comparison& comparison, const Cell& cell) {
    for (const BuildComparison& build : comparison.builds)
        if (build.key == cell.build())
            return build.same_image ? "one image" : std::string(to_string(build.verdict));
    return "";
}

Html latency_html_of(const Comparison& comparison, const Cell& cell) {
    Html all;
    for (const LatencyComparison& latency : comparison.latency)
        if (latency.cell == cell.id)
            all += html("{}{}", all.empty() ? Html() : Html("<br>"), short_line(sentence(latency)));
    return all;
}

Html cells_table(const RunResult& run, const Comparison& comparison) {
    Html rows;
    for (const Cell& cell : run.matrix.cells)
        rows += html("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", cell.id,
                     builds_of(comparison, cell), boots_of(comparison.boots, cell.id),
                     join(all_counts(count(comparison.tests, cell.id)), ", "),
                     latency_html_of(comparison, cell));
    return html("<table>\n<tr><th>cell</th><th>build</th><th>boots</th><th>tests</th>"
                "<th>latency</th></tr>\n{}</table>\n",
                rows);
}

Html note_list(const RunResult& run, const Comparison& comparison) {
    Html items;
    std::size_t shown = 0;
    for (const auto* list : {&run.info.series.notes, &run.info.notes, &comparison.notes})
        for (const std::string& note : *list)
            if (++shown <= most_summary_notes)
                items += html("<li>{}</li>\n", short_line(note));
    if (shown > most_summary_notes)
        items += html("<li>and {} more, in the report</li>\n", shown - most_summary_notes);
    return items.empty() ? items : html("<ul>\n{}</ul>\n", items);
}

} // namespace

std::string markdown_summary(const RunResult& run, const Comparison& comparison,
                             const MarkdownOptions& options) {
    Page page(options.limit_bytes);
    page.add(fmt::format("## {}\n", headline(comparison.outcome)));
    page.add(html("<p>{}</p>\n", first_columns(one_line(comparison.verdict), 4000)));
    page.add(about(run, comparison, options));
    page.add(cells_table(run, comparison));
    add_regressions(comparison, page);
    add_infrastructure(run, page);
    if (const Html list = note_list(run, comparison); !list.empty())
        page.add(list);
    return std::move(page).finish();
}

std::string markdown_failure(std::string_view message, const MarkdownOptions& options) {
    Page page(options.limit_bytes);
    page.add(fmt::format("## {}\n", headline(Outcome::infrastructure)));
    if (!options.change.empty())
        page.add(html("<p>{}</p>\n", short_line(options.change)));
    page.add(pre(split(message, '\n')));
    return std::move(page).finish();
}

} // namespace kmatrix
