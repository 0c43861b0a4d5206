// SPDX-License-Identifier: GPL-2.0-only
#include "base/command.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <boost/process/v2.hpp>
#include <fmt/format.h>

#include "base/text.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;
namespace process = boost::process::v2;
using boost::system::error_code;

constexpr std::size_t output_limit_bytes = 16u << 20;
constexpr std::size_t tail_limit_bytes = 4096;
constexpr std::size_t line_limit_bytes = 64u << 10;
// A process that left the group may hold the pipe open for ever after the command itself has ended.
constexpr std::chrono::seconds drain_limit{2};
constexpr std::chrono::seconds look_every{1};

// Between fork and exec: a group of its own, and death with the thread that started it.
struct OwnGroup {
    template <class Launcher>
    error_code on_exec_setup(Launcher&, const process::filesystem::path&,
                             const char* const*) const {
        ::setpgid(0, 0);
        ::signal(SIGPIPE, SIG_DFL); // see start()
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        return {};
    }
};

// Boost 1.81's process_environment is declared only: its definition is in no header and no library.
struct Environment {
    explicit Environment(const std::vector<std::string>& variables) {
        for (const std::string& variable : variables)
            pointers.push_back(variable.c_str());
        pointers.push_back(nullptr);
    }
    template <class Launcher>
    error_code on_setup(Launcher& launcher, const process::filesystem::path&,
                        const char* const*) const {
        launcher.env = pointers.data();
        return {};
    }
    std::vector<const char*> pointers; // into the caller's strings
};

class Log {
  public:
    ~Log() {
        if (fd_ >= 0)
            ::close(fd_);
    }
    Log() = default;
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    bool open(const std::filesystem::path& path, std::uint64_t limit_bytes) {
        left_bytes_ = limit_bytes;
        fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        return fd_ >= 0;
    }

    // False where the file cannot be written.
    bool write(std::string_view text) {
        if (fd_ < 0 || cut_)
            return true;
        std::string_view kept = text.substr(0, left_bytes_);
        left_bytes_ -= kept.size();
        if (!put(kept))
            return false;
        if (kept.size() == text.size())
            return true;
        cut_ = true;
        return put("\n[kmatrix: the log's limit is reached; what follows was dropped]\n");
    }

  private:
    bool put(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t n = ::write(fd_, text.data(), text.size());
            if (n < 0 && errno == EINTR)
                continue;
            if (n <= 0)
                return false;
            text.remove_prefix(static_cast<std::size_t>(n));
        }
        return true;
    }

    int fd_ = -1;
    std::uint64_t left_bytes_ = 0;
    bool cut_ = false;
};

// What the readers of the pipes share with the coroutine that waits for the process.
struct Running {
    explicit Running(const asio::any_io_executor& executor)
        : out(executor), err(executor), in(executor), drained(executor), next_look(executor) {}

    void kill() const {
        if (pid > 0)
            ::kill(-pid, SIGKILL);
    }

    Command command;
    asio::readable_pipe out, err;
    asio::writable_pipe in;
    asio::steady_timer drained; // cancelled when the last reader ends
    asio::steady_timer next_look;
    Log log;
    Exit exit;
    std::string line;
    std::string log_failure;
    pid_t pid = 0;
    int readers = 0;
};

void add_lines(Running& running, std::string_view chunk) {
    while (!chunk.empty()) {
        const std::size_t newline = chunk.find('\n');
        running.line.append(chunk.substr(0, newline));
        if (newline == std::string_view::npos && running.line.size() < line_limit_bytes)
            return;
        running.command.on_line(running.line);
        running.line.clear();
        if (newline == std::string_view::npos)
            return;
        chunk.remove_prefix(newline + 1);
    }
}

void add_output(Running& running, std::string_view chunk, bool is_output) {
    Exit& exit = running.exit;
    if (is_output)
        exit.output.append(
            chunk.substr(0, output_limit_bytes - std::min(output_limit_bytes, exit.output.size())));
    exit.tail.append(chunk);
    if (exit.tail.size() > tail_limit_bytes)
        exit.tail.erase(0, exit.tail.size() - tail_limit_bytes);
    if (running.log_failure.empty() && !running.log.write(chunk)) {
        running.log_failure = std::strerror(errno);
        running.kill();
    }
    if (running.command.on_line)
        add_lines(running, chunk);
}

