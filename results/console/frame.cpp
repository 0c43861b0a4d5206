// SPDX-License-Identifier: GPL-2.0-only
#include "results/console/frame.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"

namespace kmatrix {

namespace {

bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
}

bool is_name(char c) {
    return is_name_start(c) || is_digit(c);
}

std::string_view after_blanks(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

// "0x1a/0x40" at the start; the length of it, or 0. The size may be missing.
std::size_t offset_length(std::string_view text) {
    if (!text.starts_with("0x")) {
        return 0;
    }
    std::size_t at = 2;
    while (at < text.size() && is_hex(text[at])) {
        ++at;
    }
    if (at == 2) {
        return 0;
    }
    if (text.substr(at).starts_with("/0x")) {
        std::size_t end = at + 3;
        while (end < text.size() && is_hex(text[end])) {
            ++end;
        }
        return end;
    }
    return at;
}

// "[<ffffffff81234567>] ", "[c0000000000088f8] ", "([<000000000012345a>] ", "<8010a0b4> ", any
// number of them. What is left, and whether there was one.
std::string_view after_addresses(std::string_view text, bool& found) {
    found = false;
    for (;;) {
        text = after_blanks(text);
        std::string_view rest = text;
        if (rest.starts_with("(") && rest.substr(0, 2) == "([") {
            rest.remove_prefix(1);
        }
        const bool square = rest.starts_with("[");
        rest.remove_prefix(square ? 1 : 0);
        const bool angle = rest.starts_with("<");
        rest.remove_prefix(angle ? 1 : 0);
        if (!square && !angle) {
            return text;
        }
        std::size_t digits = 0;
        while (digits < rest.size() && is_hex(rest[digits])) {
            ++digits;
        }
        const bool hidden = rest.starts_with("(ptrval)") || rest.starts_with("(____ptrval____)");
        if (hidden) {
            digits = rest.find(')') + 1;
        } else if (digits < 8) {
            return text;
        }
        rest.remove_prefix(digits);
        if ((angle && !rest.starts_with(">")) ||
            (square && !rest.starts_with(angle ? ">]" : "]"))) {
            return text;
        }
        rest.remove_prefix((angle ? 1u : 0u) + (square ? 1u : 0u));
        text = rest;
        found = true;
    }
}

// "s_", "s3_", "Cs9jEwPDbx20M_", "B5_", "G_" of a mangled Rust symbol: the length, or 0.
std::size_t skipped_part(std::string_view symbol) {
    if (symbol[0] != 's' && symbol[0] != 'B' && symbol[0] != 'G' && !symbol.starts_with("Cs")) {
        return 0;
    }
    constexpr std::size_t longest = 16;
    std::size_t end = 1;
    while (end < symbol.size() && end < longest && symbol[end] != '_') {
        ++end;
    }
    return end < symbol.size() && symbol[end] == '_' ? end + 1 : 0;
}

// Rust's v0 mangling holds each part of the path as its length and itself ("8process_new"); what is
// between them is generics and disambiguators, which change from build to build. Reading the parts
// in order is enough to name a function (RFC 2603).
std::string readable_rust(std::string_view symbol) {
    std::vector<std::string> parts;
    for (std::size_t i = 2; i < symbol.size();) {
        // A disambiguator, a crate's hash, a reference to an earlier part, a binder: up to '_'
        if (const auto skip = skipped_part(symbol.substr(i)); skip > 0) {
            i += skip;
            continue;
        }
        if (!is_digit(symbol[i]) || symbol[i] == '0') {
            ++i;
            continue;
        }
        std::size_t length = 0;
        while (i < symbol.size() && is_digit(symbol[i]) && length < symbol.size()) {
            length = length * 10 + static_cast<std::size_t>(symbol[i++] - '0');
        }
        if (i < symbol.size() && symbol[i] == '_') {
            ++i;
        }
        if (length > symbol.size() - std::min(i, symbol.size())) {
            break;
        }
        parts.emplace_back(symbol.substr(i, length));
        i += length;
    }
    return parts.empty() ? std::string(symbol) : join(parts, "::");
}

// A system call by one name for all architectures: "sys_foo" for the ways in (__x64_sys_foo,
// __arm64_sys_foo, SyS_foo), "foo" for the body of SYSCALL_DEFINE(foo) (__do_sys_foo, SYSC_foo).
std::string without_wrapper(std::string_view name) {
    static constexpr std::array<std::string_view, 7> ways_in = {
        "__x64_", "__ia32_", "__arm64_", "__riscv_", "__s390x_", "__s390_", "__powerpc_",
    };
    static constexpr std::array<std::string_view, 6> bodies = {
        "__do_sys_", "__se_sys_", "__do_compat_sys_", "__se_compat_sys_", "SYSC_", "compat_SyS_",
    };
    for (const auto body : bodies) {
        if (name.starts_with(body)) {
            return std::string(name.substr(body.size()));
        }
    }
    for (const auto way : ways_in) {
        const auto rest = name.substr(std::min(way.size(), name.size()));
        if (name.starts_with(way) &&
            (rest.starts_with("sys_") || rest.starts_with("compat_sys_"))) {
            name = rest;
        }
    }
    if (name.starts_with("compat_sys_")) {
        name.remove_prefix(7);
    }
    return name.starts_with("SyS_") ? "sys_" + std::string(name.substr(4)) : std::string(name);
}

} // namespace

std::string canonical_function(std::string_view symbol) {
    if (symbol.starts_with("_R") && symbol.size() > 4) {
        return readable_rust(symbol);
    }
    static constexpr std::array<std::string_view, 7> suffixes = {
        ".isra.", ".part.", ".constprop.", ".cold", ".llvm.", ".lto_priv.", ".cfi_jt",
    };
    std::size_t length = symbol.size();
    for (const auto suffix : suffixes) {
        length = std::min(length, symbol.find(suffix, 1));
    }
    std::string_view name = symbol.substr(0, std::min(length, symbol.size()));
    if (name.starts_with("__pfx_") || name.starts_with("__cfi_")) {
        name.remove_prefix(6);
    }
    return without_wrapper(name);
}

std::optional<Symbol> parse_symbol(std::string_view text) {
    if (text.empty() || !is_name_start(text[0])) {
        return std::nullopt;
    }
    std::size_t end = 1;
    while (end < text.size() && is_name(text[end])) {
        ++end;
    }
    if (end >= 8 &&
        std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), is_hex)) {
        return std::nullopt; // an address that the kernel had no name for
    }
    Symbol symbol;
    symbol.name = text.substr(0, end);
    symbol.length = end;
    const auto rest = text.substr(end);
    if (!rest.starts_with("+")) {
        return symbol;
    }
    const std::size_t offset = offset_length(rest.substr(1));
    if (offset == 0) {
        return symbol;
    }
    symbol.offset = rest.substr(1, offset);
    symbol.length += 1 + offset;
    // " [mod]" or, with build ids, " [mod 0123abcd]"
    const auto after = rest.substr(1 + offset);
    if (after.starts_with(" [") && after.size() > 2 && is_name_start(after[2])) {
        std::size_t at = 2;
        while (at < after.size() && (is_name(after[at]) || after[at] == '-')) {
            ++at;
        }
        const auto close = after.find(']', at);
        if (close != std::string_view::npos && (close == at || after[at] == ' ')) {
            symbol.module = after.substr(2, at - 2);
            if (symbol.module == "inline") {
                symbol.module.clear();
            }
        }
    }
    return symbol;
}

