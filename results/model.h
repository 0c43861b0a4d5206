// SPDX-License-Identifier: GPL-2.0-only
// What came out of a run, as plain values. results/store knows how they lie on disk, results/json
// how they are written; the reports are pure functions of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "matrix/matrix.h"
#include "matrix/shard.h"
#include "results/console/finding.h"
#include "results/known.h"
#include "results/ktap/ktap.h"

namespace kmatrix {

// ---- Builds ------------------------------------------------------------------------------------

// A compiler warning, known by what stays the same when lines move.
struct Warning {
    std::string file;    // relative to the source
    std::string option;  // "-Wunused-variable"; empty if the compiler named none
    std::string message; // without position
    int count = 1;

    auto operator<=>(const Warning&) const = default;
};

struct BuildResult {
    BuildKey key;
    Kernel kernel = Kernel::baseline;
    bool ok = false;
    bool cached = false;
    std::string error; // the compiler's or make's own first words of failure; empty if ok
    std::vector<Warning> warnings;
    std::string compiler_version;
    std::string image_sha256; // of the bootable image; empty if not ok
    double seconds = 0;
    double cpu_s = 0;          // of all its processes; 0 where the cache had it
    std::filesystem::path log; // relative to the run's directory
    std::string command;       // to build it again by hand
    int patches = 0;           // of the series, the first so many alone (--each-patch); 0: all
};

// ---- Boots -------------------------------------------------------------------------------------

// What the agent reports of the machine that it finds itself in.
struct Vitals {
    int vcpus_online = 0;
    std::int64_t memory_kib = 0;
    std::string release; // uname -r
    std::string machine; // uname -m
    std::string cmdline; // /proc/cmdline
    std::string clocksource;
    std::string preemption; // "none", "voluntary", "full", "lazy", "rt", "unknown"
    int hz = 0;             // CONFIG_HZ, 0 if unknown
    std::int64_t page_size_bytes = 0;
    std::vector<std::string>
        mitigations; // "spectre_v2: Mitigation: ..." a file of .../vulnerabilities
};

// How a test ended. `missing`: planned and never reported.
enum class Status { pass, fail, skip, xfail, xpass, timeout, error, missing };
std::string_view to_string(Status status);

// One run of one selftest program.
struct TestRun {
    std::string target;
    std::string test;
    // Which kernel's tree the program came from. Both kernels run the patched tree's; where the
    // series edits a selftest, both run the baseline's too.
    Kernel origin = Kernel::patched;
    int attempt = 1;
    Status status = Status::missing; // by exit status: 0 pass, 4 skip, 2 xfail, 3 xpass, else fail
    std::string reason; // "exit 1", "killed by SIGSEGV", "no end after 135 s", why it was skipped
    double seconds = 0;
    std::vector<ktap::Test> subtests; // of its KTAP; empty if it printed none
    std::string output_tail;          // last lines, for reports; the boot's transcript has all
};

// One sample of procfs-latency. Durations of single mmap/munmap calls.
struct Sample {
    int index = 0; // in its boot, from 1, in the order run
    double seconds = 0;
    std::uint64_t maps = 0;   // mmap calls made
    std::uint64_t unmaps = 0; // munmap calls made
    double mean_ms = 0;
    double max_ms = 0;
    double p50_ms = 0, p90_ms = 0, p99_ms = 0, p999_ms = 0;
    // Call counts by upper bound of the bucket in nanoseconds (log-linear, 32 buckets a power of
    // 2).
    std::map<std::uint64_t, std::uint64_t> histogram_ns;
    std::uint64_t scans = 0;      // whole reads of /proc/PID/FILE
    std::uint64_t scan_bytes = 0; // read by them
    std::uint64_t busy_loops = 0; // times the busy task went to sleep and came back
    std::int64_t vmas_start = 0, vmas_end = 0;
    std::vector<int> cpus; // used: mapper, then scanners and busy tasks
};

// How a boot ended, from what the kernel did. Infrastructure failures are Errors, not these.
struct Completed {}; // the agent said that it was done
struct Panicked {
    std::string title;
}; // and what the panic said
struct Reset {}; // rebooted, or stopped, without being asked to
struct Hung {
    double silent_s = 0;
}; // nothing on console or channel for so long
struct NeverBooted {
    double waited_s = 0;
}; // the agent never spoke
struct DeadlinePassed {
    double waited_s = 0;
}; // spoke, went on printing, never finished
struct AgentLost {
    std::string last_record;
}; // powered off without an end record
using BootOutcome =
    std::variant<Completed, Panicked, Reset, Hung, NeverBooted, DeadlinePassed, AgentLost>;
std::string_view name(const BootOutcome& outcome); // "completed", "panicked", ...
std::string sentence(const BootOutcome& outcome);  // "panicked: VFS: Unable to mount root fs"

// What the virtual machine was, on the host's side.
struct Machine {
    Accel accel = Accel::tcg; // never automatic
    std::string qemu_version, libvirt_version;
    std::string host_cpu;
    int host_cpus = 0;
    bool overcommitted = false; // more busy vCPUs than host CPUs
};

struct BootResult {
    std::string id; // PlannedBoot::id
    std::string cell;
    Kernel kernel = Kernel::baseline;
    std::optional<std::string> benchmark; // its name; none: functional
    int number = 1;
    BootOutcome outcome;
    Machine machine;
    std::optional<Vitals> vitals;
    double first_word_s = 0; // from power-on to the agent's hello; 0: never
    double seconds = 0;      // from power-on to the end
    double cpu_s = 0;        // that the emulator used
    std::vector<TestRun> tests;
    std::vector<Sample> samples;
    std::string sample_error;      // why this boot gives no figures; empty if it does
    std::vector<Finding> findings; // of the console
    std::string console_tail;      // last lines
    std::filesystem::path console; // whole logs, relative to the run's directory
    std::filesystem::path transcript;
    std::string command; // to boot it again by hand
    int patches = 0;     // as in BuildResult
};

// ---- A run -------------------------------------------------------------------------------------

struct MailAddress {
    std::string name; // decoded; may be empty
    std::string address;

