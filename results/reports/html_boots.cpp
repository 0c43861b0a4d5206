// SPDX-License-Identifier: GPL-2.0-only
// Builds and boots, each with its log and the command that makes it again.
#include "base/text.h"
#include "results/reports/html_sections.h"

namespace kmatrix {
namespace {

std::string words(const BuildSide& side) {
    switch (side.state) {
    case BuildState::built:
        return "builds";
    case BuildState::broken:
        return "broken: " + side.error.substr(0, side.error.find('\n'));
    case BuildState::not_run:
        return "not built";
    }
    return "";
}

Html side_html(const BuildSide& side, Kernel kernel) {
    const Mood mood = side.state == BuildState::built    ? Mood::good
                      : side.state == BuildState::broken ? Mood::bad
                                                         : Mood::none;
    Html cell = html("<td class=\"{} {}\">{}", to_string(mood), to_string(kernel), words(side));
    if (!side.log.empty())
        cell += html(" {}", log_link(side.log, "log"));
    cell += Html("</td>");
    return cell;
}

Html commands(const Comparison& comparison) {
    std::vector<std::string> all;
    for (const BuildComparison& build : comparison.builds)
        for (const Kernel kernel : {Kernel::baseline, Kernel::patched})
            if (const std::string& command = build.side.of(kernel).command; !command.empty())
                all.push_back(
                    fmt::format("# {}, {}\n{}", name(build.key), to_string(kernel), command));
    if (all.empty())
        return {};
    return html("<details>\n<summary>Commands that build them</summary>\n{}</details>\n",
                again(join(all, "\n\n")));
}

std::string splat_text(const FindingComparison& finding) {
    return fmt::format("{}: {}, in {} of {} baseline boots and {} of {} patched{}{}",
                       finding.example.title, to_string(finding.verdict), finding.boots.baseline,
                       finding.of.baseline, finding.boots.patched, finding.of.patched,
                       finding.why.empty() ? "" : ": ", finding.why);
}

Html splats(const Comparison& comparison, const std::string& cell) {
    Html items;
    for (const FindingComparison& finding : comparison.findings)
        if (finding.cell == cell)
            items +=
                html("<li>{} {}</li>\n", splat_text(finding), log_link(finding.console, "console"));
    if (items.empty())
        return {};
    return html("<h4>Splats on the consoles</h4>\n<ul>\n{}</ul>\n", items);
}

std::string guest_text(const BootResult& boot) {
    const Vitals& vitals = *boot.vitals;
    return fmt::format("Linux {} {}, {} vCPUs online, {} MiB, pages of {} KiB, HZ {}, preemption "
                       "{}, clock {}",
                       vitals.release, vitals.machine, vitals.vcpus_online,
                       vitals.memory_kib / 1024, vitals.page_size_bytes / 1024,
                       vitals.hz ? std::to_string(vitals.hz) : "unknown", vitals.preemption,
                       vitals.clocksource);
}

Html row(const BootResult& boot) {
    const bool completed = std::holds_alternative<Completed>(boot.outcome);
    return html("<tr><td class=\"{}\">{}</td><td class=\"{}\">{}</td><td>{}</td><td>{} {}</td>"
                "</tr>\n",
                to_string(boot.kernel), boot.id.substr(boot.id.find('/') + 1),
                to_string(completed ? Mood::good : Mood::bad), sentence(boot.outcome),
                duration_text(boot.seconds), log_link(boot.console, "console"),
                log_link(boot.transcript, "transcript"));
}

Html cell_html(const RunResult& run, const Comparison& comparison, const Cell& cell) {
    Html rows;
    std::string guest, command;
    for (const BootResult& boot : run.boots) {
        if (boot.cell != cell.id)
            continue;
        rows += row(boot);
        if (guest.empty() && boot.vitals)
            guest = guest_text(boot);
        if (command.empty())
            command = boot.command;
    }
    std::vector<std::string> remarks;
    for (const BootComparison& boots : comparison.boots)
        if (boots.cell == cell.id && !boots.why.empty())
            remarks.push_back(fmt::format("{}: {}", work(boots), boots.why));
    Html body;
    if (!guest.empty())
        body += html("<p>Guest: {}.</p>\n", guest);
    if (!remarks.empty())
        body += html("<ul>\n{}</ul>\n", each("li", remarks));
    body += splats(comparison, cell.id);
    if (!command.empty())
        body += html("<p>To run this cell again:</p>\n{}", again(command));
    if (!rows.empty())
        body += html("<table>\n<thead>\n<tr><th scope=\"col\">boot</th>"
                     "<th scope=\"col\">outcome</th><th scope=\"col\">took</th>"
                     "<th scope=\"col\">logs</th></tr>\n</thead>\n<tbody>\n{}</tbody>\n</table>\n",
                     rows);
    if (body.empty())
        body = Html("<p>Nothing was booted.</p>\n");
    return html("<details id=\"{}\">\n<summary>{}</summary>\n{}</details>\n", cell_anchor(cell.id),
                cell.id, body);
}

} // namespace

Html builds_section(const Comparison& comparison) {
    Html rows;
    for (const BuildComparison& build : comparison.builds) {
        Html verdict = html("{}", sentence(build));
        for (const Warning& warning : build.new_warnings)
            verdict += html("<br>\n<small>new warning: {}</small>", text(warning));
        rows += html("<tr><th scope=\"row\">{}</th>{}{}<td>{}</td></tr>\n", name(build.key),
                     side_html(build.side.baseline, Kernel::baseline),
                     side_html(build.side.patched, Kernel::patched), verdict);
    }
    if (rows.empty())
        return {};
    return html("<section id=\"builds\">\n<h2>Builds</h2>\n<table>\n<thead>\n<tr>"
                "<th scope=\"col\">build</th><th scope=\"col\">baseline</th>"
                "<th scope=\"col\">patched</th><th scope=\"col\">verdict</th></tr>\n</thead>\n"
                "<tbody>\n{}</tbody>\n</table>\n{}</section>\n",
                rows, commands(comparison));
}

Html boots_section(const RunResult& run, const Comparison& comparison) {
    Html cells;
    for (const Cell& cell : run.matrix.cells)
        cells += cell_html(run, comparison, cell);
    return html("<section id=\"boots\">\n<h2>Boots</h2>\n{}</section>\n", cells);
}

} // namespace kmatrix
