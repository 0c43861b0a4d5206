// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/config.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "matrix/toml_file.h"
#include "matrix/toml_reader.h"

namespace kmatrix::watch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view file_kind = "watch file";
constexpr std::size_t most_entries = 256;
constexpr int highest_epoch = 9999;
constexpr int highest_priority = 1000;
constexpr std::int64_t longest_s = 30 * 24 * 3600;

bool is_http(std::string_view url) {
    return url.starts_with("https://") || url.starts_with("http://");
}

std::string_view host_of(std::string_view url) {
    url.remove_prefix(url.find("://") + 3);
    url = url.substr(0, url.find('/'));
    return url.starts_with('[') ? url.substr(0, url.find(']') + 1) : url.substr(0, url.find(':'));
}

// A name becomes a folder's.
bool is_name(std::string_view name) {
    return !name.empty() && name.size() <= 64 && name.front() != '.' && name.front() != '-' &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '.';
           });
}

std::string in_folder(const fs::path& folder, const std::string& path) {
    const char* home = std::getenv("HOME");
    const fs::path whole =
        path.starts_with("~/") && home ? fs::path(home) / path.substr(2) : folder / path;
    std::error_code error;
    const fs::path absolute = fs::absolute(whole, error).lexically_normal();
    return (absolute.has_filename() ? absolute : absolute.parent_path()).string();
}

class Reader {
  public:
    Reader(const toml::table& root, const fs::path& folder, Complaints& complaints)
        : root_(root), folder_(folder), complaints_(complaints) {}

    void read_watch(WatchConfig& config) {
        config.directory = default_directory();
        const toml::table* table = single_table(root_, "watch", complaints_);
        if (!table)
            return;
        TableReader watch(*table, "watch", complaints_);
        std::string directory;
        read_path(watch, "directory", directory);
        if (!directory.empty())
            config.directory = directory;
        read_duration(watch, "interval", config.interval_s);
        read_duration(watch, "wait", config.wait_s);
        watch.read("contact", config.contact);
        if (config.contact.find_first_of("\r\n()") != std::string::npos)
            watch.refuse("contact", "expected an address or URL on one line, without brackets");
        watch.finish();
    }

    void read_inboxes(WatchConfig& config) {
        std::set<std::string> names;
        for (const toml::table* table : table_array(root_, "inbox", most_entries, complaints_)) {
            TableReader reader(*table, "inbox", complaints_);
            InboxConfig inbox;
            reader.read("name", inbox.name);
            if (!is_name(inbox.name))
                reader.refuse("name", "expected a name of letters, digits, '-', '_' and '.'");
            else if (!names.insert(inbox.name).second)
                reader.refuse("name",
                              fmt::format("\"{}\": another inbox has this name", inbox.name));
            read_url(reader, inbox.url);
            if (const auto epoch = reader.integer("from_epoch", 0, highest_epoch, "an epoch"))
                inbox.from_epoch = static_cast<int>(*epoch);
            if (inbox.is_remote() && config.interval_s < least_interval_s)
                reader.refuse("url", "another machine's inbox is read every 15 minutes at most; "
                                     "expected watch.interval = \"15m\" or longer");
            reader.finish();
            config.inboxes.push_back(std::move(inbox));
        }
        if (config.inboxes.empty())
            complaints_.add(root_.source().begin, "inbox", "expected an [[inbox]] at least");
    }

    void read_rules(WatchConfig& config) {
        for (const toml::table* table : table_array(root_, "rule", most_entries, complaints_)) {
            TableReader reader(*table, "rule", complaints_);
            Rule rule;
            reader.read("name", rule.name);
            if (rule.name.empty())
                reader.refuse("name", "expected a name, for what is said of it");
            for (const auto& [key, patterns] :
                 {std::pair{"lists", &rule.lists}, std::pair{"files", &rule.files},
                  std::pair{"subject", &rule.subject}, std::pair{"not_subject", &rule.not_subject},
                  std::pair{"author", &rule.author}, std::pair{"not_author", &rule.not_author}})
                read_patterns(reader, key, *patterns);
            reader.read("priority", rule.priority, -highest_priority, highest_priority,
                        "a priority");
            read_path(reader, "matrix", rule.matrix);
            read_words(reader, "arguments", rule.arguments);
            reader.finish();
            config.rules.push_back(std::move(rule));
        }
        if (config.rules.empty())
            complaints_.add(root_.source().begin, "rule",
                            "expected a [[rule]] at least; one with a name alone takes all series");
    }

    void read_run(WatchConfig& config) {
        const toml::table* table = single_table(root_, "run", complaints_);
        if (!table) {
            complaints_.add(root_.source().begin, "run", "expected [run] with `tree` and `matrix`");
            return;
        }
        TableReader run(*table, "run", complaints_);
        read_command(run, config.run.command);
        read_path(run, "matrix", config.run.matrix);
        read_path(run, "tree", config.run.tree);
        for (const auto& [key, value] :
             {std::pair{"matrix", &config.run.matrix}, std::pair{"tree", &config.run.tree}})
            if (value->empty() && !run.has(key))
                run.refuse(key, "is missing");
        read_words(run, "arguments", config.run.arguments);
        read_duration(run, "timeout", config.run.timeout_s);
        run.finish();
    }

