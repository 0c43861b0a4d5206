// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/accel.h"

#include <optional>
#include <string_view>
#include <utility>

#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "images/protocol.h"
#include "runner/vm/kernel_cmdline.h"

namespace kmatrix {
namespace {

namespace asio = boost::asio;
using Clock = std::chrono::steady_clock;

std::string_view machine_of(Arch arch) {
    switch (arch) {
    case Arch::x86_64:
        return "x86_64";
    case Arch::arm64:
        return "aarch64";
    }
    return {};
}

// Why KVM is not to be used; nothing: it is.
struct Found {
    std::optional<std::string> fault;
    bool lasts = true; // until the next boot of the host
};

AccelChoice choice(const std::optional<std::string>& fault) {
    if (!fault)
        return {Accel::kvm, ""};
    return {Accel::tcg, "emulating (TCG): " + *fault};
}

// What decides whether what is remembered still holds: this, and QEMU's version.
std::string key(const KvmHost& host) {
    return fmt::format("{} user {} qemu ", trim(read_file(host.boot_id).value_or("unknown boot")),
                       ::geteuid());
}
std::string key(const KvmHost& host, const std::string& qemu_version) {
    return key(host) + qemu_version + ";"; // whole, for 7.2.2 is the beginning of 7.2.22
}

// What an earlier probe found, if its key begins with `key`.
std::optional<Found> remembered(const KvmHost& host, const std::string& key) {
    const auto json = nlohmann::json::parse(read_file(host.memory).value_or(""), nullptr, false);
    if (!json.is_object() || !json.contains("fault") || !json.value("key", "").starts_with(key))
        return std::nullopt;
    const auto& fault = json["fault"];
    if (fault.is_string())
        return Found{fault.get<std::string>()};
    return Found{};
}

void remember(const KvmHost& host, const std::string& key, const Found& found) {
    nlohmann::json json = {{"key", key}, {"fault", nullptr}};
    if (found.fault)
        json["fault"] = *found.fault;
    // Without it the next run probes again, no more.
    (void)write_file(host.memory, json.dump(1) + "\n");
}

std::string ended_early(const GuestEnd& end) {
    if (const auto* died = std::get_if<Died>(&end))
        return "under KVM QEMU died: " + died->what;
    return "under KVM the kernel ended before it came to its init";
}

asio::awaitable<Found> boot_under_kvm(Hypervisor& hypervisor, GuestSpec probe,
                                      const KvmHost& host) {
    probe.title = "probe of KVM";
    probe.accel = Accel::kvm;
    probe.cmdline = kernel_cmdline(probe.arch, probe.accel, "");
    std::string console;
    Guest* listened = nullptr;
    const auto shows = [&](const char* words) { return console.find(words) != std::string::npos; };
    const auto reached = [&] { return shows(protocol::console_marker); };
    // The code that unpacks the kernel may print before it ("Probing EDD"), and get no further.
    const auto runs = [&] { return shows("Linux version "); };
    const auto hear = [&](std::string_view bytes) {
        console.append(bytes);
        if (listened)
            listened->nudge();
    };
    auto guest = co_await hypervisor.start(std::move(probe), {hear, [](std::string_view) {}});
    if (!guest)
        co_return Found{"KVM starts no machine: " + guest.error().message, false};
    listened = guest->get();

    const auto begin = Clock::now();
    std::optional<GuestEnd> end;
    const auto until = [&] { return begin + (runs() ? host.limit : host.silence); };
    while (!end && !reached() && Clock::now() < until())
        end = co_await (*guest)->wait_end(until());
    const std::chrono::duration<double> waited = Clock::now() - begin;
    if (auto destroyed = co_await (*guest)->destroy(); !destroyed)
        co_return Found{destroyed.error().message, false};
    if (reached())
        co_return Found{};
    if (end)
        co_return Found{ended_early(*end), !runs()};
    if (!runs())
        co_return Found{fmt::format("/dev/kvm is there, but a kernel under it printed nothing "
                                    "in {:.0f} s",
                                    waited.count())};
    co_return Found{fmt::format("a kernel under KVM printed, but did not come to its init in "
                                "{:.0f} s",
                                waited.count()),
                    false};
}

asio::awaitable<Found> find_out(Hypervisor& hypervisor, GuestSpec probe, const KvmHost& host) {
    if (::access(host.device.c_str(), F_OK) != 0)
        co_return Found{host.device.string() + " does not exist", false};
    if (::access(host.device.c_str(), R_OK | W_OK) != 0)
        co_return Found{host.device.string() + " may not be used by you (`kmatrix doctor` tells "
                                               "how to mend it)",
                        false};
    const std::string now = key(host, hypervisor.machine().qemu_version);
    if (const auto before = remembered(host, now))
        co_return *before;
    Found found = co_await boot_under_kvm(hypervisor, std::move(probe), host);
    if (found.lasts)
        remember(host, now, found);
    co_return found;
}

} // namespace

KvmHost this_host() {
    utsname names{};
    ::uname(&names);
    KvmHost host;
    host.device = "/dev/kvm";
    host.boot_id = "/proc/sys/kernel/random/boot_id";
    host.memory = cache_directory() / "kvm-probe.json";
    host.machine = names.machine;
    return host;
}

bool kvm_known_bad(const KvmHost& host) {
    const auto found = remembered(host, key(host));
    return found && found->fault;
}

asio::awaitable<Result<AccelChoice>> choose_accel(Hypervisor& hypervisor, Accel wanted,
                                                  GuestSpec probe, KvmHost host) {
    const bool native = host.machine == machine_of(probe.arch);
    switch (wanted) {
    case Accel::tcg:
        co_return AccelChoice{Accel::tcg, ""};
    case Accel::kvm:
        if (native)
            co_return AccelChoice{Accel::kvm, ""};
        co_return user_error(fmt::format("accel = \"kvm\": {} guests cannot run under KVM on this "
                                         "{} host; \"auto\" or \"tcg\" emulates them",
                                         to_string(probe.arch), host.machine));
    case Accel::automatic:
        break;
    }
    if (!native)
        co_return choice(
            fmt::format("{} guests on a {} host", to_string(probe.arch), host.machine));
    const Found found = co_await find_out(hypervisor, std::move(probe), host);
    co_return choice(found.fault);
}

} // namespace kmatrix
