// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/libvirt/hypervisor.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/format.h>
#include <libvirt/libvirt-qemu.h>

#include "base/files.h"
#include "runner/vm/domain_xml.h"
#include "runner/vm/guests.h"
#include "runner/vm/libvirt/blocking.h"
#include "runner/vm/libvirt/event_loop.h"
#include "runner/vm/libvirt/guest_folder.h"
#include "runner/vm/libvirt/handles.h"
#include "runner/vm/libvirt/host.h"
#include "runner/vm/libvirt/place.h"
#include "runner/vm/libvirt/running_guest.h"
#include "runner/vm/libvirt/uri.h"

namespace kmatrix {
namespace libvirt {
namespace {

// VIR_DOMAIN_EVENT_CALLBACK without clang's warning: libvirt calls it by the event's own type.
virConnectDomainEventGenericCallback as_generic(virConnectDomainEventCallback callback) {
    return reinterpret_cast<virConnectDomainEventGenericCallback>(
        reinterpret_cast<void (*)()>(callback));
}

namespace asio = boost::asio;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// The driver probes every emulator that is installed when its cache is empty; a machine with much
// memory on a busy host takes seconds to start and to go.
constexpr std::chrono::seconds open_limit{180}, start_limit{120}, destroy_limit{40}, kill_limit{5};

using SharedDomain = std::shared_ptr<virDomain>;

struct Core {
    explicit Core(const Guardian& keeper) : guardian(keeper) {}
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;
    ~Core();

    std::shared_ptr<RunningGuest> find(virDomainPtr domain) const;

    const Guardian& guardian;
    Driver driver = Driver::embed;
    fs::path place;
    fs::path emulator_logs;
    BlockingCalls blocking;
    Connection connection;
    int lifecycle_id = -1, monitor_id = -1;
    Machine machine;
    Owner self = this_process();
    int guests_started = 0;
    std::map<std::string, std::weak_ptr<RunningGuest>, std::less<>> guests;
};

int on_lifecycle(virConnectPtr, virDomainPtr domain, int event, int detail, void* opaque) {
    const auto guest = static_cast<Core*>(opaque)->find(domain);
    if (guest && guest->events.lifecycle(event, detail))
        guest->stopped();
    return 0;
}

void on_monitor(virConnectPtr, virDomainPtr domain, const char* event, long long, unsigned,
                const char* details, void* opaque) {
    if (const auto guest = static_cast<Core*>(opaque)->find(domain))
        guest->events.monitor(event, details ? details : "");
}

void on_close(virConnectPtr, int, void* opaque) {
    for (const auto& [name, weak] : static_cast<Core*>(opaque)->guests)
        if (const auto guest = weak.lock())
            guest->lost("the connection to libvirt's daemon broke");
}

std::shared_ptr<RunningGuest> Core::find(virDomainPtr domain) const {
    const char* name = virDomainGetName(domain);
    const auto found = guests.find(std::string_view(name ? name : ""));
    return found == guests.end() ? nullptr : found->second.lock();
}

Core::~Core() {
    if (connection) {
        virConnectUnregisterCloseCallback(connection.get(), on_close);
        if (lifecycle_id >= 0)
            virConnectDomainEventDeregisterAny(connection.get(), lifecycle_id);
        if (monitor_id >= 0)
            virConnectDomainQemuMonitorEventDeregister(connection.get(), monitor_id);
    }
    connection.reset();
    EventLoop::instance().detach();
}

class LibvirtGuest : public Guest {
  public:
    LibvirtGuest(std::shared_ptr<Core> core, std::string name, SharedDomain domain,
                 std::shared_ptr<RunningGuest> running)
        : core_(std::move(core)), name_(std::move(name)), domain_(std::move(domain)),
          running_(std::move(running)) {}

    ~LibvirtGuest() override {
        if (running_->end.get())
            return;
        running_->lost("nobody waited for its end");
        if (!kill_guest(name_)) // it belongs to another user, or is gone
            core_->blocking.start([domain = domain_] { virDomainDestroy(domain.get()); });
    }

    asio::awaitable<std::optional<GuestEnd>> wait_end(Clock::time_point until) override {
        return running_->end.wait(until);
    }

    void nudge() override { running_->end.nudge(); }

    double cpu_s() const override { return running_->cpu_s(); }

