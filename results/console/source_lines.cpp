// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/source_lines.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <set>
#include <utility>

#include <elf.h>

#include <fmt/format.h>

#include "base/command.h"
#include "base/reading_sandbox.h"
#include "base/text.h"
#include "results/console/console_line.h"
#include "results/console/elf_file.h"
#include "results/console/frame.h"

namespace kmatrix {

namespace {

std::uint64_t hexadecimal(std::string_view text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, 16);
    return value;
}

// The number behind "0x" up to what follows, "0x1a/0x40": 0x1a and 0x40.
std::pair<std::uint64_t, std::uint64_t> offset_and_size(std::string_view text) {
    const auto slash = text.find('/');
    const auto offset = text.substr(0, slash);
    const auto size = slash == std::string_view::npos ? std::string_view() : text.substr(slash + 1);
    return {hexadecimal(offset.substr(std::min<std::size_t>(2, offset.size()))),
            hexadecimal(size.substr(std::min<std::size_t>(2, size.size())))};
}

// The prefix of the tools for a machine.
Result<std::string> tool_prefix(unsigned machine) {
#if defined(__aarch64__)
    constexpr unsigned host = EM_AARCH64;
#else
    constexpr unsigned host = EM_X86_64;
#endif
    if (machine == host) {
        return std::string();
    }
    if (machine == EM_AARCH64) {
        return std::string("aarch64-linux-gnu-");
    }
    if (machine == EM_X86_64) {
        return std::string("x86_64-linux-gnu-");
    }
    return user_error(fmt::format("is for ELF machine {}, expected x86_64 or arm64", machine));
}

// A vmlinux may be made to keep a tool busy.
constexpr std::chrono::seconds tool_limit{60};

// The lines that a tool printed. Its last argument is the file that it reads.
Result<std::vector<std::string>> lines_of(std::vector<std::string> argv, std::string input) {
    std::vector<std::string> lines;
    Command command;
    argv.back() = std::filesystem::absolute(argv.back()).string();
    command.argv = reading_only(argv, argv.back());
    command.timeout = tool_limit;
    command.clean_environment = true;
    command.environment = {"LC_ALL=C"};
    command.input = std::move(input);
    command.on_line = [&](std::string_view line) { lines.emplace_back(line); };
    auto exit = run_blocking(command);
    if (!exit) {
        return tl::unexpected<Error>(std::move(exit.error()));
    }
    if (!exit->ok()) {
        return tl::unexpected<Error>(failed(command, *exit));
    }
    return lines;
}

} // namespace

std::multimap<std::string, TextSymbol>
with_sizes(std::vector<std::pair<std::uint64_t, std::string>> functions) {
    std::sort(functions.begin(), functions.end());
    std::multimap<std::string, TextSymbol> symbols;
    std::uint64_t size = 0; // of what is at the next address
    for (std::size_t i = functions.size(); i-- > 0;) {
        const auto address = functions[i].first;
        if (i + 1 < functions.size() && functions[i + 1].first > address) {
            size = functions[i + 1].first - address;
        }
        symbols.emplace(std::move(functions[i].second), TextSymbol{address, size});
    }
    return symbols;
}

std::optional<std::uint64_t> frame_address(std::string_view line,
                                           const std::multimap<std::string, TextSymbol>& symbols) {
    const auto text = clean_line(line, 0).back().text;
    const auto counter = parse_program_counter(text);
    const auto frame = counter ? counter : parse_frame(text);
    if (!frame || frame->offset.empty() || !frame->module.empty()) {
        return std::nullopt;
    }
    const auto [offset, size] = offset_and_size(frame->offset);
    const auto [first, last] = symbols.equal_range(frame->symbol);
    const auto same_size = std::find_if(
        first, last, [size = size](const auto& each) { return each.second.size == size; });
    const auto chosen = same_size != last ? same_size : first;
    if (chosen == last || (same_size == last && std::distance(first, last) > 1)) {
        return std::nullopt;
    }
    const std::uint64_t back = counter || offset == 0 ? 0 : 1;
    return chosen->second.address + offset - back;
}

std::map<std::uint64_t, std::string> parse_places(const std::vector<std::string>& lines,
                                                  std::string_view source) {
    std::map<std::uint64_t, std::string> places;
    std::uint64_t address = 0;
    for (const auto& line : lines) {
        if (line.starts_with("0x")) {
            address = hexadecimal(std::string_view(line).substr(2));
            continue;
        }
        std::string_view place = std::string_view(line).substr(0, line.find(" (discriminator"));
        if (place.ends_with(":?") || place.ends_with(":0")) {
            continue;
        }
        if (place.starts_with(source)) {
            place.remove_prefix(source.size());
        }
        std::string& joined = places[address];
        joined += (joined.empty() ? "" : ", ") + std::string(place);
    }
    return places;
}

Result<std::vector<Finding>> with_source_lines(std::vector<Finding> findings,
                                               const std::filesystem::path& vmlinux,
                                               std::string_view source) {
    auto elf = read_elf(vmlinux);
    if (!elf) {
        return tl::unexpected<Error>(std::move(elf.error()));
    }
    const auto prefix = tool_prefix(elf->machine);
    if (!prefix) {
        return tl::unexpected<Error>(Error(prefix.error()).in(vmlinux.string()));
    }
    if (!elf->has_lines) {
        return findings;
    }
    const auto symbols = with_sizes(std::move(elf->functions));
    std::set<std::uint64_t> addresses;
    for (const auto& finding : findings) {
        for (const auto& line : finding.lines) {
            if (const auto address = frame_address(line, symbols)) {
                addresses.insert(*address);
            }
        }
    }
    if (addresses.empty()) {
        return findings;
    }
    std::string asked;
    for (const auto address : addresses) {
        asked += fmt::format("{:#x}\n", address);
    }
    const auto answer =
        lines_of({*prefix + "addr2line", "-a", "-i", "-e", vmlinux.string()}, std::move(asked));
    if (!answer) {
        return tl::unexpected<Error>(answer.error());
    }
    const auto places = parse_places(*answer, source);
    for (auto& finding : findings) {
        for (auto& line : finding.lines) {
            const auto address = frame_address(line, symbols);
            const auto place = address ? places.find(*address) : places.end();
            if (place != places.end()) {
                line += fmt::format(" ({})", place->second);
            }
        }
    }
    return findings;
}

} // namespace kmatrix
