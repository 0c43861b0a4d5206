// SPDX-License-Identifier: GPL-2.0-only
#include "runner/watch/mirror.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "runner/source/argv.h"

namespace kmatrix::watch {
namespace fs = std::filesystem;
namespace asio = boost::asio;
namespace {

constexpr std::size_t mails_at_once = 512;
// A list's mails are some KiB; the lists that kernels are worked on at refuse more than some 400.
constexpr std::size_t largest_mail_bytes = 4u << 20;
constexpr std::size_t bytes_at_once = 8u << 20; // run() keeps 16 MiB of output

std::string ref(int epoch) {
    return fmt::format("refs/epochs/{}", epoch);
}

// A repository that belongs to somebody else is read as well: nothing that it holds is run.
constexpr const char* git_configuration = "[safe]\n\tdirectory = *\n";

// git takes no notice of --depth for a path.
std::string file_url(const std::string& path) {
    std::string url = "file://";
    for (const char c : path)
        url += c == '%' ? std::string("%25") : std::string(1, c);
    return url;
}

Result<void> remove_locks(const fs::path& directory) {
    std::error_code error;
    std::vector<fs::path> locks;
    for (fs::recursive_directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().extension() == ".lock" ||
            entry->path().filename().string().starts_with("tmp_pack_"))
            locks.push_back(entry->path());
    for (const fs::path& lock : locks)
        fs::remove(lock, error);
    if (error)
        return infrastructure_error(
            fmt::format("{}: cannot be read: {}", directory.string(), error.message()));
    return {};
}

// The next "ID TYPE SIZE\nBYTES\n" or "ID missing\n" of `git cat-file --batch`; nothing where it is
// none. The text is taken off.
std::optional<std::string> take_object(std::string_view& output) {
    const std::size_t line_end = output.find('\n');
    if (line_end == std::string_view::npos)
        return std::nullopt;
    const std::vector<std::string> words = split(output.substr(0, line_end), ' ');
    output.remove_prefix(line_end + 1);
    if (words.size() != 3)
        return std::string();
    std::size_t size = 0;
    const char* end = words[2].data() + words[2].size();
    if (std::from_chars(words[2].data(), end, size).ptr != end || size >= output.size())
        return std::nullopt;
    std::string text(output.substr(0, size));
    output.remove_prefix(size + 1);
    return text;
}

} // namespace

std::string user_agent(const std::string& git_version, const std::string& contact) {
    return fmt::format("git/{} kmatrix/{}{}", git_version, KMATRIX_VERSION,
                       contact.empty() ? "" : fmt::format(" ({})", contact));
}

Command Mirror::git(std::vector<std::string> arguments) const {
    Command command;
    command.argv = {"git"};
    for (const std::string& setting : std::initializer_list<std::string>{
             "http.userAgent=" + agent_, "http.lowSpeedLimit=100", "http.lowSpeedTime=120",
             "protocol.allow=never", "protocol.https.allow=always", "protocol.http.allow=always",
             "protocol.file.allow=always", "credential.helper=", "core.hooksPath=/dev/null",
             "core.fsmonitor=false", "gc.autoDetach=false"})
        command.argv.insert(command.argv.end(), {"-c", setting});
    command.argv.insert(command.argv.end(), std::make_move_iterator(arguments.begin()),
                        std::make_move_iterator(arguments.end()));
    command.clean_environment = true;
    command.environment = {"GIT_DIR=" + directory_.string(),
                           "GIT_CONFIG_NOSYSTEM=1",
                           "GIT_CONFIG_GLOBAL=" + (directory_ / "config.global").string(),
                           "GIT_ATTR_NOSYSTEM=1",
                           "GIT_TERMINAL_PROMPT=0",
                           "GIT_NO_REPLACE_OBJECTS=1",
                           "LC_ALL=C",
                           "TZ=UTC"};
    // The way out of the house is the host's to know.
    for (const char* name : {"http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY",
                             "NO_PROXY", "SSL_CERT_FILE", "GIT_SSL_CAINFO"})
        if (const char* value = std::getenv(name))
            command.environment.push_back(fmt::format("{}={}", name, value));
    return command;
}

asio::awaitable<Result<Mirror>> Mirror::open(fs::path directory, InboxConfig inbox,
                                             std::string contact) {
    Mirror mirror;
    mirror.directory_ = std::move(directory);
    mirror.inbox_ = std::move(inbox);
    if (auto written = write_file(mirror.directory_ / "config.global", git_configuration); !written)
        co_return tl::unexpected(std::move(written.error()));
    if (auto removed = remove_locks(mirror.directory_); !removed)
        co_return tl::unexpected(std::move(removed.error()));
    Command version = mirror.git(argv("version"));
    auto words = co_await output_of(std::move(version));
    if (!words)
        co_return tl::unexpected(std::move(words.error()));
    const std::vector<std::string> parts = split(trim(*words), ' ');
    mirror.agent_ = user_agent(parts.size() > 2 ? parts[2] : "unknown", contact);
    std::error_code error;
    if (!fs::exists(mirror.directory_ / "HEAD", error)) {
        Command init = mirror.git(argv("init", "--quiet", "--bare", "--template="));
        const auto made = co_await output_of(std::move(init));
        if (!made)
            co_return tl::unexpected(made.error());
    }
    co_return mirror;
}

asio::awaitable<Result<Fetched>> Mirror::fetch(int epoch, bool tip_only) const {
    const std::string url = fmt::format("{}/git/{}.git", inbox_.url, epoch);
    std::error_code error;
    if (inbox_.is_local() && !fs::is_directory(url, error))
        co_return Fetched::none;
    std::vector<std::string> words =
        argv("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules");
    if (tip_only)
        words.emplace_back("--depth=1");
    words.push_back(inbox_.is_local() ? file_url(url) : url);
    words.push_back("+HEAD:" + ref(epoch));
    Command command = git(std::move(words));
    command.timeout = std::chrono::hours(6); // a first fetch may be gigabytes
    auto exit = co_await run(command);
    if (!exit)
        co_return tl::unexpected(std::move(exit.error()));
    if (exit->ok())
        co_return Fetched::yes;
    if (exit->tail.find("couldn't find remote ref HEAD") != std::string::npos)
        co_return Fetched::empty;
    if (!inbox_.is_local() && exit->tail.find("fatal: repository '") != std::string::npos &&
        exit->tail.find("' not found") != std::string::npos)
        co_return Fetched::none;
    co_return tl::unexpected(failed(command, *exit));
}

asio::awaitable<Result<std::string>> Mirror::tip(int epoch) const {
    Command command = git(argv("rev-parse", "--verify", ref(epoch) + "^{commit}"));
    const auto output = co_await output_of(std::move(command));
    if (!output)
        co_return tl::unexpected(output.error());
    co_return std::string(trim(*output));
}

asio::awaitable<Result<bool>> Mirror::has(std::string commit) const {
    Command command = git(argv("cat-file", "-e", commit + "^{commit}"));
    const auto exit = co_await run(command);
    if (!exit)
        co_return tl::unexpected(exit.error());
    co_return exit->ok();
}

asio::awaitable<Result<std::vector<std::string>>> Mirror::commits(int epoch, std::string after,
                                                                  std::size_t most) const {
    std::vector<std::string> words = argv("rev-list", "--reverse", ref(epoch));
    if (!after.empty())
        words.push_back("^" + after);
    Command command = git(std::move(words));
    std::vector<std::string> commits;
    command.on_line = [&](std::string_view line) {
        if (commits.size() < most)
            commits.emplace_back(line);
    };
    const auto exit = co_await run(command);
    if (!exit)
        co_return tl::unexpected(exit.error());
    if (!exit->ok())
        co_return tl::unexpected(failed(command, *exit));
    co_return commits;
}

asio::awaitable<Result<std::vector<std::string>>>
Mirror::mails(const std::vector<std::string>& commits, std::size_t from) const {
    const std::size_t until = std::min(commits.size(), from + mails_at_once);
    Command look = git(argv("cat-file", "--batch-check=%(objectname) %(objectsize)"));
    for (std::size_t i = from; i < until; ++i)
        look.input += commits[i] + ":m\n";
    const auto looked = co_await output_of(std::move(look));
    if (!looked)
        co_return tl::unexpected(looked.error());
    Command read = git(argv("cat-file", "--batch"));
    std::vector<bool> is_read;
    std::size_t bytes = 0;
    for (const std::string& line : split(*looked, '\n')) {
        const std::size_t space = line.find(' ');
        std::size_t size = 0;
        const char* end = line.data() + line.size();
        const bool known = space != std::string::npos &&
                           std::from_chars(line.data() + space + 1, end, size).ptr == end;
        const bool taken = known && size <= largest_mail_bytes;
        if (is_read.size() == until - from || (taken && bytes + size > bytes_at_once))
            break;
        bytes += taken ? size : 0;
        is_read.push_back(taken);
        if (taken)
            read.input += line.substr(0, space) + "\n";
    }
    std::vector<std::string> mails(is_read.size());
    if (read.input.empty())
        co_return mails;
    const auto output = co_await output_of(std::move(read));
    if (!output)
        co_return tl::unexpected(output.error());
    std::string_view rest = *output;
    for (std::size_t i = 0; i < mails.size(); ++i) {
        if (!is_read[i])
            continue;
        auto mail = take_object(rest);
        if (!mail)
            co_return infrastructure_error(
                fmt::format("{}: git cat-file gave less than was asked for", directory_.string()));
        mails[i] = std::move(*mail);
    }
    co_return mails;
}

} // namespace kmatrix::watch