namespace {

Frame frame_of(const Symbol& symbol) {
    Frame frame;
    frame.symbol = symbol.name;
    frame.function = canonical_function(symbol.name);
    frame.offset = symbol.offset;
    frame.module = symbol.module;
    return frame;
}

// "(foo) from [<c0..>] (bar+0x1a/0x40)" and "foo from bar+0x1a/0x40"
std::optional<Frame> parse_from(std::string_view text) {
    const bool parentheses = text.starts_with("(");
    const auto inner = parse_symbol(text.substr(parentheses ? 1 : 0));
    if (!inner) {
        return std::nullopt;
    }
    auto rest = text.substr((parentheses ? 1u : 0u) + inner->length);
    if (parentheses && rest.starts_with(")")) {
        rest.remove_prefix(1);
    }
    if (!rest.starts_with(" from ")) {
        return std::nullopt;
    }
    bool address = false;
    rest = after_addresses(rest.substr(6), address);
    const auto outer = parse_symbol(rest.starts_with("(") ? rest.substr(1) : rest);
    if (!outer || outer->offset.empty()) {
        return std::nullopt;
    }
    Frame frame = frame_of(*inner);
    // Where a function that does not return was called last of all, the address is already the next
    // function's
    if (!outer->offset.starts_with("0x0/")) {
        frame.caller = canonical_function(outer->name);
    }
    return frame;
}

} // namespace

