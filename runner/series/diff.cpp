// SPDX-License-Identifier: GPL-2.0-only
#include "runner/series/diff.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {
namespace {

// git's C-style quoting of a path: "a/tab\there", octal escapes for bytes.
std::string unquoted(std::string_view text) {
    if (text.size() < 2 || text.front() != '"')
        return std::string(text);
    std::string result;
    for (std::size_t i = 1; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            result += text[i];
            continue;
        }
        const char c = text[++i];
        if (c >= '0' && c <= '7') {
            int value = 0;
            std::size_t end = std::min(i + 3, text.size());
            for (; i < end && text[i] >= '0' && text[i] <= '7'; ++i)
                value = value * 8 + (text[i] - '0');
            --i;
            result += static_cast<char>(value);
            continue;
        }
        constexpr std::string_view letters = "abtnvfr";
        const std::size_t at = letters.find(c);
        result += at == std::string_view::npos ? c : static_cast<char>('\a' + at);
    }
    return result;
}

// Without its first component, as `git apply -p1` takes it; /dev/null is no file.
std::string without_prefix(std::string_view text) {
    std::string path = unquoted(text);
    if (path == "/dev/null")
        return {};
    const std::size_t slash = path.find('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

// "--- a/f<TAB>2026-01-01 ...": what follows a tab is a time.
std::string header_path(std::string_view rest) {
    if (!rest.starts_with('"'))
        rest = rest.substr(0, rest.find('\t'));
    return without_prefix(rest);
}

// "a/f b/f" of a "diff --git" line: both halves name the same file unless it is renamed, and a
// rename has lines of its own.
void read_git_line(FileDiff& file, std::string_view rest) {
    if (rest.starts_with('"')) {
        std::size_t end = 1;
        while (end < rest.size() && rest[end] != '"')
            end += rest[end] == '\\' ? 2 : 1;
        file.old_path = without_prefix(rest.substr(0, std::min(end + 1, rest.size())));
        file.new_path =
            end + 2 < rest.size() ? without_prefix(rest.substr(end + 2)) : file.old_path;
        return;
    }
    for (std::size_t space = rest.find(' '); space != std::string_view::npos;
         space = rest.find(' ', space + 1)) {
        const std::string old_path = without_prefix(rest.substr(0, space));
        const std::string new_path = without_prefix(rest.substr(space + 1));
        if (old_path == new_path || rest.find(' ', space + 1) == std::string_view::npos) {
            file.old_path = old_path;
            file.new_path = new_path;
            if (old_path == new_path)
                return;
        }
    }
}

int number_at(std::string_view text, std::size_t& at) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    at = static_cast<std::size_t>(end - text.data());
    return error == std::errc{} ? value : 0;
}

// An id that says something: no file at all is all zeros, and a few digits are no id.
std::string blob_id(std::string_view text) {
    const bool is_id = text.size() >= 7 && text.size() <= 64 &&
                       text.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
                       text.find_first_not_of('0') != std::string_view::npos;
    return is_id ? std::string(text) : std::string();
}

class Reader {
  public:
    void take(std::string_view line) {
        if (left_.any()) {
            left_.take(line);
            return;
        }
        if (const auto left = files_.empty() ? std::nullopt : HunkLines::of(line)) {
            std::size_t start = 4; // behind "@@ -"
            files_.back().hunks.push_back({number_at(line, start), printable(line)});
            left_ = *left;
            return;
        }
        take_header(line);
    }

    std::vector<FileDiff> files() && { return std::move(files_); }

  private:
    void take_header(std::string_view line) {
        const auto rest = [&](std::string_view start) -> std::optional<std::string_view> {
            if (!line.starts_with(start))
                return std::nullopt;
            return line.substr(start.size());
        };
        if (const auto paths = rest("diff --git ")) {
            files_.emplace_back();
            git_header_ = true;
            read_git_line(files_.back(), *paths);
        } else if (const auto old_path = rest("--- ")) {
            if (!git_header_ || files_.empty() || !files_.back().hunks.empty()) {
                pending_ = header_path(*old_path);
                git_header_ = false;
                return;
            }
            files_.back().old_path = header_path(*old_path);
        } else if (const auto new_path = rest("+++ ")) {
            if (!git_header_) {
                if (!pending_)
                    return;
                files_.emplace_back();
                files_.back().old_path = *pending_;
                pending_.reset();
            }
            files_.back().new_path = header_path(*new_path);
        } else if (git_header_ && !files_.empty()) {
            take_extended(line, files_.back());
        }
    }

    static void take_extended(std::string_view line, FileDiff& file) {
        for (const std::string_view start : {"rename from ", "copy from "})
            if (line.starts_with(start))
                file.old_path = unquoted(line.substr(start.size()));
        for (const std::string_view start : {"rename to ", "copy to "})
            if (line.starts_with(start))
                file.new_path = unquoted(line.substr(start.size()));
        for (const std::string_view start :
             {"old mode ", "new mode ", "new file mode ", "deleted file mode "})
            if (line.starts_with(start))
                file.modes.emplace_back(trim(line.substr(start.size())));
        if (line.starts_with("new file mode "))
            file.old_path.clear();
        if (line.starts_with("deleted file mode "))
            file.new_path.clear();
        if (line.starts_with("index "))
            file.old_blob = blob_id(line.substr(6, line.find("..") - 6));
        if (line.starts_with("index "))
            if (const std::size_t space = line.find(' ', 6); space != std::string_view::npos)
                file.modes.emplace_back(trim(line.substr(space)));
        if (line.starts_with("GIT binary patch") || line.starts_with("Binary files "))
            file.has_binary = true;
    }

    std::vector<FileDiff> files_;
    std::optional<std::string> pending_; // of a traditional "---" that waits for its "+++"
    HunkLines left_;
    bool git_header_ = false; // the last file began with "diff --git"
};

} // namespace

