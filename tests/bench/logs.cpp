// SPDX-License-Identifier: GPL-2.0-only
#include "tests/bench/logs.h"

#include <array>
#include <iterator>
#include <random>

#include <fmt/format.h>

namespace kmatrix::bench {
namespace {

// {0}, {1}: numbers; {2}: a larger one.
constexpr std::array<const char*, 40> messages = {
    "BIOS-e820: [mem 0x{2:016x}-0x{2:016x}] usable",
    "ACPI: LAPIC_NMI (acpi_id[0x{0:02x}] dfl dfl lint[0x1])",
    "pci 0000:00:{0:02x}.{1}: [8086:{2:04x}] type 00 class 0x060{1}00 conventional PCI endpoint",
    "pci 0000:00:{0:02x}.0: BAR 0 [mem 0x{2:08x}-0x{2:08x} 64bit pref]",
    "smpboot: CPU{0}: hv clock source is tsc-early",
    "#{0} #{1} #{2}",
    "Dentry cache hash table entries: {2} (order: {1}, {2} bytes, linear)",
    "Memory: {2}K/{2}K available (16384K kernel code, {0}K rwdata, {2}K rodata, {0}K init)",
    "rcu: \tRCU restricting CPUs from NR_CPUS=8192 to nr_cpu_ids={0}.",
    "rcu: RCU calculated value of scheduler-enlistment delay is {0} jiffies.",
    "clocksource: tsc-early: mask: 0xffffffffffffffff max_cycles: 0x{2:x}, max_idle_ns: {2} ns",
    "NET: Registered PF_INET6 protocol family",
    "virtio_blk virtio{0}: [vda] {2} 512-byte logical blocks ({0} GB/{1} GiB)",
    "virtio_net virtio{0} enp0s{1}: renamed from eth{1}",
    "EXT4-fs (vda{1}): mounted filesystem with ordered data mode. Quota mode: none.",
    "systemd[1]: Starting unit-{0}.service - Something of the system's number {2}...",
    "systemd[1]: Finished unit-{0}.service - Something of the system's number {2}.",
    "audit: type=1400 audit({2}.{0}:{1}): apparmor=\"STATUS\" operation=\"profile_load\" pid={2}",
    "usb 1-{1}: New USB device found, idVendor=0627, idProduct={0:04x}, bcdDevice= 0.00",
    "usb 1-{1}: Product: QEMU USB Tablet",
    "input: QEMU QEMU USB Tablet as /devices/pci0000:00/usb1/1-{1}/input/input{0}",
    "e1000: eth{1} NIC Link is Up 1000 Mbps Full Duplex, Flow Control: RX",
    "random: crng init done",
    "Freeing unused kernel image (initmem) memory: {2}K",
    "Run /init as init process",
    "loop{1}: detected capacity change from 0 to {2}",
    "cgroup: fork rejected by pids controller in /user.slice/user-{0}.slice",
    "kselftest: running test {0} of target {1}, with a limit of 45 seconds",
    "mmap: test-{0} ({2}): VmData {2} exceed data ulimit {2}. Update limits or use boot option",
    "process '/usr/libexec/tests/tool-{0}' started with executable stack",
    "tool-{0}[{2}]: segfault at {2:x} ip 00007f{2:010x} sp 00007f{2:010x} error 4 in libc.so.6",
    "traps: tool-{0}[{2}] general protection fault ip:7f{2:x} sp:7f{2:x} error:0 in tool",
    "nr_hugepages {0}, surplus {1}, {2} kB reserved by node {1}",
    "perf: interrupt took too long ({2} > {2}), lowering kernel.perf_event_max_sample_rate to {0}",
    "hrtimer: interrupt took {2} ns",
    "sched: DL replenish lagged too much on task {2}",
    "device eth{1} entered promiscuous mode",
    "br{0}: port {1}(veth{2}) entered forwarding state",
    "IPv6: ADDRCONF(NETDEV_CHANGE): veth{2}: link becomes ready",
    "test_vmalloc: Summary: fix_size_alloc_test passed: {0} failed: 0 repeat: 1 loops: {2}",
};

// What a report looks like is all that matters here: heading, context, registers, stack, end.
constexpr std::array<std::array<const char*, 3>, 4> splats = {{
    {"------------[ cut here ]------------",
     "WARNING: mm/vma.c:{0} at made_up_{1}_vma+0x{0:x}/0x2f0, CPU#{1}: tool/{2}",
     "---[ end trace 0000000000000000 ]---"},
    {"BUG: unable to handle page fault for address: ffff8880{2:08x}",
     "Oops: Oops: 0000 [#1] SMP NOPTI", "---[ end trace 0000000000000000 ]---"},
    {"WARNING: possible circular locking dependency detected",
     "tool/{2} is trying to acquire lock:", "stack backtrace:"},
    {"rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:",
     "rcu: \t{1}-...!: (0 ticks this GP) idle={0:x}/0/0x0 softirq={2}/{2} fqs=0",
     "rcu: rcu_preempt kthread starved for {2} jiffies!"},
}};

class Writer {
  public:
    explicit Writer(std::size_t bytes) { text_.reserve(bytes + 4096); }

