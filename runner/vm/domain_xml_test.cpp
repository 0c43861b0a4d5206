// SPDX-License-Identifier: GPL-2.0-only
#include "runner/vm/domain_xml.h"

#include <gmock/gmock.h>
#include <tinyxml2.h>

#include "base/text.h"

namespace kmatrix {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

DomainFiles files() {
    return DomainFiles{"kmatrix-1-2-3", "/p/kernel", "/p/initrd", "/p/console", "/p/channel"};
}

// The XML read back; elements by their path, "os/type".
class Domain {
  public:
    explicit Domain(const GuestSpec& spec) : text(domain_xml(spec, files())) {
        EXPECT_EQ(document_.Parse(text.c_str()), tinyxml2::XML_SUCCESS);
    }
    const tinyxml2::XMLElement* find(const std::string& path) const {
        const tinyxml2::XMLElement* element = document_.RootElement();
        for (const std::string& name : split(path, '/'))
            if (element)
                element = element->FirstChildElement(name.c_str());
        return element;
    }
    std::string content(const std::string& path) const {
        const auto* element = find(path);
        return element && element->GetText() ? element->GetText() : "";
    }
    std::string attribute(const std::string& path, const char* name) const {
        const auto* element = path.empty() ? document_.RootElement() : find(path);
        const char* value = element ? element->Attribute(name) : nullptr;
        return value ? value : "";
    }
    std::vector<std::string> arguments() const {
        std::vector<std::string> result;
        const auto* element = find("qemu:commandline/qemu:arg");
        for (; element; element = element->NextSiblingElement())
            result.emplace_back(element->Attribute("value"));
        return result;
    }
    const std::string text;

