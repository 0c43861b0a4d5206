// SPDX-License-Identifier: GPL-2.0-only
// Small pieces that several sections of the page share.
#include "results/reports/html_sections.h"

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
