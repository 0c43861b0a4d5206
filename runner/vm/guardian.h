// SPDX-License-Identifier: GPL-2.0-only
// A small process that outlives kmatrix by a moment, however kmatrix died, and kills the guests
// that it left behind.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/error.h"

namespace kmatrix {

// kmatrix's side: holds one end of a socket, whose closing by the kernel is the guardian's sign.
class Guardian {
  public:
    // Starts `program arguments...`, which is to call guardian_main(0), in a session of its own and
    // with no other open file, and waits until it is ready. By default this very program with the
    // hidden verb `guardian`.
    static Result<Guardian> start(const std::filesystem::path& program = "/proc/self/exe",
                                  const std::vector<std::string>& arguments = {"kmatrix",
                                                                               "guardian"});
    // Removes this file or directory too if kmatrix dies; `keep` takes it back.
    void remove_at_death(const std::filesystem::path& path) const;
    void keep(const std::filesystem::path& path) const;

    Guardian(Guardian&& other) noexcept;
    Guardian& operator=(Guardian&& other) noexcept;
    Guardian(const Guardian&) = delete;
    Guardian& operator=(const Guardian&) = delete;
    // An orderly end: the guardian goes without doing anything, and is waited for.
    ~Guardian();

    pid_t pid() const { return pid_; }

  private:
    Guardian(int fd, pid_t pid) : fd_(fd), pid_(pid) {}
    void say(const std::string& line) const;

    int fd_ = -1;
    pid_t pid_ = 0;
};

// The guardian itself: writes one byte when it is ready, reads what kmatrix says on `fd` until it
// is closed, then does its duty, and returns the process's exit status. Lines: "owner PID START",
// "remove PATH", "keep PATH", "bye".
// It looks for guests during `look_for`: one that was being started when kmatrix died shows its
// name only after a moment.
int guardian_main(int fd, std::chrono::milliseconds look_for = std::chrono::seconds(2));

} // namespace kmatrix