    auto operator<=>(const MailAddress&) const = default;
};

// A mail of the series, as far as an answer to it needs it. Printable; all may be empty.
struct Letter {
    std::string subject; // as it was sent: "[PATCH v2 1/3] mm: x"
    MailAddress from;
    std::string date;                    // as its header has it
    std::string message_id;              // without <>
    std::vector<std::string> references; // the same, of the mails before it, oldest first
    std::vector<MailAddress> to, cc;
    std::string text;               // the beginning of its body, without the diff
    std::vector<std::string> files; // that its diff changes
    std::string sha256;             // of the mail as it was given
};

struct SeriesInfo {
    std::string subject; // of the cover letter, or of the one patch, without [PATCH ...]
    int version = 1;
    std::vector<std::string> patches; // subjects in order
    int first_patches = 0;            // --patches, as given; 0: all
    std::string source;               // as the user gave it
    std::string message_id;           // of the cover letter, without <>; may be empty
    std::string author;
    bool changes_selftests = false;
    std::vector<std::string> notes; // "patch 2 applied with three-way merge"
    std::optional<Letter> cover;    // the cover letter, if there is one
    std::vector<Letter> letters;    // of the patches, in order; runs of old have none
    std::string change_id; // of its "change-id:" line, which b4 writes into every version; may be
                           // empty
};

// What is done after each patch of the series but the last, which is the patched kernel.
enum class EachPatch { no, build, boot };
std::string_view to_string(EachPatch each); // "no", "build", "boot"

struct RunInfo {
    std::string id;      // also the directory's name
    std::string started; // ISO 8601, UTC
    std::string kmatrix_version;
    std::string matrix_file;        // as given; the run's directory keeps a copy
    std::string only;               // --only, as given
    std::vector<std::string> tests; // --test, as given
    Shard shard;                    // which part of those cells this run has
    std::string tree;
    std::string baseline_commit, baseline_describe; // "7.3.4"
    std::string patched_tree;                       // git tree id
    SeriesInfo series;
    // An A/A run: there is no series, and both sides are the baseline, to measure how far one
    // kernel is from itself.
    bool noise = false;
    EachPatch each_patch = EachPatch::no;
    Machine machine;
    std::vector<std::string> command_line;
    // Boots beside those of the matrix's plan: tests that failed, once more on both kernels.
    std::vector<PlannedBoot> reruns;
    std::vector<std::string> notes; // "8 vCPUs under TCG on 2 host CPUs", "no KVM: ..."
};

// Everything that a report is made from.
struct RunResult {
    RunInfo info;
    Matrix matrix;
    std::vector<BuildResult> builds;
    std::vector<BootResult> boots;
    // Of the kernels with the first patch, the first two, ..., all but the last (info.each_patch).
    std::vector<BuildResult> step_builds;
    std::vector<BootResult> step_boots;
    // Work that could not be done for reasons of our own: what, and the error's text.
    std::vector<std::pair<std::string, std::string>> infrastructure;
    std::vector<std::string> not_run; // ids of boots left out (budget, interrupted)
    Known known;                      // from earlier runs

    // The matrix's, and what was run again.
    std::vector<PlannedBoot> planned_boots() const;
    // How many kernels there are between baseline and patched; 0 unless info.each_patch asks.
    int steps() const;
    // Where those are booted: as the patched kernel's functional boots, once for each.
    std::vector<PlannedBoot> planned_step_boots() const;
};

} // namespace kmatrix
