// SPDX-License-Identifier: GPL-2.0-only
// One make of a kernel source in the sandbox.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/command.h"
#include "base/error.h"
#include "runner/build/layer.h"
#include "runner/build/sandbox.h"

namespace kmatrix {

struct MakeRun {
    Sandbox sandbox;
    std::vector<Layer> layers;          // what of the sandbox's directories has to be mounted first
    std::string directory = "/src";     // of the Makefile, in the sandbox
    std::vector<std::string> options;   // of make: "-k"
    std::vector<std::string> variables; // "ARCH=arm64"
    std::vector<std::string> targets;
    int jobs = 1;
    std::filesystem::path log; // appended to
    std::function<void(std::string_view)> on_line = {};
};

// A make that has not ended after this is killed, and has failed: a Makefile can wait for ever.
inline constexpr std::chrono::hours make_time_limit{3};

// Fails only for reasons of our own; how make ended is in the Exit.
boost::asio::awaitable<Result<Exit>> run_make(MakeRun make);

// Where make failed: the words for a report, from the log. An Error where the machine is to blame
// and not the source (see machine_failure()).
Result<std::string> failure_words(const Exit& exit, const std::filesystem::path& log);

} // namespace kmatrix
