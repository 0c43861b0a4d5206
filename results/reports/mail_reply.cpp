// SPDX-License-Identifier: GPL-2.0-only
#include "results/reports/mail_reply.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "results/reports/latency_text.h"
#include "results/reports/reply_finding.h"
#include "results/reports/reply_text.h"
#include "results/reports/tested_by.h"
#include "results/reports/wrap.h"

namespace kmatrix {
namespace {

// What is known of the mail where the run kept no letters.
Letter letter_from_subject(const SeriesInfo& series) {
    Letter letter;
    const std::string version = series.version > 1 ? fmt::format(" v{}", series.version) : "";
    const std::string number =
        series.patches.size() > 1 ? fmt::format(" 0/{}", series.patches.size()) : "";
    letter.subject = fmt::format("[PATCH{}{}] {}", version, number, series.subject);
    letter.message_id = series.message_id;
    const std::vector<MailAddress> authors = parse_addresses(series.author);
    if (!authors.empty())
        letter.from = authors.front();
    return letter;
}

Letter letter_to_answer(const SeriesInfo& series, std::optional<std::size_t> patch) {
    if (patch && *patch >= 1 && *patch <= series.letters.size())
        return series.letters[*patch - 1];
    if (series.cover)
        return *series.cover;
    return series.letters.empty() ? letter_from_subject(series) : series.letters.front();
}

std::string reply_subject(const std::string& subject) {
    const std::string text = one_line(subject);
    const bool is_reply = text.size() >= 3 && (text[0] == 'R' || text[0] == 'r') &&
                          (text[1] == 'e' || text[1] == 'E') && text[2] == ':';
    return is_reply ? text : "Re: " + text;
}

// To its author; Cc to all that the author wrote to. The sender knows already.
void address(OutgoingMail& mail, const Letter& letter) {
    std::vector<std::string> known = {lower(mail.from.address)};
    const auto add = [&](const MailAddress& to, std::vector<MailAddress>& list) {
        std::string key = lower(to.address);
        if (!is_address(to.address) || std::find(known.begin(), known.end(), key) != known.end())
            return;
        known.push_back(std::move(key));
        list.push_back(to);
    };
    add(letter.from, mail.to);
    for (const std::vector<MailAddress>* list : {&letter.to, &letter.cc})
        for (const MailAddress& to : *list)
            add(to, mail.cc);
    if (mail.to.empty())
        std::swap(mail.to, mail.cc);
}

// Whether b4 would take this line of a reply for a trailer (LoreMessage.find_trailers in its
// __init__.py): "Word: value" with an address in the value, or one of the words that need none.
bool is_like_trailer(std::string_view line) {
    static const std::set<std::string> needs_no_address = {
        "fixes", "link", "buglink", "closes", "obsoleted-by", "change-id", "base-commit"};
    const std::string_view text = trim(line);
    if (text.starts_with("Results: http"))
        return false; // nor does b4 take a link for a person
    const std::size_t space = text.find_first_of(" \t");
    if (space == std::string_view::npos || space == 0 || text[space - 1] != ':')
        return false;
    return text.find('@', space) != std::string_view::npos ||
           needs_no_address.contains(lower(std::string(text.substr(0, space - 1))));
}

// b4 looks for trailers in all of a reply. Words of the series or of the guest that happen to stand
// like one at a line's start are not to be applied.
std::string without_trailers(const std::string& text) {
    std::string safe;
    for (const std::string& line : split(text.substr(0, text.rfind('\n')), '\n'))
        safe += (is_like_trailer(line) ? "| " : "") + line + "\n";
    return safe;
}

std::string samples_text(const RunResult& run, const Comparison& comparison) {
    std::string text;
    for (const LatencyComparison& latency : comparison.latency)
        if (const std::string table = sample_table(run, latency); !table.empty())
            text += fmt::format("\n{}, {}:\n", latency.benchmark, latency.cell) + table;
    return text;
}

std::string body(const RunResult& run, const Comparison& comparison, const ReplyOptions& options,
                 const Letter& letter) {
    const std::string quoted = quote(letter, options.quoted_lines);
    std::string text = quoted.empty() ? "" : quoted + "\n";
    const bool failed = comparison.outcome == Outcome::regressed;
    if (failed)
        text += findings_text(run, comparison) + "\n";
    text += method_text(run);
    text += boots_and_tests_text(run, comparison);
    if (!options.results_url.empty())
        text += "Results: " + one_line(options.results_url) + "\n";
    if (!failed) {
        if (const std::string minor = minor_findings_text(comparison); !minor.empty())
            text += "\n" + minor;
        for (const LatencyComparison& latency : comparison.latency)
            text += "\n" + reply_table(comparison, latency);
        if (const std::string note = table_note(run, comparison); !note.empty())
            text += "\n" + note;
    }
    if (options.samples)
        text += samples_text(run, comparison);
    return without_trailers(text);
}

} // namespace

std::string tested_by_line(const RunResult& run, const MailAddress& sender) {
    return fmt::format("Tested-by: {} <{}> # {}", one_line(sender.name), sender.address,
                       coverage(run));
}

Reply draft_reply(const RunResult& run, const Comparison& comparison, const ReplyOptions& options) {
    const SeriesInfo& series = run.info.series;
    Reply reply;
    reply.doubts = doubts(run, comparison);
    reply.tested_by = reply.doubts.empty();
    std::optional<std::size_t> patch;
    if (comparison.outcome == Outcome::regressed) {
        const int brought_by = comparison.regressions.front().patch;
        patch = options.guilty ? options.guilty : guilty_patch(series);
        if (!options.guilty && brought_by != 0)
            patch = static_cast<std::size_t>(brought_by);
    }
    const Letter letter = letter_to_answer(series, patch);

    OutgoingMail& mail = reply.mail;
    mail.from = options.sender;
    address(mail, letter);
    mail.subject = reply_subject(letter.subject);
    mail.in_reply_to = letter.message_id;
    mail.references = letter.references;
    if (!letter.message_id.empty())
        mail.references.push_back(letter.message_id);
    mail.text = body(run, comparison, options, letter);
    if (reply.tested_by)
        mail.text += "\n" + tested_by_line(run, options.sender) + "\n";

    if (letter.message_id.empty())
        reply.gaps.emplace_back("the series' mails have no Message-ID, so that this is no reply "
                                "yet: give it to git send-email with --in-reply-to");
    if (mail.cc.empty())
        reply.gaps.emplace_back("the series' mails name no list and no maintainer: give them to "
                                "git send-email with --to and --cc");
    return reply;
}

} // namespace kmatrix