    void read_publish(WatchConfig& config) {
        const toml::table* table = single_table(root_, "publish", complaints_);
        if (!table)
            return;
        TableReader publish(*table, "publish", complaints_);
        read_command(publish, config.publish.command);
        read_duration(publish, "timeout", config.publish.timeout_s);
        publish.finish();
    }

  private:
    void read_duration(TableReader& reader, std::string_view key, std::int64_t& out_s) {
        const std::optional<std::string> text = reader.text(key);
        if (!text)
            return;
        const auto seconds = parse_duration(*text);
        if (seconds && *seconds >= 1 && *seconds <= longest_s)
            out_s = *seconds;
        else
            reader.refuse(key, fmt::format("\"{}\": expected a time as \"90s\", \"15m\", \"2h\" or "
                                           "\"1d\", up to 30 days",
                                           printable(*text)));
    }

    void read_path(TableReader& reader, std::string_view key, std::string& out) {
        std::string path;
        reader.read(key, path);
        if (!path.empty())
            out = in_folder(folder_, path);
    }

    void read_words(TableReader& reader, std::string_view key, std::vector<std::string>& out) {
        if (const auto words = reader.texts(key))
            for (const auto& word : *words)
                out.push_back(word.value);
    }

    void read_patterns(TableReader& reader, std::string_view key, std::vector<std::string>& out) {
        read_words(reader, key, out);
        if (reader.has(key) && std::any_of(out.begin(), out.end(),
                                           [](const std::string& text) { return text.empty(); }))
            reader.refuse(key, "an empty pattern fits nothing");
    }

    // A program with a '/' is a path, relative to the watch file.
    void read_command(TableReader& reader, std::vector<std::string>& out) {
        read_words(reader, "command", out);
        if (reader.has("command") && (out.empty() || out[0].empty()))
            reader.refuse("command", "expected a program and its arguments, as a list of strings");
        else if (!out.empty() && out[0].find('/') != std::string::npos)
            out[0] = in_folder(folder_, out[0]);
    }

    void read_url(TableReader& reader, std::string& url) {
        reader.read("url", url);
        while (url.size() > 1 && url.ends_with('/'))
            url.pop_back();
        const bool other = !is_http(url) && url.find("://") != std::string::npos;
        const bool odd = std::any_of(url.begin(), url.end(), [](char c) {
            return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
        });
        if (url.empty() || other || odd ||
            (is_http(url) && url.find_first_of("@?# ") != std::string::npos))
            reader.refuse("url", "expected an inbox as \"https://lore.kernel.org/linux-mm\", or "
                                 "the folder of one");
        else if (!is_http(url))
            url = in_folder(folder_, url);
    }

    const toml::table& root_;
    const fs::path& folder_;
    Complaints& complaints_;
};

} // namespace

bool InboxConfig::is_local() const {
    return !is_http(url);
}

bool InboxConfig::is_remote() const {
    if (is_local())
        return false;
    const std::string_view host = host_of(url);
    const bool is_number = host.find_first_not_of("0123456789.") == std::string_view::npos;
    return host != "localhost" && host != "[::1]" && !(is_number && host.starts_with("127."));
}

fs::path default_directory() {
    return state_directory() / "watch";
}

std::optional<std::int64_t> parse_duration(std::string_view text) {
    std::int64_t number = 0;
    const auto [unit, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || text.data() + text.size() != unit + 1 || number < 0 ||
        number > longest_s)
        return std::nullopt;
    switch (*unit) {
    case 's':
        return number;
    case 'm':
        return number * 60;
    case 'h':
        return number * 3600;
    case 'd':
        return number * 24 * 3600;
    default:
        return std::nullopt;
    }
}

Result<WatchConfig> parse_watch_config(std::string_view text, const fs::path& file) {
    const std::string name = printable(file.string());
    const Result<toml::table> root = parse_toml(text, name, file_kind);
    if (!root)
        return tl::unexpected(root.error());
    Complaints complaints;
    TableReader sections(*root, "", complaints);
    for (const char* section : {"watch", "inbox", "rule", "run", "publish"})
        sections.take(section);
    sections.finish();
    WatchConfig config;
    config.file = file;
    const fs::path folder = file.parent_path();
    Reader reader(*root, folder, complaints);
    reader.read_watch(config);
    reader.read_inboxes(config);
    reader.read_rules(config);
    reader.read_run(config);
    reader.read_publish(config);
    if (!complaints.empty())
        return tl::unexpected(complaints.error(name));
    return config;
}

Result<WatchConfig> read_watch_config(const fs::path& file) {
    auto text = read_toml_file(file, file_kind);
    if (!text)
        return tl::unexpected(std::move(text.error()));
    return parse_watch_config(*text, file);
}

Result<void> check_places(const WatchConfig& config) {
    const std::string name = printable(config.file.string());
    std::error_code error;
    std::vector<std::string> matrices = {config.run.matrix};
    for (const Rule& rule : config.rules)
        if (!rule.matrix.empty())
            matrices.push_back(rule.matrix);
    for (const std::string& matrix : matrices)
        if (!fs::is_regular_file(matrix, error))
            return user_error(fmt::format("{}: matrix: there is no file {}", name, matrix));
    if (!fs::is_directory(config.run.tree, error))
        return user_error(
            fmt::format("{}: run.tree: there is no folder {}", name, config.run.tree));
    return {};
}

} // namespace kmatrix::watch