    std::size_t size() const { return text_.size(); }
    std::string take() { return std::move(text_); }
    int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

    template <class... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    }
    void kernel_line(const char* message) {
        micros_ += static_cast<unsigned>(below(20000));
        add("[{:5}.{:06}] ", micros_ / 1'000'000, micros_ % 1'000'000);
        fmt::format_to(std::back_inserter(text_), fmt::runtime(message), below(512), below(8),
                       below(100'000'000));
        text_ += '\n';
    }

  private:
    std::string text_;
    std::minstd_rand random_{1};
    unsigned long micros_ = 0;
};

void add_splat(Writer& log, std::size_t number) {
    const auto& [heading, context, end] = splats[number % splats.size()];
    log.kernel_line(heading);
    log.kernel_line(context);
    log.kernel_line("CPU: {1} UID: 0 PID: {2} Comm: tool Not tainted 7.3.4 #1 PREEMPT(lazy)");
    log.kernel_line("RIP: 0010:made_up_fault+0x{0:x}/0x290");
    for (const char* registers :
         {"RSP: 0018:ffffc900{2:08x} EFLAGS: 00010246", "RAX: {2:016x} RBX: {2:016x} RCX: {2:016x}",
          "RDX: {2:016x} RSI: {2:016x} RDI: {2:016x}", "CR2: {2:016x} CR3: {2:016x}"})
        log.kernel_line(registers);
    log.kernel_line("Call Trace:");
    log.kernel_line(" <TASK>");
    for (int frame = 0; frame < 20; ++frame)
        log.kernel_line(" made_up_frame_{1}+0x{0:x}/0x400");
    log.kernel_line(" entry_SYSCALL_64_after_hwframe+0x76/0x7e");
    log.kernel_line(" </TASK>");
    log.kernel_line(end);
}

void add_harness_test(Writer& log, const std::string& name, int number, bool ok) {
    log.add("# #  RUN           {} ...\n", name);
    if (!ok)
        log.add("# # race.c:{}:{}:Expected totals ({}) == {} (0)\n# # {}: Test failed\n",
                log.below(900), name, log.below(100), log.below(100), name);
    log.add("# #          {}  {}\n# {} {} {}\n", ok ? "  OK" : "FAIL", name, ok ? "ok" : "not ok",
            number, name);
}

} // namespace

std::string console(std::size_t bytes, std::size_t splat_every_bytes) {
    Writer log(bytes);
    log.kernel_line("Linux version 7.3.4 (builder@host) (gcc 12.2.0) #1 SMP PREEMPT_DYNAMIC");
    for (std::size_t number = 0; log.size() < bytes;) {
        log.kernel_line(messages[static_cast<std::size_t>(log.below(messages.size()))]);
        if (splat_every_bytes != 0 && log.size() / splat_every_bytes > number)
            add_splat(log, number++);
    }
    return log.take();
}

std::string ktap(std::size_t bytes) {
    constexpr int tests = 60; // of a program
    Writer log(bytes);
    log.add("TAP version 13\n");
    for (int program = 1; log.size() < bytes; ++program) {
        const std::string name = fmt::format("program-{}", program);
        const bool harness = program % 2 == 0;
        bool all_ok = true;
        log.add("# selftests: made_up: {}\n# TAP version 13\n# 1..{}\n", name, tests);
        for (int number = 1; number <= tests; ++number) {
            const bool ok = log.below(50) != 0;
            all_ok = all_ok && ok;
            const std::string test = fmt::format("{}.maps.test_{}", name, number);
            if (harness)
                add_harness_test(log, test, number, ok);
            else if (log.below(20) == 0)
                log.add("# ok {} {} # SKIP needs {} kB of huge pages\n", number, test,
                        log.below(9999));
            else
                log.add("# # reading {} bytes at {:x}\n# {} {} {}\n", log.below(99999),
                        log.below(99999999), ok ? "ok" : "not ok", number, test);
        }
        log.add("# # Totals: pass:{} fail:0 xfail:0 xpass:0 skip:0 error:0\n", tests);
        log.add("{} {} selftests: made_up: {}{}\n", all_ok ? "ok" : "not ok", program, name,
                all_ok ? "" : " # exit=1");
    }
    return log.take();
}

} // namespace kmatrix::bench
