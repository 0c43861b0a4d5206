// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/jobs.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "runner/series/subject.h"

namespace kmatrix::watch {
namespace {

namespace fs = std::filesystem;

fs::path reply_file(const Entry& entry) {
    return fs::path(entry.directory) / "reply.eml";
}

// Letters and digits of a subject, the rest as single dashes.
std::string slug(std::string_view text) {
    constexpr std::size_t longest = 48;
    std::string result;
    for (const char c : lower(text)) {
        if (is_letter(c) || is_digit(c))
            result += c;
        else if (!result.empty() && result.back() != '-')
            result += '-';
        if (result.size() == longest)
            break;
    }
    while (result.ends_with('-'))
        result.pop_back();
    return result.empty() ? "series" : result;
}

const Rule* rule_of(const WatchConfig& config, const Entry& entry) {
    const auto rule = std::find_if(config.rules.begin(), config.rules.end(),
                                   [&](const Rule& one) { return one.name == entry.rule; });
    return rule == config.rules.end() ? nullptr : &*rule;
}

} // namespace

fs::path series_file(const Entry& entry) {
    return fs::path(entry.directory) / "series.mbox";
}

std::string directory_name(const Entry& entry) {
    return fmt::format("{:06}-v{}-{}", entry.id, entry.version,
                       slug(parse_subject(entry.subject).text));
}

Command run_command(const WatchConfig& config, const Entry& entry, const fs::path& kmatrix,
                    bool is_begun) {
    Command command;
    command.argv = config.run.command;
    if (command.argv.empty())
        command.argv = {kmatrix, "run"};
    const auto add = [&](std::initializer_list<std::string> words) {
        command.argv.insert(command.argv.end(), words);
    };
    const auto add_all = [&](const std::vector<std::string>& words) {
        command.argv.insert(command.argv.end(), words.begin(), words.end());
    };
    if (is_begun) {
        add({"--resume", entry.directory});
    } else {
        const Rule* rule = rule_of(config, entry);
        add({rule && !rule->matrix.empty() ? rule->matrix : config.run.matrix});
        add({"--tree", config.run.tree, "--series", series_file(entry)});
        add({"--out", entry.directory});
        add_all(config.run.arguments);
        if (rule)
            add_all(rule->arguments);
    }
    command.log = fs::path(entry.directory) / "watch.log";
    command.timeout = std::chrono::seconds(config.run.timeout_s);
    return command;
}

Command reply_command(const Entry& entry, const fs::path& kmatrix) {
    Command command;
    command.argv = {kmatrix, "reply", entry.directory};
    command.log = fs::path(entry.directory) / "watch.log";
    command.timeout = std::chrono::minutes(5);
    return command;
}

Command publish_command(const WatchConfig& config, const Entry& entry) {
    Command command;
    command.argv = config.publish.command;
    command.argv.push_back(entry.directory);
    command.input = hook_json(entry);
    command.log = fs::path(entry.directory) / "watch.log";
    command.timeout = std::chrono::seconds(config.publish.timeout_s);
    return command;
}

std::string hook_json(const Entry& entry) {
    std::error_code error;
    nlohmann::ordered_json json = {{"directory", entry.directory},
                                   {"status", entry.status},
                                   {"list", entry.inbox},
                                   {"rule", entry.rule},
                                   {"reply", nullptr},
                                   {"series",
                                    {{"subject", entry.subject},
                                     {"version", entry.version},
                                     {"patches", entry.total},
                                     {"message_id", entry.message_id},
                                     {"sender", entry.sender}}}};
    if (fs::exists(reply_file(entry), error))
        json["reply"] = reply_file(entry).string();
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace kmatrix::watch