    asio::awaitable<Result<void>> destroy() override {
        if (running_->end.get())
            co_return Result<void>();
        const bool throws = co_await asio::this_coro::throw_if_cancelled();
        co_await asio::this_coro::throw_if_cancelled(false);
        running_->events.destroying();
        auto kill = [domain = domain_] { return virDomainDestroy(domain.get()); };
        co_await core_->blocking.call(std::move(kill), destroy_limit);
        co_await wait(kill_limit);
        if (!running_->end.get()) {
            kill_guest(name_);
            co_await wait(kill_limit);
        }
        co_await asio::this_coro::throw_if_cancelled(throws);
        if (!running_->end.get()) {
            running_->lost("it cannot be killed");
            co_return infrastructure_error(
                fmt::format("the virtual machine {} cannot be killed", name_));
        }
        co_return Result<void>();
    }

  private:
    asio::awaitable<void> wait(Clock::duration limit) {
        const auto until = Clock::now() + limit;
        while (!running_->end.get() && Clock::now() < until)
            co_await running_->end.wait(until);
    }

    std::shared_ptr<Core> core_;
    std::string name_;
    SharedDomain domain_;
    std::shared_ptr<RunningGuest> running_;
};

// On a worker. A domain that starts after all, when nobody waits for it any more, is killed again.
Result<SharedDomain> create(const std::shared_ptr<Core>& core, const std::string& xml,
                            const std::atomic<bool>& abandoned) {
    const unsigned flags = core->driver == Driver::embed ? 0 : VIR_DOMAIN_START_AUTODESTROY;
    SharedDomain domain(virDomainCreateXML(core->connection.get(), xml.c_str(), flags),
                        [](virDomainPtr pointer) {
                            if (pointer)
                                virDomainFree(pointer);
                        });
    if (!domain)
        return last_error("the virtual machine cannot be started");
    if (abandoned)
        virDomainDestroy(domain.get());
    return domain;
}

class LibvirtHypervisor : public Hypervisor {
  public:
    explicit LibvirtHypervisor(std::shared_ptr<Core> core) : core_(std::move(core)) {}

    asio::awaitable<Result<std::unique_ptr<Guest>>> start(GuestSpec spec,
                                                          GuestOutput output) override {
        const bool throws = co_await asio::this_coro::throw_if_cancelled();
        co_await asio::this_coro::throw_if_cancelled(false);
        auto guest = co_await power_on(std::move(spec), std::move(output));
        const auto state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none) {
            if (guest)
                co_await (*guest)->destroy();
            throw boost::system::system_error(asio::error::operation_aborted);
        }
        co_await asio::this_coro::throw_if_cancelled(throws);
        co_return guest;
    }

    Machine machine() const override { return core_->machine; }

  private:
    asio::awaitable<Result<std::unique_ptr<Guest>>> power_on(GuestSpec spec, GuestOutput output) {
        std::erase_if(core_->guests, [](const auto& entry) { return entry.second.expired(); });
        const std::string name = guest_name(core_->self, ++core_->guests_started);
        auto make = [core = core_, name, spec] {
            return GuestFolder::make(core->place, name, spec, core->guardian);
        };
        auto folder = co_await core_->blocking.call(std::move(make), start_limit);
        if (!folder)
            co_return infrastructure_error(
                fmt::format("{}: a kernel and its initrd could not be copied there within {} s",
                            core_->place.string(), start_limit.count()));
        if (!*folder)
            co_return tl::unexpected(std::move(folder->error()));

        const std::string xml = domain_xml(spec, (*folder)->files());
        auto running =
            RunningGuest::make(co_await asio::this_coro::executor, std::move(**folder),
                               std::move(output), core_->emulator_logs / (name + ".log"));
        if (!running)
            co_return tl::unexpected(std::move(running.error()));
        core_->guests[name] = *running;
        (*running)->listen();

        const auto abandoned = std::make_shared<std::atomic<bool>>(false);
        auto call = [core = core_, xml, abandoned] { return create(core, xml, *abandoned); };
        auto domain = co_await core_->blocking.call(std::move(call), start_limit);
        (*running)->emulator_runs(name);
        if (domain && *domain)
            co_return std::make_unique<LibvirtGuest>(core_, name, std::move(**domain), *running);
        (*running)->lost("it did not start");
        if (domain)
            co_return tl::unexpected(std::move(domain->error()));
        *abandoned = true;
        kill_guest(name);
        co_return infrastructure_error(fmt::format(
            "libvirt did not start the virtual machine within {} s", start_limit.count()));
    }

