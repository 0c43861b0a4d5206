// SPDX-License-Identifier: GPL-2.0-only
// What a build printed, read for a report. Pure; works with gcc 12 and clang 19, GNU ld and lld,
// kbuild's own tools (objtool, modpost, kconfig), and make, all under LC_ALL=C.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/model.h"

namespace kmatrix {

// The line that tells why a build failed: the first error of a compiler or linker, or else the
// first of make ("*** No rule to make target ..."), or else the last line. Paths are relative to
// the source; nothing but printable text. Empty only for an empty log.
std::string first_error(std::string_view log);

// Every warning, once, with its count, in the order of file, option and message. Options are named
// as one would turn them on ("-Wfoo" also where -Werror=foo made it an error); what is no
// compiler's has "objtool", "modpost", "ld", "kconfig" there. Offsets into functions are dropped
// from messages, as positions in files are.
std::vector<Warning> parse_warnings(std::string_view log);

// Where in the source a compiler's message is.
struct SourcePlace {
    std::string file; // relative to the source
    int line = 0;     // from 1; 0: unknown
};

// Of one line of a compiler's, as first_error gives it: "fs/exec.c:14:9: error: ...". Nothing for
// what names no place in a file.
std::optional<SourcePlace> place_of(std::string_view message);

// The line in its file of the first such warning of a log; 0 if the log has none, or no line.
int line_of(std::string_view log, const Warning& warning);

// Those of `patched` that `baseline` has not; a count that grew is new by as many.
std::vector<Warning> new_warnings(const std::vector<Warning>& baseline,
                                  const std::vector<Warning>& patched);

// A failure that is the machine's and says nothing of the source: no space, no memory, a compiler
// that was killed or crashed. The line that says so.
std::optional<std::string> machine_failure(std::string_view log);

// Whether the line is one that kbuild prints for a file compiled ("  CC      fs/exec.o").
bool is_compile_step(std::string_view line);

} // namespace kmatrix