std::optional<Frame> parse_frame(std::string_view text) {
    text = after_blanks(text);
    for (const std::string_view mark :
         {"<IRQ>", "<EOI>", "<NMI>", "<<EOE>>", "<TASK>", "<#DB>", "<#DF>"}) {
        if (text.starts_with(mark)) {
            text = after_blanks(text.substr(mark.size()));
        }
    }
    bool address = false;
    text = after_addresses(text, address);
    bool uncertain = false;
    if (text.starts_with("? ")) {
        uncertain = true;
        text = after_blanks(text.substr(2));
    }
    if (auto frame = parse_from(text)) {
        return frame;
    }
    // mips and others print "(foo+0x1a/0x40)" after the address
    if (address && text.starts_with("(")) {
        text.remove_prefix(1);
    }
    const auto symbol = parse_symbol(text);
    if (!symbol) {
        return std::nullopt;
    }
    if (symbol->offset.empty()) {
        // A function that the compiler inlined, as decode_stacktrace.sh and others add it
        if (!text.ends_with(" [inline]") || !text.substr(symbol->length).starts_with(" ")) {
            return std::nullopt;
        }
    } else if (text.size() > symbol->length) {
        // Prose that begins with a symbol is no frame
        const auto rest = text.substr(symbol->length);
        const char next = rest[0];
        if (next != ' ' && next != ')' && next != ',' && next != '\t') {
            return std::nullopt;
        }
    }
    Frame frame = frame_of(*symbol);
    frame.uncertain = uncertain || text.ends_with("(unreliable)");
    return frame;
}

std::optional<Frame> parse_program_counter(std::string_view text) {
    static constexpr std::array<std::string_view, 11> starts = {
        "RIP: ", "EIP: ",  "EIP is at ", "RIP is at ", "IP: ",  "PC is at ",
        "pc : ", "epc : ", "NIP ",       "PC: ",       "ERA: ",
    };
    text = after_blanks(text);
    for (const auto start : starts) {
        if (!text.starts_with(start)) {
            continue;
        }
        auto rest = after_blanks(text.substr(start.size()));
        // the code segment: "0010:", "e033:"
        if (rest.size() > 5 && rest[4] == ':' &&
            std::all_of(rest.begin(), rest.begin() + 4, is_hex)) {
            if (rest.substr(0, 4) == "0033" || rest.substr(0, 4) == "0023" ||
                rest.substr(0, 4) == "002b") {
                return std::nullopt; // in user space
            }
            rest = after_blanks(rest.substr(5));
        }
        bool address = false;
        rest = after_addresses(rest, address);
        if (!address && rest.size() > 17 && is_hex(rest[0])) { // riscv, loongarch: bare digits
            const auto blank = rest.find(' ');
            if (blank != std::string_view::npos && blank >= 8 &&
                std::all_of(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(blank),
                            is_hex)) {
                rest = after_blanks(rest.substr(blank));
            }
        }
        if (rest.starts_with("(")) {
            rest.remove_prefix(1);
        }
        const auto symbol = parse_symbol(rest);
        if (!symbol || symbol->offset.empty()) {
            return std::nullopt;
        }
        return frame_of(*symbol);
    }
    return std::nullopt;
}

} // namespace kmatrix
