// SPDX-License-Identifier: GPL-2.0-only
#include "runner/build/build_log.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <tuple>

#include "base/text.h"

namespace kmatrix {
namespace {

std::string without_source(std::string_view path) {
    constexpr std::string_view source = "/src/", output = "/build/";
    if (path.starts_with(source))
        path.remove_prefix(source.size());
    else if (path.starts_with(output))
        path.remove_prefix(output.size());
    while (path.starts_with("./") || path.starts_with("../"))
        path.remove_prefix(path.find('/') + 1);
    return std::string(path);
}

bool is_position(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isdigit(c) || c == ':';
    });
}

// "fs/exec.c:12:3" and the like: the file. Nothing if it does not look like a place in a file.
std::optional<std::string> file_of(std::string_view place) {
    const std::size_t colon = place.find(':');
    if (colon == std::string_view::npos || colon == 0 || !is_position(place.substr(colon + 1)) ||
        place.substr(0, colon).find(' ') != std::string_view::npos)
        return std::nullopt;
    return without_source(place.substr(0, colon));
}

// "f+0x1c/0x30" -> "f": where in a function is as fickle as where in a file.
std::string without_offsets(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        if (text.substr(i).starts_with("+0x")) {
            i += 3;
            while (i < text.size() && (std::isxdigit(static_cast<unsigned char>(text[i])) ||
                                       text.substr(i).starts_with("/0x") || text[i] == 'x'))
                i += text[i] == '/' ? 3 : 1;
            continue;
        }
        result += text[i++];
    }
    return result;
}

// Takes " [-Wfoo]" off the end of a message.
std::string take_option(std::string& message) {
    constexpr std::string_view as_error = "-Werror=";
    if (!message.ends_with(']'))
        return {};
    const std::size_t open = message.rfind(" [-W");
    if (open == std::string::npos)
        return {};
    std::string option = message.substr(open + 2, message.size() - open - 3);
    message.resize(open);
    // clang: "[-Werror,-Wfoo]", gcc: "[-Werror=foo]".
    if (const std::size_t comma = option.rfind(','); comma != std::string::npos)
        option.erase(0, comma + 1);
    if (option.starts_with(as_error))
        option.replace(0, as_error.size(), "-W");
    return option;
}

std::optional<Warning> compiler_warning(std::string_view line) {
    // With -Werror=foo a warning is printed as an error, and is one for the build, too.
    for (const std::string_view mark : {": warning: ", ": error: "}) {
        const std::size_t at = line.find(mark);
        if (at == std::string_view::npos)
            continue;
        const auto file = file_of(line.substr(0, at));
        if (!file)
            continue;
        Warning warning{*file, {}, std::string(line.substr(at + mark.size()))};
        warning.option = take_option(warning.message);
        if (mark == ": error: " && warning.option.empty())
            return std::nullopt;
        return warning;
    }
    return std::nullopt;
}

std::optional<Warning> tool_warning(std::string_view line) {
    constexpr std::string_view objtool = ": warning: objtool: ", modpost = "WARNING: modpost: ",
                               linker = "ld: warning: ", kconfig = ":warning: ",
                               unmet = "WARNING: unmet direct dependencies";
    if (const std::size_t at = line.find(objtool); at != std::string_view::npos)
        return Warning{without_source(line.substr(0, at)), "objtool",
                       without_offsets(line.substr(at + objtool.size()))};
    if (line.starts_with(modpost)) {
        line.remove_prefix(modpost.size());
        const std::size_t colon = line.find(": ");
        if (colon == std::string_view::npos)
            return Warning{{}, "modpost", without_offsets(line)};
        return Warning{without_source(line.substr(0, colon)), "modpost",
                       without_offsets(line.substr(colon + 2))};
    }
    if (const std::size_t at = line.find(linker);
        at != std::string_view::npos && line.substr(0, at).find(' ') == std::string_view::npos)
        return Warning{{}, "ld", without_offsets(line.substr(at + linker.size()))};
    if (const std::size_t at = line.find(kconfig); at != std::string_view::npos)
        if (const auto file = file_of(line.substr(0, at)))
            return Warning{*file, "kconfig", std::string(line.substr(at + kconfig.size()))};
    if (line.starts_with(unmet))
        return Warning{{}, "kconfig", std::string(line.substr(9))};
    return std::nullopt;
}

template <class Visit>
void each_line(std::string_view log, Visit visit) {
    while (!log.empty()) {
        const std::size_t newline = log.find('\n');
        std::string_view line = log.substr(0, newline);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        visit(line);
        log.remove_prefix(newline == std::string_view::npos ? log.size() : newline + 1);
    }
}

