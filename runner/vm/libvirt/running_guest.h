// SPDX-License-Identifier: GPL-2.0-only
// A guest while it runs: its streams and its end.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "runner/vm/end_signal.h"
#include "runner/vm/libvirt/guest_end.h"
#include "runner/vm/libvirt/guest_folder.h"
#include "runner/vm/vm.h"

namespace kmatrix::libvirt {

// Shared by the Guest, the coroutines that read its streams, and the hypervisor, which tells it of
// events. Everything happens on one executor.
class RunningGuest : public std::enable_shared_from_this<RunningGuest> {
  public:
    // Opens both streams. Errors: they cannot be.
    static Result<std::shared_ptr<RunningGuest>> make(const boost::asio::any_io_executor& executor,
                                                      GuestFolder folder, GuestOutput output,
                                                      std::filesystem::path emulator_log);
    ~RunningGuest();

    // From here on its bytes flow; before QEMU opens the streams.
    void listen();
    // QEMU has the streams open: when it is gone, they end.
    void emulator_runs(const std::string& name);

    EndEvents events;
    // What the emulator has used of the host's CPUs, looked at while it runs.
    double cpu_s() const { return cpu_s_; }
    // libvirt has said that it is over, or that it has lost sight of it.
    void stopped();
    void lost(const std::string& why);

    EndSignal end;

  private:
    RunningGuest(const boost::asio::any_io_executor& executor, GuestFolder folder,
                 GuestOutput output, std::filesystem::path emulator_log);
    boost::asio::awaitable<void> read(boost::asio::posix::stream_descriptor& stream,
                                      std::function<void(std::string_view)> sink);
    boost::asio::awaitable<void> watch_cpu(std::string name);
    // Over once it has stopped and both streams have ended. Each may follow the other by a little.
    void check();

    GuestFolder folder_;
    GuestOutput output_;
    std::filesystem::path emulator_log_;
    boost::asio::posix::stream_descriptor console_, channel_;
    int console_write_fd_ = -1, channel_write_fd_ = -1;
    int open_streams_ = 0;
    bool stopped_ = false;
    double cpu_s_ = 0;
    boost::asio::steady_timer patience_; // with what is still missing
};

} // namespace kmatrix::libvirt