std::optional<HunkLines> HunkLines::of(std::string_view header) {
    if (!header.starts_with("@@ -"))
        return std::nullopt;
    HunkLines left{1, 1};
    std::size_t at = 4;
    number_at(header, at);
    if (header.substr(at).starts_with(','))
        left.old_lines = number_at(header, ++at);
    if (!header.substr(at).starts_with(" +"))
        return std::nullopt;
    at += 2;
    number_at(header, at);
    if (header.substr(at).starts_with(','))
        left.new_lines = number_at(header, ++at);
    if (!header.substr(at).starts_with(" @@"))
        return std::nullopt;
    return left;
}

void HunkLines::take(std::string_view line) {
    const char c = line.empty() ? ' ' : line.front();
    if (c == '\\')
        return;
    if (c != '+')
        --old_lines;
    if (c != '-')
        --new_lines;
}

std::vector<FileDiff> parse_diff(std::string_view diff) {
    Reader reader;
    while (!diff.empty()) {
        const std::size_t newline = diff.find('\n');
        reader.take(diff.substr(0, newline));
        diff.remove_prefix(newline == std::string_view::npos ? diff.size() : newline + 1);
    }
    return std::move(reader).files();
}

std::optional<std::string> path_refusal(std::string_view path) {
    if (path.empty())
        return "an empty path";
    if (path.size() > 4095)
        return "a path longer than the system allows";
    for (const char c : path)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            return "a control byte in the path";
    if (printable(path) != path)
        return "a path that is no valid UTF-8";
    if (path.front() == '/')
        return "an absolute path";
    for (const std::string& part : split(path, '/')) {
        if (part.empty() || part == "." || part == "..")
            return "a path with an empty, \".\" or \"..\" component";
        std::string name = lower(part);
        // Some file systems drop these at the end of a name.
        name.erase(name.find_last_not_of(". ") + 1);
        if (name == ".git" || name == ".gitmodules" || name == ".gitattributes")
            return "a file that tells git what to do";
    }
    return std::nullopt;
}

std::optional<std::string> refusal(const FileDiff& file) {
    if (file.old_path.empty() && file.new_path.empty())
        return "a file without a name";
    for (const std::string* path : {&file.old_path, &file.new_path})
        if (!path->empty())
            if (const auto why = path_refusal(*path))
                return fmt::format("{}: {}", printable(*path), *why);
    for (const std::string& mode : file.modes) {
        if (mode == "100644" || mode == "100755")
            continue;
        const std::string_view what = mode == "120000"   ? "a symbolic link"
                                      : mode == "160000" ? "a submodule"
                                                         : "an unknown kind of file";
        return fmt::format("{}: {} (mode {})", printable(file.path()), what, printable(mode));
    }
    return std::nullopt;
}

} // namespace kmatrix
