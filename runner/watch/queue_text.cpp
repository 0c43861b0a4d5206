// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/queue_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"

namespace kmatrix::watch {
namespace {

std::string iso(std::int64_t time_s) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(time_s)));
}

std::string verdict(const Entry& entry) {
    if (entry.state != State::done)
        return {};
    return entry.status == 0 ? ", as wanted" : ", REGRESSED";
}

} // namespace

std::string queue_text(const std::vector<Entry>& entries) {
    std::string text;
    int place = 0;
    for (const Entry& entry : entries) {
        const std::string state = entry.state == State::queued
                                      ? fmt::format("queued {}.", ++place)
                                      : std::string(to_string(entry.state));
        text += fmt::format("{:<11} {}{}\n", state, entry.subject, verdict(entry));
        std::string about = fmt::format("{}, {}", entry.sender, entry.inbox);
        if (!entry.rule.empty())
            about += ", rule " + entry.rule;
        about += fmt::format(", since {:%Y-%m-%d %H:%M}",
                             fmt::localtime(static_cast<std::time_t>(entry.changed_s)));
        if (entry.state == State::queued && entry.not_before_s > entry.changed_s)
            about += fmt::format(", not before {:%H:%M}",
                                 fmt::localtime(static_cast<std::time_t>(entry.not_before_s)));
        for (const std::string* more : {&entry.reason, &entry.directory})
            if (!more->empty())
                about += "; " + *more;
        text += fmt::format("{:<11} {}\n", "", about);
    }
    return printable(text);
}

std::string queue_json(const std::vector<Entry>& entries) {
    auto all = nlohmann::ordered_json::array();
    for (const Entry& entry : entries)
        all.push_back({{"id", entry.id},
                       {"state", to_string(entry.state)},
                       {"inbox", entry.inbox},
                       {"subject", entry.subject},
                       {"sender", entry.sender},
                       {"version", entry.version},
                       {"total", entry.total},
                       {"message_id", entry.message_id},
                       {"change_id", entry.change_id},
                       {"rule", entry.rule},
                       {"priority", entry.priority},
                       {"reason", entry.reason},
                       {"directory", entry.directory},
                       {"status", entry.status},
                       {"attempts", entry.attempts},
                       {"changed", iso(entry.changed_s)},
                       {"not_before", iso(entry.not_before_s)}});
    return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace kmatrix::watch
