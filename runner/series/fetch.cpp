// SPDX-License-Identifier: GPL-2.0-only
#include "runner/series/fetch.h"

#include <cstdlib>
#include <filesystem>

#include <boost/process/v2/environment.hpp>
#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "runner/cache/work_directory.h"
#include "runner/series/limits.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace asio = boost::asio;
namespace {

std::optional<std::string> without_escapes(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            result += text[i];
            continue;
        }
        const std::string digits(text.substr(i + 1, 2));
        if (digits.size() != 2 ||
            digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
            return std::nullopt;
        result += static_cast<char>(std::strtoul(digits.c_str(), nullptr, 16));
        i += 2;
    }
    return result;
}

// Narrower than RFC 5322, which allows quotes and comments; wide enough for what is sent.
bool is_message_id(std::string_view text) {
    const std::size_t at = text.find('@');
    if (at == 0 || at == std::string_view::npos || at + 1 == text.size() || text.size() > 250 ||
        text.front() == '-' || text.find("..") != std::string_view::npos ||
        text.find("://") != std::string_view::npos)
        return false;
    for (const char c : text)
        if (c <= ' ' || c > '~' || std::string_view("<>{}\\^\"").find(c) != std::string_view::npos)
            return false;
    return text.find('@', at + 1) == std::string_view::npos;
}

// "https://HOST/LIST", in which b4 takes a '%' for a place to fill.
bool is_archive(std::string_view text) {
    for (const char c : text)
        if (c <= ' ' || c > '~' || std::string_view("%?#@\\\"").find(c) != std::string_view::npos)
            return false;
    return true;
}

std::vector<std::string>
configuration(const std::vector<std::pair<std::string, std::string>>& all) {
    std::vector<std::string> variables = {fmt::format("GIT_CONFIG_COUNT={}", all.size())};
    for (std::size_t i = 0; i < all.size(); ++i) {
        variables.push_back(fmt::format("GIT_CONFIG_KEY_{}={}", i, all[i].first));
        variables.push_back(fmt::format("GIT_CONFIG_VALUE_{}={}", i, all[i].second));
    }
    return variables;
}

Error not_fetched(const ArchivedMail& mail, const Exit& exit) {
    const std::string said(trim(printable(exit.tail)));
    if (said.find("message-id is not known") != std::string::npos)
        return {Blame::user,
                fmt::format("{} has no mail with the Message-ID {}", mail.archive, mail.message_id),
                said,
                {}};
    return {Blame::infrastructure,
            fmt::format("b4 could not fetch {} from {}{}", mail.message_id, mail.archive,
                        exit.timed_out ? ": no answer within five minutes" : ""),
            said,
            {}};
}

} // namespace

std::optional<ArchivedMail> archived_mail(const std::string& text,
                                          const std::string& default_archive) {
    std::string_view rest = text;
    for (const std::string_view scheme : {"https://", "http://"}) {
        if (!rest.starts_with(scheme))
            continue;
        const std::size_t host_end = rest.find('/', scheme.size());
        const std::size_t list_end =
            host_end == std::string_view::npos ? host_end : rest.find('/', host_end + 1);
        if (list_end == std::string_view::npos)
            return std::nullopt;
        const std::string_view archive = rest.substr(0, list_end);
        rest.remove_prefix(list_end + 1);
        const auto id = without_escapes(rest.substr(0, rest.find_first_of("/?#")));
        if (!id || !is_message_id(*id) || !is_archive(archive))
            return std::nullopt;
        return ArchivedMail{std::string(archive), *id};
    }
    if (rest.starts_with('<') && rest.ends_with('>'))
        rest = rest.substr(1, rest.size() - 2);
    if (!is_message_id(rest))
        return std::nullopt;
    return ArchivedMail{default_archive, std::string(rest)};
}

std::string default_archive() {
    const char* mirror = std::getenv("KMATRIX_ARCHIVE");
    std::string archive = mirror && *mirror ? mirror : "https://lore.kernel.org/all";
    while (archive.ends_with('/'))
        archive.pop_back();
    return archive;
}

Command fetch_command(const ArchivedMail& mail, const std::string& directory) {
    Command command;
    command.argv = {"b4",          "--no-stdin", "--no-interactive", "mbox",
                    "--no-cache",  "--outdir",   directory,          "--mbox-name",
                    "thread.mbox", "--",         mail.message_id};
    command.cwd = directory;
    command.clean_environment = true;
    command.environment = {"HOME=" + directory,
                           "XDG_CONFIG_HOME=" + directory,
                           "XDG_CACHE_HOME=" + directory,
                           "XDG_DATA_HOME=" + directory,
                           "LC_ALL=C.UTF-8",
                           "PYTHONNOUSERSITE=1",
                           "GIT_CONFIG_NOSYSTEM=1",
                           "GIT_CONFIG_GLOBAL=/dev/null",
                           "GIT_CEILING_DIRECTORIES=" + fs::path(directory).parent_path().string(),
                           "GIT_TERMINAL_PROMPT=0"};
    for (std::string& variable : configuration({{"b4.midmask", mail.archive + "/%s"},
                                                {"b4.save-maildirs", "no"},
                                                {"b4.attestation-policy", "off"}}))
        command.environment.push_back(std::move(variable));
    // The way out of the house is the host's to know.
    for (const char* name : {"http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY",
                             "NO_PROXY", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"})
        if (const char* value = std::getenv(name))
            command.environment.push_back(fmt::format("{}={}", name, value));
    command.timeout = std::chrono::minutes(5);
    return command;
}

asio::awaitable<Result<std::string>> fetch_thread(ArchivedMail mail) {
    if (boost::process::v2::environment::find_executable("b4").empty())
        co_return user_error(fmt::format("{}: b4, which fetches mails, is not in PATH: apt-get "
                                         "install b4; or save the thread as an mbox and give that",
                                         mail.message_id));
    const auto work = WorkDirectory::make(fs::temp_directory_path(), "kmatrix-fetch");
    if (!work)
        co_return tl::unexpected(work.error());
    const Command command = fetch_command(mail, work->path());
    auto exit = co_await run(command);
    if (!exit)
        co_return tl::unexpected(exit.error());
    if (!exit->ok())
        co_return tl::unexpected(not_fetched(mail, *exit));
    const fs::path file = work->path() / "thread.mbox";
    std::error_code error;
    if (fs::file_size(file, error) > largest_series_bytes && !error)
        co_return user_error(fmt::format("{}: its thread is larger than a series can be ({} MiB)",
                                         mail.message_id, largest_series_bytes >> 20));
    co_return read_file(file);
}

} // namespace kmatrix
