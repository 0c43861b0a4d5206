// SPDX-License-Identifier: GPL-2.0-only
#include "runner/series/series.h"

#include <set>

#include "base/text.h"

namespace kmatrix {
namespace {

constexpr std::string_view selftests_directory = "tools/testing/selftests/";

} // namespace

std::vector<std::string> Series::selftests_edited() const {
    std::set<std::string> targets;
    for (const Patch& patch : patches)
        for (const FileDiff& file : patch.files)
            for (const std::string* path : {&file.old_path, &file.new_path})
                if (path->starts_with(selftests_directory))
                    targets.insert(split(path->substr(selftests_directory.size()), '/').front());
    return {targets.begin(), targets.end()};
}

SeriesInfo Series::info() const {
    SeriesInfo info;
    info.subject = subject;
    info.version = version;
    for (const Patch& patch : patches) {
        info.patches.push_back(patch.subject);
        info.letters.push_back(patch.letter);
    }
    info.cover = cover;
    info.change_id = change_id;
    info.source = source;
    info.message_id = message_id;
    info.author = author;
    info.changes_selftests = !selftests_edited().empty();
    info.notes = notes;
    return info;
}

} // namespace kmatrix