    std::shared_ptr<Core> core_;
};

// Domains of dead kmatrix processes that a daemon still runs.
void sweep_domains(virConnectPtr connection) {
    virDomainPtr* domains = nullptr;
    const int count =
        virConnectListAllDomains(connection, &domains, VIR_CONNECT_LIST_DOMAINS_ACTIVE);
    for (int i = 0; i < count; ++i) {
        const Domain domain(domains[i]);
        const auto owner = owner_in_name(virDomainGetName(domain.get()));
        if (owner && !alive(*owner))
            virDomainDestroy(domain.get());
    }
    ::free(static_cast<void*>(domains));
}

Result<Connection> connect(const std::string& uri) {
    Connection connection(virConnectOpen(uri.c_str()));
    if (!connection)
        return last_error(uri);
    sweep_domains(connection.get());
    return connection;
}

Result<void> listen(Core& core) {
    virConnectPtr connection = core.connection.get();
    core.lifecycle_id =
        virConnectDomainEventRegisterAny(connection, nullptr, VIR_DOMAIN_EVENT_ID_LIFECYCLE,
                                         as_generic(on_lifecycle), &core, nullptr);
    if (core.lifecycle_id < 0)
        return last_error("libvirt's events");
    core.monitor_id = virConnectDomainQemuMonitorEventRegister(connection, nullptr, nullptr,
                                                               on_monitor, &core, nullptr, 0);
    if (core.monitor_id < 0)
        return last_error("QEMU's events");
    // Only of a connection to a daemon; the embedded driver has none to lose.
    virConnectRegisterCloseCallback(connection, on_close, &core, nullptr);
    return {};
}

Machine machine_of(virConnectPtr connection) {
    Machine machine;
    unsigned long version = 0;
    if (virConnectGetVersion(connection, &version) == 0)
        machine.qemu_version = version_text(version);
    if (virConnectGetLibVersion(connection, &version) == 0)
        machine.libvirt_version = version_text(version);
    machine.host_cpu = cpu_name(read_file("/proc/cpuinfo").value_or(""));
    machine.host_cpus = cpu_count();
    return machine;
}

// Where the driver keeps what the emulators print.
fs::path emulator_logs(Driver driver, const fs::path& root) {
    switch (driver) {
    case Driver::embed:
        return root / "log" / "qemu";
    case Driver::session:
        return cache_directory().parent_path() / "libvirt" / "qemu" / "log";
    case Driver::system:
        break;
    }
    return "/var/log/libvirt/qemu";
}

// What libvirt prints on stderr goes into a file of the root's; its errors come back as values.
void quieten(const EmbedRoot& root) {
    ::setenv("LIBVIRT_LOG_OUTPUTS", ("3:file:" + root.log).c_str(), 0);
}

asio::awaitable<Result<std::shared_ptr<Core>>> open_core(std::string uri,
                                                         const Guardian& guardian) {
    const auto driver = parse_uri(uri);
    if (!driver)
        co_return tl::unexpected(driver.error());
    auto core = std::make_shared<Core>(guardian);
    core->driver = *driver;
    auto place = choose_place(usual_places(), ::geteuid() == 0 || *driver == Driver::system);
    if (!place)
        co_return tl::unexpected(std::move(place.error()));
    core->place = *place;
    sweep_guests();
    sweep_folders(*place);

    fs::path root;
    if (*driver == Driver::embed) {
        auto own = embed_root(*place);
        if (!own)
            co_return tl::unexpected(std::move(own.error()));
        quieten(*own);
        root = own->path;
        uri += "?root=" + root.string();
    }
    core->emulator_logs = emulator_logs(*driver, root);

    virSetErrorFunc(nullptr, [](void*, virErrorPtr) {});
    EventLoop::instance().attach(co_await asio::this_coro::executor);
    auto call = [uri] { return connect(uri); };
    auto connection = co_await core->blocking.call(std::move(call), open_limit);
    if (!connection)
        co_return infrastructure_error(
            fmt::format("{}: libvirt did not answer within {} s", uri, open_limit.count()));
    if (!*connection)
        co_return tl::unexpected(std::move(connection->error()));
    core->connection = std::move(**connection);
    if (auto listening = listen(*core); !listening)
        co_return tl::unexpected(std::move(listening.error()));
    core->machine = machine_of(core->connection.get());
    co_return core;
}

} // namespace
} // namespace libvirt

boost::asio::awaitable<Result<std::unique_ptr<Hypervisor>>>
open_hypervisor(std::string uri, const Guardian& guardian) {
    const bool throws = co_await boost::asio::this_coro::throw_if_cancelled();
    co_await boost::asio::this_coro::throw_if_cancelled(false);
    auto core = co_await libvirt::open_core(std::move(uri), guardian);
    co_await boost::asio::this_coro::throw_if_cancelled(throws);
    if (!core)
        co_return tl::unexpected(std::move(core.error()));
    co_return std::make_unique<libvirt::LibvirtHypervisor>(std::move(*core));
}

} // namespace kmatrix
