// SPDX-License-Identifier: GPL-2.0-only
#include <cctype>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "runner/cache/work_directory.h"
#include "runner/source/argv.h"
#include "runner/source/git_sandbox.h"
#include "runner/source/sources.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace asio = boost::asio;
namespace {

struct Applied {
    bool ok = false;
    std::string said; // by git
};

asio::awaitable<Result<Applied>> apply(const Repository& repository, const fs::path& index,
                                       const Patch& patch, std::vector<std::string> options) {
    std::vector<std::string> arguments = {"apply", "--cached", "--whitespace=nowarn", "-p1"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.emplace_back("-");
    Command command = repository.command(std::move(arguments), index);
    command.argv = git_in_sandbox(command.argv, {repository.own(), index.parent_path()});
    command.input = patch.diff;
    auto exit = co_await run(std::move(command));
    if (!exit)
        co_return tl::unexpected(exit.error());
    if (exit->signal)
        co_return infrastructure_error(
            fmt::format("git apply was killed by signal {}", exit->signal));
    if (exit->tail.starts_with("bwrap: "))
        co_return infrastructure_error("bubblewrap makes no sandbox for git: " +
                                       std::string(trim(printable(exit->tail))));
    co_return Applied{exit->ok(), std::string(trim(printable(exit->tail)))};
}

// Where it does not apply: the Error for the user.
tl::unexpected<Error> refused(const Patch& patch, const std::string& name,
                              const Applied& straight) {
    return tl::unexpected(
        Error{Blame::user,
              fmt::format("{} does not apply to the baseline: {}; give the commit that the series "
                          "was made on as the baseline, or a rebased series",
                          name, refused_hunk(patch.files, straight.said)),
              straight.said,
              {}});
}

asio::awaitable<Result<void>> apply_patch(const Repository& repository, const fs::path& index,
                                          const Patch& patch, std::string name,
                                          std::vector<std::string>& notes) {
    const auto straight = co_await apply(repository, index, patch, argv());
    if (!straight)
        co_return tl::unexpected(straight.error());
    if (straight->ok)
        co_return Result<void>{};
    // Before the merge, which would see nothing to do.
    const auto reversed = co_await apply(repository, index, patch, argv("--reverse", "--check"));
    if (!reversed)
        co_return tl::unexpected(reversed.error());
    if (reversed->ok)
        co_return user_error(fmt::format("{} does not apply: the baseline has it already; give "
                                         "the commit before it as the baseline",
                                         name));
    // It may leave an index in conflict behind, which nobody uses then.
    const fs::path merged = index.string() + ".merge";
    std::error_code error;
    fs::copy_file(index, merged, fs::copy_options::overwrite_existing, error);
    const auto three_way = co_await apply(repository, merged, patch, argv("--3way"));
    if (!three_way)
        co_return tl::unexpected(three_way.error());
    if (!three_way->ok) {
        const auto loose =
            co_await apply(repository, index, patch, argv("--check", "--ignore-whitespace"));
        if (loose && loose->ok)
            co_return user_error(fmt::format("{} is mangled: it applies only where spaces and "
                                             "tabs do not count; a mail program changed them",
                                             name));
        co_return refused(patch, name, *straight);
    }
    fs::rename(merged, index, error);
    notes.push_back(fmt::format("{} applied with a three-way merge", name));
    co_return Result<void>{};
}

asio::awaitable<Result<void>> write_tree(const Repository& repository, const fs::path& index,
                                         std::vector<std::string>& trees) {
    auto tree = co_await repository.git(argv("write-tree"), index);
    if (!tree)
        co_return tl::unexpected(std::move(tree.error()));
    trees.emplace_back(trim(*tree));
    co_return Result<void>{};
}

// The ids of git's trees after each of the patches, or after the last alone.
asio::awaitable<Result<std::vector<std::string>>> patched_trees(const Repository& repository,
                                                                const fs::path& index,
                                                                const Series& series, bool each,
                                                                std::vector<std::string>& notes) {
    const std::size_t all = series.patches.size();
    std::vector<std::string> trees;
    for (std::size_t i = 0; i < all; ++i) {
        const Patch& patch = series.patches[i];
        std::string name =
            fmt::format("patch {} of {} (\"{}\", {})", i + 1, all, patch.subject, patch.origin);
        if (auto done = co_await apply_patch(repository, index, patch, std::move(name), notes);
            !done)
            co_return tl::unexpected(std::move(done.error()));
        if (!each || i + 1 == all)
            continue;
        if (auto written = co_await write_tree(repository, index, trees); !written)
            co_return tl::unexpected(std::move(written.error()));
    }
    if (auto written = co_await write_tree(repository, index, trees); !written)
        co_return tl::unexpected(std::move(written.error()));
    co_return trees;
}

// A last look at what the patches did, by git's own account of it: whatever read_diff() and git
// may see differently.
std::optional<std::string> unwelcome(std::string_view modes, const std::string& path) {
    if (const auto why = path_refusal(path))
        return fmt::format("{}: {}", printable(path), *why);
    // ":100644 100755 ..."
    for (const std::string_view mode : {modes.substr(1, 6), modes.substr(8, 6)})
        if (mode != "000000" && mode != "100644" && mode != "100755")
            return fmt::format("{}: no regular file (mode {})", path, mode);
    return std::nullopt;
}

Result<void> read_changes(std::string_view raw, Sources& sources) {
    const std::vector<std::string> words = split(raw, '\0');
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        const std::string& modes = words[i];
        const std::string& path = words[i + 1];
        if (modes.size() < 15)
            return infrastructure_error("git diff-tree gave an unexpected answer: " + modes);
        if (const auto why = unwelcome(modes, path))
            return user_error("the series is refused, for it touches " + *why);
        (modes.substr(8, 6) == "000000" ? sources.removed : sources.written).push_back(path);
    }
    return {};
}

asio::awaitable<Result<SourceTree>> describe(const Repository& repository, std::string id) {
    const auto makefile = co_await repository.file(id, "Makefile");
    const std::string version = makefile ? kernel_version(*makefile) : std::string{};
    if (version.empty())
        co_return user_error(fmt::format("{}: no kernel source: its Makefile names no VERSION",
                                         repository.tree().string()));
    co_return SourceTree{std::move(id), version};
}

// The baseline's, with another tree for the patched one.
asio::awaitable<Result<Sources>> with_tree(Sources sources, std::string tree) {
    auto described = co_await describe(sources.repository, std::move(tree));
    if (!described)
        co_return tl::unexpected(described.error());
    sources.patched = std::move(*described);
    auto raw = co_await sources.repository.git(
        argv("diff-tree", "-r", "-z", "--no-renames", sources.baseline.id, sources.patched.id));
    if (!raw)
        co_return tl::unexpected(raw.error());
    if (auto changes = read_changes(*raw, sources); !changes)
        co_return tl::unexpected(changes.error());
    co_return sources;
}

asio::awaitable<Result<std::vector<Sources>>> apply_patches(const Cache& cache,
                                                            Repository repository,
                                                            std::string baseline_commit,
                                                            const Series& series, bool each) {
    const auto work = WorkDirectory::make(cache.work_parent(), "apply");
    if (!work)
        co_return tl::unexpected(work.error());
    const fs::path index = work->path() / "index";
    Sources sources{std::move(repository), baseline_commit, {}, {}, {}, {}, {}};

    auto base_id =
        co_await sources.repository.git(argv("rev-parse", "--verify", baseline_commit + "^{tree}"));
    if (!base_id)
        co_return tl::unexpected(base_id.error());
    auto baseline = co_await describe(sources.repository, std::string(trim(*base_id)));
    if (!baseline)
        co_return tl::unexpected(baseline.error());
    sources.baseline = std::move(*baseline);

    if (auto read = co_await sources.repository.git(argv("read-tree", sources.baseline.id), index);
        !read)
        co_return tl::unexpected(read.error());
    std::vector<std::string> notes;
    auto trees = co_await patched_trees(sources.repository, index, series, each, notes);
    if (!trees)
        co_return tl::unexpected(std::move(trees.error()));
    std::vector<Sources> all;
    all.reserve(trees->size());
    for (const std::string& tree : *trees) {
        auto step = co_await with_tree(sources, tree);
        if (!step)
            co_return tl::unexpected(std::move(step.error()));
        all.push_back(std::move(*step));
    }
    all.back().notes = std::move(notes);
    if (all.back().baseline.id == all.back().patched.id)
        all.back().notes.emplace_back("the series changes nothing: both trees are the same");
    co_return all;
}

} // namespace

