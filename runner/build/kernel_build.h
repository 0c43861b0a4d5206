// SPDX-License-Identifier: GPL-2.0-only
// From a source, a configuration and a compiler to a kernel that boots.
//
// The baseline is built clean, and its whole output is kept. The patched kernel is built on from
// it: the baseline's source and output lie below two layers that are thrown away afterwards, the
// files that the series changes are written into the upper one, newer than every object, and make
// builds what depends on them and nothing else. One patched output is never built on from another.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"
#include "kconfigs/fragments.h"
#include "results/model.h"
#include "runner/cache/cache.h"
#include "runner/source/sources.h"

namespace kmatrix {

struct BuildProgress {
    std::string stage; // "checking out the source", "configuring", "compiling", "waiting for ..."
    int steps = 0;     // files compiled so far
};

struct BuildRequest {
    BuildKey key;
    Kernel kernel = Kernel::baseline;
    ConfigRecipe config;
    int jobs = 1;
    std::filesystem::path log; // all that make printed; also where the kernel comes from the cache
    std::function<void(const BuildProgress&)> progress = {}; // may be empty
    // Patched without the baseline's objects, as a check of the other way.
    bool clean = false;
    // Compile through ccache (a cold build then takes about a quarter longer). The patched kernel
    // is built as its baseline was, and only reads from it.
    bool ccache = false;
};

struct KernelBuild {
    BuildResult result; // result.log is the request's, as it was given
    // All of these are empty if the build failed.
    std::filesystem::path image, vmlinux, system_map, config;
    std::vector<std::string> notes;  // what a selftest's config asked for in vain
    std::optional<CacheEntry> entry; // keeps the files there while this lives
};

// Whether a change of this file of the source could make another configuration out of the same
// fragments. C and assembler sources and documents cannot, outside of scripts/, where kconfig
// itself and what it asks of the compiler lie. Pure.
bool may_change_config(std::string_view path);

// Errors: our own failures, and (the user's) a configuration that does not come out as asked. A
// source that does not build is a result.
boost::asio::awaitable<Result<KernelBuild>> build_kernel(const Cache& cache, const Sources& sources,
                                                         BuildRequest request);

} // namespace kmatrix
