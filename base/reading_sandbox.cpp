// SPDX-License-Identifier: GPL-2.0-only
#include "base/reading_sandbox.h"

namespace kmatrix {

std::vector<std::string> reading_only(const std::vector<std::string>& command,
                                      const std::filesystem::path& file) {
    std::vector<std::string> argv = {"bwrap",      "--unshare-all", "--die-with-parent",
                                     "--cap-drop", "ALL",           "--new-session"};
    for (const char* directory :
         {"/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"})
        argv.insert(argv.end(), {"--ro-bind-try", directory, directory});
    argv.insert(argv.end(), {"--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev",
                             "--ro-bind", file.string(), file.string(), "--chdir", "/", "--"});
    argv.insert(argv.end(), command.begin(), command.end());
    return argv;
}

} // namespace kmatrix
