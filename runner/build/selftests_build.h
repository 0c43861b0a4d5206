// SPDX-License-Identifier: GPL-2.0-only
// The selftests of one target (a directory of tools/testing/selftests), from one tree for one
// architecture, ready to be put into an image.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "images/plan.h"
#include "matrix/matrix.h"
#include "runner/cache/cache.h"
#include "runner/source/sources.h"

namespace kmatrix {

struct SelftestRequest {
    std::string target; // "proc", "net/lib"
    Arch arch = Arch::x86_64;
    Kernel origin = Kernel::patched; // whose tree
    int jobs = 1;
    std::filesystem::path log; // all that make printed; also where they come from the cache
    std::function<void(const std::string&)> progress = {}; // the stage; may be empty
};

// A program that was to be built or installed and is not there.
struct UnbuiltTest {
    std::string test;  // empty: the whole target
    std::string words; // the compiler's, or make's
};

struct SelftestBuild {
    std::string target;
    Kernel origin = Kernel::patched;
    // What `make install` makes: directory/TARGET/TEST, the files that tests read beside them, and
    // directory/kselftest/ with the shell's library. Symbolic links in it are to be taken as
    // links, never followed.
    std::filesystem::path directory;
    std::vector<TestName> tests; // that can be run, of kselftest-list.txt, in its order
    std::vector<UnbuiltTest> unbuilt;
    std::optional<int> timeout_s; // of the target's `settings`; 0: none
    bool is_static = true;        // false: the programs need the C library of the architecture
    bool cached = false;
    double seconds = 0;
    double cpu_s = 0;                // 0 where the cache had it
    std::optional<CacheEntry> entry; // keeps the files there while this lives
};

// Built in the sandbox, for the source may be a stranger's; its own headers are installed first. A
// target that does not build at all is a result, too: no tests, and `unbuilt` says why.
boost::asio::awaitable<Result<SelftestBuild>>
build_selftests(const Cache& cache, const Sources& sources, SelftestRequest request);

// The programs of the target for which make (-i) printed an error, with the first error of what was
// printed for each. Pure.
std::vector<UnbuiltTest> failed_programs(std::string_view log, const std::string& target);

} // namespace kmatrix