asio::awaitable<void> read_pipe(std::shared_ptr<Running> running, asio::readable_pipe& pipe,
                                bool is_output) {
    std::array<char, 64u << 10> buffer;
    for (;;) {
        const auto [error, n] = co_await pipe.async_read_some(asio::buffer(buffer),
                                                              asio::as_tuple(asio::use_awaitable));
        if (n > 0)
            add_output(*running, {buffer.data(), n}, is_output);
        if (error)
            break;
    }
    if (--running->readers == 0)
        running->drained.cancel();
}

void start_reader(const std::shared_ptr<Running>& running, asio::readable_pipe& pipe,
                  bool is_output) {
    ++running->readers;
    asio::co_spawn(running->drained.get_executor(), read_pipe(running, pipe, is_output),
                   asio::detached);
}

asio::awaitable<void> write_input(std::shared_ptr<Running> running) {
    co_await asio::async_write(running->in, asio::buffer(running->command.input),
                               asio::as_tuple(asio::use_awaitable));
    error_code ignored;
    running->in.close(ignored);
}

// Until the command has ended.
void look_for_objections(const std::shared_ptr<Running>& running) {
    running->next_look.expires_after(look_every);
    running->next_look.async_wait([running](error_code error) {
        if (error || running->pid == 0)
            return;
        running->exit.objection = running->command.objection();
        if (running->exit.objection.empty())
            look_for_objections(running);
        else
            running->kill();
    });
}

std::vector<std::string> environment_of(const Command& command) {
    std::vector<std::string> result;
    const auto overridden = [&](std::string_view entry) {
        const std::string_view name = entry.substr(0, entry.find('=') + 1);
        for (const std::string& ours : command.environment)
            if (ours.starts_with(name))
                return true;
        return false;
    };
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view text = *entry;
        const bool wanted = !command.clean_environment || text.starts_with("PATH=");
        if (wanted && !overridden(text))
            result.emplace_back(text);
    }
    result.insert(result.end(), command.environment.begin(), command.environment.end());
    return result;
}

Result<process::filesystem::path> program(const std::string& name) {
    if (name.find('/') != std::string::npos)
        return process::filesystem::path(name);
    auto found = process::environment::find_executable(name);
    if (found.empty())
        return infrastructure_error(fmt::format(
            "{}: no such program in PATH; `kmatrix doctor` tells what installs it", name));
    return found;
}

using Process = process::basic_process<asio::any_io_executor>;

Result<Process> start(Running& running, const asio::any_io_executor& executor) {
    Command& command = running.command;
    // A program that ends before it has read its input is no reason for this one to die.
    std::signal(SIGPIPE, SIG_IGN);
    if (!command.log.empty() && !running.log.open(command.log, command.log_limit_bytes))
        return infrastructure_error(
            fmt::format("{}: cannot be written: {}", command.log.string(), std::strerror(errno)));
    auto path = program(command.argv.at(0));
    if (!path)
        return tl::unexpected(path.error());
    const std::vector<std::string> arguments(command.argv.begin() + 1, command.argv.end());
    const std::vector<std::string> variables = environment_of(command);
    const Environment environment(variables);
    const std::string directory =
        command.cwd.empty() ? std::filesystem::current_path().string() : command.cwd.string();
    const auto launch = [&](auto&& stdio) {
        return Process(executor, *path, arguments, std::forward<decltype(stdio)>(stdio),
                       environment, process::process_start_dir(directory), OwnGroup{});
    };
    try {
        // One pipe for both streams keeps their order; two keep them apart.
        if (!command.log.empty()) {
            asio::readable_pipe& both = running.out;
            asio::writable_pipe end(executor);
            asio::connect_pipe(both, end);
            const int fd = end.native_handle();
            return command.input.empty() ? launch(process::process_stdio{nullptr, fd, fd})
                                         : launch(process::process_stdio{running.in, fd, fd});
        }
        return command.input.empty()
                   ? launch(process::process_stdio{nullptr, running.out, running.err})
                   : launch(process::process_stdio{running.in, running.out, running.err});
    } catch (const boost::system::system_error& e) {
        return infrastructure_error(
            fmt::format("{}: cannot be started: {}", shell_text(command.argv), e.code().message()));
    }
}

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// Waits until the process has ended, and leaves its status to who asks for it: what it used is to
// be had only until then. Where it cannot be waited for so, it returns at once.
asio::awaitable<double> wait_for_cpu_s(pid_t pid) {
    const int fd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    if (fd < 0)
        co_return 0;
    asio::posix::stream_descriptor ended(co_await asio::this_coro::executor, fd);
    const auto [error] = co_await ended.async_wait(asio::posix::stream_descriptor::wait_read,
                                                   asio::as_tuple(asio::use_awaitable));
    siginfo_t info{};
    rusage used{};
    // waitid(2): the system call, not the library's function, tells the usage too.
    if (error || ::syscall(SYS_waitid, P_PID, pid, &info, WEXITED | WNOWAIT | WNOHANG, &used) != 0)
        co_return 0;
    co_return seconds(used.ru_utime) + seconds(used.ru_stime);
}

