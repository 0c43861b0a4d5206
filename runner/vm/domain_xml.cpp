// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/domain_xml.h"

#include <cassert>

#include <fmt/format.h>
#include <tinyxml2.h>

#include "base/text.h"
#include "images/protocol.h"
#include "runner/vm/topology.h"

namespace kmatrix {
namespace {

using tinyxml2::XMLElement;

XMLElement& add(XMLElement& parent, const char* name) {
    return *parent.InsertNewChildElement(name);
}

XMLElement& add(XMLElement& parent, const char* name, const std::string& text) {
    XMLElement& element = add(parent, name);
    element.SetText(text.c_str());
    return element;
}

bool emulated(const GuestSpec& spec) {
    assert(spec.accel != Accel::automatic);
    return spec.accel == Accel::tcg;
}

void add_os(XMLElement& domain, const GuestSpec& spec, const DomainFiles& files) {
    XMLElement& os = add(domain, "os");
    XMLElement& type = add(os, "type", "hvm");
    switch (spec.arch) {
    case Arch::x86_64:
        type.SetAttribute("arch", "x86_64");
        type.SetAttribute("machine", "q35");
        break;
    case Arch::arm64:
        type.SetAttribute("arch", "aarch64");
        type.SetAttribute("machine", "virt");
        break;
    }
    add(os, "kernel", files.kernel.string());
    if (!files.initrd.empty())
        add(os, "initrd", files.initrd.string());
    add(os, "cmdline", printable(spec.cmdline));
}

void add_features(XMLElement& domain, const GuestSpec& spec) {
    XMLElement& features = add(domain, "features");
    switch (spec.arch) {
    case Arch::x86_64:
        add(features, "acpi");
        break;
    case Arch::arm64: // ACPI would need UEFI firmware there
        add(features, "gic").SetAttribute("version", "3");
        break;
    }
}

void add_cpu(XMLElement& domain, const GuestSpec& spec) {
    XMLElement& cpu = add(domain, "cpu");
    cpu.SetAttribute("mode", emulated(spec) ? "maximum" : "host-passthrough");
    const int sockets = sockets_of(spec);
    XMLElement& topology = add(cpu, "topology");
    topology.SetAttribute("sockets", sockets);
    topology.SetAttribute("cores", spec.vcpus / sockets);
    topology.SetAttribute("threads", 1);
    if (spec.numa_nodes == 1)
        return;
    XMLElement& numa = add(cpu, "numa");
    for (const NumaNode& node : numa_nodes(spec)) {
        XMLElement& cell = add(numa, "cell");
        cell.SetAttribute("id", node.id);
        cell.SetAttribute("cpus", node.cpus.c_str());
        cell.SetAttribute("memory", node.memory_mib);
        cell.SetAttribute("unit", "MiB");
    }
}

void set_source(XMLElement& device, const std::filesystem::path& path) {
    device.SetAttribute("type", "pipe");
    add(device, "source").SetAttribute("path", path.c_str());
}

// On the root bus: behind a PCIe port, where libvirt would put it, the guest would need that port's
// driver too, and time to probe it.
void set_address(XMLElement& device, int slot) {
    XMLElement& address = add(device, "address");
    address.SetAttribute("type", "pci");
    address.SetAttribute("domain", "0x0000");
    address.SetAttribute("bus", "0x00");
    address.SetAttribute("slot", fmt::format("0x{:02x}", slot).c_str());
    address.SetAttribute("function", "0x0");
}

void add_devices(XMLElement& domain, const GuestSpec& spec, const DomainFiles& files) {
    XMLElement& devices = add(domain, "devices");

    XMLElement& usb = add(devices, "controller");
    usb.SetAttribute("type", "usb");
    usb.SetAttribute("model", "none");
    add(devices, "memballoon").SetAttribute("model", "none");

    XMLElement& serial = add(devices, "serial");
    set_source(serial, files.console);
    add(serial, "target").SetAttribute("port", 0);

    XMLElement& controller = add(devices, "controller");
    controller.SetAttribute("type", "virtio-serial");
    controller.SetAttribute("index", 0);
    set_address(controller, 2);
    XMLElement& channel = add(devices, "channel");
    set_source(channel, files.channel);
    XMLElement& target = add(channel, "target");
    target.SetAttribute("type", "virtio");
    target.SetAttribute("name", protocol::port_name);

    if (spec.arch == Arch::x86_64)
        add(devices, "panic").SetAttribute("model", "isa");
}

// What libvirt 9.0 has no element for.
void add_qemu_arguments(XMLElement& domain, const GuestSpec& spec) {
    if (spec.arch != Arch::arm64)
        return;
    domain.SetAttribute("xmlns:qemu", "http://libvirt.org/schemas/domain/qemu/1.0");
    XMLElement& line = add(domain, "qemu:commandline");
    const auto argument = [&](const char* value) {
        add(line, "qemu:arg").SetAttribute("value", value);
    };
    argument("-device");
    argument("pvpanic-pci");
    if (emulated(spec)) {
        // The architected pointer authentication takes emulation half of its time; QEMU's own
        // algorithm is cheap. Of two -cpu, QEMU takes the last.
        argument("-cpu");
        argument("max,pauth-impdef=on");
    }
}

} // namespace

std::string domain_xml(const GuestSpec& spec, const DomainFiles& files) {
    tinyxml2::XMLDocument document;
    XMLElement& domain = *document.NewElement("domain");
    document.InsertEndChild(&domain);
    domain.SetAttribute("type", emulated(spec) ? "qemu" : "kvm");

    add(domain, "name", files.name);
    add(domain, "title", printable(spec.title));
    XMLElement& memory = add(domain, "memory", fmt::format("{}", spec.memory_mib));
    memory.SetAttribute("unit", "MiB");
    add(domain, "vcpu", fmt::format("{}", spec.vcpus));
    add_os(domain, spec, files);
    add_features(domain, spec);
    add_cpu(domain, spec);
    add(domain, "on_poweroff", "destroy");
    add(domain, "on_reboot", "destroy");
    add(domain, "on_crash", "destroy");
    add_devices(domain, spec, files);
    add_qemu_arguments(domain, spec);

    tinyxml2::XMLPrinter printer;
    document.Print(&printer);
    return printer.CStr();
}

} // namespace kmatrix