  private:
    tinyxml2::XMLDocument document_;
};

GuestSpec guest(Arch arch, Accel accel) {
    GuestSpec spec;
    spec.title = "x86_64-default-8cpu-gcc/patched/1";
    spec.arch = arch;
    spec.accel = accel;
    spec.vcpus = 8;
    spec.memory_mib = 1024;
    spec.kernel = "/user/kernel";
    spec.cmdline = "console=ttyS0 a=\"b & c\"";
    return spec;
}

TEST(DomainXml, NamesAndFiles) {
    const Domain domain(guest(Arch::x86_64, Accel::tcg));
    EXPECT_EQ(domain.content("name"), "kmatrix-1-2-3");
    EXPECT_EQ(domain.content("title"), "x86_64-default-8cpu-gcc/patched/1");
    EXPECT_EQ(domain.content("os/kernel"), "/p/kernel");
    EXPECT_EQ(domain.content("os/initrd"), "/p/initrd");
    EXPECT_EQ(domain.content("os/cmdline"), "console=ttyS0 a=\"b & c\"");
    EXPECT_EQ(domain.content("vcpu"), "8");
    EXPECT_EQ(domain.content("memory"), "1024");
    EXPECT_EQ(domain.attribute("memory", "unit"), "MiB");
}

TEST(DomainXml, WithoutAnInitrdThereIsNone) {
    DomainFiles none = files();
    none.initrd.clear();
    EXPECT_THAT(domain_xml(guest(Arch::x86_64, Accel::tcg), none), Not(HasSubstr("<initrd")));
}

TEST(DomainXml, X86Emulated) {
    const Domain domain(guest(Arch::x86_64, Accel::tcg));
    EXPECT_EQ(domain.attribute("", "type"), "qemu");
    EXPECT_EQ(domain.attribute("os/type", "arch"), "x86_64");
    EXPECT_EQ(domain.attribute("os/type", "machine"), "q35");
    EXPECT_EQ(domain.attribute("cpu", "mode"), "maximum");
    EXPECT_TRUE(domain.find("features/acpi"));
    EXPECT_EQ(domain.attribute("devices/panic", "model"), "isa");
    EXPECT_FALSE(domain.find("qemu:commandline"));
}

TEST(DomainXml, Arm64Emulated) {
    const Domain domain(guest(Arch::arm64, Accel::tcg));
    EXPECT_EQ(domain.attribute("os/type", "arch"), "aarch64");
    EXPECT_EQ(domain.attribute("os/type", "machine"), "virt");
    EXPECT_EQ(domain.attribute("features/gic", "version"), "3");
    EXPECT_FALSE(domain.find("features/acpi"));
    EXPECT_FALSE(domain.find("devices/panic"));
    EXPECT_THAT(domain.arguments(),
                ::testing::ElementsAre("-device", "pvpanic-pci", "-cpu", "max,pauth-impdef=on"));
    EXPECT_EQ(domain.attribute("", "xmlns:qemu"), "http://libvirt.org/schemas/domain/qemu/1.0");
}

TEST(DomainXml, KvmTakesTheHostsCpu) {
    const Domain x86(guest(Arch::x86_64, Accel::kvm));
    EXPECT_EQ(x86.attribute("", "type"), "kvm");
    EXPECT_EQ(x86.attribute("cpu", "mode"), "host-passthrough");
    EXPECT_THAT(Domain(guest(Arch::arm64, Accel::kvm)).arguments(),
                ::testing::ElementsAre("-device", "pvpanic-pci"));
}

TEST(DomainXml, StreamsGoThroughFifos) {
    const Domain domain(guest(Arch::x86_64, Accel::tcg));
    EXPECT_EQ(domain.attribute("devices/serial", "type"), "pipe");
    EXPECT_EQ(domain.attribute("devices/serial/source", "path"), "/p/console");
    EXPECT_EQ(domain.attribute("devices/channel", "type"), "pipe");
    EXPECT_EQ(domain.attribute("devices/channel/source", "path"), "/p/channel");
    EXPECT_EQ(domain.attribute("devices/channel/target", "name"), "org.kmatrix.agent");
}

TEST(DomainXml, NothingElseIsInTheMachine) {
    for (const Arch arch : {Arch::x86_64, Arch::arm64}) {
        const Domain domain(guest(arch, Accel::tcg));
        EXPECT_EQ(domain.attribute("devices/memballoon", "model"), "none");
        EXPECT_EQ(domain.attribute("devices/controller", "model"), "none"); // the first: USB
        for (const char* device : {"<disk", "<interface", "<graphics", "<video", "<hostdev",
                                   "<filesystem", "<redirdev", "<shmem"})
            EXPECT_THAT(domain.text, Not(HasSubstr(device)));
    }
}

TEST(DomainXml, WhateverEndsTheMachineItStaysOff) {
    const Domain domain(guest(Arch::arm64, Accel::tcg));
    for (const char* event : {"on_poweroff", "on_reboot", "on_crash"})
        EXPECT_EQ(domain.content(event), "destroy") << event;
}

TEST(DomainXml, NumaNodes) {
    GuestSpec spec = guest(Arch::x86_64, Accel::tcg);
    EXPECT_FALSE(Domain(spec).find("cpu/numa"));
    spec.numa_nodes = 2;
    const Domain domain(spec);
    EXPECT_EQ(domain.attribute("cpu/topology", "sockets"), "2");
    EXPECT_EQ(domain.attribute("cpu/topology", "cores"), "4");
    const auto* second = domain.find("cpu/numa/cell")->NextSiblingElement();
    ASSERT_TRUE(second);
    EXPECT_STREQ(second->Attribute("cpus"), "4-7");
    EXPECT_STREQ(second->Attribute("memory"), "512");
}

TEST(DomainXml, WordsThatXmlCannotHoldAreMadePrintable) {
    GuestSpec spec = guest(Arch::x86_64, Accel::tcg);
    spec.cmdline = "a=\x1b[31m\x01"
                   "b";
    EXPECT_EQ(Domain(spec).find("os/cmdline")->GetText(), printable(spec.cmdline));
}

} // namespace
} // namespace kmatrix
