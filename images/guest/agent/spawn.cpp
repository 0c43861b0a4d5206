// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/agent/spawn.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace kmatrix::guest {
namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (const auto& text : texts) {
        result.push_back(const_cast<char*>(text.c_str()));
    }
    result.push_back(nullptr);
    return result;
}

// What the child tells its parent if it cannot become the program.
struct Failure {
    bool in_chdir = false;
    int error = 0;
};

struct Ends {
    int out, err, failure;
};

[[noreturn]] void become(const std::string& cwd, const std::vector<char*>& argv,
                         const std::vector<char*>& environment, const Ends& ends) {
    setpgid(0, 0);
    signal(SIGPIPE, SIG_DFL); // the agent's own choice is not the test's
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing > STDIN_FILENO) {
        dup2(nothing, STDIN_FILENO);
        close(nothing);
    }
    dup2(ends.out, STDOUT_FILENO);
    dup2(ends.err, STDERR_FILENO);
    // What this process was started with beyond these three is not the job's business.
    close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    Failure failure;
    if (!cwd.empty() && chdir(cwd.c_str()) != 0) {
        failure.in_chdir = true;
    } else {
        execvpe(argv[0], argv.data(), environment.data());
    }
    failure.error = errno;
    if (write(ends.failure, &failure, sizeof failure) < 0) {
        _exit(126);
    }
    _exit(127);
}

} // namespace

std::vector<std::string> environment_of(const Job& job) {
    std::vector<std::string> environment{
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/", "LANG=C",
        "TERM=dumb"};
    for (const auto& own : job.environment) {
        const std::string name = own.substr(0, own.find('=') + 1);
        std::erase_if(environment, [&](const auto& entry) { return entry.starts_with(name); });
        environment.push_back(own);
    }
    return environment;
}

Expected<Spawned> spawn(const Job& job) {
    Pipe out = make_pipe();
    Pipe err = make_pipe();
    Pipe told = make_pipe();
    const auto failed = [&](const std::string& what, int error) {
        return tl::unexpected("cannot " + what + ": " + std::strerror(error));
    };
    if (!out.read_end.is_open() || !err.read_end.is_open() || !told.read_end.is_open()) {
        return failed("make a pipe", errno);
    }
    const auto environment = environment_of(job);
    const auto argv = pointers(job.argv);
    const auto envp = pointers(environment);
    const pid_t pid = fork();
    if (pid < 0) {
        return failed("fork", errno);
    }
    if (pid == 0) {
        become(job.cwd, argv, envp,
               {out.write_end.get(), err.write_end.get(), told.write_end.get()});
    }
    setpgid(pid, pid); // both sides do it, so that it is done whoever comes first
    told.write_end.reset();
    // Ends when the child has become the program (close on exec), or told why it could not.
    pollfd waiting{told.read_end.get(), POLLIN, 0};
    while (poll(&waiting, 1, -1) < 0 && errno == EINTR) {
    }
    Failure failure;
    if (read(told.read_end.get(), &failure, sizeof failure) == sizeof failure) {
        waitpid(pid, nullptr, 0);
        return failure.in_chdir ? failed("change to " + job.cwd, failure.error)
                                : failed("run " + job.argv[0] + " in " + job.cwd, failure.error);
    }
    return Spawned{pid, std::move(out.read_end), std::move(err.read_end)};
}

} // namespace kmatrix::guest
