// SPDX-License-Identifier: GPL-2.0-only
#include "runner/durations.h"

#include "base/files.h"

namespace kmatrix {
namespace {

std::filesystem::path file() {
    return state_directory() / "durations.json";
}

} // namespace

Durations read_durations() {
    return read_file(file()).and_then(parse_durations).value_or(Durations{});
}

void write_durations(const Durations& durations) {
    // A run does not fail because an estimate cannot be kept.
    static_cast<void>(write_file(file(), durations_json(durations)));
}

} // namespace kmatrix
