// SPDX-License-Identifier: GPL-2.0-only
// What to test, as plain values: what a matrix file says, and the cells that it expands to.
// docs/matrix.md is the user's page for every key here.
#pragma once

#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kmatrix {

enum class Arch { x86_64, arm64 };
enum class Kernel { baseline, patched };
enum class Accel { automatic, kvm, tcg };
enum class Scanner { exec, pread };

std::string_view to_string(Arch arch);     // "x86_64", "arm64"
std::string_view to_string(Kernel kernel); // "baseline", "patched"
std::string_view to_string(Accel accel);   // "auto", "kvm", "tcg"
std::string_view to_string(Scanner scanner);

// One point of the axes. Two cells are the same if their axes are.
struct Axes {
    Arch arch = Arch::x86_64;
    // Names of fragments in kconfigs/ joined by '+': "default+debug". A part with a '/' in it is
    // the absolute path of a file of the user's. kconfigs/fragments.h says what it all comes to.
    std::string config = "default";
    int vcpus = 4;
    std::string compiler = "gcc"; // "gcc" or "clang"
    std::string cmdline;          // put at the end of the kernel command line

    auto operator<=>(const Axes&) const = default;
};

// The config has "debug" among its parts: its checks would change what a benchmark measures.
bool is_debug(std::string_view config);

// The config as people and file names call it: paths by their last part.
std::string config_name(std::string_view config);

// Cell::id of these axes, whatever else stands in the matrix. Different axes have different ids,
// but for user's config files with one name in two folders, which no matrix may have both.
std::string cell_id(const Axes& axes);

// "arch=arm64 vcpus=8": every named axis must have that value. Values may be lists: "vcpus=4,8".
// matrix/filter.h reads and applies it.
struct Filter {
    std::map<std::string, std::vector<std::string>> values; // by the axis's name; values as text
    bool matches(const Axes& axes) const;
};

struct Selftest {
    std::string target;           // a directory of tools/testing/selftests: "proc", "mm"
    std::string test;             // one program of it; empty: all that it installs
    int repeat = 1;               // runs in each boot
    std::optional<int> timeout_s; // instead of kselftest's own; before stretching under emulation
    Filter only;
};

// The latency benchmark's options have the names of run-proc-vs-map.sh where it has them.
struct Benchmark {
    std::string name;                      // unique; by default the procfile
    std::string procfile = "smaps_rollup"; // maps, smaps, smaps_rollup, numa_maps
    Scanner scanner = Scanner::pread;
    int boots = 6;         // a side
    int samples = 2;       // in each boot
    double duration_s = 5; // of a sample
    int busyduration_ms = 2;
    int busycpus = 1;              // CPUs that are scanned from
    int busytasks = 1;             // tasks that preempt the scanner, on each of them
    bool fragment = true;          // fragment the address space before timing starts
    bool force = false;            // more busy vCPUs than host CPUs is no reason to refuse
    std::filesystem::path command; // a user's own: a directory with an executable `run`; else empty
    std::string
        pattern; // with command: a regular expression (Perl's syntax), group 1 a figure in ms
    Filter only;
};

// vCPUs that the benchmark keeps busy at once: the mapper's, and those that are scanned from.
// 0 for a command of the user's own, of which that is not known.
int busy_vcpus(const Benchmark& benchmark);

// Fewer boots a side than this never give a verdict on a difference: the exact permutation test's
// smallest two-sided p is 2/C(2B,B), 0.10 for B = 3 and 0.029 for B = 4.
inline constexpr int fewest_boots = 4;
// The mapper, a scanned CPU, a spare one for the rest of the guest, and one in hand.
inline constexpr int fewest_benchmark_vcpus = 4;

struct Vm {
    int memory_mib = 2048;
    Accel accel = Accel::automatic;
    std::string uri = "qemu:///embed"; // or qemu:///system, qemu:///session
    int numa_nodes = 1;
};

// What makes exit status 1. Latency measured under emulation gates only where it is asked to.
struct Gate {
    bool build = true;
    bool warnings = false; // new compiler warnings
    bool boot = true;
    bool splat = true;
    bool tests = true;
    bool latency = false;          // slower, measured on hardware
    bool latency_emulated = false; // slower, measured under emulation
    double margin = 0.05;          // of the latency ratio: what is smaller is no change
};

// A kernel image that cells share. Everything that decides its bytes but the source.
struct BuildKey {
    Arch arch = Arch::x86_64;
    std::string config;
    std::string compiler;

    auto operator<=>(const BuildKey&) const = default;
};

struct Cell {
    std::string id; // a file name: "x86_64-default-8cpu-gcc"; unique in a Matrix; see cell_id()
    Axes axes;
    std::vector<Selftest> selftests;
    std::vector<Benchmark> benchmarks;

    BuildKey build() const { return {axes.arch, axes.config, axes.compiler}; }
};

struct Matrix {
    std::string name; // the file's stem
    std::filesystem::path file;
    std::vector<Cell> cells; // in the file's order; never empty
    Vm vm;
    Gate gate;
    // No functional boots, as in an A/A run. The cells keep their selftests, whose configs the
    // kernels are built with.
    bool only_benchmarks = false;
};

const Cell* find_cell(const Matrix& matrix, std::string_view id); // nullptr: there is none

// A test that failed, to be run again in a boot of its own.
struct Rerun {
    std::string target;
    std::string test;
    int times = 1;
    double each_s = 0; // what one run took

    bool operator==(const Rerun&) const = default;
};

// One boot that the matrix asks for. A functional boot runs every selftest of the cell (a cell that
// has neither selftests nor benchmarks is only booted); a benchmark boot runs one benchmark.
struct PlannedBoot {
    // "x86_64-default-8cpu-gcc/patched/smaps_rollup-3", ".../patched/functional"; unique in a plan
    std::string id;
    std::size_t cell = 0; // index into Matrix::cells
    Kernel kernel = Kernel::baseline;
    std::optional<std::size_t> benchmark; // index into Cell::benchmarks; none: functional
    int number = 1;                       // of its side
    std::vector<Rerun> reruns; // functional: these tests instead of the cell's; see reruns()
    int patches = 0;           // of the series, the first so many alone (--each-patch); 0: all

    bool operator==(const PlannedBoot&) const = default;
};

struct Plan {
    std::vector<BuildKey> builds; // distinct; each is built for baseline and patched
    // All functional boots first, then each benchmark of each cell in ABBA order: baseline,
    // patched, patched, baseline, and so on, so that drift hits both.
    std::vector<PlannedBoot> boots;
};

Plan plan(const Matrix& matrix);

} // namespace kmatrix
