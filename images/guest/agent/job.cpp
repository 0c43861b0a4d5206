// SPDX-License-Identifier: GPL-2.0-only
#include "images/guest/agent/job.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <optional>

#include "images/guest/agent/spawn.h"

namespace kmatrix::guest {
namespace {

using Clock = std::chrono::steady_clock;

double uptime_s() {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Both streams of one job, on their way to the channel.
class Output {
  public:
    Output(std::string id, Fd out, Fd err, std::uint64_t limit, Channel& channel)
        : id_(std::move(id)), limit_(limit), channel_(channel),
          streams_{Stream{"out", std::move(out), {}}, Stream{"err", std::move(err), {}}} {}

    void add_to(std::vector<pollfd>& waiting) const {
        for (const Stream& stream : streams_) {
            if (stream.fd.is_open()) {
                waiting.push_back({stream.fd.get(), POLLIN, 0});
            }
        }
    }

    // Reads one bufferful of each stream. True if there was any.
    bool read_some() {
        bool any = false;
        for (Stream& stream : streams_) {
            any |= stream.fd.is_open() && read_from(stream);
        }
        return any;
    }

    // What is left in the pipes when nobody writes to them any more, and the notice.
    void finish() {
        while (read_some()) {
        }
        for (Stream& stream : streams_) {
            send(stream, stream.pieces.rest());
            stream.fd.reset();
        }
        if (dropped_bytes_ > 0) {
            say("\nkmatrix-agent: " + std::to_string(limit_) + " bytes of output kept, " +
                std::to_string(dropped_bytes_) + " more dropped\n");
        }
    }

    void say(const std::string& text) { channel_.send(output_record(id_, "err", text)); }

  private:
    struct Stream {
        const char* name;
        Fd fd;
        Pieces pieces;
    };

    bool read_from(Stream& stream) {
        std::array<char, output_record_bytes> buffer;
        const ssize_t got = read(stream.fd.get(), buffer.data(), buffer.size());
        if (got <= 0) {
            if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
                stream.fd.reset();
            }
            return false;
        }
        const auto bytes = static_cast<std::uint64_t>(got);
        const std::uint64_t kept = std::min(bytes, limit_ - kept_bytes_);
        kept_bytes_ += kept;
        dropped_bytes_ += bytes - kept;
        for (const auto& piece : stream.pieces.add({buffer.data(), kept})) {
            send(stream, piece);
        }
        return true;
    }

    void send(const Stream& stream, const std::string& piece) {
        if (!piece.empty()) {
            channel_.send(output_record(id_, stream.name, piece));
        }
    }

    std::string id_;
    std::uint64_t limit_;
    std::uint64_t kept_bytes_ = 0;
    std::uint64_t dropped_bytes_ = 0;
    Channel& channel_;
    std::array<Stream, 2> streams_;
};

// Waits for output, for a child's end, for room in the channel, or for the deadline.
void wait_for_something(const Output& output, const Channel& channel, const ChildWatch& watch,
                        std::optional<Clock::time_point> deadline) {
    std::vector<pollfd> waiting{{watch.fd(), POLLIN, 0}};
    if (!channel.is_full()) {
        output.add_to(waiting);
    }
    if (channel.has_unsent() && channel.error().empty()) {
        waiting.push_back({channel.fd(), POLLOUT, 0});
    }
    int limit_ms = 1000; // a missed wake-up costs no more than this
    if (deadline) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
        limit_ms = static_cast<int>(std::clamp<long long>(left.count(), 0, limit_ms));
    }
    poll(waiting.data(), waiting.size(), limit_ms);
    const auto& last = waiting.back();
    if (last.fd == channel.fd() && last.revents != 0 && (last.revents & POLLOUT) == 0) {
        poll(nullptr, 0, 20); // the host has closed its end: poll would not wait
    }
}

// Until the job's process has ended (its wait status) or its time is over.
std::optional<int> attend(pid_t leader, Output& output, Channel& channel, const ChildWatch& watch,
                          std::optional<Clock::time_point> deadline) {
    for (;;) {
        wait_for_something(output, channel, watch, deadline);
        watch.clear();
        channel.pump();
        if (!channel.is_full()) {
            output.read_some();
        }
        bool none_left = false;
        if (const auto status = reap(leader, none_left)) {
            return status;
        }
        if (deadline && Clock::now() >= *deadline) {
            return std::nullopt;
        }
    }
}

std::optional<Clock::time_point> deadline_after(double seconds) {
    if (seconds <= 0) {
        return std::nullopt;
    }
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) {
        text += text.empty() ? name : ", " + name;
    }
    return text;
}

JobEnd attend_to_end(const Job& job, Spawned spawned, const JobLimits& limits, Channel& channel,
                     const ChildWatch& watch) {
    const auto begin = Clock::now();
    const pid_t leader = spawned.pid;
    Output output(job.id, std::move(spawned.out), std::move(spawned.err), limits.output_bytes,
                  channel);
    auto status = attend(leader, output, channel, watch, deadline_after(job.timeout_s));
    JobEnd end;
    end.timed_out = !status;
    kill(-leader, SIGKILL);
    const bool all_dead = kill_everything(watch, leader, status, limits.dying);
    end.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    output.finish();
    if (!all_dead) {
        output.say("\nkmatrix-agent: these do not die after SIGKILL, they hang in the kernel: " +
                   joined(names_below()) + "\n");
    }
    if (!status || WIFSIGNALED(*status)) {
        end.signal = status ? WTERMSIG(*status) : SIGKILL;
    } else {
        end.exit = WEXITSTATUS(*status);
    }
    return end;
}

} // namespace

JobEnd run_job(const Job& job, const JobLimits& limits, Channel& channel, const ChildWatch& watch) {
    channel.send(start_record(job.id, uptime_s()));
    JobEnd end;
    auto spawned = spawn(job);
    if (spawned) {
        end = attend_to_end(job, std::move(*spawned), limits, channel, watch);
    } else {
        channel.send(output_record(job.id, "err", "kmatrix-agent: " + spawned.error() + "\n"));
        end.exit = 127;
    }
    channel.send(end_record(job.id, end));
    return end;
}

} // namespace kmatrix::guest