std::string kernel_version(std::string_view makefile) {
    std::map<std::string, std::string, std::less<>> values;
    for (const std::string& line : split(makefile.substr(0, 4096), '\n')) {
        const std::size_t equals = line.find('=');
        if (equals == std::string::npos)
            continue;
        values.emplace(trim(std::string_view(line).substr(0, equals)),
                       trim(std::string_view(line).substr(equals + 1)));
    }
    if (!values.contains("VERSION") || !values.contains("PATCHLEVEL"))
        return {};
    std::string version = values["VERSION"] + "." + values["PATCHLEVEL"];
    if (!values["SUBLEVEL"].empty())
        version += "." + values["SUBLEVEL"];
    return version + values["EXTRAVERSION"];
}

std::string refused_hunk(const std::vector<FileDiff>& files, std::string_view git_output) {
    constexpr std::string_view failed = "error: patch failed: ";
    constexpr std::string_view other = "error: ";
    for (const std::string& line : split(git_output, '\n')) {
        if (!line.starts_with(failed))
            continue;
        const std::size_t colon = line.rfind(':');
        const std::string path = line.substr(failed.size(), colon - failed.size());
        int start = 0;
        std::from_chars(line.data() + colon + 1, line.data() + line.size(), start);
        for (const FileDiff& file : files)
            for (std::size_t i = 0; file.old_path == path && i < file.hunks.size(); ++i)
                if (file.hunks[i].old_start == start)
                    return fmt::format("hunk {} of {} ({})", i + 1, path, file.hunks[i].header);
        return fmt::format("{} at line {}", path, start);
    }
    for (const std::string& line : split(git_output, '\n'))
        if (line.starts_with(other))
            return line.substr(other.size());
    return std::string(git_output);
}

asio::awaitable<Result<Sources>> apply_series(const Cache& cache, Repository repository,
                                              std::string baseline_commit, const Series& series) {
    auto all = co_await apply_patches(cache, std::move(repository), std::move(baseline_commit),
                                      series, false);
    if (!all)
        co_return tl::unexpected(std::move(all.error()));
    co_return std::move(all->back());
}

asio::awaitable<Result<std::vector<Sources>>> apply_each(const Cache& cache, Repository repository,
                                                         std::string baseline_commit,
                                                         const Series& series) {
    co_return co_await apply_patches(cache, std::move(repository), std::move(baseline_commit),
                                     series, true);
}

} // namespace kmatrix
