// SPDX-License-Identifier: GPL-2.0-only
// Something that a series made worse, as a value.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace kmatrix {

enum class Lane { build, boot, splat, test, latency, warning };
std::string_view to_string(Lane lane);

struct Regression {
    Lane lane = Lane::build;
    std::string cell; // its id; of a build or a warning, all cells that boot it, joined by ", "
    std::string what; // "the patched kernel panicked at boot", "proc: proc-maps-race fails"
    // The line that matters: the compiler's error, the splat's title, the assertion that failed.
    std::string line;
    std::vector<std::string> more; // lines of the splat, the test's output, the console's end
    bool gates = false;            // [gate] makes exit status 1 of it
    std::filesystem::path log;     // relative to the run's directory; may be empty
    std::string command;           // to see it again by hand; may be empty
    int patch = 0; // that brings it, where later ones mend it (--each-patch), from 1; else 0
};

} // namespace kmatrix
