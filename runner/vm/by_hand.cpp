// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/by_hand.h"

#include <cassert>
#include <vector>

#include <fmt/format.h>

#include "base/command.h"
#include "images/protocol.h"
#include "runner/vm/topology.h"

namespace kmatrix {
namespace {

using Arguments = std::vector<std::string>;

void add(Arguments& arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
}

Arguments machine(const GuestSpec& spec) {
    const bool emulated = spec.accel == Accel::tcg;
    switch (spec.arch) {
    case Arch::x86_64:
        return {"qemu-system-x86_64",      "-machine", "q35",    "-cpu",
                emulated ? "max" : "host", "-device",  "pvpanic"};
    case Arch::arm64:
        return {"qemu-system-aarch64",
                "-machine",
                "virt,gic-version=3",
                "-cpu",
                emulated ? "max,pauth-impdef=on" : "host",
                "-device",
                "pvpanic-pci"};
    }
    return {};
}

} // namespace

std::string qemu_command(const GuestSpec& spec) {
    assert(spec.accel != Accel::automatic);
    Arguments arguments = machine(spec);
    add(arguments, {"-accel", spec.accel == Accel::tcg ? "tcg,thread=multi" : "kvm"});
    const int sockets = sockets_of(spec);
    add(arguments, {"-smp", fmt::format("{},sockets={},cores={},threads=1", spec.vcpus, sockets,
                                        spec.vcpus / sockets)});
    add(arguments, {"-m", fmt::format("{}M", spec.memory_mib)});
    if (spec.numa_nodes > 1)
        for (const NumaNode& node : numa_nodes(spec)) {
            const std::string memory = fmt::format("node{}", node.id);
            add(arguments, {"-object", fmt::format("memory-backend-ram,id={},size={}M", memory,
                                                   node.memory_mib)});
            add(arguments, {"-numa", fmt::format("node,nodeid={},cpus={},memdev={}", node.id,
                                                 node.cpus, memory)});
        }
    add(arguments, {"-nodefaults", "-no-reboot", "-display", "none", "-serial", "mon:stdio",
                    "-device", "virtio-serial-pci", "-chardev", "null,id=agent", "-device",
                    fmt::format("virtserialport,chardev=agent,name={}", protocol::port_name)});
    add(arguments, {"-kernel", spec.kernel.string()});
    if (!spec.initrd.empty())
        add(arguments, {"-initrd", spec.initrd.string()});
    add(arguments, {"-append", spec.cmdline});
    return shell_text(arguments);
}

} // namespace kmatrix
