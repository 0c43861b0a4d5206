// SPDX-License-Identifier: GPL-2.0-only
// The stage that builds an architecture's selftests and the image that its guests boot with.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "images/plan.h"
#include "runner/run/context.h"

namespace kmatrix {

struct GuestImage {
    std::filesystem::path base; // initramfs; each boot's plan is appended to a copy
    // By the tree that they come from. The baseline's are there only for targets that the series
    // edits.
    std::map<Kernel, InstalledTests> installed;
    // Tests that make did not install, and the compiler's words; a whole target: the name's test is
    // empty.
    struct Absent {
        TestName name;
        Kernel origin = Kernel::patched;
        std::string why;
    };
    std::vector<Absent> absent;
    double cpu_s = 0;           // of the selftests that were built for it
    std::set<Kernel> libraries; // origins whose shell library is in it
};

boost::asio::awaitable<Result<GuestImage>> image_stage(const RunContext& context, Arch arch,
                                                       Detail detail);

} // namespace kmatrix
