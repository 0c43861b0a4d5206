// SPDX-License-Identifier: GPL-2.0-only
// What a diff is about to change, read before git sees it. Not a judge of whether it applies.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kmatrix {

struct Hunk {
    int old_start = 0;
    std::string header; // "@@ -12,7 +12,9 @@ static int f(void)", printable
};

struct FileDiff {
    std::string old_path;           // relative to the tree; empty where the file is added
    std::string new_path;           // empty where it is removed
    std::string old_blob;           // "index 0123456..": perhaps abbreviated; may be empty
    std::vector<std::string> modes; // every mode that the diff names: "100644", "120000"
    std::vector<Hunk> hunks;
    bool has_binary = false;

    const std::string& path() const { return new_path.empty() ? old_path : new_path; }
};

// The lines that a hunk still has to have on either side.
struct HunkLines {
    int old_lines = 0, new_lines = 0;

    // Of a hunk's header; nothing if it is none.
    static std::optional<HunkLines> of(std::string_view header);
    bool any() const { return old_lines > 0 || new_lines > 0; }
    void take(std::string_view line);
};

// Reads git's extended headers and traditional ones ("--- a/f", "+++ b/f"), paths one level down
// (-p1). Text between the files is passed over; an incomplete hunk ends with the text.
std::vector<FileDiff> parse_diff(std::string_view diff);

// Why kmatrix does not let a patch touch such a path: it is absolute, leaves the tree, is git's
// own, has control bytes in it, or is no valid UTF-8. Nothing: it is welcome.
std::optional<std::string> path_refusal(std::string_view path);

// The same for a whole file: its paths, and a mode other than 100644 and 100755 (symbolic links
// and submodules are among those: both can lead a later file of the series out of the tree).
std::optional<std::string> refusal(const FileDiff& file);

} // namespace kmatrix