void note_status(Exit& exit, int native) {
    if (WIFSIGNALED(native)) {
        exit.signal = WTERMSIG(native);
        exit.status = 128 + exit.signal;
    } else {
        exit.status = WEXITSTATUS(native);
    }
}

} // namespace

asio::awaitable<Result<Exit>> run(Command command) {
    const auto executor = co_await asio::this_coro::executor;
    const auto begin = std::chrono::steady_clock::now();
    auto running = std::make_shared<Running>(executor);
    running->command = std::move(command);

    Result<Process> process = start(*running, executor);
    if (!process)
        co_return tl::unexpected(process.error());
    running->pid = process->id();
    start_reader(running, running->out, true);
    if (running->command.log.empty())
        start_reader(running, running->err, false);
    if (!running->command.input.empty())
        asio::co_spawn(executor, write_input(running), asio::detached);

    asio::steady_timer deadline(executor);
    if (running->command.timeout.count() > 0) {
        deadline.expires_after(running->command.timeout);
        deadline.async_wait([running](error_code error) {
            if (error)
                return;
            running->exit.timed_out = true;
            running->kill();
        });
    }

    if (running->command.objection)
        look_for_objections(running);

    bool cancelled = false;
    co_await asio::this_coro::throw_if_cancelled(false);
    running->exit.cpu_s = co_await wait_for_cpu_s(running->pid);
    auto [error, native] = co_await process->async_wait(asio::as_tuple(asio::use_awaitable));
    if (error == asio::error::operation_aborted) {
        cancelled = true;
        running->kill();
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
        std::tie(error, native) = co_await process->async_wait(asio::as_tuple(asio::use_awaitable));
    }
    deadline.cancel();
    running->next_look.cancel();
    running->kill(); // what the command left behind in its group
    running->pid = 0;
    note_status(running->exit, process->native_exit_code());

    if (running->readers > 0) {
        running->drained.expires_after(drain_limit);
        co_await running->drained.async_wait(asio::as_tuple(asio::use_awaitable));
    }
    error_code ignored;
    running->out.close(ignored);
    running->err.close(ignored);
    running->in.close(ignored);
    if (cancelled)
        throw boost::system::system_error(asio::error::operation_aborted);
    if (!running->log_failure.empty())
        co_return infrastructure_error(fmt::format(
            "{}: cannot be written: {}", running->command.log.string(), running->log_failure));
    if (running->command.on_line && !running->line.empty())
        running->command.on_line(running->line);
    running->exit.elapsed_s =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    co_return std::move(running->exit);
}

asio::awaitable<Result<std::string>> output_of(Command command) {
    auto exit = co_await run(command);
    if (!exit)
        co_return tl::unexpected(std::move(exit.error()));
    if (!exit->ok())
        co_return tl::unexpected(failed(command, *exit));
    co_return std::move(exit->output);
}

Result<Exit> run_blocking(Command command) {
    asio::io_context context(1);
    Result<Exit> result;
    std::exception_ptr failure;
    asio::co_spawn(context, run(std::move(command)),
                   [&](std::exception_ptr exception, Result<Exit> exit) {
                       failure = exception;
                       result = std::move(exit);
                   });
    context.run();
    if (failure)
        std::rethrow_exception(failure);
    return result;
}

Error failed(const Command& command, const Exit& exit) {
    const std::string how =
        !exit.objection.empty() ? "was stopped: " + exit.objection
        : exit.timed_out
            ? fmt::format("did not end within {} s and was killed", command.timeout.count())
        : exit.signal
            ? fmt::format("was killed by signal {} ({})", exit.signal, ::strsignal(exit.signal))
            : fmt::format("exited with status {}", exit.status);
    return {Blame::infrastructure, fmt::format("{}: {}", shell_text(command.argv), how),
            last_lines(printable(exit.tail), 20), command.log};
}

std::string shell_text(const std::vector<std::string>& argv) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        "_-+=./,:@%^";
    std::string text;
    for (const std::string& word : argv) {
        if (!text.empty())
            text += ' ';
        if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
            text += word;
            continue;
        }
        text += '\'';
        for (const char c : word)
            text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        text += '\'';
    }
    return text;
}

} // namespace kmatrix
