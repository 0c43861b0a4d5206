// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/files.h"
#include "runner/cache/cache.h"
#include "runner/cli/verbs.h"

namespace kmatrix {
namespace {

std::string size_text(std::uint64_t bytes) {
    return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

int show() {
    const Cache cache(cache_directory());
    std::uint64_t all_bytes = 0;
    for (const CacheListing& entry : cache.list()) {
        all_bytes += entry.bytes;
        fmt::print("{:>12}  {:%Y-%m-%d %H:%M}  {}{:<10}  {}\n", size_text(entry.bytes),
                   fmt::localtime(entry.used), entry.in_use ? "* " : "  ", entry.key.kind,
                   entry.key.label);
    }
    fmt::print("{:>12}  in all, in {}; the cap is {} (* in use now)\n", size_text(all_bytes),
               cache.root().string(), size_text(default_cache_cap_bytes));
    return 0;
}

int trim(std::uint64_t cap_bytes) {
    const CacheTrimmed trimmed = Cache(cache_directory()).trim(cap_bytes);
    fmt::print("{} entries removed, {} freed, {} left\n", trimmed.removed,
               size_text(trimmed.freed_bytes), size_text(trimmed.left_bytes));
    return 0;
}

} // namespace

void add_cache(CLI::App& app, Action& action) {
    CLI::App* verb = app.add_subcommand("cache", "Show or trim what is kept between runs: "
                                                 "checkouts, kernels, selftests");
    auto cap = std::make_shared<std::uint64_t>(0);
    CLI::Option* option =
        verb->add_option("--trim", *cap, "Remove what was not used for longest until this fits")
            ->transform(CLI::AsSizeValue(false))
            ->type_name("SIZE");
    add_examples(*verb, "  kmatrix cache\n  kmatrix cache --trim 10GB");
    verb->callback(
        [=, &action] { action = [=] { return option->count() > 0 ? trim(*cap) : show(); }; });
}

} // namespace kmatrix
