// SPDX-License-Identifier: GPL-2.0-only
#include "runner/source/repository.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/files.h"
#include "base/text.h"
#include "runner/source/argv.h"

namespace kmatrix {
namespace fs = std::filesystem;
namespace asio = boost::asio;
namespace {

// Configuration of the system and the user is not read, no program of theirs is run.
const std::vector<std::string>& fixed_environment() {
    static const std::vector<std::string> environment = {
        "GIT_CONFIG_NOSYSTEM=1",
        "GIT_CONFIG_GLOBAL=/dev/null",
        "GIT_ATTR_NOSYSTEM=1",
        "GIT_OPTIONAL_LOCKS=0",
        "GIT_TERMINAL_PROMPT=0",
        "GIT_NO_REPLACE_OBJECTS=1",
        "GIT_AUTHOR_NAME=kmatrix",
        "GIT_AUTHOR_EMAIL=kmatrix@localhost.invalid",
        "GIT_AUTHOR_DATE=@0 +0000",
        "GIT_COMMITTER_NAME=kmatrix",
        "GIT_COMMITTER_EMAIL=kmatrix@localhost.invalid",
        "GIT_COMMITTER_DATE=@0 +0000",
        "LC_ALL=C",
        "TZ=UTC",
    };
    return environment;
}

std::vector<std::string> git_argv(std::vector<std::string> arguments) {
    std::vector<std::string> argv = {"git",
                                     "-c",
                                     "core.fsmonitor=false",
                                     "-c",
                                     "core.hooksPath=/dev/null",
                                     "-c",
                                     "core.quotePath=false",
                                     "-c",
                                     "core.attributesFile=/dev/null",
                                     "-c",
                                     "protocol.allow=never",
                                     "-c",
                                     "checkout.workers=0",
                                     "-c",
                                     "gc.auto=0",
                                     "-c",
                                     "advice.detachedHead=false"};
    argv.insert(argv.end(), std::make_move_iterator(arguments.begin()),
                std::make_move_iterator(arguments.end()));
    return argv;
}

Command clean_command(std::vector<std::string> arguments) {
    Command command;
    command.argv = git_argv(std::move(arguments));
    command.clean_environment = true;
    command.environment = fixed_environment();
    return command;
}

// In a list of directories git splits at colons, unless an entry is quoted as a C string is.
std::string quoted_directory(const fs::path& directory) {
    std::string text = "\"";
    for (const char c : directory.string()) {
        if (c == '"' || c == '\\')
            text += '\\';
        text += c;
    }
    return text + '"';
}

std::string first_word_of_git(const Exit& exit) {
    std::string words(trim(printable(exit.tail)));
    if (words.starts_with("fatal: "))
        words.erase(0, 7);
    return words;
}

} // namespace

Command Repository::command(std::vector<std::string> arguments, const fs::path& index,
                            const fs::path& work_tree) const {
    Command command = clean_command(std::move(arguments));
    command.environment.push_back("GIT_DIR=" + own_.string());
    command.environment.push_back("GIT_ALTERNATE_OBJECT_DIRECTORIES=" + quoted_directory(objects_));
    if (!shallow_.empty())
        command.environment.push_back("GIT_SHALLOW_FILE=" + shallow_.string());
    if (!index.empty())
        command.environment.push_back("GIT_INDEX_FILE=" + index.string());
    if (!work_tree.empty()) {
        command.environment.push_back("GIT_WORK_TREE=" + work_tree.string());
        command.cwd = work_tree;
    } else {
        command.cwd = own_;
    }
    return command;
}

Command Repository::user_command(std::vector<std::string> arguments) const {
    // A tree of another owner is welcome: what is run here reads, and starts no program that the
    // tree's configuration names.
    std::vector<std::string> all = {"-c", "safe.directory=*", "-C", tree_.string()};
    all.insert(all.end(), std::make_move_iterator(arguments.begin()),
               std::make_move_iterator(arguments.end()));
    return clean_command(std::move(all));
}

asio::awaitable<Result<std::string>> Repository::git(std::vector<std::string> arguments,
                                                     fs::path index, fs::path work_tree) const {
    Command command = this->command(std::move(arguments), index, work_tree);
    co_return co_await output_of(std::move(command));
}

asio::awaitable<Result<std::string>> Repository::file(std::string tree, std::string path) const {
    co_return co_await git(argv("cat-file", "blob", tree + ":" + path));
}

asio::awaitable<Result<std::string>> Repository::commit(std::string revision) const {
    auto found = co_await commit_in_tree(revision);
    const bool is_id = (revision.size() == 40 || revision.size() == 64) &&
                       revision.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (found || !is_id)
        co_return found;
    const auto fetched =
        co_await git(argv("rev-parse", "--verify", "--quiet", revision + "^{commit}"));
    if (!fetched)
        co_return found;
    co_return std::string(trim(*fetched));
}

asio::awaitable<Result<std::vector<Remote>>> Repository::remotes() const {
    std::vector<Remote> remotes;
    Command list = user_command({"remote"});
    const auto names = co_await output_of(std::move(list));
    if (!names)
        co_return tl::unexpected(names.error());
    for (const std::string& name : split(*names, '\n')) {
        if (name.empty())
            continue;
        Command command = user_command({"remote", "get-url", "--", name});
        const auto exit = co_await run(std::move(command));
        if (!exit)
            co_return tl::unexpected(exit.error());
        if (!exit->ok())
            continue; // it has none
        std::string url(trim(exit->output));
        std::error_code error;
        if (const fs::path place = tree_ / url; fs::is_directory(place, error))
            url = place.lexically_normal().string();
        remotes.push_back({name, std::move(url)});
    }
    co_return remotes;
}

asio::awaitable<Result<std::string>> Repository::commit_in_tree(std::string revision) const {
    if (revision.empty() || revision.starts_with('-'))
        co_return user_error(fmt::format("\"{}\" is no revision of {}", revision, tree_.string()));
    const Command command = user_command({"rev-parse", "--verify", revision + "^{commit}"});
    auto exit = co_await run(command);
    if (!exit)
        co_return tl::unexpected(exit.error());
    if (!exit->ok())
        co_return user_error(fmt::format("{}: \"{}\" is no revision there: git says: {}",
                                         tree_.string(), revision, first_word_of_git(*exit)));
    co_return std::string(trim(exit->output));
}

asio::awaitable<Result<std::vector<Branch>>> Repository::branches() const {
    auto head = co_await commit("HEAD");
    if (!head)
        co_return tl::unexpected(head.error());
    std::vector<Branch> branches = {{"the tree's HEAD", *head}};
    Command command =
        user_command({"for-each-ref", "--sort=-committerdate", "--count=50",
                      "--format=%(objectname) %(refname:short)", "refs/heads", "refs/remotes"});
    const auto refs = co_await output_of(std::move(command));
    if (!refs)
        co_return tl::unexpected(refs.error());
    for (const std::string& line : split(*refs, '\n')) {
        const std::size_t space = line.find(' ');
        if (space == std::string::npos)
            continue;
        Branch branch{line.substr(space + 1), line.substr(0, space)};
        if (std::none_of(branches.begin(), branches.end(),
                         [&](const Branch& other) { return other.commit == branch.commit; }))
            branches.push_back(std::move(branch));
    }
    co_return branches;
}

asio::awaitable<Result<void>> Repository::find_objects() {
    const Command command =
        user_command({"rev-parse", "--path-format=absolute", "--absolute-git-dir", "--git-path",
                      "objects", "--git-path", "shallow", "--is-inside-work-tree", "--show-prefix",
                      "--show-object-format"});
    auto exit = co_await run(command);
    if (!exit)
        co_return tl::unexpected(exit.error());
    if (!exit->ok())
        co_return user_error(fmt::format(
            "{}: no git tree (git says: {}); a source without git becomes one with: git -C {} init "
            "&& git -C {} add -A && git -C {} commit -m base",
            tree_.string(), first_word_of_git(*exit), tree_.string(), tree_.string(),
            tree_.string()));
    const std::vector<std::string> lines = split(exit->output, '\n');
    if (lines.size() < 6)
        co_return infrastructure_error(
            fmt::format("{}: git rev-parse gave an unexpected answer: {}", tree_.string(),
                        printable(exit->output)));
    git_dir_ = lines[0];
    objects_ = lines[1];
    std::error_code error;
    if (fs::exists(lines[2], error))
        shallow_ = lines[2];
    has_work_tree_ = lines[3] == "true";
    const std::string& prefix = lines[4];
    object_format_ = lines[5];
    if (!prefix.empty())
        co_return user_error(fmt::format(
            "{}: a directory inside of a git tree ({}), not the top of one; give its top, or make "
            "a git tree of the directory itself",
            tree_.string(), git_dir_.string()));
    co_return Result<void>{};
}

asio::awaitable<void> Repository::note_state() {
    std::error_code error;
    for (const char* name : {"rebase-merge", "rebase-apply"})
        if (fs::exists(git_dir_ / name, error))
            notes_.push_back(
                fmt::format("{} is in the middle of a rebase or am: HEAD is where that stands now",
                            tree_.string()));
    if (!has_work_tree_)
        co_return;
    // Without safe.directory: this one looks at files, and a filter that the tree's configuration
    // names may run. In a tree of another owner git refuses, and then there is no note.
    const Command command = clean_command({"-C", tree_.string(), "status", "--porcelain",
                                           "--untracked-files=no", "--ignore-submodules=all"});
    const auto exit = co_await run(command);
    if (exit && exit->ok() && !trim(exit->output).empty())
        notes_.push_back(
            fmt::format("{} has uncommitted changes, which are in neither kernel", tree_.string()));
}

asio::awaitable<Result<void>> Repository::make_own() const {
    const fs::path marker = own_ / "HEAD";
    std::error_code error;
    if (fs::exists(marker, error))
        co_return Result<void>{};
    fs::create_directories(own_, error);
    Command command = clean_command(
        {"init", "--quiet", "--bare", "--template=", "--object-format=" + object_format_, own_});
    const auto made = co_await output_of(std::move(command));
    if (!made)
        co_return tl::unexpected(made.error());
    co_return Result<void>{};
}

asio::awaitable<Result<Repository>> Repository::open(fs::path cache, fs::path tree) {
    Repository repository;
    std::error_code error;
    repository.tree_ = fs::canonical(tree, error);
    if (error || !fs::is_directory(repository.tree_, error))
        co_return user_error(fmt::format("{}: no such directory; --tree wants the top of a git "
                                         "tree of the kernel",
                                         tree.string()));
    if (auto found = co_await repository.find_objects(); !found)
        co_return tl::unexpected(found.error());
    // Ids of two lengths cannot lie in one repository.
    repository.own_ =
        cache / (repository.object_format_ == "sha1" ? "git" : "git-" + repository.object_format_);
    if (auto head = co_await repository.commit("HEAD"); !head)
        co_return user_error(
            fmt::format("{}: the git tree has no commit yet", repository.tree_.string()));
    if (auto made = co_await repository.make_own(); !made)
        co_return tl::unexpected(made.error());
    co_await repository.note_state();
    co_return repository;
}

} // namespace kmatrix
