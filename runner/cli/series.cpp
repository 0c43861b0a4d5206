// SPDX-License-Identifier: GPL-2.0-only
#include <memory>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "runner/cli/verbs.h"
#include "runner/series/series.h"
#include "runner/source/base.h"
#include "runner/source/repository.h"
#include "runner/wait.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;

asio::awaitable<Result<Series>> read(std::string source, std::string tree) {
    auto repository = co_await Repository::open(cache_directory(), tree);
    if (!repository)
        co_return tl::unexpected(std::move(repository.error()));
    auto series = co_await read_series(source, *repository);
    if (!series)
        co_return series;
    const auto base = co_await find_base(*repository, *series, {});
    if (!base)
        co_return tl::unexpected(base.error());
    series->notes.push_back(base->how);
    for (const std::string& tried : base->tried)
        series->notes.push_back("tried for a baseline before that: " + tried);
    co_return series;
}

std::string text(const Series& series) {
    std::string text =
        fmt::format("{} (v{})\n  from {}\n", series.subject, series.version, series.author);
    if (!series.message_id.empty())
        text += fmt::format("  message {}\n", series.message_id);
    if (!series.base_commit.empty())
        text += fmt::format("  made on {}\n", series.base_commit);
    for (std::size_t i = 0; i < series.patches.size(); ++i) {
        text +=
            fmt::format("  {}/{} {}\n", i + 1, series.patches.size(), series.patches[i].subject);
        for (const FileDiff& file : series.patches[i].files)
            text += fmt::format("      {}\n", file.path());
    }
    for (const std::string& note : series.notes)
        text += fmt::format("  note: {}\n", note);
    return printable(text);
}

int show_series(const std::string& source, const std::string& tree) {
    asio::io_context context(1);
    const auto series = wait_for(context, read(source, tree));
    if (!series)
        return fail(series.error());
    fmt::print("{}", text(*series));
    return 0;
}

} // namespace

void add_series(CLI::App& app, Action& action) {
    CLI::App* verb =
        app.add_subcommand("series", "Print what is understood of a patch series; run nothing");
    auto source = std::make_shared<std::string>();
    auto tree = std::make_shared<std::string>(".");
    verb->add_option(
            "SERIES", *source,
            "A directory of patches, a patch or mbox (.gz too), - for stdin, a Message-ID or its "
            "URL at lore.kernel.org, a git range base..topic, or a branch")
        ->required();
    verb->add_option("--tree", *tree, "The kernel's git tree")->capture_default_str();
    add_examples(*verb, "  kmatrix series --tree ~/linux examples/smaps-rollup\n"
                        "  kmatrix series --tree ~/linux v6.12..topic\n"
                        "  kmatrix series --tree ~/linux '<20260101100000.1-a@example.org>'");
    verb->callback([=, &action] { action = [=] { return show_series(*source, *tree); }; });
}

} // namespace kmatrix
