// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/libvirt/running_guest.h"

#include <array>
#include <utility>

#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/files.h"
#include "base/text.h"
#include "runner/vm/guests.h"

namespace kmatrix::libvirt {
namespace asio = boost::asio;
namespace {

// Between the end of the streams and libvirt's word for it, and the other way round. libvirt takes
// up to two seconds on a busy machine.
constexpr std::chrono::seconds patience{20};
// Between two looks at what the emulator has used: what it uses after the last is not seen.
constexpr std::chrono::milliseconds cpu_interval{250};
constexpr std::size_t emulator_log_lines = 20;

void close_if_open(int& fd) {
    if (fd >= 0)
        ::close(std::exchange(fd, -1));
}

} // namespace

RunningGuest::RunningGuest(const asio::any_io_executor& executor, GuestFolder folder,
                           GuestOutput output, std::filesystem::path emulator_log)
    : end(executor), folder_(std::move(folder)), output_(std::move(output)),
      emulator_log_(std::move(emulator_log)), console_(executor), channel_(executor),
      patience_(executor) {}

RunningGuest::~RunningGuest() {
    close_if_open(console_write_fd_);
    close_if_open(channel_write_fd_);
}

Result<std::shared_ptr<RunningGuest>> RunningGuest::make(const asio::any_io_executor& executor,
                                                         GuestFolder folder, GuestOutput output,
                                                         std::filesystem::path emulator_log) {
    std::shared_ptr<RunningGuest> guest(
        new RunningGuest(executor, std::move(folder), std::move(output), std::move(emulator_log)));
    const DomainFiles& files = guest->folder_.files();
    auto console = Fifo::open(files.console.string() + ".out");
    if (!console)
        return tl::unexpected(std::move(console.error()));
    guest->console_.assign(console->read_fd);
    guest->console_write_fd_ = console->write_fd;
    auto channel = Fifo::open(files.channel.string() + ".out");
    if (!channel)
        return tl::unexpected(std::move(channel.error()));
    guest->channel_.assign(channel->read_fd);
    guest->channel_write_fd_ = channel->write_fd;
    return guest;
}

void RunningGuest::listen() {
    open_streams_ = 2;
    const auto executor = patience_.get_executor();
    const auto start = [&](auto& stream, const auto& sink) {
        asio::co_spawn(
            executor,
            [self = shared_from_this(), &stream, sink] { return self->read(stream, sink); },
            asio::detached);
    };
    start(console_, output_.console);
    start(channel_, output_.channel);
}

void RunningGuest::emulator_runs(const std::string& name) {
    close_if_open(console_write_fd_);
    close_if_open(channel_write_fd_);
    asio::co_spawn(
        patience_.get_executor(),
        [self = shared_from_this(), name] { return self->watch_cpu(name); }, asio::detached);
}

asio::awaitable<void> RunningGuest::watch_cpu(std::string name) {
    const auto self = shared_from_this();
    const auto emulator = emulator_of(name);
    asio::steady_timer timer(patience_.get_executor());
    while (emulator && !end.get()) {
        const auto used = kmatrix::cpu_s(*emulator);
        if (!used)
            co_return;
        cpu_s_ = *used;
        timer.expires_after(cpu_interval);
        co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    }
}

asio::awaitable<void> RunningGuest::read(asio::posix::stream_descriptor& stream,
                                         std::function<void(std::string_view)> sink) {
    const auto self = shared_from_this();
    std::array<char, 64u << 10> buffer;
    for (;;) {
        const auto [error, n] = co_await stream.async_read_some(
            asio::buffer(buffer), asio::as_tuple(asio::use_awaitable));
        if (n > 0 && !end.get())
            sink({buffer.data(), n});
        if (error)
            break;
    }
    --open_streams_;
    check();
}

void RunningGuest::stopped() {
    stopped_ = true;
    check();
}

void RunningGuest::check() {
    if (end.get())
        return;
    if (stopped_ && open_streams_ == 0) {
        patience_.cancel();
        GuestEnd how = events.end();
        if (auto* died = std::get_if<Died>(&how))
            died->log = last_lines(read_file(emulator_log_).value_or(""), emulator_log_lines);
        end.set(std::move(how));
        return;
    }
    if (!stopped_ && open_streams_ > 0)
        return;
    patience_.expires_after(patience);
    patience_.async_wait([self = shared_from_this()](boost::system::error_code error) {
        if (!error)
            self->lost(self->stopped_ ? "QEMU ended and somebody still holds its streams"
                                      : "QEMU ended without a word from libvirt");
    });
}

void RunningGuest::lost(const std::string& why) {
    if (!end.get())
        end.set(Died{why, last_lines(read_file(emulator_log_).value_or(""), emulator_log_lines)});
    boost::system::error_code ignored;
    console_.close(ignored);
    channel_.close(ignored);
    patience_.cancel();
}

} // namespace kmatrix::libvirt
