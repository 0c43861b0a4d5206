// SPDX-License-Identifier: GPL-2.0-only
// kmatrix's own bare git repository, which borrows the objects of the user's tree. Nothing is ever
// written to the user's tree, refs, index or configuration, and neither git's global configuration
// nor a hook or filter has a say.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/command.h"
#include "base/error.h"

namespace kmatrix {

struct Branch {
    std::string name; // "main", "origin/mm-unstable"
    std::string commit;
};

struct Remote {
    std::string name; // "origin"
    std::string url;  // of a directory: absolute
};

class Repository {
  public:
    // tree: the top of a git working tree (a worktree, a shallow clone, one in the middle of a
    // rebase, a dirty one) or a bare repository. Errors that are the user's: no directory, no git
    // tree, a directory inside of one, no commit yet.
    static boost::asio::awaitable<Result<Repository>> open(std::filesystem::path cache,
                                                           std::filesystem::path tree);

    const std::filesystem::path& tree() const { return tree_; }
    const std::filesystem::path& own() const { return own_; } // kmatrix's repository
    // What the user should know of the tree: uncommitted changes, a rebase under way.
    const std::vector<std::string>& notes() const { return notes_; }

    // The commit's id, for a revision as the user's tree understands it, or a whole id that
    // fetch_commit() brought.
    boost::asio::awaitable<Result<std::string>> commit(std::string revision) const;
    // The same, of the user's tree alone.
    boost::asio::awaitable<Result<std::string>> commit_in_tree(std::string revision) const;

    // Those of the user's tree, in the order of its configuration.
    boost::asio::awaitable<Result<std::vector<Remote>>> remotes() const;
    bool is_shallow() const { return !shallow_.empty(); }

    // HEAD, then the branches of the user's tree and of its remotes, the newest 50, each commit
    // once.
    boost::asio::awaitable<Result<std::vector<Branch>>> branches() const;

    // A command of git in kmatrix's repository, ready for run(). index and work_tree may be empty.
    Command command(std::vector<std::string> arguments, const std::filesystem::path& index = {},
                    const std::filesystem::path& work_tree = {}) const;

    // The same, run: its output, or what git said as an Error.
    boost::asio::awaitable<Result<std::string>> git(std::vector<std::string> arguments,
                                                    std::filesystem::path index = {},
                                                    std::filesystem::path work_tree = {}) const;

    // A file of a commit or tree; an Error if it is not there.
    boost::asio::awaitable<Result<std::string>> file(std::string tree, std::string path) const;

  private:
    // git in the user's tree; only for commands that read and run nothing.
    Command user_command(std::vector<std::string> arguments) const;
    boost::asio::awaitable<Result<void>> find_objects();
    boost::asio::awaitable<void> note_state();
    boost::asio::awaitable<Result<void>> make_own() const;

    std::filesystem::path tree_;
    std::filesystem::path own_;     // kmatrix's repository
    std::filesystem::path git_dir_; // the user's, of this worktree
    std::filesystem::path objects_; // the user's
    std::filesystem::path shallow_; // the user's list of cut-off commits; empty if there is none
    std::string object_format_ = "sha1";
    bool has_work_tree_ = false;
    std::vector<std::string> notes_;
};

} // namespace kmatrix
