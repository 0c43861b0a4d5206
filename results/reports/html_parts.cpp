// SPDX-License-Identifier: GPL-2.0-only
// Small pieces that several sections of the page share.
#include "results/reports/html_sections.h"
#include "results/reports/picture_svg.h"

namespace kmatrix {

std::string_view to_string(Mood mood) {
    switch (mood) {
    case Mood::good:
        return "good";
    case Mood::bad:
        return "bad";
    case Mood::unsure:
        return "unsure";
    case Mood::none:
        return "none";
    }
    return "none";
}

Mood mood_of(TestVerdict verdict) {
    switch (verdict) {
    case TestVerdict::passes:
    case TestVerdict::fixed:
    case TestVerdict::appeared:
        return Mood::good;
    case TestVerdict::regressed:
    case TestVerdict::missing:
        return Mood::bad;
    case TestVerdict::fails:
    case TestVerdict::flaky:
        return Mood::unsure;
    case TestVerdict::skipped:
    case TestVerdict::not_compared:
        return Mood::none;
    }
    return Mood::none;
}

Mood mood_of(const LatencyComparison& latency) {
    switch (latency.verdict) {
    case LatencyVerdict::faster:
    case LatencyVerdict::equivalent:
        return Mood::good;
    case LatencyVerdict::slower:
        return Mood::bad;
    case LatencyVerdict::changed_but_small:
    case LatencyVerdict::inconclusive:
        return Mood::unsure;
    case LatencyVerdict::refused:
    case LatencyVerdict::same_image:
    case LatencyVerdict::not_measured:
        return Mood::none;
    }
    return Mood::none;
}

Html page_head(const std::string& title) {
    // The policy stands behind the escaping: even markup that got in could load and run nothing.
    return html("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;;"
                " style-src &#39;unsafe-inline&#39;; img-src data:\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<title>{}: kmatrix</title>\n<style>\n{}{}</style>\n</head>\n",
                title, Html(colours_css()), Html(page_style()));
}

std::string cell_anchor(const std::string& cell) {
    return "cell-" + cell;
}

std::string latency_anchor(const Comparison& comparison, const LatencyComparison& latency) {
    return fmt::format("latency-{}", &latency - comparison.latency.data() + 1);
}

Html log_link(const std::filesystem::path& log, std::string_view words) {
    if (log.empty())
        return {};
    return html("<a href=\"{}\">{}</a>", url_path(log), words);
}

Html again(const std::string& command) {
    if (command.empty())
        return {};
    return html("<pre class=\"command\">{}</pre>\n", command);
}

} // namespace kmatrix
