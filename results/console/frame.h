// SPDX-License-Identifier: GPL-2.0-only
// One frame of a kernel's stack dump, in every spelling that the architectures have had.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kmatrix {

struct Frame {
    std::string function;   // as canonical_function() gives it
    std::string symbol;     // as the kernel printed it: "foo.isra.0"
    std::string offset;     // "0x1a/0x40"; empty if the line has none
    std::string module;     // "[ext4]" without brackets; empty: the kernel itself
    std::string caller;     // 32-bit arm prints two functions a line: the outer one
    bool uncertain = false; // marked with '?': found on the stack, perhaps no caller
};

// A line of a call trace:
//   " foo+0x1a/0x40 [mod]"   " ? foo+0x1a/0x40"   " [<ffffffff81234567>] foo+0x1a/0x40"
//   "[c0..] [c0..] foo+0x1a/0x40 (unreliable)"    " foo file.c:12 [inline]"
//   "[<c0..>] (foo) from [<c0..>] (bar+0x1a/0x40)"    " foo from bar+0x1a/0x40"
std::optional<Frame> parse_frame(std::string_view text);

// The line of a register dump that says where the CPU was: "RIP: 0010:foo+0x1a/0x40", "EIP is at",
// "PC is at", "pc : ", "epc : ", "NIP [c0..] ", "IP: ". Nothing for an address without a name.
std::optional<Frame> parse_program_counter(std::string_view text);

// "foo+0x1a/0x40", "foo+0x1a/0x40 [mod]" or "foo" at the start of the text, and how many bytes of
// it.
struct Symbol {
    std::string name;
    std::string offset;
    std::string module;
    std::size_t length = 0;
};
std::optional<Symbol> parse_symbol(std::string_view text);

// The name that a function has in the source, the same for every build and architecture: without
// what compilers append (".isra.0", ".part.3", ".constprop.0", ".cold", ".llvm.123"), a system
// call's wrapper under one name (__x64_sys_foo, __arm64_sys_foo, SyS_foo: sys_foo), Rust symbols
// readable.
std::string canonical_function(std::string_view symbol);

} // namespace kmatrix
