// SPDX-License-Identifier: GPL-2.0-only
// A tree that can be written to and thrown away, over one that stays as it is: an overlayfs where
// the machine lets us mount one (for a plain user: in a user namespace), a copy otherwise.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.h"

namespace kmatrix {

class Layer {
  public:
    enum class Kind { overlay, copy };

    // directory: made, empty, for this layer alone. lower: must stay, and stay as it is, while the
    // layer is used. Copying takes seconds.
    static boost::asio::awaitable<Result<Layer>> make(Kind kind, std::filesystem::path lower,
                                                      std::filesystem::path directory);

    // Where the whole tree lies: in commands run through in_layers() only, if it is an overlay.
    std::filesystem::path merged() const { return directory_ / "merged"; }
    // Where to put a file that is to be in the tree; parent directories are the caller's to make.
    std::filesystem::path writable() const {
        return kind_ == Kind::overlay ? directory_ / "upper" : merged();
    }

    // The file of the tree, wherever it lies now. Nothing: there is none that
    // find_plain_file() would take.
    std::optional<std::filesystem::path> find(const std::filesystem::path& relative) const;
    // Takes a file out of the tree, and the directories that are empty then, as git does.
    Result<void> remove(const std::filesystem::path& relative) const;

    Kind kind() const { return kind_; }
    const std::filesystem::path& lower() const { return lower_; }
    const std::filesystem::path& directory() const { return directory_; }

  private:
    Layer(Kind kind, std::filesystem::path lower, std::filesystem::path directory)
        : kind_(kind), lower_(std::move(lower)), directory_(std::move(directory)) {}
    bool is_empty(const std::filesystem::path& relative) const;

    Kind kind_;
    std::filesystem::path lower_, directory_;
};

// root / relative, if it is a regular file and no symbolic link leads to it from root: whoever
// wrote the tree may be nobody's friend.
std::optional<std::filesystem::path> find_plain_file(const std::filesystem::path& root,
                                                     const std::filesystem::path& relative);

// The content of such a file. Errors: it is none, or larger than the limit.
Result<std::string> read_plain_file(const std::filesystem::path& root,
                                    const std::filesystem::path& relative,
                                    std::uint64_t limit_bytes);

// The command with the layers' overlays mounted, in a mount namespace of its own that ends with
// it. The command as it is, if no layer is an overlay. Pure.
std::vector<std::string> in_layers(const std::vector<Layer>& layers, bool is_root,
                                   const std::vector<std::string>& command);

// Whether overlays can be had here; scratch is an existing directory on the file system in
// question.
boost::asio::awaitable<Result<Layer::Kind>> probe_layers(std::filesystem::path scratch);

} // namespace kmatrix