constexpr std::array errors = {": error: ",
                               "ld: cannot find ",
                               ": fatal error: ",
                               "undefined reference to ",
                               "ld.lld: error: ",
                               "multiple definition of ",
                               "ERROR: modpost: ",
                               ": Error: ",
                               "error: recursive dependency detected",
                               ": syntax error",
                               ": unexpected ",
                               ": unknown statement",
                               ": invalid statement"};

bool has_error(std::string_view line) {
    return std::any_of(errors.begin(), errors.end(),
                       [&](const char* mark) { return line.find(mark) != std::string_view::npos; });
}

std::string shown(std::string_view line) {
    std::string text(trim(printable(line)));
    for (const std::string_view directory : {"/src/", "/build/"})
        for (std::size_t at = 0; (at = text.find(directory, at)) != std::string::npos;)
            text.erase(at, directory.size());
    while (text.starts_with("../") || text.starts_with("./"))
        text.erase(0, text.find('/') + 1);
    return text;
}

std::optional<Warning> warning_in(std::string_view line) {
    auto warning = tool_warning(line);
    if (!warning)
        warning = compiler_warning(line);
    if (!warning)
        return std::nullopt;
    return Warning{printable(warning->file), printable(warning->option),
                   std::string(trim(printable(warning->message))), 1};
}

} // namespace

std::string first_error(std::string_view log) {
    std::string of_compiler, of_make, last;
    each_line(log, [&](std::string_view line) {
        if (!of_compiler.empty() || trim(line).empty())
            return;
        if (has_error(line))
            of_compiler = line;
        if (of_make.empty() && line.find("*** ") != std::string_view::npos)
            of_make = line;
        last = line;
    });
    return shown(!of_compiler.empty() ? of_compiler : !of_make.empty() ? of_make : last);
}

std::vector<Warning> parse_warnings(std::string_view log) {
    std::map<std::tuple<std::string, std::string, std::string>, int> counts;
    each_line(log, [&](std::string_view line) {
        if (const auto warning = warning_in(line))
            ++counts[{warning->file, warning->option, warning->message}];
    });
    std::vector<Warning> warnings;
    for (const auto& [what, count] : counts)
        warnings.push_back({std::get<0>(what), std::get<1>(what), std::get<2>(what), count});
    return warnings;
}

std::optional<SourcePlace> place_of(std::string_view message) {
    const std::size_t end = message.find(": ");
    if (end == std::string_view::npos)
        return std::nullopt;
    auto file = file_of(message.substr(0, end));
    if (!file)
        return std::nullopt;
    SourcePlace place{std::move(*file), 0};
    const std::string_view position = message.substr(message.find(':') + 1);
    std::from_chars(position.data(), position.data() + position.size(), place.line);
    return place;
}

int line_of(std::string_view log, const Warning& warning) {
    int found = 0;
    each_line(log, [&](std::string_view line) {
        if (found != 0)
            return;
        const auto other = warning_in(line);
        if (!other || *other != Warning{warning.file, warning.option, warning.message, 1})
            return;
        if (const auto place = place_of(line))
            found = place->line;
    });
    return found;
}

std::vector<Warning> new_warnings(const std::vector<Warning>& baseline,
                                  const std::vector<Warning>& patched) {
    std::map<std::tuple<std::string, std::string, std::string>, int> known;
    for (const Warning& warning : baseline)
        known[{warning.file, warning.option, warning.message}] += warning.count;
    std::vector<Warning> fresh;
    for (Warning warning : patched) {
        const auto found = known.find({warning.file, warning.option, warning.message});
        if (found != known.end())
            warning.count -= found->second;
        if (warning.count > 0)
            fresh.push_back(std::move(warning));
    }
    return fresh;
}

std::optional<std::string> machine_failure(std::string_view log) {
    constexpr std::array marks = {"No space left on device",
                                  "Disk quota exceeded",
                                  "Cannot allocate memory",
                                  "virtual memory exhausted",
                                  "Resource temporarily unavailable",
                                  "Cannot fork",
                                  "prlimit: failed to execute",
                                  ": exec: ",
                                  "Killed signal terminated program",
                                  "fatal error: Killed",
                                  "internal compiler error",
                                  "PLEASE submit a bug report",
                                  "Input/output error",
                                  "bwrap: "};
    std::optional<std::string> found;
    each_line(log, [&](std::string_view line) {
        // "   12 |  printk("No space left on device");" is a compiler that quotes the source.
        if (found || line.find(" | ") != std::string_view::npos)
            return;
        for (const std::string_view mark : marks)
            if (line.find(mark) != std::string_view::npos)
                found = shown(line);
    });
    return found;
}

bool is_compile_step(std::string_view line) {
    return line.starts_with("  CC ") || line.starts_with("  AS ") || line.starts_with("  HOSTCC ");
}

} // namespace kmatrix
