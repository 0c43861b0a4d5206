// SPDX-License-Identifier: GPL-2.0-only
#include "runner/source/git_sandbox.h"

namespace kmatrix {

std::vector<std::string> git_in_sandbox(const std::vector<std::string>& command,
                                        const std::vector<std::filesystem::path>& writable) {
    std::vector<std::string> all = {
        "bwrap", "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--ro-bind", "/", "/",
        "--dev", "/dev"};
    for (const std::filesystem::path& path : writable)
        all.insert(all.end(), {"--bind", path.string(), path.string()});
    all.emplace_back("--");
    all.insert(all.end(), command.begin(), command.end());
    return all;
}

} // namespace kmatrix
